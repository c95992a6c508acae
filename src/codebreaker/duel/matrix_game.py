"""Zero-sum games of two players by the simplex method in whole numbers.

Columns are the minimiser's choices. They may be too many to list: whoever solves the game is asked
for one that is better against the maximiser's present prices, until there is none. The inverse of
the basis is kept as whole numbers over a common denominator (Edmonds 1967).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.object_]
"""Whole numbers of any size."""


@dataclass(frozen=True)
class Balance:
    """The best chances of both players in the game of the columns so far, and its value.

    `prices`, by row, times a column are at least the `level`; the maximiser's chances of a row are
    its price times its size, in proportion. `mixture` has the columns' chances above 0, by index.
    """

    value: Fraction
    prices: tuple[int, ...]
    level: int
    mixture: dict[int, Fraction]


class MatrixGame:
    """A game to which columns are added; each costs a total by row, whose mean over `sizes` counts.

    It maximises the sum of z ≥ 0 for which the columns, with these factors, are at most the sizes;
    the value is one over the sum. The basis is a list of columns, or −1 − row for slacks.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self._sizes = np.array(sizes, dtype=object)
        self._columns: list[Whole] = []
        self._basis = [-1 - row for row in range(len(sizes))]
        self._inverse: Whole = np.array(
            [[int(i == j) for j in range(len(sizes))] for i in range(len(sizes))], dtype=object
        )
        self._denominator = 1

    def add(self, totals: Sequence[int]) -> Balance:
        """Add a column of totals above 0, and return the best chances."""
        self._columns.append(np.array(totals, dtype=object))
        while (entering := self._entering()) is not None:
            self._pivot(entering)
        prices, levels = self._prices(), self._inverse @ self._sizes
        whole = int(prices @ self._sizes)
        return Balance(
            value=Fraction(self._denominator, whole),
            prices=tuple(int(price) for price in prices),
            level=self._denominator,
            mixture={
                j: Fraction(int(level), whole)
                for j, level in zip(self._basis, levels, strict=True)
                if j >= 0 and level
            },
        )

    def _prices(self) -> Whole:
        """Return the dual of each row, times the denominator."""
        prices: Whole = np.array([int(j >= 0) for j in self._basis], dtype=object) @ self._inverse
        return prices

    def _entering(self) -> int | None:
        """Return the slack or the column that improves most, None if none does."""
        prices = self._prices()
        gains = {-1 - row: -price for row, price in enumerate(prices)}
        worth = np.array(self._columns) @ prices
        gains |= {j: self._denominator - one for j, one in enumerate(worth)}
        best = max(gains, key=lambda j: gains[j])
        return best if gains[best] > 0 else None

    def _pivot(self, entering: int) -> None:
        """Bring a column into the basis; ties leave by the lexicographic rule, so none cycles."""
        inverse = self._inverse
        slack = entering < 0
        change = inverse[:, -1 - entering] if slack else inverse @ self._columns[entering]
        levels, by = inverse @ self._sizes, change.copy()
        leaving = min(
            (i for i in range(len(by)) if by[i] > 0),
            key=lambda i: [Fraction(int(x), int(by[i])) for x in (levels[i], *inverse[i])],
        )
        row = inverse[leaving].copy()
        self._inverse = (inverse * by[leaving] - np.outer(by, row)) // self._denominator
        self._inverse[leaving] = row
        self._basis[leaving], self._denominator = entering, by[leaving]
