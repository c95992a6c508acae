"""The least total, then the least maximum, and then the fewest secrets that need the maximum.

A first search finds a tree of least total. A second one takes its maximum as a limit and finds,
among the trees of least total, one with the fewest secrets at the limit. If it has any, no such
tree has a lower maximum; otherwise its own maximum is lower, and becomes the next limit.
"""

from dataclasses import replace
from typing import NamedTuple

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame
from codebreaker.search.kernels.cost_bounds import INFEASIBLE
from codebreaker.search.settings import GUESSES, Charges
from codebreaker.search.solver import Solution, Solver
from codebreaker.types import GuessPool


class Found(NamedTuple):
    """A tree's maximum as a limit, the charges that belong to it, and the solution for them."""

    guess_limit: int
    charges: Charges
    solution: Solution


def fewest_at_the_last(game: TableGame, guess_limit: int) -> Charges:
    """Return charges for which the total is least, and then the secrets at the limit are fewest."""
    return Charges(game.n_secrets + 1, 1, guess_limit - 1)


def lexicographic(
    game: TableGame,
    guess_pool: GuessPool,
    opening: str | None,
    memo_mib: float,
    time_limit_s: float,
) -> Found | None:
    """Return the tree with its maximum and the charges; None if there is no tree.

    Each search has the time limit. The bound is on the cost of trees within the maximum. If the
    least total isn't proven, the bound is by what is proven of it.
    """
    first = Solver(game, guess_pool, None, memo_mib, GUESSES, opening).solve(time_limit_s)
    if first is None:
        return None
    tree, searched, lookups = first.tree, first.sets_searched, first.lookups
    while True:
        limit = tree.max_guesses
        charges = fewest_at_the_last(game, limit)
        cost, least = charges.cost(tree.profile.tolist()), charges.guess * first.bound
        if 2 * cost >= INFEASIBLE:
            raise CodebreakerError(
                f"game {game.name} is too large for the objective lexicographic: choose a smaller "
                "game, or the objective total"
            )
        if not first.proven:
            return Found(limit, charges, replace(first, cost=cost, bound=least, openings={}))
        solver = Solver(game, guess_pool, limit, memo_mib, charges, opening)
        found = solver.solve(time_limit_s, tree)
        assert found is not None  # at least the tree that is known
        tree = found.tree
        searched, lookups = searched + found.sets_searched, lookups + found.lookups
        if tree.max_guesses == limit:
            break
    openings = {label: max(bound, least) for label, bound in found.openings.items()}
    solution = Solution(tree, found.cost, max(found.bound, least), openings, searched, lookups)
    return Found(limit, charges, solution)
