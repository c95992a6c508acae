"""Players that search for a guess by annealing or a genetic algorithm.

They play the first consistent code (Bernier, Herráiz, Merelo, Olmeda and Prieto 1996), or maximise
the entropy over all candidates (AM207 project 2016, section 2.3). The sources leave temperatures,
rates and sizes open.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.players.kernels.board import (
    CERTAIN,
    Board,
    Choice,
    Workspace,
    cross,
    distance,
    draw,
    draw_population,
    partition,
    redraw_peg,
    swap_pegs,
    tournament,
)
from codebreaker.players.kernels.sampling import ENTROPY as BITS
from codebreaker.players.kernels.sampling import PREFERENCE, TIES, keep_candidates, score_of
from codebreaker.sets.compile import inner, njit

ANNEALING, GENETIC = range(2)

CONSISTENCY, ENTROPY = range(2)

TEMPERATURES = ((4.0, 0.95, 0.25), (0.5, 0.9, 0.005))
"""By goal: the first temperature, in units of distance or in bits, its factor, and the last."""

STEPS = 20
"""The steps of annealing at a temperature."""

CROSSOVER, MUTATION, SWAP = (round(CERTAIN * chance) for chance in (0.8, 0.5, 0.1))
"""The genetic algorithm's probabilities, in units of 2^-20."""

PLAYED = 1000.0
"""What a code that was played costs in addition, more than any distance."""


class SearchSettings(NamedTuple):
    """Settings of both kinds of search.

    The `goal` is the minimum distance from consistency, or the highest entropy over the candidates,
    of which `prefers` prefers one among equally good guesses. Annealing multiplies its temperature
    after every STEPS steps; below the last one it restarts unless it has met the goal, or plays the
    guess of highest entropy. The genetic algorithm plays the best guess that it has met after some
    `generations`; with 0 it goes on until it has found a consistent code.
    """

    kind: int
    goal: int
    prefers: int = 0
    population: int = 50
    generations: int = 0


@njit(nogil=True)
def guess(settings: SearchSettings, work: Workspace, board: Board, n_known: int) -> Choice:
    """Return the next guess: see `players.registry.Player`."""
    compared, n = 0, 0
    if settings.goal == ENTROPY:
        compared, n = keep_candidates(board, work.candidates, n_known)
        if n == 1:
            return int(work.candidates[0]), compared, n
    if settings.kind == ANNEALING:
        code, evaluations = anneal(settings, work, board, n)
    else:
        code, evaluations = evolve(settings, work, board, n)
    return code, compared + evaluations, n


@njit(nogil=True)
def cost_of(settings: SearchSettings, work: Workspace, board: Board, code: int, n: int) -> float:
    """Return a guess's distance from consistency, or minus its entropy over `n` candidates."""
    if settings.goal == CONSISTENCY:
        cost = float(distance(board, code))
        if settings.generations > 0:
            for played in board.guesses:
                cost += PLAYED if code == played else 0.0
        return cost
    partition(board, work.counts, code, work.candidates[:n])
    preference = PREFERENCE if settings.prefers and work.counts[-1] > 0 else 0.0
    return -score_of(work, n, BITS) - preference


@njit(nogil=True)
def least_cost(settings: SearchSettings, work: Workspace, n: int) -> float:
    """Return a lower bound of the cost: there the search may end."""
    if settings.goal == CONSISTENCY:
        return 0.0
    preference = PREFERENCE if settings.prefers else 0.0
    return TIES - np.log2(float(min(n, len(work.counts)))) - preference


@njit(nogil=True)
def anneal(settings: SearchSettings, work: Workspace, board: Board, n: int) -> tuple[int, int]:
    """Return the guess of lowest cost that was met, and the number of codes evaluated."""
    evaluations, least = 0, least_cost(settings, work, n)
    hottest, cooling, coldest = TEMPERATURES[settings.goal]
    while True:
        code = draw(board.state, len(board.codes))
        cost, temperature = cost_of(settings, work, board, code, n), hottest
        best, best_cost = code, cost
        evaluations += 1
        while best_cost > least and temperature > coldest:
            for _ in range(STEPS):
                redraws = draw(board.state, 2) == 0
                other = redraw_peg(board, code) if redraws else swap_pegs(board, code)
                other_cost = cost_of(settings, work, board, other, n)
                evaluations += 1
                increase = other_cost - cost
                chance = draw(board.state, CERTAIN) / CERTAIN
                if increase <= 0 or chance < np.exp(-increase / temperature):
                    code, cost = other, other_cost
                if cost < best_cost:
                    best, best_cost = code, cost
                if best_cost <= least:
                    break
            temperature *= cooling
        if best_cost <= least or settings.goal == ENTROPY:
            return best, evaluations


@njit(nogil=True)
def evolve(settings: SearchSettings, work: Workspace, board: Board, n: int) -> tuple[int, int]:
    """Return the guess of lowest cost that was met, and the number of codes evaluated."""
    evaluations, generation, least = 0, 0, least_cost(settings, work, n)
    best, best_cost = -1, np.inf
    draw_population(board, work.codes)
    while True:
        generation += 1
        for i in range(settings.population):
            cost = cost_of(settings, work, board, work.codes[i], n)
            evaluations += 1
            if cost < best_cost:
                best, best_cost = int(work.codes[i]), cost
            if cost <= least:
                return best, evaluations
            work.fitness[i] = -cost
        if generation == settings.generations:
            return best, evaluations
        _breed(settings, work, board)


@inner
def _breed(settings: SearchSettings, work: Workspace, board: Board) -> None:
    """Replace the population by its children."""
    n = settings.population
    for i in range(n):
        child = tournament(board, work, 0, n)
        if draw(board.state, CERTAIN) < CROSSOVER:
            other = tournament(board, work, 0, n)
            child = cross(board, child, other, draw(board.state, board.codes.shape[1]))
        if draw(board.state, CERTAIN) < MUTATION:
            child = redraw_peg(board, child)
        if draw(board.state, CERTAIN) < SWAP:
            child = swap_pegs(board, child)
        work.children[i] = child
    for i in range(len(work.codes)):
        work.codes[i] = work.children[i]
