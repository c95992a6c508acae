"""Titles of charts: who is named as best, and who is not."""

from math import sqrt

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codebreaker.analysis.verdicts import known_totals
from codebreaker.report.chapters.effort import scaling_finding
from codebreaker.report.chapters.moves import moves_chart, moves_finding
from codebreaker.report.chapters.pareto import title_by_order
from codebreaker.report.chapters.players import (
    evaluations_chart,
    means_chart,
    scaling_chart,
    share_chart,
)
from codebreaker.report.chapters.strategies import (
    RECORDS,
    above_the_optimum,
    mean_and_maximum,
    profiles,
    records_chart,
)
from codebreaker.report.chapters.weights import ablation_title, boxes_title
from codebreaker.report.charts.titles import fewest, leaders, listed
from codebreaker.report.names import notation_of, spoken_player

EXACT = (("a", 4.0, 0.0), ("b", 4.5, 0.0), ("c", 5.0, 0.0))


def test_names_are_joined_as_in_a_sentence():
    assert [listed(list("abc"[:n])) for n in (1, 2, 3)] == ["a", "a and b", "a, b and c"]


@pytest.mark.parametrize(
    ("scores", "told"),
    [
        (EXACT, "a needs the fewest guesses: 4.0"),
        (EXACT[:1], "a needs 4.0 guesses"),
        ((("x", 4.0, 0.0), *EXACT), "x and a need the fewest guesses: 4.0 each"),
        ([(name, 2.0, 0.0) for name in "ab"], "a and b need 2.0 guesses each"),
        ([(name, 2.0, 0.0) for name in "abcde"], "All 5 need 2.0 guesses each"),
        (
            [*((name, 2.0, 0.0) for name in "abcde"), ("f", 3.0, 0.0)],
            "5 of 6 need the fewest guesses: 2.0 each",
        ),
        (
            (("a", 4.0, 0.05), ("b", 4.1, 0.05), ("c", 5.0, 0.05)),
            "a and b need the fewest guesses, and differ by less than two standard errors",
        ),
        (
            (("a", 4.0, 0.05), ("b", 4.1, 0.05)),
            "a and b differ in guesses by less than two standard errors",
        ),
        ((("a", 4.0, 0.05), ("b", 4.2, 0.05)), "a needs the fewest guesses: 4.0"),
    ],
)
def test_a_winner_is_named_only_if_it_is_one(scores, told):
    assert fewest(scores, "guesses", ".1f") == told


@given(
    st.lists(
        st.tuples(st.text(max_size=3), st.floats(1, 9), st.floats(0, 1)), min_size=1, max_size=8
    )
)
def test_leaders_are_those_within_two_standard_errors_of_the_least_mean(scores):
    least = min(mean for _, mean, _ in scores)
    first = next(score for score in scores if score[1] == least)
    near = []
    for name, mean, error in scores:
        if mean - least <= 2 * sqrt(error**2 + first[2] ** 2) * (1 + 1e-15):
            near.append((name, mean, error))
    found = leaders(scores)
    assert first in found
    assert set(found) <= set(near)
    assert len(near) - len(found) <= sum(
        abs(mean - least - 2 * sqrt(error**2 + first[2] ** 2)) < 1e-9 for _, mean, error in near
    )


def summary(rows):
    """The summary of contests with the given contest, game, player, mean and error."""
    keys = ("contest", "game", "player", "mean_guesses", "guesses_error")
    frame = pl.DataFrame(rows, schema=keys, orient="row")
    return frame.with_columns(
        pl.lit(50).alias("games"),
        pl.lit(7).alias("max_guesses"),
        pl.lit(None, pl.Float64).alias("published_guesses"),
        pl.lit(None, pl.Float64).alias("published_guesses_error"),
        pl.lit(2000.0).alias("mean_evaluations"),
        pl.lit(0.0).alias("evaluations_error"),
    )


def contests(*rows):
    """The title of the players' chart for contests on MM(4,6) and MM(4,8)."""
    games = {"six": "mm-4-6", "eight": "mm-4-8"}
    told = summary([(name, games[name], *rest) for name, *rest in rows])
    return means_chart(told).to_dict()["title"]["text"]


def test_the_players_chart_names_winners_by_game():
    six = [("six", "EvoRank", 4.4, 0.01), ("six", "annealing", 4.6, 0.01)]
    close = [("eight", "EvoRank", 5.4, 0.1), ("eight", "annealing", 5.5, 0.1)]
    assert contests(*six) == "EvoRank needs the fewest guesses on MM(4,6)"
    assert contests(*six, *close) == (
        "EvoRank needs the fewest guesses on MM(4,6); on MM(4,8) the best differ by less than two "
        "standard errors"
    )
    assert contests(*close) == (
        "On no game do the best players differ by more than two standard errors"
    )


def test_equal_medians_of_evaluations_name_no_single_player():
    told = summary([("six", "mm-4-6", name, 4.5, 0.1) for name in ("one", "other")])
    logs = pl.DataFrame(
        {"contest": "six", "player": ["one", "other"] * 3, "evaluations": [2000] * 6}
    )
    title = evaluations_chart(logs, told).to_dict()["title"]["text"]
    assert title == "Fewest evaluations in the median: all 2 players on MM(4,6)"


def test_a_contest_without_shares_of_the_candidates_is_drawn_and_said():
    told = summary([("six", "mm-4-6", "EvoRank", 4.5, 0.1)])
    title = share_chart(told).to_dict()["title"]["text"]
    assert title == "No contest has players that examine different shares of the candidates"


def test_savings_within_the_errors_are_not_called_savings():
    few, every = "entropy-consistent-sixth", "entropy-consistent"
    rows = [("six", "mm-4-6", few, 4.5, 0.1), ("six", "mm-4-6", every, 4.4, 0.1)]
    told = share_chart(summary(rows)).to_dict()["title"]["text"]
    assert told == "Examining all candidates saves nothing beyond the errors on MM(4,6)"
    rows += [("eight", "mm-4-8", few, 5.5, 0.01), ("eight", "mm-4-8", every, 5.25, 0.01)]
    told = share_chart(summary(rows)).to_dict()["title"]["text"]
    assert told == (
        "Examining all candidates instead of a few saves 0.25 guesses on MM(4,8), and nothing "
        "beyond the errors on MM(4,6)"
    )


def test_the_chart_of_growing_games_names_those_within_the_errors():
    rows = [("six", "mm-4-6", name, 4.5 + at / 100, 0.01) for at, name in enumerate("ab")]
    title = scaling_chart(summary(rows)).to_dict()["title"]["text"]
    assert title == "On MM(4,6), a and b differ in guesses by less than two standard errors"
    none = summary([*rows[:1], ("eight", "mm-4-8", "b", 5.0, 0.1)])
    title = scaling_chart(none).to_dict()["title"]["text"]
    assert title == "No player plays every game"


def strategies(totals, game="mm-4-6", **options):
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
        | ({"tie_break": "none"} if policy == "optimal" else {})
        | options
        for policy, total in totals.items()
    ]
    return pl.DataFrame(rows, schema_overrides={"guess_limit": pl.Int64, "rounds": pl.Int64,
                                                "exact_from": pl.Int64})  # fmt: skip


def title_of(chart):
    """The title of a chart."""
    return chart.to_dict()["title"]["text"]


def test_profiles_name_all_strategies_that_tie():
    tied = strategies({"optimal": 5625, "entropy": 5625, "most-parts": 5668})
    told = "entropy and optimal need the fewest guesses: 4.3403 each on average"
    assert sorted(title_of(profiles(tied)).split()) == sorted(told.split())
    single = strategies({"entropy": 5722, "most-parts": 5668})
    told = "most-parts needs the fewest guesses: 4.3735 on average"
    assert title_of(profiles(single)) == told


def test_the_best_mean_is_not_set_against_itself():
    title = title_of(mean_and_maximum(strategies({"optimal": 5625, "entropy": 5722})))
    assert title == "The best mean is 4.3403 guesses, with at most 6 for any secret"


@pytest.mark.parametrize(
    ("totals", "told"),
    [
        (
            {"optimal": 5625, "context-weighted-5625": 5625, "entropy": 5722},
            "Weights by turn and last feedback take 5,625 guesses, the least possible",
        ),
        (
            {"optimal": 5625, "most-parts": 5668, "entropy": 5722},
            "Most parts (Kooi) takes 43 guesses more than the optimum",
        ),
        (
            {"optimal": 5625, "most-parts": 5668, "entropy": 5668},
            "2 strategies take 43 guesses more than the optimum",
        ),
        (
            {"most-parts": 5668, "entropy": 5722},
            "Most parts (Kooi) takes 5,668 guesses, the fewest of these strategies",
        ),
        ({"optimal": 5625}, "Optimum takes 5,625 guesses, the least possible"),
    ],
)
def test_the_distance_from_the_optimum_follows_the_totals(totals, told):
    assert title_of(above_the_optimum(strategies(totals))) == told


def test_strategies_far_from_the_optimum_are_named_and_not_drawn():
    far = strategies({"optimal": 5625, "most-parts": 5668, "first-consistent": 7471})
    chart = above_the_optimum(far).to_dict()
    assert chart["title"]["subtitle"].endswith("Not drawn: first candidate (Shapiro) 1,846")
    (rows,) = chart["datasets"].values()
    assert [(row["name"], row["above"]) for row in rows] == [("most parts (Kooi)", 43)]


def test_a_study_of_unknown_strategies_is_drawn_by_their_own_names():
    assert "renyi-0.5" in title_of(above_the_optimum(strategies({"renyi-0.5": 5700})))


@pytest.mark.parametrize(
    ("published", "told"),
    [
        ([179274], "179,064 guesses, 210 fewer than published"),
        ([179064], "179,064 guesses, as many as the lowest published total"),
        ([179000], "179,064 guesses, 64 more than published"),
        ([], "179,064 guesses"),
    ],
)
def test_records_are_compared_with_the_published_one(published, told):
    large = strategies({"endgame-weighted-179064": 179064, "entropy": 179863}, "mm-5-8")
    known = pl.DataFrame({"game": ["mm-5-8"] * len(published), "total": published},
                         schema={"game": pl.String, "total": pl.Int64})  # fmt: skip
    chart = records_chart(large, known)
    assert title_of(chart) == f"On MM(5,8), weights with exact endgames take {told}"
    (rows,) = chart.to_dict()["datasets"].values()
    assert len(rows) == 2 + len(published)
    told = chart.to_dict()["title"]["subtitle"]
    assert f"unknown, and search takes {known_totals('mm-5-8')[0].total:,}. The published" in told


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
    assert title_of(moves_chart(table)) == moves_finding(table)


@pytest.mark.parametrize(
    ("totals", "told"),
    [
        ({0: 10, 1: 12, 2: 12}, "Order 0 needs the fewest guesses: 10; above it, orders 1 and 2 "
         "need the fewest, 12"),
        ({0: 10, 1: 10, 2: 12}, "Orders 0 and 1 need the fewest guesses: 10"),
        ({0: 12, 1: 10, 2: 12}, "Order 1 needs the fewest guesses: 10"),
        ({0: 12}, "Order 0 needs the fewest guesses: 12"),
        (dict.fromkeys(range(6), 9), "6 orders from 0 to 5 need the fewest guesses: 9"),
    ],
)  # fmt: skip
def test_orders_that_tie_are_named_together(totals, told):
    frame = {"order": list(map(float, totals)), "total_guesses": list(totals.values())}
    assert title_by_order(pl.DataFrame(frame)) == told


def test_policies_that_tie_on_the_largest_game_are_named_together():
    rows = {
        "policy": ["a", "b"],
        "mean_guesses": [5.0, 5.0],
        "codes": [9, 9],
        "seconds": [1.0, 2.0],
    }
    told = scaling_finding(pl.DataFrame(rows | {"game": ["mm-5-8"] * 2}))
    assert told.startswith("a and b need 5.000 guesses each on average on mm-5-8")


def spread(**by_place):
    """The weights of two seeds by place, for one feedback."""
    rows = [(where, "1B-0C", one) for where, values in by_place.items() for one in values]
    return pl.DataFrame(rows, schema=["where", "feedback", "weight"], orient="row")


def test_places_where_seeds_agree_equally_are_named_together():
    told = boxes_title(spread(a=(0.5, 0.5), b=(0.1, 0.1), c=(0.1, 0.9)))
    assert told == "Seeds agree most on a and b, least on c"
    assert boxes_title(spread(a=(0.1, 0.2), b=(0.1, 0.2))) == (
        "The seeds' weights spread equally everywhere"
    )
    assert boxes_title(spread(a=(0.1,))) == "The seeds' weights spread equally everywhere"


def ablated(*changes):
    """The change of the total by turn if the weights are random: mean, least and most."""
    rows = [("found", "stage", turn, *change) for turn, change in enumerate(changes, start=2)]
    names = [f"random_{kind}_change" for kind in ("mean", "least", "most")]
    return pl.DataFrame(rows, schema=["origin", "model", "turn", *names], orient="row")


def test_the_turn_that_matters_is_the_one_that_costs_most():
    assert ablation_title(ablated((80.0, 20, 90), (110.0, 60, 190), (0.0, 0, 0))) == (
        "Random weights cost most at turn 3; those of turn 4 have no effect"
    )
    assert ablation_title(ablated((80.0, 20, 90), (80.0, 60, 190))) == (
        "Random weights cost most at turn 2 and 3"
    )
    assert ablation_title(ablated((0.0, 0, 0), (0.0, 0, 0))) == (
        "The weights of turns 2 and 3 have no effect"
    )


def test_names_in_words():
    assert [notation_of(game) for game in ("mm-4-6", "bc-4-10", "black-4-6", "marks-five")] == [
        "MM(4,6)",
        "Bulls and Cows (4,10)",
        "black pegs (4,6)",
        "marks-five",
    ]
    assert spoken_player("entropy-consistent-sixth") == "entropy over a sixth"
    assert spoken_player("eGA-seeded") == "eGA-seeded"
