"""Choices at candidate sets, and the patterns of choices that one row of weights can make.

A pattern has the winning option of each of several choices that share a row of weights, and its
regret is the sum of theirs. Whether some row realises a pattern is a linear programme: the winner's
weighted entropy (Gür 2025, equation 1, linear in the weights) must lead every rival's by a margin
(decision 8). The margin says how ties count:

- To find weights, a winner has to lead by more than the tolerance of ties: it is played, whatever
  the order of guesses (`CLEAR_LEAD_BITS`).
- To prove a bound, the margin is negative: a winner may be a little behind. Every option that a
  strategy can play is then a winner, however it decides ties, so the bound covers weights with
  ties, too (`PROOF_MARGIN_BITS`).
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import highspy
import numpy as np

from codebreaker.games.model import TableGame
from codebreaker.policies.criterion import TIE_TOLERANCE_BITS, Criterion
from codebreaker.proofs.settings import BEHIND_BITS
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.sets.partition import all_secrets, count_table, split
from codebreaker.types import Indices, Offsets, Scores, Totals

CLEAR_LEAD_BITS = TIE_TOLERANCE_BITS
"""The smallest lead over every rival, in bits, with which an option is played: no ties."""

PROOF_MARGIN_BITS = -(BEHIND_BITS + 1e-6)
"""The margin of searches for a proof: a little below that of the proof itself.

So that a refutation holds in the checker, in spite of the solver's tolerance, 1e-7, and of shares
with nine decimals.
"""

FEASIBILITY = 5e-7
"""How far below the margin, in bits, a lead may be before its row is added to a programme."""

NO_SHARE = 1e-9
"""Duals up to this are left out of a refutation: without them it still holds."""

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
    _within: dict[tuple[int, float, float, float], tuple[Offsets, dict[int, int]]] = field(
        default_factory=dict
    )

    def within(
        self, budget: int, low: float, high: float, margin: float
    ) -> tuple[Offsets, dict[int, int]]:
        """Return the affordable undominated options, and a dominating one for each other.

        A dominated option never wins: under all weights from `low` to `high`, another option leads
        so far that this one doesn't reach the margin against it.
        """
        key = (budget, low, high, margin)
        if key not in self._within:
            # By option: one that dominates it.
            dominated = dict[int, int]()
            options = np.flatnonzero(self.regrets <= budget)
            for option in options.tolist():
                ahead = self.scores[option] - self.scores
                best_leads = np.maximum(low * ahead, high * ahead).sum(axis=1)
                best_leads[option] = np.inf
                if best_leads.min() < margin:
                    dominated[option] = int(best_leads.argmin())
            self._within[key] = np.setdiff1d(options, list(dominated)), dominated
        return self._within[key]

    def winner(self, weights: Scores) -> int:
        """Return the index of the winning option under a row of weights, (n_feedback,)."""
        totals = self.scores @ weights
        return int(np.flatnonzero(totals >= totals.max() - TIE_TOLERANCE_BITS)[0])


Lead = tuple[Choice, int, int]  # a choice, its intended winner, and a rival option
Pattern = list[tuple[Choice, int]]  # choices, each with its intended winner


class ChoiceTable:
    """The choices at candidate sets, each computed once per turn."""

    def __init__(self, cost: CostToGo, criterion: Criterion, budget: int) -> None:
        """Prepare to compute choices; regrets above the budget count as budget + 1."""
        self.cost = cost
        self.criterion = criterion
        self.budget = budget
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
        guess = game.guesses.index(opening)
        secrets = all_secrets(game)
        cells = {f: cell for f, cell in split(game, guess, secrets).items() if len(cell) > 1}
        return self.cost.after(guess, secrets, 1, self.cost.no_limit), cells

    def cells(self, pattern: Pattern) -> list[tuple[int, Indices]]:
        """Return a pattern's cells of at least two, each with its feedback id."""
        game = self.cost.game
        cells: list[tuple[int, Indices]] = []
        for choice, option in pattern:
            parts = split(game, int(choice.guesses[option]), choice.members)
            cells += [(feedback, cell) for feedback, cell in parts.items() if len(cell) > 1]
        return cells

    def below(self, pattern: Pattern) -> list[Choice]:
        """Return the next turn's choices after a pattern."""
        return self.of([cell for _, cell in self.cells(pattern)], pattern[0][0].turn + 1)

    def _compute(self, members: Indices, turn: int) -> Choice:
        """Compute the options' regrets: their minimum totals above the set's.

        The guesses of an option have equal scores in all cells, but may differ in total. No weights
        tell them apart, and the first in tie order is played: its total counts.
        """
        cost = self.cost
        guesses, scores = distinct_options(cost.game, self.criterion, members)
        optimum = cost.of(members, turn)
        limit = optimum + self.budget + 1
        regrets = [min(cost.after(int(g), members, turn, limit), limit) - optimum for g in guesses]
        return Choice(turn, members, scores, guesses, np.array(regrets, dtype=np.int64))


def distinct_options(
    game: TableGame, criterion: Criterion, members: Indices
) -> tuple[Indices, Scores]:
    """Return each option's first guess in tie order, (n_options,), and its cells' scores.

    The scores are (n_options, n_feedback), in bits for entropies; an option's score under weights
    is their product. Guesses with equal scores in all cells are one option.
    """
    # 1. Order the guesses: candidates first.
    candidates = game.guess_of_secret[members]
    others = np.setdiff1d(np.arange(game.n_guesses), candidates)
    guesses = np.concatenate([candidates, others]).astype(np.int32)
    # 2. Score the cells of guesses that split the set.
    counts = count_table(game, members)[guesses]
    splits = counts.max(axis=1) < len(members)
    values = criterion.cell(np.arange(1.0, len(members) + 1), float(len(members)))
    scores = np.append(0.0, values)[counts[splits]] / len(members)
    # 3. Keep the first guess of each row of scores.
    _, first = np.unique(scores.round(12), axis=0, return_index=True)
    first.sort()
    return guesses[splits][first], scores[first]


class Programme:
    """Finds weights from `low` to `high` under which a pattern wins, by cutting planes.

    The linear programme maximises the margin: the smallest lead of a winner over a rival. Its
    variables are the weights and the margin, and a row says that one lead is at least the margin.
    Of all leads only those that a solution violated have rows. So the programme is a relaxation: if
    its widest margin is below the one that is needed, no weights realise the pattern, whatever the
    other leads are; and a solution that violates no lead realises it.
    """

    def __init__(
        self, n_feedback: int, low: float, high: float, margin: float, effort: Effort
    ) -> None:
        """Begin without rows; `margin` is needed, and `effort` counts the programmes solved."""
        self.margin = margin
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
        """Return weights under which a pattern wins, or None if there are none.

        They win by the widest margin, or if not `widest`, by the needed one at least.
        """
        while True:
            self._highs.run()
            self._effort.programmes += 1
            values = np.array(self._highs.getSolution().col_value)
            weights = values[:-1]
            widest_margin = float(values[-1])
            # The rows are some of those needed: if these can't hold, all can't.
            if widest_margin < self.margin:
                return None
            # Add the most violated row of each choice, if any.
            violated = False
            for choice, option in pattern:
                totals = choice.scores @ weights
                leads = totals[option] - totals
                leads[option] = np.inf
                rival = int(leads.argmin())
                if leads[rival] < (widest_margin if widest else self.margin) - FEASIBILITY:
                    row = np.append(choice.scores[option] - choice.scores[rival], -1.0)
                    self._highs.addRow(0.0, highspy.kHighsInf, len(row), self._columns, row)
                    self._leads.append((choice, option, rival))
                    violated = True
            if not violated:
                return weights

    def refutation(self) -> list[tuple[Lead, float]]:
        """Return leads and their shares as proof, after `weights_for` returned None.

        The shares are the rows' duals and add up to 1, because the margin has the coefficient −1 in
        every row and a cost of −1. By duality the mean of the leads with these shares, maximised
        over the weights within the bounds, is the margin that was found. This is below the needed
        one, so that not all leads can reach it.
        """
        shares = np.abs(np.array(self._highs.getSolution().row_dual))
        pairs = zip(self._leads, (shares / shares.sum()).tolist(), strict=True)
        return [(lead, share) for lead, share in pairs if share > NO_SHARE]


class Winners:
    """Finds the winning options of several choices under a row of weights.

    The options of all choices are in one array, those of choice c from starts[c] on: `scores`
    (n_options, n_feedback) float64 in bits, `regrets` (n_options,) int64.
    """

    def __init__(self, choices: Sequence[Choice]) -> None:
        """Join the options of choices."""
        sizes = [len(choice.regrets) for choice in choices]
        self._choices = choices
        self._choice_of = np.repeat(np.arange(len(choices)), sizes)
        self.scores = np.concatenate([choice.scores for choice in choices])
        self.regrets = np.concatenate([choice.regrets for choice in choices])
        self.starts = np.cumsum([0, *sizes])

    def under(self, weights: Scores) -> Pattern:
        """Return the pattern of winners, the first among tied options of each choice."""
        # The first tied option of each choice: the first index in `tied` from its start on.
        starts = self.starts[:-1]
        totals = np.einsum("of,f->o", self.scores, weights)  # on one thread, unlike `@`
        threshold = np.maximum.reduceat(totals, starts) - TIE_TOLERANCE_BITS
        tied = np.flatnonzero(totals >= threshold[self._choice_of])
        options = tied[np.searchsorted(tied, starts)] - starts
        return list(zip(self._choices, options.tolist(), strict=True))


def pattern_regret(pattern: Pattern) -> int:
    """Return a pattern's summed regret."""
    return sum(int(choice.regrets[option]) for choice, option in pattern)


@dataclass(frozen=True, eq=False)
class FeasiblePattern:
    """A pattern, and weights that realise it: by the margin of the search."""

    pattern: Pattern
    weights: Scores
    node: ProofNode = field(default_factory=dict)

    @property
    def regret(self) -> int:
        """Return the pattern's regret."""
        return pattern_regret(self.pattern)

    @property
    def is_played(self) -> bool:
        """Return whether the weights play the pattern, instead of others that tie with it."""
        return all(choice.winner(self.weights) == option for choice, option in self.pattern)


@dataclass
class PatternSearch:
    """Depth-first search for patterns of choices that share a row of weights.

    A node has fixed the options of some choices; its programme keeps the rows of its parents. Three
    cuts lose no pattern within the budget: regrets are not negative, so a pattern beyond it stays
    beyond it; if no weights realise the options fixed so far, none realise more of them; and a
    dominated option never wins (`Choice.within`). `margin` is that of winners.
    """

    choices: Sequence[Choice]
    budget: int
    low: float
    high: float
    margin: float
    deadline: float = float("inf")
    effort: Effort = field(default_factory=Effort)
    proof: ProofNode = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Prepare the programme and the arrays of options."""
        n_feedback = self.choices[0].scores.shape[1]
        self._programme = Programme(n_feedback, self.low, self.high, self.margin, self.effort)
        self._winners = Winners(self.choices)

    def find_all(self) -> list[FeasiblePattern]:
        """Return all patterns within the budget, by regret."""
        order = sorted(self.choices, key=lambda choice: len(self._within(choice, self.budget)[0]))
        patterns = self._enumerate(order, [], self.proof)
        return sorted(patterns, key=lambda feasible: feasible.regret)

    def _enumerate(
        self, order: list[Choice], pattern: Pattern, node: ProofNode
    ) -> Iterator[FeasiblePattern]:
        """Yield the feasible patterns that extend one by options of the choices in `order`."""
        weights = self._weights(pattern, node)
        if weights is None:
            return
        if not order:
            yield FeasiblePattern(pattern, weights, node)
            return
        # Choices with few affordable options come first, so that the tree of nodes stays narrow.
        remaining = self.budget - pattern_regret(pattern)
        rows = self._programme.rows
        for option, child in self._branch(order[0], remaining, weights, node):
            yield from self._enumerate(order[1:], [*pattern, (order[0], option)], child)
            self._programme.truncate(rows)

    def find_any(self) -> FeasiblePattern | None:
        """Return a pattern within the budget; None without one, or out of time."""
        return self._decide([], self.proof)

    def _decide(self, pattern: Pattern, node: ProofNode) -> FeasiblePattern | None:
        """Return a feasible pattern that extends one, or None."""
        if time.monotonic() > self.deadline:
            self.effort.complete = False
            return None
        weights = self._weights(pattern, node)
        if weights is None:
            return None
        remaining = self.budget - pattern_regret(pattern)
        rows = self._programme.rows
        # 1. What do these weights play at all choices? That may be a solution. If not, some choice
        #    that isn't fixed has regret here, and fixing it to other options is all that can help.
        played = self._winners.under(weights)
        decided = {choice for choice, _ in pattern}
        with_regret = [
            (choice, option)
            for choice, option in played
            if choice not in decided and choice.regrets[option] > 0
        ]
        if pattern_regret(with_regret) <= remaining:
            others = [(choice, option) for choice, option in played if choice not in decided]
            return FeasiblePattern([*pattern, *others], weights)

        # 2. Otherwise fix the option of one of the choices with regret: of the one with the fewest
        #    affordable options, and of these of the largest set.
        def breadth(item: tuple[Choice, int]) -> tuple[int, int]:
            """Return the key of a choice: the smallest is fixed."""
            choice, _ = item
            return len(self._within(choice, remaining)[0]), -len(choice.members)

        narrowest, _ = min(with_regret, key=breadth)
        for option, child in self._branch(narrowest, remaining, weights, node):
            feasible = self._decide([*pattern, (narrowest, option)], child)
            self._programme.truncate(rows)
            if feasible is not None:
                return feasible
        return None

    def _weights(self, pattern: Pattern, node: ProofNode) -> Scores | None:
        """Return weights that realise a pattern; if there are none, put the proof into the node."""
        self.effort.nodes += 1
        weights = self._programme.weights_for(pattern)
        if weights is None:
            node["rows"] = self._programme.refutation()
        return weights

    def _within(self, choice: Choice, budget: int) -> tuple[Offsets, dict[int, int]]:
        """Return a choice's affordable undominated options, and a dominating one for each other."""
        return choice.within(budget, self.low, self.high, self.margin)

    def _branch(
        self, choice: Choice, remaining: int, weights: Scores, node: ProofNode
    ) -> list[tuple[int, ProofNode]]:
        """Return the affordable options of a choice, best under `weights` first, each with a node.

        The node of the choice also gets nodes for dominated options, refuted by one lead each.
        """
        options, rivals = self._within(choice, remaining)
        order = np.argsort(-(choice.scores[options] @ weights), kind="stable")
        children: dict[int, ProofNode] = {option: {} for option in options[order].tolist()}
        dominated: dict[int, ProofNode] = {
            option: {"rows": [((choice, option, rival), 1.0)]} for option, rival in rivals.items()
        }
        node["choice"] = choice
        node["options"] = children | dominated
        return list(children.items())
