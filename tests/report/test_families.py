"""The comparison of weights, orders and both."""

import numpy as np
import polars as pl
from test_charts import rows_of

from codebreaker.policies.weights import Weights
from codebreaker.report.chapters.weights import (
    Run,
    compare_runs,
    evaluation_budget,
    families_chart,
    families_page,
)


def run_of(model, bests, criteria=()):
    """A run whose best totals by generation are given."""
    provenance = {"opening": "12", "genes": 4}
    history = pl.DataFrame({"generation": range(1, len(bests) + 1), "best": bests})
    weights = Weights(model, "test", ("0", "1"), np.ones((3, 2)), provenance, criteria)
    return Run(model, "orders and weights" if criteria else "weights", 10, history, weights)


ORDERS = ("renyi-0", "renyi-1", "renyi-2")
RUNS = [
    run_of("stage", [90] * 10 + [80] * 20),
    run_of("stage", [92] * 10 + [84] * 10 + [10] * 10),
    run_of("mixed", [95] * 19 + [70], ORDERS),
    run_of("mixed", [95] * 20, ORDERS),
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
    few = [run_of("stage", [90, 80, 70]), run_of("mixed", [95, 85, 75], ORDERS)]
    assert len(rows_of(families_chart(few))) == 6
