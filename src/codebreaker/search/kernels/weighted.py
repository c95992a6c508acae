"""The search for the minimum weighted total of guesses, for secrets with a prior.

It is the recursion of `recursion` with the steps that are defined here, and two that are those of
`search`. Sets have their candidates in the order of their weights, heaviest first, so a candidate's
place bounds its turn: if no guess makes more than p parts, t turns solve at most p^(t−1) candidates
of a cell, the heaviest at best. There is no limit on guesses: `left` is always 0.
"""

import numpy as np

from codebreaker.compiling.cpu import inner, njit
from codebreaker.search.kernels.cost_bounds import LABELS, _separator
from codebreaker.search.kernels.frames import Frame, count_parts, make_frame
from codebreaker.search.kernels.options import (
    DONE,
    OWN_FRAME,
    WORK_LEFT,
    Listing,
    Search,
    _frame_of,
    key_of_set,
    pack_option,
)
from codebreaker.search.kernels.recursion import SearchSteps, branch_and_bound
from codebreaker.search.kernels.search import label_members, left_of_cell
from codebreaker.sets.primitives import sort_positions
from codebreaker.sets.transposition import (
    EXACT,
    LOWER,
    UNSEEN,
    TranspositionTable,
    add,
    find,
)
from codebreaker.types import Hashes, Indices, Offsets


@inner
def read(slots: Hashes, slot: int) -> tuple[int, int, int]:
    """Return a slot's state, total and guess, of slots (n_slots, 4).

    Weighted totals need a word of their own: the key, the total, and the guess + 1, or 0.
    """
    total = int(np.int64(slots[slot, 2]))
    guess = int(np.int64(slots[slot, 3])) - 1
    if total == 0:
        return UNSEEN, total, guess
    return EXACT if guess >= 0 else LOWER, total, guess


@inner
def store(
    memo: TranspositionTable, key: tuple[np.uint64, np.uint64], total: int, guess: int
) -> int:
    """Store a minimum total with its guess, or a bound with −1; return it."""
    slot = add(memo, key)
    if slot >= 0:
        memo.slots[slot, 2] = np.uint64(total)
        memo.slots[slot, 3] = np.uint64(guess + 1)
    return total


@njit(nogil=True, inline="always")
def bound_of_size(search: Search, members: Indices, left: int) -> int:
    """Return the minimum total of up to two candidates, the heavier first; else 0."""
    weights = search.weights
    total = 0
    if len(members) <= 2:
        for j in range(len(members)):
            total += (j + 1) * int(weights[members[j]])
    return total


@njit(nogil=True, inline="always")
def left_after(search: Search, left: int) -> int:
    """Return `left`: there is no limit on guesses."""
    return left


@njit(nogil=True, inline="always")
def shortcut_of(search: Search, frame: Frame, members: Indices, left: int) -> tuple[int, int]:
    """Return a candidate's guess that separates all others if it is optimal, and the total.

    Otherwise return −1 and a bound.
    """
    weights = search.weights
    n = len(members)
    twice = 0
    if not n <= search.n_feedback <= LABELS:
        return -1, 0
    for member in members:
        twice += 2 * int(weights[member])
    position, _ = _separator(
        frame.labels, frame.column_of, frame.row_of, search.guess_of_secret, members, 0
    )
    # `position` has the heaviest candidate that separates all others: its total is 2 W − w. Of
    # other guesses, a candidate that leaves a pair together solves w_first now at best, and one of
    # the pair, w_last at least, needs a third guess; a guess that is no candidate needs 2 W or
    # more.
    lower = twice - max(int(weights[members[0]] - weights[members[n - 1]]), 0)
    if position >= 0:
        total = twice - int(weights[members[position]])
        if total <= lower:
            return int(search.guess_of_secret[members[position]]), total
    return -1, lower


@njit(nogil=True, inline="always")
def bound_of_cell(
    search: Search, frame: Frame, depth: int, cell: Indices, left: int, limit: int
) -> tuple[int, int, bool]:
    """Return a cell's share of its guess's bound, a bound on its total, and whether it is exact."""
    weights = search.weights
    turns = search.cell_bounds[depth]
    share = 0
    for j in range(len(cell)):
        share += weights[cell[j]] * turns[j]
    slot = find(search.memo.slots, search.memo.used[1], key_of_set(search, cell, left))
    state, total, _ = read(search.memo.slots, slot)
    return share, max(total, share), state == EXACT


@inner
def bound_of_split(
    search: Search, frame: Frame, depth: int, n: int, left: int, option: int, highest: int
) -> int:
    """Return the option's bound, which `_find_options` computed by the same cells."""
    return int(search.option_bounds[depth, option])


@inner
def _fill_turns(turns: Offsets, n: int, most: int) -> None:
    """Write the first turn at which the j-th heaviest candidate of a cell can be solved, (n,).

    No guess makes more than `most` parts, so t turns solve at most most^(t−1) candidates. By the
    rearrangement inequality the weighted total is lowest if the heaviest come first.
    """
    filled = 0
    room = 1  # candidates that can be solved up to this turn
    turn = 1
    while filled < n:
        for _ in range(min(room, n) - filled):
            turns[filled] = turn
            filled += 1
        turn += 1
        room = room * most if room < n else n


@inner
def _find_options(
    search: Search, frame: Frame, depth: int, members: Indices, limit: int
) -> tuple[int, int]:
    """List guesses with bounds below a limit, in order; return their number and the lowest bound.

    Writes `options`, `option_bounds`, `order` and, as turns by place, `cell_bounds` at the depth.
    """
    n = len(members)
    n_columns = len(frame.guesses)
    weights = search.weights
    turns = search.cell_bounds[depth]
    options = search.options[depth]
    bounds = search.option_bounds[depth]
    parts = search.parts
    counts = search.counts
    by_parts = search.by_parts
    # 1. The number of parts of each column, and the largest.
    if n == frame.labels.shape[1]:
        parts[:n_columns] = frame.parts
    else:
        count_parts(frame, members, n_columns, search.plane_words, parts)
    most = 0
    for column in range(n_columns):
        most = max(most, int(parts[column]))
    _fill_turns(turns, n, most)
    total = 0
    for member in members:
        total += weights[member]
    # 2. A guess with p parts: the heaviest p take two guesses, all others three or more. A
    #    candidate saves one guess for itself.
    by_parts[0] = 3 * total
    for p in range(most):
        by_parts[p + 1] = by_parts[p] - weights[members[p]]
    n_options = 0
    for entry in range(n + n_columns):
        is_candidate = entry < n
        saved = 0
        column = entry - n
        if is_candidate:
            column = int(frame.column_of[search.guess_of_secret[members[entry]]])
            saved = weights[members[entry]]
        divided = int(parts[column])
        if is_candidate:
            parts[column] = 0  # so that it isn't listed again among the columns
        if divided < 2 or by_parts[divided] - saved >= limit:
            continue
        if depth == 0 and not search.allowed[column]:
            continue
        # 3. The bound by cells: each member takes this guess and, by its place in its cell, the
        #    first turn at which it can be solved. A candidate's own cell takes no further guess.
        labels = frame.labels[column]
        bound = total - saved
        for member in members:
            label = labels[frame.row_of[member]]
            bound += weights[member] * turns[counts[label]]
            counts[label] += 1
        for member in members:
            counts[labels[frame.row_of[member]]] = 0
        if bound < limit:
            options[n_options] = pack_option(column, is_candidate)
            bounds[n_options] = bound
            n_options += 1
    order = search.order[depth, :n_options]
    sort_positions(bounds, order)
    return n_options, bounds[order[0]] if n_options else limit


@inner
def list_options(
    search: Search, frame: Frame, depth: int, members: Indices, left: int, limit: int, pool: Indices
) -> tuple[Frame, Listing]:
    """Return a frame for a set, and what is listed of its guesses; a set is one unit of work."""
    search.tally[WORK_LEFT] -= 1
    n = len(members)
    if depth == 0:
        frame = _frame_of(search, members, pool)
    elif n >= OWN_FRAME and 2 * n <= frame.labels.shape[1]:
        frame = make_frame(frame, members, search.guess_of_secret, search.n_feedback)
    n_options, lowest = _find_options(search, frame, depth, members, limit)
    # Repeated partitions are not looked for: the memo has the totals of their cells.
    return frame, Listing(DONE, n_options, lowest, True, False)


_recursion = branch_and_bound(
    SearchSteps(
        name="weighted",
        label_members=label_members,
        bound_of_size=bound_of_size,
        left_after=left_after,
        left_of_cell=left_of_cell,
        shortcut_of=shortcut_of,
        bound_of_cell=bound_of_cell,
        bound_of_split=bound_of_split,
        list_options=list_options,
        read=read,
        store=store,
    )
)
minimum_total = _recursion.minimum_total
guesses_for = _recursion.guesses_for
