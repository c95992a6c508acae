"""Optimal trees of small games in plain NumPy, without compiled code.

The compiled search of `solver` takes many seconds to compile, and solves a small game in
milliseconds. Both trees have the minimum total. Of the trees that do, this search looks for one
with the lowest maximum.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.games.model import TableGame
from codebreaker.search.small import MOST_WORK, SmallSearch, TooMuchWorkError, is_small
from codebreaker.search.solution import Solution
from codebreaker.sets.partition import all_secrets, unsolved
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.small import grow_small
from codebreaker.types import Indices

SECONDS = 4.0
"""The time that a search takes here at most, in seconds: one with less time can't use it."""

WORK_FOR_MAXIMUM = MOST_WORK
"""The work that the search for the lowest maximum may take."""


class SmallSolution(NamedTuple):
    """A solution, and whether no tree with as few guesses has a lower maximum."""

    solution: Solution
    has_lowest_maximum: bool


def solve_small(game: TableGame, opening: str | None = None) -> SmallSolution | None:
    """Return a tree with the minimum total, or None if the game is large or takes too long.

    Any prior weights the guesses. Trees begin with the `opening`, if given. Of the trees with the
    minimum total it has the lowest maximum, if this is found within some work.
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
    search.allow(WORK_FOR_MAXIMUM)
    is_flattest = True
    try:
        if opening is None:
            first = search.flattest(every, ()).guess
        for part in unsolved(game, first, every).values():
            search.flattest(part)
    except TooMuchWorkError:
        is_flattest = False
        search.allow(MOST_WORK)

    def choose(node: Frontier) -> Indices:
        """Return the opening, then the guess of the search, which knows all sets of its tree."""
        members = node.sets.members
        if node.turn == 1:
            guess = first
        elif is_flattest:
            guess = search.flattest(members).guess
        else:
            guess = search.best(members).guess
        return np.array([guess], dtype=np.int32)

    solution = Solution(
        tree=grow_small(game, Frontier.initial(game), choose),
        cost=total,
        bound=total,
        openings={game.guesses[guess]: bound for guess, bound in bounds.items()},
        sets_searched=search.sets_searched,
        lookups=search.pairs_compared,
    )
    return SmallSolution(solution, is_flattest)
