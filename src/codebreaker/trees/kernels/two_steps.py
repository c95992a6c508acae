"""The choice of guesses by the number of parts after two guesses, in games with a feedback table.

A guess divides the candidates into cells, and the next guess may differ from cell to cell. The
score is the number of parts if each cell is divided into as many as possible (Kooi 2005, Table 12);
guesses with equal numbers may be ranked by the number of cells.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.sets.compile import njit
from codebreaker.sets.primitives import ScoringRule, Sets
from codebreaker.trees.kernels.table import Table, select
from codebreaker.types import Counts, Indices, Scores

BITS = 32
"""Feedback ids per word of a mask."""


class Work(NamedTuple):
    """Working memory: the sizes of a guess's cells, (n_feedback,), and their members, cell by cell.

    `seen` and `parts`, (n_guesses,), are the feedback ids of a cell as bits, and their number.
    """

    sizes: Counts
    fill: Counts
    cells: Indices
    seen: NDArray[np.uint32]
    parts: NDArray[np.int32]


@njit
def choose(
    table: Table, sets: Sets, rule: ScoringRule, then_one: bool, orbits: Indices, guesses: Indices
) -> None:
    """Choose each node's guess into guesses, (n_nodes,) int32; -1 if no guess splits its set.

    If `then_one`, equal numbers of parts after two guesses are ranked by those after one. `orbits`,
    (n_guesses,), are the first guesses that the game's symmetries map to each guess.
    """
    n_secrets, n_guesses = table.by_secret.shape
    scores, n_feedback = np.empty(n_guesses, np.float64), len(rule.weights)
    work = Work(
        np.empty(n_feedback, np.int64),
        np.empty(n_feedback, np.int64),
        np.empty(n_secrets, np.int32),
        np.empty(n_guesses, np.uint32),
        np.empty(n_guesses, np.int32),
    )
    for node in range(len(guesses)):
        members = sets.members[sets.offsets[node] : sets.offsets[node + 1]]
        if len(members) == 1:
            guesses[node] = table.guess_of_secret[members[0]]
            continue
        score_all(table, members, rule.consistent_only, then_one, orbits, work, scores)
        guesses[node] = select(table, members, scores, 0.0, rule)


@njit
def score_all(
    table: Table,
    members: Indices,
    consistent_only: bool,
    then_one: bool,
    orbits: Indices,
    work: Work,
    scores: Scores,
) -> None:
    """Score the guesses for a set; those that can't be among the best get −inf."""
    n, n_feedback, best = len(members), len(work.sizes), 0
    scores[:] = -np.inf
    for i in range(n if consistent_only else len(scores)):
        guess = table.guess_of_secret[members[i]] if consistent_only else i
        if n == len(table.by_secret) and orbits[guess] != guess:
            scores[guess] = scores[orbits[guess]]
            continue
        work.sizes[:] = 0
        for member in members:
            work.sizes[table.by_secret[member, guess]] += 1
        bound, start = 0, 0
        for f in range(n_feedback):
            bound += min(work.sizes[f], n_feedback)
            work.fill[f] = start
            start += work.sizes[f]
        if work.sizes.max() == n or bound < best:
            continue
        for member in members:
            f = table.by_secret[member, guess]
            work.cells[work.fill[f]] = member
            work.fill[f] += 1
        for f in range(n_feedback):
            size = work.sizes[f]
            if size > 2 and bound >= best:
                cell = work.cells[work.fill[f] - size : work.fill[f]]
                bound += most_parts(table, cell, consistent_only, work) - min(size, n_feedback)
        if bound >= best:
            best = bound
            scores[guess] = bound * (n_feedback + 1) + then_one * np.count_nonzero(work.sizes)


@njit
def most_parts(table: Table, cell: Indices, consistent_only: bool, work: Work) -> int:
    """Return the largest number of parts into which a guess divides a cell."""
    seen, parts = work.seen, work.parts
    parts[:] = 0
    for word in range(-(-len(work.sizes) // BITS)):
        seen[:] = 0
        for member in cell:
            row = table.by_secret[member]
            for guess in range(len(seen)):
                here = np.uint32(row[guess] // BITS == word)
                seen[guess] |= here << np.uint32(row[guess] % BITS)
        for guess in range(len(seen)):
            parts[guess] += _ones(seen[guess])
    if not consistent_only:
        return int(parts.max())
    most = 0
    for member in cell:
        most = max(most, parts[table.guess_of_secret[member]])
    return most


@njit
def _ones(word: np.uint32) -> np.int32:
    """Return the number of ones in a word."""
    pairs = word - ((word >> np.uint32(1)) & np.uint32(0x55555555))
    fours = (pairs & np.uint32(0x33333333)) + ((pairs >> np.uint32(2)) & np.uint32(0x33333333))
    eights = (fours + (fours >> np.uint32(4))) & np.uint32(0x0F0F0F0F)
    sixteens = eights + (eights >> np.uint32(8))
    return np.int32((sixteens + (sixteens >> np.uint32(16))) & np.uint32(63))
