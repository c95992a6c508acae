"""The value of a zero-sum game, secrets against trees (Kooi 2005), by column generation."""

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from codebreaker.constants import LARGEST_SUM, VERSION
from codebreaker.errors import CodebreakerError
from codebreaker.files import write_text
from codebreaker.games.model import TableGame
from codebreaker.games.symmetry import representatives_of_guesses
from codebreaker.search.weighted import WeightedSearch
from codebreaker.trees.grow import guesses_by_secret
from codebreaker.trees.tree import GameTree, nested
from codebreaker.types import Offsets

log = logging.getLogger("codebreaker")

FINE = 2**30
"""The largest of the rounded weights of classes in the search for trees."""

SHARES = (0.8, 0.0)
"""Shares of the centre in smoothed prices, tried in turn; 0 for the present prices alone."""

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


@dataclass(frozen=True)
class Value:
    """A game's value with both mixed strategies: `weights` by class, and trees' probabilities."""

    value: Fraction
    classes: Classes
    weights: tuple[int, ...]
    trees: tuple[tuple[GameTree, tuple[int, ...], Fraction], ...]
    tried: int
    optimum: int


def find_value(game: TableGame, memo_mib: float = 256.0) -> Value:
    """Return a game's value; raise `CodebreakerError` if its proof needs too large weights."""
    # Column generation: start with an optimal tree, and add trees that beat the best mixture of
    # those so far, until the search proves that no tree does.
    classes = classes_of(game)
    pricing = _Pricing(game, classes, memo_mib)
    matrix = MatrixGame(classes.sizes)
    trees: list[GameTree] = []
    equal = WeightedSearch(game, np.ones(game.n_secrets, dtype=np.int64), memo_mib)
    optimum, opening = equal.minimum()
    tree: GameTree | None = equal.tree(opening)
    while tree is not None:
        trees.append(tree)
        balance = matrix.add(classes.totals(game, tree))
        log.info("%s: %d trees, value at most %.6f", game.name, len(trees), balance.value)
        tree = pricing.better(balance)
    common = gcd(*balance.prices)
    return Value(
        value=balance.value,
        classes=classes,
        weights=tuple(price // common for price in balance.prices),
        trees=tuple(
            (trees[at], classes.totals(game, trees[at]), probability)
            for at, probability in sorted(balance.mixture.items())
        ),
        tried=len(trees),
        optimum=optimum,
    )


class _Pricing:
    """Finds trees that beat a mixture, with smoothed prices (Wentges 1997).

    A tree beats a mixture if its total at the mixture's prices is below `Balance.level`. Prices
    change a lot from mixture to mixture. Smoothed prices lie between the present ones and the
    centre, the prices of the best lower bound so far: they need fewer steps.
    """

    def __init__(self, game: TableGame, classes: Classes, memo_mib: float) -> None:
        """Begin with the uniform prior as the centre."""
        self._game = game
        self._classes = classes
        self._memo_mib = memo_mib
        self._sizes = np.array(classes.sizes)
        self._centre = self._sizes / game.n_secrets
        """Probabilities of the classes, (n_classes,), that give the best lower bound so far."""

        self._most = 0.0
        """The best lower bound on the value so far."""

    def better(self, balance: Balance) -> GameTree | None:
        """Return a tree that beats a mixture, or None if it is proven that no tree does."""
        # 1. Prices in floating point, as integer weights: quick, but rounding may hide a tree.
        prices = np.array([float(Fraction(price, balance.level)) for price in balance.prices])
        probabilities = prices * self._sizes * float(balance.value)
        for share in SHARES:
            tried = share * self._centre + (1 - share) * probabilities
            prices = tried / self._sizes
            weights = np.maximum(np.rint(prices / prices.max() * FINE), 1).astype(np.int64)
            search = self._search(weights)
            mass = int(weights @ self._sizes)
            # A mixture of the trees so far attains the value of their game against any weights.
            total, opening = search.minimum(int(balance.value * mass) + 1)
            # The minimum mean against fixed probabilities of the classes is a lower bound.
            if total / mass > self._most:
                self._centre = tried
                self._most = total / mass
            tree = search.tree(opening)
            totals = self._classes.totals(self._game, tree)
            if sum(map(int.__mul__, balance.prices, totals)) < balance.level:
                return tree
        # 2. Exact prices: the proof, or an error if rounding did hide a tree.
        common = gcd(balance.level, *balance.prices)
        exact = np.array([price // common for price in balance.prices], dtype=object)
        if exact @ self._sizes > LARGEST_SUM:
            raise CodebreakerError(
                f"the value of {self._game.name} needs weights up to {max(exact):,}, which are too "
                "large to prove"
            )
        search = self._search(exact.astype(np.int64))
        if search.minimum(balance.level // common)[1] >= 0:
            raise CodebreakerError(f"a better tree of {self._game.name} is lost in rounding")
        return None

    def _search(self, weights: Offsets) -> WeightedSearch:
        """Return a search with weights by class."""
        return WeightedSearch(self._game, weights[self._classes.of_secret], self._memo_mib)


def write_value(game: TableGame, value: Value, path: str | Path) -> None:
    """Write a value with its proof as JSON; the same value writes the same bytes.

    `value` and `probability`, a tree's probability, are fractions. `weight` is of each secret of a
    class, `minimum` the minimum total with these weights. `totals` are by class, trees nested by
    feedback; `words` are the secrets of a game whose name doesn't determine them.
    """
    classes = [
        {"first": label, "size": size, "weight": weight}
        for label, size, weight in zip(
            value.classes.labels, value.classes.sizes, value.weights, strict=True
        )
    ]
    mass = sum(map(int.__mul__, value.classes.sizes, value.weights))
    certificate = {
        "game": game.name,
        "secrets": game.n_secrets,
        "value": str(value.value),
        "minimum": int(value.value * mass),
        "optimum": value.optimum,
        "tried": value.tried,
        "codebreaker": VERSION,
        "words": None if game.symmetry else game.secrets,
        "classes": classes,
        "trees": [
            {"probability": str(probability), "totals": totals, "tree": nested(game, tree)}
            for tree, totals, probability in value.trees
        ],
    }
    write_text(path, json.dumps(certificate, indent=0, ensure_ascii=False))
