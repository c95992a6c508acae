"""The cost of strategies' moves: the guesses lost to optimal play, by turn."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl

from codebreaker.constants import PAPERS_GAME
from codebreaker.files import read_frame
from codebreaker.policies.strategy import COLUMNS
from codebreaker.report.chapters import Files
from codebreaker.report.chapters.strategies import FAR, KNOWN, ROOM
from codebreaker.report.names import SPOKEN, name_of, notation_of
from codebreaker.report.style import INK, TURN_COLOURS, Chart, by, save, styled
from codebreaker.report.tables import markdown_page, write_table
from codebreaker.trees.metrics import OPTIMAL, read_strategies


def lost_by_turn(prices: Mapping[str, pl.DataFrame], strategies: pl.DataFrame) -> pl.DataFrame:
    """Return the strategies' rows, one per turn, with `turn` and the guesses `lost` at it.

    `prices` are frames of `advice.regret.regrets_frame` for all trees of a game, by game.
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


NOTE = """The cost of a move is the increase of the total guesses if play is optimal afterwards. The
costs of all moves of a strategy add up to the difference between its total and the least one."""

NEAR, EARLY = 0.02, 3
"""Strategies that lose at most this part of their total are near-optimal; these turns are early."""


def name_strategies(lost: pl.DataFrame) -> pl.DataFrame:
    """Return the table of guesses lost by turn, with the strategies' display names."""
    names = [name_of(row) for row in lost.iter_rows(named=True)]
    return lost.select(pl.Series("strategy", names), *COLUMNS, "turn", "lost", "total_guesses")


def moves_finding(table: pl.DataFrame) -> str:
    """Return the share of their lost guesses that near-optimal strategies lose early."""
    rows = table.filter(pl.col("game") == _game(table)).with_columns(
        pl.col("lost").sum().over("tree").alias("sum")
    )
    near = rows.filter(pl.col("sum") <= NEAR * pl.col("total_guesses"))
    early = near.filter(pl.col("turn") <= EARLY)
    lost = sum(near["lost"].to_list())
    if not lost:
        return "No near-optimal strategy loses guesses to optimal play"
    return (
        f"{sum(early['lost'].to_list()) / lost:.0%} of the guesses that near-optimal strategies "
        f"lose to optimal play are lost by turn {EARLY}"
    )


def moves_page(table: pl.DataFrame) -> str:
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
    return markdown_page("Cost of moves", f"{moves_finding(table)} ({_game(table)}).", shown, NOTE)


def moves_chart(table: pl.DataFrame) -> Chart:
    """Draw the guesses that the known strategies lose to optimal play, by turn, as stacked bars."""
    rows = drawn_moves(table)
    sums = rows.group_by("name", maintain_order=True).agg(pl.col("lost").sum())
    y = by.y("name:N", None, sort=sums.sort("lost", "name")["name"].to_list())
    turns = dict(zip(sorted(rows["turn"].unique().to_list()), TURN_COLOURS, strict=False))
    most = max(ROOM * max(sums["lost"].to_list()), 1)
    axis: dict[str, Any] = {"domain": [0, most], "nice": False, "tickCount": 6}
    bars = alt.Chart(rows).mark_bar(height={"band": 0.7})
    bars = bars.encode(
        y=y,
        x=by.x("lost:Q", "guesses lost over all secrets", **axis),
        color=by.colour("turn:O", "at guess", each=turns),
        order="turn:O",
        tooltip=["strategy", "turn", "lost", "total_guesses"],
    )
    totals = alt.Chart(sums).mark_text(align="left", dx=6, color=INK)
    totals = totals.encode(y=y, x="lost:Q", text=alt.Text("lost:Q", format=","))
    return styled(
        (bars + totals).properties(width=620, height=alt.Step(28)),
        "Guesses that strategies lose to optimal play, by turn",
        f"{notation_of(_game(table))}: guesses lost to optimal play over all secrets, by turn",
    )


def drawn_moves(table: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of the strategies that the chart shows, with their names in words.

    They are the known ones as they are usually played, if they lose little enough, or all of the
    game if none is known; turns without a loss are left out.
    """
    rows = table.filter(pl.col("game") == _game(table), pl.col("policy") != OPTIMAL)
    few = pl.col("lost").sum().over("tree") <= FAR * pl.col("total_guesses")
    known = rows.filter(KNOWN, ~pl.col("forced"), few)
    name = pl.col("strategy") if known.is_empty() else pl.col("policy").replace(SPOKEN)
    shown = (rows if known.is_empty() else known).with_columns(name.alias("name"))
    with_loss = shown.filter(pl.col("lost") > 0)
    return with_loss if with_loss.height else shown


def _game(table: pl.DataFrame) -> str:
    games = table["game"].unique(maintain_order=True).to_list()
    return PAPERS_GAME if PAPERS_GAME in games else str(games[0])


def compare_moves(inputs: Files, output: Files, params: Files) -> str:
    """Tabulate and draw the turns at which strategies lose guesses to optimal play."""
    prices = {Path(path).parent.name: read_frame(path) for path in inputs.prices}
    table = name_strategies(lost_by_turn(prices, read_strategies(inputs.strategies)))
    write_table(table, moves_page(table), output.tables)
    save(moves_chart(table), output.figures[0], params.png_scale)
    return moves_finding(table)
