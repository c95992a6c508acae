"""What a suggested guess costs above the best that could be played, by the exact search."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from codebreaker.assistant.suggest import Suggestion
from codebreaker.errors import CodebreakerError
from codebreaker.exact.cost_to_go import CostToGo
from codebreaker.exact.endgames import UNSOLVED, Endgames
from codebreaker.games.model import CodeGame, Game, TableGame
from codebreaker.games.symmetry import orbits
from codebreaker.policies.policy import LARGEST_ENDGAME
from codebreaker.types import Indices

LOOKUPS = 1 << 33
"""Table look-ups for a set: about half a minute's worth."""


@dataclass(frozen=True)
class Hindsight:
    """The least mean of the guesses still to come, and the least if the suggestion is played."""

    least: Fraction
    with_guess: Fraction

    @property
    def cost(self) -> Fraction:
        """Return what the guess costs, in guesses on average."""
        return self.with_guess - self.least


def hindsight(game: Game, suggestion: Suggestion) -> Hindsight:
    """Return what is the best for a suggestion's candidates, and what its guess leads to at best.

    Raises `CodebreakerError` where that would take too long.
    """
    members = suggestion.candidates
    told = game.feedback(suggestion.guess, members)
    cells = [members[told == f] for f in np.unique(told) if f != game.solved]
    if isinstance(game, CodeGame):
        least, with_guess = _without_table(game, members, cells)
    else:
        assert isinstance(game, TableGame)
        least, with_guess = _by_table(game, suggestion, cells)
    return Hindsight(Fraction(least, len(members)), Fraction(with_guess, len(members)))


def _by_table(game: TableGame, suggestion: Suggestion, cells: list[Indices]) -> tuple[int, int]:
    """Return the least total of the candidates, and that if the guess is played."""
    members, cost = suggestion.candidates, CostToGo(game, lookups=LOOKUPS)
    played = [guess for guess, _ in suggestion.moves]
    now, later = (
        np.unique(orbits(game, history)).astype(np.int32)
        for history in (played, [*played, suggestion.guess])
    )
    with_guess = len(members) + sum(cost.of(cell, 1, pool=later) for cell in cells)
    return min(cost.of(members, 1, with_guess, now), with_guess), with_guess


def _without_table(game: CodeGame, members: Indices, cells: list[Indices]) -> tuple[int, int]:
    """Return the same of a game without a table, for sets that are small enough."""
    if len(members) > LARGEST_ENDGAME:
        raise CodebreakerError(
            f"{game.name} has no table: exact costs are known for at most {LARGEST_ENDGAME} "
            f"candidates, and {len(members):,} are left"
        )
    endgames = Endgames(game, LARGEST_ENDGAME)
    least, *rest = (endgames.solve(some)[1] for some in (members, *cells))
    if UNSOLVED in (least, *rest):
        raise CodebreakerError(
            f"the exact cost of these {len(members)} candidates of {game.name} takes too long: "
            "ask without --exact"
        )
    return least, len(members) + sum(rest)
