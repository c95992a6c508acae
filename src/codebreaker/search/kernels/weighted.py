"""The search for the minimum weighted total of guesses, for secrets with a prior.

Candidates are ordered by weight, heaviest first. If no guess makes more than p parts, turn t solves
at most p^(t−1) candidates of a cell, so a candidate's place bounds its turn.
"""

import numpy as np

from codebreaker.search.kernels import search as template
from codebreaker.search.kernels.cost_bounds import LABELS, _separator
from codebreaker.search.kernels.frames import Frame, count_parts, make_frame
from codebreaker.search.kernels.options import LEFT, OWN_FRAME, Search, _frame_of
from codebreaker.sets.compile import njit, specialised
from codebreaker.sets.memo import EXACT, LOWER, UNSEEN, Memo, add, find, key_of
from codebreaker.types import Hashes, Indices, Offsets


@njit(nogil=True)
def _read(slots: Hashes, slot: int) -> tuple[int, int, int]:
    """Read a slot; total and guess are separate words here."""
    total, guess = int(np.int64(slots[slot, 2])), int(np.int64(slots[slot, 3])) - 1
    if total == 0:
        return UNSEEN, total, guess
    return EXACT if guess >= 0 else LOWER, total, guess


@njit(nogil=True)
def _store(memo: Memo, key: tuple[np.uint64, np.uint64], total: int, guess: int) -> int:
    slot = add(memo, key)
    if slot >= 0:
        memo.slots[slot, 2] = np.uint64(total)
        memo.slots[slot, 3] = np.uint64(guess + 1)
    return total


@njit(nogil=True, inline="always")
def _bound_of_size(search: Search, members: Indices, left: int) -> int:
    weights, total = search.weights, 0
    if len(members) <= 2:
        for j in range(len(members)):
            total += (j + 1) * int(weights[members[j]])
    return total


@njit(nogil=True, inline="always")
def _left_after(search: Search, left: int) -> int:
    return left


@njit(nogil=True, inline="always")
def _seen(search: Search, frame: Frame, members: Indices, left: int) -> tuple[int, int]:
    weights, n, twice = search.weights, len(members), 0
    if not n <= search.n_feedback <= LABELS:
        return -1, 0
    for member in members:
        twice += 2 * int(weights[member])
    place, _ = _separator(
        frame.labels, frame.column_of, frame.row_of, search.guess_of_secret, members, 0
    )
    # Another guess finds one candidate now and leaves two together, or finds none now.
    lower = twice - max(int(weights[members[0]] - weights[members[n - 1]]), 0)
    if place >= 0:
        total = twice - int(weights[members[place]])
        if total <= lower:
            return int(search.guess_of_secret[members[place]]), total
    return -1, lower


@njit(nogil=True, inline="always")
def _known(
    search: Search, frame: Frame, depth: int, cell: Indices, row: int, limit: int
) -> tuple[int, int, bool]:
    weights, turns, before = search.weights, search.cell_bounds[depth], 0
    for j in range(len(cell)):
        before += weights[cell[j]] * turns[j]
    slot = find(search.memo.slots, search.memo.used[1], key_of(search.memo.words, cell, row))
    state, total, _ = _read(search.memo.slots, slot)
    return before, max(total, before), state == EXACT


@njit(nogil=True, inline="always")
def _bound_of(
    search: Search, frame: Frame, depth: int, n: int, left: int, option: int, highest: int
) -> int:
    return int(search.option_bounds[depth, option])


@njit(nogil=True)
def _fill_turns(turns: Offsets, n: int, most: int) -> None:
    """Write the first turn at which the j-th heaviest candidate can be solved."""
    filled, room, turn = 0, 1, 1
    while filled < n:
        for _ in range(min(room, n) - filled):
            turns[filled] = turn
            filled += 1
        turn, room = turn + 1, room * most if room < n else n


@njit(nogil=True)
def _find_options(
    search: Search, frame: Frame, depth: int, members: Indices, limit: int
) -> tuple[int, int]:
    n, n_columns = len(members), len(frame.guesses)
    weights, turns = search.weights, search.cell_bounds[depth]
    options, bounds = search.options[depth], search.option_bounds[depth]
    parts, counts, by_parts, most, total = search.parts, search.counts, search.by_parts, 0, 0
    if n == frame.labels.shape[1]:
        parts[:n_columns] = frame.parts
    else:
        count_parts(frame, members, n_columns, search.words, parts)
    for column in range(n_columns):
        most = max(most, int(parts[column]))
    _fill_turns(turns, n, most)
    for member in members:
        total += weights[member]
    # A guess with p parts: the heaviest p take two guesses, less one for the guess itself.
    by_parts[0] = 3 * total
    for p in range(most):
        by_parts[p + 1] = by_parts[p] - weights[members[p]]
    n_options = 0
    for entry in range(n + n_columns):
        solved, own, column = entry < n, 0, entry - n
        if solved:
            column = int(frame.column_of[search.guess_of_secret[members[entry]]])
            own = weights[members[entry]]
        divided = int(parts[column])
        if solved:
            parts[column] = 0
        if divided < 2 or by_parts[divided] - own >= limit:
            continue
        if depth == 0 and not search.allowed[column]:
            continue
        labels, bound = frame.labels[column], total - own
        for member in members:
            label = labels[frame.row_of[member]]
            bound += weights[member] * turns[counts[label]]
            counts[label] += 1
        for member in members:
            counts[labels[frame.row_of[member]]] = 0
        if bound < limit:
            options[n_options], bounds[n_options] = 2 * column + solved, bound
            n_options += 1
    order = np.argsort(bounds[:n_options], kind="mergesort")
    for k in range(n_options):
        search.order[depth, k] = order[k]
    return n_options, bounds[order[0]] if n_options else limit


@njit(nogil=True, inline="always")
def _frame_and_options(
    search: Search, frame: Frame, depth: int, members: Indices, left: int, limit: int, pool: Indices
) -> tuple[Frame, bool, int, int, bool]:
    search.tally[LEFT] -= 1
    n = len(members)
    if depth == 0:
        frame = _frame_of(search, members, pool)
    elif n >= OWN_FRAME and 2 * n <= frame.labels.shape[1]:
        frame = make_frame(frame, members, search.guess_of_secret, search.n_feedback)
    n_options, lowest = _find_options(search, frame, depth, members, limit)
    return frame, True, n_options, lowest, True


_functions = specialised(
    "weighted", (template.minimum_total, template._total_of_cells, template.guesses_for), globals()
)
minimum_total, guesses_for = _functions.minimum_total, _functions.guesses_for
