"""The entropy-driven evolutionary players of Cotta, Merelo, Mora and Runarsson 2010, section 3.

A population of codes evolves for each guess. Consistent codes are feasible, and fitter the more
evenly they partition the other feasible codes. Of all feasible codes met during a turn, the one of
highest entropy is played; they may seed the next turn's population.
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


class EvolutionSettings(NamedTuple):
    """Settings of the evolution; probabilities in units of 2^-20.

    The population has 1 or 2 `tiers` of equal size. Two tiers compute entropies over each other's
    codes, and if `competing`, the second one prefers low entropy. If `seeded`, the population
    starts from the feasible codes of the previous turn; if `keeps`, those that are still feasible
    may be played too. A turn takes at least `evaluations`, and ends when each tier holds a feasible
    code.
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
    """Working memory: the population, its children, and the feasible codes met.

    `codes`, `children`, `distances`, `fitness` (population,); `feasible` (n_codes,) the codes met,
    and `seen_at` (n_codes,) the turn at which a code was last met; `counts` (n_feedback,) of a
    partition.
    """

    codes: Indices
    children: Indices
    distances: Indices
    fitness: Scores
    feasible: Indices
    seen_at: Indices
    counts: Indices


@njit(nogil=True)
def evolve(
    board: Board,
    settings: EvolutionSettings,
    work: EvolutionWorkspace,
    guesses: Indices,
    feedback: Indices,
    n_seeds: int,
    state: Random,
) -> tuple[int, int]:
    """Put the feasible codes that a turn meets into `feasible`; return their number.

    Also returns the number of evaluations. The first `n_seeds` codes of `feasible` are those of the
    previous turn.
    """
    n, turn = settings.population, len(guesses)
    for i in range(n):
        if settings.seeded and n_seeds > 0:
            work.codes[i] = work.feasible[draw(state, n_seeds)]
        else:
            work.codes[i] = draw(state, len(board.codes))
    n_feasible, evaluations = 0, 0
    for seed in range(n_seeds if settings.keeps else 0):
        code = work.feasible[seed]
        if distance(board, code, guesses, feedback) == 0:
            work.seen_at[code] = turn
            work.feasible[n_feasible] = code
            n_feasible += 1
    while True:
        for i in range(n):
            code = work.codes[i]
            work.distances[i] = distance(board, code, guesses, feedback)
            if work.distances[i] == 0 and work.seen_at[code] != turn:
                work.seen_at[code] = turn
                work.feasible[n_feasible] = code
                n_feasible += 1
        evaluations += n
        _judge(board, settings, work)
        if evaluations >= settings.evaluations and _is_feasible(settings, work):
            return n_feasible, evaluations
        _breed(board, settings, work, state)


@njit(nogil=True)
def _is_feasible(settings: EvolutionSettings, work: EvolutionWorkspace) -> bool:
    """Return whether each tier holds a feasible code."""
    size = settings.population // settings.tiers
    for tier in range(settings.tiers):
        least = work.distances[tier * size]
        for i in range(tier * size, (tier + 1) * size):
            least = min(least, work.distances[i])
        if least > 0:
            return False
    return True


@njit(nogil=True)
def _judge(board: Board, settings: EvolutionSettings, work: EvolutionWorkspace) -> None:
    """Set each code's fitness: minus its distance, or 1 plus its entropy if it is feasible.

    The partition is that of the distinct feasible codes of the population, or of the other tier.
    """
    size = settings.population // settings.tiers
    highest = np.log2(len(work.counts))
    for i in range(settings.population):
        if work.distances[i] > 0:
            work.fitness[i] = -work.distances[i]
            continue
        tier = i // size
        other = tier if settings.tiers == 1 else 1 - tier
        work.counts[:] = 0
        n = 0
        for j in range(other * size, (other + 1) * size):
            if work.distances[j] > 0 or work.codes[j] == work.codes[i]:
                continue
            if is_first(work.codes, other * size, j):
                work.counts[feedback_between(board, work.codes[i], work.codes[j])] += 1
                n += 1
        entropy = entropy_of(work.counts, n)
        competes = settings.competing and tier == 1
        work.fitness[i] = 1 + (highest - entropy if competes else entropy)


@njit(nogil=True)
def is_first(codes: Indices, start: int, place: int) -> bool:
    """Return whether the code at a place occurs nowhere between `start` and the place."""
    for i in range(start, place):  # noqa: SIM110 (compiled)
        if codes[i] == codes[place]:
            return False
    return True


@njit(nogil=True)
def entropy_of(counts: Indices, n: int) -> float:
    """Return the entropy in bits of a partition of n codes."""
    entropy = 0.0
    for count in counts:
        if count > 0:
            entropy -= count / n * np.log2(count / n)
    return entropy


@njit(nogil=True)
def _breed(
    board: Board, settings: EvolutionSettings, work: EvolutionWorkspace, state: Random
) -> None:
    """Replace each tier by its children and its best code, which takes the last place."""
    size = settings.population // settings.tiers
    for tier in range(settings.tiers):
        start = tier * size
        best = start
        for i in range(start, start + size):
            if work.fitness[i] > work.fitness[best]:
                best = i
        elite = work.codes[best]
        for i in range(start, start + size, 2):
            one = work.codes[tournament(work.fitness, start, size, state)]
            other = work.codes[tournament(work.fitness, start, size, state)]
            cut = board.codes.shape[1]
            if draw(state, CERTAIN) < settings.crossover:
                cut = 1 + draw(state, max(board.codes.shape[1] - 1, 1))
            work.children[i] = _child(board, settings, one, other, cut, state)
            if i + 1 < start + size:
                work.children[i + 1] = _child(board, settings, other, one, cut, state)
        work.children[start + size - 1] = elite
    work.codes[:] = work.children


@njit(nogil=True)
def tournament(fitness: Scores, start: int, size: int, state: Random) -> int:
    """Return the fitter of two places drawn at random."""
    one, other = start + draw(state, size), start + draw(state, size)
    return one if fitness[one] >= fitness[other] else other


@njit(nogil=True)
def _child(
    board: Board, settings: EvolutionSettings, head: int, tail: int, cut: int, state: Random
) -> int:
    """Return the crossover of two codes, mutated peg by peg."""
    child, n_colours = cross(board, head, tail, cut), board.counts.shape[1]
    for peg in range(board.codes.shape[1]):
        if draw(state, CERTAIN) < settings.mutation:
            child = with_peg(board, child, peg, draw(state, n_colours))
    return child


@njit(nogil=True)
def most_informative(board: Board, work: EvolutionWorkspace, n_feasible: int) -> int:
    """Return the code of highest entropy among the feasible codes met, the first one in a tie.

    A code is not part of its own partition.
    """
    best, chosen = -1.0, -1
    for i in range(n_feasible):
        work.counts[:] = 0
        for j in range(n_feasible):
            if i != j:
                work.counts[feedback_between(board, work.feasible[i], work.feasible[j])] += 1
        entropy = entropy_of(work.counts, n_feasible - 1)
        if entropy > best + 1e-9:
            best, chosen = entropy, work.feasible[i]
    return int(chosen)


@njit(nogil=True)
def guess(
    board: Board,
    settings: EvolutionSettings,
    work: EvolutionWorkspace,
    guesses: Indices,
    feedback: Indices,
    n_known: int,
    state: Random,
) -> tuple[int, int, int]:
    """Return the next guess: see `players.player.Player`."""
    if len(guesses) == 1:
        work.seen_at[:] = 0
    n_feasible, evaluations = evolve(board, settings, work, guesses, feedback, n_known, state)
    return most_informative(board, work, n_feasible), evaluations, n_feasible
