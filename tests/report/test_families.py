"""The comparison of weights, orders and both."""

import numpy as np
import polars as pl

from codebreaker.policies.weights import Weights
from codebreaker.report.chapters.weights import (
    Run,
    compare_runs,
    evaluation_budget,
    families_chart,
    families_page,
)


def run_of(model, genes, bests, criteria=()):
    """A run whose best totals by generation are given."""
    values = np.ones((3, 2))
    provenance = {"opening": "12", "genes": 4}
    history = pl.DataFrame({"generation": range(1, len(bests) + 1), "best": bests})
    weights = Weights(model, "test", ("0", "1"), values, provenance, criteria)
    return Run(model, genes, 10, history, weights)


RUNS = [
    run_of("stage", "weights", [90] * 10 + [80] * 20),
    run_of("stage", "weights", [92] * 10 + [84] * 10 + [10] * 10),
    run_of("mixed", "orders and weights", [95] * 19 + [70], ("renyi-0", "renyi-1", "renyi-2")),
    run_of("mixed", "orders and weights", [95] * 20, ("renyi-0", "renyi-1", "renyi-2")),
]


def test_models_are_compared_after_equally_many_evaluations():
    assert evaluation_budget(RUNS) == 200
    table = compare_runs(RUNS)
    assert table["model"].to_list() == ["stage", "mixed"]
    assert table["least total"].to_list() == [80, 70]
    assert table["median total"].to_list() == [82.0, 82.5]
    assert table["largest total"].to_list() == [84, 95]


def test_criteria_start_at_the_first_turn_with_weights():
    column = "criteria of the best from its first turn on"
    assert compare_runs(RUNS)[column].to_list() == ["entropy", "renyi-1 renyi-2"]


def test_the_text_and_the_chart_state_the_medians():
    table = compare_runs(RUNS)
    assert "Median totals: stage 82, mixed 82.5." in families_page(table, RUNS)
    chart = families_chart(RUNS).to_dict()
    assert "200 evaluations" in chart["title"]["subtitle"]


def test_runs_of_few_generations_are_drawn():
    few = [run_of("stage", "weights", [90, 80, 70]), run_of("mixed", "orders", [95, 85, 75])]
    drawn = families_chart(few).to_dict()["datasets"].values()
    assert sum(len(rows) for rows in drawn) == 6
