"""Players that play the first consistent code that they find: annealing, and a genetic algorithm.

Source: Bernier, Herráiz, Merelo, Olmeda and Prieto 1996. Both look for a code at the distance 0
from consistency; what the source leaves open is ours, and stands in the settings.
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
    joined,
    with_peg,
    with_swap,
)
from codebreaker.players.kernels.entropic import tournament
from codebreaker.types import Indices, Scores

ANNEALING, GENETIC = range(2)


class ConsistencySearch(NamedTuple):
    """How a code is sought, by `kind`; probabilities in units of 2^-20.

    Annealing starts at the temperature `warm`, in units of distance; after every `steps` steps it
    is multiplied by `cooling`, and below `cold` all begins anew. The genetic algorithm has a
    `population` with tournaments of two, one-point crossover, and children of which a peg is
    redrawn (`mutation`) or two are swapped (`swap`).
    """

    kind: int
    warm: float
    cooling: float
    cold: float
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
    search: ConsistencySearch,
    crowd: SearchWorkspace,
    guesses: Indices,
    answers: Indices,
    known: int,
    state: Random,
) -> tuple[int, int, int]:
    """Return the next guess, the codes evaluated for it, and how many codes are known then.

    `guesses` and `answers` are those of the game so far, and `known` what the last call returned.
    """
    if search.kind == ANNEALING:
        code, taken = anneal(board, search, guesses, answers, state)
    else:
        code, taken = breed(board, search, crowd, guesses, answers, state)
    return code, taken, 0


@njit(nogil=True)
def anneal(
    board: Board, search: ConsistencySearch, guesses: Indices, answers: Indices, state: Random
) -> tuple[int, int]:
    """Return a consistent code, and how many codes were evaluated to find it."""
    pegs, n_colours = board.codes.shape[1], board.counts.shape[1]
    taken = 0
    while True:
        code = draw(state, len(board.codes))
        cost, temperature = distance(board, code, guesses, answers), search.warm
        taken += 1
        while cost > 0 and temperature > search.cold:
            for _ in range(search.steps):
                if draw(state, 2) == 0:
                    other = with_peg(board, code, draw(state, pegs), draw(state, n_colours))
                else:
                    other = with_swap(board, code, draw(state, pegs), draw(state, pegs))
                found = distance(board, other, guesses, answers)
                taken += 1
                worse = found - cost
                chance = draw(state, CERTAIN) / CERTAIN
                if worse <= 0 or chance < np.exp(-worse / temperature):
                    code, cost = other, found
                if cost == 0:
                    break
            temperature *= search.cooling
        if cost == 0:
            return code, taken


@njit(nogil=True)
def breed(
    board: Board,
    search: ConsistencySearch,
    crowd: SearchWorkspace,
    guesses: Indices,
    answers: Indices,
    state: Random,
) -> tuple[int, int]:
    """Return a consistent code, and how many codes were evaluated to find it."""
    pegs, n_colours, n = board.codes.shape[1], board.counts.shape[1], search.population
    for i in range(n):
        crowd.codes[i] = draw(state, len(board.codes))
    taken = 0
    while True:
        for i in range(n):
            cost = distance(board, crowd.codes[i], guesses, answers)
            taken += 1
            if cost == 0:
                return int(crowd.codes[i]), taken
            crowd.fitness[i] = -cost
        for i in range(n):
            child = int(crowd.codes[tournament(crowd.fitness, 0, n, state)])
            if draw(state, CERTAIN) < search.crossover:
                other = int(crowd.codes[tournament(crowd.fitness, 0, n, state)])
                child = joined(board, child, other, draw(state, pegs))
            if draw(state, CERTAIN) < search.mutation:
                child = with_peg(board, child, draw(state, pegs), draw(state, n_colours))
            if draw(state, CERTAIN) < search.swap:
                child = with_swap(board, child, draw(state, pegs), draw(state, pegs))
            crowd.children[i] = child
        crowd.codes[:] = crowd.children
