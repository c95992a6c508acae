"""Players, how they are registered, and the record of their games."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.errors import CodebreakerError, unknown
from codebreaker.players.kernels.board import Board, Choice

MOST_TURNS = 64
"""The length of the longest game that is recorded."""


Player = Callable[[Board, int], Choice]
"""Chooses guesses; it has its own workspace and plays one game at a time.

It is given the number of codes that its previous choice knows, 0 at first.
"""

Opening = Callable[[Board, int], int]
"""Returns a player's opening from a board and the contest's opening."""


class Range(NamedTuple):
    """The values that an option may have: from `least` to `most`, whole numbers only if `whole`."""

    least: float
    most: float
    whole: bool = True

    def check(self, name: str, value: float) -> None:
        """Raise `CodebreakerError` unless an option may have a value."""
        if not self.least <= value <= self.most or (self.whole and value != int(value)):
            kind = "a whole number" if self.whole else "a number"
            raise CodebreakerError(
                f"option {name} is {value:g}: choose {kind} from {self.least:g} to {self.most:,g}"
            )


RANGES = {
    "population": Range(2, 1 << 16),
    "target": Range(1, 1 << 24),
    "mutation": Range(0, 1, whole=False),
    "patience": Range(1, 1 << 16),
    "reset": Range(1, 1 << 20),
    "evaluations": Range(1, 1 << 24),
    "crossover": Range(0, 1, whole=False),
    "keeps": Range(0, 1),
    "generations": Range(1, 1 << 20),
    "least": Range(1, 1 << 24),
    "endgames": Range(0, 1 << 16),
}
"""The range of each option of the players."""


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

    def check(self, options: Mapping[str, float]) -> None:
        """Raise `CodebreakerError` for an unknown option, or a value out of its range."""
        for option, value in options.items():
            if option not in self.options:
                raise unknown(f"option of {self.name}", option, self.options)
            RANGES[option].check(option, value)


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
