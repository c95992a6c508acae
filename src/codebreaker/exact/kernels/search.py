"""Branch and bound over game trees: the least total guesses of a candidate set.

A guess's bound is the set's size, as each member costs this guess, plus a bound for each cell's
size (`exact.bounds`). Guesses are tried by their bounds; a guess whose cells, solved one by one
from the smallest, reach the best total so far is given up. What is learnt of a set is kept in a
memo, which is found by two random words for each member.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.arithmetic.compile import njit
from codebreaker.types import FeedbackIds, Hashes, Indices, Offsets

INFEASIBLE = 1 << 28
"""The total of a set that can't be solved in the guesses left."""

STOPPED, TOO_DEEP = -1, -2
"""Returned where the budget is spent, and where the working memory has no room for the depth."""

UNSEEN, LOWER, EXACT = range(3)
"""What a memo's entry holds: nothing, a lower bound, or a least total with its guess."""

LOOKUPS_LEFT, SETS_SEARCHED, LOOKUPS, ENTRIES = range(4)
"""Positions in `Search.tally`."""

SHORTCUT_FEEDBACK = 64
GOLDEN = 0x9E3779B97F4A7C15


class Search(NamedTuple):
    """A game, bounds, a memo, and working memory by depth.

    `bounds` is (n_turns + 1, n_secrets + 1) int32: the least total of so many secrets in so many
    guesses; the last row is for any number of guesses. `zobrist` is (n_secrets, 2). Of the memo's
    slots: `first` and `second` words of the key, `total`, `guess`, and `state`. By depth:
    `options` and `option_bounds`, `order` and `signatures` (n_depths, n_guesses), `members`
    (n_depths, n_secrets) of the cells, which start `at` (n_depths, n_feedback + 1).
    """

    by_secret: FeedbackIds
    guess_of_secret: Indices
    solved: int
    consistent_only: bool
    bounds: Indices
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
    """Return the two words of a set with so many guesses left."""
    first, second = np.uint64(left) * np.uint64(GOLDEN), np.uint64(left)
    for member in members:
        first ^= search.zobrist[member, 0]
        second ^= search.zobrist[member, 1]
    return first, second


@njit(nogil=True)
def find(search: Search, first: np.uint64, second: np.uint64) -> int:
    """Return the slot of a key, or the one where it would stand."""
    mask = len(search.state) - 1
    slot = np.int64(first & np.uint64(mask))
    while search.state[slot] != UNSEEN and (
        search.first[slot] != first or search.second[slot] != second
    ):
        slot = (slot + 1) & mask
    return int(slot)


@njit(nogil=True)
def slot_of(search: Search, members: Indices, left: int) -> int:
    """Return the slot of a set with so many guesses left, or the one where it would stand."""
    return find(search, *key_of(search, members, left))


@njit(nogil=True)
def _store(
    search: Search, key: tuple[np.uint64, np.uint64], total: int, guess: int, state: int
) -> int:
    """Remember what was learnt of a set, if there is room; return its total."""
    slot, tally = find(search, *key), search.tally
    if search.state[slot] == UNSEEN:
        if 4 * tally[ENTRIES] >= 3 * len(search.state):
            return total
        tally[ENTRIES] += 1
        search.first[slot], search.second[slot] = key
    search.total[slot], search.guess[slot], search.state[slot] = total, guess, state
    return total


@njit(nogil=True)
def _shortcut(search: Search, members: Indices, left: int) -> tuple[int, int]:
    """Return the guess and the total of a candidate that decides a small set, or −1 and a bound.

    A candidate that tells all apart takes 2n − 1, which nothing beats. Else 2n is a bound, which
    one that leaves a single pair together reaches, given three guesses.
    """
    n, pair = len(members), -1
    for i in range(n):
        guess = search.guess_of_secret[members[i]]
        seen, repeats = np.uint64(0), 0
        for j in range(n):
            bit = np.uint64(1) << np.uint64(search.by_secret[members[j], guess])
            if seen & bit:
                repeats += 1
            seen |= bit
        if repeats == 0:
            return guess, 2 * n - 1
        if repeats == 1:
            pair = guess
    return (pair, 2 * n) if left >= 3 else (-1, 2 * n)


@njit(nogil=True)
def _find_options(
    search: Search, depth: int, members: Indices, lower: int, limit: int, pool: Indices, row: int
) -> tuple[int, int, int]:
    """List the guesses whose bounds are below a limit, in the order of these.

    Returns how many there are, the least bound, and −1; or a guess that reaches the lower bound.
    """
    by_secret, bounds = search.by_secret, search.bounds[row]
    options, found = search.options[depth], search.option_bounds[depth]
    n, n_feedback = len(members), search.at.shape[1] - 1
    counts = np.zeros(n_feedback, np.int32)
    kept, least, most = 0, INFEASIBLE, 0
    for k in range(len(pool)):
        guess = pool[k]
        for j in range(n):
            counts[by_secret[members[j], guess]] += 1
        bound, largest = n, 0
        for f in range(n_feedback):
            if f != search.solved:
                bound += bounds[counts[f]]
            largest = max(largest, counts[f])
            counts[f] = 0
        if largest == n or bound >= min(limit, INFEASIBLE):
            continue
        if bound == lower and largest <= 2:
            return 0, bound, guess
        options[kept], found[kept] = guess, bound
        kept, least, most = kept + 1, min(least, bound), max(most, bound)
    span = max(most - least + 1, 0)
    starts = np.zeros(span + 1, np.int32)
    for k in range(kept):
        starts[found[k] - least + 1] += 1
    for step in range(span):
        starts[step + 1] += starts[step]
    for k in range(kept):
        search.order[depth, starts[found[k] - least]] = k
        starts[found[k] - least] += 1
    return kept, least, -1


@njit(nogil=True)
def _split(search: Search, depth: int, members: Indices, guess: int) -> np.uint64:
    """Lay out the cells of a guess; return a word that tells partitions apart."""
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
    """Return the least total guesses of a set if it is below a limit, else some bound from it on.

    `left` guesses may still be made; `pool` are the guesses to try first, all others being
    their images under symmetries that keep the set. STOPPED or TOO_DEEP where there is no answer.
    """
    n = len(members)
    lower = search.bounds[left, n]
    if n == 1 or lower >= limit:
        return lower
    if n == 2:
        return 3
    key = key_of(search, members, left)
    slot = find(search, *key)
    known = search.state[slot]
    if known == EXACT or (known == LOWER and search.total[slot] >= limit):
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
    row = left if left == len(search.bounds) - 1 else left - 1
    search.tally[LOOKUPS] += len(pool) * n
    search.tally[LOOKUPS_LEFT] -= len(pool) * n
    if search.tally[LOOKUPS_LEFT] < 0:
        return STOPPED
    n_options, least, guess = _find_options(search, depth, members, lower, limit, pool, row)
    if guess >= 0:
        return _store(search, key, least, guess, EXACT)
    best, winner, tried = limit, -1, 0
    signatures = search.signatures[depth]
    for entry in range(n_options):
        option = search.order[depth, entry]
        bound = search.option_bounds[depth, option]
        if bound >= best:
            break
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
    """Solve the cells at a depth from the smallest on; return their total, or one from best on."""
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
            found = least_total(search, depth + 1, cell, row, best - others, pool)
            if found < 0:
                return found
            total = others + found
            if total >= best:
                return total
        size = larger
    return total


@njit(nogil=True)
def total_after(search: Search, members: Indices, guess: int, left: int, limit: int) -> int:
    """Return the least total of a set once a guess is played, or some bound from the limit on.

    `left` guesses may be made after it. STOPPED or TOO_DEEP as in `least_total`.
    """
    _split(search, 0, members, guess)
    at, total = search.at[0], len(members)
    for f in range(len(at) - 1):
        if f != search.solved:
            total += search.bounds[left, at[f + 1] - at[f]]
    return total if total >= limit else _total_of_cells(search, 0, total, limit, left)
