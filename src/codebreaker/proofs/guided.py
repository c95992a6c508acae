"""Weights guided by the exact cost-to-go, by turn or by turn and previous feedback (decision 8).

A tree's total is the minimum total of its opening plus the regrets of all its choices. So the
search goes turn by turn: it looks for a row whose winners have the smallest summed regret at the
sets that the rows before it leave.
"""

import logging
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import Any

import numpy as np

from codebreaker.constants import VERSION
from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame
from codebreaker.policies.criterion import TIE_TOLERANCE_BITS, Criterion
from codebreaker.policies.strategy import found_strategy
from codebreaker.policies.weights import Weights
from codebreaker.proofs.kernels.walk import walk as random_walk
from codebreaker.proofs.patterns import (
    CLEAR_LEAD_BITS,
    PROOF_MARGIN_BITS,
    Choice,
    ChoiceTable,
    Effort,
    FeasiblePattern,
    PatternSearch,
    Programme,
    ProofNode,
    Winners,
)
from codebreaker.proofs.settings import BEHIND_BITS, GuidedWeights
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.trees.grow import grow
from codebreaker.trees.tree import GameTree
from codebreaker.types import Indices, Scores

log = logging.getLogger("codebreaker")

Cells = dict[int, Indices]
Groups = dict[int, list[Indices]]
"""A turn's candidate sets by previous feedback: one set (`Cells`) or several."""

MOST_COMBINATIONS = 2000
"""Maximum number of combinations of turn 2's patterns that are tried."""

MOST_DIGITS = 6
"""Maximum number of digits of a rounded weight."""

LEAST_BUDGET = 6
"""Regrets of single choices are exact up to this, or up to the budget if that is larger."""


def find_row(choices: Sequence[Choice], settings: GuidedWeights) -> FeasiblePattern:
    """Return the best pattern of random walks for one row."""
    winners = Winners(choices)
    best_regret = None
    best_row = np.empty(0)
    for seed in range(settings.walks):
        rng = np.random.default_rng(seed)
        start = rng.uniform(settings.low, settings.high, winners.scores.shape[1])
        regret, row = random_walk(
            rng,
            start,
            winners.scores,
            winners.regrets,
            winners.starts,
            TIE_TOLERANCE_BITS,
            settings.steps,
            settings.low,
            settings.high,
        )
        if best_regret is None or regret < best_regret:
            best_regret = regret
            best_row = row
        if regret == 0:
            break
    return FeasiblePattern(winners.under(best_row), best_row)


@dataclass
class _StageSearch:
    """The search for one row per turn from turn 2 on.

    Turn 2 is enumerated: all patterns within the budget. Turn 3 is searched completely below each
    of them, within what a rising bound leaves; later turns are left to random walks.

    The bound holds although later turns aren't searched, as their regrets are not negative: if no
    patterns of turns 2 and 3 together have a regret of at most b, no weights have. Winners may be
    BEHIND_BITS behind, so that the bound covers ties. Weights that tie may not play their pattern;
    they only show that the proof ends there.
    """

    choices: ChoiceTable
    settings: GuidedWeights
    effort: Effort = field(default_factory=Effort)

    def find(self, cells: Cells, optimum: int) -> tuple[Scores, dict[str, Any], ProofNode | None]:
        """Return (n_turns, n_feedback) weights, the provenance of the bound, and its proof."""
        settings = self.settings
        deadline = time.monotonic() + self.settings.seconds
        search = self._search(self.choices.of(list(cells.values()), 2), settings.budget)
        patterns = search.find_all()
        log.info("%d patterns with regret up to %d at turn 2", len(patterns), settings.budget)
        played = [pattern for pattern in patterns if pattern.is_played]
        if not played:
            raise CodebreakerError(
                f"every row of weights at turn 2 costs more than {settings.budget} guesses above "
                "the optimum: raise the budget"
            )
        # 1. An upper bound: complete the best patterns by random walks.
        walked = (self._complete([pattern]) for pattern in played[: settings.patterns])
        best = min(walked, key=_summed)
        log.info("random walks: %d", optimum + _summed(best))
        # 2. Raise the lower bound by one guess at a time, until some weights reach it.
        bound = 0
        while bound < _summed(best):
            reached = self._reach(patterns, bound, deadline)
            if reached is not None and all(pattern.is_played for pattern in reached):
                best = min(best, reached, key=_summed)
                log.info("programmes: %d", optimum + _summed(best))
            if reached is not None or not self.effort.complete or bound > settings.budget:
                break  # patterns beyond the budget, which may continue better, are not enumerated
            bound += 1
            log.info("no weights take fewer than %d guesses", optimum + bound)
        provenance = {
            "bound": optimum + bound,
            "vectors": len(best),
            "nodes": self.effort.nodes,
            "programmes": self.effort.programmes,
        }
        turn_1 = np.ones(self.choices.cost.game.n_feedback)
        values = np.stack([turn_1, *(pattern.weights for pattern in best)])
        return values, provenance, search.proof

    def _reach(
        self, patterns: Sequence[FeasiblePattern], limit: int, deadline: float
    ) -> list[FeasiblePattern] | None:
        """Return patterns of turns 2 and 3 with a summed regret up to `limit`, completed; or None.

        If there are none, each pattern of turn 2 gets the proof of turn 3 as its node's `next`.
        """
        for pattern in patterns:
            if pattern.regret > limit:
                break
            below = self.choices.below(pattern.pattern)
            search = self._search(below, limit - pattern.regret, deadline)
            second = search.find_any()
            if not self.effort.complete:
                return None
            if second is not None:
                return self._complete([pattern, second])
            pattern.node["next"] = search.proof
        return None

    def _complete(self, patterns: list[FeasiblePattern]) -> list[FeasiblePattern]:
        """Return a pattern for every turn: the given ones, then those of random walks."""
        completed = list(patterns)
        while below := self.choices.below(completed[-1].pattern):
            completed.append(find_row(below, self.settings))
        return completed

    def _search(
        self, choices: Sequence[Choice], budget: int, deadline: float = float("inf")
    ) -> PatternSearch:
        """Return a search with the model's bounds of weights, whose work is added to `effort`."""
        low = self.settings.low
        high = self.settings.high
        return PatternSearch(choices, budget, low, high, PROOF_MARGIN_BITS, deadline, self.effort)


@dataclass
class _ContextSearch:
    """The search for rows by context: a turn and the feedback to the previous guess.

    Each group of sets with the same previous feedback has a row of its own, so groups are searched
    one by one; those that can share a row do.
    """

    choices: ChoiceTable
    settings: GuidedWeights
    _best: dict[frozenset[Choice], FeasiblePattern] = field(default_factory=dict)

    def find(self, cells: Cells, optimum: int) -> tuple[Scores, dict[str, Any], ProofNode | None]:
        """Return (n_turns, n_feedback, n_feedback) weights and the provenance; no proof."""
        # 1. Combine the patterns of turn 2's groups; take the combination with the smallest summed
        #    regret of turns 2 and 3.
        lowest = float("inf")
        best = dict[int, FeasiblePattern]()
        patterns_by_group = [
            self._search(self.choices.of([cell], 2), self._row(2, [cell]).regret).find_all()
            for cell in cells.values()
        ]
        for combination in islice(product(*patterns_by_group), MOST_COMBINATIONS):
            patterns = dict(zip(cells, combination, strict=True))
            regret = _summed(patterns.values())
            if regret >= lowest:
                continue
            for sets in self._next(patterns).values():
                regret += self._row(3, sets).regret
                if regret >= lowest:
                    break
            else:
                lowest = regret
                best = patterns
                if lowest == 0:
                    break
        # 2. Complete it turn by turn.
        n_feedback = self.choices.cost.game.n_feedback
        values = [np.ones((n_feedback, n_feedback))]
        turn = 2
        rows = set[bytes]()
        while best:
            best = self._share(best)
            values.append(np.ones((n_feedback, n_feedback)))
            for feedback, pattern in best.items():
                values[-1][feedback] = pattern.weights
            rows_of_turn = {pattern.weights.tobytes() for pattern in best.values()}
            log.info("turn %d: %d rows for %d groups", turn, len(rows_of_turn), len(best))
            rows = rows | rows_of_turn
            turn = turn + 1
            best = {feedback: self._row(turn, sets) for feedback, sets in self._next(best).items()}
        return np.stack(values), {"bound": optimum, "vectors": len(rows)}, None

    def _share(self, patterns: dict[int, FeasiblePattern]) -> dict[int, FeasiblePattern]:
        """Let each group share the row of the first larger one that it can."""
        order = sorted(patterns, key=lambda feedback: -len(patterns[feedback].pattern))
        shared: list[tuple[FeasiblePattern, list[int]]] = []
        for feedback in order:
            for i, (other, members) in enumerate(shared):
                both = [*other.pattern, *patterns[feedback].pattern]
                low = self.settings.low
                high = self.settings.high
                programme = Programme(len(other.weights), low, high, CLEAR_LEAD_BITS, Effort())
                weights = programme.weights_for(both)
                if weights is not None:
                    shared[i] = (FeasiblePattern(both, weights), [*members, feedback])
                    break
            else:
                shared.append((patterns[feedback], [feedback]))
        return {
            feedback: replace(patterns[feedback], weights=row.weights)
            for row, members in shared
            for feedback in members
        }

    def _row(self, turn: int, sets: Sequence[Indices]) -> FeasiblePattern:
        """Return the pattern of the smallest regret that one row can have at sets.

        A random walk gives an upper bound; then budgets below it are searched, smallest first.
        """
        choices = self.choices.of(sets, turn)
        key = frozenset(choices)
        if key not in self._best:
            best = find_row(choices, self.settings)
            cheaper = (self._search(choices, budget).find_any() for budget in range(best.regret))
            self._best[key] = next(filter(None, cheaper), best)
        return self._best[key]

    def _search(self, choices: Sequence[Choice], budget: int) -> PatternSearch:
        """Return a search with the model's bounds of weights."""
        low = self.settings.low
        high = self.settings.high
        return PatternSearch(choices, budget, low, high, CLEAR_LEAD_BITS)

    def _next(self, patterns: dict[int, FeasiblePattern]) -> Groups:
        """Return the next turn's sets after patterns, by feedback."""
        groups: Groups = {}
        for feasible in patterns.values():
            for feedback, members in self.choices.cells(feasible.pattern):
                groups.setdefault(feedback, []).append(members)
        return dict(sorted(groups.items()))


def _summed(patterns: Iterable[FeasiblePattern]) -> int:
    """Return the summed regret of patterns."""
    return sum(pattern.regret for pattern in patterns)


def find_weights(
    game: TableGame, criterion: Criterion, name: str, model: GuidedWeights, memo_mib: float
) -> tuple[Weights, ProofNode | None]:
    """Return a model's best weights, rounded, and the proof of their bound if one is needed.

    Raises `CodebreakerError` if none are found within the budget and the guess limit.
    """
    cost = CostToGo(game, model.guess_limit, memo_mib)
    choices = ChoiceTable(cost, criterion, max(model.budget, LEAST_BUDGET))
    optimum, cells = choices.opened(model.opening)
    if optimum >= cost.no_limit:
        raise CodebreakerError(
            f"no tree of {game.name} from {model.opening} solves every secret within "
            f"{model.guess_limit} guesses: raise the guess limit"
        )
    search = (_StageSearch if model.by == "turn" else _ContextSearch)(choices, model)
    values, bound, proof = search.find(cells, optimum)
    weights, tree = _rounded(game, name, model.opening, values)
    if model.guess_limit is not None and tree.max_guesses > model.guess_limit:
        raise CodebreakerError(
            f"no weights of {name} with at most {model.guess_limit} guesses were found: "
            "raise its walks or its budget"
        )
    part_of_the_model = ("opening", "by", "guess_limit")
    settings = {key: value for key, value in vars(model).items() if key not in part_of_the_model}
    provenance = {
        "game": game.name,
        "criterion": criterion.name,
        "opening": model.opening,
        "total_guesses": tree.total_guesses,
        "max_guesses": tree.max_guesses,
        "guess_limit": model.guess_limit,
        "secrets": game.n_secrets,
        "optimum": optimum,
        **bound,
        "behind_bits": BEHIND_BITS,
        "settings": settings,
        "codebreaker": VERSION,
    }
    return replace(weights, provenance=provenance), proof


def _rounded(game: TableGame, name: str, opening: str, values: Scores) -> tuple[Weights, GameTree]:
    """Return weights of the fewest digits that keep the tree's total and maximum, and the tree."""
    exact = Weights(name, "found by the exact cost-to-go", game.feedback_labels, values)
    best = grow(game, found_strategy(name, exact, opening))
    for digits in range(1, MOST_DIGITS + 1):
        rounded = exact.rounded(digits)
        tree = grow(game, found_strategy(name, rounded, opening))
        if tree.total_guesses <= best.total_guesses and tree.max_guesses <= best.max_guesses:
            return rounded, tree
    return exact, best
