"""Certificates: a search's tree and proven bounds, for independent checks."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from codebreaker.constants import BEST_KNOWN, LARGEST_GUESS_LIMIT, OPTIMAL, VERSION
from codebreaker.errors import CodebreakerError
from codebreaker.files import write_text
from codebreaker.games.model import GameModel, TableGame
from codebreaker.policies.strategy import Strategy
from codebreaker.search.cost_to_go import is_countable, size_bounds
from codebreaker.search.rounds import most_solved_first
from codebreaker.search.settings import GUESSES, Charges, Objective, Target, no_tree
from codebreaker.search.solver import KnownLater, Solution, Solver
from codebreaker.trees.tree import GameTree, nested
from codebreaker.types import GuessPool


@dataclass(frozen=True)
class Optimum:
    """A target and its solution; `guess_limit` is given, or the smallest that attains it."""

    target: Target
    guess_limit: int | None
    solution: Solution
    charges: Charges = GUESSES


@dataclass(frozen=True)
class Certificate:
    """The contents of a certificate file; all trees begin with the `opening`, if any.

    `cost` is `guess_charge` times the total, plus `late_charge` for each secret not solved within
    `rounds`; `won` counts the others. `bound` and `openings` are proven lower bounds on the cost
    within `guess_limit`. `words` are the secrets if the game's name doesn't determine them.
    """

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    game: str
    guess_pool: GuessPool
    objective: Objective
    guess_limit: int | None
    opening: str | None
    rounds: int | None
    guess_charge: int
    late_charge: int
    secrets: int
    total_guesses: int
    max_guesses: int
    won: int | None
    cost: int
    bound: int
    proven: bool
    openings: dict[str, int]
    sets_searched: int
    lookups: int
    codebreaker: str
    words: tuple[str, ...] | None
    tree: dict[str, Any]


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


def unproven(game: GameModel, tree: GameTree, guess_pool: GuessPool) -> Optimum:
    """Return a tree whose only proven bound is the one that follows from the number of secrets."""
    bound = int(size_bounds(game.n_feedback, game.n_secrets, LARGEST_GUESS_LIMIT)[-1, -1])
    return Optimum(Target(guess_pool), None, Solution(tree, tree.total_guesses, bound, {}, 0, 0))


def write_certificate(game: GameModel, optimum: Optimum, path: str | Path) -> None:
    """Write a certificate as JSON; the same search writes the same bytes."""
    solution = optimum.solution
    target = optimum.target
    charges = optimum.charges
    won = None if charges.rounds is None else int(solution.tree.profile[: charges.rounds].sum())
    fields = vars(solution) | {
        "game": game.name,
        "guess_pool": target.guess_pool,
        "objective": target.objective,
        "opening": target.opening,
        "guess_limit": optimum.guess_limit,
        "rounds": charges.rounds,
        "guess_charge": charges.guess,
        "late_charge": charges.late,
        "secrets": game.n_secrets,
        "total_guesses": solution.tree.total_guesses,
        "max_guesses": solution.tree.max_guesses,
        "won": won,
        "proven": solution.proven,
        "codebreaker": VERSION,
        "words": None if game.symmetry else game.secrets,
        "tree": nested(game, solution.tree),
    }
    write_text(path, json.dumps(vars(Certificate(**fields)), indent=0, ensure_ascii=False))
