"""Zero-sum games of classes of secrets against trees, solved without rounding."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from codebreaker.games.model import TableGame
from codebreaker.games.symmetry import representatives_of_guesses
from codebreaker.trees.tree import GameTree
from codebreaker.types import Offsets

BigIntegers = NDArray[np.object_]
"""Python integers, which don't overflow."""


@dataclass(frozen=True)
class Classes:
    """The classes of a game's secrets: the first secret of each, its size, each secret's class."""

    labels: tuple[str, ...]
    sizes: tuple[int, ...]
    of_secret: Offsets

    def totals(self, game: TableGame, tree: GameTree) -> tuple[int, ...]:
        """Return a tree's total guesses by class."""
        from codebreaker.trees.grow import guesses_by_secret  # slow to import

        guesses = guesses_by_secret(game, tree)
        return tuple(int(guesses[self.of_secret == at].sum()) for at in range(len(self.sizes)))


def classes_of(game: TableGame) -> Classes:
    """Return the classes of secrets that the game's symmetries make equivalent."""
    representative = representatives_of_guesses(game, [])[game.guess_of_secret]
    first, of_secret, sizes = np.unique(representative, return_inverse=True, return_counts=True)
    labels = tuple(game.guesses[guess] for guess in first)
    return Classes(labels, tuple(sizes.tolist()), of_secret.astype(np.int64))


@dataclass(frozen=True)
class Balance:
    """Optimal mixed strategies and their value.

    The row player's probabilities are proportional to price · size. Each column times the prices is
    at least `level`.
    """

    value: Fraction
    prices: tuple[int, ...]
    level: int
    mixture: dict[int, Fraction]


class MatrixGame:
    """A zero-sum game to which columns, the minimiser's choices, are added.

    Rows are classes of secrets, columns the total guesses of a tree by class. With probabilities y
    of trees, the mean of a class is the sum of y · totals / size, and the value v is the lowest
    possible largest mean. With z = y / v this is a linear programme: maximise the sum of z ≥ 0 such
    that, for each class, the sum of z · totals is at most its size. The value is 1 / sum of z.

    The simplex method solves it in integers: the inverse of the basis is a matrix of integers over
    a common denominator, the determinant of the basis (Edmonds 1967), so that nothing is rounded.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        """Begin without columns: the basis is the slacks of the classes of these sizes."""
        self._sizes = np.array(sizes, dtype=object)
        self._columns: list[BigIntegers] = []
        self._basis = [-1 - row for row in range(len(sizes))]
        """The variable of each row of the inverse: a column, or −1 − class for a class's slack."""

        self._inverse: BigIntegers = np.eye(len(sizes), dtype=np.int64).astype(object)
        """The inverse of the basis times `_denominator`, (n_classes, n_classes)."""

        self._denominator = 1

    def add(self, totals: Sequence[int]) -> Balance:
        """Add a column of totals above 0, and return the optimal mixed strategies."""
        self._columns.append(np.array(totals, dtype=object))
        entering = self._entering()
        while entering is not None:
            self._pivot(entering)
            entering = self._entering()
        prices = self._prices()
        levels = self._inverse @ self._sizes
        # By duality, prices · sizes is the sum of z; both are times the denominator here.
        sum_of_z = int(prices @ self._sizes)
        return Balance(
            value=Fraction(self._denominator, sum_of_z),
            prices=tuple(int(price) for price in prices),
            level=self._denominator,
            mixture={
                j: Fraction(int(level), sum_of_z)
                for j, level in zip(self._basis, levels, strict=True)
                if j >= 0 and level
            },
        )

    def _prices(self) -> BigIntegers:
        """Return the dual values of the classes times the denominator, (n_classes,)."""
        objective = np.array([int(j >= 0) for j in self._basis], dtype=object)  # 1 for columns
        prices: BigIntegers = objective @ self._inverse
        return prices

    def _entering(self) -> int | None:
        """Return the column or slack with the largest reduced cost; None if none is above 0."""
        prices = self._prices()
        gains = {-1 - row: -price for row, price in enumerate(prices)}
        worth = np.array(self._columns) @ prices
        gains |= {j: self._denominator - total for j, total in enumerate(worth)}
        best = max(gains, key=gains.__getitem__)
        return best if gains[best] > 0 else None

    def _pivot(self, entering: int) -> None:
        """Bring a column into the basis; the lexicographic rule for ties prevents cycles."""
        inverse = self._inverse
        slack = entering < 0
        # 1. By how much each level of the basis falls for one unit of the entering column.
        by = inverse[:, -1 - entering].copy() if slack else inverse @ self._columns[entering]
        # 2. The first level that falls to 0 leaves. Ties go to the lexicographically first row.
        levels = inverse @ self._sizes
        leaving = min(
            (i for i in range(len(by)) if by[i] > 0),
            key=lambda i: [Fraction(int(x), int(by[i])) for x in (levels[i], *inverse[i])],
        )
        # 3. A step of Gaussian elimination without fractions: the division leaves no remainder, and
        #    by[leaving] is the new determinant.
        row = inverse[leaving].copy()
        self._inverse = (inverse * by[leaving] - np.outer(by, row)) // self._denominator
        self._inverse[leaving] = row
        self._basis[leaving] = entering
        self._denominator = by[leaving]
