"""Small candidate sets as games with a table: one guess for each distinct partition of a set."""

import numpy as np

from codebreaker.sets.codes import TILE, CodeGrid, count_repeats, fill_row, unfold
from codebreaker.sets.compile import njit
from codebreaker.sets.primitives import GOLDEN
from codebreaker.types import FeedbackIds, Indices


@njit(nogil=True)
def find_columns(grid: CodeGrid, members: Indices, pool: Indices) -> tuple[FeedbackIds, Indices]:
    """Return the distinct partitions of a set, and the first guess of the pool for each.

    Returns (n_columns, n_members) uint8, one partition per row: the cell of each member, cells
    being numbered in order of appearance; and the guess of each. The members are the first
    guesses, each with its own row: a guess that may be the secret beats others with the same
    cells, and its own cell has the number n_members. Guesses that split nothing are omitted.
    """
    n, guesses = len(members), np.concatenate((members, pool))
    planes, rows = unfold(grid, guesses), np.empty((n, TILE), np.uint8)
    room = 4
    while room < 2 * len(guesses):
        room *= 2
    slots, mask = np.full(room, -1, np.int32), room - 1
    cells, chosen = np.empty((len(guesses), n), np.uint8), np.empty(len(guesses), np.int32)
    number, id_of = np.full(grid.n_feedback, 255, np.uint8), np.zeros(256, np.int64)
    for k in range(len(grid.raws)):
        id_of[grid.raws[k]] = grid.id_of_raw[k]
    n_columns = 0
    for i in range(len(guesses)):
        at = i % TILE
        if at == 0:
            for j in range(n):
                fill_row(grid.codes[members[j]], planes, i, rows[j])
        parts, key = 0, np.uint64(0)
        for j in range(n):
            f = id_of[rows[j, at]]
            if number[f] == 255:
                number[f] = parts
                parts += 1
            cells[n_columns, j] = number[f]
            key = (key ^ np.uint64(number[f])) * np.uint64(GOLDEN)
        number[:] = 255
        if parts == 1 and n > 1:
            continue
        slot, seen = np.int64((key * np.uint64(GOLDEN)) >> np.uint64(34)) & mask, False
        while slots[slot] >= 0 and not seen:
            seen = i >= n and (cells[slots[slot]] == cells[n_columns]).all()
            slot = (slot + 1) & mask
        if not seen:
            slots[slot], chosen[n_columns] = n_columns, guesses[i]
            n_columns += 1
    for j in range(n):
        cells[j, j] = n
    return cells[:n_columns].copy(), chosen[:n_columns].copy()


@njit(nogil=True)
def shortcut(grid: CodeGrid, members: Indices) -> tuple[int, int]:
    """Return a candidate that is optimal at a small set and the least total, if easily seen.

    A candidate that separates all n takes 2n − 1 guesses, the minimum. Without one, 2n is a lower
    bound, attained by a candidate that leaves one pair in a cell. Otherwise returns −1 and 2n.
    """
    n, pair, stamps = len(members), -1, np.full(grid.n_feedback, -1, np.int32)
    for i in range(n):
        repeats = count_repeats(grid, members[i], members, 1, i, stamps)
        if repeats == 0:
            return members[i], 2 * n - 1
        if repeats == 1 and pair < 0:
            pair = members[i]
    return pair, 2 * n
