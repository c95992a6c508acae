"""Partitions of candidate sets by feedback, in NumPy: the plain reference for the kernels."""

import numpy as np

from codebreaker.games.model import GameModel, TableGame
from codebreaker.types import Counts, Indices


def all_secrets(game: GameModel) -> Indices:
    """Return all candidates, (n_secrets,) int32."""
    return np.arange(game.n_secrets, dtype=np.int32)


def counts(game: TableGame, guess: int, candidates: Indices) -> Counts:
    """Return cell sizes after a guess, (n_feedback,)."""
    return np.bincount(game.table[guess, candidates], minlength=game.n_feedback)


def count_table(game: TableGame, candidates: Indices) -> Counts:
    """Return the cell sizes after every guess, (n_guesses, n_feedback)."""
    # One histogram for all guesses: feedback f to guess g counts at g · n_feedback + f.
    row_starts = np.arange(game.n_guesses)[:, None] * game.n_feedback
    places = (game.table[:, candidates] + row_starts).ravel()
    flat = np.bincount(places, minlength=game.n_guesses * game.n_feedback)
    return flat.reshape(game.n_guesses, game.n_feedback)


def split(game: GameModel, guess: int, candidates: Indices) -> dict[int, Indices]:
    """Return the non-empty cells by feedback id; candidates keep their order."""
    ids = game.feedback(guess, candidates)
    return {int(f): candidates[ids == f] for f in np.unique(ids)}


def unsolved(game: GameModel, guess: int, candidates: Indices) -> dict[int, Indices]:
    """Return the cells of `split` without that of the solved secret."""
    cells = split(game, guess, candidates)
    cells.pop(game.solved, None)
    return cells
