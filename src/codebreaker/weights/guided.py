"""Weights guided by the exact cost-to-go: one row per turn, or per turn and previous feedback.

A tree's total is the optimum of its opening plus the regrets of all its choices. The patterns of
choices that one row of weights can make at the first weighted turn are enumerated within a budget;
each determines the next turn's sets, whose row is searched for in the same way. With a row for each
previous feedback, the sets of a turn are grouped by it; groups are small enough to find the least
regret exactly, and among equally good patterns of a turn, the search takes the one that leaves the
least regret at the next turn.
"""

import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice, product
from typing import Any

import numpy as np

from codebreaker.constants import VERSION
from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame
from codebreaker.policies.criterion import TIE_TOLERANCE_BITS, Criterion
from codebreaker.policies.strategy import found_strategy
from codebreaker.policies.weights import Weights
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.kernels.cost_bounds import INFEASIBLE
from codebreaker.sets.partition import all_secrets, split
from codebreaker.trees.grow import grow
from codebreaker.types import Indices, Scores
from codebreaker.weights.choices import (
    MARGIN_BITS,
    Choice,
    ChoiceTable,
    Pattern,
    Programme,
    Winners,
    regret_of,
)
from codebreaker.weights.kernels.walk import walk as random_walk
from codebreaker.weights.patterns import Effort, FeasiblePattern, PatternSearch, ProofNode

log = logging.getLogger("codebreaker")

Context = tuple[int, int]
"""A turn, and the feedback of the guess before it."""

Groups = dict[int, list[Indices]]
"""The candidate sets of a turn, by the feedback that led to them."""

MOST_COMBINATIONS = 2000
"""The most combinations of the first turn's patterns that are tried."""

MOST_DIGITS = 6
"""Weights that need more digits than this are not rounded."""

LEAST_BUDGET = 6
"""Regrets of single choices are exact up to this, or up to the budget if that is larger."""


@dataclass(frozen=True)
class GuidedModel:
    """The weights to find: one row per turn, or per turn and previous feedback, after an opening.

    Trees may take at most `guess_limit` guesses for any secret; None means no limit.
    """

    name: str
    opening: str
    by_context: bool
    guess_limit: int | None


@dataclass(frozen=True)
class GuidedSettings:
    """Bounds on the weights, and limits on the search.

    Patterns of the first weighted turn are enumerated up to a regret of `budget`. From the best
    `patterns` of them, later rows are searched for by `walks` random walks of `steps` steps each.
    Linear programmes then run until the bound is proven, or for at most `seconds`.
    """

    low: float
    high: float
    budget: int
    patterns: int
    walks: int
    steps: int
    seconds: float


@dataclass(frozen=True)
class StageRows:
    """Rows of weights from a turn on, with the total regret of their choices."""

    regret: int
    rows: tuple[Scores, ...]


def find_row(choices: Sequence[Choice], settings: GuidedSettings) -> FeasiblePattern:
    """Return the best pattern that random walks find for choices that share a row."""
    scores = np.concatenate([choice.scores for choice in choices])
    regrets = np.concatenate([choice.regrets for choice in choices])
    starts = np.cumsum([0, *(len(choice.regrets) for choice in choices)])
    best: tuple[int, Scores] | None = None
    for walk in range(settings.walks):
        rng = np.random.default_rng(walk)
        start = rng.uniform(settings.low, settings.high, scores.shape[1])
        result = random_walk(
            rng, start, scores, regrets, starts, TIE_TOLERANCE_BITS, settings.steps,
            settings.low, settings.high,
        )  # fmt: skip
        best = result if best is None or result[0] < best[0] else best
        if best[0] == 0:
            break
    assert best is not None, "there is at least one walk"
    pattern = Winners(choices).under(best[1])
    return FeasiblePattern(regret_of(pattern), pattern, best[1])


@dataclass
class StageSearch:
    """The search for one row per turn, from the first weighted turn on."""

    choices: ChoiceTable
    settings: GuidedSettings
    effort: Effort = field(default_factory=Effort)

    def find(
        self, sets: Sequence[Indices], turn: int, optimum: int
    ) -> tuple[StageRows, int, ProofNode]:
        """Return rows for sets at the first weighted turn, a lower bound on regret, and its proof.

        Random walks from the patterns of least regret give first rows. Linear programmes then test
        each regret from 0 up, proving those that no pattern reaches.
        """
        settings, deadline = self.settings, time.monotonic() + self.settings.seconds
        search = self._patterns(self.choices.of(sets, turn), settings.budget)
        patterns = search.find_all()
        log.info(
            "%d patterns with regret up to %d at turn %d", len(patterns), settings.budget, turn
        )
        if not patterns:
            raise CodebreakerError(
                f"every row of weights at turn {turn} costs more than {settings.budget} guesses "
                "above the optimum: raise the budget"
            )
        walked = (self._complete([one], turn) for one in patterns[: settings.patterns])
        best = min(walked, key=lambda rows: rows.regret)
        log.info("random walks: %d", optimum + best.regret)
        bound = 0
        while bound < best.regret:
            rows = self._reach(patterns, bound, turn, deadline)
            if rows is not None and rows.regret < best.regret:
                best = rows
                log.info("programmes: %d", optimum + best.regret)
            if rows is not None or not self.effort.complete or bound > settings.budget:
                break  # patterns beyond the budget, which may continue better, are not enumerated
            bound += 1
            log.info("no weights take fewer than %d guesses", optimum + bound)
        return best, bound, search.proof

    def _reach(
        self, patterns: Sequence[FeasiblePattern], limit: int, turn: int, deadline: float
    ) -> StageRows | None:
        """Return rows with a regret up to `limit` in the first two turns, or None without any."""
        for one in patterns:
            if one.regret > limit:
                break
            sets = self.choices.of(self._next(one.pattern), turn + 1)
            search = self._patterns(sets, limit - one.regret, deadline)
            second = search.find_any()
            if not self.effort.complete:
                return None
            if second is not None:
                return self._complete([one, second], turn)
            one.node["next"] = search.proof
        return None

    def _complete(self, patterns: Sequence[FeasiblePattern], turn: int) -> StageRows:
        """Return rows for the patterns of the first turns, and by random walks for later turns."""
        found, sets = list(patterns), self._next(patterns[-1].pattern)
        while sets:
            found.append(find_row(self.choices.of(sets, turn + len(found)), self.settings))
            sets = self._next(found[-1].pattern)
        return StageRows(sum(one.regret for one in found), tuple(one.weights for one in found))

    def _next(self, pattern: Pattern) -> list[Indices]:
        """Return the candidate sets of at least two that a pattern leads to."""
        after = self.choices.after
        return [members for choice, option in pattern for _, members in after(choice, option)]

    def _patterns(
        self, choices: Sequence[Choice], budget: int, deadline: float = float("inf")
    ) -> PatternSearch:
        low, high = self.settings.low, self.settings.high
        return PatternSearch(choices, budget, low, high, deadline, self.effort)


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


def find_weights(
    game: TableGame,
    criterion: Criterion,
    model: GuidedModel,
    settings: GuidedSettings,
    memo_mib: float,
) -> tuple[Weights, ProofNode | None]:
    """Return the best weights of a model, rounded to the fewest digits that keep their total.

    The provenance holds the total, the maximum and the proven bound; the proof is None if the bound
    is the optimum of the opening. Raises `CodebreakerError` if no tree from the opening, or none
    that the search found, is within the guess limit.
    """
    cost = CostToGo(game, model.guess_limit, memo_mib)
    opening, secrets = game.guesses.index(model.opening), all_secrets(game)
    optimum = cost.after(opening, secrets, 1, INFEASIBLE)
    if optimum >= INFEASIBLE:
        raise CodebreakerError(
            f"no tree of {game.name} from {model.opening} solves every secret within "
            f"{model.guess_limit} guesses: raise the guess limit"
        )
    choices = ChoiceTable(cost, criterion, max(settings.budget, LEAST_BUDGET))
    cells = {f: cell for f, cell in split(game, opening, secrets).items() if len(cell) > 1}
    search = _by_context if model.by_context else _by_turn
    values, bound, proof = search(choices, cells, optimum, settings)
    weights = _rounded(game, model, values)
    tree = grow(game, found_strategy(model.name, weights, model.opening))
    if model.guess_limit is not None and tree.turn.max() > model.guess_limit:
        raise CodebreakerError(
            f"no weights of {model.name} with at most {model.guess_limit} guesses were found: "
            "raise its walks or its budget"
        )
    provenance = {
        "game": game.name,
        "criterion": criterion.name,
        "opening": model.opening,
        "total_guesses": tree.total_guesses,
        "max_guesses": int(tree.turn.max()),
        "guess_limit": model.guess_limit,
        "secrets": game.n_secrets,
        "optimum": optimum,
        **bound,
        "margin_bits": MARGIN_BITS,
        "settings": asdict(settings),
        "codebreaker": VERSION,
    }
    return replace(weights, provenance=provenance), proof


def _by_turn(
    choices: ChoiceTable, cells: dict[int, Indices], optimum: int, settings: GuidedSettings
) -> tuple[Scores, dict[str, Any], ProofNode | None]:
    """Return (n_turns, n_feedback) weights, the bound's provenance, and its proof."""
    search = StageSearch(choices, settings)
    found, bound, proof = search.find(list(cells.values()), 2, optimum)
    provenance = {
        "bound": optimum + bound,
        "vectors": len(found.rows),
        "nodes": search.effort.nodes,
        "programmes": search.effort.programmes,
    }
    turn_1 = np.ones(choices.cost.game.n_feedback)
    return np.stack([turn_1, *found.rows]), provenance, proof


def _by_context(
    choices: ChoiceTable, cells: dict[int, Indices], optimum: int, settings: GuidedSettings
) -> tuple[Scores, dict[str, Any], ProofNode | None]:
    """Return (n_turns, n_feedback, n_feedback) weights and the bound's provenance; no proof."""
    groups = {feedback: [cell] for feedback, cell in cells.items()}
    rows = ContextSearch(choices, settings).find(groups, 2)
    n_feedback = choices.cost.game.n_feedback
    values = np.ones((max(turn for turn, _ in rows), n_feedback, n_feedback))
    for (turn, feedback), row in rows.items():
        values[turn - 1, feedback] = row
    distinct = len({row.tobytes() for row in rows.values()})
    return values, {"bound": optimum, "vectors": distinct}, None


def _rounded(game: TableGame, model: GuidedModel, values: Scores) -> Weights:
    """Round weights to the fewest digits that keep the tree's total and maximum."""
    exact = Weights(model.name, "found by the exact cost-to-go", game.feedback_labels, values)
    best = grow(game, found_strategy(model.name, exact, model.opening))
    for digits in range(1, MOST_DIGITS + 1):
        rounded = exact.rounded(digits)
        tree = grow(game, found_strategy(model.name, rounded, model.opening))
        if tree.total_guesses <= best.total_guesses and tree.turn.max() <= best.turn.max():
            return rounded
    return exact
