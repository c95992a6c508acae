"""Trees of policies with optimal endgames, from which a long search starts."""

import time
from contextlib import suppress

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame
from codebreaker.policies.strategy import Strategy
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.settings import Target
from codebreaker.sets.partition import all_secrets
from codebreaker.trees.best_known import order_of
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import grow, plays_candidates
from codebreaker.trees.tree import GameTree, is_tree_of
from codebreaker.types import Indices

POLICIES = ("entropy", "most-parts", "expected-size", "worst-case")
"""Policies that need less than a second per tree, usually the best first."""

LARGEST = 32
"""Maximum size of the sets that are played optimally."""

LOOKUPS = 1 << 22
"""Maximum number of table look-ups for one set: a few milliseconds."""

MEMO_MIB = 64.0
"""Mebibytes for the memo."""


class GreedyEndgames:
    """Optimal guesses at small sets, within a target's limits; others stay as they are."""

    def __init__(self, game: TableGame, target: Target) -> None:
        self._search = CostToGo(game, target.guess_limit, MEMO_MIB, LOOKUPS, target.guess_pool)

    def plays_all(self, _: Frontier) -> bool:
        """Return False: large sets take too long."""
        return False

    def play(self, frontier: Frontier, guesses: Indices) -> None:
        """Replace the guesses at small sets that are solved in time."""
        cells = frontier.cells
        sizes = frontier.sizes
        for node in np.flatnonzero((sizes > 2) & (sizes <= LARGEST)).tolist():
            with suppress(CodebreakerError):  # it takes too long
                _, guess = self._search.best(cells[node], turn=frontier.turn)
                if guess >= 0:
                    guesses[node] = guess


def greedy_tree(game: TableGame, target: Target, seconds: float) -> GameTree | None:
    """Return the best tree of some policies within a target's limits, or None.

    After `seconds` no further policy is tried.
    """
    trees = list[GameTree]()
    endgames = GreedyEndgames(game, target)
    end = time.monotonic() + seconds
    for name in POLICIES:
        strategy = Strategy(name, target.opening, target.guess_pool)
        tree = grow(game, strategy, endgames=endgames)
        if target.guess_limit is None or tree.max_guesses <= target.guess_limit:
            trees.append(tree)
        if time.monotonic() > end:
            break
    return min(trees, key=order_of, default=None)


def is_allowed(game: TableGame, tree: GameTree, target: Target) -> bool:
    """Return whether a tree of any origin solves this game within a target's limits."""
    if not is_tree_of(game, tree, all_secrets(game)):
        return False
    if target.guess_limit is not None and tree.max_guesses > target.guess_limit:
        return False
    if target.opening not in (None, game.guesses[tree.guess[0]]):
        return False
    return target.guess_pool == "all" or plays_candidates(game, tree)
