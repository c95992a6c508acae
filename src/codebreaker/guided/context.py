"""Weights by turn and by the feedback of the previous guess: a row for each such context.

The sets of a turn fall into groups that share a row. Groups are small, so that for each the least
regret is found exactly; where several patterns at a turn are as good, the one is taken that leaves
the next turn's groups the least.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product

from codebreaker.guided.choices import Choice, ChoiceTable
from codebreaker.guided.patterns import FoundPattern, PatternSearch
from codebreaker.guided.programme import Programme
from codebreaker.guided.stage import GuidedSettings, find_row
from codebreaker.types import Indices, Scores

log = logging.getLogger("codebreaker")

Context = tuple[int, int]
"""A turn, and the feedback of the guess before it."""

Groups = dict[int, list[Indices]]
"""The candidate sets of a turn by the feedback that led to them."""

MOST_COMBINATIONS = 2000
"""How many combinations of the first turn's patterns are looked at, at most."""


@dataclass
class ContextSearch:
    """The search for rows by context; what a group's best row is, is found once."""

    choices: ChoiceTable
    settings: GuidedSettings
    _best: dict[tuple[int, bytes], FoundPattern] = field(default_factory=dict)

    def find(self, groups: Groups, turn: int) -> dict[Context, Scores]:
        """Return rows for all contexts from a turn on."""
        best: tuple[int, dict[int, FoundPattern]] | None = None
        for patterns in islice(self._combinations(groups, turn), MOST_COMBINATIONS):
            regret = sum(found.regret for found in patterns.values())
            if best is not None and regret >= best[0]:
                continue
            after = self._next(patterns)
            for sets in after.values():
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
            rows |= {(turn, feedback): found.weights for feedback, found in patterns.items()}
            distinct = len({found.weights.tobytes() for found in patterns.values()})
            log.info("turn %d: %d rows for %d groups", turn, distinct, len(patterns))
            turn += 1
            patterns = {
                feedback: self._row(turn, sets) for feedback, sets in self._next(patterns).items()
            }
        return rows

    def _share(self, patterns: dict[int, FoundPattern]) -> dict[int, FoundPattern]:
        """Let groups share a row where one makes all their choices at no more regret.

        The groups of most choices come first, each joins the first that it can.
        """
        order = sorted(patterns, key=lambda feedback: -len(patterns[feedback].pattern))
        shared: list[tuple[FoundPattern, list[int]]] = []
        for feedback in order:
            found = patterns[feedback]
            for place, (other, members) in enumerate(shared):
                both = self._together(other, found)
                if both is not None:
                    shared[place] = (both, [*members, feedback])
                    break
            else:
                shared.append((found, [feedback]))
        return {
            feedback: replace(patterns[feedback], weights=row.weights)
            for row, members in shared
            for feedback in members
        }

    def _together(self, one: FoundPattern, other: FoundPattern) -> FoundPattern | None:
        """Return a row for the choices of two, if one is found that costs no more than both."""
        both = [*one.pattern, *other.pattern]
        programme = Programme(len(one.weights), self.settings.low, self.settings.high)
        weights = programme.weights_for(both)
        return None if weights is None else FoundPattern(one.regret + other.regret, both, weights)

    def _combinations(self, groups: Groups, turn: int) -> Iterator[dict[int, FoundPattern]]:
        """Yield patterns of all groups, each of its least regret."""
        several = []
        for sets in groups.values():
            least = self._row(turn, sets).regret
            search = self._search(self.choices.of(sets, turn), least)
            several.append(search.all())
        for combination in product(*several):
            yield dict(zip(groups, combination, strict=True))

    def _row(self, turn: int, sets: Sequence[Indices]) -> FoundPattern:
        """Return a group's pattern of the least regret: by walks, or by programmes if not 0."""
        key = (turn, b"|".join(sorted(members.tobytes() for members in sets)))
        if key not in self._best:
            choices = self.choices.of(sets, turn)
            best = find_row(choices, self.settings)
            for budget in range(best.regret):
                found = self._search(choices, budget).any()
                if found is not None:
                    best = found
                    break
            self._best[key] = best
        return self._best[key]

    def _search(self, choices: Sequence[Choice], budget: int) -> PatternSearch:
        return PatternSearch(choices, budget, self.settings.low, self.settings.high)

    def _next(self, patterns: dict[int, FoundPattern]) -> Groups:
        groups: Groups = {}
        for found in patterns.values():
            for choice, option in found.pattern:
                for feedback, members in self.choices.after(choice, option):
                    groups.setdefault(feedback, []).append(members)
        return dict(sorted(groups.items()))
