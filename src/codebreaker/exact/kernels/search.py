"""Branch and bound over game trees: the least cost of a candidate set, by default its guesses.

If no guess divides a set into more than p parts, none does so with its subsets, and at most p^(t−1)
secrets of a subset are solved in t turns. So the bound of a guess is its charge for each member of
the set, plus a bound for each cell by its size and p. Bounds
by the number of parts alone come first, from a count over all guesses at once. Guesses are tried in
the order of their bounds: what is known of their cells, or quickly seen, is added up; then the
cells are solved, from the smallest on, until the total reaches the incumbent's.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.arithmetic.compile import inner, njit
from codebreaker.arithmetic.cpu import GOLDEN
from codebreaker.exact.kernels.frames import WORD, Frame, count_parts, make_frame
from codebreaker.exact.kernels.memo import (
    EXACT,
    LOWER,
    NONE,
    UNSEEN,
    Memo,
    find,
    key_of,
    read,
    store,
)
from codebreaker.exact.kernels.symmetry import Exchanges, exchanged, find_exchanges
from codebreaker.types import CellSizes, FeedbackIds, Hashes, Indices, Offsets

INFEASIBLE = 1 << 28
"""The total of a set that can't be solved in the guesses left."""

STOPPED, TOO_DEEP = -1, -2
"""Results: the look-ups are used up; the search is deeper than its working memory."""

LOOKUPS_LEFT, SETS_SEARCHED, LOOKUPS, SETS_MARKED = range(4)
"""Positions in `Search.tally`."""

BUCKETS = 1 << 12
"""The most values of a bound by which guesses are ordered; beyond it, close bounds share one."""

LABELS = 64
"""The most labels of cells with which the shortcut applies, as it needs one bit for each."""

OWN_FRAME = 16
"""The smallest set that gets a frame of its own below one of at least twice its size."""

EXCHANGED = 12
"""The smallest set, and the fewest options, for which symmetries of the set are sought."""

COUNTED = 4
"""Cells are counted for guesses of sets of more than this times the parts of any guess."""

FRAME_BYTES = 1 << 28
"""The largest frame."""


class Search(NamedTuple):
    """A game, bounds, a memo, and working memory by depth.

    `frame` has all secrets and guesses, without planes. `bounds` is (n_turns + 1, n_secrets + 1)
    int32: bounds[k, n] is a lower bound on the cost of n secrets with k guesses left; the last row
    is for any number of guesses, and is also the one after row 0. `charges` (n_turns + 1,) are what
    a guess costs each member there. By depth: `options` (columns times 2, plus 1 for those of
    candidates), `option_bounds`, `order` and
    `signatures` (n_depths, n_guesses); the `members` (n_depths, n_secrets) of the cells, cell f
    from at[depth, f] on, the cells to solve and their bounds, `cells` and `values`, and whether
    these are `exact`, (n_depths, n_labels); `cell_bounds` (n_depths, n_secrets + 1). `allowed`
    (n_guesses,) marks the columns to try at depth 0. `marks` (n_guesses,) and
    `counts` (256,), which is 0 between uses, mark and count.
    """

    frame: Frame
    guess_of_secret: Indices
    n_feedback: int
    consistent_only: bool
    bounds: Indices
    charges: Offsets
    memo: Memo
    exchanges: Exchanges
    tally: Offsets
    all_guesses: Indices
    allowed: FeedbackIds
    words: CellSizes
    parts: CellSizes
    by_parts: Offsets
    options: Indices
    option_bounds: Indices
    order: Indices
    signatures: Hashes
    members: Indices
    at: Offsets
    cells: Indices
    values: Offsets
    exact: FeedbackIds
    cell_bounds: Offsets
    found: Indices
    marks: Offsets
    counts: Indices


@inner
def _row_after(bounds: Indices, left: int) -> int:
    """Return the row of bounds and charges after a guess with `left` guesses left."""
    return left - 1 if 0 < left < len(bounds) - 1 else len(bounds) - 1


@inner
def _separator(
    labels: FeedbackIds, column_of: Indices, row_of: Indices, guesses: Indices, members: Indices
) -> tuple[int, int]:
    """Return a candidate that separates all members and 0; or one that leaves a pair and 1.

    Returns −1 and 2 if there is neither. `guesses` are the guesses of the secrets; the labels are
    below 64.
    """
    n, pair = len(members), -1
    for i in range(n):
        guess = guesses[members[i]]
        column, seen, repeats = column_of[guess], np.uint64(0), 0
        for j in range(n):
            bit = np.uint64(1) << np.uint64(labels[column, row_of[members[j]]])
            if seen & bit:
                repeats += 1
                if repeats > 1:
                    break
            seen |= bit
        if repeats == 0:
            return guess, 0
        if repeats == 1:
            pair = guess
    return pair, 1 if pair >= 0 else 2


@inner
def _shortcut(n: int, guess: int, repeats: int, now: int, soon: int, later: int) -> tuple[int, int]:
    """Return an optimal candidate of a set and its cost if easily seen, else −1 and a bound.

    A candidate that separates all n costs least: one secret is solved now and the others next, with
    2n − 1 guesses. Otherwise all are solved next, or one is solved now and one after next. Without
    charges both take 2n guesses; the latter is attained by a candidate that leaves one pair.
    """
    second = now + soon
    if repeats == 0:
        return guess, min(now + (n - 1) * second, INFEASIBLE)
    with_pair = min(now + (n - 2) * second + second + later, INFEASIBLE)
    all_next = min(n * second, INFEASIBLE)
    if repeats == 1 and with_pair <= all_next:
        return guess, with_pair
    return -1, min(all_next, with_pair)


@inner
def _look(
    frame: Frame,
    guess_of_secret: Indices,
    n_feedback: int,
    charges: Offsets,
    members: Indices,
    left: int,
) -> tuple[int, int]:
    """Return an optimal candidate of a small set and its cost if easily seen, else −1 and a bound.

    Without the shortcut the bound is 0.
    """
    if len(members) > n_feedback or frame.parts[0] > LABELS:
        return -1, 0
    row = _row_after(charges, left)
    guess, repeats = _separator(
        frame.labels, frame.column_of, frame.row_of, guess_of_secret, members
    )
    later = charges[_row_after(charges, row)]
    return _shortcut(len(members), guess, repeats, charges[left], charges[row], later)


@inner
def _glance(
    frame: Frame,
    guess_of_secret: Indices,
    n_feedback: int,
    bounds: Indices,
    charges: Offsets,
    memo: Memo,
    members: Indices,
    left: int,
    limit: int,
) -> tuple[int, bool]:
    """Return what is known or quickly seen of a set: a bound, and whether it is the least cost."""
    n = len(members)
    value, exact, guess = int(bounds[left, n]), n <= 2, -1
    if value < limit and n > 2:
        if n <= 4:
            guess, total = _look(frame, guess_of_secret, n_feedback, charges, members, left)
            value, exact = max(value, total), guess >= 0
        if value < limit and not exact:
            key = key_of(memo.words, members, left)
            state, total, _ = read(memo.slots, find(memo.slots, key))
            value, exact = max(value, total), state == EXACT
            if state == UNSEEN and n > 4:
                guess, total = _look(frame, guess_of_secret, n_feedback, charges, members, left)
                if total > 0:
                    value, exact = max(value, total), guess >= 0
                    store(memo, key, value, guess)
    return value, exact


@inner
def _bound_of_parts(
    bounds: Indices, charges: Offsets, n: int, parts: int, solved: int, most: int, left: int
) -> int:
    """Return a lower bound for n secrets and a guess with some parts, if it solves 1 or 0 of them.

    Later guesses have at most `most` parts.
    """
    row, total, rest, room = _row_after(bounds, left), n * charges[left], n - solved, parts - solved
    factor = most - 1
    while rest > 0 and total < INFEASIBLE:
        total += rest * charges[row]
        rest -= min(rest, room)
        room, factor, row = room * factor, most, _row_after(bounds, row)
    return min(total, INFEASIBLE)


@inner
def _fill_cell_bounds(
    cell_bounds: Offsets, bounds: Indices, charges: Offsets, n: int, most: int, row: int
) -> None:
    """Write lower bounds by size up to n if no guess has more than `most` parts."""
    cost, filled, room, factor, charge = 0, 0, 1, most - 1, charges[row]
    by_size = bounds[row]
    cell_bounds[0] = 0
    while filled < n:
        for _ in range(min(room, n - filled)):
            filled, cost = filled + 1, min(cost + charge, INFEASIBLE)
            cell_bounds[filled] = max(cost, by_size[filled])
        row = _row_after(bounds, row)
        charge, room, factor = min(charge + charges[row], INFEASIBLE), room * factor, most


@inner
def _bound_of_cells(
    labels: FeedbackIds,
    column: int,
    row_of: Indices,
    members: Indices,
    cell_bounds: Offsets,
    counts: Indices,
) -> int:
    """Return the sum of the bounds of the cells of a column."""
    total = 0
    for j in range(len(members)):
        counts[labels[column, row_of[members[j]]]] += 1
    for j in range(len(members)):
        label = labels[column, row_of[members[j]]]
        total += int(cell_bounds[counts[label]])
        counts[label] = 0
    return min(total, INFEASIBLE)


@inner
def _first_columns(parts: CellSizes, least: int) -> int:
    """Return how many columns have at least some parts; those with the most come first."""
    low, high = 0, len(parts)
    while low < high:
        middle = (low + high) // 2
        if parts[middle] >= least:
            low = middle + 1
        else:
            high = middle
    return low


@inner
def _least_parts(
    bounds: Indices,
    charges: Offsets,
    n: int,
    solved: int,
    most: int,
    left: int,
    limit: int,
    by_parts: Offsets,
) -> int:
    """Return the least number of parts whose bound is below a limit, at least 2.

    Writes the bounds by number of parts, from there to `most`, into `by_parts`.
    """
    parts = most + 1
    while parts > 2:
        bound = _bound_of_parts(bounds, charges, n, parts - 1, solved, most, left)
        if bound >= limit:
            break
        parts -= 1
        by_parts[parts] = bound
    return parts


@inner
def _count(search: Search, frame: Frame, members: Indices, n_columns: int) -> None:
    """Count the parts of the first columns, or, without planes, of the candidates' columns."""
    if len(frame.widths) or not search.consistent_only:
        if len(frame.widths) and len(members) == frame.labels.shape[1]:
            for k in range(n_columns):
                search.parts[k] = frame.parts[k]
            return
        if len(frame.widths):
            count_parts(frame, members, n_columns, search.words, search.parts)
            return
    counts = search.counts
    n_tried = len(members) if search.consistent_only else n_columns
    for entry in range(n_tried):
        column = search.guess_of_secret[members[entry]] if search.consistent_only else entry
        labels, parts = frame.labels[column], 0
        for j in range(len(members)):
            label = labels[frame.row_of[members[j]]]
            parts += counts[label] == 0
            counts[label] = 1
        for j in range(len(members)):
            counts[labels[frame.row_of[members[j]]]] = 0
        search.parts[column] = parts


@inner
def _find_options(
    search: Search,
    frame: Frame,
    depth: int,
    members: Indices,
    left: int,
    limit: int,
) -> tuple[int, int]:
    """List the columns whose bounds are below a limit, in the order of their bounds.

    Returns their number and the least bound. Bounds that differ by a large factor are ordered only
    roughly.
    """
    n, options, option_bounds = len(members), search.options[depth], search.option_bounds[depth]
    cap = min(n, np.int64(frame.parts[0]))
    by_parts, bounds, charges = search.by_parts, search.bounds, search.charges
    fewest = _least_parts(bounds, charges, n, np.int64(1), cap, left, limit, by_parts)
    n_columns = _first_columns(frame.parts, fewest)
    search.tally[LOOKUPS] += n_columns * n
    search.tally[LOOKUPS_LEFT] -= n_columns * n
    if n_columns == 0:
        return 0, INFEASIBLE
    _count(search, frame, members, n_columns)
    most = 0
    if search.consistent_only:
        for member in members:
            most = max(most, int(np.int64(search.parts[search.guess_of_secret[member]])))
    else:
        for k in range(n_columns):
            most = max(most, int(np.int64(search.parts[k])))
        if n_columns < len(frame.parts):
            most = max(most, min(n, int(np.int64(frame.parts[n_columns]))))
    if most < fewest:
        return 0, INFEASIBLE
    cell_bounds = search.cell_bounds[depth]
    _fill_cell_bounds(cell_bounds, bounds, charges, n, most, _row_after(bounds, left))
    charge, n_options = n * search.charges[left], np.int64(0)
    for solved in range(1, -1, -1):
        fewest = _least_parts(bounds, charges, n, solved, most, left, limit, by_parts)
        if solved == 0 and search.consistent_only:
            break
        for entry in range(n if solved else n_columns):
            column = entry
            if solved:
                column = frame.column_of[search.guess_of_secret[members[entry]]]
                if column >= n_columns:
                    continue
            parts = np.int64(search.parts[column])
            if solved:
                search.parts[column] = 0
            if parts < fewest or (depth == 0 and not search.allowed[column]):
                continue
            if n > COUNTED * most:
                bound = (
                    charge
                    - solved * cell_bounds[1]
                    + _bound_of_cells(
                        frame.labels, column, frame.row_of, members, cell_bounds, search.counts
                    )
                )
            else:
                bound = by_parts[parts]
            if bound < limit:
                options[n_options], option_bounds[n_options] = 2 * column + solved, bound
                n_options += 1
    return int(n_options), _sort(option_bounds, search.order[depth], n_options)


@inner
def _sort(option_bounds: Indices, order: Indices, n_options: int) -> int:
    """Write the order of options by their bounds; return the least bound."""
    least, greatest, shift = INFEASIBLE, 0, 0
    for k in range(n_options):
        least, greatest = min(least, option_bounds[k]), max(greatest, option_bounds[k])
    span = max(greatest - least + 1, 0)
    while span > BUCKETS:
        span, shift = (span + 1) >> 1, shift + 1
    starts = np.zeros(span + 2, np.int32)
    for k in range(n_options):
        starts[((option_bounds[k] - least) >> shift) + 1] += 1
    for step in range(span):
        starts[step + 1] += starts[step]
    for k in range(n_options):
        bucket = (option_bounds[k] - least) >> shift
        order[starts[bucket]] = k
        starts[bucket] += 1
    return least


@inner(inline="always")
def _split(
    search: Search, frame: Frame, depth: int, members: Indices, column: int
) -> tuple[int, int, np.uint64]:
    """Lay out the cells of a column; list those of three and more, the smallest first.

    Returns how many are listed, the sum of their bounds, and a signature of the partition. Cell f
    is from at[f] to at[f + 1] for the listed f.
    """
    counts = search.counts
    labels, cells, at = frame.labels[column], search.members[depth], search.at[depth]
    listed, n_listed, highest, words = search.cells[depth], 0, 0, search.memo.words
    for member in members:
        label = int(np.int64(labels[frame.row_of[member]]))
        counts[label] += 1
        highest = max(highest, label)
    at[0], bounds, bound = 0, search.cell_bounds[depth], 0
    for f in range(highest + 1):
        at[f + 1] = at[f] + counts[f]
        bound += int(bounds[counts[f]])
        if counts[f] >= 3:
            place = n_listed
            while place > 0 and counts[f] < at[listed[place - 1] + 1] - at[listed[place - 1]]:
                listed[place] = listed[place - 1]
                place -= 1
            listed[place], n_listed = f, n_listed + 1
    signature = np.uint64(0)
    for j in range(len(members) - 1, -1, -1):
        member = members[j]
        f = labels[frame.row_of[member]]
        counts[f] -= 1
        cells[at[f] + counts[f]] = member
    for f in range(highest + 1):
        if at[f] == at[f + 1]:
            continue
        leader = words[cells[at[f]], 1]
        for j in range(at[f], at[f + 1]):
            signature += (words[cells[j], 0] ^ leader) * np.uint64(GOLDEN)
    return n_listed, bound, signature


@inner
def _is_tried(signatures: Hashes, signature: np.uint64) -> bool:
    for one in signatures:  # noqa: SIM110 (compiled)
        if one == signature:
            return True
    return False


@inner
def _has_image(
    exchanges: Exchanges,
    found: Indices,
    column_of: Indices,
    guess: int,
    column: int,
    allowed: FeedbackIds,
) -> bool:
    """Return whether an exchange of a set maps a guess to an earlier column that is allowed.

    Without `allowed` all are.
    """
    for entry in range(len(found)):
        order, renaming = np.int64(found[entry, 0]), np.int64(found[entry, 1])
        image = column_of[exchanged(exchanges, order, renaming, guess)]
        if image < column and (len(allowed) == 0 or allowed[image]):
            return True
    return False


@inner
def _frame_of(search: Search, members: Indices, pool: Indices) -> Frame:
    """Return the frame of a set at depth 0, if it has room, and mark the columns to try there."""
    frame, n_planes = search.frame, (search.n_feedback + WORD - 1) // WORD
    size = len(members) * len(frame.guesses) * (1 + 2 * n_planes)
    if not search.consistent_only and size <= FRAME_BYTES:
        frame = make_frame(frame, members, search.guess_of_secret, search.n_feedback)
    every = len(pool) == len(search.all_guesses)
    for column in range(len(frame.guesses)):
        search.allowed[column] = every
    for guess in pool:
        if frame.column_of[guess] >= 0:
            search.allowed[frame.column_of[guess]] = 1
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
    the set. Returns STOPPED or TOO_DEEP if the search ends early.
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


@inner
def _guess_for(search: Search, members: Indices, left: int) -> int:
    """Return an optimal guess of a solved set, or −1 if the memo has none."""
    if len(members) <= 2:
        return search.guess_of_secret[members[0]]
    guess, _ = _look(
        search.frame, search.guess_of_secret, search.n_feedback, search.charges, members, left
    )
    if guess >= 0:
        return guess
    key = key_of(search.memo.words, members, left)
    state, _, guess = read(search.memo.slots, find(search.memo.slots, key))
    return guess if state == EXACT else -1


@njit(nogil=True)
def guesses_for(search: Search, members: Indices, offsets: Offsets, left: int) -> Indices:
    """Return an optimal guess of each set; set i has members[offsets[i]:offsets[i + 1]].

    It is −1 if the memo has none.
    """
    guesses = np.empty(len(offsets) - 1, np.int32)
    for node in range(len(guesses)):
        guesses[node] = _guess_for(search, members[offsets[node] : offsets[node + 1]], left)
    return guesses


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
