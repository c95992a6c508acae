"""Optimal trees of small games in plain NumPy, without compiled code.

The compiled search of `solver` takes many seconds to compile, and solves a small game in
milliseconds. Both trees have the minimum total, but ties between guesses may be broken otherwise.
"""

import numpy as np

from codebreaker.games.model import TableGame
from codebreaker.search.small import SmallSearch, TooMuchWorkError, is_small
from codebreaker.search.solver import Solution
from codebreaker.sets.partition import all_secrets
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.small import grow_small
from codebreaker.types import Indices

SECONDS = 2.0
"""The time that a search takes here at most, in seconds: one with less time can't use it."""


def solve_small(game: TableGame, opening: str | None = None) -> Solution | None:
    """Return a tree with the minimum total, or None if the game is large or takes too long.

    Any prior weights the guesses. Trees begin with the `opening`, if given.
    """
    every = all_secrets(game)
    if not is_small(game, every):
        return None
    search = SmallSearch(game)
    try:
        if opening is None:
            best, bounds = search.solve()
            total, first = best
        else:
            first = game.guesses.index(opening)
            total = search.after(first, every, ())
            bounds = {first: total}
    except TooMuchWorkError:
        return None

    def choose(node: Frontier) -> Indices:
        """Return the opening, then the guess of the search, which knows all sets of its tree."""
        guess = first if node.turn == 1 else search.best(node.sets.members).guess
        return np.array([guess], dtype=np.int32)

    return Solution(
        tree=grow_small(game, Frontier.initial(game), choose),
        cost=total,
        bound=total,
        openings={game.guesses[guess]: bound for guess, bound in bounds.items()},
        sets_searched=search.sets_searched,
        lookups=search.pairs_compared,
    )
