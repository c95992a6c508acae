"""A memo of candidate sets: their distinct partitions (options), and the sets that follow.

Guesses with equal cell sizes by feedback id have the same score under all weights: the first in tie
order represents them as an option. Child sets are computed when an option first wins. If an array
is full, functions return `FULL` and the caller clears the memo. An option is a list of cells, each
`f << shift_of(set size) | cell size`. Options with more cells come first, so the j-th cells of a
set's options are one block.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame, refuse_prior
from codebreaker.sets.compile import njit
from codebreaker.sets.primitives import GOLDEN, find_slot
from codebreaker.types import CellSizes, Counts, FeedbackIds, Hashes, Indices, Offsets, Scores

FULL = -1
UNKNOWN = -1
EXACT_SUMS = {"reassoc", "nnan", "nsz"}  # integers may be added in any order
LEADERS = 16  # options ranked by the reference weights

WORD = 64
SETS, MEMBERS, OPTIONS, CELLS, LINKS = range(5)  # positions in `OptionMemo.used`


class OptionMemo(NamedTuple):
    """The arrays of a memo.

    By set: `key` and `turn`; `size` members from `member_at`; `option_count` options from
    `option_at` (UNKNOWN until computed); under the reference weights of a `version`, the best
    options as `leaders`, with scores, (LEADERS,), and the upper bound `rest` on all other scores;
    the `largest` and `smallest` (n_feedback,) terms over all options. From `cell_at` on, `cells`
    holds all first cells, all second cells, ...; backwards from there, the numbers of options with
    a second cell, a third and so on, then 0. By option: the tie `rank` of its guess; from `link_at`
    in `links` (UNKNOWN until it first wins) the number of children with one candidate, the number
    of larger children, and their ids.
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
    version: Indices
    cell_at: Offsets
    cells: CellSizes
    rank: CellSizes
    link_at: Indices
    links: Indices


class Workspace(NamedTuple):
    """Working memory of one thread.

    To find options: the words `low` and `high` of guesses' fingerprints, and a hash table, `slots`;
    the tie ranks of `fresh` guesses, one per partition, with the number of `parts` and the cells
    `found`. To choose: the `values` of all cells, and the leaders' terms, `front`. To evaluate a
    generation: this turn's `active` sets; the individuals at set a, `here` from first[a] on, and
    the option that each has `chosen`; the next turn's sets, `coming`, whose individuals are linked
    lists: `heads` and `nexts` are positions, `who` individuals.
    """

    low: Hashes
    high: Hashes
    slots: Indices
    fresh: Indices
    parts: Indices
    found: Indices
    rows: Offsets  # by number of cells
    counts: Counts  # by feedback id
    cell: Indices  # a cell's members
    scores: Scores
    values: Scores
    front: Scores
    heads: Indices  # (n_sets,)
    nexts: Indices
    who: Indices
    active: Indices
    coming: Indices
    first: Indices
    here: Indices
    chosen: Offsets


class ScoredGame(NamedTuple):
    """A game with the terms of some criteria.

    From terms_at[k, n] on, `terms` has criterion k's value of a cell of each size, for sets of n;
    reach[k, n] has the largest and the smallest one, or 0; guesses tie within tolerances[k, n].
    `zobrist` (n_secrets,) has the words of sets' keys, `low` and `high` (n_bits, n_feedback) the
    words of fingerprints, by the bit length of the set's size.
    """

    by_secret: FeedbackIds
    guess_of_secret: Indices
    solved: int
    last_turn: int
    terms: Scores
    terms_at: Offsets
    tolerances: Scores
    reach: Scores
    zobrist: Hashes
    low: Hashes
    high: Hashes


@njit(nogil=True)
def find_set(scored: ScoredGame, memo: OptionMemo, members: Indices, turn: int) -> int:
    """Return the id of a set at a turn, adding a new one; or FULL."""
    turn = min(turn, scored.last_turn)
    key = np.uint64(turn) * np.uint64(GOLDEN)
    for member in members:
        key ^= scored.zobrist[member]
    slot = np.int64(key & np.uint64(len(memo.slots) - 1))
    slot = find_slot(memo, slot, key, turn, members, 0, len(members))
    if memo.slots[slot] >= 0:
        return int(memo.slots[slot])
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
def members_of(memo: OptionMemo, set_id: int) -> Indices:
    """Return the members of a set, ascending."""
    return memo.members[memo.member_at[set_id] : memo.member_at[set_id] + memo.size[set_id]]


@njit(nogil=True, inline="always")
def shift_of(size: int) -> int:
    """Return the number of bits of a set's size, by which feedback ids are shifted."""
    bits = 0
    while size >> bits:
        bits += 1
    return bits


@njit(nogil=True)
def find_options(scored: ScoredGame, memo: OptionMemo, work: Workspace, set_id: int) -> int:
    """Find a set's options; return their number, or FULL."""
    members, cells, rows = members_of(memo, set_id), memo.cells, work.rows
    n = _find_fresh(scored, work, members)
    n_cells, width = 0, 2  # every option has two cells
    rows[:] = 0
    for i in range(n):
        parts = work.parts[i]
        rows[parts] += 1
        n_cells, width = n_cells + parts, max(width, parts)
    first, start = memo.used[OPTIONS], memo.used[CELLS]
    if first + n > len(memo.rank) or start + width + n_cells > len(cells):
        return FULL
    before = 0
    for parts in range(width, -1, -1):
        rows[parts], before = before, before + rows[parts]
    cells[start], at = 0, start + width
    for j in range(1, width):
        cells[at - j] = rows[j]
    for i in range(n):
        parts = work.parts[i]
        k, place = rows[parts], at + rows[parts]
        rows[parts] += 1
        memo.rank[first + k], memo.link_at[first + k] = work.fresh[i], UNKNOWN
        for j in range(parts):
            cells[place] = work.found[i, j]
            place += n if j == 0 else np.int64(cells[at - j])
    memo.option_at[set_id], memo.option_count[set_id], memo.cell_at[set_id] = first, n, at
    memo.used[OPTIONS] += n
    memo.used[CELLS] += width + n_cells
    return n


@njit(nogil=True)
def _find_fresh(scored: ScoredGame, work: Workspace, members: Indices) -> int:
    """Find the first guess of each partition in tie order; return their number."""
    by_secret, low, high, counts = scored.by_secret, work.low, work.high, work.counts
    bits = shift_of(len(members))
    low_words, high_words, one_word = scored.low[bits], scored.high[bits], bits * len(counts) < WORD
    low[:] = 0
    if one_word:
        for member in members:
            row = by_secret[member]
            for g in range(len(row)):
                low[g] += np.uint64(1) << np.uint64(np.int64(row[g]) * bits)
    else:
        high[:] = 0
        for member in members:
            row = by_secret[member]
            for g in range(len(row)):
                low[g] += low_words[row[g]]
                high[g] += high_words[row[g]]
    slots, found, guess_of_secret = work.slots, work.found, scored.guess_of_secret
    slots[:] = UNKNOWN
    mask, n, n_members, n_guesses = len(slots) - 1, 0, len(members), len(low)
    size_mask = (1 << bits) - 1
    for i in range(n_members + n_guesses):
        guess = np.int64(guess_of_secret[members[i]]) if i < n_members else i - n_members
        one, other = low[guess], np.uint64(0) if one_word else high[guess]
        mixed = (one ^ (other << np.uint64(1))) * np.uint64(GOLDEN)
        slot = np.int64(mixed >> np.uint64(40)) & mask
        before = slots[slot]
        while before >= 0 and not (low[before] == one and (one_word or high[before] == other)):
            slot = (slot + 1) & mask
            before = slots[slot]
        if before >= 0:
            continue
        slots[slot] = guess
        parts = 0
        if one_word:
            word, f = np.int64(one), 0
            while word != 0:
                if word & size_mask:
                    found[n, parts] = f << bits | word & size_mask
                    parts += 1
                word, f = word >> bits, f + 1
        else:
            for member in members:
                counts[by_secret[member, guess]] += 1
            for f in range(len(counts)):
                if counts[f] > 0:
                    found[n, parts] = f << bits | counts[f]
                    parts += 1
                    counts[f] = 0
        if parts > 1:
            work.fresh[n] = guess if i < n_members else guess + n_guesses
            work.parts[n] = parts
            n += 1
    return n


@njit(nogil=True)
def cells_of(memo: OptionMemo, work: Workspace, set_id: int, option: int) -> int:
    """Copy an option's cells to the first row of `found`; return their number."""
    at, n = memo.cell_at[set_id], np.int64(memo.option_count[set_id])
    k, parts = option - memo.option_at[set_id], 0
    place = at + k
    while k < n:
        work.found[0, parts] = memo.cells[place]
        place, parts = place + n, parts + 1
        n = np.int64(memo.cells[at - parts])
    return parts


@njit(nogil=True)
def follow_option(
    scored: ScoredGame,
    memo: OptionMemo,
    coming: OptionMemo,
    work: Workspace,
    set_id: int,
    option: int,
) -> int:
    """Return where an option's children, sets of `coming`, begin; or FULL."""
    if memo.link_at[option] != UNKNOWN:
        return int(memo.link_at[option])
    members, guess = members_of(memo, set_id), memo.rank[option] % scored.by_secret.shape[1]
    shift, start = shift_of(len(members)), memo.used[LINKS]
    parts = cells_of(memo, work, set_id, option)
    if start + 2 + parts > len(memo.links):
        return FULL
    singles, children = 0, 0
    for j in range(parts):
        f, count = work.found[0, j] >> shift, work.found[0, j] & ((1 << shift) - 1)
        if f == scored.solved:
            continue
        if count == 1:
            singles += 1
            continue
        size = 0
        for member in members:
            if scored.by_secret[member, guess] == f:
                work.cell[size] = member
                size += 1
        child = find_set(scored, coming, work.cell[:size], memo.turn[set_id] + 1)
        if child == FULL:
            return FULL
        memo.links[start + 2 + children] = child
        children += 1
    memo.links[start], memo.links[start + 1] = singles, children
    memo.used[LINKS] = start + 2 + children
    memo.link_at[option] = start
    return int(start)


@njit(nogil=True)
def value_cells(scored: ScoredGame, work: Workspace, size: int, at: int, weights: Scores) -> None:
    """Compute the `values` of a set's cells, by the terms from `at` on."""
    shift, values, terms = shift_of(size), work.values, scored.terms
    for f in range(len(work.counts)):
        start, weight = f << shift, weights[f]
        for count in range(1, size):
            values[start + count] = weight * terms[at + count]


@njit(nogil=True, fastmath=EXACT_SUMS)
def score_all(memo: OptionMemo, set_id: int, values: Scores, scores: Scores) -> float:
    """Score a set's options; return the best score."""
    cells, at, n = memo.cells, memo.cell_at[set_id], np.int64(memo.option_count[set_id])
    for k in range(n):
        scores[k] = values[cells[at + k]] + values[cells[at + n + k]]
    left, j, one = at + 2 * n, 3, np.int64(cells[at - 2])
    while one > 0:
        both, right = np.int64(cells[at - j]), left + one
        for k in range(both):
            scores[k] += values[cells[left + k]] + values[cells[right + k]]
        for k in range(both, one):
            scores[k] += values[cells[left + k]]
        left, j = right + both, j + 2
        one = np.int64(cells[at - j + 1]) if both > 0 else both
    best = -np.inf
    for k in range(n):
        best = max(best, scores[k])
    return best


def make_scored_game(
    game: TableGame, last_turn: int, terms: Scores, terms_at: Offsets, tolerances: Scores
) -> ScoredGame:
    """Return a game with terms; sets of different turns differ up to `last_turn`."""
    refuse_prior(game, "a batch of trees")
    if (np.diff(game.guess_of_secret) <= 0).any():
        raise CodebreakerError(f"the secrets of {game.name} are not in the order of its guesses")
    low, high = _fingerprints(game)
    draw, reach = np.random.default_rng(0), np.zeros((*terms_at.shape, 2))
    for k, size in np.argwhere(terms_at):
        inner = terms[terms_at[k, size] + 1 :][: size - 1]
        reach[k, size] = inner.max(initial=0.0), inner.min(initial=0.0)
    return ScoredGame(
        by_secret=game.by_secret,
        guess_of_secret=game.guess_of_secret,
        solved=game.solved,
        last_turn=last_turn,
        terms=terms,
        terms_at=terms_at,
        tolerances=tolerances,
        reach=reach,
        zobrist=draw.integers(2**63, size=game.n_secrets, dtype=np.uint64),
        low=low,
        high=high,
    )


def padded(n_feedback: int) -> int:
    """Return a weights row's width, padded to full vector registers."""
    return -(-n_feedback // 8) * 8


def _fingerprints(game: TableGame) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the two words of each feedback id, by the bit length of the set's size.

    Where they have room, their sum holds all cell counts; otherwise partitions collide with
    probability 2⁻¹²⁸.
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


def allocate_memo(
    game: TableGame, sets: int, options: int, cells: int, members: int, links: int
) -> OptionMemo:
    """Allocate an empty memo; the system commits pages as they are used."""
    f = game.n_feedback
    largest = max(f << game.n_secrets.bit_length(), 2 * game.n_guesses)
    word = np.uint16 if largest <= np.iinfo(np.uint16).max else np.uint32
    by_set: dict[str, Any] = {
        **{name: np.empty(sets, np.int32) for name in ("turn", "size", "option_count", "version")},
        **{name: np.empty(sets, np.int64) for name in ("member_at", "option_at", "cell_at")},
    }
    return OptionMemo(
        used=np.zeros(5, np.int64),
        slots=np.full(1 << (2 * sets - 1).bit_length(), -1, np.int32),
        key=np.empty(sets, np.uint64),
        members=np.empty(members, np.int32),
        leaders=np.empty((sets, LEADERS + 1), np.int32),
        leader_scores=np.empty((sets, LEADERS + 1), np.float64),
        cells=np.empty(cells, word),
        rank=np.empty(options, word),
        link_at=np.empty(options, np.int32),
        links=np.empty(links, np.int32),
        **by_set,
    )


def allocate_workspace(game: TableGame, sets: int, entries: int) -> Workspace:
    """Allocate working memory for sets, and for individuals at sets."""
    f = game.n_feedback
    arrays: dict[str, Any] = {
        **{name: np.empty(game.n_guesses, np.uint64) for name in ("low", "high")},
        **{name: np.empty(game.n_guesses, np.int32) for name in ("fresh", "parts")},
        **{name: np.empty(sets, np.int32) for name in ("heads", "active", "coming")},
        **{name: np.empty(entries, np.int32) for name in ("nexts", "who", "here")},
    }
    return Workspace(
        slots=np.empty(1 << (2 * game.n_guesses - 1).bit_length(), np.int32),
        found=np.empty((game.n_guesses, f), np.int32),
        rows=np.empty(f + 1, np.int64),
        counts=np.zeros(f, np.int64),
        cell=np.empty(game.n_secrets, np.int32),
        scores=np.empty(max(game.n_guesses, LEADERS), np.float64),
        values=np.empty(f << game.n_secrets.bit_length(), np.float64),
        front=np.zeros((LEADERS, padded(f)), np.float64),
        first=np.empty(sets + 1, np.int32),
        chosen=np.empty(entries, np.int64),
        **arrays,
    )
