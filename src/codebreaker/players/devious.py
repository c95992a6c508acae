"""A devious codemaker: he has no secret, and answers so that a game takes long.

He answers each guess, and at least one secret fits all his answers. He knows the rule that a player
follows, but not what it draws. Against random consistent play his best answers, and the guesses
that are then expected, are computed; `best_response` has those for players who draw one of the best
guesses. Against players that search, or look at a sample of the candidates, the answers to random
consistent play show what a codemaker attains at least.
"""

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame
from codebreaker.games.symmetry import orbits
from codebreaker.players.contest import Series, play_game
from codebreaker.players.kernels.devious import value_of
from codebreaker.players.random_consistent import DEEPEST, make_workspace
from codebreaker.sets.partition import all_secrets, split
from codebreaker.types import Indices

EXACT = "random-consistent"
"""The player whose expected guesses are computed."""


class DeviousCodemaker:
    """The best answers to random consistent play in a game.

    A guess that is right is answered so only if no other secret is left.
    """

    def __init__(self, game: TableGame, memo_mib: float = 64.0) -> None:
        self.game = game
        self._work = make_workspace(game, memo_mib)
        self._first = orbits(game, [])
        self._after: dict[int, dict[int, float]] = {}

    def expected_guesses(self) -> float:
        """Return the expected guesses of random consistent play against this codemaker.

        Raises `CodebreakerError` if a game may take more than DEEPEST turns.
        """
        every = all_secrets(self.game)
        guesses, times = np.unique(self._first[self.game.guess_of_secret], return_counts=True)
        values = [max(self._after_first(guess).values(), default=0.0) for guess in guesses.tolist()]
        expected = 1.0 + float(np.array(values) @ times) / len(every)
        if not np.isfinite(expected):
            raise CodebreakerError(
                f"{self.game.name} takes over {DEEPEST} turns: his answers are not computed"
            )
        return expected

    def answer(self, guess: int, members: Indices) -> int:
        """Return his answer to a guess: of those after which most guesses follow, the first."""
        cells = split(self.game, guess, members)
        if len(cells) == 1:
            return next(iter(cells))
        cells.pop(self.game.solved, None)
        if len(members) == self.game.n_secrets:
            values = self._after_first(int(self._first[guess]))
        else:
            values = {f: value_of(self._work, 0, cell) for f, cell in cells.items()}
        return max(cells, key=lambda feedback: (values[feedback], len(cells[feedback]), -feedback))

    def _after_first(self, guess: int) -> dict[int, float]:
        """Return the value of each cell of a first guess; second guesses up to symmetry."""
        if guess not in self._after:
            cells = split(self.game, guess, all_secrets(self.game))
            cells.pop(self.game.solved, None)
            second = orbits(self.game, [guess])
            self._after[guess] = {f: self._value(cell, second) for f, cell in cells.items()}
        return self._after[guess]

    def _value(self, members: Indices, orbit: Indices) -> float:
        """Return the value of a set whose symmetries have these orbits of guesses."""
        own = self.game.guess_of_secret[members]
        guesses, times = np.unique(orbit[own], return_counts=True)
        values = []
        for guess in guesses.tolist():
            cells = split(self.game, guess, members)
            cells.pop(self.game.solved, None)
            values.append(max((value_of(self._work, 0, one) for one in cells.values()), default=0))
        return 1.0 + float(np.array(values) @ times) / len(members)


class AnswersDeviously(Protocol):
    """A codemaker who has no secret."""

    game: TableGame

    def answer(self, guess: int, members: Indices) -> int:
        """Return the answer to a guess if these secrets are left."""


def play_deviously(
    series: Series, codemaker: AnswersDeviously, games: int
) -> Iterator[list[tuple[int, int]]]:
    """Yield a player's games against the codemaker: each a list of moves, the last one solved."""
    game = codemaker.game
    player = series.player.make_player(series.board, **series.options)
    for number in range(games):
        members, moves = all_secrets(game), list[tuple[int, int]]()

        def answer(guess: int, moves: list[tuple[int, int]] = moves) -> int | None:
            nonlocal members
            feedback = codemaker.answer(guess, members)
            members = members[game.table[guess, members] == feedback]
            moves.append((guess, feedback))
            return None if feedback == game.solved else feedback

        for _ in play_game(series, player, number, answer):
            pass
        yield moves
