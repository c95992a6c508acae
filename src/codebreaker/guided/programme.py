"""Linear programmes that ask whether one row of weights makes some options win, each by a margin.

They are solved by HiGHS. Only rows that are violated are ever added: a set has about a hundred
options, of which few come near the one that is to win.
"""

from collections.abc import Sequence

import highspy
import numpy as np

from codebreaker.guided.choices import Choice
from codebreaker.types import Scores

MARGIN_BITS = 1e-5
"""By how much a chosen option must lead every other for a choice to count as possible."""

FEASIBILITY = 1e-6
WIDEST = 10.0

NO_SHARE = 1e-12

Lead = tuple[Choice, int, int]
"""A choice, the option that is to win it, and a rival."""

Pattern = list[tuple[Choice, int]]
"""Choices with the option that is to win each."""


class Programme:
    """Weights between bounds under which a growing and shrinking list of options win."""

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
        """Return how many rows there are."""
        return len(self._leads)

    def forget(self, rows: int) -> None:
        """Drop all rows but the first so many."""
        if self.rows > rows:
            self._highs.deleteRows(self.rows - rows, np.arange(rows, self.rows, dtype=np.int32))
            del self._leads[rows:]

    def weights_for(self, pattern: Pattern) -> Scores | None:
        """Return weights under which the pattern's options win by the widest margin, or None.

        None where the widest margin is below MARGIN_BITS.
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
                if leads[rival] < margin - FEASIBILITY:
                    self._add(choice, option, rival)
                    violated = True
            if not violated:
                return weights

    def refutation(self) -> list[tuple[Lead, float]]:
        """Return leads and their shares, whose weighted sum no weights bring to the margin.

        To be asked when `weights_for` has just found none: the shares are the programme's duals.
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


def winners(choices: Sequence[Choice], weights: Scores) -> Pattern:
    """Return the options that a row of weights plays."""
    return [(choice, choice.winner(weights)) for choice in choices]


def regret_of(pattern: Pattern) -> int:
    """Return what a pattern costs above the optimum."""
    return sum(int(choice.regrets[option]) for choice, option in pattern)
