"""Charts of strategies and players: what they draw, what they leave out, and names in words."""

import polars as pl
import pytest

from codebreaker.report.chapters.players import means_chart, scaling_chart, share_chart
from codebreaker.report.chapters.scaling import scaling_finding
from codebreaker.report.chapters.strategies import (
    RECORDS,
    above_the_optimum,
    mean_and_maximum,
    moves_chart,
    moves_finding,
    profiles,
    records_chart,
)
from codebreaker.report.names import notation_of, spoken_player


def summary(*rows):
    """The summary of contests with the given contest, game, player, mean and error."""
    keys = ("contest", "game", "player", "mean_guesses", "guesses_error")
    unpublished = pl.lit(None, pl.Float64)
    return pl.DataFrame(rows, schema=keys, orient="row").with_columns(
        games=50, max_guesses=7, mean_evaluations=2000.0, evaluations_error=0.0,
        published_guesses=unpublished, published_guesses_error=unpublished,
    )  # fmt: skip


def strategies(totals, game="mm-4-6"):
    """A table of strategies of one game, by policy with their totals."""
    row = {
        "game": game, "opening": "1123", "forced": False, "guess_pool": "all",
        "tie_break": "consistent then lexicographic", "endgames": 0, "exact_from": None,
        "guess_limit": None, "rounds": None, "secrets": 1296, "max_guesses": 6,
        "std_guesses": 0.6, "profile": "1 1295",
    }  # fmt: skip
    rows = [
        row
        | {"policy": policy, "tree": policy, "total_guesses": total, "mean_guesses": total / 1296}
        for policy, total in totals.items()
    ]
    limits = dict.fromkeys(("guess_limit", "rounds", "exact_from"), pl.Int64)
    return pl.DataFrame(rows, schema_overrides=limits)


def title_of(chart):
    return chart.to_dict()["title"]["text"]


def rows_of(chart):
    """The rows that a chart draws."""
    return [row for rows in chart.to_dict()["datasets"].values() for row in rows]


@pytest.mark.parametrize("chart", [above_the_optimum, profiles, mean_and_maximum])
def test_a_title_claims_no_winner(chart):
    clear = strategies({"optimal": 5625, "entropy": 5722})
    tied = strategies({"optimal": 5625, "entropy": 5625, "most-parts": 5668})
    assert title_of(chart(clear)) == title_of(chart(tied))
    assert "entropy" not in title_of(chart(clear))


def test_a_title_claims_no_winner_among_players():
    told = [("six", "mm-4-6", name, 4.4 + at, 0.01) for at, name in enumerate("ab")]
    close = [("six", "mm-4-6", name, 4.4, 0.1) for name in "ab"]
    for chart in (means_chart, scaling_chart):
        assert title_of(chart(summary(*told))) == title_of(chart(summary(*close)))


def test_a_contest_without_shares_of_the_candidates_is_drawn():
    assert title_of(share_chart(summary(("six", "mm-4-6", "EvoRank", 4.5, 0.1))))


def test_strategies_far_from_the_optimum_are_named_and_not_drawn():
    far = strategies({"optimal": 5625, "most-parts": 5668, "first-consistent": 7471})
    chart = above_the_optimum(far)
    told = chart.to_dict()["title"]["subtitle"]
    assert told.endswith("Not drawn: first candidate (Shapiro) 1,846")
    assert [(row["name"], row["above"]) for row in rows_of(chart)] == [("most parts (Kooi)", 43)]


def test_a_study_of_unknown_strategies_is_drawn_by_their_own_names():
    (row,) = rows_of(above_the_optimum(strategies({"renyi-0.5": 5700})))
    assert row["name"] == "renyi-0.5"


@pytest.mark.parametrize("published", [[179274], [179064], []])
def test_records_are_drawn_beside_the_published_one(published):
    large = strategies({"endgame-weighted-179064": 179064, "entropy": 179863}, "mm-5-8")
    rows = {"game": ["mm-5-8"] * len(published), "total": published}
    known = pl.DataFrame(rows, schema={"game": pl.String, "total": pl.Int64})
    chart = records_chart(large, known)
    assert [row["total_guesses"] for row in rows_of(chart)] == sorted([179064, 179863, *published])
    assert "unknown, and search takes " in chart.to_dict()["title"]["subtitle"]


def test_the_published_record_has_a_source():
    known = pl.read_csv(RECORDS)
    assert known.columns == ["game", "total", "mean", "source"]
    for row in known.iter_rows(named=True):
        pegs, colours = map(int, row["game"].split("-")[1:])
        assert round(row["total"] / colours**pegs, 4) == row["mean"]
        assert row["source"]


def test_no_lost_guess_is_no_share():
    table = strategies({"entropy": 5722}).with_columns(
        pl.lit("entropy").alias("strategy"), pl.lit(1).alias("turn"), pl.lit(0).alias("lost")
    )
    assert moves_finding(table) == "No near-optimal strategy loses guesses to optimal play"
    assert {row["lost"] for row in rows_of(moves_chart(table))} == {0}


def test_policies_that_tie_on_the_largest_game_are_named_together():
    table = {"policy": ["a", "b"], "codes": [9, 9], "seconds": [1.0, 2.0], "game": ["mm-5-8"] * 2}
    for means, told in (
        ([5.0, 5.0], "a and b need 5.000 guesses each on average on mm-5-8"),
        ([5.0, 5.5], "a needs the fewest guesses: 5.000 on average on mm-5-8"),
    ):
        assert scaling_finding(pl.DataFrame(table | {"mean_guesses": means})) == told


def test_names_in_words():
    assert [notation_of(game) for game in ("mm-4-6", "bc-4-10", "black-4-6", "marks-five")] == [
        "MM(4,6)",
        "Bulls and Cows (4,10)",
        "black pegs (4,6)",
        "marks-five",
    ]
    assert spoken_player("entropy-consistent-sixth") == "entropy over a sixth"
    assert spoken_player("eGA-seeded") == "eGA-seeded"
