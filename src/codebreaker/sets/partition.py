"""Partitions of candidate sets by feedback, in NumPy: the plain reference for the kernels."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from codebreaker.games.model import GameModel, TableGame
from codebreaker.games.unlisted import refuse_unlisted
from codebreaker.types import Counts, FeedbackIds, Indices, Move, Positions, Scores

MOST_COLUMNS = 256
"""Maximum number of feedback ids by which small sets are counted; of more, most have no members."""

LOOKUPS_AT_ONCE = 1 << 20
"""Table look-ups that are counted at once, 8 MiB."""


def all_secrets(game: GameModel) -> Indices:
    """Return all candidates, (n_secrets,) int32."""
    refuse_unlisted(game)
    return np.arange(game.n_secrets, dtype=np.int32)


def candidates_after(game: GameModel, moves: Iterable[Move]) -> Indices:
    """Return the candidates that agree with all moves, (n_candidates,) int32, maybe none."""
    left = all_secrets(game)
    for guess, feedback in moves:
        left = left[game.feedback(guess, left) == feedback]
    return left


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


def numbered_cells(labels: FeedbackIds) -> Positions:
    """Return each row's cells, numbered from 0 in the order of their feedback ids.

    `labels` and the result are (n_rows, n_members). A row has at most as many cells as members, so
    counts by cell number stay small where a game has thousands of feedback ids.
    """
    order = np.argsort(labels, axis=1, kind="stable")
    ordered = np.take_along_axis(labels, order, axis=1)
    begins = np.zeros(labels.shape, dtype=np.int64)
    begins[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    numbers = np.empty(labels.shape, dtype=np.int64)
    np.put_along_axis(numbers, order, np.cumsum(begins, axis=1), axis=1)
    return numbers


def n_log2_n(numbers: NDArray[np.int64] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return n log2 n for each number, 0 for n = 0, in the numbers' shape.

    With the sum S of a partition's sizes in this form, its entropy in bits is log2 n − S / n.
    """
    logs: NDArray[np.float64] = np.log2(np.maximum(numbers, 1))
    return logs * numbers


def entropy_of(sizes: Counts | Scores) -> float:
    """Return the entropy in bits of parts of these sizes, (n_parts,), which may be 0."""
    shares = sizes[sizes > 0] / sizes.sum()
    return -float(shares @ np.log2(shares))


def part_sizes(game: GameModel, candidates: Indices) -> Counts:
    """Return the cell sizes after every guess, (n_guesses, n_feedback), in any game."""
    sizes = np.empty((game.n_guesses, game.n_feedback), dtype=np.int64)
    if not game.has_table:
        for guess in range(game.n_guesses):
            ids = game.feedback(guess, candidates)
            sizes[guess] = np.bincount(ids, minlength=game.n_feedback)
        return sizes
    table = game.with_table().table
    # Blocks of guesses, as the places of one histogram take eight bytes for each look-up.
    block = max(LOOKUPS_AT_ONCE // len(candidates), 1)
    for first in range(0, game.n_guesses, block):
        rows = table[first : first + block][:, candidates]
        row_starts = np.arange(len(rows))[:, None] * game.n_feedback
        flat = np.bincount((rows + row_starts).ravel(), minlength=len(rows) * game.n_feedback)
        sizes[first : first + block] = flat.reshape(len(rows), game.n_feedback)
    return sizes


def split(game: GameModel, guess: int, candidates: Indices) -> dict[int, Indices]:
    """Return the non-empty cells by feedback id; candidates keep their order."""
    ids = game.feedback(guess, candidates)
    return {int(f): candidates[ids == f] for f in np.unique(ids)}


def unsolved(game: GameModel, guess: int, candidates: Indices) -> dict[int, Indices]:
    """Return the cells of `split` without that of the solved secret."""
    cells = split(game, guess, candidates)
    cells.pop(game.solved, None)
    return cells
