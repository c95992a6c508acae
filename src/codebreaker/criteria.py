"""Criteria: the rules that score a guess by the sizes of its partition's cells.

A criterion is a cell and a fold: `score = fold over the cells that are not empty of
weight[turn, feedback] · cell(count, total)`, and the guess with the highest score is played.
To add one, write its cell and register it here; it is then a policy of the same name, and every
invariant test runs on it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import floor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.errors import unknown
from codebreaker.types import Fold, GuessPool, Scores, TieBreak

Cell = Callable[[NDArray[np.float64], float], NDArray[np.float64]]
"""From the sizes of cells and the number of candidates to the values of the cells."""

FINEST_SCALE = 2**20
EXACT_BELOW = 2.0**53
"""Sums of integers below this are exact in float64, in any order."""

TIE_TOLERANCE_BITS = 1e-6
"""Entropies closer than this tie, as in the program published with Gür 2025."""


class Scales(NamedTuple):
    """What terms and weights are multiplied by before they are rounded to integers."""

    term: int
    weight: int


@dataclass(frozen=True)
class Criterion:
    """A named rule: its cell, its fold, its citation, and how a policy uses it by default.

    `integer` says that the cell's values are integers, so that only equal scores tie.
    `per_log_parts` divides the folded score by the logarithm of the number of parts.
    """

    name: str
    cell: Cell
    citation: str
    fold: Fold = "sum"
    integer: bool = True
    per_log_parts: bool = False
    guess_pool: GuessPool = "all"
    tie_break: TieBreak = "consistent then lexicographic"

    def scales(self, total: int, n_feedback: int, weighted: bool) -> Scales:
        """Return the powers of two that make terms and weights integers with exact sums.

        Without weights theirs is 1; where the sums would grow too large, integer terms take from
        the weights' precision and other terms give up their own.
        """
        weight = FINEST_SCALE if weighted else 1
        term = 1 if self.integer else FINEST_SCALE
        bound = self.largest_sum(total, n_feedback) + n_feedback
        while term * weight * bound >= EXACT_BELOW and term * weight > 1:
            if term > 1:
                term //= 2
            else:
                weight //= 2
        return Scales(term, weight)

    def largest_sum(self, total: int, n_feedback: int) -> float:
        """Bound the sum of |cell| over any partition of `total` into `n_feedback` cells.

        For every slope s the sum is at most s·total + n_feedback·max(|cell(c)| − s·c), because
        the sizes add up to the total; the slope at equal sizes makes it tight for a concave cell.
        """
        sizes = np.arange(1.0, total + 1)
        values = np.abs(self.cell(sizes, float(total)))
        middle = min(max(total // n_feedback, 1), total - 1) if total > 1 else 1
        slopes = [0.0]
        if total > 1:
            slopes.append(max(float(values[middle] - values[middle - 1]), 0.0))
        return min(
            slope * total + n_feedback * max(float((values - slope * sizes).max()), 0.0)
            for slope in slopes
        )

    def terms(self, total: int, scale: int) -> Scores:
        """Return the value of a cell of each size 0 to `total`, (total + 1,) exact integers.

        An empty cell changes no score: its value is 0 for sums, infinity for minima.
        A cell that holds all of several candidates is worth minus infinity: a guess that splits
        nothing is never played while another splits.
        """
        terms = np.full(total + 1, np.inf if self.fold == "min" else 0.0)
        terms[1:] = np.round(scale * self.cell(np.arange(1.0, total + 1), float(total)))
        if total > 1:
            terms[total] = -np.inf
        return terms

    def tolerance(self, total: int, scales: Scales) -> float:
        """Return how far below the best score a guess still ties, in units of the score."""
        if self.integer:
            return 0.0
        return float(floor(TIE_TOLERANCE_BITS * total * scales.term) * scales.weight)


def _nothing(count: NDArray[np.float64], total: float) -> NDArray[np.float64]:
    return np.zeros_like(count)


def _largest(count: NDArray[np.float64], total: float) -> NDArray[np.float64]:
    return -count


def _square(count: NDArray[np.float64], total: float) -> NDArray[np.float64]:
    return -count * count


def _information(count: NDArray[np.float64], total: float) -> NDArray[np.float64]:
    return count * np.log2(total / count)


def _one(count: NDArray[np.float64], total: float) -> NDArray[np.float64]:
    return np.ones_like(count)


_REGISTERED = (
    Criterion(
        "first-consistent",
        _nothing,
        "Shapiro 1983, the 'Simple' strategy of Kooi 2005, section 2.1",
        guess_pool="consistent",
        tie_break="lexicographic",
    ),
    Criterion("worst-case", _largest, "Knuth 1977; Kooi 2005, section 2.3", fold="min"),
    Criterion("expected-size", _square, "Irving 1979; Kooi 2005, section 2.4"),
    Criterion("entropy", _information, "Neuwirth 1982; Kooi 2005, section 2.5", integer=False),
    Criterion("most-parts", _one, "Kooi 2005, section 3"),
    Criterion(
        "entropy-base-parts",
        _information,
        "Kooi 2005, section 5: the logarithm's base is the number of parts",
        integer=False,
        per_log_parts=True,
    ),
)

CRITERIA: dict[str, Criterion] = {criterion.name: criterion for criterion in _REGISTERED}
"""Every criterion by its name."""


def criterion(name: str) -> Criterion:
    """Return the criterion called `name`; raise `CodebreakerError` if there is none."""
    if name not in CRITERIA:
        raise unknown("criterion", name, CRITERIA)
    return CRITERIA[name]
