"""Players that track all candidates, and play a random one or the best of a random sample."""

from typing import NamedTuple

from codebreaker.arithmetic.compile import njit
from codebreaker.players.kernels.board import Board, Random, draw, feedback_between
from codebreaker.players.kernels.entropic import entropy_of
from codebreaker.types import Indices

RANDOM, ENTROPY, PARTS = range(3)
"""Rules: a random candidate, or the sample's best by entropy or by the number of parts."""


class SamplingSettings(NamedTuple):
    """The rule, and the sample's share of the candidates in units of 2^-20."""

    rule: int
    share: int


class SamplingWorkspace(NamedTuple):
    """Working memory: `candidates` (n_codes,), and `counts` (n_feedback,) of a partition."""

    candidates: Indices
    counts: Indices


@njit(nogil=True)
def guess(
    board: Board,
    settings: SamplingSettings,
    work: SamplingWorkspace,
    guesses: Indices,
    feedback: Indices,
    n_known: int,
    state: Random,
) -> tuple[int, int, int]:
    """Return the next guess: see `players.player.Player`."""
    candidates, n, n_left = work.candidates, n_known, 0
    if len(guesses) == 1:
        n = len(board.codes)
        for code in range(n):
            candidates[code] = code
    for i in range(n):
        code = candidates[i]
        if feedback_between(board, guesses[-1], code) == feedback[-1]:
            candidates[n_left] = code
            n_left += 1
    return _choose(board, settings, work, n_left, state), n, n_left


@njit(nogil=True)
def _choose(
    board: Board, settings: SamplingSettings, work: SamplingWorkspace, n: int, state: Random
) -> int:
    """Return a random candidate, or one of the best of a random sample."""
    candidates = work.candidates
    if settings.rule == RANDOM or n <= 2:
        return int(candidates[draw(state, n)])
    size = max((n * settings.share + (1 << 20) - 1) >> 20, 1)
    for i in range(size):
        other = i + draw(state, n - i)
        candidates[i], candidates[other] = candidates[other], candidates[i]
    best, tied, chosen = -1.0, 0, candidates[0]
    for i in range(size):
        work.counts[:] = 0
        for j in range(size):
            work.counts[feedback_between(board, candidates[i], candidates[j])] += 1
        score = 0.0
        if settings.rule == ENTROPY:
            score = entropy_of(work.counts, size)
        else:
            for count in work.counts:
                score += count > 0
        if score > best + 1e-9:
            best, tied, chosen = score, 1, candidates[i]
        elif score > best - 1e-9:
            tied += 1
            if draw(state, tied) == 0:
                chosen = candidates[i]
    return int(chosen)
