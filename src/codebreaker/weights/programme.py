"""Linear programmes that find whether one row of weights lets given options win by a margin.

HiGHS solves them. Only violated rows are added: a set has about a hundred options, few of which
come close to the intended winner.
"""

from collections.abc import Sequence

import highspy
import numpy as np

from codebreaker.policies.criterion import TIE_TOLERANCE_BITS
from codebreaker.types import Scores
from codebreaker.weights.guided_choices import Choice

MARGIN_BITS = 1e-5
"""The least lead over every rival, in bits, for an option to count as a winner."""

FEASIBILITY = 1e-6
"""How far below the margin a lead may be without counting as violated."""

WIDEST = 10.0
"""A bound on the margin, so that programmes without rows are bounded."""

NO_SHARE = 1e-12
"""Duals up to this are rounding errors of zero."""

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
