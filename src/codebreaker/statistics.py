"""Means over a game's secrets with their errors, tests, and the words that they allow.

This is the one place that decides which mean is called exact and which difference significant.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan, cos, erfc, inf, lgamma, pi, sin, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from codebreaker.types import Scores

BLOCK = 1 << 21
SIGNIFICANCE_LEVEL = 0.05
MANY_DEGREES = 200
"""Degrees of freedom from which Student's distribution is taken as normal (0.6% narrower)."""

ROUNDING = 1e-12
"""Differences between repetitions of a secret, relative to the largest game, that are rounding."""

NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(64)


@dataclass(frozen=True)
class Estimate:
    """A mean over all secrets of a game.

    `error` is the standard error, with its degrees of freedom: 0 for an exact mean, and None where
    the games don't show an error.
    """

    mean: float
    error: float | None
    degrees: int = 0

    @property
    def is_exact(self) -> bool:
        """Whether nothing was drawn: every secret was played by a strategy that doesn't draw."""
        return self.error == 0

    @property
    def p(self) -> float | None:
        """The two-sided p-value of a mean of 0 by Student's test, None if exact or without error.

        With many degrees of freedom it is that of the normal distribution.
        """
        return two_sided(self.mean / self.error, self.degrees) if self.error else None

    def margin(self, level: float) -> float | None:
        """Return half the width of the interval of this level, None if exact or without error."""
        return self.error * critical(level, self.degrees) if self.error else None

    def interval(self, level: float) -> tuple[float | None, float | None]:
        """Return the ends of the interval of this level, None if exact or without error."""
        width = self.margin(level)
        return (None, None) if width is None else (self.mean - width, self.mean + width)


def mean_over_secrets(
    games: Scores, secrets: int, draws: bool, weights: Scores | None = None
) -> Estimate:
    """Return the mean over a game's secrets from games, (n_played, n_repetitions) float64.

    Every secret was played equally often: all `secrets` of the game, with `weights` that sum to 1
    if there is a prior, or some that were drawn without replacement. Whoever `draws` plays each
    game independently. What is estimated is the mean over all secrets of the expected number of
    guesses, so the repetitions of a secret are never taken for games of other secrets: it is
    two-stage sampling (Cochran, Sampling techniques, 1977, section 10.4), with V = (1 - f) B + f W
    where f is the share of the secrets that were played, B the variance of the mean if secrets are
    units, and W the sum of the variances within secrets. If all were played, V = W: each secret is
    a stratum. A single repetition shows no W, and B is an upper bound of V in expectation; so it
    is where no repetition differs from another. Degrees of freedom are those of Satterthwaite
    (1946), with unbiased squares of variances, rounded down.
    """
    n, repetitions = games.shape
    by_secret = games.mean(axis=1)
    mean = float(games.mean()) if weights is None else float(weights @ by_secret)
    share = n / secrets
    if not draws and n == secrets:
        return Estimate(mean, 0.0)
    between = float(by_secret.var(ddof=1)) / n if n > 1 and weights is None else 0.0
    within = np.zeros(n)
    if draws and repetitions > 1:
        each = np.full(n, 1 / n) if weights is None else weights
        within = each**2 * games.var(axis=1, ddof=1) / repetitions
        within[np.ptp(games, axis=1) <= ROUNDING * np.abs(games).max()] = 0.0
    if draws and not within.any():
        share = 0.0
    inner = share * within
    outer = (1 - share) * between
    variance = float(inner.sum() + outer)
    if variance == 0:
        return Estimate(mean, None)
    degrees_within = max(repetitions - 1, 1)  # of one secret's repetitions
    # The square of a variance with d degrees exceeds its expectation by a factor of 1 + 2 / d.
    spread = float(inner @ inner) / (degrees_within + 2) + outer**2 / max(n - 1, 1)
    most = degrees_within * n * int(inner.any()) + (n - 1) * int(outer > 0)
    return Estimate(mean, sqrt(variance), int(min(variance**2 / spread + 1e-9, most)))


def two_sided(score: float, degrees: int) -> float:
    """Return the two-sided p-value of a Student score, normal from MANY_DEGREES on."""
    if degrees >= MANY_DEGREES:
        return erfc(abs(score) / sqrt(2))
    # With tan(angle) = |t| / sqrt(degrees) the density is proportional to cos(angle)^(degrees - 1).
    lowest = atan(abs(score) / sqrt(degrees))
    half = (pi / 2 - lowest) / 2
    powers = np.array([sin(half * (1 - node)) for node in NODES]) ** (degrees - 1)
    scale = np.exp(lgamma((degrees + 1) / 2) - lgamma(degrees / 2)) / sqrt(pi)
    return min(float(2 * scale * half * (NODE_WEIGHTS @ powers)), 1.0)


def critical(level: float, degrees: int) -> float:
    """Return the Student score that is exceeded in absolute value with probability 1 - level."""
    score = NormalDist().inv_cdf((1 + level) / 2)
    if degrees >= MANY_DEGREES:
        return score
    scale = np.exp(lgamma((degrees + 1) / 2) - lgamma(degrees / 2)) / sqrt(pi * degrees)
    step = inf
    while step > 1e-12 * score:  # Newton's steps rise to the score, as the p-value is convex
        density = scale * cos(atan(score / sqrt(degrees))) ** (degrees + 1)
        step = (two_sided(score, degrees) - (1 - level)) / (2 * density)
        score += step
    return score


def verdict(
    difference: Estimate, corrected_p: float | None, relative: Estimate, margin: float
) -> str:
    """Return the word for a difference of two means.

    `relative` is the same difference in the units of the margin. An exact difference needs no test.
    Others are called different only if the corrected p-value is significant, and equivalent only if
    two one-sided tests show that they lie within the margin.
    """
    if difference.is_exact:
        if difference.mean == 0:
            return "equal"
        is_within = abs(relative.mean) < margin
        is_beyond = abs(relative.mean) > margin
        return _different(is_within, is_beyond)
    # Two one-sided tests at a level are an interval of 1 - 2 * level.
    narrow, wide = (relative.margin(1 - times * SIGNIFICANCE_LEVEL) for times in (2, 1))
    if corrected_p is None or narrow is None or wide is None:
        return "undecided"
    is_within = abs(relative.mean) + narrow < margin
    if corrected_p >= SIGNIFICANCE_LEVEL:
        return "equivalent" if is_within else "undecided"
    return _different(is_within, abs(relative.mean) - wide > margin)


def _different(is_within: bool, is_beyond: bool) -> str:
    if is_within:
        return "different within the margin"
    return "different beyond the margin" if is_beyond else "different"


def signed_rank_test(differences: Scores) -> float:
    """Return the two-sided p-value of `signed_rank_score`."""
    return erfc(abs(signed_rank_score(differences)) / sqrt(2))


def signed_rank_score(differences: Scores) -> float:
    """Return the standard score of a signed-rank test of differences, (n_secrets, repetitions).

    It is positive if the positive differences have the higher ranks, whatever the mean is.

    The test is Wilcoxon's (1945) for clusters (Rosner, Glynn and Lee 2006): the repetitions of a
    secret change signs together. Zeros are left out, ties share their mean rank, and the rank sum
    is taken as normal.
    """
    are_different = differences != 0
    _, rank_of, times = np.unique(
        np.abs(differences[are_different]), return_inverse=True, return_counts=True
    )
    ranks = np.zeros(differences.shape)
    ranks[are_different] = (np.cumsum(times) - (times - 1) / 2)[rank_of] * np.sign(
        differences[are_different]
    )
    sums = ranks.sum(axis=1)
    score = float(sums.sum())
    return 0.0 if score == 0 else score / sqrt(float(sums @ sums))


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for multiple tests (Holm 1979)."""
    values = np.array(p_values)
    order = np.argsort(p_values, kind="stable")
    scaled = values[order] * np.arange(len(values), 0, -1)
    values[order] = np.maximum.accumulate(scaled).clip(max=1)
    corrected: list[float] = values.tolist()
    return corrected


def standard_error(values: NDArray[np.number]) -> float:
    """Return the standard error of the mean of independent values, (n,)."""
    return float(values.std(ddof=1) / len(values) ** 0.5)


def resampled_means(values: Scores, resamples: int, seed: int) -> Scores:
    """Return bootstrap means of rows of `values`, (n_games, n_columns), by column (Efron 1979)."""
    draw = np.random.default_rng(seed)
    n = len(values)
    means = np.empty((resamples, values.shape[1]))
    for first in range(0, resamples, max(BLOCK // n, 1)):
        block = means[first : first + max(BLOCK // n, 1)]
        games = draw.integers(n, size=(len(block), n))
        games += n * np.arange(len(block))[:, None]
        times = np.bincount(games.ravel(), minlength=games.size).reshape(games.shape)
        block[:] = times.astype(np.float64) @ values / n
    return means


def interval(values: Scores, level: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the ends of the percentile intervals of resampled values, by column."""
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return low, high
