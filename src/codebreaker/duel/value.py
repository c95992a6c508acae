"""The value of a zero-sum game, secrets against trees (Kooi 2005), by column generation."""

import json
import logging
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from pathlib import Path

import numpy as np

from codebreaker.constants import LARGEST_SUM, VERSION
from codebreaker.duel.matrix import Balance, Classes, MatrixGame, classes_of
from codebreaker.errors import CodebreakerError
from codebreaker.files import write_text
from codebreaker.games.model import TableGame
from codebreaker.search.weighted import WeightedSearch
from codebreaker.trees.tree import GameTree, nested
from codebreaker.types import Offsets

log = logging.getLogger("codebreaker")

FINE = 2**30
"""The largest of the rounded weights of classes in the search for trees."""

SHARES = (0.8, 0.0)
"""Shares of the centre in smoothed prices, tried in turn; 0 for the present prices alone."""


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
