"""What a player is, and the record of its games."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from codebreaker.errors import unknown
from codebreaker.players.kernels.board import Board, Random
from codebreaker.types import Indices

MOST_TURNS = 24
"""The longest game that is recorded."""


class Play(Protocol):
    """Chooses guesses on a board, with working memory of its own, for one game at a time."""

    def __call__(
        self, guesses: Indices, answers: Indices, known: int, state: Random
    ) -> tuple[int, int, int]:
        """Return the next guess, the codes evaluated for it, and how many codes are known then.

        `guesses` and `answers` are those of the game so far, one at least, and `known` what the
        call before returned.
        """


Opening = Callable[[Board, Random, int], int]
"""From a board, random numbers and the contest's opening to a player's own."""


def as_asked(board: Board, state: Random, opening: int) -> int:
    """Return the contest's opening."""
    return opening


@dataclass(frozen=True)
class Player:
    """A registered player: its name, its source, and how it sits down at a board.

    `sit_down` takes the board, and by name whatever `options` can be set otherwise.
    """

    name: str
    citation: str
    sit_down: Callable[..., Play]
    options: tuple[str, ...] = ()
    opening: Opening = as_asked

    def check(self, options: Iterable[str]) -> None:
        """Raise `CodebreakerError` for an option that the player doesn't have."""
        for option in options:
            if option not in self.options:
                raise unknown(f"option of {self.name}", option, self.options)


@dataclass(frozen=True, eq=False)
class GameLog:
    """The games of a player, in the order of the instances.

    `secrets` and `guesses` are (n_games,) int32; `moves` (n_games, MOST_TURNS) int32 holds each
    turn's code, -1 after the end, and `evaluations` what each turn took.
    """

    secrets: NDArray[np.int32]
    guesses: NDArray[np.int32]
    moves: NDArray[np.int32]
    evaluations: NDArray[np.int32]
