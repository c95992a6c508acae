"""Players that track all candidates, and play a random one or the best of some guesses."""

from typing import NamedTuple

import numpy as np

from codebreaker.players.kernels.board import (
    CERTAIN,
    Board,
    Choice,
    Workspace,
    draw,
    entropy_of,
    feedback_by_bits,
    partition,
)
from codebreaker.sets.compile import njit
from codebreaker.types import Indices

RANDOM, ENTROPY, PARTS, SIZE, WORST, PLUS, PLUS2 = range(7)
"""Rules: a random candidate; the best guess by entropy, number of parts, expected size or largest
part; and two combinations of entropy and parts (see `best_by_both`)."""

PREFERENCE = 1e-6
"""What a score in bits gains if the guess is a candidate that is preferred in a tie."""

TIES = 1e-9
"""Scores closer than this tie."""

UNKNOWN = 0.0
"""A score that has not been computed; no score of three candidates or more is 0."""


class SamplingSettings(NamedTuple):
    """The rule, and the guesses among which it chooses.

    These are a share of the candidates, in units of 2^-20, but `least` of them or all if the share
    is smaller; or, with `all_codes`, all codes. Then `prefers` prefers candidates among tied
    guesses, and `first` takes the first guess that is left instead of a random one.
    """

    rule: int
    share: int = CERTAIN
    least: int = 1
    all_codes: int = 0
    prefers: int = 0
    first: int = 0


@njit(nogil=True)
def guess(settings: SamplingSettings, work: Workspace, board: Board, n_known: int) -> Choice:
    """Return the next guess: see `players.registry.Player`."""
    compared, n = keep_candidates(board, work.candidates, n_known)
    candidates, remembers = work.candidates, len(board.guesses) == 1
    if remembers and work.opening[0] != board.guesses[0]:
        work.opening[0] = board.guesses[0]
        work.scores[:] = UNKNOWN
    if settings.all_codes and n > 1:
        code = best_guess(board, work, n, settings, remembers)
        return code, compared + len(board.codes), n
    if settings.rule == RANDOM or n <= 2:
        return int(candidates[draw(board.state, n)]), compared, n
    size = min(max((n * settings.share + CERTAIN - 1) // CERTAIN, settings.least), n)
    for i in range(size):
        other = i + draw(board.state, n - i)
        candidates[i], candidates[other] = candidates[other], candidates[i]
    if settings.rule in (PLUS, PLUS2):
        code = best_by_both(board, work, size, settings.rule)
    else:
        code = best_guess(board, work, size, settings, remembers and size == n)
    return code, compared, n


@njit(nogil=True)
def keep_candidates(board: Board, candidates: Indices, n_known: int) -> tuple[int, int]:
    """Keep the candidates that agree with the last feedback, in front; all codes are some at first.

    Returns the number of codes compared, and that of the candidates left.
    """
    n, n_left = n_known, 0
    if len(board.guesses) == 1:
        n = len(board.codes)
        for code in range(n):
            candidates[code] = code
    places, amounts, ids = board.places, board.amounts, board.ids
    last, observed = board.guesses[-1], board.feedback[-1]
    for code in candidates[:n]:
        if feedback_by_bits(places, amounts, ids, last, code) == observed:
            candidates[n_left] = code
            n_left += 1
    return n, n_left


@njit(nogil=True)
def best_guess(
    board: Board, work: Workspace, n: int, settings: SamplingSettings, remembers: bool
) -> int:
    """Return one of the best guesses for the first `n` candidates; the share is not used.

    It `remembers` scores for all candidates at turn 2, which depend on the opening and feedback
    alone. A candidate belongs to one feedback, so that candidates share one row of scores; other
    codes have a row for each feedback.
    """
    best, tied, chosen = -np.inf, 0, 0
    scores = work.scores[board.feedback[0] if settings.all_codes else 0]
    for i in range(len(board.codes) if settings.all_codes else n):
        code = i if settings.all_codes else work.candidates[i]
        score = scores[code] if remembers else UNKNOWN
        if score == UNKNOWN:
            partition(board, work.counts, code, work.candidates[:n])
            score = score_of(work, n, settings.rule)
            if settings.prefers and work.counts[-1] > 0:
                score += PREFERENCE
            if remembers:
                scores[code] = score
        if score > best + TIES:
            best, tied, chosen = score, 1, code
        elif score > best - TIES and not settings.first:
            tied += 1
            if draw(board.state, tied) == 0:
                chosen = code
    return int(chosen)


@njit(nogil=True)
def best_by_both(board: Board, work: Workspace, n: int, rule: int) -> int:
    """Return one of the best of the first `n` candidates by entropy and parts, at random.

    PLUS takes those that are best by both or, if there are none, by either; PLUS2 takes, of those
    that are best by entropy, those with the most parts. Source: Partition_Plus and Partition_Plus2
    of Merelo's library Algorithm::MasterMind.
    """
    entropy, parts = -np.inf, 0
    for code in work.candidates[:n]:
        partition(board, work.counts, code, work.candidates[:n])
        entropy = max(entropy, entropy_of(work.counts, n))
        parts = max(parts, parts_of(work.counts))
    highest, tied, chosen = 0, 0, work.candidates[0]
    for code in work.candidates[:n]:
        partition(board, work.counts, code, work.candidates[:n])
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
def score_of(work: Workspace, n: int, rule: int) -> float:
    """Return the score of the partition of n codes under a rule; the highest one is best."""
    counts, logs, total = work.counts, work.logs, 0.0
    if rule == PARTS:
        return float(parts_of(counts))
    if rule == WORST:
        return -float(counts.max())
    for count in counts:
        if rule == SIZE:
            total += float(count) * float(count)
        else:
            total += logs[count] if count < len(logs) else count * np.log2(count)
    if rule == SIZE:  # the number of equal parts with the same expected size
        return n * n / total
    return np.log2(n) - total / n


@njit(nogil=True)
def parts_of(counts: Indices) -> int:
    """Return the number of parts of a partition."""
    return int(np.count_nonzero(counts))
