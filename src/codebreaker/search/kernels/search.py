"""Branch and bound over game trees: the minimum cost (by default, guesses) of a candidate set.

Guesses are tried in the order of their bounds (`options`). For each, the known bounds of its cells
(`cost_bounds`) are added up, then the cells are solved, smallest first. `weighted` and `rollout`
compile this module with some functions replaced.
"""

import numpy as np

from codebreaker.search.kernels import options
from codebreaker.search.kernels.cost_bounds import _glance, _look, _row_after
from codebreaker.search.kernels.frames import Frame, _has_image, find_exchanges
from codebreaker.search.kernels.options import Search, _frame_and_options
from codebreaker.sets.compile import njit
from codebreaker.sets.memo import EXACT, LOWER, NONE, UNSEEN, find, key_of
from codebreaker.sets.memo import read as _read  # `weighted` replaces both
from codebreaker.sets.memo import store as _store
from codebreaker.sets.primitives import GOLDEN
from codebreaker.types import FeedbackIds, Hashes, Indices, Offsets

STOPPED, TOO_DEEP = -1, -2  # results: no work is left; no working memory at this depth
EXCHANGED = 12  # candidates, and options, from which symmetries of the set are used


@njit(nogil=True, inline="always")
def _label(frame: Frame, column: int, members: Indices, labels: FeedbackIds) -> None:
    row, row_of = frame.labels[column], frame.row_of
    for j in range(len(members)):
        labels[j] = row[row_of[members[j]]]


@njit(nogil=True, inline="always")
def _split(
    search: Search, frame: Frame, depth: int, members: Indices, column: int
) -> tuple[int, int]:
    """Lay out a column's cells; return the number of cells of 3 or more, and the highest label."""
    counts, labels = search.counts, search.labels
    cells, at, listed = search.members[depth], search.at[depth], search.cells[depth]
    n_listed, highest = 0, 0
    _label(frame, column, members, labels)
    for j in range(len(members)):
        label = int(np.int64(labels[j]))
        counts[label] += 1
        highest = max(highest, label)
    at[0] = 0
    for f in range(highest + 1):
        at[f + 1] = at[f] + counts[f]
        if counts[f] >= 3:
            place = n_listed
            while place > 0 and counts[f] < at[listed[place - 1] + 1] - at[listed[place - 1]]:
                listed[place] = listed[place - 1]
                place -= 1
            listed[place], n_listed = f, n_listed + 1
    for j in range(len(members) - 1, -1, -1):
        f = labels[j]
        counts[f] -= 1
        cells[at[f] + counts[f]] = members[j]
    return n_listed, highest


@njit(nogil=True)
def _signature(words: Hashes, at: Offsets, cells: Indices, highest: int) -> np.uint64:
    """Return a signature of the partition, independent of its labels."""
    signature = np.uint64(0)
    for f in range(highest + 1):
        if at[f] == at[f + 1]:
            continue
        leader = words[cells[at[f]], 1]
        for j in range(at[f], at[f + 1]):
            signature += (words[cells[j], 0] ^ leader) * np.uint64(GOLDEN)
    return signature


@njit(nogil=True)
def _is_tried(signatures: Hashes, signature: np.uint64, mask: int) -> bool:
    """Return whether a signature is in a hash table, and add it."""
    signature |= np.uint64(1)
    slot = np.int64(signature >> np.uint64(20)) & mask
    while signatures[slot] != 0:
        if signatures[slot] == signature:
            return True
        slot = (slot + 1) & mask
    signatures[slot] = signature
    return False


@njit(nogil=True, inline="always")
def _bound_of_size(search: Search, members: Indices, left: int) -> int:
    """Return a bound by size; it is exact up to two candidates."""
    return int(search.bounds[left, len(members)])


@njit(nogil=True, inline="always")
def _left_after(search: Search, left: int) -> int:
    return _row_after(search.bounds, left)


@njit(nogil=True, inline="always")
def _left_at(frame: Frame, left: int, label: int, size: int) -> int:
    """Return the guesses left at a cell; `rollout` codes the turn and the feedback in it."""
    return left


@njit(nogil=True, inline="always")
def _seen(search: Search, frame: Frame, members: Indices, left: int) -> tuple[int, int]:
    """Return an optimal candidate and its cost if easily seen, else −1 and a bound."""
    return _look(
        frame, search.guess_of_secret, search.n_feedback, search.charges, members,
        left,
    )  # fmt: skip


@njit(nogil=True, inline="always")
def _known(
    search: Search, frame: Frame, depth: int, cell: Indices, row: int, limit: int
) -> tuple[int, int, bool]:
    """Return a cell's share of its guess's bound, a bound on its cost, and whether it is exact."""
    before = search.cell_bounds[depth, len(cell)]
    value, exact = _glance(
        frame, search.guess_of_secret, search.n_feedback, search.bounds,
        search.charges, search.memo, cell, row, limit + before,
    )  # fmt: skip
    return before, max(value, before), exact


@njit(nogil=True, inline="always")
def _bound_of(
    search: Search, frame: Frame, depth: int, n: int, left: int, option: int, highest: int
) -> int:
    at, bounds = search.at[depth], search.cell_bounds[depth]
    total = n * search.charges[left]
    for f in range(highest + 1):
        total += int(bounds[at[f + 1] - at[f]])
    return total - (search.options[depth, option] & 1) * int(bounds[1])


@njit(nogil=True)
def minimum_total(
    search: Search, frame: Frame, depth: int, members: Indices, left: int, limit: int, pool: Indices
) -> int:
    """Return the minimum cost of a set if it is below a limit, else a lower bound ≥ the limit.

    `pool` lists the guesses to try at depth 0, one of each symmetry class. Returns STOPPED or
    TOO_DEEP if the search ends early.
    """
    n = len(members)
    lower = _bound_of_size(search, members, left)
    if n <= 2 or lower >= limit:
        return lower
    key = key_of(search.memo.words, members, left)
    state, total, _ = _read(search.memo.slots, find(search.memo.slots, search.memo.used[1], key))
    if state == EXACT or (state == LOWER and total >= limit):
        return total
    if depth == len(search.options):
        return TOO_DEEP
    search.tally[options.SETS_SEARCHED] += 1
    if state == UNSEEN:
        guess, total = _seen(search, frame, members, left)
        if guess >= 0:
            return _store(search.memo, key, total, guess)
        if total >= limit:
            return _store(search.memo, key, total, NONE)
    lower = max(lower, total)
    if search.tally[options.LEFT] < 0:
        return STOPPED
    frame, own, n_options, lowest, in_order = _frame_and_options(
        search, frame, depth, members, left, limit, pool
    )
    if n_options <= 0:
        return n_options if n_options < 0 else _store(search.memo, key, limit, NONE)
    found = search.found[:0]
    allowed = search.allowed if depth == 0 else search.allowed[:0]
    if n_options >= EXCHANGED and n >= EXCHANGED:
        search.tally[options.SETS_MARKED] += 1
        mark = search.tally[options.SETS_MARKED]
        guess_of, marks = search.guess_of_secret, search.marks
        for member in members:
            marks[guess_of[member]] = mark
        n_found = find_exchanges(search.exchanges, members, guess_of, marks, mark, search.found)
        found = search.found[:n_found].copy()
    best, winner, row = limit, -1, _left_after(search, left)
    most = search.beam[1] if n > search.beam[0] else n_options
    lowest, slots, signatures = max(lower, lowest), 4, search.signatures[depth]
    if not own:
        while slots < 2 * n_options:
            slots *= 2
        signatures[:slots] = 0
    for entry in range(n_options):
        option = search.order[depth, entry]
        if search.option_bounds[depth, option] >= best:
            if in_order:
                break
            continue
        column = search.options[depth, option] >> 1
        if len(found) and _has_image(
            search.exchanges, found, frame.column_of, frame.guesses[column], column, allowed
        ):
            continue
        n_cells, highest = _split(search, frame, depth, members, column)
        if not own:
            at, cells = search.at[depth], search.members[depth]
            signature = _signature(search.memo.words, at, cells, highest)
            if search.options[depth, option] & 1:
                signature = ~signature
            if _is_tried(signatures, signature, slots - 1):
                continue
        if most == 0:
            break
        most -= 1
        total = _bound_of(search, frame, depth, n, left, option, highest)
        if n_cells and total < best:
            total = _total_of_cells(search, frame, depth, n_cells, total, best, row, pool)
        if total < 0:
            return total
        if total < best:
            best, winner = total, frame.guesses[column]
            if best == lowest:
                break
    if winner < 0:
        return _store(search.memo, key, limit, NONE)
    return _store(search.memo, key, best, winner)


@njit(nogil=True, inline="always")
def _total_of_cells(
    search: Search, frame: Frame, depth: int, n: int, bound: int, best: int, row: int, pool: Indices
) -> int:
    """Add up the listed cells' known bounds, then solve them; stop once `best` is reached."""
    at, members, listed = search.at[depth], search.members[depth], search.cells[depth]
    values, exact = search.values[depth], search.exact[depth]
    total = bound
    for entry in range(n):
        f = listed[entry]
        cell = members[at[f] : at[f + 1]]
        left = _left_at(frame, row, f, len(cell))
        before, value, known = _known(search, frame, depth, cell, left, best - total)
        values[entry], exact[entry] = value, known
        total += value - before
        if total >= best:
            return total
    for entry in range(n):
        if exact[entry]:
            continue
        f = listed[entry]
        others = total - values[entry]
        cell = members[at[f] : at[f + 1]]
        left = _left_at(frame, row, f, len(cell))
        value = minimum_total(search, frame, depth + 1, cell, left, best - others, pool)
        if value < 0:
            return value
        total = others + max(value, values[entry])
        if total >= best:
            return total
    return total


@njit(nogil=True)
def guesses_for(search: Search, members: Indices, offsets: Offsets, left: int) -> Indices:
    """Return the memo's optimal guess, or −1, of each set."""
    guesses = np.empty(len(offsets) - 1, np.int32)
    for node in range(len(guesses)):
        one = members[offsets[node] : offsets[node + 1]]
        if len(one) <= 2:
            guesses[node] = search.guess_of_secret[one[0]]
            continue
        guess, _ = _seen(search, search.frame, one, left)
        if guess < 0:
            memo = search.memo
            slot = find(memo.slots, memo.used[1], key_of(memo.words, one, left))
            state, _, kept = _read(memo.slots, slot)
            guess = kept if state == EXACT else -1
        guesses[node] = guess
    return guesses
