"""Deviations of weights from their turn's mean, as in Gür 2025, section 6.2."""

from collections.abc import Mapping

import polars as pl

from codebreaker.policies.strategy import Strategy, recorded_strategy
from codebreaker.policies.weights import Weights, first_turn
from codebreaker.types import Scores

PUBLISHED = "published"
FOUND = "found"
"""Origins of weights: the paper's, and those of this study's searches."""


Strategies = Mapping[tuple[str, str], Strategy]
"""The strategies of weights by origin and model."""


def strategies_of_weights(best: dict[str, Weights]) -> Strategies:
    """Return the strategies of the published weights, and of the `best` weights of each model."""
    return {
        (PUBLISHED, "fixed"): Strategy("fixed-weighted"),
        (PUBLISHED, "stage"): Strategy("stage-weighted", opening="1123"),
        **{(FOUND, model): recorded_strategy(model, weights) for model, weights in best.items()},
    }


def deviations(weights: Weights) -> Scores:
    """Return deviations from the turn's mean in percent, (n_turns, n_feedback)."""
    mean = weights.values.mean(axis=1, keepdims=True)
    percent: Scores = 100.0 * (weights.values / mean - 1.0)
    return percent


def deviation_table(strategies: Strategies) -> pl.DataFrame:
    """Return deviations from the turn's mean in percent; feedback means have no `turn`."""
    rows: list[tuple[str, str, str, int | None, float | None, float]] = []
    for (origin, model), strategy in strategies.items():
        weights, first = weights_played(strategy)
        percent = deviations(weights)
        for column, label in enumerate(weights.feedback_labels):
            for turn in range(first, len(percent) + 1):
                at = (turn - 1, column)
                weight = float(weights.values[at])
                rows.append((origin, model, label, turn, weight, float(percent[at])))
            mean = float(percent[first - 1 :, column].mean())
            rows.append((origin, model, label, None, None, mean))
    schema = {
        "origin": pl.String, "model": pl.String, "feedback": pl.String, "turn": pl.Int64,
        "weight": pl.Float64, "deviation_percent": pl.Float64,
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema, orient="row").with_columns(
        pl.col("deviation_percent").round(2)
    )


def weights_played(strategy: Strategy) -> tuple[Weights, int]:
    """Return a strategy's weights, and the first turn that they affect."""
    assert strategy.weights is not None, "strategies of weights have weights"
    return strategy.weights, first_turn(len(strategy.weights.values), strategy.opening)
