"""What the moves of strategies cost: at which turns guesses are lost to optimal play."""

from typing import Any

import altair as alt
import polars as pl

from codebreaker.report.charts.style import INK, ON_TILE, styled
from codebreaker.report.names import name_of
from codebreaker.report.tables import markdown

NOTE = """A move costs what the total guesses grow by it, if play is optimal from there on. The
costs of all moves of a strategy add up to its total less the least one."""

GAME = "mm-4-6"

NEAR, EARLY = 0.02, 3
"""A strategy near the optimum loses at most this part of its total; up to this guess is early."""


def name_strategies(lost: pl.DataFrame) -> pl.DataFrame:
    """Return the table of guesses lost by turn, with the strategies' names."""
    names = [name_of(row) for row in lost.iter_rows(named=True)]
    return lost.with_columns(pl.Series("strategy", names)).select(
        "game", "strategy", "policy", "turn", "lost", "total_guesses", "tree"
    )


def finding(table: pl.DataFrame) -> str:
    """Return at which turns strategies that come near the optimum lose their guesses."""
    told = table.filter(pl.col("game") == _game(table)).with_columns(
        pl.col("lost").sum().over("tree").alias("in all")
    )
    near = told.filter(pl.col("in all") <= NEAR * pl.col("total_guesses"))
    early = near.filter(pl.col("turn") <= EARLY)
    share = sum(early["lost"].to_list()) / max(sum(near["lost"].to_list()), 1)
    return (
        f"{share:.0%} of what the better strategies lose to optimal play, "
        f"they lose by guess {EARLY}"
    )


def to_markdown(table: pl.DataFrame) -> str:
    """Return the table for people to read, a column a turn."""
    wide = table.pivot("turn", index=["game", "strategy", "total_guesses"], values="lost")
    turns = sorted((name for name in wide.columns if name.isdigit()), key=int)
    shown = wide.select(
        "game",
        "strategy",
        pl.col("total_guesses").alias("total"),
        pl.sum_horizontal(turns).alias("lost"),
        *turns,
    )
    return (
        f"# What moves cost\n\n{finding(table)} ({_game(table)}).\n\n"
        f"{markdown.frame_table(shown)}\n\n{NOTE}"
    )


def chart(table: pl.DataFrame) -> Any:  # noqa: ANN401
    """Draw the guesses that each strategy loses, by the turn at which it loses them."""
    game = _game(table)
    told = table.filter(pl.col("game") == game)
    order = told["strategy"].unique(maintain_order=True).to_list()
    sums = told.group_by("strategy", maintain_order=True).agg(
        pl.lit("in all").alias("where"), pl.col("lost").sum()
    )
    base = (
        alt.Chart(told.filter(pl.col("lost") > 0))
        .encode(
            y=alt.Y("strategy:N", sort=order, title=None, scale=alt.Scale(domain=order)),
            x=alt.X("turn:O", title="lost at guess").axis(
                labelAngle=0, orient="top", grid=False, domain=False, ticks=False
            ),
            tooltip=["strategy", "turn", "lost", "total_guesses"],
        )
        .properties(width=alt.Step(58), height=alt.Step(22))
    )
    scale = alt.Scale(scheme="blues", type="symlog", domainMin=0)
    tiles = base.mark_rect(stroke="white", strokeWidth=2).encode(
        color=alt.Color("lost:Q", legend=None, scale=scale)
    )
    dark = f"datum.lost > {float(sums['lost'].max()) / 60:.0f}"  # type: ignore[arg-type]
    numbers = base.mark_text().encode(
        text="lost:Q", color=alt.condition(dark, alt.value("white"), alt.value(ON_TILE))
    )
    in_all = (
        alt.Chart(sums)
        .mark_text(align="right", fontWeight="bold", color=INK, dx=14)
        .encode(
            y=alt.Y("strategy:N", sort=order, axis=None, scale=alt.Scale(domain=order)),
            x=alt.X("where:N", title=None).axis(
                labelAngle=0, orient="top", domain=False, ticks=False
            ),
            text="lost:Q",
        )
        .properties(width=60, height=alt.Step(22))
    )
    return styled(
        alt.hconcat(tiles + numbers, in_all, spacing=0),
        finding(table),
        f"{game}: guesses over all secrets that a strategy loses to optimal play, by its turn",
    )


def _game(table: pl.DataFrame) -> str:
    games = table["game"].unique(maintain_order=True).to_list()
    return GAME if GAME in games else str(games[0])
