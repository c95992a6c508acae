"""The cost of strategies' moves: the guesses lost to optimal play, by turn."""

from dataclasses import fields

import altair as alt
import polars as pl

from codebreaker.constants import PAPERS_GAME
from codebreaker.report.charts.style import INK, ON_TILE, Chart, styled
from codebreaker.report.names import name_of
from codebreaker.report.tables import markdown
from codebreaker.trees.io import StrategyKey

NOTE = """The cost of a move is the increase of the total guesses if play is optimal afterwards. The
costs of all moves of a strategy add up to the difference between its total and the least one."""

NEAR, EARLY = 0.02, 3
"""Strategies that lose at most this part of their total are near-optimal; these turns are early."""


def name_strategies(lost: pl.DataFrame) -> pl.DataFrame:
    """Return the table of guesses lost by turn, with the strategies' display names."""
    names = [name_of(row) for row in lost.iter_rows(named=True)]
    key = [field.name for field in fields(StrategyKey)]
    return lost.select(pl.Series("strategy", names), *key, "turn", "lost", "total_guesses")


def finding(table: pl.DataFrame) -> str:
    """Return the share of their lost guesses that near-optimal strategies lose early."""
    rows = table.filter(pl.col("game") == _game(table)).with_columns(
        pl.col("lost").sum().over("tree").alias("sum")
    )
    near = rows.filter(pl.col("sum") <= NEAR * pl.col("total_guesses"))
    early = near.filter(pl.col("turn") <= EARLY)
    share = sum(early["lost"].to_list()) / max(sum(near["lost"].to_list()), 1)
    return (
        f"{share:.0%} of the guesses that near-optimal strategies lose to optimal play "
        f"are lost by turn {EARLY}"
    )


def to_markdown(table: pl.DataFrame) -> str:
    """Return the table as Markdown, one column per turn."""
    wide = table.pivot("turn", index=["game", "strategy", "total_guesses"], values="lost")
    turns = sorted((name for name in wide.columns if name.isdigit()), key=int)
    shown = wide.select(
        "game",
        "strategy",
        pl.col("total_guesses").alias("total"),
        pl.sum_horizontal(turns).alias("lost"),
        *turns,
    )
    return markdown.page("Cost of moves", f"{finding(table)} ({_game(table)}).", shown, NOTE)


def chart(table: pl.DataFrame) -> Chart:
    """Draw the guesses that each strategy loses to optimal play, by turn."""
    game = _game(table)
    rows = table.filter(pl.col("game") == game)
    order = rows["strategy"].unique(maintain_order=True).to_list()
    sums = rows.group_by("strategy", maintain_order=True).agg(
        pl.lit("total").alias("where"), pl.col("lost").sum()
    )
    base = (
        alt.Chart(rows.filter(pl.col("lost") > 0))
        .encode(
            y=alt.Y("strategy:N", sort=order, title=None, scale=alt.Scale(domain=order)),
            x=alt.X("turn:O", title="lost at turn").axis(
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
    totals = (
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
        alt.hconcat(tiles + numbers, totals, spacing=0),
        finding(table),
        f"{game}: guesses lost to optimal play over all secrets, by turn",
    )


def _game(table: pl.DataFrame) -> str:
    games = table["game"].unique(maintain_order=True).to_list()
    return PAPERS_GAME if PAPERS_GAME in games else str(games[0])
