"""Players that choose the best of some guesses, or search for it.

Searches play the first consistent code (Bernier, Herráiz, Merelo, Olmeda and Prieto 1996), or
maximise entropy (AM207 project 2016, section 2.3); temperatures, rates and sizes are our own.
"""

import numpy as np

from codebreaker.compiling.cpu import inner, njit
from codebreaker.players.kernels import board as boards
from codebreaker.players.kernels.board import SCORED_OPENING, Board, Choice, PlayerWorkspace
from codebreaker.players.kernels.settings import (
    ANNEALING,
    CERTAIN,
    CONSISTENCY,
    ENTROPY,
    PARTS,
    PLUS,
    PLUS2,
    RANDOM,
    SIZE,
    WORST,
    SamplingSettings,
    SearchSettings,
)
from codebreaker.sets.primitives import draw
from codebreaker.types import Indices

PREFERENCE = 1e-6
"""Bonus, in the unit of the score, of a preferred candidate in a tie."""

TIES = 1e-9
"""Scores that differ by less are equal."""

UNKNOWN = 0.0
"""Marks a missing score in the cache. A score that happens to be 0 is just computed again."""

TEMPERATURES = ((4.0, 0.95, 0.25), (0.5, 0.9, 0.005))
"""First temperature (a distance, or in bits), cooling factor and last temperature, by goal."""

STEPS = 20
"""Steps of annealing at one temperature."""

CROSSOVER = round(CERTAIN * 0.8)
"""Probability that a child of the genetic search has two parents, in units of 2^-20."""

MUTATION = round(CERTAIN * 0.5)
"""Probability that one peg of a child is redrawn, in units of 2^-20."""

SWAP = round(CERTAIN * 0.1)
"""Probability that two pegs of a child are swapped, in units of 2^-20."""

PLAYED = 1000.0
"""Penalty of a code that was played, more than any distance."""


@njit(nogil=True)
def guess_from_sample(
    settings: SamplingSettings, work: PlayerWorkspace, board: Board, n_known: int
) -> Choice:
    """Return a player's next guess by a rule, with the numbers of `Choice`.

    The first `n_known` of `work.candidates` are the candidates before the last feedback.
    """
    # 1. The candidates: all codes that agree with the history.
    compared, n = keep_candidates(board, work.candidates, n_known)
    candidates = work.candidates
    # 2. The cache of scores, for the second guess only. It is sound because
    #    - a score depends on the guess, the set of candidates and the settings alone: not on the
    #      order of the candidates, nor on random numbers;
    #    - a workspace belongs to one player, whose settings never change;
    #    - after one guess, the set of candidates is determined by the opening and its feedback.
    #    Without `all_codes`, only candidates are scored. As a candidate belongs to one feedback to
    #    the opening, the opening alone determines its score, if all candidates are compared.
    #    Reading a cached score draws no random number: games are the same without the cache.
    is_second_guess = len(board.guesses) == 1
    if is_second_guess and work.numbers[SCORED_OPENING] != board.guesses[0]:
        work.numbers[SCORED_OPENING] = board.guesses[0]
        work.scores[:] = UNKNOWN
    # 3. All codes are scored, or a sample of the candidates.
    if settings.all_codes and n > 1:
        code = best_guess(board, work, n, settings, is_second_guess)
        return code, compared + len(board.codes), n
    if settings.rule == RANDOM or n <= 2:
        return int(candidates[draw(board.state, n)]), compared, n
    # The first steps of a Fisher-Yates shuffle bring the sample to the front. `candidates` remain
    # the same set, which is what the next turn needs.
    size = min(max((n * settings.share + CERTAIN - 1) // CERTAIN, settings.minimum), n)
    for i in range(size):
        other = i + draw(board.state, n - i)
        candidates[i], candidates[other] = candidates[other], candidates[i]
    if settings.rule in (PLUS, PLUS2):
        code = _best_by_both(board, work, size, settings.rule)
    else:
        # The scores of a sample depend on the sample: they must not be cached.
        code = best_guess(board, work, size, settings, is_second_guess and size == n)
    return code, compared, n


@inner
def keep_candidates(board: Board, candidates: Indices, n_known: int) -> tuple[int, int]:
    """Keep candidates that agree with the last feedback; return the old and the new number.

    `candidates` (n_codes,) hold `n_known` candidates in front, which are replaced by those left, in
    the same order. At the first choice of a game `n_known` is ignored: all codes are candidates.
    """
    n = n_known
    n_left = 0
    if len(board.guesses) == 1:
        n = len(board.codes)
        for code in range(n):
            candidates[code] = code
    places = board.places
    copies = board.copies
    ids = board.ids
    last = board.guesses[-1]
    observed = board.feedback[-1]
    # In place: n_left is never past the entry that is read.
    for code in candidates[:n]:
        if boards.feedback_by_bits(places, copies, ids, last, code) == observed:
            candidates[n_left] = code
            n_left += 1
    return n, n_left


@inner
def best_guess(
    board: Board, work: PlayerWorkspace, n: int, settings: SamplingSettings, is_cached: bool
) -> int:
    """Return a guess with the best score for the first `n` of `work.candidates`.

    Guesses are these candidates, or all codes if `settings.all_codes`. The first best one is
    returned if `settings.first`, or else any with equal probability. If `is_cached`, scores are
    read from `work.scores` and written there; `guess_from_sample` says when this is sound.
    """
    best = -np.inf
    tied = 0
    chosen = 0
    scores = work.scores[board.feedback[0] if settings.all_codes else 0]
    for i in range(len(board.codes) if settings.all_codes else n):
        code = i if settings.all_codes else work.candidates[i]
        score = scores[code] if is_cached else UNKNOWN
        if score == UNKNOWN:
            boards.partition(board, work.counts, code, work.candidates[:n])
            score = score_of(work, n, settings.rule)
            # The last id is solved: its cell has a member if the guess is a candidate.
            if settings.prefers and work.counts[-1] > 0:
                score += PREFERENCE
            if is_cached:
                scores[code] = score
        if score > best + TIES:
            best = score
            tied = 1
            chosen = code
        elif score > best - TIES and not settings.first:
            # Reservoir sampling: the k-th of the tied guesses replaces the chosen one with
            # probability 1/k, so that all k are equally probable.
            tied += 1
            if draw(board.state, tied) == 0:
                chosen = code
    return int(chosen)


@inner
def _best_by_both(board: Board, work: PlayerWorkspace, n: int, rule: int) -> int:
    """Return a best candidate by entropy and parts, as in Merelo's Algorithm::MasterMind.

    PLUS draws from the best by both, or else by either; PLUS2 from the best by entropy, then parts.
    """
    # 1. The highest entropy and the most parts of any candidate.
    entropy = -np.inf
    parts = 0
    for code in work.candidates[:n]:
        boards.partition(board, work.counts, code, work.candidates[:n])
        entropy = max(entropy, boards.entropy_of(work.counts, n))
        parts = max(parts, _parts_of(work.counts))
    # 2. The candidates of the highest rank. Under PLUS it is the number of the two maxima that a
    #    candidate attains; under PLUS2 its parts if it has the highest entropy, or else 0.
    highest = 0
    tied = 0
    chosen = work.candidates[0]
    for code in work.candidates[:n]:
        boards.partition(board, work.counts, code, work.candidates[:n])
        has_most_entropy = int(boards.entropy_of(work.counts, n) > entropy - TIES)
        parts_of_code = _parts_of(work.counts)
        if rule == PLUS:
            rank = has_most_entropy + int(parts_of_code == parts)
        else:
            rank = has_most_entropy * parts_of_code
        if rank > highest:
            highest = rank
            tied = 1
            chosen = code
        elif rank == highest and rank > 0:
            tied += 1
            if draw(board.state, tied) == 0:
                chosen = code
    return int(chosen)


@inner
def score_of(work: PlayerWorkspace, n: int, rule: int) -> float:
    """Return the score of the partition of n codes in `work.counts`; the highest one is best.

    ENTROPY is in bits, PARTS a number of parts, SIZE as said below, WORST minus the largest size.
    """
    counts = work.counts
    logs = work.logs
    total = 0.0
    if rule == PARTS:
        return float(_parts_of(counts))
    if rule == WORST:
        largest = 0
        for count in counts:
            largest = max(largest, count)
        return -float(largest)
    for count in counts:
        if rule == SIZE:
            total += float(count) * float(count)
        else:
            total += logs[count] if count < len(logs) else count * np.log2(count)
    if rule == SIZE:  # the number of equal parts that have this expected size
        return n * n / total
    # -Σ c/n log2(c/n) = log2(n) - Σ c log2(c) / n.
    return np.log2(n) - total / n


@inner
def _parts_of(counts: Indices) -> int:
    """Return the number of parts of a partition by the sizes of its cells."""
    return int(np.count_nonzero(counts))


@njit(nogil=True)
def guess_by_search(
    settings: SearchSettings, work: PlayerWorkspace, board: Board, n_known: int
) -> Choice:
    """Return the next guess of annealing or the genetic search, with the numbers of `Choice`."""
    # Candidates are only listed where the entropy over them is the goal.
    compared = 0
    n = 0
    if settings.goal == ENTROPY:
        compared, n = keep_candidates(board, work.candidates, n_known)
        if n == 1:
            return int(work.candidates[0]), compared, n
    if settings.kind == ANNEALING:
        code, evaluations = _anneal(settings, work, board, n)
    else:
        code, evaluations = evolve(settings, work, board, n)
    return code, compared + evaluations, n


@inner
def cost_of(
    settings: SearchSettings, work: PlayerWorkspace, board: Board, code: int, n: int
) -> float:
    """Return a guess's distance from consistency, or minus its entropy over `n` candidates."""
    if settings.goal == CONSISTENCY:
        cost = float(boards.distance(board, code))
        if settings.generations > 0:
            # A search that may end without a consistent code should not repeat a guess.
            for played in board.guesses:
                cost += PLAYED if code == played else 0.0
        return cost
    boards.partition(board, work.counts, code, work.candidates[:n])
    preference = PREFERENCE if settings.prefers and work.counts[-1] > 0 else 0.0
    return -score_of(work, n, ENTROPY) - preference


@inner
def minimum_cost(settings: SearchSettings, work: PlayerWorkspace, n: int) -> float:
    """Return the lowest cost that a guess could have, plus TIES: the search ends there."""
    if settings.goal == CONSISTENCY:
        return 0.0
    # A partition of n candidates has at most min(n, n_feedback) parts, and the logarithm of the
    # number of parts bounds its entropy.
    preference = PREFERENCE if settings.prefers else 0.0
    return TIES - np.log2(float(min(n, len(work.counts)))) - preference


@inner
def _anneal(
    settings: SearchSettings, work: PlayerWorkspace, board: Board, n: int
) -> tuple[int, int]:
    """Return the code of lowest cost that annealing reached, and the number of evaluations."""
    evaluations = 0
    lowest = minimum_cost(settings, work, n)
    hottest, cooling, coldest = TEMPERATURES[settings.goal]
    while True:  # restarts, if the goal is a consistent code
        code = draw(board.state, len(board.codes))
        cost = cost_of(settings, work, board, code, n)
        temperature = hottest
        best = code
        best_cost = cost
        evaluations += 1
        while best_cost > lowest and temperature > coldest:
            for _ in range(STEPS):
                redraws = draw(board.state, 2) == 0
                other = boards.redraw_peg(board, code) if redraws else boards.swap_pegs(board, code)
                other_cost = cost_of(settings, work, board, other, n)
                evaluations += 1
                # Metropolis: a worse code is accepted with probability exp(-increase / T).
                increase = other_cost - cost
                probability = draw(board.state, CERTAIN) / CERTAIN
                if increase <= 0 or probability < np.exp(-increase / temperature):
                    code = other
                    cost = other_cost
                if cost < best_cost:
                    best = code
                    best_cost = cost
                if best_cost <= lowest:
                    break
            temperature *= cooling
        if best_cost <= lowest or settings.goal == ENTROPY:
            return best, evaluations


@inner
def evolve(
    settings: SearchSettings, work: PlayerWorkspace, board: Board, n: int
) -> tuple[int, int]:
    """Return the code of lowest cost, and the number of evaluations."""
    evaluations = 0
    generation = 0
    lowest = minimum_cost(settings, work, n)
    best = -1
    best_cost = np.inf
    boards.draw_population(board, work.codes)
    while True:
        generation += 1
        for i in range(settings.population):
            cost = cost_of(settings, work, board, work.codes[i], n)
            evaluations += 1
            if cost < best_cost:
                best = int(work.codes[i])
                best_cost = cost
            if cost <= lowest:
                return best, evaluations
            work.fitness[i] = -cost
        if generation == settings.generations:
            return best, evaluations
        _breed(settings, work, board)


@inner
def _breed(settings: SearchSettings, work: PlayerWorkspace, board: Board) -> None:
    """Replace the population by children of codes that win tournaments."""
    n = settings.population
    for i in range(n):
        child = boards.tournament(board, work, 0, n)
        if draw(board.state, CERTAIN) < CROSSOVER:
            other = boards.tournament(board, work, 0, n)
            cut = draw(board.state, board.codes.shape[1])
            child = boards.cross(board, child, other, cut)
        if draw(board.state, CERTAIN) < MUTATION:
            child = boards.redraw_peg(board, child)
        if draw(board.state, CERTAIN) < SWAP:
            child = boards.swap_pegs(board, child)
        work.children[i] = child
    work.codes[:] = work.children
