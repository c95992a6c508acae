"""Lower bounds on the cost of candidate sets, and shortcuts to optimal guesses.

If no guess divides a set into more than p parts, turn t solves at most p^(t−1) secrets of a subset.
A guess's bound is its charge per member plus, for each cell, a bound by size and p.
"""

import numpy as np

from codebreaker.search.kernels.frames import Frame
from codebreaker.sets.compile import njit
from codebreaker.sets.memo import EXACT, Memo, find, key_of, read
from codebreaker.types import CellSizes, FeedbackIds, Indices, Offsets

INFEASIBLE = 1 << 28  # the total of a set that can't be solved in the guesses left
LABELS = 64  # maximum number of cells for the shortcut, a bit each


@njit(nogil=True)
def _row_after(bounds: Indices, left: int) -> int:
    return left - 1 if 0 < left < len(bounds) - 1 else len(bounds) - 1


@njit(nogil=True)
def _separator(
    labels: FeedbackIds, columns: Indices, rows: Indices, own: Indices, members: Indices, most: int
) -> tuple[int, int]:
    """As `find_separator`, but of several that leave one pair the last; labels < 64."""
    n, nearly = len(members), -1
    for i in range(n):
        column, seen, repeats = columns[own[members[i]]], np.uint64(0), 0
        for j in range(n):
            bit = np.uint64(1) << np.uint64(labels[column, rows[members[j]]])
            if seen & bit:
                repeats += 1
                if repeats > most:
                    break
            seen |= bit
        if repeats == 0:
            return i, 0
        if repeats <= most:
            nearly = i
    return nearly, 1 if nearly >= 0 else 2


@njit(nogil=True)
def _shortcut(n: int, guess: int, repeats: int, now: int, soon: int, later: int) -> tuple[int, int]:
    """Return an optimal candidate of a set and its cost if easily seen, else −1 and a bound.

    A candidate that separates all n solves them in 2n − 1 guesses; any other guess needs 2n.
    """
    second = now + soon
    if repeats == 0:
        return guess, min(now + (n - 1) * second, INFEASIBLE)
    with_pair = min(now + (n - 2) * second + second + later, INFEASIBLE)
    all_next = min(n * second, INFEASIBLE)
    if repeats == 1 and with_pair <= all_next:
        return guess, with_pair
    return -1, min(all_next, with_pair)


@njit(nogil=True)
def _look(
    frame: Frame, own: Indices, n_feedback: int, charges: Offsets, members: Indices, left: int
) -> tuple[int, int]:
    """Return an optimal candidate of a small set and its cost, as `_shortcut`."""
    if len(members) > n_feedback or frame.parts[0] > LABELS:
        return -1, 0
    row = _row_after(charges, left)
    place, repeats = _separator(frame.labels, frame.column_of, frame.row_of, own, members, 1)
    guess = own[members[place]] if place >= 0 else -1
    later = charges[_row_after(charges, row)]
    return _shortcut(len(members), guess, repeats, charges[left], charges[row], later)


@njit(nogil=True)
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
    """Return a bound from `_look` or the memo, and whether it is exact."""
    n = len(members)
    value, exact = int(bounds[left, n]), n <= 2
    if value < limit and n > 2:
        guess, total = _look(frame, guess_of_secret, n_feedback, charges, members, left)
        value, exact = max(value, total), guess >= 0
        if value < limit and not exact:
            key = key_of(memo.words, members, left)
            state, total, _ = read(memo.slots, find(memo.slots, memo.used[1], key))
            value, exact = max(value, total), state == EXACT
    return value, exact


@njit(nogil=True)
def _bound_of_parts(
    bounds: Indices, charges: Offsets, n: int, parts: int, solved: int, most: int, left: int
) -> int:
    row, total, rest, room = _row_after(bounds, left), n * charges[left], n - solved, parts - solved
    factor = most - 1
    while rest > 0 and total < INFEASIBLE:
        total += rest * charges[row]
        rest -= min(rest, room)
        room, factor, row = room * factor, most, _row_after(bounds, row)
    return min(total, INFEASIBLE)


@njit(nogil=True)
def _fill_cell_bounds(
    cell_bounds: Offsets, bounds: Indices, charges: Offsets, n: int, most: int, row: int
) -> None:
    """Write lower bounds by size if no guess has more than `most` parts."""
    cost, filled, room, factor, charge = 0, 0, 1, most - 1, charges[row]
    by_size = bounds[row]
    cell_bounds[0] = 0
    while filled < n:
        for _ in range(min(room, n - filled)):
            filled, cost = filled + 1, min(cost + charge, INFEASIBLE)
            cell_bounds[filled] = max(cost, by_size[filled])
        row = _row_after(bounds, row)
        charge, room, factor = min(charge + charges[row], INFEASIBLE), room * factor, most


@njit(nogil=True)
def _bound_of_cells(
    labels: FeedbackIds, k: int, rows: Indices, members: Indices, bounds: Offsets, counts: Indices
) -> int:
    total = 0
    for j in range(len(members)):
        counts[labels[k, rows[members[j]]]] += 1
    for j in range(len(members)):
        label = labels[k, rows[members[j]]]
        total += int(bounds[counts[label]])
        counts[label] = 0
    return min(total, INFEASIBLE)


@njit(nogil=True)
def _first_columns(parts: CellSizes, lowest: int) -> int:
    low, high = 0, len(parts)
    while low < high:
        middle = (low + high) // 2
        if parts[middle] >= lowest:
            low = middle + 1
        else:
            high = middle
    return low


@njit(nogil=True)
def _fewest_parts(
    bounds: Indices,
    charges: Offsets,
    n: int,
    solved: int,
    most: int,
    left: int,
    limit: int,
    by_parts: Offsets,
) -> int:
    """Return the minimum number of parts with a bound below a limit; fill `by_parts`."""
    parts = most + 1
    while parts > 2:
        bound = _bound_of_parts(bounds, charges, n, parts - 1, solved, most, left)
        if bound >= limit:
            break
        parts -= 1
        by_parts[parts] = bound
    return parts
