"""Statements on Table 3 of Gür 2025, by decimals of its printed cells."""

import csv
from dataclasses import replace
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

import numpy as np
import pytest
from conftest import ROOT, game_called

from codebreaker.optimise.deviations import strategies_of_weights
from codebreaker.optimise.effects import rounding_table
from codebreaker.trees.grow import grow

PUBLISHED = ROOT / "src" / "codebreaker" / "data" / "published"


def table_3():
    """Return the weights, and the printed deviations, by turn and feedback."""
    with (PUBLISHED / "gur-2025-table-3.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    weights = {}
    printed = {}
    for turn in range(1, 7):
        weights[turn] = {row["feedback"]: Decimal(row[f"turn {turn}"]) for row in rows}
        printed[turn] = {row["feedback"]: row[f"turn {turn} deviation"] for row in rows}
    return weights, printed


WEIGHTS, PRINTED = table_3()


def differing(weights, printed, mean):
    """Return the feedback whose deviation from a mean, rounded half up, is not as printed."""
    different = set()
    for feedback, weight in weights.items():
        percent = (100 * (weight / mean - 1)).quantize(Decimal(1), ROUND_HALF_UP)
        if int(printed[feedback].removesuffix("%")) != percent:
            different.add(feedback)
    return different


def test_three_deviations_differ_and_one_fits_a_rounded_mean():
    means = {turn: sum(row.values()) / len(row) for turn, row in WEIGHTS.items()}
    exact = {turn: differing(WEIGHTS[turn], PRINTED[turn], means[turn]) for turn in means}
    assert exact == {1: {"0B-2C"}, 2: {"0B-0C"}, 3: {"0B-0C"}, 4: set(), 5: set(), 6: set()}
    hundredth = Decimal("0.01")
    rounded = {
        turn: differing(WEIGHTS[turn], PRINTED[turn], mean.quantize(hundredth, ROUND_HALF_UP))
        for turn, mean in means.items()
    }
    assert rounded[1] == set()
    assert all(len(rounded[turn]) > len(exact[turn]) for turn in (2, 3, 5, 6))


@pytest.mark.parametrize(
    ("rounding", "column", "total"),
    [(ROUND_HALF_EVEN, "total_guesses", 5642), (ROUND_HALF_UP, "total_half_up", 5653)],
)
def test_with_one_digit_the_total_depends_on_how_halves_are_rounded(rounding, column, total):
    game = game_called("mm-4-6")
    stage = strategies_of_weights({})["published", "stage"]
    tenth = Decimal("0.1")
    rows = [
        [weight.quantize(tenth, rounding) for weight in row.values()] for row in WEIGHTS.values()
    ]
    rounded = replace(stage.weights, values=np.array(rows, dtype=float))
    assert grow(game, stage.with_weights(rounded)).total_guesses == total
    table = rounding_table(game, {("published", "stage"): stage})
    assert table.filter(digits=1)[column].to_list() == [total]
