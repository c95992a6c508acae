"""Ablation and rounding of weights, as in Gür 2025, section 6.2."""

import json
from collections.abc import Iterable
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import numpy as np
import polars as pl

from codebreaker.files import checked_read
from codebreaker.games.model import GameModel, TableGame
from codebreaker.optimise.deviations import FOUND, PUBLISHED, Strategies, weights_played
from codebreaker.policies.strategy import recorded_strategy
from codebreaker.policies.weights import Weights
from codebreaker.trees.grow import grow

RANDOM_DRAWS = 20
"""Number of random rows of weights that replace a turn's in the ablation."""

MOST_DIGITS = 6
"""Maximum number of decimals of rounded weights."""


def ablation_table(game: TableGame, strategies: Strategies) -> pl.DataFrame:
    """Return the changes of the total if one turn's weights are uniform, or random in [0.1, 1]."""
    rows = []
    for (origin, model), strategy in strategies.items():
        weights, first = weights_played(strategy)
        turns, columns = weights.values.shape
        before = grow(game, strategy).total_guesses
        for turn in range(first, turns + 1):
            draws = np.random.default_rng(turn).uniform(0.1, 1, (RANDOM_DRAWS, columns))
            uniform, *random = (
                grow(game, strategy.with_weights(weights.with_turn(turn, row))).total_guesses
                - before
                for row in (np.ones(columns), *draws)
            )
            mean = round(float(np.mean(random)), 2)
            rows.append((origin, model, turn, before, uniform, mean, min(random), max(random)))
    columns = (
        *("origin", "model", "turn", "total_guesses", "uniform_change"),
        *("random_mean_change", "random_lowest_change", "random_highest_change"),
    )
    return pl.DataFrame(rows, columns, orient="row")


def compared_with_published(ablation: pl.DataFrame) -> list[str]:
    """Return a line for each model with the published total and this run's, from the ablation."""
    totals = ablation.unique(["origin", "model"], maintain_order=True)
    by_origin = {
        origin: dict(totals.filter(origin=origin).select("model", "total_guesses").iter_rows())
        for origin in (PUBLISHED, FOUND)
    }
    return [
        f"{model}: published {by_origin[PUBLISHED][model]}, this run {total}"
        for model, total in by_origin[FOUND].items()
        if model in by_origin[PUBLISHED]
    ]


def rounding_table(game: TableGame, strategies: Strategies) -> pl.DataFrame:
    """Return the totals of weights rounded to 1 to 6 digits, and whether they keep the total.

    Halves are rounded to the even digit; `total_half_up` is the total if they are rounded up.
    """
    rows = []
    for (origin, model), strategy in strategies.items():
        before = grow(game, strategy).total_guesses
        weights = weights_played(strategy)[0]
        for digits in range(1, MOST_DIGITS + 1):
            total = grow(game, strategy.with_weights(weights.rounded(digits))).total_guesses
            by_hand = strategy.with_weights(_rounded_half_up(weights, digits))
            half_up = grow(game, by_hand).total_guesses
            rows.append((origin, model, digits, total, total - before, total <= before, half_up))
    columns = (
        "origin",
        "model",
        "digits",
        "total_guesses",
        "change",
        "keeps_total",
        "total_half_up",
    )
    return pl.DataFrame(rows, columns, orient="row")


def _rounded_half_up(weights: Weights, digits: int) -> Weights:
    """Return a copy rounded as by hand: `Weights.rounded` rounds 0.85 to 0.8, not to 0.9."""
    smallest = Decimal(1).scaleb(-digits)
    values = np.array(
        [
            [float(Decimal(str(weight)).quantize(smallest, ROUND_HALF_UP)) for weight in row]
            for row in weights.values.tolist()
        ]
    )
    return replace(weights, values=np.clip(values, float(smallest), 1.0))


def seed_table(runs_of_models: dict[str, list[Weights]]) -> pl.DataFrame:
    """Return one row per seed."""
    return pl.DataFrame(
        {
            "model": model,
            "seed": record["seed"],
            "total_guesses": record["total_guesses"],
            "mean_guesses": round(record["total_guesses"] / record["secrets"], 6),
            "generations": record["generations"],
            "restarts": record["restarts"],
        }
        for model, runs in runs_of_models.items()
        for record in (weights.provenance for weights in runs)
    )


def convergence_table(seeds: pl.DataFrame) -> pl.DataFrame:
    """Return the spread of each model's seeds; Gür 2025 claims less than 0.1 %."""
    total = pl.col("total_guesses")
    return seeds.group_by("model", maintain_order=True).agg(
        pl.len().alias("seeds"),
        total.min().alias("lowest_total"),
        total.max().alias("highest_total"),
        (100 * (total.max() - total.min()) / total.min()).round(4).alias("range_percent"),
        (100 * total.std() / total.mean()).round(4).alias("deviation_percent"),
    )


def read_runs(path: str | Path) -> list[Weights]:
    """Read recorded runs, one per line; raise `DamagedFileError` if damaged."""
    with checked_read(path):
        lines = Path(path).read_text(encoding="utf-8").splitlines()
        return [
            Weights(
                name=record["name"],
                source=record["source"],
                feedback_labels=tuple(record["feedback"]),
                values=np.array(record["weights"]),
                provenance=record["provenance"],
                criteria=tuple(record.get("criteria", ())),
            )
            for record in map(json.loads, lines)
        ]


def replay_table(game: GameModel, runs: Iterable[Weights]) -> pl.DataFrame:
    """Return each run's recorded total, and that of the tree that it grows."""
    rows = []
    for weights in runs:
        record = weights.provenance
        if record["game"] == game.name:
            tree = grow(game, recorded_strategy(record["model"], weights))
            opening = game.guesses[tree.guess[0]]
            totals = (record["total_guesses"], tree.total_guesses)
            rows.append((record["model"], record["seed"], opening, *totals))
    columns = ["model", "seed", "opening", "recorded", "replayed"]
    table = pl.DataFrame(rows, columns, orient="row")
    return table.with_columns(agrees=pl.col("recorded") == pl.col("replayed"))
