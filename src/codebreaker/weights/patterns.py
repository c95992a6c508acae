"""Choices at candidate sets, and the patterns of choices that one row of weights can make."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import highspy
import numpy as np

from codebreaker.games.model import TableGame
from codebreaker.policies.criterion import TIE_TOLERANCE_BITS, Criterion
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.kernels.cost_bounds import INFEASIBLE
from codebreaker.sets.partition import all_secrets, count_table, split
from codebreaker.types import Indices, Offsets, Scores, Totals

MARGIN_BITS = TIE_TOLERANCE_BITS
"""The smallest lead over every rival, in bits, for an option to count as a winner: no ties."""

FEASIBILITY, NO_SHARE = 5e-7, 1e-12
"""How far below the margin a lead may be; duals up to NO_SHARE are rounding errors of zero."""

WIDEST = 10.0
"""A bound on the margin, so that programmes without rows are bounded."""

ProofNode = dict[str, Any]
"""A node of a proof that no row of weights stays within a budget, or that no other pattern does.

Keys are `rows`, if leads (choice, option, rival) with their shares refute the options fixed so far;
`choice` and `options`, with a node for each affordable option; `refuted`, leads by choice and
option that raise minimum regrets; and `next`, the node of the next turn's sets, if searched.
"""


@dataclass
class Effort:
    """The work of searches, and whether all finished in time."""

    nodes: int = 0
    programmes: int = 0
    complete: bool = True


@dataclass(frozen=True, eq=False)
class Choice:
    """A candidate set at a turn, with its distinct options in the tie order.

    `scores` (n_options, n_feedback) float64 are in bits; `guesses` (n_options,) int32 are the
    options' first guesses; `regrets` (n_options,) int64 are capped at the budget + 1.
    """

    turn: int
    members: Indices
    scores: Scores
    guesses: Indices
    regrets: Totals
    _within: dict[int, tuple[Offsets, dict[int, int]]] = field(default_factory=dict)

    def within(self, budget: int) -> tuple[Offsets, dict[int, int]]:
        """Return the affordable undominated options, and a dominating one for each other."""
        if budget not in self._within:
            scores, dominated = self.scores, dict[int, int]()
            options = np.flatnonzero(self.regrets <= budget)
            for option in options.tolist():
                above = (scores >= scores[option]).all(axis=1)
                above &= (scores > scores[option]).any(axis=1)
                if above.any():
                    dominated[option] = int(above.argmax())
            self._within[budget] = np.setdiff1d(options, list(dominated)), dominated
        return self._within[budget]

    def winner(self, weights: Scores) -> int:
        """Return the index of the winning option under a row of weights, (n_feedback,)."""
        totals = self.scores @ weights
        return int(np.flatnonzero(totals >= totals.max() - TIE_TOLERANCE_BITS)[0])


Lead = tuple[Choice, int, int]  # a choice, its intended winner, and a rival option
Pattern = list[tuple[Choice, int]]  # choices, each with its intended winner


class ChoiceTable:
    """The choices at candidate sets, each computed once per turn."""

    def __init__(self, cost: CostToGo, criterion: Criterion, budget: int) -> None:
        self.cost, self.criterion, self.budget = cost, criterion, budget
        self._computed: dict[tuple[int, bytes], Choice] = {}

    def at(self, members: Indices, turn: int) -> Choice:
        """Return the choice at a set of members, (n_members,) int32 ascending."""
        key = (turn, members.tobytes())
        if key not in self._computed:
            self._computed[key] = self._compute(members, turn)
        return self._computed[key]

    def of(self, sets: Sequence[Indices], turn: int) -> list[Choice]:
        """Return the choices at sets."""
        return [self.at(members, turn) for members in sets]

    def opened(self, opening: str) -> tuple[int, dict[int, Indices]]:
        """Return an opening's minimum total, and its cells of at least two by feedback id."""
        game = self.cost.game
        guess, secrets = game.guesses.index(opening), all_secrets(game)
        cells = {f: cell for f, cell in split(game, guess, secrets).items() if len(cell) > 1}
        return self.cost.after(guess, secrets, 1, INFEASIBLE), cells

    def cells(self, pattern: Pattern) -> list[tuple[int, Indices]]:
        """Return a pattern's cells of at least two, each with its feedback id."""
        return [
            (feedback, cell)
            for choice, option in pattern
            for feedback, cell in split(
                self.cost.game, int(choice.guesses[option]), choice.members
            ).items()
            if len(cell) > 1
        ]

    def below(self, pattern: Pattern) -> list[Choice]:
        """Return the next turn's choices after a pattern."""
        return self.of([cell for _, cell in self.cells(pattern)], pattern[0][0].turn + 1)

    def _compute(self, members: Indices, turn: int) -> Choice:
        cost = self.cost
        guesses, scores = distinct_options(cost.game, self.criterion, members)
        optimum = cost.of(members, turn)
        limit = optimum + self.budget + 1
        regrets = [min(cost.after(int(g), members, turn, limit), limit) - optimum for g in guesses]
        return Choice(turn, members, scores, guesses, np.array(regrets, dtype=np.int64))


def distinct_options(
    game: TableGame, criterion: Criterion, members: Indices
) -> tuple[Indices, Scores]:
    """Return each option's first guess in tie order, and scores (n_options, n_feedback)."""
    candidates = game.guess_of_secret[members]
    others = np.setdiff1d(np.arange(game.n_guesses), candidates)
    guesses = np.concatenate([candidates, others]).astype(np.int32)
    counts = count_table(game, members)[guesses]
    splits = counts.max(axis=1) < len(members)
    values = criterion.cell(np.arange(1.0, len(members) + 1), float(len(members)))
    scores = np.append(0.0, values)[counts[splits]] / len(members)
    _, first = np.unique(scores.round(12), axis=0, return_index=True)
    first.sort()
    return guesses[splits][first], scores[first]


class Programme:
    """Finds bounded weights under which a pattern wins, with only violated rows."""

    def __init__(self, n_feedback: int, low: float, high: float, effort: Effort) -> None:
        self._effort = effort
        self._highs = highspy.Highs()  # type: ignore[no-untyped-call]
        for option, value in (("output_flag", False), ("presolve", "off"), ("solver", "simplex")):
            self._highs.setOptionValue(option, value)
        for _ in range(n_feedback):
            self._highs.addVar(low, high)
        self._highs.addVar(-WIDEST, WIDEST)
        self._highs.changeColCost(n_feedback, -1.0)
        self._columns = np.arange(n_feedback + 1, dtype=np.int32)
        self._leads: list[Lead] = []

    @property
    def rows(self) -> int:
        """Return the number of rows."""
        return len(self._leads)

    def truncate(self, rows: int) -> None:
        """Drop all but the first rows."""
        if self.rows > rows:
            self._highs.deleteRows(self.rows - rows, np.arange(rows, self.rows, dtype=np.int32))
            del self._leads[rows:]

    def weights_for(self, pattern: Pattern, widest: bool = True) -> Scores | None:
        """Return weights under which options win by the widest margin, or any; None without any."""
        while True:
            self._highs.run()
            self._effort.programmes += 1
            values = np.array(self._highs.getSolution().col_value)
            weights, margin = values[:-1], float(values[-1])
            if margin < MARGIN_BITS:
                return None
            violated = False
            for choice, option in pattern:
                totals = choice.scores @ weights
                leads = totals[option] - totals
                leads[option] = np.inf
                rival = int(leads.argmin())
                if leads[rival] < (margin - FEASIBILITY if widest else MARGIN_BITS):
                    row = np.append(choice.scores[option] - choice.scores[rival], -1.0)
                    self._highs.addRow(0.0, highspy.kHighsInf, len(row), self._columns, row)
                    self._leads.append((choice, option, rival))
                    violated = True
            if not violated:
                return weights

    def refutation(self) -> list[tuple[Lead, float]]:
        """Return leads and their shares (duals) as proof, after `weights_for` returned None."""
        shares = np.abs(np.array(self._highs.getSolution().row_dual))
        pairs = zip(self._leads, (shares / shares.sum()).tolist(), strict=True)
        return [(lead, share) for lead, share in pairs if share > NO_SHARE]


class Winners:
    """Finds the winning options of several choices; those of choice c begin at starts[c]."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        sizes = [len(choice.regrets) for choice in choices]
        self._choices = choices
        self._choice_of = np.repeat(np.arange(len(choices)), sizes)
        self.scores = np.concatenate([choice.scores for choice in choices])
        self.regrets = np.concatenate([choice.regrets for choice in choices])
        self.starts = np.cumsum([0, *sizes])

    def under(self, weights: Scores) -> Pattern:
        """Return the pattern of winners, the first among tied options of each choice."""
        starts = self.starts[:-1]
        totals = np.einsum("of,f->o", self.scores, weights)  # on one thread, unlike `@`
        threshold = np.maximum.reduceat(totals, starts) - TIE_TOLERANCE_BITS
        tied = np.flatnonzero(totals >= threshold[self._choice_of])
        options = tied[np.searchsorted(tied, starts)] - starts
        return list(zip(self._choices, options.tolist(), strict=True))


def regret_of(pattern: Pattern) -> int:
    """Return a pattern's summed regret."""
    return sum(int(choice.regrets[option]) for choice, option in pattern)


@dataclass(frozen=True, eq=False)
class FeasiblePattern:
    """A pattern, and weights that realise it."""

    pattern: Pattern
    weights: Scores
    node: ProofNode = field(default_factory=dict)

    @property
    def regret(self) -> int:
        """Return the pattern's regret."""
        return regret_of(self.pattern)


@dataclass
class PatternSearch:
    """Depth-first search over options of choices that share a row of weights."""

    choices: Sequence[Choice]
    budget: int
    low: float
    high: float
    deadline: float = float("inf")
    effort: Effort = field(default_factory=Effort)
    proof: ProofNode = field(default_factory=dict)

    def __post_init__(self) -> None:
        n_feedback = self.choices[0].scores.shape[1]
        self._programme = Programme(n_feedback, self.low, self.high, self.effort)
        self._winners = Winners(self.choices)

    def find_all(self) -> list[FeasiblePattern]:
        """Return all patterns within the budget, by regret."""
        order = sorted(self.choices, key=lambda choice: len(choice.within(self.budget)[0]))
        return sorted(self._enumerate(order, [], self.proof), key=lambda one: one.regret)

    def _enumerate(
        self, order: list[Choice], pattern: Pattern, node: ProofNode
    ) -> Iterator[FeasiblePattern]:
        weights = self._weights(pattern, node)
        if weights is None:
            return
        if not order:
            yield FeasiblePattern(pattern, weights, node)
            return
        remaining, rows = self.budget - regret_of(pattern), self._programme.rows
        for option, child in _branch(order[0], remaining, weights, node):
            yield from self._enumerate(order[1:], [*pattern, (order[0], option)], child)
            self._programme.truncate(rows)

    def find_any(self) -> FeasiblePattern | None:
        """Return a pattern within the budget; None without one, or out of time."""
        return self._decide([], self.proof)

    def _decide(self, pattern: Pattern, node: ProofNode) -> FeasiblePattern | None:
        if time.monotonic() > self.deadline:
            self.effort.complete = False
            return None
        weights = self._weights(pattern, node)
        if weights is None:
            return None
        remaining, rows = self.budget - regret_of(pattern), self._programme.rows
        played, decided = self._winners.under(weights), {choice for choice, _ in pattern}
        with_regret = [
            (choice, option)
            for choice, option in played
            if choice not in decided and choice.regrets[option] > 0
        ]
        if regret_of(with_regret) <= remaining:
            return FeasiblePattern(played, weights)
        narrowest, _ = min(
            with_regret, key=lambda one: (len(one[0].within(remaining)[0]), -len(one[0].members))
        )
        for option, child in _branch(narrowest, remaining, weights, node):
            feasible = self._decide([*pattern, (narrowest, option)], child)
            self._programme.truncate(rows)
            if feasible is not None:
                return feasible
        return None

    def _weights(self, pattern: Pattern, node: ProofNode) -> Scores | None:
        self.effort.nodes += 1
        weights = self._programme.weights_for(pattern)
        if weights is None:
            node["rows"] = self._programme.refutation()
        return weights


def _branch(
    choice: Choice, remaining: int, weights: Scores, node: ProofNode
) -> list[tuple[int, ProofNode]]:
    options, rivals = choice.within(remaining)
    order = np.argsort(-(choice.scores[options] @ weights), kind="stable")
    children: dict[int, ProofNode] = {option: {} for option in options[order].tolist()}
    dominated: dict[int, ProofNode] = {
        option: {"rows": [((choice, option, rival), 1.0)]} for option, rival in rivals.items()
    }
    node["choice"], node["options"] = choice, children | dominated
    return list(children.items())
