"""Standard errors, bootstrap intervals, significance, and corrections for many tests."""

from collections.abc import Sequence
from math import erfc, inf, sqrt

import numpy as np
from numpy.typing import NDArray

from codebreaker.types import Scores

BLOCK = 1 << 21


def resampled_means(values: Scores, resamples: int, seed: int) -> Scores:
    """Return bootstrap means of rows of `values`, (n_games, n_columns), by column (Efron 1979)."""
    draw, n = np.random.default_rng(seed), len(values)
    means = np.empty((resamples, values.shape[1]))
    for first in range(0, resamples, max(BLOCK // n, 1)):
        block = means[first : first + max(BLOCK // n, 1)]
        games = draw.integers(n, size=(len(block), n))
        games += n * np.arange(len(block))[:, None]
        times = np.bincount(games.ravel(), minlength=games.size).reshape(games.shape)
        block[:] = times.astype(np.float64) @ values / n
    return means


def standard_error(values: NDArray[np.number]) -> float:
    """Return the standard error of the mean of values, (n,)."""
    return float(values.std(ddof=1) / len(values) ** 0.5)


def mean_test(differences: Scores) -> float:
    """Return the two-sided normal p-value of paired differences, (n_games,), with mean 0."""
    error = float(differences.std(ddof=1)) / sqrt(len(differences))
    return _two_sided(float(differences.mean()), error)


def signed_rank_test(differences: Scores) -> float:
    """Return the two-sided p-value of a signed-rank test of differences (Wilcoxon 1945).

    Zeros are left out, ties share their mean rank, and the rank sum is taken as normal.
    """
    found = differences[differences != 0]
    _, place, times = np.unique(np.abs(found), return_inverse=True, return_counts=True)
    ranks = (np.cumsum(times) - (times - 1) / 2)[place]
    return _two_sided(float(np.sign(found) @ ranks), float(np.sqrt(ranks @ ranks)))


def _two_sided(estimate: float, error: float) -> float:
    if estimate == 0:
        return 1.0
    return erfc(abs(estimate) / error / sqrt(2)) if error > 0 else erfc(inf)


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for multiple tests (Holm 1979)."""
    values, order = np.array(p_values), np.argsort(p_values, kind="stable")
    scaled = values[order] * np.arange(len(values), 0, -1)
    values[order] = np.maximum.accumulate(scaled).clip(max=1)
    found: list[float] = values.tolist()
    return found


def interval(values: Scores, level: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the ends of the percentile intervals of resampled values, by column."""
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return low, high
