"""The last two non-adaptive guesses."""

import numpy as np
from numpy.typing import NDArray

from codebreaker.sets.compile import njit
from codebreaker.types import FeedbackIds, Indices

NONE = -1  # no guess is needed, or no guess exists
MOST = 1 << 40  # more guesses than any game has

Flags = NDArray[np.bool_]
Pairs = NDArray[np.uint16]


@njit(nogil=True)
def count_separating(table: FeedbackIds, separating: Pairs) -> None:
    """Count the guesses that tell each pair of secrets apart."""
    n_guesses, n_secrets = table.shape
    separating[:] = 0
    for guess in range(n_guesses):
        row = table[guess]
        for first in range(n_secrets):
            for second in range(n_secrets):
                separating[first, second] += row[first] != row[second]


@njit(nogil=True)
def hardest_pair(members: Indices, offsets: Indices, separating: Pairs, pair: Indices) -> bool:
    """Write the pair in a cell that the fewest guesses tell apart; return whether there is one."""
    fewest = MOST
    for cell in range(len(offsets) - 1):
        for i in range(offsets[cell], offsets[cell + 1]):
            for j in range(i + 1, offsets[cell + 1]):
                number = int(separating[members[i], members[j]])
                if number < fewest:
                    fewest = number
                    pair[0], pair[1] = members[i], members[j]
    return fewest < MOST


@njit(nogil=True)
def _refine(
    row: FeedbackIds,
    members: Indices,
    offsets: Indices,
    largest: int,
    counts: Indices,
    finer: Indices,
    finer_offsets: Indices,
) -> int:
    """Split cells; return the number of cells of two or more, NONE if one is too large."""
    n_cells, filled = 0, 0
    for cell in range(len(offsets) - 1):
        start, stop = offsets[cell], offsets[cell + 1]
        for i in range(start, stop):
            counts[row[members[i]]] += 1
        fits = True
        for i in range(start, stop):
            if counts[row[members[i]]] > largest:
                fits = False
        if not fits:
            for i in range(start, stop):
                counts[row[members[i]]] = 0
            return NONE
        for i in range(start, stop):
            label = row[members[i]]
            if counts[label] >= 2:
                for j in range(i, stop):
                    if row[members[j]] == label:
                        finer[filled] = members[j]
                        filled += 1
                n_cells += 1
                finer_offsets[n_cells] = filled
            counts[label] = 0
    return n_cells


@njit(nogil=True)
def last_guess(
    table: FeedbackIds,
    members: Indices,
    offsets: Indices,
    separating: Pairs,
    excluded: Flags,
    counts: Indices,
    pair: Indices,
) -> int:
    """Return an allowed guess that separates all cells, or NONE."""
    if not hardest_pair(members, offsets, separating, pair):
        return NONE
    for guess in range(len(table)):
        row = table[guess]
        if excluded[guess] or row[pair[0]] == row[pair[1]]:
            continue
        tells = True
        for cell in range(len(offsets) - 1):
            start, stop = offsets[cell], offsets[cell + 1]
            seen = start
            while seen < stop and counts[row[members[seen]]] == 0:
                counts[row[members[seen]]] = 1
                seen += 1
            for i in range(start, seen):
                counts[row[members[i]]] = 0
            if seen < stop:
                tells = False
                break
        if tells:
            return guess
    return NONE


@njit(nogil=True)
def last_two(
    table: FeedbackIds,
    members: Indices,
    offsets: Indices,
    separating: Pairs,
    excluded: Flags,
    n_feedback: int,
    found: Indices,
) -> bool:
    """Write up to two allowed guesses that separate all cells; return whether they exist."""
    counts, pair = np.zeros(n_feedback, np.int32), np.zeros(2, np.int32)
    below, finer = np.zeros(2, np.int32), np.zeros(len(members), np.int32)
    finer_offsets = np.zeros(len(members) + 1, np.int32)
    found[:] = NONE
    if not hardest_pair(members, offsets, separating, pair):
        return True
    tried = excluded.copy()
    for guess in range(len(table)):
        row = table[guess]
        if tried[guess] or row[pair[0]] == row[pair[1]]:
            continue
        tried[guess] = True
        n_cells = _refine(row, members, offsets, n_feedback, counts, finer, finer_offsets)
        if n_cells == NONE:
            continue
        found[0] = guess
        if n_cells == 0:
            return True
        cells = finer_offsets[: n_cells + 1]
        found[1] = last_guess(table, finer[: cells[-1]], cells, separating, tried, counts, below)
        if found[1] != NONE:
            return True
    found[:] = NONE
    return False
