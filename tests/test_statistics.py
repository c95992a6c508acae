"""Intervals and tests against definitions."""

from itertools import product
from statistics import NormalDist

import numpy as np
import pytest
from definitions import signed_rank
from hypothesis import given
from hypothesis import strategies as st

from codebreaker import statistics
from codebreaker.statistics import holm, interval, mean_test, resampled_means, signed_rank_test

DIFFERENCES = st.lists(st.integers(-6, 6), min_size=2, max_size=40)


@given(DIFFERENCES)
def test_the_signed_rank_test_is_that_of_the_definition_and_of_scipy(differences):
    sample = [3, -1, 0, 2, 2, -2, 5, 1, -1, 0, 4, 6, -3, 2, 1, 7, -2, 1, 3, 3]
    # scipy 1.17.1: wilcoxon(sample, zero_method="wilcox", method="asymptotic")
    told = {tuple(sample): 0.025460015556944, tuple(differences): signed_rank(differences)}
    for one, expected in told.items():
        assert signed_rank_test(np.array(one, float)) == pytest.approx(expected, abs=1e-12)


@given(DIFFERENCES)
def test_the_mean_is_tested_over_its_standard_error(differences):
    n, mean = len(differences), sum(differences) / len(differences)
    error = (sum((one - mean) ** 2 for one in differences) / (n - 1) / n) ** 0.5
    expected = 2 * NormalDist().cdf(-abs(mean) / error) if error else float(mean == 0)
    assert mean_test(np.array(differences, float)) == pytest.approx(expected, abs=1e-12)


def test_resampled_means_have_the_distribution_of_all_resamples():
    games = [0.0, 1.0, 5.0, 7.0]
    every = [sum(drawn) / 4 for drawn in product(games, repeat=4)]
    drawn = resampled_means(np.array([games]).T, 40000, 3)[:, 0]
    values, counts = np.unique(np.array(every), return_counts=True)
    found = np.array([(drawn == value).sum() for value in values])
    assert found.sum() == 40000
    expected = 40000 * counts / 256
    assert ((found - expected) ** 2 / expected).sum() < 80  # 0.1 % of chi-squared, 45 degrees
    low, high = interval(drawn[:, None], 0.9)
    assert [low[0], high[0]] == pytest.approx(np.quantile(every, [0.05, 0.95]), abs=0.25)


@given(st.integers(1, 60), st.integers(1, 300), st.integers(0, 9))
def test_resamples_keep_columns_paired_and_do_not_depend_on_blocks(n, block, seed):
    one = np.random.default_rng(seed).integers(9, size=n).astype(float)
    means = resampled_means(np.stack([one, one + 2, -one], axis=1), 40, seed)
    assert np.allclose(means[:, 1] - means[:, 0], 2)
    assert np.allclose(means[:, 2], -means[:, 0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(statistics, "BLOCK", block)
        again = resampled_means(np.stack([one, one + 2, -one], axis=1), 40, seed)
    assert (again == means).all()


def test_holm_is_the_published_procedure():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.5]) == pytest.approx([1.0, 1.0])
    assert holm([]) == []
