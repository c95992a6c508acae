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
    Random,
    cross,
    distance,
    draw,
    with_peg,
    with_swap,
)
from codebreaker.players.kernels.entropic import tournament
from codebreaker.types import Indices, Scores

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


class SearchWorkspace(NamedTuple):
    """Working memory: `codes`, `children` and `fitness`, (population,)."""

    codes: Indices
    children: Indices
    fitness: Scores


@njit(nogil=True)
def guess(
    board: Board,
    settings: SearchSettings,
    work: SearchWorkspace,
    guesses: Indices,
    feedback: Indices,
    n_known: int,
    state: Random,
) -> tuple[int, int, int]:
    """Return the next guess: see `players.player.Player`."""
    if settings.kind == ANNEALING:
        code, evaluations = anneal(board, settings, guesses, feedback, state)
    else:
        code, evaluations = evolve(board, settings, work, guesses, feedback, state)
    return code, evaluations, 0


@njit(nogil=True)
def anneal(
    board: Board, settings: SearchSettings, guesses: Indices, feedback: Indices, state: Random
) -> tuple[int, int]:
    """Return a consistent code and the number of codes evaluated."""
    pegs, n_colours = board.codes.shape[1], board.counts.shape[1]
    evaluations = 0
    while True:
        code = draw(state, len(board.codes))
        cost, temperature = distance(board, code, guesses, feedback), settings.hottest
        evaluations += 1
        while cost > 0 and temperature > settings.coldest:
            for _ in range(settings.steps):
                if draw(state, 2) == 0:
                    other = with_peg(board, code, draw(state, pegs), draw(state, n_colours))
                else:
                    other = with_swap(board, code, draw(state, pegs), draw(state, pegs))
                other_cost = distance(board, other, guesses, feedback)
                evaluations += 1
                increase = other_cost - cost
                chance = draw(state, CERTAIN) / CERTAIN
                if increase <= 0 or chance < np.exp(-increase / temperature):
                    code, cost = other, other_cost
                if cost == 0:
                    break
            temperature *= settings.cooling
        if cost == 0:
            return code, evaluations


@njit(nogil=True)
def evolve(
    board: Board,
    settings: SearchSettings,
    work: SearchWorkspace,
    guesses: Indices,
    feedback: Indices,
    state: Random,
) -> tuple[int, int]:
    """Return a consistent code and the number of codes evaluated."""
    pegs, n_colours, n = board.codes.shape[1], board.counts.shape[1], settings.population
    for i in range(n):
        work.codes[i] = draw(state, len(board.codes))
    evaluations = 0
    while True:
        for i in range(n):
            cost = distance(board, work.codes[i], guesses, feedback)
            evaluations += 1
            if cost == 0:
                return int(work.codes[i]), evaluations
            work.fitness[i] = -cost
        for i in range(n):
            child = int(work.codes[tournament(work.fitness, 0, n, state)])
            if draw(state, CERTAIN) < settings.crossover:
                other = int(work.codes[tournament(work.fitness, 0, n, state)])
                child = cross(board, child, other, draw(state, pegs))
            if draw(state, CERTAIN) < settings.mutation:
                child = with_peg(board, child, draw(state, pegs), draw(state, n_colours))
            if draw(state, CERTAIN) < settings.swap:
                child = with_swap(board, child, draw(state, pegs), draw(state, pegs))
            work.children[i] = child
        work.codes[:] = work.children
