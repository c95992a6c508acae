"""A memo of candidate sets: their distinct partitions (options), and the sets that follow.

Guesses with equal cell sizes by feedback id have the same score under all weights: the first in tie
order represents them as an option. Child sets are computed when an option first wins. If an array
is full, functions return `FULL` and the caller clears the memo. `README.md` draws the arrays.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.compiling.by_reference import by_reference
from codebreaker.compiling.cpu import inner, njit
from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame, refuse_prior
from codebreaker.sets.primitives import GOLDEN, find_slot, pack_cell, unpack_cell
from codebreaker.types import (
    CellSizes,
    Counts,
    FeedbackIds,
    Hashes,
    Indices,
    Offsets,
    Positions,
    Scores,
)

FULL = -1
"""The result of a function that found no room in the memo."""

UNKNOWN = -1
"""What is not computed yet: the options of a set, the children of an option."""

EXACT_SUMS = {"reassoc", "nnan", "nsz"}
"""LLVM's permission to add in any order: scores are exact integers, so no order changes a sum."""

LEADERS = 64
"""Number of options of a set that are ranked under the reference weights.

With 16 a tenth of all choices in MM(4,6) had to score all options, mostly in sets of two to seven
candidates, where many options nearly tie; with 64 a hundredth has to.
"""

WORD = 64
"""Bits of a word of a fingerprint."""

SETS, MEMBERS, OPTIONS, CELLS, LINKS = range(5)
"""Positions in `OptionMemo.used`."""


@by_reference
class OptionMemo(NamedTuple):
    """The arrays of a memo; indexed by set, option, or position, with the used part of each.

    A set has `size` members from `member_at` on and `option_count` options from `option_at` on,
    which is UNKNOWN until they are computed. Under the reference weights of a `version` it has
    `leaders`, (n_sets, LEADERS + 1): its best options, best first, by position among its options;
    the last of `leader_scores` bounds the scores of all options that are not among the first
    LEADERS. An option has the tie `rank` of its guess, and its children from `link_at` on.

    `cells` has blocks: from `cell_at` on all first cells of a set's options (`pack_cell`), then all
    second cells, and so on. Options with more cells come first, so block j belongs to the first
    `block_length` options, and an option's j-th cell has its own position in that block. `links`
    has, for each option, the number of children with one candidate, the number of larger children,
    and their set ids.
    """

    used: Counts
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


@by_reference
class OptionWorkspace(NamedTuple):
    """Working memory of one thread; n_sets and n_entries are what it was allocated for.

    To find a set's options: fingerprints of guesses, and an open hash table of the guesses that
    begin an option. To choose: the values of cells, and the leaders' terms by feedback id. To
    evaluate individuals turn by turn: an entry is an individual at an active set. Those of the
    a-th active set are first[a] to first[a + 1]. Individuals at sets of the next turn are in linked
    lists, one for each coming set.
    """

    low: Hashes  # (n_guesses,): first words of fingerprints
    high: Hashes  # (n_guesses,): second words
    slots: Indices  # (power of two,): guesses, or UNKNOWN
    option_ranks: Indices  # (n_guesses,): the tie ranks of options' guesses
    parts: Indices  # (n_guesses,): numbers of options' cells
    option_cells: Indices  # (n_guesses, n_feedback): options' packed cells
    rows: Counts  # (n_feedback + 1,): by number of cells
    counts: Counts  # (n_feedback,): cell sizes of one guess; all 0 between calls
    cell: Indices  # (n_secrets,): a cell's members
    scores: Scores  # (n_guesses,) or (LEADERS,), the longer one: of options
    values: Scores  # weight times term, by packed cell
    front: Scores  # (LEADERS, padded n_feedback): leaders' terms; 0 in what no feedback id has
    heads: Indices  # (n_sets,): the first link of each coming set, or −1
    next_link: Indices  # (n_entries,): the next link of the same set, or −1
    link_individual: Indices  # (n_entries,): the individual of each link
    active: Indices  # (n_sets,): ids of this turn's sets
    coming: Indices  # (n_sets,): ids of the next turn's sets
    first: Indices  # (n_sets + 1,): where each active set's entries begin
    individual_of: Indices  # (n_entries,): the individual of each entry
    chosen: Positions  # (n_entries,): the option that each entry's individual chooses


@by_reference
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
    set_id = memo.used[SETS]
    start = memo.used[MEMBERS]
    if set_id == len(memo.key) or start + len(members) > len(memo.members):
        return FULL
    memo.slots[slot] = set_id
    memo.key[set_id] = key
    memo.turn[set_id] = turn
    memo.size[set_id] = len(members)
    memo.member_at[set_id] = start
    for i in range(len(members)):
        memo.members[start + i] = members[i]
    memo.option_at[set_id] = UNKNOWN
    memo.version[set_id] = UNKNOWN
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


@njit(nogil=True, inline="always")
def block_length(cells: CellSizes, cell_at: int, block: int) -> int:
    """Return how many options of a set have a cell of this number, at least 1, counted from 0.

    All of them have cell 0. The length behind the last block is 0.
    """
    return int(np.int64(cells[cell_at - block]))


@inner
def _write_block_lengths(cells: CellSizes, cell_at: int, lengths: Counts, n_blocks: int) -> None:
    """Write the `lengths` of blocks 1 to n_blocks − 1, and a 0 that stops all readers.

    They are stored backwards from `cell_at`, so that one position finds lengths and cells.
    """
    for block in range(1, n_blocks):
        cells[cell_at - block] = lengths[block]
    cells[cell_at - n_blocks] = 0


@njit(nogil=True)
def find_options(scored: ScoredGame, memo: OptionMemo, work: OptionWorkspace, set_id: int) -> int:
    """Find a set's options and append them to the memo; return their number, or FULL."""
    # 1. Find them, in the tie order.
    n = _find_partitions(scored, work, members_of(memo, set_id))
    # 2. Count options by number of cells.
    rows = work.rows
    rows[:] = 0
    n_cells = 0
    n_blocks = 2  # every option has two cells
    for i in range(n):
        parts = work.parts[i]
        rows[parts] += 1
        n_cells += parts
        n_blocks = max(n_blocks, parts)
    first = memo.used[OPTIONS]
    start = memo.used[CELLS]
    if first + n > len(memo.rank) or start + n_blocks + n_cells > len(memo.cells):
        return FULL
    # 3. Sum from the most cells down: rows[p] becomes the number of options with more than p cells.
    #    That is the length of block p, and the position of the first option with p cells.
    longer = 0
    for parts in range(n_blocks, -1, -1):
        n_equal = rows[parts]
        rows[parts] = longer
        longer += n_equal
    cells = memo.cells
    cell_at = start + n_blocks
    _write_block_lengths(cells, cell_at, rows, n_blocks)
    # 4. Put options in their places; those with equally many cells stay in the tie order.
    for i in range(n):
        parts = work.parts[i]
        k = rows[parts]
        rows[parts] += 1
        memo.rank[first + k] = work.option_ranks[i]
        memo.link_at[first + k] = UNKNOWN
        position = cell_at + k
        for j in range(parts):
            cells[position] = work.option_cells[i, j]
            position += n if j == 0 else block_length(cells, cell_at, j)
    memo.option_at[set_id] = first
    memo.option_count[set_id] = n
    memo.cell_at[set_id] = cell_at
    memo.used[OPTIONS] += n
    memo.used[CELLS] += n_blocks + n_cells
    return n


@inner
def _find_partitions(scored: ScoredGame, work: OptionWorkspace, members: Indices) -> int:
    """Find the first guess of each partition in tie order; return their number.

    Fills `option_ranks`, `parts` and `option_cells`. Guesses that don't split the set are omitted.
    """
    by_secret = scored.by_secret
    low = work.low
    high = work.high
    counts = work.counts
    bits = shift_of(len(members))
    # 1. Sum the members' words of each guess: its fingerprint. If all cell sizes fit into one word,
    #    each in a field of `bits` bits, it is the partition itself.
    one_word = bits * len(counts) < WORD
    low[:] = 0
    if one_word:
        for member in members:
            row = by_secret[member]
            for g in range(len(row)):
                low[g] += np.uint64(1) << np.uint64(np.int64(row[g]) * bits)
    else:
        low_words = scored.low[bits]
        high_words = scored.high[bits]
        high[:] = 0
        for member in members:
            row = by_secret[member]
            for g in range(len(row)):
                low[g] += low_words[row[g]]
                high[g] += high_words[row[g]]
    # 2. Visit guesses in the tie order: candidates, then all codes. (A candidate's second visit
    #    finds its own fingerprint.)
    slots = work.slots
    cells = work.option_cells
    slots[:] = UNKNOWN
    slot_mask = len(slots) - 1
    size_mask = (1 << bits) - 1
    n = 0
    n_members = len(members)
    n_guesses = len(low)
    for i in range(n_members + n_guesses):
        guess = np.int64(scored.guess_of_secret[members[i]]) if i < n_members else i - n_members
        low_sum = low[guess]
        high_sum = np.uint64(0) if one_word else high[guess]
        mixed = (low_sum ^ (high_sum << np.uint64(1))) * np.uint64(GOLDEN)
        slot = np.int64(mixed >> np.uint64(40)) & slot_mask
        known = slots[slot]
        while known >= 0 and not (low[known] == low_sum and (one_word or high[known] == high_sum)):
            slot = (slot + 1) & slot_mask
            known = slots[slot]
        if known >= 0:
            continue
        slots[slot] = guess
        # 3. List the cells of a new partition: from its word, or by counting.
        parts = 0
        if one_word:
            word = np.int64(low_sum)
            f = 0
            while word != 0:
                if word & size_mask:
                    cells[n, parts] = pack_cell(f, word & size_mask, bits)
                    parts += 1
                word = word >> bits
                f = f + 1
        else:
            for member in members:
                counts[by_secret[member, guess]] += 1
            for f in range(len(counts)):
                if counts[f] > 0:
                    cells[n, parts] = pack_cell(f, counts[f], bits)
                    parts += 1
                    counts[f] = 0
        if parts > 1:
            work.option_ranks[n] = guess if i < n_members else guess + n_guesses
            work.parts[n] = parts
            n += 1
    return n


@inner
def cells_of(memo: OptionMemo, work: OptionWorkspace, set_id: int, option: int) -> int:
    """Copy an option's cells to the first row of `option_cells`; return their number."""
    cell_at = memo.cell_at[set_id]
    length = np.int64(memo.option_count[set_id])
    k = option - memo.option_at[set_id]
    parts = 0
    position = cell_at + k
    while k < length:
        work.option_cells[0, parts] = memo.cells[position]
        position = position + length
        parts = parts + 1
        length = block_length(memo.cells, cell_at, parts)
    return parts


@inner
def follow_option(
    scored: ScoredGame,
    memo: OptionMemo,
    coming: OptionMemo,
    work: OptionWorkspace,
    set_id: int,
    option: int,
) -> int:
    """Return where an option's children, sets of `coming`, begin in `links`; or FULL.

    They are computed at the first call. `coming` may be `memo` itself.
    """
    if memo.link_at[option] != UNKNOWN:
        return int(memo.link_at[option])
    members = members_of(memo, set_id)
    guess = memo.rank[option] % scored.by_secret.shape[1]
    shift = shift_of(len(members))
    start = memo.used[LINKS]
    parts = cells_of(memo, work, set_id, option)
    if start + 2 + parts > len(memo.links):
        return FULL
    # `links` is written beyond `used` first and counted as used at the end. So a call that ends in
    # FULL leaves the option as it was: without children, to be followed again after a clearing.
    singles = 0
    children = 0
    for j in range(parts):
        f, count = unpack_cell(work.option_cells[0, j], shift)
        # The solved secret needs no more guesses, and a single candidate exactly one.
        if f == scored.solved:
            continue
        if count == 1:
            singles += 1
            continue
        # Members are in ascending order, so equal sets reached by other moves have equal bytes.
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
    memo.links[start] = singles
    memo.links[start + 1] = children
    memo.used[LINKS] = start + 2 + children
    memo.link_at[option] = start
    return int(start)


@inner
def value_cells(
    scored: ScoredGame, work: OptionWorkspace, size: int, at: int, weights: Scores
) -> None:
    """Compute the `values` of all cells that a set of a size can have, by the terms from `at` on.

    `weights` (n_feedback,) are exact integers; padding behind them is ignored.
    """
    shift = shift_of(size)
    values = work.values
    terms = scored.terms
    for f in range(len(work.counts)):
        start = pack_cell(f, 0, shift)
        weight = weights[f]
        for count in range(1, size):
            # Gür 2025, equation 1: one feedback's part of the weighted entropy.
            values[start + count] = weight * terms[at + count]


@inner(fastmath=EXACT_SUMS)
def score_all(memo: OptionMemo, set_id: int, values: Scores, scores: Scores) -> float:
    """Score a set's options into `scores`, (n_options,) from 0 on; return the best score.

    A score is the sum of its cells' values (Gür 2025, equation 1). Blocks are added in pairs, which
    halves the passes over the scores.
    """
    cells = memo.cells
    at = memo.cell_at[set_id]
    n = np.int64(memo.option_count[set_id])
    # Blocks 0 and 1: every option has two cells.
    for k in range(n):
        scores[k] = values[cells[at + k]] + values[cells[at + n + k]]
    left = at + 2 * n
    block = 2
    n_left = block_length(cells, at, block)
    while n_left > 0:
        # The first n_both options have a cell in this block and the next; the others in this one.
        right = left + n_left
        n_both = block_length(cells, at, block + 1)
        for k in range(n_both):
            scores[k] += values[cells[left + k]] + values[cells[right + k]]
        for k in range(n_both, n_left):
            scores[k] += values[cells[left + k]]
        left = right + n_both
        block += 2
        # After the 0 behind the last block, nothing is written.
        n_left = block_length(cells, at, block) if n_both > 0 else n_both
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
    draw = np.random.default_rng(0)
    reach = np.zeros((*terms_at.shape, 2))
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


def allocate_workspace(game: TableGame, sets: int, entries: int) -> OptionWorkspace:
    """Allocate working memory for sets, and for individuals at sets."""
    f = game.n_feedback
    by_entry = ("next_link", "link_individual", "individual_of")
    arrays: dict[str, Any] = {
        **{name: np.empty(game.n_guesses, np.uint64) for name in ("low", "high")},
        **{name: np.empty(game.n_guesses, np.int32) for name in ("option_ranks", "parts")},
        **{name: np.empty(sets, np.int32) for name in ("heads", "active", "coming")},
        **{name: np.empty(entries, np.int32) for name in by_entry},
    }
    return OptionWorkspace(
        slots=np.empty(1 << (2 * game.n_guesses - 1).bit_length(), np.int32),
        option_cells=np.empty((game.n_guesses, f), np.int32),
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
