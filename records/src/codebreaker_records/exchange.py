"""A lower largest class mean, by exchanging the trees of a tree's parts (decision 30).

For games in which trees can't be listed as in `within_budgets`. The first guesses of a tree stay.
Each set that they leave, a part, gets one of several trees, and the choice of one tree for each
part is an integer programme. Without its integrality it is a linear programme:

    minimise v such that, for each class, fixed + sum of x · totals ≤ v · size,
    and for each part the sum of x over its trees is 1; x ≥ 0.

`fixed` are the guesses before the parts, `totals` those of a part's tree, both by class. Trees are
added by column generation (Gilmore and Gomory 1961). The duals of the classes are probabilities q
that add up to 1. A part's tree of minimum total with the weight q / size for each secret of a class
has the lowest reduced cost: if no part has such a tree that is new, the linear programme is solved.
The integer programme then chooses among the trees so far. So the result need not be the minimum.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

import highspy
import numpy as np

from codebreaker.duel.matrix import Classes
from codebreaker.games.model import TableGame
from codebreaker.search.weighted import WeightedSearch
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import levels, make_tree, walk
from codebreaker.trees.tree import GameTree
from codebreaker.types import Indices, Offsets, Scores

log = logging.getLogger("codebreaker")

TURN = 3
"""The turn of the parts whose trees are exchanged: small sets, but many."""

SHARES = (0.8, 0.65, 0.5, 0.35)
"""Shares of the uniform prior in the probabilities of the classes, tried in turn.

With the duals alone whole classes have no weight, and the search for a tree takes long.
"""

FINE = 2**16
"""The largest weight of a secret in these searches."""

MOST_ROUNDS = 24
"""Maximum number of weights for which trees are searched."""

MOST_NODES = 100_000
"""Maximum number of nodes in the search of the integer programme."""

Guesses = dict[bytes, int]
"""The guess at each set of a tree, by the bytes of its members."""


@dataclass(frozen=True, eq=False)
class Part:
    """A set after a tree's first guesses, and trees of it by their totals by class."""

    members: Indices
    trees: dict[tuple[int, ...], Guesses] = field(default_factory=dict)


def exchange_parts(
    game: TableGame, classes: Classes, tree: GameTree, guess_limit: int | None
) -> GameTree:
    """Return a tree with the same guesses before TURN, and a largest class mean as low or lower.

    The tree needs at most `guess_limit` guesses, as the given one must.
    """
    exchange = _Exchange(game, classes, tree, guess_limit)
    uniform = np.array(classes.sizes) / game.n_secrets
    duals = uniform
    rounds_without = 0
    for number in range(MOST_ROUNDS):
        # 1. Trees for weights between the duals and the uniform prior.
        share = SHARES[number % len(SHARES)]
        n_added = exchange.add_trees(share * uniform + (1 - share) * duals)
        # 2. The linear programme with them, which gives other duals.
        lowest, duals = exchange.relaxed()
        log.info("%s: %d trees added, mean %.6f in the relaxation", game.name, n_added, lowest)
        # 3. If no share gives a new tree, more rounds with these duals won't either.
        rounds_without = 0 if n_added else rounds_without + 1
        if rounds_without == len(SHARES):
            break
    # The integer programme is solved up to a small gap, so that its tree might even be worse.
    return min(tree, exchange.best(), key=lambda either: _worst(game, classes, either))


def _worst(game: TableGame, classes: Classes, tree: GameTree) -> Fraction:
    """Return the largest class mean of a tree."""
    return max(map(Fraction, classes.totals(game, tree), classes.sizes))


class _Exchange:
    """The parts of a tree with their trees so far, and the programmes that choose among them."""

    def __init__(
        self, game: TableGame, classes: Classes, tree: GameTree, guess_limit: int | None
    ) -> None:
        """Begin with the tree's own trees of the parts."""
        self._game = game
        self._classes = classes
        self._sizes = np.array(classes.sizes, dtype=float)
        self._guess_limit = guess_limit
        self._fixed = np.zeros(len(classes.sizes), dtype=np.int64)
        """Guesses before TURN, by class."""

        self._parts: list[Part] = []
        self._guess_of: Guesses = {}
        """The guesses of the given tree."""

        for level in walk(game, tree):
            for cell, guess in zip(level.frontier.cells, level.guesses.tolist(), strict=True):
                self._guess_of[cell.tobytes()] = guess
            if level.frontier.turn < TURN:
                self._fixed += self._by_class(level.frontier.sets.members)
            elif level.frontier.turn == TURN:
                self._parts = [Part(cell) for cell in level.frontier.cells]
        for part in self._parts:
            self._add(part, lambda cell: self._guess_of[cell.tobytes()])

    def add_trees(self, probabilities: Scores) -> int:
        """Add each part's tree of minimum total for probabilities of the classes, (n_classes,).

        Return how many are new. A tree that needs more guesses than the limit is left out.
        """
        prices = probabilities / self._sizes
        weights = np.maximum(np.rint(prices / prices.max() * FINE), 1).astype(np.int64)
        search = WeightedSearch(self._game, weights[self._classes.of_secret])
        return sum(self._add(part, lambda cell: search.best(cell)[1]) for part in self._parts)

    def relaxed(self) -> tuple[float, Scores]:
        """Return the value of the linear programme, and the classes' duals, which add up to 1."""
        highs, rows = self._programme(integer=False)
        duals = np.abs(np.array(highs.getSolution().row_dual)[rows]) * self._sizes
        return float(highs.getObjectiveValue()), duals / duals.sum()

    def best(self) -> GameTree:
        """Return the tree that the integer programme chooses."""
        highs, _ = self._programme(integer=True)
        values = np.array(highs.getSolution().col_value)[1:]  # the first is v
        guess_of = dict(self._guess_of)
        first = 0
        for part in self._parts:
            chosen = int(values[first : first + len(part.trees)].argmax())
            guess_of |= list(part.trees.values())[chosen]
            first += len(part.trees)
        start = Frontier.initial(self._game)
        return make_tree(levels(self._game, start, _chooser(lambda cell: guess_of[cell.tobytes()])))

    def _programme(self, *, integer: bool) -> tuple[highspy.Highs, Offsets]:
        """Solve a programme; return it and the rows of the classes. Columns are v, then the x."""
        highs = highspy.Highs()  # type: ignore[no-untyped-call]
        highs.setOptionValue("output_flag", False)
        highs.setOptionValue("threads", 1)
        highs.setOptionValue("mip_max_nodes", MOST_NODES)
        types = highspy.HighsVarType
        kind = types.kInteger if integer else types.kContinuous
        # 1. The columns and, for each part, the row that chooses one of its trees.
        mean = highs.addVariable(lb=0, obj=1)
        excess_of = [
            float(fixed) - mean * size for fixed, size in zip(self._fixed, self._sizes, strict=True)
        ]
        for part in self._parts:
            choices = [highs.addVariable(lb=0, ub=1, type=kind) for _ in part.trees]
            highs.addConstr(highs.qsum(choices) == 1)
            for choice, totals in zip(choices, part.trees, strict=True):
                for of_class, total in enumerate(totals):
                    excess_of[of_class] += choice * float(total)
        # 2. The rows of the classes: no total exceeds the mean times the size.
        for expression in excess_of:
            highs.addConstr(expression <= 0)
        highs.run()
        return highs, len(self._parts) + np.arange(len(excess_of))

    def _add(self, part: Part, guess_at: Callable[[Indices], int]) -> bool:
        """Grow a part's tree, and return whether it is new and within the limit."""
        guesses: Guesses = {}
        totals = np.zeros(len(self._fixed), dtype=np.int64)

        def guess_and_note(cell: Indices) -> int:
            """Return the guess at a set, and note it as part of the tree."""
            guess = guess_at(cell)
            guesses[cell.tobytes()] = guess
            return guess

        start = Frontier.of_set(part.members, TURN, -1)
        for level in levels(self._game, start, _chooser(guess_and_note)):
            if self._guess_limit is not None and level.frontier.turn > self._guess_limit:
                return False
            totals += self._by_class(level.frontier.sets.members)
        key = tuple(totals.tolist())
        is_new = key not in part.trees
        part.trees.setdefault(key, guesses)
        return is_new

    def _by_class(self, members: Indices) -> Offsets:
        """Return the number of candidates of each class, (n_classes,)."""
        return np.bincount(self._classes.of_secret[members], minlength=len(self._fixed))


def _chooser(guess_at: Callable[[Indices], int]) -> Callable[[Frontier], Indices]:
    """Return a function of a frontier from one of its sets."""
    return lambda frontier: np.array([guess_at(cell) for cell in frontier.cells], dtype=np.int32)
