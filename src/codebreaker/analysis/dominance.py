"""Pareto-optimal strategies: mean against maximum guesses."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from codebreaker.analysis.metrics import OPTIMAL
from codebreaker.errors import CodebreakerError

OPTIMA, REGISTERED, PLAYERS = "exact optima", "published and recorded", "random players"
"""The families of strategies that no sweep grows."""

PLAYED = {
    "player": pl.String,
    "contest": pl.String,
    "mean_guesses": pl.Float64,
    "max_guesses": pl.Int64,
}
"""The columns of players."""


def pareto_optimal(means: Sequence[float], maxima: Sequence[int]) -> NDArray[np.bool_]:
    """Return whether each strategy is Pareto-optimal in mean and maximum, (n,) bool.

    A strategy dominates another if it is no worse in both and better in one; strategies that are
    equal in both don't dominate each other.
    """
    mean, most = np.asarray(means, dtype=np.float64), np.asarray(maxima, dtype=np.int64)
    optimal = np.zeros(len(mean), dtype=bool)
    least = np.inf
    for maximum in np.unique(most).tolist():
        here = most == maximum
        best = float(mean[here].min())
        if best < least:
            optimal[here] = mean[here] == best
            least = best
    return optimal


def all_strategies(
    sweep: pl.DataFrame, strategies: pl.DataFrame, players: Sequence[dict[str, Any]], game: str
) -> pl.DataFrame:
    """Return all strategies of a game, with their `family` and whether each is on the `frontier`.

    A row keeps the columns that identify it, those of `strategies`, of `sweep` or `player` and
    `contest`; the others are null. `players` are expected results of `players.io` or rows of a
    contest's summary: they have no tree and no total, and the maximum of a contest is that of the
    games played.
    """
    grown = strategies.filter(pl.col("game") == game)
    if grown.is_empty():
        raise CodebreakerError(f"no strategy of {game} was grown: grow at least one", "strategies")
    is_optimum = pl.col("policy") == OPTIMAL
    family = pl.when(is_optimum).then(pl.lit(OPTIMA)).otherwise(pl.lit(REGISTERED))
    played = pl.DataFrame(list(players), schema=PLAYED).with_columns(
        pl.lit(PLAYERS).alias("family")
    )
    together = pl.concat(
        [grown.with_columns(family.alias("family")), sweep, played], how="diagonal"
    )
    optimal = pareto_optimal(together["mean_guesses"].to_list(), together["max_guesses"].to_list())
    return together.with_columns(pl.Series("frontier", optimal))


def frontier_table(points: pl.DataFrame) -> pl.DataFrame:
    """Return the Pareto-optimal strategies, the least mean first; `strategy` is each one's name."""
    return (
        points.filter("frontier")
        .unique(["family", "strategy"], keep="first", maintain_order=True)
        .sort("mean_guesses", "max_guesses", "family", "strategy")
        .select(
            "strategy",
            "family",
            pl.col("total_guesses").alias("total"),
            pl.col("mean_guesses").round(4).alias("mean"),
            pl.col("max_guesses").alias("max"),
        )
    )


def family_table(points: pl.DataFrame) -> pl.DataFrame:
    """Return each family's size, distinct trees and least means.

    The last column is the least mean among strategies with the least maximum of all.
    """
    least_max = min(points["max_guesses"].to_list())
    return (
        points.sort("mean_guesses", "max_guesses", "strategy")
        .group_by("family", maintain_order=True)
        .agg(
            pl.len().alias("policies"),
            pl.col("tree").drop_nulls().n_unique().alias("different trees"),
            pl.col("strategy").first().alias("best"),
            pl.col("mean_guesses").first().round(4).alias("least mean"),
            pl.col("max_guesses").first().alias("its max"),
            pl.col("mean_guesses")
            .filter(pl.col("max_guesses") == least_max)
            .min()
            .round(4)
            .alias(f"least mean with max {least_max}"),
        )
        .sort("least mean", "family")
    )
