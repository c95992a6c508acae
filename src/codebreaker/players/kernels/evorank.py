"""EvoRank: a genetic algorithm that gathers consistent codes and plays one with the most parts.

Source: Runarsson and Merelo 2010, as Cotta et al. 2010 compare it.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.arithmetic.compile import njit
from codebreaker.players.kernels.board import (
    CERTAIN,
    Board,
    Random,
    distance,
    draw,
    feedback,
    joined,
    with_peg,
)
from codebreaker.types import Indices, Scores


class EvoRankSettings(NamedTuple):
    """How EvoRank searches.

    A child is a mutated code with the probability `mutation` (units of 2^-20), else made by
    crossover. A move ends when `target` consistent codes are known, or some are and `patience`
    generations brought no new one; without any, the population is drawn anew after `reset`.
    """

    population: int
    target: int
    mutation: int
    patience: int
    reset: int


class EvoRankWorkspace(NamedTuple):
    """Working memory.

    `codes`, `children`, `distances`, `wheel` (population,); the consistent codes `found`
    (n_codes,), with the move that found them last in `met`; and `cells` (n_feedback,).
    """

    codes: Indices
    children: Indices
    distances: Indices
    wheel: Scores
    found: Indices
    met: Indices
    cells: Indices


@njit(nogil=True)
def guess(
    board: Board,
    rank: EvoRankSettings,
    flock: EvoRankWorkspace,
    guesses: Indices,
    answers: Indices,
    known: int,
    state: Random,
) -> tuple[int, int, int]:
    """Return the next guess, the codes evaluated for it, and how many codes are known then.

    `guesses` and `answers` are those of the game so far, and `known` what the last call returned.
    """
    if len(guesses) == 1:
        flock.met[:] = 0
    found, taken = gather(board, rank, flock, guesses, answers, len(guesses), state)
    return _most_parts(board, flock, found, state), taken, found


@njit(nogil=True)
def gather(
    board: Board,
    rank: EvoRankSettings,
    flock: EvoRankWorkspace,
    guesses: Indices,
    answers: Indices,
    stamp: int,
    state: Random,
) -> tuple[int, int]:
    """Return how many consistent codes were gathered in `found`, and the evaluations it took."""
    n, n_found, taken, still = rank.population, 0, 0, 0
    for i in range(n):
        flock.codes[i] = draw(state, len(board.codes))
    while True:
        before = n_found
        for i in range(n):
            code = flock.codes[i]
            flock.distances[i] = distance(board, code, guesses, answers)
            if flock.distances[i] == 0 and flock.met[code] != stamp:
                flock.met[code] = stamp
                flock.found[n_found] = code
                n_found += 1
        taken += n
        still = 0 if n_found > before else still + 1
        if n_found >= rank.target or (n_found > 0 and still >= rank.patience):
            return n_found, taken
        if still >= rank.reset:
            still = 0
            for i in range(n):
                flock.codes[i] = draw(state, len(board.codes))
            continue
        _breed(board, rank, flock, n_found, state)


@njit(nogil=True)
def parts_of(board: Board, flock: EvoRankWorkspace, code: int, n_found: int) -> int:
    """Return the number of parts into which a code parts the codes that were found."""
    flock.cells[:] = 0
    parts = 0
    for j in range(n_found):
        cell = feedback(board, code, flock.found[j])
        parts += flock.cells[cell] == 0
        flock.cells[cell] = 1
    return parts


@njit(nogil=True)
def _breed(
    board: Board, rank: EvoRankSettings, flock: EvoRankWorkspace, n_found: int, state: Random
) -> None:
    """Put children in the population's place, parents drawn by a roulette on scaled fitness.

    Fitness is minus the distance, plus the number of parts where a code is consistent.
    """
    pegs, n_colours, n = board.codes.shape[1], board.counts.shape[1], rank.population
    least = np.inf
    for i in range(n):
        fitness = -float(flock.distances[i])
        if flock.distances[i] == 0:
            fitness += parts_of(board, flock, flock.codes[i], n_found)
        flock.wheel[i] = fitness
        least = min(least, fitness)
    total = 0.0
    for i in range(n):
        total += flock.wheel[i] - least + 1
        flock.wheel[i] = total
    for i in range(n):
        child = int(flock.codes[_spin(flock.wheel, state)])
        if draw(state, CERTAIN) < rank.mutation:
            child = with_peg(board, child, draw(state, pegs), draw(state, n_colours))
        else:
            other = int(flock.codes[_spin(flock.wheel, state)])
            child = joined(board, child, other, 1 + draw(state, max(pegs - 1, 1)))
        flock.children[i] = child
    flock.codes[:] = flock.children


@njit(nogil=True)
def _spin(wheel: Scores, state: Random) -> int:
    """Return a place of the wheel, the more often the wider it is."""
    at = draw(state, CERTAIN) / CERTAIN * wheel[-1]
    return int(min(np.searchsorted(wheel, at, side="right"), len(wheel) - 1))


@njit(nogil=True)
def _most_parts(board: Board, flock: EvoRankWorkspace, n_found: int, state: Random) -> int:
    """Return a random one of the codes that were found with the most parts."""
    best, tied, chosen = -1, 0, flock.found[0]
    for i in range(n_found):
        parts = parts_of(board, flock, flock.found[i], n_found)
        if parts > best:
            best, tied, chosen = parts, 1, flock.found[i]
        elif parts == best:
            tied += 1
            if draw(state, tied) == 0:
                chosen = flock.found[i]
    return int(chosen)
