"""Random-walk search for a row of weights whose choices have the smallest summed regret."""

import numpy as np

from codebreaker.compiling.cpu import inner, njit
from codebreaker.types import Offsets, Scores, Totals

UPHILL = 0.02
"""Probability that a step may lose one guess."""

REDRAW = 0.15
"""Probability that a changed weight is redrawn instead of moved."""


@inner
def summed_regret(
    weights: Scores, scores: Scores, regrets: Totals, starts: Offsets, tolerance: float, limit: int
) -> int:
    """Return the summed regret of the winning options, or a partial sum that exceeds `limit`.

    From starts[c] on, `scores` (n_options, n_feedback) float64 and `regrets` (n_options,) int64
    hold choice c's options in tie order; the first within the tolerance wins (decision 1).
    """
    total = 0
    scores_of_options = np.empty(len(regrets))
    for choice in range(len(starts) - 1):
        best = -np.inf
        for option in range(starts[choice], starts[choice + 1]):
            # Gür 2025, equation 1: the weighted entropy, of cells' entropies in bits.
            score = 0.0
            for f in range(len(weights)):
                score += weights[f] * scores[option, f]
            scores_of_options[option] = score
            best = max(best, score)
        winner = starts[choice]
        while scores_of_options[winner] < best - tolerance:
            winner += 1
        total += regrets[winner]
        if total > limit:  # regrets are not negative, so the sum stays above the limit
            return total
    return total


@njit(nogil=True)
def walk(
    rng: np.random.Generator,
    weights: Scores,
    scores: Scores,
    regrets: Totals,
    starts: Offsets,
    tolerance: float,
    steps: int,
    low: float,
    high: float,
) -> tuple[int, Scores]:
    """Return the smallest regret on a random walk that rarely goes uphill, and its weights.

    The walk begins at `weights`, (n_feedback,), and stays between `low` and `high`. The other
    arrays are as in `summed_regret`. It ends after some `steps`, or at a regret of 0.
    """
    current = summed_regret(weights, scores, regrets, starts, tolerance, np.iinfo(np.int64).max)
    best = current
    best_weights = weights.copy()
    for _ in range(steps):
        # 1. Change one to three weights: redraw them, or step by 0.003 to 0.3 times a normal draw.
        trial = weights.copy()
        for _ in range(1 + rng.integers(0, 3)):
            f = rng.integers(0, len(weights))
            if rng.random() < REDRAW:
                trial[f] = low + (high - low) * rng.random()
            else:
                step = rng.normal() * 10 ** (-0.5 - 2 * rng.random())
                trial[f] = min(high, max(low, trial[f] + step))
        # 2. Go there unless it is worse; rarely, one guess worse is accepted.
        limit = current + (rng.random() < UPHILL)
        regret = summed_regret(trial, scores, regrets, starts, tolerance, limit)
        if regret <= limit:
            weights = trial
            current = regret
            if regret < best:
                best = regret
                best_weights = trial.copy()
                if best == 0:
                    break
    return best, best_weights
