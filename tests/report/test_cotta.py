"""Readings of Cotta et al. 2010, and its figures."""

from types import SimpleNamespace

import polars as pl
import pytest
from conftest import ROOT, read_yaml

from codebreaker.players.kernels.settings import EntropicSettings
from codebreaker.players.registry import PLAYERS
from codebreaker.report.chapters import cotta
from codebreaker.report.chapters.cotta import READINGS, SIZES

ENTROPIC = [name for name, player in PLAYERS.items() if player.family == "entropic"]


def summary(*rows):
    """A contest's player with its gaps of evaluations and guesses, in standard errors."""
    keys = ("contest", "game", "player", "evaluations_gap", "guesses_gap")
    return pl.DataFrame(rows, schema=keys, orient="row").with_columns(
        games=5000, published_guesses=4.5, published_guesses_error=0.01, published_evaluations=2000,
        mean_guesses=4.4, guesses_error=0.01, mean_evaluations=2100.0,
    )  # fmt: skip


def test_the_study_at_the_published_scale_plays_every_reading():
    contests = read_yaml("config/config.yaml")["players"]["contests"]
    scaled = read_yaml("config/paper.yaml")["players"]["contests"]
    played = {name: contests.get(name, {}) | scaled.get(name, {}) for name in contests | scaled}
    defaults = EntropicSettings._field_defaults
    for size in SIZES:
        for reading in READINGS:
            contest = played[size + reading.ending]
            for key in ("game", "opening", "repetitions", "secrets"):
                assert contest.get(key) == played[size].get(key)
            for player in ENTROPIC:
                assert player in contest["players"]
                settings = defaults | contest.get("options", {}).get(player, {})
                assert settings["stops_by_tier"] == ("all-tiers" not in reading.ending)
                assert settings["cuts_at_ends"] == ("inner-cuts" not in reading.ending)
                assert settings["keeps"] == ("keeping" in reading.ending)
    assert READINGS[0].ending == ""
    assert len({reading.ending for reading in READINGS}) == 8


def test_the_default_reading_fits_the_published_evaluations_best():
    recorded = pl.read_csv(ROOT / "resources" / "paper-scale" / "cotta-2010-readings.csv")
    by_reading = recorded.sort("mean evaluations that agree", descending=True)["reading"]
    assert by_reading[0] == 1
    summary_at_scale = pl.read_csv(ROOT / "resources" / "paper-scale" / "players.csv")
    assert cotta.readings_table(summary_at_scale).rows() == recorded.rows()


def test_means_within_three_errors_are_counted_by_reading():
    means = summary(
        ("four-six", "mm-4-6", "eGA-random", 3.0, -3.0),
        ("four-eight", "mm-4-8", "eGA-random", -3.1, 0.0),
        ("four-six-keeping", "mm-4-6", "eGA-random", 4.0, 5.0),
        ("four-six-from-1122", "mm-4-6", "eGA-random", 0.0, 0.0),
    )
    table = cotta.readings_table(means)
    assert table["reading"].to_list() == [1, 5]
    counts = table.select(pl.col("^.* that agree$"), "published means").rows()
    assert counts == [(1, 2, 3, 4), (0, 0, 0, 2)]
    gaps = cotta.gaps_table(means)
    row = gaps.row(by_predicate=pl.col("reading 5") == 5, named=True)
    assert (row["game"], row["measure"], row["reading 1"]) == ("mm-4-6", "guesses", -3.0)
    assert gaps.height == 4


def test_contests_without_published_players_have_no_readings(tmp_path):
    unpublished = summary(("three-six", "mm-3-6", "EvoRank", 0.0, 0.0))
    output = SimpleNamespace(
        readings=[tmp_path / "readings.csv", tmp_path / "readings.md"], gaps=tmp_path / "gaps.csv"
    )
    cotta.write_readings(unpublished, output)
    assert pl.read_csv(output.readings[0]).columns[0] == "reading"
    assert pl.read_csv(output.gaps).is_empty()


def test_a_box_has_the_middle_half_of_the_games():
    games = pl.DataFrame({"player": ["EvoRank"] * 101, "evaluations": range(101)})
    (row,) = cotta.quantiles(games).rows(named=True)
    assert [row[name] for name in cotta.QUANTILES] == [5, 25, 50, 75, 95]


@pytest.mark.parametrize("contests", [["four-six"], ["four-six", "four-eight"], []])
@pytest.mark.slow
def test_both_experiments_are_drawn_if_they_were_played(contests):
    games = {"four-six": "mm-4-6", "four-eight": "mm-4-8"}
    means = summary(
        ("other", "mm-4-6", "eGA-random", 0.0, 0.0),
        *((name, games[name], "eGA-random", 0.0, 0.0) for name in contests),
    )
    logs = means.select("contest", "player", pl.lit(2000).alias("evaluations"))
    assert len(cotta.evolutionary_chart(logs, means).to_dict()["concat"]) == 2 * len(contests)
