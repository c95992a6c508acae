"""Branch and bound over game trees: the minimum cost (by default, guesses) of a candidate set.

Koyama and Lai 1993 solved MM(4,6) first, by depth-first search. Here, guesses are tried in the
order of their bounds (`options`). For each, the known bounds of its cells (`cost_bounds`) are added
up, then the cells are solved, smallest first.

`minimum_total` serves three searches. `weighted` and `rollout` compile it again with other steps:
each lists, at its end, which functions of this module it replaces. Everything between the lines
'steps' and 'recursion' may be replaced; what a step has to do is in its docstring here.
"""

import numpy as np

from codebreaker.compiling.cpu import njit
from codebreaker.search.kernels import options
from codebreaker.search.kernels.cost_bounds import _glance, _look, _row_after
from codebreaker.search.kernels.frames import Frame, _has_image, find_exchanges
from codebreaker.search.kernels.options import (
    DONE,
    STOPPED,
    TOO_DEEP,
    Search,
    _list_options,
    unpack_option,
)
from codebreaker.sets.primitives import GOLDEN
from codebreaker.sets.transposition import EXACT, LOWER, NONE, UNSEEN, find, key_of
from codebreaker.sets.transposition import read as _read
from codebreaker.sets.transposition import store as _store
from codebreaker.types import FeedbackIds, Hashes, Indices, Offsets

EXCHANGED = 12
"""Minimum candidates, and minimum options, for which symmetries of the set are looked for."""

OPEN_SIZE = 3
"""Minimum size of the cells that are searched; bounds by size are exact for smaller ones."""


# ---- steps, which `weighted` and `rollout` may replace, as `_list_options`, `_read`, `_store` ----


@njit(nogil=True, inline="always")
def _label_members(frame: Frame, column: int, members: Indices, labels: FeedbackIds) -> None:
    """Write each member's cell under a column's guess into `labels`, (n_members,)."""
    row = frame.labels[column]
    row_of = frame.row_of
    for j in range(len(members)):
        labels[j] = row[row_of[members[j]]]


@njit(nogil=True, inline="always")
def _bound_of_size(search: Search, members: Indices, left: int) -> int:
    """Return a lower bound on the cost by the set's size; it is exact up to two candidates."""
    return int(search.bounds[left, len(members)])


@njit(nogil=True, inline="always")
def _left_after(search: Search, left: int) -> int:
    """Return the guesses left after one, as a row of `search.bounds`."""
    return _row_after(search.bounds, left)


@njit(nogil=True, inline="always")
def _left_of_cell(frame: Frame, left_after: int, label: int, size: int) -> int:
    """Return the `left` of a cell with this label and size, given that of `_left_after`.

    It is part of the cell's key in the memo: whatever the cost of a cell depends on besides its
    members must be in it. Here this is the number of guesses left alone.
    """
    return left_after


@njit(nogil=True, inline="always")
def _shortcut_of(search: Search, frame: Frame, members: Indices, left: int) -> tuple[int, int]:
    """Return an optimal candidate's guess and the cost if easily seen, else −1 and a bound."""
    return _look(
        frame, search.guess_of_secret, search.n_feedback, search.charges, members,
        left,
    )  # fmt: skip


@njit(nogil=True, inline="always")
def _bound_of_cell(
    search: Search, frame: Frame, depth: int, cell: Indices, left: int, limit: int
) -> tuple[int, int, bool]:
    """Return what is known of a cell: its share of its guess's bound, a bound, whether it is exact.

    The share is what `_bound_of_split` counted for the cell. The bound is at least the share, so
    replacing one by the other keeps the sum a lower bound. Beyond the limit for the cell's cost
    above its share, nothing further is looked up.
    """
    share = search.cell_bounds[depth, len(cell)]
    bound, is_exact = _glance(
        frame, search.guess_of_secret, search.n_feedback, search.bounds,
        search.charges, search.memo, cell, left, limit + share,
    )  # fmt: skip
    return share, max(bound, share), is_exact


@njit(nogil=True, inline="always")
def _bound_of_split(
    search: Search, frame: Frame, depth: int, n: int, left: int, option: int, highest: int
) -> int:
    """Return a lower bound on the cost of a set of n if the guess that `_split` laid out is played.

    Each member pays for this guess; each cell costs at least its bound by size and number of parts.
    The cell of a solved secret, of size 1, needs no further guess.
    """
    cell_starts = search.cell_starts[depth]
    cell_bounds = search.cell_bounds[depth]
    _, is_candidate = unpack_option(search.options[depth, option])
    total = n * search.charges[left]
    for label in range(highest + 1):
        total += int(cell_bounds[cell_starts[label + 1] - cell_starts[label]])
    return total - is_candidate * int(cell_bounds[1])


# ---- the cells of a guess ----


@njit(nogil=True, inline="always")
def _split(
    search: Search, frame: Frame, depth: int, members: Indices, column: int
) -> tuple[int, int]:
    """Lay out a column's cells at a depth; return how many are open, and the highest label.

    Writes `cell_starts[depth]`, `members[depth]` (by cell, in the order of the set) and
    `open_cells[depth]`, the labels of the cells of OPEN_SIZE candidates or more, smallest first.
    """
    counts = search.counts
    labels = search.labels
    cell_members = search.members[depth]
    cell_starts = search.cell_starts[depth]
    open_cells = search.open_cells[depth]
    n_open = 0
    highest = 0
    _label_members(frame, column, members, labels)
    for j in range(len(members)):
        label = int(np.int64(labels[j]))
        counts[label] += 1
        highest = max(highest, label)
    # An insertion sort of the open cells by size, as there are few.
    cell_starts[0] = 0
    for label in range(highest + 1):
        cell_starts[label + 1] = cell_starts[label] + counts[label]
        if counts[label] >= OPEN_SIZE:
            entry = n_open
            while entry > 0:
                previous = open_cells[entry - 1]
                if counts[label] >= cell_starts[previous + 1] - cell_starts[previous]:
                    break
                open_cells[entry] = previous
                entry -= 1
            open_cells[entry] = label
            n_open += 1
    # A counting sort from the last member down keeps the order within cells, and leaves all counts
    # at 0 for the next use.
    for j in range(len(members) - 1, -1, -1):
        label = labels[j]
        counts[label] -= 1
        cell_members[cell_starts[label] + counts[label]] = members[j]
    return n_open, highest


@njit(nogil=True)
def _signature(words: Hashes, cell_starts: Offsets, cells: Indices, highest: int) -> np.uint64:
    """Return a signature of the partition that `_split` laid out, independent of its labels.

    Each member adds a word that is mixed with a word of its cell's first member. `words` are the
    memo's, (n_secrets, 2).
    """
    signature = np.uint64(0)
    for label in range(highest + 1):
        if cell_starts[label] == cell_starts[label + 1]:
            continue
        first_word = words[cells[cell_starts[label]], 1]
        for j in range(cell_starts[label], cell_starts[label + 1]):
            signature += (words[cells[j], 0] ^ first_word) * np.uint64(GOLDEN)
    return signature


@njit(nogil=True)
def _is_tried(signatures: Hashes, signature: np.uint64, mask: int) -> bool:
    """Return whether a signature is in a hash table of mask + 1 slots, 0 if free; else add it."""
    signature |= np.uint64(1)  # a signature of 0 would look like a free slot
    slot = np.int64(signature >> np.uint64(20)) & mask
    while signatures[slot] != 0:
        if signatures[slot] == signature:
            return True
        slot = (slot + 1) & mask
    signatures[slot] = signature
    return False


# ---- recursion ----


@njit(nogil=True)
def minimum_total(
    search: Search, frame: Frame, depth: int, members: Indices, left: int, limit: int, pool: Indices
) -> tuple[int, int]:
    """Return a status, and the minimum cost of a set if it is below a limit, else a bound ≥ limit.

    `members` (n,) int32 is a candidate set, a subset of the frame's. `left` is the number of
    guesses left, a row of `search.bounds`. `pool` lists the guesses to try at depth 0, at least one
    of each class of equivalent guesses. The cost is valid if the status is DONE. With STOPPED the
    work of `search.tally` is used up; the memo keeps what was solved, so calling again goes on.
    TOO_DEEP means that there is no working memory at the next depth.

    The memo always has a set's minimum cost with its guess, or a lower bound on it. A bound of
    `limit` is stored where every guess was shown to cost `limit` or more.
    """
    # 1. The bound by size: t guesses leave at most (k − 1)^t sets, if there are k feedback ids.
    n = len(members)
    lower = _bound_of_size(search, members, left)
    if n < OPEN_SIZE or lower >= limit:
        return DONE, lower
    # 2. The memo: the minimum, or a bound that is large enough.
    key = key_of(search.memo.words, members, left)
    state, total, _ = _read(search.memo.slots, find(search.memo.slots, search.memo.used[1], key))
    if state == EXACT or (state == LOWER and total >= limit):
        return DONE, total
    if depth == len(search.options):
        return TOO_DEEP, 0
    search.tally[options.SETS_SEARCHED] += 1
    # 3. At the first visit, see whether one guess solves the set: no search is needed then.
    if state == UNSEEN:
        guess, total = _shortcut_of(search, frame, members, left)
        if guess >= 0:
            return DONE, _store(search.memo, key, total, guess)
        if total >= limit:
            return DONE, _store(search.memo, key, total, NONE)
    lower = max(lower, total)  # both are lower bounds: `total` is of the memo or of step 3
    if search.tally[options.WORK_LEFT] < 0:
        return STOPPED, 0
    # 4. List the guesses whose bounds are below the limit. If there are none, every tree costs
    #    `limit` or more.
    frame, listing = _list_options(search, frame, depth, members, left, limit, pool)
    if listing.status != DONE:
        return listing.status, 0
    if listing.n_options == 0:
        return DONE, _store(search.memo, key, limit, NONE)
    # 5. Symmetries that map the set onto itself. The image of a guess costs as much as the guess,
    #    so of guesses that are images of each other the one in the first column suffices: step 6b.
    set_exchanges = search.set_exchanges[:0]
    allowed = search.allowed if depth == 0 else search.allowed[:0]
    if listing.n_options >= EXCHANGED and n >= EXCHANGED:
        search.tally[options.SETS_MARKED] += 1
        mark = search.tally[options.SETS_MARKED]
        guess_of = search.guess_of_secret
        marks = search.marks
        for member in members:
            marks[guess_of[member]] = mark
        n_exchanges = find_exchanges(
            search.exchanges, members, guess_of, marks, mark, search.set_exchanges
        )
        # Deeper calls overwrite `search.set_exchanges`.
        set_exchanges = search.set_exchanges[:n_exchanges].copy()
    best = limit  # the cost to stay below
    winner = -1
    after = _left_after(search, left)
    # No guess costs less than `lowest`: it is a bound for the set, and the lowest bound of a guess.
    lowest = max(lower, listing.lowest)
    n_to_try = search.beam[1] if n > search.beam[0] else listing.n_options
    n_slots = 4
    signatures = search.signatures[depth]
    if listing.may_repeat:
        while n_slots < 2 * listing.n_options:
            n_slots *= 2
        signatures[:n_slots] = 0
    # 6. Try them, lowest bound first.
    for entry in range(listing.n_options):
        option = search.order[depth, entry]
        # 6a. A guess whose bound is not below the best cost can't improve it. If bounds ascend,
        #     neither can any later one.
        if search.option_bounds[depth, option] >= best:
            if listing.in_order:
                break
            continue
        column, is_candidate = unpack_option(search.options[depth, option])
        # 6b. A guess with an image in an earlier column is left out. That column's guess is tried
        #     unless it has such an image too, so the first of all images always is tried.
        if len(set_exchanges) and _has_image(
            search.exchanges, set_exchanges, frame.column_of, frame.guesses[column], column, allowed
        ):
            continue
        n_open, highest = _split(search, frame, depth, members, column)
        # 6c. So is a guess with a partition that was tried. A candidate solves its own cell, so it
        #     never has the partition of a guess that is none.
        if listing.may_repeat:
            signature = _signature(
                search.memo.words, search.cell_starts[depth], search.members[depth], highest
            )
            if is_candidate:
                signature = ~signature
            if _is_tried(signatures, signature, n_slots - 1):
                continue
        # A beam search tries no further guesses; its results are costs of trees, not minima.
        if n_to_try == 0:
            break
        n_to_try -= 1
        # 6d. Bound the guess by its cells, then solve these until the sum reaches the best cost.
        total = _bound_of_split(search, frame, depth, n, left, option, highest)
        if n_open and total < best:
            status, total = _total_of_cells(search, frame, depth, n_open, total, best, after, pool)
            if status != DONE:
                return status, 0
        # Below the best cost, `total` is the guess's minimum cost, not only a bound.
        if total < best:
            best = total
            winner = frame.guesses[column]
            if best == lowest:
                break
    # 7. Without a winner, all guesses cost `limit` or more: those that weren't listed (4), those
    #    that were excluded by their bounds (6a, 6d), and those that equal one of these (6b, 6c).
    if winner < 0:
        return DONE, _store(search.memo, key, limit, NONE)
    return DONE, _store(search.memo, key, best, winner)


@njit(nogil=True, inline="always")
def _total_of_cells(
    search: Search,
    frame: Frame,
    depth: int,
    n_open: int,
    bound: int,
    best: int,
    left_after: int,
    pool: Indices,
) -> tuple[int, int]:
    """Return a status, and the cost of the guess that `_split` laid out, or a bound ≥ `best`.

    `bound` is that of `_bound_of_split`. At any time the total is a lower bound on the guess's
    cost: the sum of exact costs of small cells, and of a bound or the minimum of each open cell.
    So nothing is lost by stopping once it reaches `best`.
    """
    cell_starts = search.cell_starts[depth]
    members = search.members[depth]
    open_cells = search.open_cells[depth]
    values = search.open_values[depth]
    exact = search.open_exact[depth]
    # 1. What is known or easily seen of each cell. This refutes most guesses.
    total = bound
    for entry in range(n_open):
        label = open_cells[entry]
        cell = members[cell_starts[label] : cell_starts[label + 1]]
        left = _left_of_cell(frame, left_after, label, len(cell))
        share, value, is_exact = _bound_of_cell(search, frame, depth, cell, left, best - total)
        values[entry] = value
        exact[entry] = is_exact
        total += value - share
        if total >= best:
            return DONE, total
    # 2. Solve the others, smallest first: they are the cheapest to refute a guess with. A cell may
    #    cost what `best` leaves after the bounds of all other cells.
    for entry in range(n_open):
        if exact[entry]:
            continue
        label = open_cells[entry]
        others = total - values[entry]
        cell = members[cell_starts[label] : cell_starts[label + 1]]
        left = _left_of_cell(frame, left_after, label, len(cell))
        status, value = minimum_total(search, frame, depth + 1, cell, left, best - others, pool)
        if status != DONE:
            return status, 0
        total = others + max(value, values[entry])
        if total >= best:
            return DONE, total
    return DONE, total


@njit(nogil=True)
def guesses_for(search: Search, members: Indices, offsets: Offsets, left: int) -> Indices:
    """Return the optimal guess of each set that is known to the memo or easily seen, else −1.

    Set i has members[offsets[i] : offsets[i + 1]]; the result is (n_sets,) int32.
    """
    guesses = np.empty(len(offsets) - 1, np.int32)
    for node in range(len(guesses)):
        cell = members[offsets[node] : offsets[node + 1]]
        if len(cell) < OPEN_SIZE:
            guesses[node] = search.guess_of_secret[cell[0]]
            continue
        guess, _ = _shortcut_of(search, search.frame, cell, left)
        if guess < 0:
            memo = search.memo
            slot = find(memo.slots, memo.used[1], key_of(memo.words, cell, left))
            state, _, memo_guess = _read(memo.slots, slot)
            guess = memo_guess if state == EXACT else -1
        guesses[node] = guess
    return guesses
