"""Intervals and tests against definitions."""

from itertools import product
from math import atan, pi, sqrt
from random import Random

import numpy as np
import pytest
from definitions import signed_rank, signed_rank_of_clusters, two_stage_error
from hypothesis import given
from hypothesis import strategies as st

from codebreaker import statistics
from codebreaker.statistics import (
    Estimate,
    critical,
    holm,
    interval,
    mean_over_secrets,
    resampled_means,
    signed_rank_test,
    two_sided,
    verdict,
)

DIFFERENCES = st.lists(st.integers(-6, 6), min_size=2, max_size=40)
SIGNIFICANT = {
    *("equal", "equivalent", "different"),
    *("different within the margin", "different beyond the margin"),
}


def games_of(secrets, most=6):
    """Lists of games, a list per secret."""
    return st.integers(1, 4).flatmap(
        lambda times: st.lists(
            st.lists(st.integers(-most, most), min_size=times, max_size=times),
            min_size=secrets,
            max_size=7,
        )
    )


@given(DIFFERENCES)
def test_the_signed_rank_test_is_that_of_the_definition_and_of_scipy(differences):
    sample = [3, -1, 0, 2, 2, -2, 5, 1, -1, 0, 4, 6, -3, 2, 1, 7, -2, 1, 3, 3]
    # scipy 1.17.1: wilcoxon(sample, zero_method="wilcox", method="asymptotic")
    p_values = {tuple(sample): 0.025460015556944, tuple(differences): signed_rank(differences)}
    for differences_of, expected in p_values.items():
        assert signed_rank_test(np.array([differences_of], float).T) == pytest.approx(
            expected, abs=1e-12
        )


@given(games_of(2))
def test_the_repetitions_of_a_secret_change_their_signs_together(clusters):
    expected = signed_rank_of_clusters(clusters)
    assert signed_rank_test(np.array(clusters, float)) == pytest.approx(expected, abs=1e-12)


def test_students_distribution_is_that_of_the_formulas_and_of_printed_tables():
    for score in (0.0, 0.3, 1.0, 4.0, 70.0):
        assert two_sided(score, 1) == pytest.approx(1 - 2 * atan(score) / pi, rel=1e-9)
        assert two_sided(-score, 2) == pytest.approx(1 - score / sqrt(2 + score**2), rel=1e-9)
    printed = {1: 12.706, 2: 4.303, 5: 2.571, 9: 2.262, 30: 2.042, 120: 1.980, 10**6: 1.960}
    for degrees, score in printed.items():
        assert critical(0.95, degrees) == pytest.approx(score, abs=6e-4)
        assert two_sided(critical(0.9, degrees), degrees) == pytest.approx(0.1, rel=1e-9)
    assert two_sided(40, 199) < two_sided(20, 199) < 1e-40


@given(games_of(1), st.integers(0, 9))
def test_the_error_is_that_of_two_stage_sampling(games, more):
    secrets = len(games) + more
    estimate = mean_over_secrets(np.array(games, float), secrets, draws=True)
    variance = two_stage_error(games, secrets)
    assert estimate.mean == pytest.approx(sum(map(sum, games)) / len(games) / len(games[0]))
    assert not estimate.is_exact
    if variance is None:
        assert estimate.error is None
    else:
        assert estimate.error == pytest.approx(float(variance) ** 0.5)
        assert 1 <= estimate.degrees <= len(games) * len(games[0]) - 1
        assert estimate.interval(0.95) == pytest.approx(
            [estimate.mean + sign * estimate.margin(0.95) for sign in (-1, 1)]
        )


@given(games_of(2), st.data())
def test_a_prior_weighs_the_secrets(games, data):
    weights = data.draw(
        st.lists(st.integers(1, 9), min_size=len(games), max_size=len(games)), "weights"
    )
    shares = [weight / sum(weights) for weight in weights]
    estimate = mean_over_secrets(np.array(games, float), len(games), True, np.array(shares))
    times = len(games[0])
    expected = 0.0
    variance = 0.0
    for share, guesses in zip(shares, games, strict=True):
        mean = sum(guesses) / times
        expected += share * mean
        if times > 1:
            variance += (
                share**2 * sum((guess - mean) ** 2 for guess in guesses) / (times - 1) / times
            )
    assert estimate.mean == pytest.approx(expected)
    assert estimate.error == (pytest.approx(variance**0.5) if variance else None)


def test_only_who_draws_nothing_and_plays_every_secret_is_exact():
    games = np.array([[3.0], [4.0], [5.0], [5.0]])
    assert mean_over_secrets(games, 4, draws=False) == Estimate(4.25, 0.0)
    for secrets, draws in ((5, False), (4, True), (5, True)):
        estimate = mean_over_secrets(games, secrets, draws)
        assert not estimate.is_exact
        assert estimate.error > 0
    half = mean_over_secrets(games, 8, draws=False)  # half of the secrets are known exactly
    assert half.error == pytest.approx((games.var(ddof=1) / 4 / 2) ** 0.5)
    for alone in (games[:1], np.full((4, 3), 2.0)):  # one game, or no variation
        estimate = mean_over_secrets(alone, 9, draws=True)
        assert (estimate.error, estimate.p, estimate.interval(0.9)) == (None, None, (None, None))


@pytest.mark.parametrize(
    ("difference", "error", "p", "word"),
    [
        (0.0, 0.0, None, "equal"),
        (0.04, 0.0, None, "different within the margin"),
        (-0.06, 0.0, None, "different beyond the margin"),
        (0.05, 0.0, None, "different"),
        (9.0, None, None, "undecided"),
        (0.0, None, None, "undecided"),
        (9.0, None, 0.0, "undecided"),
        (9.0, 1.0, None, "undecided"),
        (9.0, 1.0, 0.06, "undecided"),
        (9.0, 1.0, 0.04, "different beyond the margin"),
        (0.1, 0.04, 0.04, "different"),
        (0.02, 0.01, 0.04, "different within the margin"),
        (0.02, 0.01, 0.2, "equivalent"),
        (0.02, 0.03, 0.5, "undecided"),
    ],
)
def test_a_word_is_used_only_where_it_is_warranted(difference, error, p, word):
    estimate = Estimate(difference, error, 400)
    assert verdict(estimate, p, estimate, 0.05) == word
    assert (word in SIGNIFICANT) == (word != "undecided")


def simulated(random, means, played, times):
    """Games of some secrets, whose results are the two integers around a secret's mean."""
    secrets = random.sample(means, played)
    return [
        [int(mean // 1) + (random.random() < mean % 1) for _ in range(times)] for mean in secrets
    ]


@pytest.mark.parametrize(
    ("secrets", "played", "times", "sharp"),
    [
        (64, 64, 4, True),
        (64, 64, 1, False),  # an upper bound
        (16, 16, 2, False),  # few degrees of freedom
        (400, 20, 6, True),  # repetitions that are taken for other secrets cover less than 70%
        (60, 30, 3, True),
    ],
)
@pytest.mark.slow
def test_intervals_cover_the_mean_and_tests_err_as_often_as_they_say(secrets, played, times, sharp):
    random = Random(secrets + times)
    trials = 800
    means = [random.uniform(-1, 1) for _ in range(secrets)]
    means = [mean - sum(means) / secrets for mean in means]  # the truth is 0
    covered = called = 0
    for _ in range(trials):
        games = np.array(simulated(random, means, played, times), float)
        estimate = mean_over_secrets(games, secrets, draws=True)
        low, high = estimate.interval(0.95)
        covered += low <= 0 <= high
        called += "different" in verdict(estimate, estimate.p, estimate, 0.05)
    allowed = 3.3 * (0.95 * 0.05 / trials) ** 0.5
    assert covered / trials > 0.95 - allowed
    assert covered / trials < 0.95 + allowed or not sharp
    assert called == trials - covered


def test_resampled_means_have_the_distribution_of_all_resamples():
    games = [0.0, 1.0, 5.0, 7.0]
    every = [sum(drawn) / 4 for drawn in product(games, repeat=4)]
    drawn = resampled_means(np.array([games]).T, 40000, 3)[:, 0]
    values, counts = np.unique(np.array(every), return_counts=True)
    observed = np.array([(drawn == value).sum() for value in values])
    assert observed.sum() == 40000
    expected = 40000 * counts / 256
    assert ((observed - expected) ** 2 / expected).sum() < 80  # 0.1 % of chi-squared, 45 degrees
    low, high = interval(drawn[:, None], 0.9)
    assert [low[0], high[0]] == pytest.approx(np.quantile(every, [0.05, 0.95]), abs=0.25)


@given(st.integers(1, 60), st.integers(1, 300), st.integers(0, 9))
def test_resamples_keep_columns_paired_and_do_not_depend_on_blocks(n, block, seed):
    sample = np.random.default_rng(seed).integers(9, size=n).astype(float)
    means = resampled_means(np.stack([sample, sample + 2, -sample], axis=1), 40, seed)
    assert np.allclose(means[:, 1] - means[:, 0], 2)
    assert np.allclose(means[:, 2], -means[:, 0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(statistics, "BLOCK", block)
        again = resampled_means(np.stack([sample, sample + 2, -sample], axis=1), 40, seed)
    assert (again == means).all()


def test_holm_is_the_published_procedure():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.5]) == pytest.approx([1.0, 1.0])
    assert holm([]) == []
