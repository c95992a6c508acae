"""A memo of candidate sets: their distinct partitions, and the sets that these lead to.

Guesses with the same cell sizes at a set, feedback id by feedback id, have the same score under all
weights. The first of them in the tie order represents them as an option. A set's options are
computed when it is first reached, an option's child sets when it first wins. All arrays are
allocated once; when one is full, functions return `FULL` and the caller clears the memo.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.sets.compile import inner, njit
from codebreaker.sets.cpu import GOLDEN
from codebreaker.types import CellSizes, FeedbackIds, Hashes, Indices, Offsets, Scores

FULL = -1
UNKNOWN = -1
EXACT_SUMS = {"reassoc", "nnan", "nsz"}
"""Fast-math flags: sums of exact integers may be taken in any order."""

LEADERS = 16
"""How many options are ranked under the reference weights."""

SETS, MEMBERS, OPTIONS, LINKS = range(4)
"""Positions in `Memo.used`: the numbers of sets, members, options and links in use."""


class Memo(NamedTuple):
    """The arrays of a memo.

    For each set: its `key` and `turn`; `size` members from `member_at`; `option_count` options from
    `option_at` (UNKNOWN until they are computed); the best options under the reference weights as
    `leaders` (LEADERS,) with their `leader_scores`, the upper bound `rest` on the reference scores
    of all others, and the `version` of the reference; the `largest` and `smallest` (n_feedback,)
    terms over all options under the reference's criterion.
    For each option: `counts` (n_feedback,) and its `guess`; from `link_at` in `links` (UNKNOWN
    until it first wins): the numbers of children with one candidate and with more, then the ids of
    the latter.
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

    To find options: for each guess the words `low` and `high` of its fingerprint, a hash table
    (`slots`, with `stamps` that mark the entries of the current `stamp`), and the `fresh` guesses,
    one for each distinct partition. To follow an option: the members of a cell, in `cells`. To
    choose: the `scores` of a set's options, the terms of its leaders, `front`, and of all options,
    `spread`, by feedback id.
    To evaluate a generation: `active`, the sets of this turn; the individuals at set a, `here` from
    first[a] on, and the option that each has `chosen`; `coming`, the sets of the next turn, whose
    individuals are linked lists: `heads` (n_sets,) and `nexts` are positions, `who` individuals.
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
    """A game with the terms of one or several criteria.

    From terms_at[k, n] on, `terms` holds the value under criterion k of a cell of each size, for
    sets of n; a guess ties within tolerances[k, n] of the best. `zobrist` (n_secrets,) are the
    random words of sets' keys; `low` and `high` (n_bits, n_feedback) are the words of partitions'
    fingerprints, by the bit length of the set's size.
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
def find_set(scored: ScoredGame, memo: Memo, members: Indices, turn: int) -> int:
    """Return the id of a candidate set at a turn, adding it if it is new; or FULL."""
    turn = min(turn, scored.last_turn)
    key = np.uint64(turn) * np.uint64(GOLDEN)
    for member in members:
        key ^= scored.zobrist[member]
    mask = len(memo.slots) - 1
    slot = np.int64(key & np.uint64(mask))
    while memo.slots[slot] >= 0:
        set_id = memo.slots[slot]
        if memo.key[set_id] == key and _is_set(memo, set_id, members, turn):
            return set_id
        slot = (slot + 1) & mask
    set_id, start = memo.used[SETS], memo.used[MEMBERS]
    if set_id == len(memo.key) or start + len(members) > len(memo.members):
        return FULL
    memo.slots[slot] = set_id
    memo.key[set_id], memo.turn[set_id], memo.size[set_id] = key, turn, len(members)
    memo.member_at[set_id] = start
    for i in range(len(members)):
        memo.members[start + i] = members[i]
    memo.option_at[set_id], memo.version[set_id] = UNKNOWN, UNKNOWN
    memo.used[SETS] += 1
    memo.used[MEMBERS] += len(members)
    return set_id


@njit(nogil=True, inline="always")
def _is_set(memo: Memo, set_id: int, members: Indices, turn: int) -> bool:
    if memo.turn[set_id] != turn or memo.size[set_id] != len(members):
        return False
    return bool((members_of(memo, set_id) == members).all())


@njit(nogil=True, inline="always")
def members_of(memo: Memo, set_id: int) -> Indices:
    """Return the members of a set, ascending."""
    return memo.members[memo.member_at[set_id] : memo.member_at[set_id] + memo.size[set_id]]


@njit(nogil=True)
def find_options(scored: ScoredGame, memo: Memo, scratch: Scratch, set_id: int) -> int:
    """Find the options of a set, in tie order; return their number, or FULL."""
    members = members_of(memo, set_id)
    n_fresh = _fresh_guesses(scored, scratch, members)
    first = memo.used[OPTIONS]
    if first + n_fresh > len(memo.guess):
        return FULL
    by_secret, counts = scored.by_secret, memo.counts
    for i in range(n_fresh):
        option, guess = first + i, scratch.fresh[i]
        counts[option] = 0
        for j in range(len(members)):
            counts[option, by_secret[members[j], guess]] += 1
        memo.guess[option] = guess
        memo.link_at[option] = UNKNOWN
    memo.option_at[set_id], memo.option_count[set_id] = first, n_fresh
    memo.used[OPTIONS] += n_fresh
    return n_fresh


@inner
def _fresh_guesses(scored: ScoredGame, scratch: Scratch, members: Indices) -> int:
    """Find the first guess of each partition, candidates first; return their number."""
    bits = 0
    while len(members) >> bits:
        bits += 1
    low_words, high_words = scored.low[bits], scored.high[bits]
    low, high = scratch.low, scratch.high
    low[:] = 0
    for member in members:
        row = scored.by_secret[member]
        for g in range(len(row)):
            low[g] += low_words[row[g]]
    one_word = not high_words.any()
    if not one_word:
        high[:] = 0
        for member in members:
            row = scored.by_secret[member]
            for g in range(len(row)):
                high[g] += high_words[row[g]]
    stamps, slots, fresh = scratch.stamps, scratch.slots, scratch.fresh
    first_row, guess_of_secret = scored.by_secret[members[0]], scored.guess_of_secret
    scratch.stamp[0] += 1
    stamp, mask, n_fresh = scratch.stamp[0], len(slots) - 1, 0
    n_members, size = len(members), np.uint64(len(members))
    for i in range(n_members + len(low)):
        guess = guess_of_secret[members[i]] if i < n_members else i - n_members
        one, other = low[guess], np.uint64(0) if one_word else high[guess]
        together = first_row[guess]
        if one == size * low_words[together] and other == size * high_words[together]:
            continue
        mixed = (one ^ (other << np.uint64(1))) * np.uint64(GOLDEN)
        slot = np.int64(mixed >> np.uint64(40)) & mask
        seen = False
        while stamps[slot] == stamp and not seen:
            before = slots[slot]
            seen = low[before] == one and (one_word or high[before] == other)
            slot = (slot + 1) & mask
        if not seen:
            stamps[slot], slots[slot] = stamp, guess
            fresh[n_fresh] = guess
            n_fresh += 1
    return n_fresh


@njit(nogil=True)
def follow_option(
    scored: ScoredGame, memo: Memo, coming: Memo, scratch: Scratch, set_id: int, option: int
) -> int:
    """Return the position of an option's children in the links, adding them if new; or FULL.

    The children are sets of the memo `coming`, which may be `memo` itself.
    """
    if memo.link_at[option] != UNKNOWN:
        return memo.link_at[option]
    members, counts = members_of(memo, set_id), memo.counts[option]
    n_feedback = len(counts)
    start = memo.used[LINKS]
    if start + 2 + n_feedback > len(memo.links):
        return FULL
    singles, children = 0, 0
    for f in range(n_feedback):
        if f == scored.solved or counts[f] == 0:
            continue
        if counts[f] == 1:
            singles += 1
            continue
        size = 0
        for member in members:
            if scored.by_secret[member, memo.guess[option]] == f:
                scratch.cells[size] = member
                size += 1
        child = find_set(scored, coming, scratch.cells[:size], memo.turn[set_id] + 1)
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
    """Look up the terms of all options of a set, into spread, (n_feedback, at least count)."""
    for k in range(count):
        for f in range(counts.shape[1]):
            spread[f, k] = terms[at + counts[first + k, f]]


@njit(nogil=True, fastmath=EXACT_SUMS)
def score_all(spread: Scores, count: int, weights: Scores, scores: Scores) -> float:
    """Score all options of a set; return the best score."""
    scores[:count] = 0.0
    for f in range(len(spread)):
        weight, row = weights[f], spread[f]
        for k in range(count):
            scores[k] += weight * row[k]
    best = -np.inf
    for k in range(count):
        best = max(best, scores[k])
    return best
