"""Feedback computed on demand, and cell counts, for games without a table.

A tile of guesses is laid out position by position and colour by colour, one byte each (two with
more than 255 colours), so that the feedback of all its guesses to one secret takes a few vectorised
comparisons. Matches with each feedback are counted in bytes too, and added to wider counts before
they overflow.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.sets.codes import feedback_id
from codebreaker.sets.compile import inner, njit
from codebreaker.trees.kernels.colours import CodeGrid
from codebreaker.trees.kernels.sets import Sets
from codebreaker.types import FeedbackIds, Indices, SymbolMatrix

TILE = 2048

LARGEST_IN_BYTES = 255
"""The largest candidate set whose cells are counted in bytes."""

Wide = NDArray[np.uint32]


class Planes(NamedTuple):
    """Guesses laid out by position and by colour, padded to full tiles of n guesses in all.

    `colours` is (pegs, n), of the type of codes; `counts` is (n_colours, n) uint8, how often each
    guess has each colour.
    """

    colours: SymbolMatrix
    counts: FeedbackIds


class Tile(NamedTuple):
    """Working memory of a tile: four `rows`, and cell counts by feedback id, in bytes and wider."""

    rows: FeedbackIds
    byte_counts: FeedbackIds
    counts: Wide


@njit(nogil=True)
def make_tile(grid: CodeGrid) -> Tile:
    """Allocate the working memory for tiles of a game."""
    return Tile(
        np.empty((4, TILE), np.uint8),
        np.empty((grid.n_feedback, TILE), np.uint8),
        np.empty((grid.n_feedback, TILE), np.uint32),
    )


@njit(nogil=True)
def unfold(grid: CodeGrid, pool: Indices) -> Planes:
    """Lay out guesses by position and by colour."""
    pegs, padded = grid.codes.shape[1], -(-len(pool) // TILE) * TILE
    colours = np.zeros((pegs, padded), grid.codes.dtype)
    counts = np.zeros((grid.n_colours, padded), np.uint8)
    for i in range(len(pool)):
        for peg in range(pegs):
            colour = grid.codes[pool[i], peg]
            colours[peg, i] = colour
            counts[colour, i] += 1
    return Planes(colours, counts)


@njit(nogil=True)
def fill_row(code: SymbolMatrix, planes: Planes, start: int, row: FeedbackIds) -> None:
    """Compute c(c + 1)/2 + b of a tile's guesses with a code into row, (TILE,) uint8.

    c is the number of colours in common, b that of black pegs.
    """
    pegs, end = len(code), start + TILE
    for peg in range(pegs):
        most, new = 0, True
        for before in range(pegs):
            if code[before] == code[peg]:
                most += 1
                new &= before >= peg
        cap, plane = np.uint8(most), planes.counts[code[peg], start:end]
        if peg == 0:
            for g in range(TILE):
                row[g] = min(plane[g], cap)
        elif new:
            for g in range(TILE):
                row[g] = np.uint8(row[g] + min(plane[g], cap))
    for g in range(TILE):
        half = np.uint8(np.uint8(row[g] + np.uint8(1)) >> np.uint8(1))
        row[g] = np.uint8(half * np.uint8(row[g] | np.uint8(1)))
    for peg in range(0, pegs - 1, 2):
        one, other = planes.colours[peg, start:end], planes.colours[peg + 1, start:end]
        colour, next_colour = code[peg], code[peg + 1]
        for g in range(TILE):
            both = np.uint8(np.uint8(one[g] == colour) + np.uint8(other[g] == next_colour))
            row[g] = np.uint8(row[g] + both)
    if pegs % 2:
        last, colour = planes.colours[pegs - 1, start:end], code[pegs - 1]
        for g in range(TILE):
            row[g] = np.uint8(row[g] + np.uint8(last[g] == colour))


@njit(nogil=True)
def count_tile(grid: CodeGrid, planes: Planes, members: Indices, start: int, tile: Tile) -> None:
    """Count the cells of a pool's guesses from start on into the tile.

    Sets of up to LARGEST_IN_BYTES are counted into `byte_counts` only, others into `counts`.
    """
    byte_counts, counts = tile.byte_counts, tile.counts
    byte_counts[:] = 0
    fits = len(members) <= LARGEST_IN_BYTES
    if not fits:
        counts[:] = 0
    a, b, c, d = tile.rows[0], tile.rows[1], tile.rows[2], tile.rows[3]
    in_fours = len(members) - len(members) % 4
    for i in range(0, in_fours, 4):
        for j in range(4):
            fill_row(grid.codes[members[i + j]], planes, start, tile.rows[j])
        for k in range(len(grid.raws)):
            raw, cell = grid.raws[k], byte_counts[grid.id_of_raw[k]]
            for g in range(TILE):
                one = np.uint8(np.uint8(a[g] == raw) + np.uint8(b[g] == raw))
                other = np.uint8(np.uint8(c[g] == raw) + np.uint8(d[g] == raw))
                cell[g] = np.uint8(cell[g] + np.uint8(one + other))
        if (i + 4) % 252 == 0 and not fits:
            _move(byte_counts, counts)
    for i in range(in_fours, len(members)):
        fill_row(grid.codes[members[i]], planes, start, a)
        for k in range(len(grid.raws)):
            raw, cell = grid.raws[k], byte_counts[grid.id_of_raw[k]]
            for g in range(TILE):
                cell[g] = np.uint8(cell[g] + np.uint8(a[g] == raw))
    if not fits:
        _move(byte_counts, counts)


@inner
def _move(byte_counts: FeedbackIds, counts: Wide) -> None:
    """Add the counts in bytes to the wider ones, and reset them."""
    for f in range(len(byte_counts)):
        cell, total = byte_counts[f], counts[f]
        for g in range(TILE):
            total[g] += cell[g]
            cell[g] = 0


@njit(nogil=True)
def feedback(grid: CodeGrid, guess: int, secret: int) -> int:
    """Return the feedback id of a guess to a secret."""
    return feedback_id(grid.codes, grid.counts, grid.ids, guess, secret)


@njit(nogil=True)
def count_repeats(
    grid: CodeGrid, guess: int, members: Indices, most: int, stamp: int, stamps: Indices
) -> int:
    """Count the members whose feedback an earlier member has too; stop beyond `most`.

    `stamps` (n_feedback,) must not hold the `stamp` before.
    """
    repeats = 0
    for member in members:
        one = feedback(grid, guess, member)
        repeats += stamps[one] == stamp
        stamps[one] = stamp
        if repeats > most:
            break
    return repeats


@njit(nogil=True)
def feedback_of_sets(grid: CodeGrid, sets: Sets, guesses: Indices) -> FeedbackIds:
    """Return the feedback id of each node's guess to each of its members, (n_members,) uint8.

    It finds a colour in common at the later of its two pegs, in one pass over the pegs: faster than
    `feedback_id`, which compares the counts of all colours.
    """
    ids = np.empty(len(sets.members), np.uint8)
    ahead = np.empty(grid.n_colours, np.int64)  # of each colour: pegs of the guess minus the member
    for node in range(len(guesses)):
        guess = guesses[node]
        for i in range(sets.offsets[node], sets.offsets[node + 1]):
            black, common = 0, 0
            ahead[:] = 0
            for peg in range(grid.codes.shape[1]):
                one, other = grid.codes[guess, peg], grid.codes[sets.members[i], peg]
                black += one == other
                common += ahead[one] < 0
                ahead[one] += 1
                common += ahead[other] > 0
                ahead[other] -= 1
            ids[i] = grid.ids[black, common]
    return ids
