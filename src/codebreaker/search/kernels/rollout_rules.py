"""A game as rollout sees it, with or without a table: cells, parts and scores of its guesses."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.sets.codes import (
    LARGEST_IN_BYTES,
    TILE,
    CodeGrid,
    Tile,
    count_tile,
    feedback,
    fill_row,
    find_absent,
    list_pool,
    unfold,
)
from codebreaker.sets.compile import njit
from codebreaker.sets.primitives import GOLDEN, ScoringRule, bit_count, separator_by_stamps
from codebreaker.trees.kernels import table
from codebreaker.trees.kernels.on_demand import score_byte_counts, score_tile
from codebreaker.types import FeedbackIds, Hashes, Indices, Offsets, Scores, SymbolMatrix

WORD = 64
"""Cells in a word, a bit for each."""

MOST_FEEDBACK = 254
"""The most feedback ids: a byte numbers the cells of a guess, and two of its values are taken."""


class Rules(NamedTuple):
    """A game: its table by secret, (n_secrets, n_guesses) or empty, or else its codes.

    `every` (n_guesses,) are all guesses. `guess_of_secret` (n_secrets,) is each secret's guess.
    """

    by_secret: FeedbackIds
    grid: CodeGrid
    every: Indices
    guess_of_secret: Indices
    n_guesses: int
    n_feedback: int
    solved: int


class Room(NamedTuple):
    """Working memory for the guesses of a set: `tile` is for codes, `counts` for a table.

    `scores` and `node_of`, (n_guesses,), are a score for each guess, and 0 for the candidates and
    −1 for all others; `leaders` (1, n_colours) are those of the set's colours
    (`sets.codes`); `labels` (n_secrets,) are feedback ids, `numbers` (256,) the cells in
    order of appearance, `bits` (n_words, TILE) the cells of each guess of a tile, and `stamps`
    (n_feedback,) the last candidate, by its place in the set, that met each feedback.
    """

    tile: Tile
    counts: NDArray[np.uint16]
    scores: Scores
    node_of: Indices
    leaders: SymbolMatrix
    labels: FeedbackIds
    numbers: FeedbackIds
    bits: Hashes
    stamps: Indices


@njit(nogil=True)
def label_all(rules: Rules, guess: np.int32, members: Indices, labels: FeedbackIds) -> None:
    """Compute the feedback id of a guess to each member into labels, (n_members,)."""
    if len(rules.by_secret):
        for j in range(len(members)):
            labels[j] = rules.by_secret[members[j], guess]
    else:
        for j in range(len(members)):
            labels[j] = feedback(rules.grid, guess, members[j])


@njit(nogil=True)
def _label(rules: Rules, candidate: int, member: int) -> int:
    """Return the feedback id of one candidate as the guess to another."""
    guess = rules.guess_of_secret[candidate]
    if len(rules.by_secret):
        return int(rules.by_secret[member, guess])
    return feedback(rules.grid, guess, member)


@njit(nogil=True)
def separator(rules: Rules, members: Indices, room: Room) -> tuple[int, int]:
    """Return an optimal candidate of a set and its total if easily seen, as `frames.shortcut`."""
    place, repeats = separator_by_stamps(_label, rules, members, 1, False, room.stamps)
    guess = rules.guess_of_secret[members[place]] if place >= 0 else -1
    return guess, 2 * len(members) - (repeats == 0)


@njit(nogil=True)
def pool_of(rules: Rules, members: Indices, room: Room) -> Indices:
    """Return guesses that suffice at a set: those that differ in absent colours alone count once.

    In a game with a table they are all guesses.
    """
    if len(rules.by_secret):
        return rules.every
    leaders = room.leaders[0]
    find_absent(rules.grid, members, leaders)
    return list_pool(rules.grid, leaders, False)


@njit(nogil=True)
def count_parts(
    rules: Rules, pool: Indices, members: Indices, room: Room, parts: FeedbackIds
) -> None:
    """Count the cells of a pool's guesses into parts, (n_guesses,) uint8; one more for candidates.

    So 3n minus this number is a lower bound on the total of a set of n after the guess.
    """
    bits, row, last = room.bits, room.tile.rows[0], np.uint8(WORD - 1)
    planes = unfold(rules.grid, pool[:0] if len(rules.by_secret) else pool)
    for start in range(0, len(pool), TILE):
        width = min(TILE, len(pool) - start)
        bits[:] = 0
        for member in members:
            if len(rules.by_secret):
                row[:width] = rules.by_secret[member, start : start + width]
            else:
                fill_row(rules.grid.codes[member], planes, start, row)
            for word in range(len(bits)):
                first = np.uint8(word * WORD)
                for g in range(TILE):
                    at = np.uint8(row[g] - first)
                    bits[word, g] |= np.uint64(at <= last) << np.uint64(at & last)
        for g in range(width):
            n_cells = 0
            for word in range(len(bits)):
                n_cells += int(np.int64(bit_count(bits[word, g])))
            parts[pool[start + g]] = n_cells
    for member in members:
        parts[rules.guess_of_secret[member]] += 1


@njit(nogil=True)
def key_of_cells(rules: Rules, labels: FeedbackIds, numbers: FeedbackIds) -> np.uint64:
    """Return a key of the partition by some feedback ids, whichever id each cell has.

    The cell of the guess itself, if there is one, counts as such. `numbers` is 255 before and
    after.
    """
    key, found = np.uint64(0), np.uint8(0)
    numbers[rules.solved] = 254
    for one in labels:
        if numbers[one] == 255:
            numbers[one] = found
            found += 1
        key = (key ^ np.uint64(numbers[one] + 1)) * np.uint64(GOLDEN)
        key ^= key >> np.uint64(29)
    for one in labels:
        numbers[one] = 255
    numbers[rules.solved] = 255
    return key


@njit(nogil=True)
def score_all(rules: Rules, rule: ScoringRule, pool: Indices, members: Indices, room: Room) -> None:
    """Score a pool's guesses for a set into room.scores, by their place in the pool.

    The rule's nodes are the sizes of sets. In a game with a table the pool has all guesses.
    """
    n, scores, tile = len(members), room.scores, room.tile
    if len(rules.by_secret):
        table.score_set(rules.by_secret, members, n, rule, room.counts, scores)
        return
    terms = rule.terms[rule.terms_at[n] : rule.terms_at[n] + n + 1]
    planes = unfold(rules.grid, pool)
    for start in range(0, len(pool), TILE):
        stop = min(start + TILE, len(pool))
        count_tile(rules.grid, planes, members, start, tile)
        if n <= LARGEST_IN_BYTES:
            score_byte_counts(tile.byte_counts, terms, rule, scores[start:stop])
        else:
            score_tile(tile.counts, terms, rule, scores[start:stop])


@njit(nogil=True)
def lay_out(
    rules: Rules,
    members: Indices,
    guess: np.int32,
    labels: FeedbackIds,
    cells: Indices,
    at: Offsets,
) -> None:
    """Lay out the cells of a guess: cell f is cells[at[f]:at[f + 1]], members ascending."""
    at[:] = 0
    label_all(rules, guess, members, labels)
    for j in range(len(members)):
        at[labels[j] + 1] += 1
    for f in range(rules.n_feedback):
        at[f + 1] += at[f]
    for j in range(len(members)):
        f = labels[j]
        cells[at[f]] = members[j]
        at[f] += 1
    for f in range(rules.n_feedback, 0, -1):
        at[f] = at[f - 1]
    at[0] = 0
