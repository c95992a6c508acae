"""Players that track all candidates, and play a random one or the best guess.

The best guess is sought among a random sample of the candidates, or among all codes.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.arithmetic.codes import feedback_id
from codebreaker.arithmetic.compile import njit
from codebreaker.players.kernels.board import (
    Board,
    Choice,
    Workspace,
    draw,
    entropy_of,
    masked_feedback,
    partition,
)
from codebreaker.types import Indices

RANDOM, ENTROPY, PARTS, SIZE, WORST, PLUS, PLUS2 = range(7)
"""Rules: a random candidate; the best guess by entropy, number of parts, expected size or largest
part; and two combinations of entropy and the number of parts (see `best_by_both`)."""

PREFERENCE = 1e-6
"""What a score in bits gains if the guess is a candidate that is preferred in a tie."""

TIES = 1e-9
"""Scores closer than this tie."""


class SamplingSettings(NamedTuple):
    """The rule, and the guesses among which it chooses.

    These are a share of the candidates, in units of 2^-20, or, with `all_codes`, all codes. Then
    `prefers` prefers candidates among tied guesses, and `first` takes the first guess that is left
    instead of a random one.
    """

    rule: int
    share: int
    all_codes: int
    prefers: int
    first: int


@njit(nogil=True)
def guess(settings: SamplingSettings, work: Workspace, board: Board, n_known: int) -> Choice:
    """Return the next guess: see `players.player.Player`."""
    compared, n = keep_candidates(board, work.candidates, n_known)
    if settings.all_codes and n > 1:
        scored = len(board.codes)
        return best_of_all(settings, work, board, n), compared + scored, n
    return _choose(settings, work, board, n), compared, n


@njit(nogil=True)
def keep_candidates(board: Board, candidates: Indices, n_known: int) -> tuple[int, int]:
    """Keep the candidates that agree with the last feedback; all codes are candidates at first.

    Returns the number of codes compared, and that of the candidates left, the first in the array.
    """
    n, n_left = n_known, 0
    if len(board.guesses) == 1:
        n = len(board.codes)
        for code in range(n):
            candidates[code] = code
    codes, pegs, ids, masks = board.codes, board.counts, board.ids, board.masks
    last, observed = board.guesses[-1], board.feedback[-1]
    for code in candidates[:n]:
        if len(masks) > 0:
            feedback = masked_feedback(masks, ids, last, code)
        else:
            feedback = feedback_id(codes, pegs, ids, last, code)
        if feedback == observed:
            candidates[n_left] = code
            n_left += 1
    return n, n_left


@njit(nogil=True)
def _choose(settings: SamplingSettings, work: Workspace, board: Board, n: int) -> int:
    """Return a random candidate, or one of the best of a random sample."""
    candidates = work.candidates
    if settings.rule == RANDOM or n <= 2:
        return int(candidates[draw(board.state, n)])
    size = max((n * settings.share + (1 << 20) - 1) >> 20, 1)
    for i in range(size):
        other = i + draw(board.state, n - i)
        candidates[i], candidates[other] = candidates[other], candidates[i]
    return best_candidate(board, work, size, settings.rule)


@njit(nogil=True)
def best_of_all(settings: SamplingSettings, work: Workspace, board: Board, n: int) -> int:
    """Return one of the best of all codes under a rule, for the first `n` candidates."""
    best, tied, chosen = -np.inf, 0, 0
    for code in range(len(board.codes)):
        partition(board, work, code, n)
        score = score_of(work.counts, n, settings.rule)
        if settings.prefers and work.counts[-1] > 0:
            score += PREFERENCE
        if score > best + TIES:
            best, tied, chosen = score, 1, code
        elif score > best - TIES and not settings.first:
            tied += 1
            if draw(board.state, tied) == 0:
                chosen = code
    return chosen


@njit(nogil=True)
def best_candidate(board: Board, work: Workspace, n: int, rule: int) -> int:
    """Return one of the best of the first `n` candidates under a rule, at random."""
    if rule in (PLUS, PLUS2):
        return best_by_both(board, work, n, rule)
    best, tied, chosen = -np.inf, 0, work.candidates[0]
    for code in work.candidates[:n]:
        partition(board, work, code, n)
        score = score_of(work.counts, n, rule)
        if score > best + TIES:
            best, tied, chosen = score, 1, code
        elif score > best - TIES:
            tied += 1
            if draw(board.state, tied) == 0:
                chosen = code
    return int(chosen)


@njit(nogil=True)
def best_by_both(board: Board, work: Workspace, n: int, rule: int) -> int:
    """Return one of the best of the first `n` candidates by entropy and parts, at random.

    PLUS takes those that are best by entropy and by parts or, if there are none, those that are
    best by either; PLUS2 takes, of those that are best by entropy, those with the most parts.
    Source: Partition_Plus and Partition_Plus2 of Merelo's library Algorithm::MasterMind.
    """
    entropy, parts = -np.inf, 0
    for code in work.candidates[:n]:
        partition(board, work, code, n)
        entropy = max(entropy, entropy_of(work.counts, n))
        parts = max(parts, parts_of(work.counts))
    highest, tied, chosen = 0, 0, work.candidates[0]
    for code in work.candidates[:n]:
        partition(board, work, code, n)
        rank, own = int(entropy_of(work.counts, n) > entropy - TIES), parts_of(work.counts)
        rank = rank + int(own == parts) if rule == PLUS else rank * own
        if rank > highest:
            highest, tied, chosen = rank, 1, code
        elif rank == highest and rank > 0:
            tied += 1
            if draw(board.state, tied) == 0:
                chosen = code
    return int(chosen)


@njit(nogil=True)
def play_endgame(most: int, work: Workspace, board: Board) -> Choice:
    """Return a candidate of highest entropy over all candidates, if there are at most `most`.

    Otherwise the guess is -1. All candidates are tracked from the first feedback on, and every code
    that is compared for this is evaluated; nothing is tracked if `most` is 0.
    """
    if most == 0:
        return -1, 0, 0
    compared, n = keep_candidates(board, work.tracked, work.n_tracked[0])
    work.n_tracked[0] = n
    if n > most:
        return -1, compared, 0
    for i in range(n):
        work.candidates[i] = work.tracked[i]
    return best_candidate(board, work, n, ENTROPY), compared, n


@njit(nogil=True)
def score_of(counts: Indices, n: int, rule: int) -> float:
    """Return the score of a partition of n codes under a rule; the highest one is best."""
    if rule == PARTS:
        return float(parts_of(counts))
    if rule == SIZE:
        return effective_parts(counts, n)
    if rule == WORST:
        return -float(counts.max())
    return entropy_of(counts, n)


@njit(nogil=True)
def parts_of(counts: Indices) -> int:
    """Return the number of parts of a partition."""
    return int(np.count_nonzero(counts))


@njit(nogil=True)
def effective_parts(counts: Indices, n: int) -> float:
    """Return n divided by the expected size of a part: so many equal parts have that size."""
    squares = 0.0
    for count in counts:
        squares += float(count) * float(count)
    return n * n / squares
