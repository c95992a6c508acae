"""Choices at candidate sets, and the linear programmes that find weights which make them.

HiGHS solves the programmes. Only violated rows are added: a set has about a hundred options, few of
which come close to the intended winner.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import highspy
import numpy as np

from codebreaker.policies.criterion import TIE_TOLERANCE_BITS, Criterion
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.sets.partition import count_table, split
from codebreaker.types import Indices, Scores, Totals

MARGIN_BITS = 1e-5
"""The least lead over every rival, in bits, for an option to count as a winner."""

FEASIBILITY = 1e-6
"""How far below the margin a lead may be without counting as violated."""

WIDEST = 10.0
"""A bound on the margin, so that programmes without rows are bounded."""

NO_SHARE = 1e-12
"""Duals up to this are rounding errors of zero."""


@dataclass(frozen=True, eq=False)
class Choice:
    """A candidate set of at least two at a turn, with its distinct options in the tie order.

    `scores` (n_options, n_feedback) float64 holds each feedback's contribution to the score, in
    bits; an option's score is their weighted sum. `guesses` (n_options,) int32 holds the first
    guess of each option, and `regrets` (n_options,) int64 its cost above the optimum, capped at
    the budget + 1.
    """

    members: Indices
    scores: Scores
    guesses: Indices
    regrets: Totals
    _dominators: dict[int, int | None] = field(default_factory=dict)

    def dominator(self, option: int) -> int | None:
        """Return an option whose scores are nowhere lower and somewhere higher, if there is one."""
        if option not in self._dominators:
            scores, own = self.scores, self.scores[option]
            above = (scores >= own).all(axis=1) & (scores > own).any(axis=1)
            self._dominators[option] = int(above.argmax()) if above.any() else None
        return self._dominators[option]

    def winner(self, weights: Scores) -> int:
        """Return the index of the winning option under a row of weights, (n_feedback,)."""
        totals = self.scores @ weights
        return int(np.flatnonzero(totals >= totals.max() - TIE_TOLERANCE_BITS)[0])


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
        """Return the choices at the sets of at least two."""
        return [self.at(members, turn) for members in sets if len(members) > 1]

    def after(self, choice: Choice, option: int) -> list[tuple[int, Indices]]:
        """Return an option's cells of at least two, each with its feedback id."""
        cells = split(self.cost.game, int(choice.guesses[option]), choice.members)
        return [(feedback, cell) for feedback, cell in cells.items() if len(cell) > 1]

    def _compute(self, members: Indices, turn: int) -> Choice:
        game, cost = self.cost.game, self.cost
        candidates = game.guess_of_secret[members]
        others = np.setdiff1d(np.arange(game.n_guesses), candidates)
        guesses = np.concatenate([candidates, others]).astype(np.int32)
        counts = count_table(game, members)[guesses]
        splits = counts.max(axis=1) < len(members)
        values = self.criterion.cell(np.arange(1.0, len(members) + 1), float(len(members)))
        scores = np.append(0.0, values)[counts[splits]] / len(members)
        _, first = np.unique(scores.round(12), axis=0, return_index=True)
        first.sort()
        guesses, scores = guesses[splits][first], scores[first]
        optimum = cost.of(members, turn)
        limit = optimum + self.budget + 1
        regrets = [min(cost.after(int(g), members, turn, limit), limit) - optimum for g in guesses]
        return Choice(members, scores, guesses, np.array(regrets, dtype=np.int64))


Lead = tuple[Choice, int, int]
"""A choice, its intended winner, and a rival option."""

Pattern = list[tuple[Choice, int]]
"""Choices, each with its intended winner."""


class Programme:
    """Finds weights within bounds under which the options of a pattern win.

    Rows are kept from pattern to pattern until they are dropped.
    """

    def __init__(self, n_feedback: int, low: float, high: float) -> None:
        self._highs = highspy.Highs()  # type: ignore[no-untyped-call]
        self._highs.setOptionValue("output_flag", False)
        self._highs.setOptionValue("presolve", "off")
        self._highs.setOptionValue("solver", "simplex")
        for _ in range(n_feedback):
            self._highs.addVar(low, high)
        self._highs.addVar(-WIDEST, WIDEST)
        self._highs.changeColCost(n_feedback, -1.0)
        self._columns = np.arange(n_feedback + 1, dtype=np.int32)
        self._leads: list[Lead] = []
        self.solved = 0

    @property
    def rows(self) -> int:
        """Return the number of rows."""
        return len(self._leads)

    def truncate(self, rows: int) -> None:
        """Drop all but the first `rows` rows."""
        if self.rows > rows:
            self._highs.deleteRows(self.rows - rows, np.arange(rows, self.rows, dtype=np.int32))
            del self._leads[rows:]

    def weights_for(self, pattern: Pattern, widest: bool = True) -> Scores | None:
        """Return weights under which a pattern's options win, by the widest margin or by any.

        Return None if the widest margin is below MARGIN_BITS.
        """
        while True:
            weights, margin = self._solve()
            if margin < MARGIN_BITS:
                return None
            violated = False
            for choice, option in pattern:
                totals = choice.scores @ weights
                leads = totals[option] - totals
                leads[option] = np.inf
                rival = int(leads.argmin())
                if leads[rival] < (margin - FEASIBILITY if widest else MARGIN_BITS):
                    self._add(choice, option, rival)
                    violated = True
            if not violated:
                return weights

    def refutation(self) -> list[tuple[Lead, float]]:
        """Return leads with shares such that no weights bring their weighted sum to the margin.

        Valid after `weights_for` returned None; the shares are the duals of the programme.
        """
        shares = np.abs(np.array(self._highs.getSolution().row_dual))
        return [
            (lead, float(share))
            for lead, share in zip(self._leads, shares / shares.sum(), strict=True)
            if share > NO_SHARE
        ]

    def _add(self, choice: Choice, option: int, rival: int) -> None:
        row = np.append(choice.scores[option] - choice.scores[rival], -1.0)
        self._highs.addRow(0.0, highspy.kHighsInf, len(row), self._columns, row)
        self._leads.append((choice, option, rival))

    def _solve(self) -> tuple[Scores, float]:
        self._highs.run()
        self.solved += 1
        values = np.array(self._highs.getSolution().col_value)
        return values[:-1], float(values[-1])


class Winners:
    """Finds the options that win under a row of weights, for all of several choices at once."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        sizes = [len(choice.regrets) for choice in choices]
        self._choices = choices
        self._scores = np.concatenate([choice.scores for choice in choices])
        self._choice_of = np.repeat(np.arange(len(choices)), sizes)
        self._starts = np.cumsum([0, *sizes[:-1]])

    def under(self, weights: Scores) -> Pattern:
        """Return the pattern of the winning options: for each choice the first among tied ones."""
        totals = np.einsum("of,f->o", self._scores, weights)  # on one thread, unlike `@`
        least = np.maximum.reduceat(totals, self._starts) - TIE_TOLERANCE_BITS
        tied = np.flatnonzero(totals >= least[self._choice_of])
        places = np.searchsorted(tied, self._starts)
        options = tied[places] - self._starts
        return list(zip(self._choices, options.tolist(), strict=True))


def regret_of(pattern: Pattern) -> int:
    """Return the cost of a pattern above the optimum."""
    return sum(int(choice.regrets[option]) for choice, option in pattern)
