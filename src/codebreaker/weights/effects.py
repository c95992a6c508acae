"""Published and found weights: deviations, ablation and rounding, as in Gür 2025, section 6.2."""

from collections.abc import Mapping

import numpy as np
import polars as pl

from codebreaker.games.model import TableGame
from codebreaker.policies.strategy import Strategy, recorded_strategy
from codebreaker.policies.weights import Weights, first_turn
from codebreaker.trees.grow import grow
from codebreaker.types import Scores

RANDOM_DRAWS = 20
MOST_DIGITS = 6


PUBLISHED, FOUND = "published", "found"
"""The origins of weights."""

Policies = Mapping[tuple[str, str], Strategy]
"""The policies of weights by origin and model, the first two columns of the tables."""


def policies_of(found: dict[str, Weights]) -> Policies:
    """Return the policies to analyse: the published weights, and the best of each model."""
    return {
        (PUBLISHED, "fixed"): Strategy("fixed-weighted"),
        (PUBLISHED, "stage"): Strategy("stage-weighted", opening="1123"),
        **{(FOUND, model): recorded_strategy(model, weights) for model, weights in found.items()},
    }


def deviations(weights: Weights) -> Scores:
    """Return each weight's deviation from its turn's mean in percent, (n_turns, n_feedback)."""
    mean = weights.values.mean(axis=1, keepdims=True)
    percent: Scores = 100.0 * (weights.values / mean - 1.0)
    return percent


def deviation_table(policies: Policies) -> pl.DataFrame:
    """Return each weight's deviation from its turn's mean in percent, and feedback means.

    There is one row per weight; `turn` is null for a feedback's mean over the turns with weights.
    """
    rows: list[tuple[str, str, str, int | None, float | None, float]] = []
    for (origin, model), policy in policies.items():
        weights = _weights(policy)
        percent, first = deviations(weights), _first_turn(policy)
        for column, label in enumerate(weights.feedback_labels):
            for turn in range(first, len(percent) + 1):
                value = float(weights.values[turn - 1, column])
                deviation = float(percent[turn - 1, column])
                rows.append((origin, model, label, turn, value, deviation))
            mean = float(percent[first - 1 :, column].mean())
            rows.append((origin, model, label, None, None, mean))
    schema = {
        "origin": pl.String,
        "model": pl.String,
        "feedback": pl.String,
        "turn": pl.Int64,
        "weight": pl.Float64,
        "deviation_percent": pl.Float64,
    }
    return pl.DataFrame(rows, schema=schema, orient="row").with_columns(
        pl.col("deviation_percent").round(2)
    )


def _weights(policy: Strategy) -> Weights:
    assert policy.weights is not None, "policies of weights have weights"
    return policy.weights


def _first_turn(policy: Strategy) -> int:
    return first_turn(len(_weights(policy).values), policy.opening)


def ablation_table(game: TableGame, policies: Policies) -> pl.DataFrame:
    """Return the change of the total when one turn's weights become uniform or random.

    Random weights are drawn uniformly from [0.1, 1], the same for all policies.
    """
    rows = []
    for (origin, model), policy in policies.items():
        weights = _weights(policy)
        before = grow(game, policy).total_guesses
        for turn in range(_first_turn(policy), len(weights.values) + 1):
            draws = np.random.default_rng(turn).uniform(
                0.1, 1, (RANDOM_DRAWS, weights.values.shape[1])
            )
            uniform = _total_with(game, policy, turn, np.ones(weights.values.shape[1]))
            random = [_total_with(game, policy, turn, row) for row in draws]
            rows.append(
                {
                    "origin": origin,
                    "model": model,
                    "turn": turn,
                    "total_guesses": before,
                    "uniform_change": uniform - before,
                    "random_mean_change": round(float(np.mean(random)) - before, 2),
                    "random_least_change": min(random) - before,
                    "random_most_change": max(random) - before,
                }
            )
    return pl.DataFrame(rows)


def _total_with(game: TableGame, policy: Strategy, turn: int, row: Scores) -> int:
    changed = policy.with_weights(_weights(policy).with_turn(turn, row))
    return grow(game, changed).total_guesses


def rounding_table(game: TableGame, policies: Policies) -> pl.DataFrame:
    """Return the totals of weights rounded to 1 to 6 digits, and whether they keep the total."""
    rows = []
    for (origin, model), policy in policies.items():
        weights = _weights(policy)
        before = grow(game, policy).total_guesses
        for digits in range(1, MOST_DIGITS + 1):
            rounded = policy.with_weights(weights.rounded(digits))
            total = grow(game, rounded).total_guesses
            rows.append(
                {
                    "origin": origin,
                    "model": model,
                    "digits": digits,
                    "total_guesses": total,
                    "change": total - before,
                    "keeps_total": total <= before,
                }
            )
    return pl.DataFrame(rows)


def seed_table(found: dict[str, list[Weights]]) -> pl.DataFrame:
    """Return the results of each model's seeds, one row per seed."""
    return pl.DataFrame(
        [
            {
                "model": model,
                "seed": int(one.provenance["seed"]),
                "total_guesses": int(one.provenance["total_guesses"]),
                "mean_guesses": round(
                    one.provenance["total_guesses"] / one.provenance["secrets"], 6
                ),
                "generations": int(one.provenance["generations"]),
                "restarts": int(one.provenance["restarts"]),
            }
            for model, runs in found.items()
            for one in runs
        ]
    )


def convergence_table(seeds: pl.DataFrame) -> pl.DataFrame:
    """Return the spread of each model's seeds; Gür 2025 claims less than 0.1 %."""
    total = pl.col("total_guesses")
    return seeds.group_by("model", maintain_order=True).agg(
        pl.len().alias("seeds"),
        total.min().alias("least_total"),
        total.max().alias("most_total"),
        (100 * (total.max() - total.min()) / total.min()).round(4).alias("range_percent"),
        (100 * total.std() / total.mean()).round(4).alias("deviation_percent"),
    )
