"""Chart of mean guesses and secrets won within a given number of rounds."""

from typing import Any

import altair as alt
import polars as pl

from codebreaker.constants import PAPERS_GAME
from codebreaker.report.charts.style import INK, Chart, policy_scale, styled
from codebreaker.report.names import name_of

NEAR = 0.02
"""Strategies whose totals exceed the least one by more than this part are not drawn."""


def chart(frontier: pl.DataFrame, strategies: pl.DataFrame, game: str = PAPERS_GAME) -> Chart:
    """Draw the strategies by mean and by secrets won, and the frontier, one panel per rounds."""
    points = frontier.filter(pl.col("game") == game, pl.col("rounds") > 1)
    least = min(points["total"].to_list())
    drawn = pl.concat([_strategies(strategies, game, least, points), _as_drawn(points)])
    chosen = [name for name in drawn["policy"].unique().sort() if name != FRONTIER]
    x = alt.X("mean:Q", title="mean guesses", scale=alt.Scale(zero=False, padding=10)).axis(
        format=".2f", tickCount=5
    )
    y = alt.Y("won:Q", title="secrets won", scale=alt.Scale(zero=False, padding=12)).axis(
        format="d"
    )
    tooltip: list[Any] = ["strategy", "rounds", "won", "total", alt.Tooltip("mean:Q", format=".4f")]
    base = alt.Chart().encode(x=x, y=y, tooltip=tooltip)
    dots = (
        base.mark_circle(size=70, opacity=0.9)
        .transform_filter(alt.datum.policy != FRONTIER)
        .encode(
            color=alt.Color(
                "policy:N",
                title=None,
                scale=policy_scale(chosen),
                legend=alt.Legend(labelLimit=240),
            )
        )
    )
    edge = base.transform_filter(alt.datum.policy == FRONTIER).encode(order="total:Q")
    panels = (edge.mark_line(color=INK, strokeWidth=1.5) + edge.mark_point(
        shape="diamond", filled=True, size=60, color=INK, opacity=1
    ) + dots).properties(width=330, height=230)  # fmt: skip
    most = {row["rounds"]: row["won"] for row in points.sort("won").iter_rows(named=True)}
    secrets = points["secrets"][0]
    told = ", ".join(f"{most[rounds]} within {rounds}" for rounds in sorted(most))
    return styled(
        panels.facet(
            facet=alt.Facet("panel:N", title=None), columns=2, data=drawn, spacing=24
        ).resolve_scale(y="independent"),
        f"Of {secrets} secrets, at most {told} guesses can be won",
        f"{game}: strategies within {NEAR:.0%} of the least total; the line is the proven frontier",
    )


FRONTIER = "frontier"


def _as_drawn(points: pl.DataFrame) -> pl.DataFrame:
    """Return points with the columns of the chart."""
    return points.select(
        _panel(),
        "rounds",
        "won",
        "total",
        (pl.col("total") / pl.col("secrets")).alias("mean"),
        pl.lit(FRONTIER).alias("policy"),
        pl.lit("on the frontier").alias("strategy"),
    )


def _panel() -> pl.Expr:
    return pl.format("within {} guesses", "rounds").alias("panel")


def _strategies(
    strategies: pl.DataFrame, game: str, least: int, points: pl.DataFrame
) -> pl.DataFrame:
    """Return a game's strategies near the least total, once for each number of rounds."""
    near = strategies.filter(
        pl.col("game") == game, pl.col("total_guesses") <= (1 + NEAR) * least
    ).with_columns(pl.col("profile").str.split(" ").cast(pl.List(pl.Int64)))
    names = pl.Series("strategy", [name_of(row) for row in near.iter_rows(named=True)])
    rounds = points.select("rounds").unique().sort("rounds")
    return (
        near.with_columns(names)
        .join(rounds.rename({"rounds": "within"}), how="cross")
        .select(
            pl.format("within {} guesses", "within").alias("panel"),
            pl.col("within").alias("rounds"),
            pl.col("profile").list.head(pl.col("within")).list.sum().alias("won"),
            pl.col("total_guesses").alias("total"),
            pl.col("mean_guesses").alias("mean"),
            "policy",
            "strategy",
        )
    )
