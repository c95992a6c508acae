"""Small candidate sets as games of their own: one guess for each way to split a set."""

import numpy as np

from codebreaker.arithmetic.compile import njit
from codebreaker.trees.kernels.colours import CodeGrid
from codebreaker.trees.kernels.rows import TILE, feedback, fill_row, unfold
from codebreaker.types import FeedbackIds, Indices

HASH = 0x9E3779B97F4A7C15


@njit(nogil=True)
def find_columns(grid: CodeGrid, members: Indices, pool: Indices) -> tuple[FeedbackIds, Indices]:
    """Return each way to split a set, and the first guess of a pool that does it.

    The members come first, each with a column of its own, as a guess that may be the secret is
    better than another with the same cells. Returns the cell of each member, numbered as they come,
    (n_members, n_columns) uint8, where the cell of a secret that is guessed has the number
    n_members; and the guesses. Guesses that split nothing are left out.
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
    found = 0
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
            cells[found, j] = number[f]
            key = (key ^ np.uint64(number[f])) * np.uint64(HASH)
        number[:] = 255
        if parts == 1 and n > 1:
            continue
        slot, known = np.int64((key * np.uint64(HASH)) >> np.uint64(34)) & mask, False
        while slots[slot] >= 0 and not known:
            known = i >= n and (cells[slots[slot]] == cells[found]).all()
            slot = (slot + 1) & mask
        if not known:
            slots[slot], chosen[found] = found, guesses[i]
            found += 1
    by_secret = np.empty((n, found), np.uint8)
    for column in range(found):
        for j in range(n):
            by_secret[j, column] = cells[column, j]
    for j in range(n):
        by_secret[j, j] = n
    return by_secret, chosen[:found].copy()


@njit(nogil=True)
def decide(grid: CodeGrid, members: Indices) -> tuple[int, int]:
    """Return a candidate that is the best guess at a small set, and the set's least total.

    One that tells all apart takes 2n − 1 guesses, which nothing beats; where there is none, 2n is
    the least, which one that leaves a single pair together reaches. Else −1 and 2n.
    """
    n, pair = len(members), -1
    for i in range(n):
        seen, repeats = np.uint64(0), 0
        for j in range(n):
            bit = np.uint64(1) << np.uint64(feedback(grid, members[i], members[j]))
            repeats += (seen & bit) != 0
            seen |= bit
            if repeats > 1:
                break
        if repeats == 0:
            return members[i], 2 * n - 1
        if repeats == 1 and pair < 0:
            pair = members[i]
    return pair, 2 * n
