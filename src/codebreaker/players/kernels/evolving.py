"""Players that evolve codes for each guess, and play the best consistent one.

eGA, eGACo and eGACm: Cotta, Merelo, Mora and Runarsson 2010, section 3. EvoRank: Runarsson and
Merelo 2010, as compared there. The eligible-set player: Berghman, Goossens and Leus 2009.
"""

import numpy as np

from codebreaker.compiling.cpu import inner, njit
from codebreaker.players.kernels import board as boards
from codebreaker.players.kernels.board import (
    GENERATION,
    N_TRACKED,
    Board,
    Choice,
    PlayerWorkspace,
)
from codebreaker.players.kernels.choosing import best_guess, keep_candidates, score_of
from codebreaker.players.kernels.settings import (
    CERTAIN,
    PARTS,
    SIZE,
    EligibleSettings,
    EntropicSettings,
    EvoRankSettings,
    SamplingSettings,
)
from codebreaker.sets.primitives import draw
from codebreaker.types import Hashes, Indices, Scores


@njit(nogil=True)
def guess_by_entropy(
    settings: EntropicSettings, work: PlayerWorkspace, board: Board, n_known: int
) -> Choice:
    """Return eGA's next guess."""
    n_found, evaluations = _find_endgame(settings.endgames, work, board)
    if n_found == 0:
        n_found, evolved = _evolve(settings, work, board, n_known)
        evaluations += evolved
    return most_informative(board, work, n_found), evaluations, n_found


@njit(nogil=True)
def guess_by_rank(
    settings: EvoRankSettings, work: PlayerWorkspace, board: Board, n_known: int
) -> Choice:
    """Return EvoRank's next guess."""
    n_found, evaluations = _find_endgame(settings.endgames, work, board)
    if n_found == 0:
        n_found, collected = collect(settings, work, board)
        evaluations += collected
    among = SamplingSettings(PARTS, share=0, minimum=0, all_codes=0, prefers=0, first=0)
    return best_guess(board, work, n_found, among, False), evaluations, n_found


@njit(nogil=True)
def guess_among_eligible(
    settings: EligibleSettings, work: PlayerWorkspace, board: Board, n_known: int
) -> Choice:
    """Return the next guess of Berghman et al.: see `players.registry.Player`."""
    if len(board.guesses) == 1:
        work.seen_at[:] = 0
    n_found = np.int64(0)
    evaluations = 0
    generation = 0
    boards.draw_population(board, work.codes)
    while True:
        n_found = evaluate_population(board, work, n_found, 0, settings.population)
        evaluations += settings.population
        generation += 1
        if n_found >= settings.target or (n_found > 0 and generation >= settings.generations):
            break
        _breed_distinct(settings, work, board)
    among = SamplingSettings(SIZE, share=0, minimum=0, all_codes=0, prefers=0, first=0)
    return best_guess(board, work, n_found, among, False), evaluations, n_found


@inner
def _find_endgame(most: int, work: PlayerWorkspace, board: Board) -> tuple[int, int]:
    """Track candidates unless `most` is 0; return their number, 0 above `most`, and comparisons."""
    if len(board.guesses) == 1:
        work.seen_at[:] = 0
    if most == 0:
        return 0, 0
    compared, n = keep_candidates(board, work.tracked, work.numbers[N_TRACKED])
    work.numbers[N_TRACKED] = n
    # Above `most`, the tracked candidates stay, but the population chooses.
    if n > most:
        return 0, compared
    for i in range(n):
        work.candidates[i] = work.tracked[i]
    return n, compared


@inner
def evaluate_population(
    board: Board, work: PlayerWorkspace, n_found: int, first: int, end: int
) -> int:
    """Compute distances, and add new consistent codes to `work.candidates`.

    The individuals from `first` to `end` - 1 of the population are evaluated. Returns the number of
    candidates listed so far, which was `n_found`.
    """
    for i in range(first, end):
        code = work.codes[i]
        work.distances[i] = boards.distance(board, code)
        # The turn in `seen_at` keeps a code from being listed twice in a turn.
        if work.distances[i] == 0 and work.seen_at[code] != len(board.guesses):
            work.seen_at[code] = len(board.guesses)
            work.candidates[n_found] = code
            n_found += 1
    return n_found


@njit(nogil=True)
def count_consistent(board: Board, codes: Indices) -> int:
    """Return how many codes agree with the history."""
    n_consistent = 0
    for code in codes:
        if boards.distance(board, code) == 0:
            n_consistent += 1
    return n_consistent


@inner
def _evolve(
    settings: EntropicSettings, work: PlayerWorkspace, board: Board, n_seeds: int
) -> tuple[int, int]:
    """Collect consistent codes, from `n_seeds` old ones; return how many, and the evaluations."""
    if settings.seeded and n_seeds > 0:
        for i in range(settings.population):
            work.codes[i] = work.candidates[draw(board.state, n_seeds)]
    else:
        boards.draw_population(board, work.codes)
    n_found = np.int64(0)
    evaluations = 0
    # In place: n_found is never past the seed that is read.
    for seed in range(n_seeds if settings.keeps else 0):
        code = work.candidates[seed]
        if boards.distance(board, code) == 0:
            work.seen_at[code] = len(board.guesses)
            work.candidates[n_found] = code
            n_found += 1
    # The individuals from `first` to `end` - 1 go on: all of them, or those of one tier.
    first = 0
    end = settings.population
    while True:
        n_found = evaluate_population(board, work, n_found, first, end)
        evaluations += end - first
        first_tier_has_one, last_tier_has_one = set_fitness(board, settings, work)
        if evaluations >= settings.evaluations:
            if first_tier_has_one and last_tier_has_one:
                return n_found, evaluations
            # "If no feasible solution is in the (sub)population(s) at this point, the algorithm
            # keeps on running until one is found" (section 4). A tier that stops keeps its codes.
            # One that holds a consistent code never loses it, as its fittest code survives.
            if settings.stops_by_tier and first_tier_has_one:
                first = settings.population // settings.tiers
            elif settings.stops_by_tier and last_tier_has_one:
                end = settings.population // settings.tiers
        _breed_tiers(settings, work, board, first, end)


@inner
def set_fitness(
    board: Board, settings: EntropicSettings, work: PlayerWorkspace
) -> tuple[bool, bool]:
    """Set each code's fitness; return whether the first and the last tier hold a consistent code.

    Fitness is minus the distance, or 1 plus a consistent code's entropy over the distinct
    consistent codes of the population, or of the other tier.
    """
    # Tier 0 has the individuals 0 to size - 1, tier 1 the next `size`.
    size = settings.population // settings.tiers
    first = _collect_consistent(work, 0, size)
    last = _collect_consistent(work, size, size) if settings.tiers == 2 else first
    highest = np.log2(len(work.counts))
    for tier in range(settings.tiers):
        # Distances are 1 or more unless a code is consistent, which therefore always wins.
        consistent, others = (first, last) if tier == 0 else (last, first)
        individuals = range(tier * size, (tier + 1) * size)
        for i in individuals:
            work.fitness[i] = -work.distances[i]
        for code in consistent:
            entropy = _entropy_against(board, work, code, others)
            fitness = 1 + (highest - entropy if settings.competing and tier == 1 else entropy)
            for i in individuals:
                if work.codes[i] == code:
                    work.fitness[i] = fitness
    return len(first) > 0, len(last) > 0


@inner
def _collect_consistent(work: PlayerWorkspace, start: int, size: int) -> Indices:
    """Return a tier's distinct consistent codes, a view of `work.children`."""
    end = start
    for i in range(start, start + size):
        if work.distances[i] == 0 and work.codes[i] not in work.children[start:end]:
            work.children[end] = work.codes[i]
            end += 1
    return work.children[start:end]


@inner
def _entropy_against(board: Board, work: PlayerWorkspace, code: int, others: Indices) -> float:
    """Return the entropy, in bits, of the partition of `others` but the code itself."""
    n = 0
    work.counts[:] = 0
    for other in others:
        if other != code:
            work.counts[boards.feedback_between(board, code, other)] += 1
            n += 1
    return boards.entropy_of(work.counts, n)


@inner
def _breed_tiers(
    settings: EntropicSettings, work: PlayerWorkspace, board: Board, first: int, end: int
) -> None:
    """Replace each tier by children of its codes; its fittest code survives.

    Only the tiers of the individuals from `first` to `end` - 1 are replaced.
    """
    size = settings.population // settings.tiers
    pegs = board.codes.shape[1]
    mutation = round(CERTAIN / pegs)
    # Of an odd number of individuals in two tiers, the last one belongs to none.
    for start in range(first, end - size + 1, size):
        elite = work.codes[start + np.argmax(work.fitness[start : start + size])]
        for i in range(start, start + size, 2):
            mother = boards.tournament(board, work, start, size)
            father = boards.tournament(board, work, start, size)
            # Two complementary children; a cut after the last peg copies the parents.
            cut = pegs
            if draw(board.state, CERTAIN) < settings.crossover:
                if settings.cuts_at_ends:
                    cut = draw(board.state, pegs + 1)
                else:
                    cut = 1 + draw(board.state, max(pegs - 1, 1))
            work.children[i] = _child(board, mutation, mother, father, cut)
            if i + 1 < start + size:
                work.children[i + 1] = _child(board, mutation, father, mother, cut)
        work.children[start + size - 1] = elite
        work.codes[start : start + size] = work.children[start : start + size]


@inner
def _child(board: Board, mutation: int, head: int, tail: int, cut: int) -> int:
    """Return a crossover, each peg of which is redrawn with probability `mutation`."""
    child = boards.cross(board, head, tail, cut)
    n_colours = board.n_colours
    for peg in range(board.codes.shape[1]):
        if draw(board.state, CERTAIN) < mutation:
            child = boards.with_peg(board, child, peg, draw(board.state, n_colours))
    return child


@inner
def most_informative(board: Board, work: PlayerWorkspace, n: int) -> int:
    """Return the first of `n` candidates with the highest entropy over the others."""
    best = -1.0
    chosen = -1
    for code in work.candidates[:n]:
        boards.partition(board, work.counts, code, work.candidates[:n])
        work.counts[-1] -= 1  # the last id is solved: the code itself
        entropy = boards.entropy_of(work.counts, n - 1)
        if entropy > best + 1e-9:
            best = entropy
            chosen = code
    return int(chosen)


@inner
def collect(settings: EvoRankSettings, work: PlayerWorkspace, board: Board) -> tuple[int, int]:
    """Put consistent codes into `candidates`; return the numbers of codes and of evaluations."""
    n_found = np.int64(0)
    evaluations = 0
    idle = 0
    target = settings.target if settings.target else max(20 + 10 * (board.n_colours - 6), 10)
    boards.draw_population(board, work.codes)
    while True:
        before = n_found
        n_found = evaluate_population(board, work, n_found, 0, settings.population)
        evaluations += settings.population
        idle = 0 if n_found > before else idle + 1
        if n_found >= target or (n_found > 0 and idle >= settings.patience):
            return n_found, evaluations
        if idle > 0 and idle % settings.reset == 0:
            boards.draw_population(board, work.codes)
        else:
            _breed_by_roulette(settings, work, board, n_found)


@inner
def _breed_by_roulette(
    settings: EvoRankSettings, work: PlayerWorkspace, board: Board, n_found: int
) -> None:
    """Breed by roulette on scaled fitness: minus the distance, or a consistent code's score."""
    wheel = work.fitness
    n = settings.population
    for i in range(n):
        wheel[i] = -float(work.distances[i])
        if work.distances[i] == 0:
            boards.partition(board, work.counts, work.codes[i], work.candidates[:n_found])
            wheel[i] += score_of(work, n_found, PARTS)
    # The wheel: running sums of widths, which are at least 1.
    lowest = wheel[0]
    for fitness in wheel:
        lowest = min(lowest, fitness)
    total = 0.0
    for i in range(n):
        total += wheel[i] - lowest + 1
        wheel[i] = total
    mark_wheel(wheel, work.marks)
    for i in range(n):
        child = int(work.codes[spin_wheel(wheel, work.marks, board.state)])
        if draw(board.state, CERTAIN) < settings.mutation:
            child = boards.redraw_peg(board, child)
        else:
            other = int(work.codes[spin_wheel(wheel, work.marks, board.state)])
            cut = 1 + draw(board.state, max(board.codes.shape[1] - 1, 1))
            child = boards.cross(board, child, other, cut)
        work.children[i] = child
    work.codes[:] = work.children


@inner
def _breed_distinct(settings: EligibleSettings, work: PlayerWorkspace, board: Board) -> None:
    """Breed distinct children by roulette on the distance; `born_in` marks their codes."""
    wheel = work.fitness
    pegs = board.codes.shape[1]
    total = 0.0
    furthest = 0
    for distance in work.distances:
        furthest = max(furthest, distance)
    # 1. The wheel: running sums of widths, which are at least 1.
    for i in range(settings.population):
        total += furthest - work.distances[i] + 1
        wheel[i] = total
    mark_wheel(wheel, work.marks)
    work.numbers[GENERATION] += 1
    for i in range(settings.population):
        # 2. Crossover: `child` gets pegs `first` to `last` - 1 of `other`.
        child = int(work.codes[spin_wheel(wheel, work.marks, board.state)])
        other = int(work.codes[spin_wheel(wheel, work.marks, board.state)])
        first = draw(board.state, pegs)
        last = pegs
        if draw(board.state, 2) == 0:
            last = first + draw(board.state, pegs - first) + 1
        for peg in range(first, last):
            child = boards.with_peg(board, child, peg, int(board.codes[other, peg]))
        # 3. Mutation, a swap of two pegs, and the inversion of pegs `left` to `right`.
        if draw(board.state, CERTAIN) < settings.mutation:
            child = boards.redraw_peg(board, child)
        if draw(board.state, CERTAIN) < settings.swap:
            child = boards.swap_pegs(board, child)
        if draw(board.state, CERTAIN) < settings.inversion:
            left = draw(board.state, pegs)
            right = draw(board.state, pegs)
            if left > right:
                left, right = right, left
            while left < right:
                child = boards.with_swap(board, child, left, right)
                left += 1
                right -= 1
        # 4. A code that this generation has is replaced by a random one, if there are enough.
        while work.born_in[child] == work.numbers[GENERATION] and settings.population < len(
            board.codes
        ):
            child = draw(board.state, len(board.codes))
        work.born_in[child] = work.numbers[GENERATION]
        work.children[i] = child
    work.codes[:] = work.children


@inner
def mark_wheel(wheel: Scores, marks: Indices) -> None:
    """Write into `marks` which individual covers the start of each of n equal parts of the wheel.

    `wheel` (n,) has the running sums of the individuals' widths: individual i covers the sums from
    wheel[i - 1] up to wheel[i]. A spin looks up its part, and goes on from there.
    """
    n = len(wheel)
    part = 0
    for individual in range(n):
        while part < n and part * wheel[-1] / n < wheel[individual]:
            marks[part] = individual
            part += 1


@inner
def spin_wheel(wheel: Scores, marks: Indices, state: Hashes) -> int:
    """Return a random individual, with a probability in proportion to its width on the wheel."""
    drawn = draw(state, CERTAIN)
    position = drawn / CERTAIN * wheel[-1]
    # The part of the wheel that `position` is in starts at or before it: so does the individual
    # that covers the start.
    individual = marks[drawn * len(wheel) // CERTAIN]
    while wheel[individual] <= position:
        individual += 1
    return int(individual)
