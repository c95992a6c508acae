"""Players that know all candidates: a random one is played, or the best of a random sample."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.kernels.board import Board, Random, answer, draw
from codebreaker.kernels.compile import njit
from codebreaker.kernels.entropic import entropy_of
from codebreaker.types import Codes

RANDOM, ENTROPY, PARTS = range(3)
"""What is played: any candidate, or the sample's best by entropy or by the number of parts."""


class Sampling(NamedTuple):
    """How a candidate is chosen: a `rule` above, and the sample's size in candidates of 2^20."""

    rule: int
    share: int


class Pool(NamedTuple):
    """Working memory: the `candidates` (n_codes,), and `cells` (n_feedback,)."""

    candidates: Codes
    cells: Codes


@njit(nogil=True)
def play(
    board: Board,
    sampling: Sampling,
    pool: Pool,
    opening: int,
    secret: int,
    state: Random,
    moves: NDArray[np.int32],
    evaluations: NDArray[np.int32],
) -> int:
    """Play a game; return the number of guesses, or 0 where there is no room for more.

    `moves` and `evaluations`, (n_turns,) int32, are filled with each turn's guess and the codes
    that were checked for consistency. Random play opens with a random code.
    """
    candidates, n = pool.candidates, len(board.codes)
    for code in range(n):
        candidates[code] = code
    solved = answer(board, secret, secret)
    for turn in range(len(moves)):
        if turn == 0 and sampling.rule == RANDOM:
            guess = draw(state, n)
        elif turn == 0:
            guess = opening
        else:
            told, kept = answer(board, moves[turn - 1], secret), 0
            evaluations[turn] = n
            for i in range(n):
                code = candidates[i]
                if answer(board, moves[turn - 1], code) == told:
                    candidates[kept] = code
                    kept += 1
            n = kept
            guess = _choose(board, sampling, pool, n, state)
        moves[turn] = guess
        if answer(board, guess, secret) == solved:
            return turn + 1
    return 0


@njit(nogil=True)
def _choose(board: Board, sampling: Sampling, pool: Pool, n: int, state: Random) -> int:
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
            pool.cells[answer(board, candidates[i], candidates[j])] += 1
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
