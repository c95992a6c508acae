"""Sampled play of larger games beside the lowest published means."""

import math

import pytest
from conftest import ROOT, tool_called

from codebreaker.report.tables import read_table

FOLDER = ROOT / "resources" / "larger-games"
SAMPLED = read_table(FOLDER / "sampled.csv")
COMPARED = [row for row in SAMPLED.to_dicts() if row["difference"] is not None]


@pytest.fixture(scope="module")
def tool():
    return tool_called("record_larger_games")


def normal_p(row):
    """Return the two-sided p-value of a row's difference, from its interval, by the normal."""
    error = (row["high"] - row["low"]) / 2 / 1.96
    return math.erfc(abs(row["difference"]) / error / math.sqrt(2))


def test_sizes_are_compared_with_the_lowest_published_mean():
    published = read_table(FOLDER / "published.csv")
    for row in SAMPLED.to_dicts():
        means = published.filter(game=row["game"])["guesses"]
        if row in COMPARED:
            assert row["difference"] == pytest.approx(row["mean_guesses"] - means.min(), abs=1e-4)
        else:
            assert row["game"] == "mm-4-6" or not len(means)


def test_p_values_are_corrected_for_all_sizes_compared():
    ps = sorted((normal_p(row), row["game"]) for row in COMPARED)
    corrected = {}
    highest = 0
    for i, (p, game) in enumerate(ps):
        highest = max(highest, min(p * (len(ps) - i), 1))
        corrected[game] = highest
    for row in COMPARED:
        assert row["p_holm"] == pytest.approx(corrected[row["game"]], rel=0.1)


def test_undecided_sizes_say_how_many_games_would_decide():
    for row in COMPARED:
        assert (row["games_to_decide"] is None) == (row["p_holm"] < 0.05)
        if row["games_to_decide"] is not None:
            # Four of five repetitions lie above the critical score 1.96 if the mean is 2.80.
            error = (row["high"] - row["low"]) / 2 / 1.96
            spread = error * math.sqrt(row["games"])
            needed = (2.80 * spread / row["difference"]) ** 2
            assert row["games_to_decide"] == pytest.approx(needed, rel=0.05)


def test_a_difference_half_as_large_needs_four_times_the_games(tool):
    some = SAMPLED.filter(game="mm-8-12")
    gap = float(some["mean_guesses"][0] - some["player_guesses"][0])
    before = tool.with_tests(some.drop(tool.TESTED))["games_to_decide"][0]
    nearer = some.drop(tool.TESTED).with_columns(player_guesses=some["player_guesses"] + gap / 2)
    assert tool.with_tests(nearer)["games_to_decide"][0] == pytest.approx(4 * before, rel=0.02)
