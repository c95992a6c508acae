"""Partitions of candidate sets by feedback: the plain reference that the kernels are held to."""

import numpy as np

from codebreaker.game import AnyGame, Game
from codebreaker.types import Codes, Counts


def all_secrets(game: AnyGame) -> Codes:
    """Return the candidates before the first guess, (n_secrets,) int32."""
    return np.arange(game.n_secrets, dtype=np.int32)


def counts(game: Game, guess: int, candidates: Codes) -> Counts:
    """Return the size of each cell of the partition by one guess, (n_feedback,)."""
    return np.bincount(game.feedback[guess, candidates], minlength=game.n_feedback)


def count_table(game: Game, candidates: Codes) -> Counts:
    """Return the counts of every guess, (n_guesses, n_feedback)."""
    shift = np.arange(game.n_guesses)[:, None] * game.n_feedback
    flat = np.bincount(
        (game.feedback[:, candidates] + shift).ravel(),
        minlength=game.n_guesses * game.n_feedback,
    )
    return flat.reshape(game.n_guesses, game.n_feedback)


def split(game: AnyGame, guess: int, candidates: Codes) -> dict[int, Codes]:
    """Return the cells that are not empty, by feedback id; the order of candidates is kept."""
    ids = game.answers(guess, candidates)
    return {int(f): candidates[ids == f] for f in np.unique(ids)}
