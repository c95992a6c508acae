"""Wordle's hard mode: green letters stay where they are, and yellow ones are used again."""

from collections import Counter
from collections.abc import Iterable

import numpy as np

from codebreaker.games.model import GameModel, check_marks
from codebreaker.types import Indices, Move


def allowed_after(game: GameModel, moves: Iterable[Move] = ()) -> Indices:
    """Return the guesses that hard mode allows; raise `CodebreakerError` in games without marks."""
    check_marks(game.name, game.feedback_labels, game.guesses)
    allowed = np.arange(game.n_guesses, dtype=np.int32)
    for guess, feedback in moves:
        allowed = narrow(game, allowed, guess, feedback)
    return allowed


def narrow(game: GameModel, allowed: Indices, guess: int, feedback: int) -> Indices:
    """Return which of the allowed guesses are still allowed after a move."""
    letters = game.letters[allowed]
    moved = list(zip(game.letters[guess].tolist(), game.feedback_labels[feedback], strict=True))
    fits = np.ones(len(allowed), dtype=np.bool_)
    for position, (letter, mark) in enumerate(moved):
        if mark == "g":
            fits &= letters[:, position] == letter
    for letter, times in Counter(letter for letter, mark in moved if mark != "b").items():
        fits &= (letters == letter).sum(axis=1) >= times
    return allowed[fits]
