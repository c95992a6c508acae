"""The tables and the chart of the values of games."""

import polars as pl
import pytest
from test_charts import rows_of

from codebreaker.report.chapters.codemaker import (
    chance_table,
    chances_chart,
    mixture_table,
    value_table,
)

CERTIFICATE = {
    "game": "mm-2-3",
    "secrets": 9,
    "value": "29/12",
    "least": 29,
    "optimum": 21,
    "classes": [
        {"first": "11", "size": 3, "weight": 2},
        {"first": "12", "size": 6, "weight": 1},
    ],
    "trees": [
        {"chance": "1/4", "totals": [8, 13], "tree": {"guess": "12"}},
        {
            "chance": "3/4",
            "totals": [8, 13],
            "tree": {"guess": "11", "after": {"0B-0C": {"guess": "12"}}},
        },
    ],
}
"""A certificate as `duel.value` writes it."""

TOLD = [CERTIFICATE]


def test_a_row_of_each_table():
    checked = pl.DataFrame({"game": ["mm-2-3"], "lower_bound_checked": ["no"]})
    (row,) = value_table(TOLD, checked).to_dicts()
    assert (row["value"], row["total"], row["weights"]) == ("29/12", 29, 12)
    assert (row["classes"], row["trees"], row["lower bound"]) == (2, 2, "search")
    assert row["gain"] == pytest.approx(100 * (29 / 12) / (21 / 9) - 100, abs=1e-3)
    assert chance_table(TOLD)["chance"].to_list() == ["1/2", "1/2"]
    assert chance_table(TOLD)["times equal"].to_list() == [1.5, 0.75]
    likeliest, other = mixture_table(TOLD).to_dicts()
    assert (likeliest["chance"], likeliest["opening"], likeliest["max"]) == ("3/4", "11", 2)
    assert (other["max"], other["worst class"]) == (1, round(8 / 3, 4))


def test_the_chart_shows_each_class_of_mastermind_alone():
    told = [*TOLD, CERTIFICATE | {"game": "matches-example"}]
    points = [row for row in rows_of(chances_chart(chance_table(told))) if "class" in row]
    assert [(row["game"], row["class"]) for row in points] == [("mm-2-3", "11"), ("mm-2-3", "12")]
