"""Branch and bound over game trees for secrets with weights: the least weighted total of guesses.

The candidates of a set come in the order of their weights, the largest first, and so do those of
its cells. If no guess divides a set into more than p parts, at most p^(t−1) candidates of a cell
are solved in t turns, at best the heaviest: so the place of a candidate in its cell bounds its
turn. Guesses are tried in the order of these bounds, and cells solved from the smallest on.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.search.kernels.frames import Frame, count_parts, frame_of_table, make_frame
from codebreaker.search.kernels.search import (
    EXCHANGED,
    OWN_FRAME,
    STOPPED,
    TOO_DEEP,
    _mark_allowed,
)
from codebreaker.search.kernels.symmetry import Exchanges, _has_image, find_exchanges
from codebreaker.sets.compile import inner, njit
from codebreaker.sets.memo import find, key_of
from codebreaker.types import CellSizes, FeedbackIds, Hashes, Indices, Offsets

WORD = 64
"""The most feedback ids with which candidates that separate a set are looked for."""

SETS_SEARCHED, SETS_MARKED, SETS_LEFT = range(3)
"""Positions in `Search.tally`."""


class Search(NamedTuple):
    """A game, weights, a memo, and working memory by depth.

    `frame` has all secrets and guesses, without planes, and `by_secret` (n_secrets, n_guesses) its
    labels by secret; `weights` is (n_secrets,). A slot of the memo holds the two words of its key,
    the total, or a bound, and the guess + 1, or 0; `words` are those of `sets.memo`. By depth:
    `options` (columns times 2, plus 1 for those of candidates) and `bounds`, (n_depths, n_guesses);
    the `members` of the cells, (n_depths, n_secrets), cell f from at[depth, f] on; the `cells` to
    solve and their `values`, (n_depths, 256); and the least turn by place in a cell, `turns`
    (n_depths, n_secrets). `allowed` (n_guesses,) marks the columns to try at depth 0.
    """

    frame: Frame
    by_secret: FeedbackIds
    guess_of_secret: Indices
    n_feedback: int
    weights: Offsets
    words: Hashes
    slots: Hashes
    used: Offsets
    exchanges: Exchanges
    tally: Offsets
    allowed: FeedbackIds
    bits: CellSizes
    parts: CellSizes
    options: Indices
    bounds: Offsets
    members: Indices
    at: Offsets
    cells: Indices
    values: Offsets
    turns: Offsets
    found: Indices
    marks: Offsets
    counts: Offsets


@inner
def _store(search: Search, key: tuple[np.uint64, np.uint64], total: int, guess: int) -> int:
    """Keep a least total with its guess, or a bound with −1, if there is room; return it."""
    slot = find(search.slots, key)
    if search.slots[slot, 2] == 0:
        if 4 * search.used[0] >= 3 * len(search.slots):
            return total
        search.used[0] += 1
        search.slots[slot, 0], search.slots[slot, 1] = key
    search.slots[slot, 2] = np.uint64(total)
    search.slots[slot, 3] = np.uint64(guess + 1)
    return total


@inner
def _fill_turns(turns: Offsets, n: int, most: int) -> None:
    """Write the least turn at which the j-th heaviest candidate of a set can be solved."""
    filled, room, turn = 0, 1, 1
    while filled < n:
        for _ in range(min(room, n) - filled):
            turns[filled] = turn
            filled += 1
        turn, room = turn + 1, room * most if room < n else n


@inner
def _find_options(search: Search, frame: Frame, depth: int, members: Indices, limit: int) -> int:
    """List the columns whose bounds are below a limit, with these; return their number."""
    n, n_columns, weights = len(members), len(frame.guesses), search.weights
    options, bounds, turns = search.options[depth], search.bounds[depth], search.turns[depth]
    parts, counts, most, total = search.parts, search.counts, 0, 0
    if n == frame.labels.shape[1]:
        parts[:n_columns] = frame.parts
    else:
        count_parts(frame, members, n_columns, search.bits, parts)
    for column in range(n_columns):
        most = max(most, int(parts[column]))
    _fill_turns(turns, n, most)
    for member in members:
        total += weights[member]
    # A guess with p parts: the heaviest p take two guesses, less one for the guess itself.
    by_parts = np.full(most + 1, 3 * total, np.int64)
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
    return n_options


@inner
def _split(search: Search, frame: Frame, depth: int, members: Indices, column: int) -> int:
    """Lay out the cells of a column; list those of three and more, the smallest first."""
    counts, labels = search.counts, frame.labels[column]
    cells, at, listed = search.members[depth], search.at[depth], search.cells[depth]
    highest, n_listed = 0, 0
    for member in members:
        label = int(labels[frame.row_of[member]])
        counts[label] += 1
        highest = max(highest, label)
    at[0] = 0
    for f in range(highest + 1):
        size = counts[f]
        at[f + 1] = at[f] + size
        if size >= 3:
            place = n_listed
            while place > 0 and size < at[listed[place - 1] + 1] - at[listed[place - 1]]:
                listed[place] = listed[place - 1]
                place -= 1
            listed[place], n_listed = f, n_listed + 1
        counts[f] = at[f]
    for member in members:
        f = labels[frame.row_of[member]]
        cells[counts[f]] = member
        counts[f] += 1
    for f in range(highest + 1):
        counts[f] = 0
    return n_listed


@inner
def _separator(search: Search, frame: Frame, members: Indices) -> int:
    """Return the heaviest candidate that gives each a cell of its own, or −1."""
    for candidate in members:
        guess = search.guess_of_secret[candidate]
        labels, seen, apart = frame.labels[frame.column_of[guess]], np.uint64(0), True
        for member in members:
            bit = np.uint64(1) << np.uint64(labels[frame.row_of[member]])
            if seen & bit:
                apart = False
                break
            seen |= bit
        if apart:
            return int(candidate)
    return -1


@inner
def _frame_of(search: Search, members: Indices, pool: Indices) -> Frame:
    """Return the frame of a set at depth 0, and mark the columns to try there."""
    guess_of_secret, n_feedback = search.guess_of_secret, search.n_feedback
    frame = frame_of_table(search.frame, search.by_secret, members, guess_of_secret, n_feedback)
    _mark_allowed(search.allowed, frame.column_of, len(frame.guesses), pool)
    return frame


@njit(nogil=True)
def least_total(
    search: Search, frame: Frame, depth: int, members: Indices, limit: int, pool: Indices
) -> int:
    """Return the least weighted total of a set if it is below a limit, else a bound at least it.

    The members come in the order of their weights. At depth 0 the frame is the search's, and
    `pool` are the guesses to try: every other guess is the image of one of them under a symmetry
    that preserves the set and its weights. Returns TOO_DEEP or STOPPED if the search is.
    """
    n, weights = len(members), search.weights
    if n == 1:
        return int(weights[members[0]])
    if n == 2:
        return int(weights[members[0]] + 2 * weights[members[1]])
    key = key_of(search.words, members, 0)
    slot = find(search.slots, key)
    if search.slots[slot, 2] != 0:
        known = np.int64(search.slots[slot, 2])
        if search.slots[slot, 3] > 0 or known >= limit:
            return int(known)
    if depth == len(search.options):
        return TOO_DEEP
    if search.tally[SETS_LEFT] == 0:
        return STOPPED
    search.tally[SETS_LEFT] -= 1
    search.tally[SETS_SEARCHED] += 1
    if n <= search.n_feedback <= WORD:
        twice = 0
        for member in members:
            twice += 2 * weights[member]
        separator = _separator(search, frame, members)
        # Another guess finds one candidate now and leaves two together, or finds none now.
        lower = twice - max(weights[members[0]] - weights[members[n - 1]], 0)
        if separator >= 0 and twice - weights[separator] <= lower:
            guess = search.guess_of_secret[separator]
            return int(_store(search, key, twice - weights[separator], guess))
        if separator >= 0:
            lower = min(lower, twice - weights[separator])
        if lower >= limit:
            return int(_store(search, key, lower, -1))
    if depth == 0:
        frame = _frame_of(search, members, pool)
    elif n >= OWN_FRAME and 2 * n <= frame.labels.shape[1]:
        frame = make_frame(frame, members, search.guess_of_secret, search.n_feedback)
    n_options = _find_options(search, frame, depth, members, limit)
    bounds, options, n_found = search.bounds[depth], search.options[depth], 0
    order = np.argsort(bounds[:n_options], kind="mergesort")
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
    best, winner, turns = limit, -1, search.turns[depth]
    at, cells, listed = search.at[depth], search.members[depth], search.cells[depth]
    values = search.values[depth]
    for k in order:
        total = bounds[k]
        if total >= best:
            break
        column = options[k] >> 1
        if n_found and _has_image(
            search.exchanges, found, frame.column_of, frame.guesses[column], column, allowed
        ):
            continue
        n_cells = _split(search, frame, depth, members, column)
        for entry in range(n_cells):
            cell = cells[at[listed[entry]] : at[listed[entry] + 1]]
            value = 0
            for j in range(len(cell)):
                value += weights[cell[j]] * turns[j]
            values[entry] = value
            slot = find(search.slots, key_of(search.words, cell, 0))
            known = np.int64(search.slots[slot, 2])
            if known > value:
                total += known - value
                values[entry] = known
        for entry in range(n_cells):
            if total >= best:
                break
            cell = cells[at[listed[entry]] : at[listed[entry] + 1]]
            others = total - values[entry]
            value = least_total(search, frame, depth + 1, cell, best - others, pool)
            if value < 0:
                return value
            total = others + max(value, values[entry])
        if total < best:
            best, winner = total, frame.guesses[column]
            if best == bounds[order[0]]:
                break
    return int(_store(search, key, best, winner))


@njit(nogil=True)
def guess_of(search: Search, members: Indices) -> int:
    """Return an optimal guess of a solved set, or −1 if the memo has none."""
    if len(members) <= 2:
        return int(search.guess_of_secret[members[0]])
    slot = find(search.slots, key_of(search.words, members, 0))
    return int(np.int64(search.slots[slot, 3])) - 1
