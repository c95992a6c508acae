"""A memo of candidate sets: their distinct partitions, and the sets that these lead to.

Guesses that partition a set into cells of the same sizes, feedback by feedback, have the same score
under all weights, so one of them, the first in the tie order, stands for all: an option. A set's
options are found when it is first met, an option's child sets when it first wins. All arrays are
allocated once; where one is full, functions return `FULL` and the caller starts the memo anew.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.arithmetic.compile import njit
from codebreaker.types import CellSizes, FeedbackIds, Hashes, Indices, Offsets, Scores

FULL = -1
UNKNOWN = -1
EXACT_SUMS = {"reassoc", "nnan", "nsz"}
"""Sums are of exact integers, so the compiler may take them in any order."""

LEADERS = 16
"""How many options are kept in order for the reference weights."""

TURN_KEY = 0x9E3779B97F4A7C15
"""A turn's part of a set's key is its product with this."""

SETS, MEMBERS, OPTIONS, LINKS = range(4)
"""Positions in `Memo.used`: what is filled of the sets, members, options and links."""


class Memo(NamedTuple):
    """The arrays of a memo.

    Of each set: its `key` and `turn`; `size` members from `member_at`; `option_count` options from
    `option_at` (UNKNOWN before they are found); `leaders` (LEADERS,) options by reference score,
    `leader_scores`, a bound `rest` on all other options' reference scores, and the `version` of
    the reference; the `largest` and the `smallest` (n_feedback,) terms over all options at the
    reference's order.
    Of each option: `counts` (n_feedback,) and its `guess`; from `link_at` in `links` (UNKNOWN
    before it first wins): the number of children of one candidate, of larger children, and these.
    """

    used: Offsets
    slots: Indices
    key: Hashes
    turn: Indices
    size: Indices
    member_at: Offsets
    members: Indices
    option_at: Offsets
    option_count: Indices
    leaders: Indices
    leader_scores: Scores
    rest: Scores
    version: Indices
    largest: Scores
    smallest: Scores
    counts: CellSizes
    guess: Indices
    link_at: Offsets
    links: Indices


class Scratch(NamedTuple):
    """Working memory of one thread.

    For finding options: two words and a slot for each guess, and the `fresh` ones. For following:
    the `cells`' members. For choosing: `scores` of a set's options, the terms of its leaders in
    `front`, and all terms `spread` out by feedback. For a generation: this turn's sets, `active`,
    with the individuals at set a in `here` from first[a] on, and what each has `chosen`; the next
    turn's sets, `coming`, with their individuals as lists that start at `heads` (n_sets,) and go
    on in `nexts`, the individual in `who`.
    """

    low: Hashes
    high: Hashes
    slots: Indices
    stamps: Indices
    stamp: Indices
    fresh: Indices
    cells: Indices
    scores: Scores
    front: Scores
    spread: Scores
    heads: Indices
    nexts: Indices
    who: Indices
    active: Indices
    coming: Indices
    first: Indices
    here: Indices
    chosen: Offsets


class ScoredGame(NamedTuple):
    """What the memo needs of a game and the criteria that orders choose from.

    `terms` holds, from terms_at[order, n] on, the value of each cell size in a set of n; a guess
    ties within tolerances[order, n] of the best. `zobrist` (n_secrets,) are the parts of a set's
    key; `low` and `high` (n_sizes, n_feedback) tell partitions apart, by the bit length of the
    set's size.
    """

    by_secret: FeedbackIds
    guess_of_secret: Indices
    solved: int
    last_turn: int
    terms: Scores
    terms_at: Offsets
    tolerances: Scores
    zobrist: Hashes
    low: Hashes
    high: Hashes


@njit(nogil=True)
def find_set(rules: ScoredGame, memo: Memo, members: Indices, turn: int) -> int:
    """Return the id of a candidate set at a turn, a new one if need be, or FULL."""
    turn = min(turn, rules.last_turn)
    key = np.uint64(turn) * np.uint64(TURN_KEY)
    for member in members:
        key ^= rules.zobrist[member]
    mask = len(memo.slots) - 1
    slot = np.int64(key & np.uint64(mask))
    while memo.slots[slot] >= 0:
        found = memo.slots[slot]
        if memo.key[found] == key and _is_set(memo, found, members, turn):
            return found
        slot = (slot + 1) & mask
    found, start = memo.used[SETS], memo.used[MEMBERS]
    if found == len(memo.key) or start + len(members) > len(memo.members):
        return FULL
    memo.slots[slot] = found
    memo.key[found], memo.turn[found], memo.size[found] = key, turn, len(members)
    memo.member_at[found] = start
    memo.members[start : start + len(members)] = members
    memo.option_at[found], memo.version[found] = UNKNOWN, UNKNOWN
    memo.used[SETS] += 1
    memo.used[MEMBERS] += len(members)
    return found


@njit(nogil=True, inline="always")
def _is_set(memo: Memo, found: int, members: Indices, turn: int) -> bool:
    if memo.turn[found] != turn or memo.size[found] != len(members):
        return False
    return bool((members_of(memo, found) == members).all())


@njit(nogil=True, inline="always")
def members_of(memo: Memo, found: int) -> Indices:
    """Return the members of a set, ascending."""
    return memo.members[memo.member_at[found] : memo.member_at[found] + memo.size[found]]


@njit(nogil=True)
def find_options(rules: ScoredGame, memo: Memo, scratch: Scratch, found: int) -> int:
    """Find the options of a set, in the tie order; return how many there are, or FULL."""
    members = members_of(memo, found)
    n_fresh = _fresh_guesses(rules, scratch, members)
    first = memo.used[OPTIONS]
    if first + n_fresh > len(memo.guess):
        return FULL
    by_secret, counts = rules.by_secret, memo.counts
    for i in range(n_fresh):
        option, guess = first + i, scratch.fresh[i]
        counts[option] = 0
        for j in range(len(members)):
            counts[option, by_secret[members[j], guess]] += 1
        memo.guess[option] = guess
        memo.link_at[option] = UNKNOWN
    memo.option_at[found], memo.option_count[found] = first, n_fresh
    memo.used[OPTIONS] += n_fresh
    return n_fresh


@njit(nogil=True)
def _fresh_guesses(rules: ScoredGame, scratch: Scratch, members: Indices) -> int:
    """Find the first guess of each partition, candidates first; return how many there are."""
    bits = 0
    while len(members) >> bits:
        bits += 1
    low_words, high_words = rules.low[bits], rules.high[bits]
    low, high = scratch.low, scratch.high
    low[:] = 0
    for member in members:
        row = rules.by_secret[member]
        for g in range(len(row)):
            low[g] += low_words[row[g]]
    one_word = not high_words.any()
    if not one_word:
        high[:] = 0
        for member in members:
            row = rules.by_secret[member]
            for g in range(len(row)):
                high[g] += high_words[row[g]]
    stamps, slots, fresh = scratch.stamps, scratch.slots, scratch.fresh
    first_row, guess_of_secret = rules.by_secret[members[0]], rules.guess_of_secret
    scratch.stamp[0] += 1
    stamp, mask, n_fresh = scratch.stamp[0], len(slots) - 1, 0
    n_members, size = len(members), np.uint64(len(members))
    for i in range(n_members + len(low)):
        guess = guess_of_secret[members[i]] if i < n_members else i - n_members
        one, other = low[guess], np.uint64(0) if one_word else high[guess]
        together = first_row[guess]
        if one == size * low_words[together] and other == size * high_words[together]:
            continue
        mixed = (one ^ (other << np.uint64(1))) * np.uint64(0x9E3779B97F4A7C15)
        slot = np.int64(mixed >> np.uint64(40)) & mask
        known = False
        while stamps[slot] == stamp and not known:
            before = slots[slot]
            known = low[before] == one and (one_word or high[before] == other)
            slot = (slot + 1) & mask
        if not known:
            stamps[slot], slots[slot] = stamp, guess
            fresh[n_fresh] = guess
            n_fresh += 1
    return n_fresh


@njit(nogil=True)
def follow_option(
    rules: ScoredGame, memo: Memo, coming: Memo, scratch: Scratch, found: int, option: int
) -> int:
    """Return where an option's children stand in the links, finding them if need be, or FULL.

    The children are sets of the memo `coming`, which may be the same one.
    """
    if memo.link_at[option] != UNKNOWN:
        return memo.link_at[option]
    members, counts = members_of(memo, found), memo.counts[option]
    n_feedback = len(counts)
    start = memo.used[LINKS]
    if start + 2 + n_feedback > len(memo.links):
        return FULL
    singles, children = 0, 0
    for f in range(n_feedback):
        if f == rules.solved or counts[f] == 0:
            continue
        if counts[f] == 1:
            singles += 1
            continue
        size = 0
        for member in members:
            if rules.by_secret[member, memo.guess[option]] == f:
                scratch.cells[size] = member
                size += 1
        child = find_set(rules, coming, scratch.cells[:size], memo.turn[found] + 1)
        if child == FULL:
            return FULL
        memo.links[start + 2 + children] = child
        children += 1
    memo.links[start], memo.links[start + 1] = singles, children
    memo.used[LINKS] = start + 2 + children
    memo.link_at[option] = start
    return start


@njit(nogil=True)
def spread_terms(
    counts: CellSizes, first: int, count: int, terms: Scores, at: int, spread: Scores
) -> None:
    """Look up all terms of a set's options, (n_feedback, at least count)."""
    for k in range(count):
        for f in range(counts.shape[1]):
            spread[f, k] = terms[at + counts[first + k, f]]


@njit(nogil=True, fastmath=EXACT_SUMS)
def score_all(spread: Scores, count: int, weights: Scores, scores: Scores) -> float:
    """Score all options of a set, and return the best score."""
    scores[:count] = 0.0
    for f in range(len(spread)):
        weight, row = weights[f], spread[f]
        for k in range(count):
            scores[k] += weight * row[k]
    best = -np.inf
    for k in range(count):
        best = max(best, scores[k])
    return best
