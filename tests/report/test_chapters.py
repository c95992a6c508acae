"""Tables and charts of chapters."""

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from conftest import ROOT

from codebreaker.errors import CodebreakerError
from codebreaker.policies.weights import Weights
from codebreaker.report.chapters import codemaker, strategies, weights
from codebreaker.report.chapters.effort import summarise, workflow_rule_of
from codebreaker.report.chapters.gur import signed
from codebreaker.report.chapters.larger_games import larger_games_chart
from codebreaker.report.chapters.players import share_chart
from codebreaker.report.chapters.rounds import CLASSIC, FRONTIER, rounds_chart
from codebreaker.report.chapters.scaling import scaling_chart, scaling_finding
from codebreaker.report.style import turn_colours
from codebreaker.report.tables import markdown_table, read_table, same


def summary(*rows):
    keys = ("contest", "game", "player", "mean_guesses", "guesses_error")
    unpublished = pl.lit(None, pl.Float64)
    return pl.DataFrame(rows, schema=keys, orient="row").with_columns(
        games=50, max_guesses=7, mean_evaluations=2000.0, evaluations_error=0.0,
        published_guesses=unpublished, published_guesses_error=unpublished,
    )  # fmt: skip


def table_of(totals, game="mm-4-6"):
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


def rows_of(chart):
    return [row for rows in chart.to_dict()["datasets"].values() for row in rows]


def test_strategies_far_from_the_optimum_are_named_and_not_drawn():
    far = table_of({"optimal": 5625, "most-parts": 5668, "first-consistent": 7471})
    chart = strategies.above_the_optimum(far)
    subtitle = chart.to_dict()["title"]["subtitle"]
    assert subtitle.endswith("Not drawn: first candidate (Shapiro) 1,846")
    assert [(row["name"], row["above"]) for row in rows_of(chart)] == [("most parts (Kooi)", 43)]


@pytest.mark.parametrize("published", [[179274], [179064], []])
@pytest.mark.slow
def test_records_are_drawn_with_the_published_one(published):
    large = table_of({"endgame-weighted-179064": 179064, "entropy": 179863}, "mm-5-8")
    rows = {"game": ["mm-5-8"] * len(published), "total": published}
    known = pl.DataFrame(rows, schema={"game": pl.String, "total": pl.Int64})
    chart = strategies.records_chart(large, known)
    drawn = [(row["total_guesses"], row["above"]) for row in rows_of(chart)]
    totals = sorted([178320, 179064, 179863, *published])
    assert drawn == [(total, total - 178320) for total in totals]
    assert (
        "above the lowest known total, 178,320 (a rollout" in chart.to_dict()["title"]["subtitle"]
    )


def test_profiles_give_the_secrets_of_every_guess():
    chart = strategies.profiles(table_of({"entropy": 5723}))
    cells = [(row["guess"], row["count"]) for row in rows_of(chart) if "guess" in row]
    assert cells == [("1", 1), ("2", 1295)]
    subtitle = "MM(4,6): of 1,296 secrets, solved within 2 guesses: 1,296 by entropy (Neuwirth)"
    assert chart.to_dict()["title"]["subtitle"] == subtitle


def test_searches_are_compared_with_the_published_totals_of_as_many_vectors():
    published = weights.published_totals(
        pl.DataFrame(
            {
                "origin": ["published", "published", "published", "found"],
                "model": ["fixed", "stage", "stage", "stage"],
                "total_guesses": [5646, 5636, 5636, 5600],
            }
        )
    )
    assert published == {"fixed": 5646, "stage": 5636}
    provenance = {"game": "mm-4-6"}
    searches = [
        (
            model,
            Weights("w", "", ("1B-0C",), np.ones((turns, 1)), provenance | {"seed": seed}),
            pl.DataFrame({"generation": [1, 2, 3], "best": [5700, 5650, lowest]}),
        )
        for model, turns, seed, lowest in (
            ("fixed", 1, 0, 5650),
            ("fixed", 1, 1, 5646),
            ("stage", 6, 0, 5640),
            ("stage", 6, 2, 5630),
        )
    ]
    chart = weights.convergence(searches, published)
    ends = {(row["model"], row["seed"]): row for row in rows_of(chart) if row["generation"] == 3}
    assert {at: (row["above"], row["is_best"]) for at, row in ends.items()} == {
        ("fixed", 0): (4, False),
        ("fixed", 1): (0, True),
        ("stage", 0): (4, False),
        ("stage", 2): (-6, True),
    }
    labels = [row["published"] for row in rows_of(chart) if row["is_labelled"]]
    assert labels == ["published: 5,646", "published: 5,636"]
    subtitle = chart.to_dict()["title"]["subtitle"]
    assert subtitle.startswith("MM(4,6), ")
    assert "as many guesses with one vector of weights" in subtitle
    assert subtitle.endswith("6 fewer guesses with weights by turn")


def test_replaced_weights_are_drawn_by_turn_with_their_mean_and_range():
    row = {
        "origin": "published", "model": "stage", "turn": 2, "total_guesses": 5636,
        "uniform_change": 30, "random_mean_change": 79.25, "random_lowest_change": 24,
        "random_highest_change": 185,
    }  # fmt: skip
    other = {"turn": 3, "uniform_change": 19, "random_mean_change": 106.5}
    one_vector = {"model": "fixed", "turn": 1, "uniform_change": 76}
    chart = weights.ablation(pl.DataFrame([row, row | other, row | one_vector]))
    uniform, _, random, _ = rows_of(chart)
    assert uniform["weights"] == "published: weights by turn, total 5,636"
    assert (uniform["change"], uniform["lowest"], uniform["highest"]) == (30, None, None)
    assert (random["change"], random["lowest"], random["highest"]) == (79.25, 24, 185)
    subtitle = chart.to_dict()["title"]["subtitle"]
    assert "at turn 2 (30 guesses), random ones at turn 3 (106 on average)" in subtitle


def test_the_published_record_has_a_source():
    known = pl.read_csv(strategies.RECORDS)
    assert known.columns == ["game", "total", "mean", "source"]
    for row in known.iter_rows(named=True):
        pegs, colours = map(int, row["game"].split("-")[1:])
        assert round(row["total"] / colours**pegs, 4) == row["mean"]
        assert row["source"]


def test_no_lost_guess_is_no_share_and_a_contest_without_shares_is_drawn():
    assert share_chart(summary(("six", "mm-4-6", "EvoRank", 4.5, 0.1))).to_dict()["title"]
    table = table_of({"entropy": 5722}).with_columns(pl.col("policy").alias("strategy"))
    table = table.with_columns(turn=1, lost=0)
    finding = "No near-optimal strategy loses guesses to optimal play"
    assert strategies.moves_finding(table) == finding
    assert {row["lost"] for row in rows_of(strategies.moves_chart(table))} == {0}


def test_a_strategy_that_loses_nothing_has_a_row():
    table = table_of({"context-weighted-5625": 5625, "entropy": 5722})
    table = table.with_columns(strategy="policy", turn=1, lost=pl.col("total_guesses") - 5625)
    losses = {row["name"]: row["lost"] for row in rows_of(strategies.moves_chart(table))}
    assert losses == {"weights by turn and last feedback": 0, "entropy (Neuwirth)": 97}
    finding = strategies.moves_chart(table).to_dict()["title"]["subtitle"]
    assert finding == "MM(4,6): 97 of the 97 guesses that these strategies lose are lost by guess 3"


def test_the_frontier_lies_on_top_of_the_strategies():
    points = pl.DataFrame(
        {"game": "mm-4-6", "secrets": 1296, "rounds": 4, "won": [763, 768], "total": [5625, 5630]}
    )
    chart = rounds_chart(points, table_of({"optimal": 5625, "entropy": 5722}))
    frontier = [row for row in rows_of(chart) if row["kind"] == FRONTIER]
    assert [row["is_lowest"] for row in frontier] == [True, False]
    assert [row["is_most"] for row in frontier] == [False, True]
    first, *_, last = chart.to_dict()["spec"]["layer"]
    assert "!==" in json.dumps(first["transform"])
    assert "===" in json.dumps(last["transform"])


def test_no_dot_of_the_scaling_hides_another():
    cells = {"codes": 1296, "threads": 1, "seconds": 0.1, "mean_guesses": 4.4, "max_guesses": 6}
    table = pl.DataFrame({"game": "mm-4-6", "policy": policy, **cells} for policy in CLASSIC)
    panels = scaling_chart(table).to_dict()["concat"]
    for panel in panels:
        assert panel["encoding"]["yOffset"]["field"] == "strategy"
        assert panel["mark"]["type"] == "point"


def test_larger_games_have_their_means_beside_the_published_ones():
    table = read_table(ROOT / "resources/larger-games/sampled.csv")
    means, *measures = larger_games_chart(table).to_dict()["concat"]
    _, dots = means["layer"]
    drawn = larger_games_chart(table).to_dict()["datasets"][dots["data"]["name"]]
    expected = {
        (row["size"], kind, row[column])
        for row in table.with_columns(
            size=pl.col("game").str.replace("mm-(\\d+)-(\\d+)", "MM($1,$2)")
        ).iter_rows(named=True)
        for kind, column in (
            ("sampled", "mean_guesses"),
            ("published tree", "tree_guesses"),
            ("published player", "player_guesses"),
        )
        if row[column] is not None
    }
    assert {(row["size"], row["of"], row["guesses"]) for row in drawn} == expected
    assert [panel["encoding"]["y"]["field"] for panel in measures] == [
        "slowest_guess_s",
        "peak_mib",
    ]


def test_shares_are_drawn_for_the_first_contest_that_compares_them():
    shares = summary(
        ("single", "mm-4-6", "entropy-consistent", 4.6, 0.1),
        ("several", "mm-4-6", "entropy-consistent", 4.5, 0.1),
        ("several", "mm-4-6", "entropy-consistent-half", 4.4, 0.1),
    )
    chart = share_chart(shares)
    assert {row["contest"] for row in rows_of(chart)} == {"several"}
    subtitle = chart.to_dict()["title"]["subtitle"]
    assert subtitle.endswith("From 50% to 100% of them, the mean changes by +0.10 to +0.10 guesses")


def test_colours_of_turns_repeat_after_the_last():
    colours = turn_colours(range(1, 13))
    assert len(colours) == 12
    assert colours[10] == colours[1]
    assert len(set(colours.values())) == 9


@pytest.mark.parametrize(
    ("published", "computed", "agree"),
    [("12%", "12.0%", True), ("12%", "12", False), ("−3", "-3.0", True), ("AABB", "AABB", True)],
)
def test_cells_are_the_same_if_both_or_neither_are_in_percent(published, computed, agree):
    assert same(published, computed) is agree


def test_a_cell_with_a_bar_stays_one_cell():
    table = markdown_table(["a|b"], [["1\n2"], ["|"]])
    assert table == "| a\\|b |\n| --- |\n| 1 2 |\n| \\| |"


@pytest.mark.parametrize(
    ("percent", "text"), [(12.5, "+13%"), (-2.5, "-3%"), (0.49, "0%"), (-0.4, "0%")]
)
def test_deviations_are_rounded_as_papers_do(percent, text):
    assert signed(percent) == text


def test_policies_that_tie_on_the_largest_game_are_named_together():
    table = {"policy": ["a", "b"], "codes": [9, 9], "seconds": [1.0, 2.0], "game": ["mm-5-8"] * 2}
    for means, finding in (
        ([5.0, 5.0], "a and b need 5.000 guesses each on average on MM(5,8)"),
        ([5.0, 5.5], "a needs the fewest guesses: 5.000 on average on MM(5,8)"),
    ):
        assert scaling_finding(pl.DataFrame(table | {"mean_guesses": means})) == finding


SAMPLE = ROOT / "tests" / "samples" / "value-mm-2-3.json"
CERTIFICATE = json.loads(SAMPLE.read_text(encoding="utf-8"))


def test_a_row_of_each_table():
    checked = pl.DataFrame({"game": ["mm-2-3"], "lower_bound_checked": ["no"]})
    (row,) = codemaker.value_table([CERTIFICATE], checked).to_dicts()
    assert (row["value"], row["total"], row["weights"]) == ("29/12", 29, 12)
    assert (row["classes"], row["trees"], row["lower bound"]) == (2, 2, "search")
    assert row["gain"] == pytest.approx(100 * (29 / 12) / (21 / 9) - 100, abs=1e-3)
    prior = codemaker.prior_table([CERTIFICATE])
    assert prior["probability"].to_list() == ["1/2", "1/2"]
    assert prior["times uniform"].to_list() == [1.5, 0.75]
    likeliest, other = codemaker.mixture_table([CERTIFICATE]).to_dicts()
    assert (likeliest["probability"], likeliest["opening"], likeliest["max"]) == ("3/4", "11", 2)
    assert (other["max"], other["worst class"]) == (1, round(8 / 3, 4))


def test_the_chart_of_the_devious_codemaker_has_one_player_of_each_kind():
    table = pl.DataFrame(
        {
            "player": ["entropy", "random-consistent", "eGA-seeded"],
            "kind": ["deterministic", "randomised", "randomised"],
            "game": ["mm-4-6"] * 3,
            "mean": [4.4, 4.6, 4.5],
            "devious": [6.0, 6.5, 6.3],
            "exact": [6.0, 6.7, None],
        }
    )
    chart = codemaker.devious_chart(table)
    points = [row for row in rows_of(chart) if "value" in row]
    assert {row["player"] for row in points} == {"entropy (Neuwirth)", "random consistent play"}
    assert (
        "costs entropy (Neuwirth) 1.6 guesses, and random consistent play 2.1"
        in (chart.to_dict()["title"]["subtitle"])
    )
    others = codemaker.devious_chart(table.filter(player="eGA-seeded"))
    assert {row["player"] for row in rows_of(others)} == {"eGA-seeded"}


def run_of(model, bests, criteria=()):
    provenance = {"opening": "12", "genes": 4}
    history = pl.DataFrame({"generation": range(1, len(bests) + 1), "best": bests})
    best = Weights(model, "test", ("0", "1"), np.ones((3, 2)), provenance, criteria)
    return weights.SeedRun(
        model, "orders and weights" if criteria else "weights", 10, history, best
    )


ORDERS = ("renyi-0", "renyi-1", "renyi-2")
RUNS = [
    run_of("stage", [90] * 10 + [80] * 20),
    run_of("stage", [92] * 10 + [84] * 10 + [10] * 10),
    run_of("mixed", [95] * 19 + [70], ORDERS),
    run_of("mixed", [95] * 20, ORDERS),
]


def test_models_are_compared_after_equally_many_evaluations():
    assert weights.evaluation_budget(RUNS) == 200
    criteria = "criteria of the best from its first turn on"
    columns = ("model", "lowest total", "median total", "largest total", criteria)
    compared = weights.compare_runs(RUNS)
    assert weights.families_finding(compared) == "Median totals: stage 82, mixed 82.5"
    assert compared.select(columns).rows() == [
        ("stage", 80, 82.0, 84, "entropy"),
        ("mixed", 70, 82.5, 95, "renyi-1 renyi-2"),
    ]


def test_a_run_without_a_generation_at_the_budget_is_refused():
    wide = replace(RUNS[0], model="wide", population=500)
    with pytest.raises(CodebreakerError, match="a generation of wide has 500 evaluations"):
        weights.compare_runs([*RUNS, wide])


def test_jobs_are_summed_by_rule(tmp_path):
    paths = []
    for name, seconds, cpu_seconds, peak_mib in (
        ("grow_tree/mm-4-6/entropy", 1.5, 1.25, 200.4),
        ("grow_tree/mm-4-6/worst-case", 0.25, 0.0, 150.0),
        ("play_terminals", 4.0, 3.5, 150.0),
    ):
        paths.append(tmp_path / "effort" / f"{name}.json")
        paths[-1].parent.mkdir(parents=True, exist_ok=True)
        took = {"seconds": seconds, "cpu_seconds": cpu_seconds, "peak_mib": peak_mib}
        paths[-1].write_text(json.dumps(took), encoding="utf-8")
    assert [workflow_rule_of(path) for path in paths] == [
        "grow_tree",
        "grow_tree",
        "play_terminals",
    ]
    assert summarise(paths).rows() == [
        ("play_terminals", 1, 4.0, 4.0, 3.5, 150),
        ("grow_tree", 2, 1.8, 1.5, 1.2, 200),
    ]
