"""Players that know all candidates: a random one is played, or the best of a random sample."""

from typing import NamedTuple

from codebreaker.arithmetic.compile import njit
from codebreaker.players.kernels.board import Board, Random, draw, feedback
from codebreaker.players.kernels.entropic import entropy_of
from codebreaker.types import Indices

RANDOM, ENTROPY, PARTS = range(3)
"""What is played: any candidate, or the sample's best by entropy or by the number of parts."""


class SamplingSettings(NamedTuple):
    """How a candidate is chosen: a `rule` above, and the sample's size in candidates of 2^20."""

    rule: int
    share: int


class SamplingWorkspace(NamedTuple):
    """Working memory: the `candidates` (n_codes,), and `cells` (n_feedback,)."""

    candidates: Indices
    cells: Indices


@njit(nogil=True)
def guess(
    board: Board,
    sampling: SamplingSettings,
    pool: SamplingWorkspace,
    guesses: Indices,
    answers: Indices,
    known: int,
    state: Random,
) -> tuple[int, int, int]:
    """Return the next guess, the codes evaluated for it, and how many codes are known then.

    `guesses` and `answers` are those of the game so far, and `known` what the last call returned.
    """
    candidates, n, kept = pool.candidates, known, 0
    if len(guesses) == 1:
        n = len(board.codes)
        for code in range(n):
            candidates[code] = code
    for i in range(n):
        code = candidates[i]
        if feedback(board, guesses[-1], code) == answers[-1]:
            candidates[kept] = code
            kept += 1
    return _choose(board, sampling, pool, kept, state), n, kept


@njit(nogil=True)
def _choose(
    board: Board, sampling: SamplingSettings, pool: SamplingWorkspace, n: int, state: Random
) -> int:
    """Return a random candidate, or one of the best of a random sample."""
    candidates = pool.candidates
    if sampling.rule == RANDOM or n <= 2:
        return int(candidates[draw(state, n)])
    size = max((n * sampling.share + (1 << 20) - 1) >> 20, 1)
    for i in range(size):
        other = i + draw(state, n - i)
        candidates[i], candidates[other] = candidates[other], candidates[i]
    best, tied, chosen = -1.0, 0, candidates[0]
    for i in range(size):
        pool.cells[:] = 0
        for j in range(size):
            pool.cells[feedback(board, candidates[i], candidates[j])] += 1
        score = 0.0
        if sampling.rule == ENTROPY:
            score = entropy_of(pool.cells, size)
        else:
            for count in pool.cells:
                score += count > 0
        if score > best + 1e-9:
            best, tied, chosen = score, 1, candidates[i]
        elif score > best - 1e-9:
            tied += 1
            if draw(state, tied) == 0:
                chosen = candidates[i]
    return int(chosen)
