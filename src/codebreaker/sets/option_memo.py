"""A memo of candidate sets: their distinct partitions, and the sets that these lead to.

Guesses with the same cell sizes, feedback id by feedback id, have the same score under all weights:
the first in the tie order represents them as an option. Options are computed when a set is first
reached, child sets when an option first wins. When an array is full, functions return `FULL` and
the caller clears the memo.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame, check_equal_chances
from codebreaker.sets.compile import inner, njit
from codebreaker.sets.primitives import GOLDEN
from codebreaker.types import CellSizes, FeedbackIds, Hashes, Indices, Offsets, Scores

FULL = -1
UNKNOWN = -1
EXACT_SUMS = {"reassoc", "nnan", "nsz"}
"""Fast-math flags: sums of exact integers may be taken in any order."""

LEADERS = 16
"""How many options are ranked under the reference weights."""

WORD = 64

SETS, MEMBERS, OPTIONS, LINKS = range(4)
"""Positions in `OptionMemo.used`: the numbers of sets, members, options and links in use."""


class OptionMemo(NamedTuple):
    """The arrays of a memo.

    By set: `key` and `turn`; `size` members from `member_at`; `option_count` options from
    `option_at` (UNKNOWN until computed); under the reference weights of a `version`, the best
    options as `leaders` (LEADERS,), their `leader_scores`, and the upper bound `rest` on all other
    scores; the `largest` and `smallest` (n_feedback,) terms over all options.
    By option: `counts` (n_feedback,) and `guess`; from `link_at` in `links` (UNKNOWN until it first
    wins) the numbers of children with one candidate and with more, then the ids of the latter.
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


class Workspace(NamedTuple):
    """Working memory of one thread.

    To find options: by guess the words `low` and `high` of its fingerprint, a hash table (`slots`,
    whose current entries bear the `stamp` in `stamps`), and the `fresh` guesses, one for each
    partition. `cells` are the members of a cell. To choose: the `scores` of a set's options, and
    the terms of its leaders, `front`, and of all options, `spread`, by feedback id.
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

    From terms_at[k, n] on, `terms` has the value under criterion k of a cell of each size, for sets
    of n; a guess ties within tolerances[k, n] of the best. `zobrist` (n_secrets,) are the words of
    sets' keys, `low` and `high` (n_bits, n_feedback) those of partitions' fingerprints, by the bit
    length of the set's size.
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
def find_set(scored: ScoredGame, memo: OptionMemo, members: Indices, turn: int) -> int:
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
def _is_set(memo: OptionMemo, set_id: int, members: Indices, turn: int) -> bool:
    if memo.turn[set_id] != turn or memo.size[set_id] != len(members):
        return False
    return bool((members_of(memo, set_id) == members).all())


@njit(nogil=True, inline="always")
def members_of(memo: OptionMemo, set_id: int) -> Indices:
    """Return the members of a set, ascending."""
    return memo.members[memo.member_at[set_id] : memo.member_at[set_id] + memo.size[set_id]]


@njit(nogil=True)
def find_options(scored: ScoredGame, memo: OptionMemo, work: Workspace, set_id: int) -> int:
    """Find the options of a set, in tie order; return their number, or FULL."""
    members = members_of(memo, set_id)
    n_fresh = _fresh_guesses(scored, work, members)
    first = memo.used[OPTIONS]
    if first + n_fresh > len(memo.guess):
        return FULL
    by_secret, counts = scored.by_secret, memo.counts
    for i in range(n_fresh):
        option, guess = first + i, work.fresh[i]
        counts[option] = 0
        for j in range(len(members)):
            counts[option, by_secret[members[j], guess]] += 1
        memo.guess[option] = guess
        memo.link_at[option] = UNKNOWN
    memo.option_at[set_id], memo.option_count[set_id] = first, n_fresh
    memo.used[OPTIONS] += n_fresh
    return n_fresh


@inner
def _fresh_guesses(scored: ScoredGame, work: Workspace, members: Indices) -> int:
    """Find the first guess of each partition, candidates first; return their number."""
    bits = 0
    while len(members) >> bits:
        bits += 1
    low_words, high_words = scored.low[bits], scored.high[bits]
    low, high = work.low, work.high
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
    stamps, slots, fresh = work.stamps, work.slots, work.fresh
    first_row, guess_of_secret = scored.by_secret[members[0]], scored.guess_of_secret
    work.stamp[0] += 1
    stamp, mask, n_fresh = work.stamp[0], len(slots) - 1, 0
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
    scored: ScoredGame,
    memo: OptionMemo,
    coming: OptionMemo,
    work: Workspace,
    set_id: int,
    option: int,
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
                work.cells[size] = member
                size += 1
        child = find_set(scored, coming, work.cells[:size], memo.turn[set_id] + 1)
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


def make_scored_game(
    game: TableGame, last_turn: int, terms: Scores, terms_at: Offsets, tolerances: Scores
) -> ScoredGame:
    """Return a game with terms; sets are told apart by turn up to `last_turn`."""
    check_equal_chances(game, "a batch of trees")
    if (np.diff(game.guess_of_secret) <= 0).any():
        raise CodebreakerError(f"the secrets of {game.name} are not in the order of its guesses")
    low, high = _fingerprints(game)
    draw = np.random.default_rng(0)
    return ScoredGame(
        by_secret=game.by_secret,
        guess_of_secret=game.guess_of_secret,
        solved=game.solved,
        last_turn=last_turn,
        terms=terms,
        terms_at=terms_at,
        tolerances=tolerances,
        zobrist=draw.integers(2**63, size=game.n_secrets, dtype=np.uint64),
        low=low,
        high=high,
    )


def padded(n_feedback: int) -> int:
    """Return the width of a row of weights in the kernels, padded to full vector registers."""
    return -(-n_feedback // 8) * 8


def _fingerprints(game: TableGame) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the two words of each feedback id, by the bit length of the set's size.

    Their sum over a set holds the counts of all cells if these fit side by side; otherwise two
    partitions collide with probability 2⁻¹²⁸.
    """
    bits = game.n_secrets.bit_length()
    words = np.random.default_rng(1).integers(
        2**64, size=(2, bits + 1, game.n_feedback), dtype=np.uint64
    )
    for width in range(1, bits + 1):
        fields = WORD // width
        if game.n_feedback > 2 * fields:
            break
        words[:, width] = 0
        for f in range(game.n_feedback):
            words[f // fields, width, f] = np.uint64(1) << np.uint64(width * (f % fields))
    return words[0], words[1]


def allocate_memo(game: TableGame, sets: int, options: int, members: int, links: int) -> OptionMemo:
    """Allocate an empty memo of the given capacities; the system commits pages as they are used."""
    f = game.n_feedback
    return OptionMemo(
        used=np.zeros(4, np.int64),
        slots=np.full(1 << (2 * sets - 1).bit_length(), -1, np.int32),
        key=np.empty(sets, np.uint64),
        turn=np.empty(sets, np.int32),
        size=np.empty(sets, np.int32),
        member_at=np.empty(sets, np.int64),
        members=np.empty(members, np.int32),
        option_at=np.empty(sets, np.int64),
        option_count=np.empty(sets, np.int32),
        leaders=np.empty((sets, LEADERS), np.int32),
        leader_scores=np.empty((sets, LEADERS), np.float64),
        rest=np.empty(sets, np.float64),
        version=np.empty(sets, np.int32),
        largest=np.zeros((sets, padded(f)), np.float64),
        smallest=np.zeros((sets, padded(f)), np.float64),
        counts=np.empty((options, f), np.uint16),
        guess=np.empty(options, np.int32),
        link_at=np.empty(options, np.int64),
        links=np.empty(links, np.int32),
    )


def allocate_workspace(game: TableGame, sets: int, entries: int) -> Workspace:
    """Allocate working memory for a number of sets, and of entries (individuals at sets) a turn."""
    f = game.n_feedback
    guesses = 1 << (2 * game.n_guesses - 1).bit_length()
    return Workspace(
        low=np.empty(game.n_guesses, np.uint64),
        high=np.empty(game.n_guesses, np.uint64),
        slots=np.empty(guesses, np.int32),
        stamps=np.zeros(guesses, np.int32),
        stamp=np.zeros(1, np.int32),
        fresh=np.empty(game.n_guesses, np.int32),
        cells=np.empty(game.n_secrets, np.int32),
        scores=np.empty(max(game.n_guesses, LEADERS), np.float64),
        front=np.zeros((LEADERS, padded(f)), np.float64),
        spread=np.empty((f, game.n_guesses), np.float64),
        heads=np.empty(sets, np.int32),
        nexts=np.empty(entries, np.int32),
        who=np.empty(entries, np.int32),
        active=np.empty(sets, np.int32),
        coming=np.empty(sets, np.int32),
        first=np.empty(sets + 1, np.int32),
        here=np.empty(entries, np.int32),
        chosen=np.empty(entries, np.int64),
    )
