"""The entropy-driven evolutionary players of Cotta, Merelo, Mora and Runarsson 2010, section 3.

A move's population are codes; those that are consistent are feasible, and better the more evenly
they part the other feasible ones. All feasible codes that a move meets are kept, the one of the
highest entropy among them is played, and they seed the next move's population.
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


class EvolutionSettings(NamedTuple):
    """How a population evolves; probabilities in units of 2^-20.

    `tiers` of equal size, 1 or 2, judge each other's codes by entropy if there are 2, and if
    `competing` the second one prefers codes of low entropy. If it `keeps` them, codes that were met
    at earlier moves and are still feasible may be played too. A move takes at least `evaluations`,
    and goes on until each tier holds a feasible code.
    """

    population: int
    tiers: int
    competing: int
    seeded: int
    keeps: int
    crossover: int
    mutation: int
    evaluations: int


class EvolutionWorkspace(NamedTuple):
    """Working memory: the population, its children, and the feasible codes that were met.

    `codes`, `children` (population,); `distances`, `fitness` (population,); `found` (n_codes,)
    with the move that found a code last in `met` (n_codes,); `cells` (n_feedback,).
    """

    codes: Indices
    children: Indices
    distances: Indices
    fitness: Scores
    found: Indices
    met: Indices
    cells: Indices


@njit(nogil=True)
def evolve(
    board: Board,
    settings: EvolutionSettings,
    herd: EvolutionWorkspace,
    guesses: Indices,
    answers: Indices,
    n_seeds: int,
    stamp: int,
    state: Random,
) -> tuple[int, int]:
    """Return how many feasible codes a move meets, in `found`, and the evaluations that it took.

    The first `n_seeds` codes of `found` are those of the move before; `stamp` tells moves apart.
    """
    n = settings.population
    for i in range(n):
        if settings.seeded and n_seeds > 0:
            herd.codes[i] = herd.found[draw(state, n_seeds)]
        else:
            herd.codes[i] = draw(state, len(board.codes))
    n_found, taken = 0, 0
    for known in range(n_seeds if settings.keeps else 0):
        code = herd.found[known]
        if distance(board, code, guesses, answers) == 0:
            herd.met[code] = stamp
            herd.found[n_found] = code
            n_found += 1
    while True:
        for i in range(n):
            code = herd.codes[i]
            herd.distances[i] = distance(board, code, guesses, answers)
            if herd.distances[i] == 0 and herd.met[code] != stamp:
                herd.met[code] = stamp
                herd.found[n_found] = code
                n_found += 1
        taken += n
        _judge(board, settings, herd)
        if taken >= settings.evaluations and _is_feasible(settings, herd):
            return n_found, taken
        _breed(board, settings, herd, state)


@njit(nogil=True)
def _is_feasible(settings: EvolutionSettings, herd: EvolutionWorkspace) -> bool:
    """Return whether each tier holds a feasible code."""
    size = settings.population // settings.tiers
    for tier in range(settings.tiers):
        least = herd.distances[tier * size]
        for i in range(tier * size, (tier + 1) * size):
            least = min(least, herd.distances[i])
        if least > 0:
            return False
    return True


@njit(nogil=True)
def _judge(board: Board, settings: EvolutionSettings, herd: EvolutionWorkspace) -> None:
    """Give each code its fitness: minus its distance, or above 0 by its entropy if it is feasible.

    Entropy is over the different feasible codes of the population, or of the other tier.
    """
    size = settings.population // settings.tiers
    highest = np.log2(len(herd.cells))
    for i in range(settings.population):
        if herd.distances[i] > 0:
            herd.fitness[i] = -herd.distances[i]
            continue
        tier = i // size
        other = tier if settings.tiers == 1 else 1 - tier
        herd.cells[:] = 0
        n = 0
        for j in range(other * size, (other + 1) * size):
            if herd.distances[j] > 0 or herd.codes[j] == herd.codes[i]:
                continue
            if is_first(herd.codes, other * size, j):
                herd.cells[feedback(board, herd.codes[i], herd.codes[j])] += 1
                n += 1
        entropy = entropy_of(herd.cells, n)
        competes = settings.competing and tier == 1
        herd.fitness[i] = 1 + (highest - entropy if competes else entropy)


@njit(nogil=True)
def is_first(codes: Indices, start: int, place: int) -> bool:
    """Return whether a code stands nowhere between a start and its place."""
    for i in range(start, place):  # noqa: SIM110 (compiled)
        if codes[i] == codes[place]:
            return False
    return True


@njit(nogil=True)
def entropy_of(cells: Indices, n: int) -> float:
    """Return the entropy in bits of n codes that fall into cells."""
    entropy = 0.0
    for count in cells:
        if count > 0:
            entropy -= count / n * np.log2(count / n)
    return entropy


@njit(nogil=True)
def _breed(
    board: Board, settings: EvolutionSettings, herd: EvolutionWorkspace, state: Random
) -> None:
    """Put children in the place of each tier, but for its best code, which takes the last place."""
    size = settings.population // settings.tiers
    for tier in range(settings.tiers):
        start = tier * size
        best = start
        for i in range(start, start + size):
            if herd.fitness[i] > herd.fitness[best]:
                best = i
        elite = herd.codes[best]
        for i in range(start, start + size, 2):
            one = herd.codes[tournament(herd.fitness, start, size, state)]
            other = herd.codes[tournament(herd.fitness, start, size, state)]
            cut = board.codes.shape[1]
            if draw(state, CERTAIN) < settings.crossover:
                cut = 1 + draw(state, max(board.codes.shape[1] - 1, 1))
            herd.children[i] = _child(board, settings, one, other, cut, state)
            if i + 1 < start + size:
                herd.children[i + 1] = _child(board, settings, other, one, cut, state)
        herd.children[start + size - 1] = elite
    herd.codes[:] = herd.children


@njit(nogil=True)
def tournament(fitness: Scores, start: int, size: int, state: Random) -> int:
    """Return the better of two places drawn at random."""
    one, other = start + draw(state, size), start + draw(state, size)
    return one if fitness[one] >= fitness[other] else other


@njit(nogil=True)
def _child(
    board: Board, settings: EvolutionSettings, head: int, tail: int, cut: int, state: Random
) -> int:
    """Return the child with the pegs of one code up to a cut and of another after it, mutated."""
    child, n_colours = joined(board, head, tail, cut), board.counts.shape[1]
    for peg in range(board.codes.shape[1]):
        if draw(state, CERTAIN) < settings.mutation:
            child = with_peg(board, child, peg, draw(state, n_colours))
    return child


@njit(nogil=True)
def most_informative(board: Board, herd: EvolutionWorkspace, n_found: int) -> int:
    """Return the feasible code of the highest entropy over those that were met, the first of them.

    The codes themselves are no part of their own partitions.
    """
    best, chosen = -1.0, -1
    for i in range(n_found):
        herd.cells[:] = 0
        for j in range(n_found):
            if i != j:
                herd.cells[feedback(board, herd.found[i], herd.found[j])] += 1
        entropy = entropy_of(herd.cells, n_found - 1)
        if entropy > best + 1e-9:
            best, chosen = entropy, herd.found[i]
    return int(chosen)


@njit(nogil=True)
def guess(
    board: Board,
    settings: EvolutionSettings,
    herd: EvolutionWorkspace,
    guesses: Indices,
    answers: Indices,
    known: int,
    state: Random,
) -> tuple[int, int, int]:
    """Return the next guess, the codes evaluated for it, and how many codes are known then.

    `guesses` and `answers` are those of the game so far, and `known` what the last call returned.
    """
    if len(guesses) == 1:
        herd.met[:] = 0
    found, taken = evolve(board, settings, herd, guesses, answers, known, len(guesses), state)
    return most_informative(board, herd, found), taken, found
