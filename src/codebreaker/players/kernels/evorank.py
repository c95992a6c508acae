"""EvoRank: a genetic algorithm that collects consistent codes and plays the best of them.

Source: Runarsson and Merelo 2010, as Cotta et al. 2010 compare it; it plays a code with the most
parts. Other rules are variants.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.players.kernels.board import (
    CERTAIN,
    Board,
    Choice,
    Random,
    Workspace,
    cross,
    draw,
    draw_population,
    evaluate,
    partition,
    redraw_peg,
)
from codebreaker.players.kernels.sampling import (
    SamplingSettings,
    best_guess,
    find_endgame,
    score_of,
)
from codebreaker.sets.compile import inner, njit
from codebreaker.types import Indices, Scores


class EvoRankSettings(NamedTuple):
    """Settings of EvoRank.

    A child is a mutated code with the probability `mutation` (in units of 2^-20), otherwise it is
    made by crossover. A turn ends when `target` consistent codes are known, or when at least one is
    known and `patience` generations have found no new one. After `reset` generations without any,
    the population is redrawn. `rule` scores consistent codes (see `kernels.sampling`). If there are
    at most `endgames` candidates, all of them are compared, and one of the best is played.
    """

    population: int
    target: int
    mutation: int
    patience: int
    reset: int
    rule: int
    endgames: int


@njit(nogil=True)
def guess(settings: EvoRankSettings, work: Workspace, board: Board, n_known: int) -> Choice:
    """Return the next guess: see `players.registry.Player`."""
    if len(board.guesses) == 1:
        work.seen_at[:] = 0
    n_found, evaluations = find_endgame(settings.endgames, work, board)
    if n_found == 0:
        n_found, collected = collect(settings, work, board)
        evaluations += collected
    among = SamplingSettings(settings.rule, share=0, least=0, all_codes=0, prefers=0, first=0)
    return best_guess(board, work, n_found, among, False), evaluations, n_found


@njit(nogil=True)
def collect(settings: EvoRankSettings, work: Workspace, board: Board) -> tuple[int, int]:
    """Put consistent codes into `candidates`; return their number and that of evaluations."""
    n_found, evaluations, idle = np.int64(0), 0, 0
    draw_population(board, work.codes)
    while True:
        before = n_found
        n_found = evaluate(board, work, n_found)
        evaluations += settings.population
        idle = 0 if n_found > before else idle + 1
        if n_found >= settings.target or (n_found > 0 and idle >= settings.patience):
            return n_found, evaluations
        if idle >= settings.reset:
            idle = 0
            draw_population(board, work.codes)
        else:
            _breed(settings, work, board, n_found)


@inner
def _breed(settings: EvoRankSettings, work: Workspace, board: Board, n_found: int) -> None:
    """Replace the population by its children; parents are drawn by roulette on scaled fitness.

    Fitness is minus the distance, or the score of a consistent code; the wheel is the running total
    of the scaled fitness.
    """
    wheel, n = work.fitness, settings.population
    for i in range(n):
        wheel[i] = -float(work.distances[i])
        if work.distances[i] == 0:
            partition(board, work, work.codes[i], n_found)
            wheel[i] += score_of(work, n_found, settings.rule)
    least, total = wheel.min(), 0.0
    for i in range(n):
        total += wheel[i] - least + 1
        wheel[i] = total
    mark_wheel(wheel, work.marks)
    for i in range(n):
        child = int(work.codes[spin_wheel(wheel, work.marks, board.state)])
        if draw(board.state, CERTAIN) < settings.mutation:
            child = redraw_peg(board, child)
        else:
            other = int(work.codes[spin_wheel(wheel, work.marks, board.state)])
            cut = 1 + draw(board.state, max(board.codes.shape[1] - 1, 1))
            child = cross(board, child, other, cut)
        work.children[i] = child
    for i in range(len(work.codes)):
        work.codes[i] = work.children[i]


@njit(nogil=True)
def mark_wheel(wheel: Scores, marks: Indices) -> None:
    """Cut the wheel into equal parts, as many as it has places, and mark where each begins."""
    n, part = len(wheel), 0
    for place in range(n):
        while part < n and part * wheel[-1] / n < wheel[place]:
            marks[part] = place
            part += 1


@njit(nogil=True)
def spin_wheel(wheel: Scores, marks: Indices, state: Random) -> int:
    """Return a random place of the wheel, in proportion to its width."""
    drawn = draw(state, CERTAIN)
    at, place = drawn / CERTAIN * wheel[-1], marks[drawn * len(wheel) // CERTAIN]
    while wheel[place] <= at:
        place += 1
    return int(place)
