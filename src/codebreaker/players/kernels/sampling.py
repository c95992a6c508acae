"""Players that track all candidates, and play a random one or the best of a random sample."""

from typing import NamedTuple

import numpy as np

from codebreaker.arithmetic.compile import njit
from codebreaker.players.kernels.board import (
    Board,
    Choice,
    Workspace,
    draw,
    entropy_of,
    feedback_between,
    partition,
)
from codebreaker.types import Indices

RANDOM, ENTROPY, PARTS = range(3)
"""Rules: a random candidate, or the sample's best by entropy or by the number of parts."""


UNKNOWN = 0.0
"""A score that has not been computed; among three candidates or more every score is above it."""


class SamplingSettings(NamedTuple):
    """The rule, the sample's share of the candidates in units of 2^-20, and its least size."""

    rule: int
    share: int
    least: int


@njit(nogil=True)
def guess(settings: SamplingSettings, work: Workspace, board: Board, n_known: int) -> Choice:
    """Return the next guess: see `players.player.Player`."""
    candidates, n, n_left = work.candidates, n_known, 0
    if len(board.guesses) == 1:
        n = len(board.codes)
        for code in range(n):
            candidates[code] = code
    for code in candidates[:n]:
        if feedback_between(board, board.guesses[-1], code) == board.feedback[-1]:
            candidates[n_left] = code
            n_left += 1
    return _choose(settings, work, board, n_left), n, n_left


@njit(nogil=True)
def _choose(settings: SamplingSettings, work: Workspace, board: Board, n: int) -> int:
    """Return a random candidate, or one of the best of a random sample."""
    candidates = work.candidates
    if settings.rule == RANDOM or n <= 2:
        return int(candidates[draw(board.state, n)])
    size = min(max((n * settings.share + (1 << 20) - 1) >> 20, settings.least), n)
    for i in range(size):
        other = i + draw(board.state, n - i)
        candidates[i], candidates[other] = candidates[other], candidates[i]
    remembers = size == n and len(board.guesses) == 1
    if remembers and work.opening[0] != board.guesses[0]:
        work.opening[0] = board.guesses[0]
        work.scores[:] = UNKNOWN
    return best_candidate(board, work, size, settings.rule, remembers)


@njit(nogil=True)
def best_candidate(board: Board, work: Workspace, n: int, rule: int, remembers: bool) -> int:
    """Return one of the best of the first `n` candidates under a rule, at random.

    If it `remembers`, scores are those of all candidates at turn 2, where every game with the same
    opening and feedback has the same ones.
    """
    best, tied, chosen = -1.0, 0, work.candidates[0]
    for code in work.candidates[:n]:
        score = work.scores[code] if remembers else UNKNOWN
        if score == UNKNOWN:
            partition(board, work, code, n)
            score = entropy_of(work.counts, n) if rule == ENTROPY else float(parts_of(work.counts))
            if remembers:
                work.scores[code] = score
        if score > best + 1e-9:
            best, tied, chosen = score, 1, code
        elif score > best - 1e-9:
            tied += 1
            if draw(board.state, tied) == 0:
                chosen = code
    return int(chosen)


@njit(nogil=True)
def parts_of(counts: Indices) -> int:
    """Return the number of parts of a partition."""
    return int(np.count_nonzero(counts))
