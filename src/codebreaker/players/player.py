"""What a player is, and the record of its games."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from codebreaker.errors import unknown
from codebreaker.kernels.board import Random

MOST_TURNS = 24
"""The longest game that is recorded."""


class Play(Protocol):
    """Plays games on a board, one at a time, with working memory of its own."""

    def __call__(
        self,
        opening: int,
        secret: int,
        state: Random,
        moves: NDArray[np.int32],
        evaluations: NDArray[np.int32],
    ) -> int:
        """Fill in each turn's guess and effort; return the number of guesses, 0 if too many."""


@dataclass(frozen=True)
class Player:
    """A registered player: its name, its source, and how it sits down at a board.

    `sit_down` takes the board, and by name whatever `options` can be set otherwise.
    """

    name: str
    citation: str
    sit_down: Callable[..., Play]
    options: tuple[str, ...] = ()

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
