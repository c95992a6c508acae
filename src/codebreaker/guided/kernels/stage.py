"""Local search over one row of weights for the least summed regret of the choices it makes."""

import numpy as np

from codebreaker.arithmetic.compile import njit
from codebreaker.types import Offsets, Scores

UPHILL, FRESH = 0.02, 0.15
"""How often a step may lose one guess, and how often a weight is drawn anew."""


@njit(nogil=True)
def regret_of(
    weights: Scores, scores: Scores, regrets: Offsets, starts: Offsets, tolerance: float, most: int
) -> int:
    """Return the summed regret of the options that win, or a part of it that exceeds `most`.

    `scores` is (n_options, n_feedback), those of choice c from starts[c] on, in the tie order.
    """
    total = 0
    for choice in range(len(starts) - 1):
        best, winner = -np.inf, -1
        for option in range(starts[choice], starts[choice + 1]):
            score = 0.0
            for f in range(len(weights)):
                score += weights[f] * scores[option, f]
            if score > best + tolerance:
                winner = option
            best = max(best, score)
        total += regrets[winner]
        if total > most:
            return total
    return total


@njit(nogil=True)
def descend(
    rng: np.random.Generator,
    weights: Scores,
    scores: Scores,
    regrets: Offsets,
    starts: Offsets,
    tolerance: float,
    steps: int,
    low: float,
    high: float,
) -> tuple[int, Scores]:
    """Return the least regret met on a random walk that seldom goes uphill, and its weights."""
    here = regret_of(weights, scores, regrets, starts, tolerance, np.iinfo(np.int64).max)
    best, best_weights = here, weights.copy()
    for _ in range(steps):
        trial = weights.copy()
        for _ in range(1 + rng.integers(0, 3)):
            f = rng.integers(0, len(weights))
            if rng.random() < FRESH:
                trial[f] = low + (high - low) * rng.random()
            else:
                step = rng.normal() * 10 ** (-0.5 - 2 * rng.random())
                trial[f] = min(high, max(low, trial[f] + step))
        most = here + (rng.random() < UPHILL)
        regret = regret_of(trial, scores, regrets, starts, tolerance, most)
        if regret <= most:
            weights, here = trial, regret
            if regret < best:
                best, best_weights = regret, trial.copy()
                if best == 0:
                    break
    return best, best_weights
