"""The entropy-driven evolutionary players of Cotta, Merelo, Mora and Runarsson 2010, section 3.

A population of codes evolves for each guess. Consistent codes are feasible, and fitter the more
evenly they partition the other feasible codes. Of all feasible codes met during a turn, the one of
highest entropy is played; they may seed the next turn's population.
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
    entropy_of,
    evaluate,
    feedback_between,
    partition,
    tournament,
    with_peg,
)
from codebreaker.players.kernels.sampling import find_endgame
from codebreaker.sets.compile import inner, njit
from codebreaker.types import Indices


class EvolutionSettings(NamedTuple):
    """Settings of the evolution; probabilities in units of 2^-20.

    The population has 1 or 2 `tiers` of equal size. Two tiers compute entropies over each other's
    codes, and if `competing`, the second one prefers low entropy. If `seeded`, the population
    starts from the feasible codes of the previous turn; if `keeps`, those that are still feasible
    may be played too. A turn takes at least `evaluations`, and ends when each tier holds a feasible
    code. If there are at most `endgames` candidates, all of them are compared, and one of highest
    entropy is played.
    """

    population: int
    tiers: int
    competing: int
    seeded: int
    keeps: int
    crossover: int
    mutation: int
    evaluations: int
    endgames: int


@njit(nogil=True)
def guess(settings: EvolutionSettings, work: Workspace, board: Board, n_known: int) -> Choice:
    """Return the next guess: see `players.registry.Player`."""
    if len(board.guesses) == 1:
        work.seen_at[:] = 0
    n_feasible, evaluations = find_endgame(settings.endgames, work, board)
    if n_feasible == 0:
        n_feasible, evolved = evolve(settings, work, board, n_known)
        evaluations += evolved
    return most_informative(board, work, n_feasible), evaluations, n_feasible


@njit(nogil=True)
def evolve(
    settings: EvolutionSettings, work: Workspace, board: Board, n_seeds: int
) -> tuple[int, int]:
    """Put the feasible codes that a turn meets into `candidates`; return their number.

    Also returns the number of evaluations. The first `n_seeds` candidates are those of the previous
    turn.
    """
    if settings.seeded and n_seeds > 0:
        for i in range(settings.population):
            work.codes[i] = work.candidates[draw(board.state, n_seeds)]
    else:
        draw_population(board, work.codes)
    n_feasible, evaluations = np.int64(0), 0
    for seed in range(n_seeds if settings.keeps else 0):
        code = work.candidates[seed]
        if distance(board, code) == 0:
            work.seen_at[code] = len(board.guesses)
            work.candidates[n_feasible] = code
            n_feasible += 1
    while True:
        n_feasible = evaluate(board, work, n_feasible)
        evaluations += settings.population
        judge(board, settings, work)
        if evaluations >= settings.evaluations and _is_feasible(settings, work):
            return n_feasible, evaluations
        _breed(settings, work, board)


@inner
def _is_feasible(settings: EvolutionSettings, work: Workspace) -> bool:
    """Return whether each tier holds a feasible code."""
    size = settings.population // settings.tiers
    for start in range(0, settings.tiers * size, size):
        if work.distances[start : start + size].min() > 0:
            return False
    return True


@njit(nogil=True)
def judge(board: Board, settings: EvolutionSettings, work: Workspace) -> None:
    """Set each code's fitness: minus its distance, or 1 plus its entropy if it is feasible.

    The partition is that of the distinct feasible codes of the population, or of the other tier.
    """
    size = settings.population // settings.tiers
    first_tier = _collect_feasible(work, 0, size)
    second_tier = _collect_feasible(work, size, size) if settings.tiers == 2 else first_tier
    highest = np.log2(len(work.counts))
    for i in range(settings.population):
        if work.distances[i] > 0:
            work.fitness[i] = -work.distances[i]
            continue
        tier = i // size
        earlier = first_place(work.codes, tier * size, i)
        if earlier < i:
            work.fitness[i] = work.fitness[earlier]
            continue
        n = second_tier if tier == 0 else first_tier
        start = 0 if settings.tiers == 1 else (1 - tier) * size
        entropy = _entropy_against(board, work, work.codes[i], work.children[start : start + n])
        competes = settings.competing and tier == 1
        work.fitness[i] = 1 + (highest - entropy if competes else entropy)


@inner
def _collect_feasible(work: Workspace, start: int, size: int) -> int:
    """Write the distinct feasible codes of a tier to `children`, from `start` on; count them."""
    n = 0
    for i in range(start, start + size):
        if work.distances[i] == 0 and first_place(work.codes, start, i) == i:
            work.children[start + n] = work.codes[i]
            n += 1
    return n


@njit(nogil=True)
def first_place(codes: Indices, start: int, place: int) -> int:
    """Return the first place from `start` on of the code at a place."""
    for i in range(start, place):
        if codes[i] == codes[place]:
            return i
    return place


@inner
def _entropy_against(board: Board, work: Workspace, code: int, others: Indices) -> float:
    """Return the entropy of the partition of other codes by a code, without the code itself."""
    n = 0
    work.counts[:] = 0
    for other in others:
        if other != code:
            work.counts[feedback_between(board, code, other)] += 1
            n += 1
    return entropy_of(work.counts, n)


@inner
def _breed(settings: EvolutionSettings, work: Workspace, board: Board) -> None:
    """Replace each tier by its children and its best code, which takes the last place."""
    size, pegs = settings.population // settings.tiers, board.codes.shape[1]
    for start in range(0, settings.tiers * size, size):
        elite = work.codes[start + np.argmax(work.fitness[start : start + size])]
        for i in range(start, start + size, 2):
            one = tournament(board, work, start, size)
            other = tournament(board, work, start, size)
            cut = pegs
            if draw(board.state, CERTAIN) < settings.crossover:
                cut = 1 + draw(board.state, max(pegs - 1, 1))
            work.children[i] = _child(settings, board, one, other, cut)
            if i + 1 < start + size:
                work.children[i + 1] = _child(settings, board, other, one, cut)
        work.children[start + size - 1] = elite
    for i in range(len(work.codes)):
        work.codes[i] = work.children[i]


@njit(nogil=True)
def _child(settings: EvolutionSettings, board: Board, head: int, tail: int, cut: int) -> int:
    """Return the crossover of two codes, mutated peg by peg."""
    child, n_colours = cross(board, head, tail, cut), board.n_colours
    for peg in range(board.codes.shape[1]):
        if draw(board.state, CERTAIN) < settings.mutation:
            child = with_peg(board, child, peg, draw(board.state, n_colours))
    return child


@njit(nogil=True)
def most_informative(board: Board, work: Workspace, n_feasible: int) -> int:
    """Return the code of highest entropy among the feasible codes met, the first one in a tie.

    A code is not part of its own partition.
    """
    best, chosen = -1.0, -1
    for code in work.candidates[:n_feasible]:
        partition(board, work, code, n_feasible)
        work.counts[feedback_between(board, code, code)] -= 1
        entropy = entropy_of(work.counts, n_feasible - 1)
        if entropy > best + 1e-9:
            best, chosen = entropy, code
    return int(chosen)
