"""The tables and the chart of the values of games."""

import polars as pl
import pytest

from codebreaker.report.chapters.codemaker import (
    chance_table,
    chances_chart,
    mixture_table,
    value_table,
)


def certificate(game, sizes, weights, value, least, totals):
    """A certificate of one tree, as `duel.value` writes it."""
    return {
        "game": game,
        "secrets": sum(sizes),
        "value": value,
        "least": least,
        "optimum": 21,
        "classes": [
            {"first": first, "size": size, "weight": weight}
            for first, size, weight in zip(("11", "12"), sizes, weights, strict=True)
        ],
        "trees": [
            {"chance": "1/4", "totals": totals, "tree": {"guess": "12"}},
            {
                "chance": "3/4",
                "totals": totals,
                "tree": {"guess": "11", "after": {"0B-0C": {"guess": "12"}}},
            },
        ],
    }


TOLD = [certificate("mm-2-3", (3, 6), (2, 1), "29/12", 29, [8, 13])]


def test_a_row_of_each_table():
    (row,) = value_table(
        TOLD, pl.DataFrame({"game": ["mm-2-3"], "lower_bound_checked": ["no"]})
    ).to_dicts()
    assert (row["value"], row["total"], row["weights"]) == ("29/12", 29, 12)
    assert (row["classes"], row["trees"], row["lower bound"]) == (2, 2, "search")
    assert row["gain"] == pytest.approx(100 * (29 / 12) / (21 / 9) - 100, abs=1e-3)
    assert chance_table(TOLD)["chance"].to_list() == ["1/2", "1/2"]
    assert chance_table(TOLD)["times equal"].to_list() == [1.5, 0.75]
    likeliest, other = mixture_table(TOLD).to_dicts()
    assert (likeliest["chance"], likeliest["opening"], likeliest["max"]) == ("3/4", "11", 2)
    assert (other["max"], other["worst class"]) == (1, round(8 / 3, 4))


def test_the_chart_shows_each_class_of_mastermind_alone():
    told = [*TOLD, certificate("matches-example", (3, 6), (2, 1), "29/12", 29, [8, 13])]
    drawn = chances_chart(chance_table(told)).to_dict()
    points = [row for rows in drawn["datasets"].values() for row in rows if "class" in row]
    assert [(row["game"], row["class"]) for row in points] == [("mm-2-3", "11"), ("mm-2-3", "12")]
