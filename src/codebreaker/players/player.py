"""Players, how they are registered, and the record of their games."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from codebreaker.errors import unknown
from codebreaker.players.kernels.board import Board, Random
from codebreaker.types import Indices

MOST_TURNS = 24
"""The length of the longest game that is recorded."""


class Player(Protocol):
    """Chooses guesses on a board; it has its own workspace and plays one game at a time."""

    def __call__(
        self, guesses: Indices, feedback: Indices, n_known: int, state: Random
    ) -> tuple[int, int, int]:
        """Return the next guess, the codes evaluated for it, and the codes known from now on.

        `guesses` and `feedback` are those of the game so far, at least one; `n_known` is what the
        previous call returned, 0 at first.
        """


Opening = Callable[[Board, Random, int], int]
"""Returns a player's opening from a board, random numbers and the contest's opening."""


def contest_opening(board: Board, state: Random, opening: int) -> int:
    """Return the contest's opening."""
    return opening


@dataclass(frozen=True)
class PlayerSpec:
    """A registered kind of player: its name and source, and how to make a player.

    `make_player` takes the board, and the `options` by name.
    """

    name: str
    citation: str
    make_player: Callable[..., Player]
    options: tuple[str, ...] = ()
    opening: Opening = contest_opening

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
