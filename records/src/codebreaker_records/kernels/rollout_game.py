"""The game in a rollout: labels, parts and scores of guesses."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.compiling.cpu import njit
from codebreaker.sets import codes
from codebreaker.sets.primitives import GOLDEN, ScoringRule, bit_count, find_separator
from codebreaker.trees.kernels import table
from codebreaker.trees.kernels.on_demand import score_byte_counts, score_tile
from codebreaker.types import FeedbackIds, Hashes, Indices, Offsets, Scores, SymbolMatrix

WORD = 64
"""Cells in a word of `RolloutWorkspace.bits`, a bit each."""

MOST_FEEDBACK = 254
"""Maximum number of feedback ids, in a byte of which two values are reserved."""

ABSENT = 255
"""The entry of `RolloutWorkspace.numbers` for feedback ids that haven't appeared."""


class RolloutGame(NamedTuple):
    """A game for the kernels of rollout: its table by secret, or, if that is empty, its codes."""

    by_secret: FeedbackIds  # (n_secrets, n_guesses), or empty
    grid: codes.CodeGrid
    every: Indices  # (n_guesses,): all guesses
    guess_of_secret: Indices  # (n_secrets,)
    n_feedback: int
    solved: int  # the feedback id of a solved secret


class RolloutPolicy(NamedTuple):
    """A base policy and its settings for the kernels; the last turn serves all later ones."""

    rule: ScoringRule  # terms and tolerances are indexed by set size; terms_at is −1 without terms
    weights: Scores  # (n_turns, n_previous, n_feedback), in place of the rule's
    widths: Offsets  # (n_turns,): number of guesses that are tried
    bounds: Indices  # (1, n_secrets + 1): lower bounds on totals by set size
    exact: int  # largest sets that are valued exactly


class RolloutWorkspace(NamedTuple):
    """Working memory for the guesses of one set."""

    tile: codes.TileWorkspace
    counts: NDArray[np.uint16]  # (n_feedback, TILE): of `trees.kernels.table`
    scores: Scores  # (n_guesses,)
    parts: FeedbackIds  # (n_guesses,)
    node_of: Indices  # (n_guesses,): 0 for candidates, else −1
    leaders: SymbolMatrix  # (1, n_colours), as in `sets.codes`
    labels: FeedbackIds  # (n_secrets,): feedback ids
    numbers: FeedbackIds  # (256,): ABSENT, or 0 for feedback ids that have appeared
    bits: Hashes  # (n_words, TILE): the cells of each guess
    stamps: Indices  # (n_feedback,): places of the last candidates
    missing: Indices  # (1,): a size without terms


@njit(nogil=True)
def label_all(game: RolloutGame, guess: np.int32, members: Indices, labels: FeedbackIds) -> None:
    """Compute the members' feedback ids into `labels`, (n_members,)."""
    if len(game.by_secret):
        for j in range(len(members)):
            labels[j] = game.by_secret[members[j], guess]
    else:
        for j in range(len(members)):
            labels[j] = codes.feedback(game.grid, guess, members[j])


@njit(nogil=True)
def _label(game: RolloutGame, candidate: int, member: int) -> int:
    """Return a member's feedback id if a candidate is the guess."""
    guess = game.guess_of_secret[candidate]
    if len(game.by_secret):
        return int(game.by_secret[member, guess])
    return codes.feedback(game.grid, guess, member)


@njit(nogil=True)
def separator(game: RolloutGame, members: Indices, work: RolloutWorkspace) -> tuple[int, int]:
    """Return an optimal candidate and its total, as `frames.shortcut`."""
    position, repeats = find_separator(_label, game, members, 1, False, work.stamps)
    guess = game.guess_of_secret[members[position]] if position >= 0 else -1
    return guess, 2 * len(members) - (repeats == 0)


@njit(nogil=True)
def pool_of(game: RolloutGame, members: Indices) -> Indices:
    """Return all guesses; without a table, one of each class differing only in absent colours."""
    return game.every if len(game.by_secret) else codes.pool_of_set(game.grid, members)


@njit(nogil=True)
def count_parts(game: RolloutGame, pool: Indices, members: Indices, work: RolloutWorkspace) -> None:
    """Count the parts into which each guess of a pool divides a set into `work.parts`."""
    bits = work.bits
    row = work.tile.rows[0]
    last = np.uint8(WORD - 1)
    planes = codes.unfold(game.grid, pool[:0] if len(game.by_secret) else pool)
    for start in range(0, len(pool), codes.TILE):
        width = min(codes.TILE, len(pool) - start)
        bits[:] = 0
        for member in members:
            if len(game.by_secret):
                row[:width] = game.by_secret[member, start : start + width]
            else:
                codes.fill_row(game.grid.codes[member], planes, start, row)
            # Each guess has a bit for each feedback id. A byte below a word's first id wraps
            # around to a large one, so one comparison tests both ends of the word.
            for word in range(len(bits)):
                first = np.uint8(word * WORD)
                for g in range(codes.TILE):
                    at = np.uint8(row[g] - first)
                    bits[word, g] |= np.uint64(at <= last) << np.uint64(at & last)
        for g in range(width):
            n_cells = 0
            for word in range(len(bits)):
                n_cells += int(np.int64(bit_count(bits[word, g])))
            work.parts[pool[start + g]] = n_cells


@njit(nogil=True)
def key_of_sizes(labels: FeedbackIds, sizes: Indices) -> np.uint64:
    """Return a key of the sizes of a set's parts by feedback id; `sizes` is working memory."""
    key = np.uint64(0)
    sizes[:] = 0
    for label in labels:
        sizes[label] += 1
    for size in sizes:
        key = (key ^ np.uint64(size + 1)) * np.uint64(GOLDEN)
        key ^= key >> np.uint64(29)
    return key


@njit(nogil=True)
def score_all(
    game: RolloutGame, rule: ScoringRule, pool: Indices, members: Indices, work: RolloutWorkspace
) -> None:
    """Score a pool's guesses (with a table, all) into work.scores; nodes of rules are set sizes."""
    n = len(members)
    scores = work.scores
    tile = work.tile
    if len(game.by_secret):
        table.score_set(game.by_secret, members, n, rule, work.counts, scores)
        return
    terms = rule.terms[rule.terms_at[n] : rule.terms_at[n] + n + 1]
    planes = codes.unfold(game.grid, pool)
    for start in range(0, len(pool), codes.TILE):
        stop = min(start + codes.TILE, len(pool))
        codes.count_tile(game.grid, planes, members, start, tile)
        if n <= codes.LARGEST_IN_BYTES:
            score_byte_counts(tile.byte_counts, terms, rule, scores[start:stop])
        else:
            score_tile(tile.counts, terms, rule, scores[start:stop])
