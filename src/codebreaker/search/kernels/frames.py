"""Frames: a candidate set as a small game, with one guess for each distinct partition of it.

A guess is left out if a symmetry of the set, which exchanges up to two pairs of positions and one
pair of colours, maps it to one that is tried.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.sets import codes
from codebreaker.sets.compile import njit
from codebreaker.sets.primitives import GOLDEN, bit_count
from codebreaker.types import CellSizes, FeedbackIds, Indices, Offsets, SymbolMatrix

WORD = 16  # labels that one plane counts, a bit each
TILE = 256  # columns that are transposed together
LINE = 64  # columns that are gathered together: the bytes of a cache line
DISTINCT = 64  # largest set in which equal columns are merged; larger ones have few


class Frame(NamedTuple):
    """The distinct partitions of a candidate set as columns, by descending number of parts.

    Plane w has the bits of labels 16 w to 16 w + 15 for the first widths[w] columns, the only ones
    with such labels: row r is planes[starts[w] + r · widths[w]:][: widths[w]]. Without planes the
    columns are all guesses, and the labels are feedback ids.
    """

    guesses: Indices  # (n_columns,): a guess for each column
    column_of: Indices  # (n_guesses,): the column with a guess's partition, −1 if it has one part
    row_of: Indices  # (n_secrets,): each candidate's row
    labels: FeedbackIds  # (n_columns, n_rows): the cells of a column, numbered
    parts: CellSizes  # (n_columns,): the number of cells
    planes: CellSizes
    starts: Offsets
    widths: Offsets


class Exchanges(NamedTuple):
    """Exchanges of positions and of colours in a game, the identity first; empty if unknown."""

    codes: SymbolMatrix  # (n_guesses, pegs)
    index_of: Indices  # a code's index by the sum of its digits times `places`
    places: Offsets  # (pegs,)
    positions: SymbolMatrix  # (n_orders, pegs): where each peg comes from
    colours: SymbolMatrix  # (n_renamings, n_colours): new names


@njit(nogil=True)
def _relabel(
    source: FeedbackIds, rows: Indices, number: Indices, labels: FeedbackIds
) -> tuple[int, np.uint64]:
    """Write cells in order of appearance; return their number and a hash."""
    parts, key = 0, np.uint64(0)
    for j in range(len(rows)):
        old = source[rows[j]]
        if number[old] < 0:
            number[old] = parts
            parts += 1
        labels[j] = number[old]
        key = (key ^ np.uint64(number[old])) * np.uint64(GOLDEN)
    for j in range(len(rows)):
        number[source[rows[j]]] = -1
    return parts, key


@njit(nogil=True)
def _copy(source: FeedbackIds, rows: Indices, labels: FeedbackIds) -> int:
    seen = np.int64(0)
    for j in range(len(rows)):
        labels[j] = source[rows[j]]
        seen |= 1 << np.int64(labels[j])
    return bit_count(seen)


@njit(nogil=True)
def _equal(one: FeedbackIds, other: FeedbackIds) -> bool:
    for j in range(len(one)):  # noqa: SIM110 (compiled)
        if one[j] != other[j]:
            return False
    return True


@njit(nogil=True)
def make_frame(frame: Frame, members: Indices, guess_of_secret: Indices, n_feedback: int) -> Frame:
    """Return the frame of a subset of a frame's candidates."""
    n, n_old = len(members), len(frame.guesses)
    rows, row_of = np.empty(n, np.int32), np.full(len(frame.row_of), -1, np.int32)
    for j in range(n):
        rows[j], row_of[members[j]] = frame.row_of[members[j]], j
    # The candidates' columns come first: no other guess stands for them.
    place, order, at = np.full(n_old, -1, np.int32), np.empty(n_old, np.int32), n
    for j in range(n):
        order[j] = frame.column_of[guess_of_secret[members[j]]]
        place[order[j]] = j
    for k in range(n_old):
        if place[k] < 0:
            order[at] = k
            at += 1
    labels, parts = np.empty((n_old, n), np.uint8), np.empty(n_old, np.uint16)
    number, old_of = np.full(256, -1, np.int32), np.empty(n_old, np.int32)
    copies, room = n > DISTINCT and n_feedback <= WORD, 16
    while room < 2 * n_old:
        room *= 2
    slots, mask, n_columns = np.full(room, -1, np.int32), room - 1, 0
    for entry in range(n_old):
        k, key = order[entry], np.uint64(0)
        if copies:
            n_parts = _copy(frame.labels[k], rows, labels[n_columns])
        else:
            n_parts, key = _relabel(frame.labels[k], rows, number, labels[n_columns])
        if n_parts == 1 and entry >= n:
            place[k] = -1
            continue
        slot, same = np.int64((key * np.uint64(GOLDEN)) >> np.uint64(34)) & mask, -1
        while not copies and slots[slot] >= 0:
            if entry >= n and _equal(labels[slots[slot]], labels[n_columns]):
                same = slots[slot]
                break
            slot = (slot + 1) & mask
        if same < 0:
            if not copies:
                slots[slot] = n_columns
            same = n_columns
            parts[n_columns], old_of[n_columns] = n_parts, k
            n_columns += 1
        place[k] = same
    return _sorted(frame, row_of, place, old_of[:n_columns], labels, parts)


@njit(nogil=True)
def frame_of_table(
    table: Frame, by_secret: FeedbackIds, members: Indices, own: Indices, n_feedback: int
) -> Frame:
    """Return a set's frame from a table with one row per secret."""
    n, labels = len(members), np.empty((by_secret.shape[1], len(members)), np.uint8)
    row_of = np.full(len(table.row_of), -1, np.int32)
    for j in range(n):
        row_of[members[j]] = j
    for first in range(0, len(labels), LINE):
        last = min(first + LINE, len(labels))
        for j in range(n):
            row = by_secret[members[j]]
            for k in range(first, last):
                labels[k, j] = row[k]
    gathered = Frame(
        table.guesses, table.column_of, row_of, labels, table.parts, table.planes, table.starts,
        table.widths,
    )  # fmt: skip
    return make_frame(gathered, members, own, n_feedback)


@njit(nogil=True)
def _sorted(
    frame: Frame,
    row_of: Indices,
    place: Indices,
    old_of: Indices,
    labels: FeedbackIds,
    parts: CellSizes,
) -> Frame:
    """Return a frame from its columns in any order; `place` has that of each old column."""
    n_columns, n = len(old_of), labels.shape[1]
    starts_of = np.zeros(258, np.int64)
    for k in range(n_columns):
        starts_of[257 - parts[k]] += 1
    for value in range(257):
        starts_of[value + 1] += starts_of[value]
    guesses, new_of = np.empty(n_columns, np.int32), np.empty(n_columns, np.int32)
    sorted_labels, sorted_parts = np.empty((n_columns, n), np.uint8), np.empty(n_columns, np.uint16)
    for k in range(n_columns):
        new = starts_of[256 - parts[k]]
        starts_of[256 - parts[k]] += 1
        new_of[k], guesses[new], sorted_parts[new] = new, frame.guesses[old_of[k]], parts[k]
        for j in range(n):
            sorted_labels[new, j] = labels[k, j]
    column_of = np.full(len(frame.column_of), -1, np.int32)
    for guess in range(len(column_of)):
        old = frame.column_of[guess]
        if old >= 0 and place[old] >= 0:
            column_of[guess] = new_of[place[old]]
    n_planes = (np.int64(sorted_parts[0]) + WORD - 1) // WORD if n_columns else 0
    starts, widths, at, size = np.empty(n_planes, np.int64), np.zeros(n_planes, np.int64), 0, 0
    for w in range(n_planes):
        while widths[w] < n_columns and sorted_parts[widths[w]] > w * WORD:
            widths[w] += 1
        starts[w], size = size, size + n * widths[w]
    planes = np.empty(size, np.uint16)
    for w in range(n_planes):
        for first in range(0, widths[w], TILE):
            last = min(first + TILE, widths[w])
            for j in range(n):
                at = starts[w] + j * widths[w]
                for k in range(first, last):
                    shift = np.int64(sorted_labels[k, j]) - w * WORD
                    planes[at + k] = 1 << shift if 0 <= shift < WORD else 0
    return Frame(guesses, column_of, row_of, sorted_labels, sorted_parts, planes, starts, widths)


@njit(nogil=True)
def count_parts(
    frame: Frame, members: Indices, n_columns: int, words: CellSizes, parts: CellSizes
) -> None:
    """Count the parts into which each of the first columns divides a subset, (n_columns,)."""
    row_of, n = frame.row_of, len(members)
    for k in range(n_columns):
        parts[k] = 0
    for w in range(len(frame.widths)):
        width = frame.widths[w]
        used = min(width, n_columns)
        if used == 0:
            break
        for k in range(used):
            words[k] = 0
        for j in range(0, n, 4):
            a = frame.starts[w] + width * row_of[members[j]]
            b = frame.starts[w] + width * row_of[members[min(j + 1, n - 1)]]
            c = frame.starts[w] + width * row_of[members[min(j + 2, n - 1)]]
            d = frame.starts[w] + width * row_of[members[min(j + 3, n - 1)]]
            one, two = frame.planes[a : a + used], frame.planes[b : b + used]
            three, four = frame.planes[c : c + used], frame.planes[d : d + used]
            for k in range(used):
                words[k] |= one[k] | two[k] | three[k] | four[k]
        for k in range(used):
            parts[k] += bit_count(words[k])


@njit(nogil=True)
def exchanged(exchanges: Exchanges, order: int, renaming: int, guess: int) -> int:
    """Return a guess's image."""
    value, code = 0, exchanges.codes[guess]
    for peg in range(len(code)):
        colour = code[exchanges.positions[order, peg]]
        value += exchanges.places[peg] * exchanges.colours[renaming, colour]
    return exchanges.index_of[value]


@njit(nogil=True)
def find_exchanges(
    exchanges: Exchanges, members: Indices, own: Indices, marks: Offsets, mark: int, found: Indices
) -> int:
    """Write the exchanges that map a set onto itself into `found`, (n, 2); return their number.

    `marks` has the mark at the members' own guesses, and nowhere else.
    """
    n_found = 0
    for order in range(len(exchanges.positions)):
        for renaming in range(len(exchanges.colours)):
            if order == renaming == 0 or n_found == len(found):
                continue
            fits = True
            for member in members:
                image = exchanged(exchanges, order, renaming, own[member])
                if marks[image] != mark:
                    fits = False
                    break
            if fits:
                found[n_found, 0], found[n_found, 1] = order, renaming
                n_found += 1
    return n_found


@njit(nogil=True)
def _has_image(
    exchanges: Exchanges,
    found: Indices,
    column_of: Indices,
    guess: int,
    column: int,
    allowed: FeedbackIds,
) -> bool:
    """Return whether an exchange maps a guess to an earlier (and allowed) column."""
    for entry in range(len(found)):
        order, renaming = np.int64(found[entry, 0]), np.int64(found[entry, 1])
        image = column_of[exchanged(exchanges, order, renaming, guess)]
        if image < column and (len(allowed) == 0 or allowed[image]):
            return True
    return False


@njit(nogil=True)
def find_columns(
    grid: codes.CodeGrid, members: Indices, pool: Indices
) -> tuple[FeedbackIds, Indices]:
    """Return the distinct partitions of a set, and the first guess of the pool for each.

    Partitions are (n_columns, n_members) uint8, cells in order of appearance. Members come first,
    each with its own cell n_members. Guesses that split nothing are omitted.
    """
    n, guesses = len(members), np.concatenate((members, pool))
    planes, rows = codes.unfold(grid, guesses), np.empty((n, codes.TILE), np.uint8)
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
        at = i % codes.TILE
        if at == 0:
            for j in range(n):
                codes.fill_row(grid.codes[members[j]], planes, i, rows[j])
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
def shortcut(grid: codes.CodeGrid, members: Indices) -> tuple[int, int]:
    """Return an optimal candidate of a small set and its total, 2n − 1 or 2n; or −1 and 2n."""
    stamps = np.empty(grid.n_feedback, np.int32)
    guess, repeats = codes.separator(grid, members, 1, False, stamps)
    return guess, 2 * len(members) - (repeats == 0)
