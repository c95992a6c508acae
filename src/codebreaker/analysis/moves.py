"""The guesses that strategies lose to optimal play, by turn."""

from collections.abc import Mapping

import polars as pl


def lost_by_turn(prices: Mapping[str, pl.DataFrame], strategies: pl.DataFrame) -> pl.DataFrame:
    """Return the strategies' rows, one per turn, with `turn` and the guesses `lost` at it.

    `prices` are frames of `exact.prices.prices_frame` for all trees of a game, by game.
    """
    lost = pl.concat(
        frame.group_by(pl.col("tree").cast(pl.String), "turn")
        .agg(pl.col("cost").sum().alias("lost"))
        .with_columns(pl.lit(game).alias("game"))
        for game, frame in prices.items()
    )
    return lost.join(strategies, on=["game", "tree"]).sort(
        "game", "total_guesses", "max_guesses", "tree", "turn"
    )
