"""Branch and bound over game trees: the least cost of a candidate set, by default its guesses.

The bound of a guess is its charge for each member of the set, plus a bound for each cell by its
size (`exact.search`). Guesses are tried in the order of their bounds; their cells are solved from
the smallest on, until the total reaches the incumbent's. Results are memoised under a two-word
Zobrist key of the set.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.arithmetic.compile import njit
from codebreaker.arithmetic.cpu import GOLDEN
from codebreaker.types import FeedbackIds, Hashes, Indices, Offsets

INFEASIBLE = 1 << 28
"""The total of a set that can't be solved in the guesses left."""

STOPPED, TOO_DEEP = -1, -2
"""Results: the look-ups are used up; the search is deeper than its working memory."""

UNSEEN, LOWER, EXACT = range(3)
"""States of a memo entry: empty, a lower bound, or a least total with its guess."""

LOOKUPS_LEFT, SETS_SEARCHED, LOOKUPS, ENTRIES = range(4)
"""Positions in `Search.tally`."""

BUCKETS = 1 << 12
"""The most values of a bound by which guesses are ordered; beyond it, close bounds share one."""

SHORTCUT_FEEDBACK = 64
"""The most feedback ids for which the shortcut applies, as it needs one bit for each."""


class Search(NamedTuple):
    """A game, bounds, a memo, and working memory by depth.

    `bounds` is (n_turns + 1, n_secrets + 1) int32: bounds[k, n] is a lower bound on the cost of n
    secrets with k guesses left; the last row is for any number of guesses, and is also the one
    after row 0. `charges` (n_turns + 1,) are what a guess costs each member there. `zobrist` is
    (n_secrets, 2). The memo has for each slot the key's words `first` and `second`, `total`,
    `guess` and `state`. By depth: `options`, `option_bounds`, `order` and `signatures` (n_depths,
    n_guesses), and the `members` (n_depths, n_secrets) of the cells, cell f from at[depth, f] on.
    """

    by_secret: FeedbackIds
    guess_of_secret: Indices
    solved: int
    consistent_only: bool
    bounds: Indices
    charges: Offsets
    zobrist: Hashes
    first: Hashes
    second: Hashes
    total: Indices
    guess: Indices
    state: FeedbackIds
    tally: Offsets
    all_guesses: Indices
    options: Indices
    option_bounds: Indices
    order: Indices
    signatures: Hashes
    members: Indices
    at: Offsets


@njit(nogil=True)
def key_of(search: Search, members: Indices, left: int) -> tuple[np.uint64, np.uint64]:
    """Return the two words of the key of a set with `left` guesses left."""
    first, second = np.uint64(left) * np.uint64(GOLDEN), np.uint64(left)
    for member in members:
        first ^= search.zobrist[member, 0]
        second ^= search.zobrist[member, 1]
    return first, second


@njit(nogil=True)
def find(search: Search, first: np.uint64, second: np.uint64) -> int:
    """Return the slot of a key, or the free slot where it belongs."""
    mask = len(search.state) - 1
    slot = np.int64(first & np.uint64(mask))
    while search.state[slot] != UNSEEN and (
        search.first[slot] != first or search.second[slot] != second
    ):
        slot = (slot + 1) & mask
    return int(slot)


@njit(nogil=True)
def slot_of(search: Search, members: Indices, left: int) -> int:
    """Return the slot of a set with `left` guesses left, or the free slot where it belongs."""
    return find(search, *key_of(search, members, left))


@njit(nogil=True)
def _store(
    search: Search, key: tuple[np.uint64, np.uint64], total: int, guess: int, state: int
) -> int:
    """Memoise the result of a set if there is room; return its total."""
    slot, tally = find(search, *key), search.tally
    if search.state[slot] == UNSEEN:
        if 4 * tally[ENTRIES] >= 3 * len(search.state):
            return total
        tally[ENTRIES] += 1
        search.first[slot], search.second[slot] = key
    search.total[slot], search.guess[slot], search.state[slot] = total, guess, state
    return total


@njit(nogil=True)
def _row_after(search: Search, left: int) -> int:
    """Return the row of bounds and charges after a guess with `left` guesses left."""
    return left - 1 if 0 < left < len(search.bounds) - 1 else len(search.bounds) - 1


@njit(nogil=True)
def _shortcut(search: Search, members: Indices, left: int) -> tuple[int, int]:
    """Return an optimal candidate of a small set and its cost if easily seen, else −1 and a bound.

    A candidate that separates all n costs least: one secret is solved now and the others next, with
    2n − 1 guesses. Otherwise all are solved next, or one is solved now and one after next. Without
    charges both take 2n guesses; the latter is attained by a candidate that leaves one pair.
    """
    n, pair, row = len(members), -1, _row_after(search, left)
    now = search.charges[left]
    soon = now + search.charges[row]
    later = soon + search.charges[_row_after(search, row)]
    separated, with_pair = now + (n - 1) * soon, now + (n - 2) * soon + later
    for i in range(n):
        guess = search.guess_of_secret[members[i]]
        seen, repeats = np.uint64(0), 0
        for j in range(n):
            bit = np.uint64(1) << np.uint64(search.by_secret[members[j], guess])
            if seen & bit:
                repeats += 1
            seen |= bit
        if repeats == 0:
            return guess, separated
        if repeats == 1:
            pair = guess
    return (pair, with_pair) if with_pair <= n * soon else (-1, min(n * soon, with_pair))


@njit(nogil=True)
def _find_options(
    search: Search, depth: int, members: Indices, lower: int, limit: int, pool: Indices, left: int
) -> tuple[int, int, int]:
    """List the guesses whose bounds are below a limit, in the order of their bounds.

    Returns their number, the least bound and −1; or, if a guess attains the lower bound, that
    guess as the third. Bounds that differ by a large factor are ordered only roughly.
    """
    by_secret, bounds = search.by_secret, search.bounds[_row_after(search, left)]
    charge = len(members) * search.charges[left]
    options, option_bounds = search.options[depth], search.option_bounds[depth]
    n, n_feedback = len(members), search.at.shape[1] - 1
    counts = np.zeros(n_feedback, np.int32)
    n_options, least, most = 0, INFEASIBLE, 0
    for k in range(len(pool)):
        guess = pool[k]
        for j in range(n):
            counts[by_secret[members[j], guess]] += 1
        bound, largest = charge, 0
        for f in range(n_feedback):
            if f != search.solved:
                bound += bounds[counts[f]]
            largest = max(largest, counts[f])
            counts[f] = 0
        if largest == n or bound >= min(limit, INFEASIBLE):
            continue
        if bound == lower and largest <= 2:
            return 0, bound, guess
        options[n_options], option_bounds[n_options] = guess, bound
        n_options, least, most = n_options + 1, min(least, bound), max(most, bound)
    span, shift = max(most - least + 1, 0), 0
    while span > BUCKETS:
        span, shift = (span + 1) >> 1, shift + 1
    starts = np.zeros(span + 2, np.int32)
    for k in range(n_options):
        starts[((option_bounds[k] - least) >> shift) + 1] += 1
    for step in range(span):
        starts[step + 1] += starts[step]
    for k in range(n_options):
        bucket = (option_bounds[k] - least) >> shift
        search.order[depth, starts[bucket]] = k
        starts[bucket] += 1
    return n_options, least, -1


@njit(nogil=True)
def _split(search: Search, depth: int, members: Indices, guess: int) -> np.uint64:
    """Lay out the cells of a guess; return a signature of the partition."""
    cells, at, zobrist = search.members[depth], search.at[depth], search.zobrist
    n_feedback = len(at) - 1
    filled = np.zeros(n_feedback + 1, np.int64)
    for member in members:
        filled[search.by_secret[member, guess] + 1] += 1
    for f in range(n_feedback):
        filled[f + 1] += filled[f]
        at[f] = filled[f]
    at[n_feedback] = len(members)
    signature = np.uint64(0)
    for member in members:
        f = search.by_secret[member, guess]
        cells[filled[f]] = member
        filled[f] += 1
        leader = cells[at[f]]
        signature += (zobrist[member, 0] ^ zobrist[leader, 1]) * np.uint64(GOLDEN)
    if at[search.solved] < at[search.solved + 1]:
        signature = ~signature
    return signature


@njit(nogil=True)
def least_total(
    search: Search, depth: int, members: Indices, left: int, limit: int, pool: Indices
) -> int:
    """Return the least cost of a set if it is below a limit, else a lower bound of at least it.

    `left` is the number of guesses left; `pool` are the guesses to try: every other guess is the
    image of one of them under a symmetry that preserves the set. Returns STOPPED or TOO_DEEP if the
    search ends early.
    """
    n = len(members)
    lower = search.bounds[left, n]
    if n <= 2 or lower >= limit:
        return lower
    key = key_of(search, members, left)
    slot = find(search, *key)
    state = search.state[slot]
    if state == EXACT or (state == LOWER and search.total[slot] >= limit):
        return search.total[slot]
    if depth == len(search.options):
        return TOO_DEEP
    search.tally[SETS_SEARCHED] += 1
    n_feedback = search.at.shape[1] - 1
    if n <= n_feedback <= SHORTCUT_FEEDBACK:
        guess, total = _shortcut(search, members, left)
        if guess >= 0:
            return _store(search, key, total, guess, EXACT)
        lower = max(lower, total)
        if lower >= limit:
            return _store(search, key, lower, -1, LOWER)
    row = _row_after(search, left)
    search.tally[LOOKUPS] += len(pool) * n
    search.tally[LOOKUPS_LEFT] -= len(pool) * n
    if search.tally[LOOKUPS_LEFT] < 0:
        return STOPPED
    n_options, least, guess = _find_options(search, depth, members, lower, limit, pool, left)
    if guess >= 0:
        return _store(search, key, least, guess, EXACT)
    best, winner, tried = limit, -1, 0
    signatures = search.signatures[depth]
    for entry in range(n_options):
        option = search.order[depth, entry]
        bound = search.option_bounds[depth, option]
        if bound >= best:
            continue
        guess = search.options[depth, option]
        signature = _split(search, depth, members, guess)
        if (signatures[:tried] == signature).any():
            continue
        signatures[tried] = signature
        tried += 1
        total = _total_of_cells(search, depth, bound, best, row)
        if total < 0:
            return total
        if total < best:
            best, winner = total, guess
            if best == least:
                break
    if winner < 0:
        return _store(search, key, limit, -1, LOWER)
    return _store(search, key, best, winner, EXACT)


@njit(nogil=True, inline="always")
def _total_of_cells(search: Search, depth: int, bound: int, best: int, row: int) -> int:
    """Solve the cells at a depth from the smallest on; stop once the total reaches `best`."""
    at, cells, bounds, total = search.at[depth], search.members[depth], search.bounds[row], bound
    size = 3
    while size < INFEASIBLE:
        larger = INFEASIBLE
        for f in range(len(at) - 1):
            n = at[f + 1] - at[f]
            if f == search.solved or n < size:
                continue
            if n > size:
                larger = min(larger, n)
                continue
            cell, others = cells[at[f] : at[f + 1]], total - bounds[n]
            pool = search.all_guesses
            if search.consistent_only:
                pool = search.guess_of_secret[cell]
            least = least_total(search, depth + 1, cell, row, best - others, pool)
            if least < 0:
                return least
            total = others + least
            if total >= best:
                return total
        size = larger
    return total


@njit(nogil=True)
def total_after(search: Search, members: Indices, guess: int, left: int, limit: int) -> int:
    """Return the least total of a set after a guess, or a lower bound of at least the limit.

    The guess costs one for each member. `left` is the number of guesses left after it; STOPPED and
    TOO_DEEP are as in `least_total`.
    """
    _split(search, 0, members, guess)
    at, total = search.at[0], len(members)
    for f in range(len(at) - 1):
        if f != search.solved:
            total += search.bounds[left, at[f + 1] - at[f]]
    return total if total >= limit else _total_of_cells(search, 0, total, limit, left)


@njit(nogil=True)
def least_totals(
    search: Search, members: Indices, offsets: Offsets, left: int, lookups: int, totals: Offsets
) -> None:
    """Write the least total of each set into `totals`, (n_sets,), each within `lookups` look-ups.

    Set i has members[offsets[i]:offsets[i + 1]], and is searched as the only cell of a guess. After
    a total of STOPPED or TOO_DEEP the rest is not searched, and is 0.
    """
    totals[:] = 0
    only = 1 if search.solved == 0 else 0
    for node in range(len(totals)):
        first, n = offsets[node], offsets[node + 1] - offsets[node]
        search.members[0, :n] = members[first : first + n]
        search.at[0, : only + 1], search.at[0, only + 1 :] = 0, n
        search.tally[LOOKUPS_LEFT] = lookups
        totals[node] = _total_of_cells(search, 0, search.bounds[left, n], INFEASIBLE, left)
        if totals[node] < 0:
            break
