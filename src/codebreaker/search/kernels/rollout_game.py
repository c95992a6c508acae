"""A game as rollout sees it, with or without a table: cells, parts and scores of its guesses.

The working memory of its threads is here too.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.sets.codes import (
    LARGEST_IN_BYTES,
    TILE,
    CodeGrid,
    TileWorkspace,
    count_tile,
    feedback,
    fill_row,
    find_absent,
    list_pool,
    unfold,
)
from codebreaker.sets.compile import njit
from codebreaker.sets.primitives import GOLDEN, ScoringRule, bit_count, find_separator
from codebreaker.trees.kernels import table
from codebreaker.trees.kernels.on_demand import score_byte_counts, score_tile
from codebreaker.types import FeedbackIds, Hashes, Indices, Offsets, Scores, SymbolMatrix

WORD = 64
"""Cells in a word, a bit for each."""

MOST_FEEDBACK = 254
"""The most feedback ids: a byte numbers the cells of a guess, and two of its values are taken."""


class RolledGame(NamedTuple):
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


class Plan(NamedTuple):
    """What is rolled out: the rule's terms, tolerances and order, indexed by the sizes of sets.

    Its `terms_at` is −1 for sizes without terms.

    `weights` (n_turns, n_previous, n_feedback) replace the rule's; the last turn serves all later
    ones. `widths` (n_turns,) are the numbers of guesses to try by turn, from 1 on, likewise.
    `bounds` (n_secrets + 1,) are lower bounds of totals by size; sets of up to `exact` are valued
    exactly.
    """

    rule: ScoringRule
    weights: Scores
    widths: Offsets
    bounds: Indices
    exact: int


class RolloutMemo(NamedTuple):
    """Totals of sets under two words, open addressing; `filled` (1,) counts the slots in use.

    `words` (n_secrets, 2) are those of `sets.memo`. The states have an array of their own, as they
    alone are cleared between sets.
    """

    words: Hashes
    first: Hashes
    second: Hashes
    total: Indices
    state: FeedbackIds
    filled: Offsets


class Workspace(NamedTuple):
    """Working memory of a thread.

    By depth: the cells of the guess that is tried, `members` (n_depths, n_secrets) and `at`
    (n_depths, n_feedback + 1), with their `values` and whether these are `exact`, (n_depths,
    n_feedback); the guesses to try, `options` (n_depths, n_guesses); by each its number of `parts`;
    the keys of the partitions that were `seen`, (n_depths, SEEN). `winner` (1,) is the best of the
    given guesses, `missing` (1,) the size of a set whose terms the plan lacks; `none` is empty.

    For the guesses of a set: `tile` is for codes, `counts` for a table. `scores` and `node_of`,
    (n_guesses,), are a score for each guess, and 0 for the candidates and −1 for all others;
    `leaders` (1, n_colours) are those of the set's colours (`sets.codes`); `labels` (n_secrets,)
    are feedback ids, `numbers` (256,) the cells in order of appearance, `bits` (n_words, TILE) the
    cells of each guess of a tile, and `stamps` (n_feedback,) the last candidate, by its place in
    the set, that met each feedback.
    """

    members: Indices
    at: Offsets
    values: Offsets
    exact: FeedbackIds
    options: Indices
    parts: FeedbackIds
    seen: Hashes
    winner: Indices
    missing: Indices
    none: Indices
    tile: TileWorkspace
    counts: NDArray[np.uint16]
    scores: Scores
    node_of: Indices
    leaders: SymbolMatrix
    labels: FeedbackIds
    numbers: FeedbackIds
    bits: Hashes
    stamps: Indices


class Rollouts(NamedTuple):
    """What a thread needs to value sets: a game, what is rolled out, results and working memory."""

    game: RolledGame
    plan: Plan
    memo: RolloutMemo
    work: Workspace


@njit(nogil=True)
def label_all(game: RolledGame, guess: np.int32, members: Indices, labels: FeedbackIds) -> None:
    """Compute the feedback id of a guess to each member into labels, (n_members,)."""
    if len(game.by_secret):
        for j in range(len(members)):
            labels[j] = game.by_secret[members[j], guess]
    else:
        for j in range(len(members)):
            labels[j] = feedback(game.grid, guess, members[j])


@njit(nogil=True)
def _label(game: RolledGame, candidate: int, member: int) -> int:
    """Return the feedback id of one candidate as the guess to another."""
    guess = game.guess_of_secret[candidate]
    if len(game.by_secret):
        return int(game.by_secret[member, guess])
    return feedback(game.grid, guess, member)


@njit(nogil=True)
def separator(game: RolledGame, members: Indices, work: Workspace) -> tuple[int, int]:
    """Return an optimal candidate of a set and its total if easily seen, as `work.shortcut`."""
    place, repeats = find_separator(_label, game, members, 1, False, work.stamps)
    guess = game.guess_of_secret[members[place]] if place >= 0 else -1
    return guess, 2 * len(members) - (repeats == 0)


@njit(nogil=True)
def pool_of(game: RolledGame, members: Indices, work: Workspace) -> Indices:
    """Return guesses that suffice at a set: those that differ in absent colours alone count once.

    In a game with a table they are all guesses.
    """
    if len(game.by_secret):
        return game.every
    leaders = work.leaders[0]
    find_absent(game.grid, members, leaders)
    return list_pool(game.grid, leaders, False)


@njit(nogil=True)
def count_parts(
    game: RolledGame, pool: Indices, members: Indices, work: Workspace, parts: FeedbackIds
) -> None:
    """Count the cells of a pool's guesses into parts, (n_guesses,) uint8; one more for candidates.

    So 3n minus this number is a lower bound on the total of a set of n after the guess.
    """
    bits, row, last = work.bits, work.tile.rows[0], np.uint8(WORD - 1)
    planes = unfold(game.grid, pool[:0] if len(game.by_secret) else pool)
    for start in range(0, len(pool), TILE):
        width = min(TILE, len(pool) - start)
        bits[:] = 0
        for member in members:
            if len(game.by_secret):
                row[:width] = game.by_secret[member, start : start + width]
            else:
                fill_row(game.grid.codes[member], planes, start, row)
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
        parts[game.guess_of_secret[member]] += 1


@njit(nogil=True)
def key_of_cells(game: RolledGame, labels: FeedbackIds, numbers: FeedbackIds) -> np.uint64:
    """Return a key of the partition by some feedback ids, whichever id each cell has.

    The cell of the guess itself, if there is one, counts as such. `numbers` is 255 before and
    after.
    """
    key, found = np.uint64(0), np.uint8(0)
    numbers[game.solved] = 254
    for one in labels:
        if numbers[one] == 255:
            numbers[one] = found
            found += 1
        key = (key ^ np.uint64(numbers[one] + 1)) * np.uint64(GOLDEN)
        key ^= key >> np.uint64(29)
    for one in labels:
        numbers[one] = 255
    numbers[game.solved] = 255
    return key


@njit(nogil=True)
def score_all(
    game: RolledGame, rule: ScoringRule, pool: Indices, members: Indices, work: Workspace
) -> None:
    """Score a pool's guesses for a set into work.scores, by their place in the pool.

    The rule's nodes are the sizes of sets. In a game with a table the pool has all guesses.
    """
    n, scores, tile = len(members), work.scores, work.tile
    if len(game.by_secret):
        table.score_set(game.by_secret, members, n, rule, work.counts, scores)
        return
    terms = rule.terms[rule.terms_at[n] : rule.terms_at[n] + n + 1]
    planes = unfold(game.grid, pool)
    for start in range(0, len(pool), TILE):
        stop = min(start + TILE, len(pool))
        count_tile(game.grid, planes, members, start, tile)
        if n <= LARGEST_IN_BYTES:
            score_byte_counts(tile.byte_counts, terms, rule, scores[start:stop])
        else:
            score_tile(tile.counts, terms, rule, scores[start:stop])


@njit(nogil=True)
def lay_out(
    game: RolledGame,
    members: Indices,
    guess: np.int32,
    labels: FeedbackIds,
    cells: Indices,
    at: Offsets,
) -> None:
    """Lay out the cells of a guess: cell f is cells[at[f]:at[f + 1]], members ascending."""
    at[:] = 0
    label_all(game, guess, members, labels)
    for j in range(len(members)):
        at[labels[j] + 1] += 1
    for f in range(game.n_feedback):
        at[f + 1] += at[f]
    for j in range(len(members)):
        f = labels[j]
        cells[at[f]] = members[j]
        at[f] += 1
    for f in range(game.n_feedback, 0, -1):
        at[f] = at[f - 1]
    at[0] = 0
