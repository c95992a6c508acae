"""Optimal trees by any objective, each from one or several searches."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from codebreaker.constants import BEST_KNOWN, LARGEST_GUESS_LIMIT, OPTIMAL
from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame
from codebreaker.policies.strategy import Strategy
from codebreaker.search.cost_to_go import is_countable
from codebreaker.search.rounds import most_solved_first
from codebreaker.search.settings import GUESSES, Charges, Target, no_tree
from codebreaker.search.solution import Optimum, Solution
from codebreaker.search.solver import KnownLater, Solver
from codebreaker.trees.tree import GameTree


def find_optimum(
    game: TableGame,
    target: Target,
    memo_mib: float,
    time_limit_s: float,
    folder: Path | None = None,
    known: GameTree | None = None,
    later: KnownLater | None = None,
) -> Optimum:
    """Solve a target, with checkpoints in `folder`; raise `CodebreakerError` if no tree can.

    A known tree, also one from `later` (see `Solver.solve`), is within all limits of the target;
    objective lexicographic doesn't use it.
    """
    if target.objective == "lexicographic":
        solver = Solver(game, target.guess_pool, None, memo_mib, GUESSES, target.opening)
        first = solver.solve(time_limit_s, None, folder)
        assert first is not None  # without a limit on guesses there is a tree
        return lexicographic_after(game, target, first, memo_mib, time_limit_s, folder)
    limits: Iterable[int | None] = [target.guess_limit]
    if target.objective == "maximum":
        limits = range(1, LARGEST_GUESS_LIMIT + 1)
    charges = GUESSES if target.rounds is None else most_solved_first(game, target.rounds)
    for limit in limits:
        solver = Solver(game, target.guess_pool, limit, memo_mib, charges, target.opening)
        solution = solver.solve(time_limit_s, known, folder, later)
        if solution is not None:
            return Optimum(target, limit, solution, charges)
    raise no_tree(game.name, limit, target.opening)


def lexicographic_after(
    game: TableGame,
    target: Target,
    first: Solution,
    memo_mib: float,
    time_limit_s: float,
    folder: Path | None = None,
) -> Optimum:
    """Return the lexicographic optimum, as far as found in time, after a search for the total."""
    pool = target.guess_pool
    opening = target.opening
    tree = first.tree
    searched = first.sets_searched
    lookups = first.lookups
    # Each round charges every guess more than all secrets at the tree's maximum could cost, so the
    # total comes first. If a tree with a lower maximum is found, the next round charges its own.
    while True:
        limit = tree.max_guesses
        charges = Charges(game.n_secrets + 1, 1, limit - 1)
        if first.proven and not is_countable(2 * charges.cost(tree.profile.tolist())):
            charges = Charges(int(tree.profile[-1]) + 1, 1, limit - 1)  # enough at this total
        cost = charges.cost(tree.profile.tolist())
        lowest = charges.guess * first.bound  # secrets at the limit only add to it
        if not is_countable(2 * cost):
            raise CodebreakerError(
                f"game {game.name} is too large for the objective lexicographic: choose a smaller "
                "game, or the objective total"
            )
        if not first.proven:
            solution = replace(first, cost=cost, bound=lowest, openings={})
            return Optimum(target, limit, solution, charges)
        solver = Solver(game, pool, limit, memo_mib, charges, opening)
        better = solver.solve(time_limit_s, tree, folder)
        assert better is not None  # the known tree, if no better one
        tree = better.tree
        searched += better.sets_searched
        lookups += better.lookups
        if tree.max_guesses == limit:
            break
    openings = {label: max(bound, lowest) for label, bound in better.openings.items()}
    solution = Solution(tree, better.cost, max(better.bound, lowest), openings, searched, lookups)
    return Optimum(target, limit, solution, charges)


def strategy_of_optimum(game: TableGame, optimum: Optimum) -> Strategy:
    """Return the record of a target's tree; its policy is `optimal` only if that is proven."""
    return Strategy(
        game=game.name,
        policy=OPTIMAL if optimum.solution.proven else BEST_KNOWN,
        opening=game.guesses[optimum.solution.tree.guess[0]],
        forced=optimum.target.opening is not None,
        guess_pool=optimum.target.guess_pool,
        guess_limit=optimum.guess_limit,
        tree=optimum.target.slug,
        rounds=optimum.target.rounds,
    )
