"""The cost of a suggested guess against optimal play, by the exact search."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from codebreaker.assistant.suggest import Suggestion
from codebreaker.constants import LARGEST_ENDGAME
from codebreaker.errors import CodebreakerError
from codebreaker.exact.cost_to_go import CostToGo
from codebreaker.exact.endgames import UNSOLVED, Endgames
from codebreaker.games.model import CodeGame, Game, TableGame
from codebreaker.games.symmetry import orbits
from codebreaker.types import Indices

LOOKUPS = 1 << 33
"""Limit of table look-ups per candidate set: about half a minute."""


@dataclass(frozen=True)
class Hindsight:
    """The least mean of the remaining guesses: over all guesses, and after the suggested one."""

    least: Fraction
    with_guess: Fraction

    @property
    def cost(self) -> Fraction:
        """Return the cost of the guess, as the increase of the mean."""
        return self.with_guess - self.least


def hindsight_of(game: Game, suggestion: Suggestion) -> Hindsight:
    """Return the least means for a suggestion's candidates.

    Raises `CodebreakerError` if the search would take too long.
    """
    members = suggestion.candidates
    feedback = game.feedback(suggestion.guess, members)
    cells = [members[feedback == f] for f in np.unique(feedback) if f != game.solved]
    if isinstance(game, CodeGame):
        least, with_guess = _totals_on_demand(game, members, cells)
    else:
        assert isinstance(game, TableGame)
        least, with_guess = _totals_by_table(game, suggestion, cells)
    return Hindsight(Fraction(least, len(members)), Fraction(with_guess, len(members)))


def _totals_by_table(
    game: TableGame, suggestion: Suggestion, cells: list[Indices]
) -> tuple[int, int]:
    """Return the candidates' least total, and their least total after the suggested guess."""
    members, cost = suggestion.candidates, CostToGo(game, lookups=LOOKUPS)
    guesses = [guess for guess, _ in suggestion.moves]
    now, later = (
        np.unique(orbits(game, history)).astype(np.int32)
        for history in (guesses, [*guesses, suggestion.guess])
    )
    with_guess = len(members) + sum(cost.of(cell, 1, pool=later) for cell in cells)
    return min(cost.of(members, 1, with_guess, now), with_guess), with_guess


def _totals_on_demand(game: CodeGame, members: Indices, cells: list[Indices]) -> tuple[int, int]:
    """Return the same two totals in a game without a table, for small sets."""
    if len(members) > LARGEST_ENDGAME:
        raise CodebreakerError(
            f"{game.name} has no table: exact costs are limited to {LARGEST_ENDGAME} candidates, "
            f"and {len(members):,} are left",
            setting="exact",
        )
    endgames = Endgames(game, LARGEST_ENDGAME)
    least, *rest = (endgames.solve(cell)[1] for cell in (members, *cells))
    if UNSOLVED in (least, *rest):
        raise CodebreakerError(
            f"the exact cost of these {len(members)} candidates of {game.name} takes too long "
            "to compute",
            setting="exact",
        )
    return least, len(members) + sum(rest)
