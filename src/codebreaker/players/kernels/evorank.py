"""EvoRank: a genetic algorithm that collects consistent codes and plays one with the most parts.

Source: Runarsson and Merelo 2010, as Cotta et al. 2010 compare it.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.arithmetic.compile import njit
from codebreaker.players.kernels.board import (
    CERTAIN,
    Board,
    Random,
    cross,
    distance,
    draw,
    feedback_between,
    with_peg,
)
from codebreaker.types import Indices, Scores


class EvoRankSettings(NamedTuple):
    """Settings of EvoRank.

    A child is a mutated code with the probability `mutation` (in units of 2^-20), otherwise it is
    made by crossover. A turn ends when `target` consistent codes are known, or when at least one is
    known and `patience` generations have found no new one. After `reset` generations without any,
    the population is redrawn.
    """

    population: int
    target: int
    mutation: int
    patience: int
    reset: int


class EvoRankWorkspace(NamedTuple):
    """Working memory: the population, its children, and the consistent codes found.

    `codes`, `children`, `distances`, `wheel` (population,); `consistent` (n_codes,) the codes
    found, and `seen_at` (n_codes,) the turn at which a code was last found; `counts` (n_feedback,)
    of a partition.
    """

    codes: Indices
    children: Indices
    distances: Indices
    wheel: Scores
    consistent: Indices
    seen_at: Indices
    counts: Indices


@njit(nogil=True)
def guess(
    board: Board,
    settings: EvoRankSettings,
    work: EvoRankWorkspace,
    guesses: Indices,
    feedback: Indices,
    n_known: int,
    state: Random,
) -> tuple[int, int, int]:
    """Return the next guess: see `players.player.Player`."""
    if len(guesses) == 1:
        work.seen_at[:] = 0
    n_consistent, evaluations = collect(board, settings, work, guesses, feedback, state)
    return _most_parts(board, work, n_consistent, state), evaluations, n_consistent


@njit(nogil=True)
def collect(
    board: Board,
    settings: EvoRankSettings,
    work: EvoRankWorkspace,
    guesses: Indices,
    feedback: Indices,
    state: Random,
) -> tuple[int, int]:
    """Put consistent codes into `consistent`; return their number and that of evaluations."""
    n, turn, n_consistent, evaluations, idle = settings.population, len(guesses), 0, 0, 0
    for i in range(n):
        work.codes[i] = draw(state, len(board.codes))
    while True:
        before = n_consistent
        for i in range(n):
            code = work.codes[i]
            work.distances[i] = distance(board, code, guesses, feedback)
            if work.distances[i] == 0 and work.seen_at[code] != turn:
                work.seen_at[code] = turn
                work.consistent[n_consistent] = code
                n_consistent += 1
        evaluations += n
        idle = 0 if n_consistent > before else idle + 1
        if n_consistent >= settings.target or (n_consistent > 0 and idle >= settings.patience):
            return n_consistent, evaluations
        if idle >= settings.reset:
            idle = 0
            for i in range(n):
                work.codes[i] = draw(state, len(board.codes))
            continue
        _breed(board, settings, work, n_consistent, state)


@njit(nogil=True)
def parts_of(board: Board, work: EvoRankWorkspace, code: int, n_consistent: int) -> int:
    """Return the number of parts of a code's partition of the consistent codes found."""
    work.counts[:] = 0
    parts = 0
    for j in range(n_consistent):
        f = feedback_between(board, code, work.consistent[j])
        parts += work.counts[f] == 0
        work.counts[f] = 1
    return parts


@njit(nogil=True)
def _breed(
    board: Board,
    settings: EvoRankSettings,
    work: EvoRankWorkspace,
    n_consistent: int,
    state: Random,
) -> None:
    """Replace the population by its children; parents are drawn by roulette on scaled fitness.

    Fitness is minus the distance, or the number of parts of a consistent code.
    """
    pegs, n_colours, n = board.codes.shape[1], board.counts.shape[1], settings.population
    least = np.inf
    for i in range(n):
        fitness = -float(work.distances[i])
        if work.distances[i] == 0:
            fitness += parts_of(board, work, work.codes[i], n_consistent)
        work.wheel[i] = fitness
        least = min(least, fitness)
    total = 0.0
    for i in range(n):
        total += work.wheel[i] - least + 1
        work.wheel[i] = total
    for i in range(n):
        child = int(work.codes[_spin(work.wheel, state)])
        if draw(state, CERTAIN) < settings.mutation:
            child = with_peg(board, child, draw(state, pegs), draw(state, n_colours))
        else:
            other = int(work.codes[_spin(work.wheel, state)])
            child = cross(board, child, other, 1 + draw(state, max(pegs - 1, 1)))
        work.children[i] = child
    work.codes[:] = work.children


@njit(nogil=True)
def _spin(wheel: Scores, state: Random) -> int:
    """Return a random place of the wheel, in proportion to its width."""
    at = draw(state, CERTAIN) / CERTAIN * wheel[-1]
    return int(min(np.searchsorted(wheel, at, side="right"), len(wheel) - 1))


@njit(nogil=True)
def _most_parts(board: Board, work: EvoRankWorkspace, n_consistent: int, state: Random) -> int:
    """Return one of the consistent codes found with the most parts, at random."""
    best, tied, chosen = -1, 0, work.consistent[0]
    for i in range(n_consistent):
        parts = parts_of(board, work, work.consistent[i], n_consistent)
        if parts > best:
            best, tied, chosen = parts, 1, work.consistent[i]
        elif parts == best:
            tied += 1
            if draw(state, tied) == 0:
                chosen = work.consistent[i]
    return int(chosen)
