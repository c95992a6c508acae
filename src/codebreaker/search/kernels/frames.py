"""Frames: a candidate set as a small game, with one guess for each distinct partition of it.

A guess is left out if a symmetry of the set, which exchanges up to two pairs of pegs and one pair
of colours, maps it to one that is tried.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.compiling.cpu import inner, njit
from codebreaker.sets import codes
from codebreaker.sets.numbering import SymmetricCodes
from codebreaker.sets.primitives import GOLDEN, bit_count
from codebreaker.types import CellSizes, FeedbackIds, Indices, Offsets, SymbolMatrix

WORD = 16
"""Labels that one plane counts, a bit each."""

TILE = 256
"""Columns that are transposed together."""

LINE = 64
"""Columns that are gathered together: the bytes of a cache line."""

DISTINCT = 64
"""Maximum size of a set in which equal columns are merged, if labels fit a word."""

N_LABELS = 256
"""Labels that a byte can tell apart: the minimum length of arrays by label."""


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
    planes: CellSizes  # (the sum of n_rows · widths[w],): one bit set in each word, or none
    starts: Offsets  # (n_planes,): where each plane begins
    widths: Offsets  # (n_planes,), descending: the columns of each plane


class Exchanges(NamedTuple):
    """Exchanges of pegs, and of the names of colours, the identity first; none if unknown."""

    orders: SymbolMatrix  # (n_orders, pegs): where each peg comes from
    names: SymbolMatrix  # (n_renamings, pegs, n_colours): the new name of a colour at a peg


@inner
def _relabel(
    source: FeedbackIds, rows: Indices, number: Indices, labels: FeedbackIds
) -> tuple[int, np.uint64]:
    """Write cells, numbered in order of appearance, of some rows; return their number and a hash.

    So columns with the same partition get the same labels. `number` (n_labels,) is −1 between uses.
    """
    parts = 0
    key = np.uint64(0)
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


@inner
def _copy(source: FeedbackIds, rows: Indices, labels: FeedbackIds) -> int:
    """Copy some rows of a column, with labels below 64; return the number of cells."""
    seen = np.int64(0)
    for j in range(len(rows)):
        labels[j] = source[rows[j]]
        seen |= 1 << np.int64(labels[j])
    return bit_count(seen)


@inner
def _equal(first: FeedbackIds, second: FeedbackIds) -> bool:
    """Return whether two rows of labels of one length are equal."""
    for j in range(len(first)):  # noqa: SIM110 (compiled)
        if first[j] != second[j]:
            return False
    return True


@inner
def make_frame(frame: Frame, members: Indices, guess_of_secret: Indices, n_feedback: int) -> Frame:
    """Return the frame of a subset of a frame's candidates.

    The members' own guesses keep a column each, as a candidate solves its own cell. Of all other
    guesses, one with each partition of the set is left, and none that splits nothing.
    """
    n = len(members)
    n_old = len(frame.guesses)
    # 1. The members' rows, old and new.
    rows = np.empty(n, np.int32)
    row_of = np.full(len(frame.row_of), -1, np.int32)
    for j in range(n):
        rows[j] = frame.row_of[members[j]]
        row_of[members[j]] = j
    # 2. The candidates' columns come first: no other guess stands for them. `column_at` has the
    #    new column of each old one, −1 if it is left out; up to here, of candidates alone.
    column_at = np.full(n_old, -1, np.int32)
    order = np.empty(n_old, np.int32)
    at = n
    for j in range(n):
        order[j] = frame.column_of[guess_of_secret[members[j]]]
        column_at[order[j]] = j
    for k in range(n_old):
        if column_at[k] < 0:
            order[at] = k
            at += 1
    labels = np.empty((n_old, n), frame.labels.dtype)
    parts = np.empty(n_old, np.uint16)
    n_labels = max(N_LABELS, n_feedback)
    number = np.full(n_labels, -1, np.int32)
    old_of = np.empty(n_old, np.int32)
    # 3. Keep each column unless its partition is in a hash table of new columns. Large sets have
    #    few equal columns, so theirs are copied without a look.
    copies = n > DISTINCT and n_feedback <= WORD
    room = 16
    while room < 2 * n_old:
        room *= 2
    slots = np.full(room, -1, np.int32)
    mask = room - 1
    n_columns = 0
    for entry in range(n_old):
        k = order[entry]
        key = np.uint64(0)
        if copies:
            n_parts = _copy(frame.labels[k], rows, labels[n_columns])
        else:
            n_parts, key = _relabel(frame.labels[k], rows, number, labels[n_columns])
        if n_parts == 1 and entry >= n:
            column_at[k] = -1
            continue
        slot = np.int64((key * np.uint64(GOLDEN)) >> np.uint64(34)) & mask
        same = -1
        while not copies and slots[slot] >= 0:
            if entry >= n and _equal(labels[slots[slot]], labels[n_columns]):
                same = slots[slot]
                break
            slot = (slot + 1) & mask
        if same < 0:
            if not copies:
                slots[slot] = n_columns
            same = n_columns
            parts[n_columns] = n_parts
            old_of[n_columns] = k
            n_columns += 1
        column_at[k] = same
    return _sorted(frame, row_of, column_at, old_of[:n_columns], labels, parts, n_labels)


@inner
def frame_of_table(
    table: Frame,
    by_secret: FeedbackIds,
    members: Indices,
    guess_of_secret: Indices,
    n_feedback: int,
) -> Frame:
    """Return a set's frame from a table with one row per secret, (n_secrets, n_guesses).

    Members' rows are gathered into columns, LINE columns at a time: as many as one cache line of a
    row has.
    """
    n = len(members)
    labels = np.empty((by_secret.shape[1], n), by_secret.dtype)
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
    return make_frame(gathered, members, guess_of_secret, n_feedback)


@inner
def _sorted(
    frame: Frame,
    row_of: Indices,
    column_at: Indices,
    old_of: Indices,
    labels: FeedbackIds,
    parts: CellSizes,
    n_labels: int,
) -> Frame:
    """Return a frame from its columns in any order, by descending number of parts, with planes.

    `column_at` has the unsorted column of each column of the old frame, or −1, and `old_of` the old
    one of each unsorted column. All labels are below `n_labels`.
    """
    n_columns = len(old_of)
    n = labels.shape[1]
    # 1. A counting sort: columns with p parts begin at starts_of[n_labels − p].
    starts_of = np.zeros(n_labels + 2, np.int64)
    for k in range(n_columns):
        starts_of[n_labels + 1 - parts[k]] += 1
    for value in range(n_labels + 1):
        starts_of[value + 1] += starts_of[value]
    guesses = np.empty(n_columns, np.int32)
    new_of = np.empty(n_columns, np.int32)
    sorted_labels = np.empty((n_columns, n), labels.dtype)
    sorted_parts = np.empty(n_columns, np.uint16)
    for k in range(n_columns):
        new = starts_of[n_labels - parts[k]]
        starts_of[n_labels - parts[k]] += 1
        new_of[k] = new
        guesses[new] = frame.guesses[old_of[k]]
        sorted_parts[new] = parts[k]
        for j in range(n):
            sorted_labels[new, j] = labels[k, j]
    column_of = np.full(len(frame.column_of), -1, np.int32)
    for guess in range(len(column_of)):
        old = frame.column_of[guess]
        if old >= 0 and column_at[old] >= 0:
            column_of[guess] = new_of[column_at[old]]
    # 2. The planes: columns with more than 16 w parts alone have labels in plane w, and come first.
    n_planes = (np.int64(sorted_parts[0]) + WORD - 1) // WORD if n_columns else 0
    starts = np.empty(n_planes, np.int64)
    widths = np.zeros(n_planes, np.int64)
    size = 0
    for w in range(n_planes):
        while widths[w] < n_columns and sorted_parts[widths[w]] > w * WORD:
            widths[w] += 1
        starts[w] = size
        size += n * widths[w]
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


@inner
def count_parts(
    frame: Frame, members: Indices, n_columns: int, words: CellSizes, parts: CellSizes
) -> None:
    """Count the parts into which each of the first columns divides a subset, (n_columns,).

    The bitwise OR of the members' rows of a plane has a bit for each cell of a column; `words`
    (n_columns,) is working memory. Four rows are read together to write `words` less often.
    """
    row_of = frame.row_of
    n = len(members)
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
            # After the last member it is read again, which changes no bit.
            start_a = frame.starts[w] + width * row_of[members[j]]
            start_b = frame.starts[w] + width * row_of[members[min(j + 1, n - 1)]]
            start_c = frame.starts[w] + width * row_of[members[min(j + 2, n - 1)]]
            start_d = frame.starts[w] + width * row_of[members[min(j + 3, n - 1)]]
            row_a = frame.planes[start_a : start_a + used]
            row_b = frame.planes[start_b : start_b + used]
            row_c = frame.planes[start_c : start_c + used]
            row_d = frame.planes[start_d : start_d + used]
            for k in range(used):
                words[k] |= row_a[k] | row_b[k] | row_c[k] | row_d[k]
        for k in range(used):
            parts[k] += bit_count(words[k])


@inner
def exchanged(
    codes: SymmetricCodes, exchanges: Exchanges, order: int, renaming: int, guess: int
) -> int:
    """Return a guess's image under an order of pegs and a renaming of colours."""
    number = 0
    code = codes.codes[guess]
    for peg in range(len(code)):
        colour = code[exchanges.orders[order, peg]]
        number += codes.places[peg] * exchanges.names[renaming, peg, colour]
    return codes.index_of[number]


@inner
def find_exchanges(
    codes: SymmetricCodes,
    exchanges: Exchanges,
    members: Indices,
    guess_of_secret: Indices,
    marks: Offsets,
    mark: int,
    set_exchanges: Indices,
) -> int:
    """Write the exchanges that map a set onto itself as `set_exchanges`, (n, 2); return how many.

    An exchange maps distinct candidates to distinct codes, so it maps the set onto itself if every
    image is a member's. `marks` (n_guesses,) has the mark at the guesses of members alone.
    """
    n_exchanges = 0
    for order in range(len(exchanges.orders)):
        for renaming in range(len(exchanges.names)):
            if order == renaming == 0 or n_exchanges == len(set_exchanges):
                continue
            fits = True
            for member in members:
                image = exchanged(codes, exchanges, order, renaming, guess_of_secret[member])
                if marks[image] != mark:
                    fits = False
                    break
            if fits:
                set_exchanges[n_exchanges, 0] = order
                set_exchanges[n_exchanges, 1] = renaming
                n_exchanges += 1
    return n_exchanges


@inner
def _has_image(
    codes: SymmetricCodes,
    exchanges: Exchanges,
    set_exchanges: Indices,
    column_of: Indices,
    guess: int,
    column: int,
    allowed: FeedbackIds,
) -> bool:
    """Return whether an exchange maps a guess to an earlier (and allowed) column."""
    for entry in range(len(set_exchanges)):
        order = np.int64(set_exchanges[entry, 0])
        renaming = np.int64(set_exchanges[entry, 1])
        image = column_of[exchanged(codes, exchanges, order, renaming, guess)]
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
    n = len(members)
    guesses = np.concatenate((members, pool))
    planes = codes.unfold(grid, guesses)
    rows = np.empty((n, codes.TILE), np.uint8)  # a tile of guesses, as raw feedback by member
    room = 4
    while room < 2 * len(guesses):
        room *= 2
    slots = np.full(room, -1, np.int32)
    mask = room - 1
    cells = np.empty((len(guesses), n), np.uint8)
    chosen = np.empty(len(guesses), np.int32)
    number = np.full(grid.n_feedback, 255, np.uint8)
    id_of = np.zeros(N_LABELS, np.int64)
    for k in range(len(grid.raws)):
        id_of[grid.raws[k]] = grid.id_of_raw[k]
    n_columns = 0
    for i in range(len(guesses)):
        # 1. The feedback of the next tile of guesses.
        at = i % codes.TILE
        if at == 0:
            for j in range(n):
                codes.fill_row(grid.codes[members[j]], planes, i, rows[j])
        # 2. The guess's cells, numbered in order of appearance.
        parts = 0
        key = np.uint64(0)
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
        # 3. Keep it if it is a member's or its partition is new.
        slot = np.int64((key * np.uint64(GOLDEN)) >> np.uint64(34)) & mask
        seen = False
        while slots[slot] >= 0 and not seen:
            seen = i >= n and (cells[slots[slot]] == cells[n_columns]).all()
            slot = (slot + 1) & mask
        if not seen:
            slots[slot] = n_columns
            chosen[n_columns] = guesses[i]
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
