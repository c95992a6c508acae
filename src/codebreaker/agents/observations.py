"""What an agent sees: the board, and how often each symbol is left at each peg."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from codebreaker.games.model import GameModel
from codebreaker.types import Indices, Move


def symbols_of(game: GameModel) -> NDArray[np.int64]:
    """Return each guess's symbols from 0, (n_guesses, pegs).

    Guesses of different lengths, as a table may have, are one symbol each.
    """
    if game.symmetry is not None:
        return game.symmetry.codes.astype(np.int64)
    if len({len(guess) for guess in game.guesses}) > 1:
        return np.arange(game.n_guesses, dtype=np.int64)[:, None]
    _, numbers = np.unique(game.letters, return_inverse=True)
    return numbers.reshape(game.letters.shape)


class Board:
    """The moves as numbers, (n_turns, pegs + 1): symbols and feedback from 1, 0 where none is."""

    def __init__(self, symbols: NDArray[np.int64], n_feedback: int, n_turns: int) -> None:
        """Begin with an empty board."""
        self._symbols = symbols
        self.shape = (n_turns, symbols.shape[1] + 1)
        self.largest = np.full(self.shape, int(symbols.max()) + 1, dtype=np.int16)
        self.largest[:, -1] = n_feedback

    def of(self, moves: Sequence[Move]) -> NDArray[np.int16]:
        """Return the board after some moves; an illegal guess is a row without feedback."""
        board = np.zeros(self.shape, dtype=np.int16)
        for row, (guess, feedback) in enumerate(moves):
            if guess >= 0:
                board[row, :-1] = self._symbols[guess] + 1
            board[row, -1] = feedback + 1
        return board


class Counts:
    """The share of the candidates with each symbol at each peg, and how far the game is.

    The shares come peg by peg, (pegs · n_symbols,), then the bits left and the turns used, each as
    a share of the whole: all are from 0 to 1.
    """

    def __init__(self, game: GameModel, symbols: NDArray[np.int64], n_turns: int) -> None:
        """Prepare the places of each secret's symbols."""
        n_symbols = int(symbols.max()) + 1
        every = np.arange(game.n_secrets, dtype=np.int32)
        pegs = symbols.shape[1]
        self._places = symbols[game.guesses_of(every)] + np.arange(pegs) * n_symbols
        self._n_places = pegs * n_symbols
        self._bits = max(float(np.log2(game.n_secrets)), 1.0)
        self._n_turns = n_turns
        self.shape = (self._n_places + 2,)

    def of(self, members: Indices, turns: int) -> NDArray[np.float32]:
        """Return the counts of a set of candidates after some turns."""
        counts = np.zeros(self.shape, dtype=np.float32)
        places = self._places[members].ravel()
        counts[: self._n_places] = np.bincount(places, minlength=self._n_places) / len(members)
        counts[-2] = np.log2(len(members)) / self._bits
        counts[-1] = turns / self._n_turns
        return counts
