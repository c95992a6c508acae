"""Partitions of candidate sets: the plain reference for the kernels."""

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
    """Return the counts of every guess, (n_guesses, n_feedback)."""
    shift = np.arange(game.n_guesses)[:, None] * game.n_feedback
    flat = np.bincount(
        (game.table[:, candidates] + shift).ravel(), minlength=game.n_guesses * game.n_feedback
    )
    return flat.reshape(game.n_guesses, game.n_feedback)


def split(game: GameModel, guess: int, candidates: Indices) -> dict[int, Indices]:
    """Return the non-empty cells by feedback id; candidates keep their order."""
    ids = game.feedback(guess, candidates)
    return {int(f): candidates[ids == f] for f in np.unique(ids)}


def unsolved(game: GameModel, guess: int, candidates: Indices) -> dict[int, Indices]:
    """Return the cells of `split` but for the winning feedback's."""
    cells = split(game, guess, candidates)
    cells.pop(game.solved, None)
    return cells
