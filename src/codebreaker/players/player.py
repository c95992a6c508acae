"""Players, how they are registered, and the record of their games."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from codebreaker.errors import unknown
from codebreaker.players.kernels.board import Board, Choice

MOST_TURNS = 64
"""The length of the longest game that is recorded."""


Player = Callable[[Board, int], Choice]
"""Chooses guesses; it has its own workspace and plays one game at a time.

It is given the number of codes that its previous choice knows, 0 at first.
"""

Opening = Callable[[Board, int], int]
"""Returns a player's opening from a board and the contest's opening."""


@dataclass(frozen=True)
class PlayerSpec:
    """A registered kind of player: its name and source, and how to make a player.

    `make_player` takes the board, and the `options` by name; `consistent` says whether every guess
    is consistent.
    """

    name: str
    citation: str
    make_player: Callable[..., Player]
    options: tuple[str, ...] = ()
    opening: Opening = lambda board, opening: opening
    consistent: bool = True

    def check(self, options: Iterable[str]) -> None:
        """Raise `CodebreakerError` for an unknown option."""
        for option in options:
            if option not in self.options:
                raise unknown(f"option of {self.name}", option, self.options)


@dataclass(frozen=True, eq=False)
class GameLog:
    """The games of a player, in the order of the secrets.

    `secrets` and `guesses`, the number of guesses, are (n_games,) int32. `moves`
    (n_games, MOST_TURNS) int32 holds the guess of each turn, -1 after the end; `evaluations` has
    the same shape and holds the codes evaluated for each guess.
    """

    secrets: NDArray[np.int32]
    guesses: NDArray[np.int32]
    moves: NDArray[np.int32]
    evaluations: NDArray[np.int32]
