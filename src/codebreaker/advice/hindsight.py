"""The cost of a guess against optimal play, by the exact search."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from codebreaker.constants import LARGEST_ENDGAME
from codebreaker.errors import CodebreakerError
from codebreaker.games.model import CodeGame, Game, TableGame
from codebreaker.games.symmetry import orbits
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.endgames import UNSOLVED, Endgames
from codebreaker.search.kernels.cost_bounds import INFEASIBLE
from codebreaker.search.solver import Solver
from codebreaker.search.weighted import WeightedSearch, cost_to_go_of
from codebreaker.sets.partition import count_table
from codebreaker.types import Indices

LOOKUPS, SECONDS = 1 << 33, 30
"""Limits of the search: table look-ups per candidate set, about half a minute; time for a game."""


@dataclass(frozen=True)
class Hindsight:
    """The least mean of the remaining guesses: over all guesses, and after the one in question.

    `best` is the index of a guess that attains the least mean.
    """

    least: Fraction
    with_guess: Fraction
    best: int = field(compare=False)

    @property
    def cost(self) -> Fraction:
        """Return the cost of the guess, as the increase of the mean."""
        return self.with_guess - self.least


def hindsight_of(
    game: Game,
    history: Sequence[int],
    members: Indices,
    guess: int,
    cost: CostToGo | WeightedSearch | None = None,
) -> Hindsight:
    """Return the least means for the candidates that the guesses of a history have left.

    `cost` remembers what earlier calls have found. Raises `CodebreakerError` if the search would
    take too long.
    """
    feedback = game.feedback(guess, members)
    cells = [members[feedback == f] for f in np.unique(feedback) if f != game.solved]
    if isinstance(game, CodeGame):
        least, best, after = _totals_on_demand(game, members, cells)
    else:
        assert isinstance(game, TableGame)
        cost = cost or cost_to_go_of(game, lookups=LOOKUPS, seconds=SECONDS)
        least, best, after = _totals_by_table(cost, history, members, guess, cells)
    n = _mass(game, members)
    with_guess = n + after
    if with_guess <= least:
        least, best = with_guess, guess
    return Hindsight(Fraction(least, n), Fraction(with_guess, n), best)


def best_guesses(
    game: TableGame, history: Sequence[int], members: Indices, number: int
) -> list[tuple[int, Fraction]]:
    """Return the guesses with the least means, and these, up to symmetry; candidates before others.

    Raises `CodebreakerError` if the search would take too long.
    """
    cost = cost_to_go_of(game, lookups=LOOKUPS, seconds=SECONDS)
    secrets = set(game.guess_of_secret[members].tolist())
    pool = np.unique(orbits(game, history)).astype(np.int32)
    sizes = count_table(game, members)[pool].astype(np.int64)
    found, limit = list[tuple[int, bool, int]](), INFEASIBLE
    for guess in pool[np.argsort((sizes**2).sum(axis=1), kind="stable")].tolist():
        # A guess whose total is the limit may still precede the last one found.
        total = cost.after(guess, members, len(history) + 1, limit)
        if total < limit:
            found = sorted([*found, (total, guess not in secrets, guess)])[:number]
            limit = found[-1][0] + 1 if len(found) == number else INFEASIBLE
    return [(guess, Fraction(total, _mass(game, members))) for total, _, guess in found]


def _mass(game: Game, members: Indices) -> int:
    """Return the number of candidates, or the sum of their weights."""
    prior = game.prior if isinstance(game, TableGame) else None
    return len(members) if prior is None else int(prior[members].sum())


def _totals_by_table(
    cost: CostToGo | WeightedSearch,
    history: Sequence[int],
    members: Indices,
    guess: int,
    cells: list[Indices],
) -> tuple[int, int, int]:
    """Return the candidates' least total, a best guess, and the least total of the guess's cells.

    Where the guess itself is best, the first two are a bound and no guess.
    """
    game = cost.game
    now, later = (
        np.unique(orbits(game, guesses)).astype(np.int32)
        for guesses in (history, [*history, guess])
    )
    after = sum(cost.of(cell, 1, pool=later) for cell in cells)
    if history or isinstance(cost, WeightedSearch):
        return *cost.best(members, now, _mass(game, members) + after), after
    solution = Solver(game).solve(SECONDS)  # it knows the symmetries of second guesses too
    if solution is None or not solution.proven:
        raise CodebreakerError(
            f"the least total of {game.name} was not proven in {SECONDS} s", setting="exact"
        )
    return solution.cost, int(solution.tree.guess[0]), after


def _totals_on_demand(
    game: CodeGame, members: Indices, cells: list[Indices]
) -> tuple[int, int, int]:
    """Return the same in a game without a table, for small sets."""
    if len(members) > LARGEST_ENDGAME:
        raise CodebreakerError(
            f"{game.name} has no table: exact costs are limited to {LARGEST_ENDGAME} candidates, "
            f"and {len(members):,} are left",
            setting="exact",
        )
    endgames = Endgames(game, LARGEST_ENDGAME)
    (best, least), *rest = (endgames.solve(cell) for cell in (members, *cells))
    after = [total for _, total in rest]
    if UNSOLVED in (least, *after):
        raise CodebreakerError(
            f"the exact cost of these {len(members)} candidates of {game.name} takes too long "
            "to compute",
            setting="exact",
        )
    return least, best, sum(after)
