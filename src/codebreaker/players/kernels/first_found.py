"""Players that play the first consistent code found by annealing or a genetic algorithm.

Source: Bernier, Herráiz, Merelo, Olmeda and Prieto 1996. Both minimise the distance from
consistency; the settings hold our choices for what the source leaves open.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.arithmetic.compile import njit
from codebreaker.players.kernels.board import (
    CERTAIN,
    Board,
    Choice,
    Workspace,
    cross,
    distance,
    draw,
    draw_population,
    redraw_peg,
    swap_pegs,
    tournament,
)

ANNEALING, GENETIC = range(2)


class SearchSettings(NamedTuple):
    """Settings of both kinds of search; probabilities in units of 2^-20.

    Annealing starts at the temperature `hottest`, in units of distance; after every `steps` steps
    it is multiplied by `cooling`, and below `coldest` the search restarts. The genetic algorithm
    has a `population`, tournaments of two and one-point crossover; in a child one peg may be
    redrawn (`mutation`) or two pegs swapped (`swap`).
    """

    kind: int
    hottest: float
    cooling: float
    coldest: float
    steps: int
    population: int
    crossover: int
    mutation: int
    swap: int


@njit(nogil=True)
def guess(settings: SearchSettings, work: Workspace, board: Board, n_known: int) -> Choice:
    """Return the next guess: see `players.player.Player`."""
    if settings.kind == ANNEALING:
        return anneal(settings, board)
    return evolve(settings, work, board)


@njit(nogil=True)
def anneal(settings: SearchSettings, board: Board) -> Choice:
    """Return a consistent code, the number of codes evaluated, and 0: none is known later."""
    evaluations = 0
    while True:
        code = draw(board.state, len(board.codes))
        cost, temperature = distance(board, code), settings.hottest
        evaluations += 1
        while cost > 0 and temperature > settings.coldest:
            for _ in range(settings.steps):
                redraws = draw(board.state, 2) == 0
                other = redraw_peg(board, code) if redraws else swap_pegs(board, code)
                other_cost = distance(board, other)
                evaluations += 1
                increase = other_cost - cost
                chance = draw(board.state, CERTAIN) / CERTAIN
                if increase <= 0 or chance < np.exp(-increase / temperature):
                    code, cost = other, other_cost
                if cost == 0:
                    break
            temperature *= settings.cooling
        if cost == 0:
            return code, evaluations, 0


@njit(nogil=True)
def evolve(settings: SearchSettings, work: Workspace, board: Board) -> Choice:
    """Return a consistent code, the number of codes evaluated, and 0: none is known later."""
    n, evaluations = settings.population, 0
    draw_population(board, work.codes)
    while True:
        for i in range(n):
            cost = distance(board, work.codes[i])
            evaluations += 1
            if cost == 0:
                return int(work.codes[i]), evaluations, 0
            work.fitness[i] = -cost
        for i in range(n):
            child = tournament(board, work, 0, n)
            if draw(board.state, CERTAIN) < settings.crossover:
                other = tournament(board, work, 0, n)
                child = cross(board, child, other, draw(board.state, board.codes.shape[1]))
            if draw(board.state, CERTAIN) < settings.mutation:
                child = redraw_peg(board, child)
            if draw(board.state, CERTAIN) < settings.swap:
                child = swap_pegs(board, child)
            work.children[i] = child
        for i in range(len(work.codes)):
            work.codes[i] = work.children[i]
