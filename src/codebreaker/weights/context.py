"""Search for weights by turn and by the feedback of the previous guess, one row per such context.

The sets of a turn are grouped by context, and each group has a row. Groups are small enough to find
the least regret exactly; among equally good patterns of a turn, the search takes the one that
leaves the least regret at the next turn.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product

from codebreaker.types import Indices, Scores
from codebreaker.weights.guided_choices import Choice, ChoiceTable
from codebreaker.weights.patterns import FeasiblePattern, PatternSearch
from codebreaker.weights.programme import Programme
from codebreaker.weights.stage import GuidedSettings, find_row

log = logging.getLogger("codebreaker")

Context = tuple[int, int]
"""A turn, and the feedback of the guess before it."""

Groups = dict[int, list[Indices]]
"""The candidate sets of a turn, by the feedback that led to them."""

MOST_COMBINATIONS = 2000
"""The most combinations of the first turn's patterns that are tried."""


@dataclass
class ContextSearch:
    """The search for rows by context; each group's best row is computed once."""

    choices: ChoiceTable
    settings: GuidedSettings
    _best: dict[tuple[int, bytes], FeasiblePattern] = field(default_factory=dict)

    def find(self, groups: Groups, turn: int) -> dict[Context, Scores]:
        """Return a row for each context from a turn on."""
        best: tuple[int, dict[int, FeasiblePattern]] | None = None
        for patterns in islice(self._combinations(groups, turn), MOST_COMBINATIONS):
            regret = sum(one.regret for one in patterns.values())
            if best is not None and regret >= best[0]:
                continue
            for sets in self._next(patterns).values():
                regret += self._row(turn + 1, sets).regret
                if best is not None and regret >= best[0]:
                    break
            if best is None or regret < best[0]:
                best = regret, patterns
            if best[0] == 0:
                break
        assert best is not None, "every group has a pattern"
        patterns = best[1]
        rows: dict[Context, Scores] = {}
        while patterns:
            patterns = self._share(patterns)
            rows |= {(turn, feedback): one.weights for feedback, one in patterns.items()}
            distinct = len({one.weights.tobytes() for one in patterns.values()})
            log.info("turn %d: %d rows for %d groups", turn, distinct, len(patterns))
            turn += 1
            patterns = {
                feedback: self._row(turn, sets) for feedback, sets in self._next(patterns).items()
            }
        return rows

    def _share(self, patterns: dict[int, FeasiblePattern]) -> dict[int, FeasiblePattern]:
        """Let groups share a row if one row makes the choices of all of them.

        Greedily, the largest groups first: each joins the first earlier group that it can.
        """
        order = sorted(patterns, key=lambda feedback: -len(patterns[feedback].pattern))
        shared: list[tuple[FeasiblePattern, list[int]]] = []
        for feedback in order:
            pattern = patterns[feedback]
            for i, (other, members) in enumerate(shared):
                merged = self._merge(other, pattern)
                if merged is not None:
                    shared[i] = (merged, [*members, feedback])
                    break
            else:
                shared.append((pattern, [feedback]))
        return {
            feedback: replace(patterns[feedback], weights=row.weights)
            for row, members in shared
            for feedback in members
        }

    def _merge(self, one: FeasiblePattern, other: FeasiblePattern) -> FeasiblePattern | None:
        """Return the union of two patterns if one row of weights realises it."""
        both = [*one.pattern, *other.pattern]
        programme = Programme(len(one.weights), self.settings.low, self.settings.high)
        weights = programme.weights_for(both)
        regret = one.regret + other.regret
        return None if weights is None else FeasiblePattern(regret, both, weights)

    def _combinations(self, groups: Groups, turn: int) -> Iterator[dict[int, FeasiblePattern]]:
        """Yield all combinations of the groups' patterns of least regret."""
        patterns_by_group = []
        for sets in groups.values():
            least = self._row(turn, sets).regret
            search = self._search(self.choices.of(sets, turn), least)
            patterns_by_group.append(search.find_all())
        for combination in product(*patterns_by_group):
            yield dict(zip(groups, combination, strict=True))

    def _row(self, turn: int, sets: Sequence[Indices]) -> FeasiblePattern:
        """Return a group's pattern of least regret: by walks, then by programmes if it is not 0."""
        key = (turn, b"|".join(sorted(members.tobytes() for members in sets)))
        if key not in self._best:
            choices = self.choices.of(sets, turn)
            best = find_row(choices, self.settings)
            for budget in range(best.regret):
                cheaper = self._search(choices, budget).find_any()
                if cheaper is not None:
                    best = cheaper
                    break
            self._best[key] = best
        return self._best[key]

    def _search(self, choices: Sequence[Choice], budget: int) -> PatternSearch:
        return PatternSearch(choices, budget, self.settings.low, self.settings.high)

    def _next(self, patterns: dict[int, FeasiblePattern]) -> Groups:
        groups: Groups = {}
        for one in patterns.values():
            for choice, option in one.pattern:
                for feedback, members in self.choices.after(choice, option):
                    groups.setdefault(feedback, []).append(members)
        return dict(sorted(groups.items()))
