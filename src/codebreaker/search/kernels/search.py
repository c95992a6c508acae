"""Branch and bound over game trees: the least cost of a candidate set, by default its guesses.

Guesses are tried in the order of their bounds (`options`): what is known of their cells, or quickly
seen (`cost_bounds`), is added up; then the cells are solved, from the smallest on, until the total
reaches the incumbent's.
"""

import numpy as np

from codebreaker.search.kernels.cells import _is_tried, _split
from codebreaker.search.kernels.cost_bounds import _glance, _look, _row_after
from codebreaker.search.kernels.frames import WORD, Frame, frame_of_table, make_frame
from codebreaker.search.kernels.options import (
    LOOKUPS_LEFT,
    SETS_MARKED,
    SETS_SEARCHED,
    Search,
    _find_options,
    _order_by_estimates,
)
from codebreaker.search.kernels.symmetry import _has_image, find_exchanges
from codebreaker.sets.compile import inner, njit
from codebreaker.sets.memo import EXACT, LOWER, NONE, UNSEEN, find, key_of, read, store
from codebreaker.types import FeedbackIds, Indices

STOPPED, TOO_DEEP = -1, -2
"""Results: the look-ups are used up; the search is deeper than its working memory."""

OWN_FRAME = 16
"""The smallest set that gets a frame of its own below one of at least twice its size."""

EXCHANGED = 12
"""The smallest set, and the fewest options, for which symmetries of the set are sought."""

FRAME_BYTES = 1 << 28
"""The largest frame."""


@inner
def _mark_allowed(allowed: FeedbackIds, column_of: Indices, n_columns: int, pool: Indices) -> None:
    """Mark the columns of a pool's guesses; all, if the pool has every guess."""
    allowed[:n_columns] = len(pool) == len(column_of)
    for guess in pool:
        if column_of[guess] >= 0:
            allowed[column_of[guess]] = 1


@inner
def _frame_of(search: Search, members: Indices, pool: Indices) -> Frame:
    """Return the frame of a set at depth 0, if it has room, and mark the columns to try there."""
    frame, n_planes = search.frame, (search.n_feedback + WORD - 1) // WORD
    size = len(members) * len(frame.guesses) * (1 + 2 * n_planes)
    if not search.consistent_only and size <= FRAME_BYTES:
        guess_of_secret, n_feedback = search.guess_of_secret, search.n_feedback
        if len(search.by_secret):
            frame = frame_of_table(frame, search.by_secret, members, guess_of_secret, n_feedback)
        else:
            frame = make_frame(frame, members, guess_of_secret, n_feedback)
    _mark_allowed(search.allowed, frame.column_of, len(frame.guesses), pool)
    return frame


@njit(nogil=True)
def least_total(
    search: Search,
    frame: Frame,
    depth: int,
    members: Indices,
    left: int,
    limit: int,
    pool: Indices,
) -> int:
    """Return the least cost of a set if it is below a limit, else a lower bound of at least it.

    `left` is the number of guesses left. At depth 0 the frame is the search's, and `pool` are the
    guesses to try: every other guess is the image of one of them under a symmetry that preserves
    the set. Returns STOPPED or TOO_DEEP if the search ends early. With a beam the cost is that of
    the best play within it, and what is a bound otherwise is none.
    """
    n = len(members)
    lower = int(search.bounds[left, n])
    if n <= 2 or lower >= limit:
        return lower
    key = key_of(search.memo.words, members, left)
    state, total, _ = read(search.memo.slots, find(search.memo.slots, key))
    if state == EXACT or (state == LOWER and total >= limit):
        return total
    if depth == len(search.options):
        return TOO_DEEP
    search.tally[SETS_SEARCHED] += 1
    if state == UNSEEN:
        guess, total = _look(
            frame, search.guess_of_secret, search.n_feedback, search.charges, members, left
        )
        if guess >= 0:
            return store(search.memo, key, total, guess)
        if total >= limit:
            return store(search.memo, key, total, NONE)
    lower = max(lower, total)
    if search.tally[LOOKUPS_LEFT] < 0:
        return STOPPED
    if depth == 0:
        frame = _frame_of(search, members, pool)
    n_options, least = _find_options(search, frame, depth, members, left, limit)
    if n_options == 0:
        return store(search.memo, key, limit, NONE)
    own, n_found = len(frame.widths) > 0 and n == frame.labels.shape[1], 0
    if len(frame.widths) > 1 and n >= OWN_FRAME and 2 * n <= frame.labels.shape[1]:
        frame, own = make_frame(frame, members, search.guess_of_secret, search.n_feedback), True
        n_options, least = _find_options(search, frame, depth, members, left, limit)
    found, allowed = search.found[:0], search.allowed if depth == 0 else search.allowed[:0]
    if n_options >= EXCHANGED and n >= EXCHANGED:
        search.tally[SETS_MARKED] += 1
        mark = search.tally[SETS_MARKED]
        for member in members:
            search.marks[search.guess_of_secret[member]] = mark
        n_found = find_exchanges(
            search.exchanges, members, search.guess_of_secret, search.marks, mark, search.found
        )
        found = search.found[:n_found].copy()
    best, winner, tried, row = limit, -1, 0, _row_after(search.bounds, left)
    most = search.beam[1] if n > search.beam[0] else n_options
    if most < n_options:
        _order_by_estimates(search, frame, depth, members, n_options)
    signatures, least = search.signatures[depth], max(lower, least)
    for entry in range(n_options):
        option = search.order[depth, entry]
        bound = np.int64(search.option_bounds[depth, option])
        if bound >= best:
            continue
        column, solved = search.options[depth, option] >> 1, search.options[depth, option] & 1
        if n_found and _has_image(
            search.exchanges, found, frame.column_of, frame.guesses[column], column, allowed
        ):
            continue
        n_cells, below, signature = _split(search, frame, depth, members, column)
        if solved:
            signature = ~signature
        if not own:
            if _is_tried(signatures[:tried], signature):
                continue
            signatures[tried] = signature
            tried += 1
        if most == 0:
            break
        most -= 1
        total = n * search.charges[left] + below - solved * search.cell_bounds[depth, 1]
        if n_cells and total < best:
            total = _total_of_cells(search, frame, depth, n_cells, total, best, row, pool)
        if total < 0:
            return total
        if total < best:
            best, winner = total, frame.guesses[column]
            if best == least:
                break
    if winner < 0:
        return store(search.memo, key, limit, NONE)
    return store(search.memo, key, best, winner)


@inner(inline="always")
def _total_of_cells(
    search: Search,
    frame: Frame,
    depth: int,
    n_cells: int,
    bound: int,
    best: int,
    row: int,
    pool: Indices,
) -> int:
    """Add up what is known of the listed cells, then solve them; stop once `best` is reached."""
    at, members, listed = search.at[depth], search.members[depth], search.cells[depth]
    values, exact = search.values[depth], search.exact[depth]
    total = bound
    for entry in range(n_cells):
        f = listed[entry]
        cell = members[at[f] : at[f + 1]]
        before = search.cell_bounds[depth, len(cell)]
        value, known = _glance(
            frame,
            search.guess_of_secret,
            search.n_feedback,
            search.bounds,
            search.charges,
            search.memo,
            cell,
            row,
            best - total + before,
        )
        values[entry], exact[entry] = max(value, before), known
        total += values[entry] - before
        if total >= best:
            return total
    for entry in range(n_cells):
        if exact[entry]:
            continue
        f = listed[entry]
        others = total - values[entry]
        cell = members[at[f] : at[f + 1]]
        value = least_total(search, frame, depth + 1, cell, row, best - others, pool)
        if value < 0:
            return value
        total = others + max(value, values[entry])
        if total >= best:
            return total
    return total


@njit(nogil=True)
def total_after(search: Search, members: Indices, guess: int, left: int, limit: int) -> int:
    """Return the least total of a set after a guess, or a lower bound of at least the limit.

    The guess costs one for each member. `left` is the number of guesses left after it; STOPPED and
    TOO_DEEP are as in `least_total`.
    """
    n, bounds = len(members), search.bounds[left]
    n_cells, _, _ = _split(search, search.frame, 0, members, guess)
    at, listed = search.at[0].copy(), search.cells[0, :n_cells].copy()
    cells, total = search.members[0, :n].copy(), n
    for j in range(n):
        if search.guess_of_secret[members[j]] == guess:
            total -= bounds[1]
    labels, counts = search.frame.labels[guess], search.counts
    for member in members:
        counts[labels[member]] += 1
    for member in members:
        total += bounds[counts[labels[member]]]
        counts[labels[member]] = 0
    for f in listed:
        if total >= limit:
            break
        cell = cells[at[f] : at[f + 1]]
        others = total - bounds[len(cell)]
        least = least_total(
            search, search.frame, np.int64(0), cell, left, limit - others, search.all_guesses
        )
        if least < 0:
            return least
        total = others + least
    return total
