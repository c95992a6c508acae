"""Chart of players and strategies against a devious codemaker, and against a random secret."""

import altair as alt
import polars as pl

from codebreaker.report.charts.style import SERIES, Chart, styled
from codebreaker.report.tables.devious import DRAWS

RANDOM, DEVIOUS = "a random secret", "a devious codemaker"
COLOURS = {RANDOM: SERIES, DEVIOUS: "#b2334f"}

STRATEGIES = (
    *("first-consistent", "worst-case", "expected-size", "entropy", "most-parts"),
    *("optimal", "optimal, at most 5"),
)
"""The strategies that are drawn beside the players, by name."""


def finding(table: pl.DataFrame) -> str:
    """Return the player that draws and takes fewest guesses, and the one that takes most."""
    players = expected(table).filter(pl.col("kind") == DRAWS).sort("devious", "player")
    best, worst = players.row(0, named=True), players.row(-1, named=True)
    return (
        f"A devious codemaker makes {worst['player']} take {worst['devious']:.2f} guesses, and "
        f"{best['player']} {best['devious']:.2f}"
    )


def expected(table: pl.DataFrame) -> pl.DataFrame:
    """Return the table with exact expectations, where there are any, in place of means of games."""
    return table.with_columns(pl.coalesce("exact", "devious").alias("devious"))


def chart(table: pl.DataFrame) -> Chart:
    """Draw each player's guesses against both codemakers, joined by a line."""
    shown = expected(table).filter((pl.col("kind") == DRAWS) | pl.col("player").is_in(STRATEGIES))
    rows = shown.rename({"mean": RANDOM, "devious": DEVIOUS})
    order = rows.sort(DEVIOUS, RANDOM)["player"].to_list()
    y = alt.Y("player:N", title=None, sort=order)
    joined = (
        alt.Chart(rows)
        .mark_rule(strokeWidth=1.5, opacity=0.5)
        .encode(
            y=y,
            x=alt.X(f"{RANDOM}:Q", title="guesses", scale=alt.Scale(zero=False, nice=True)),
            x2=f"{DEVIOUS}:Q",
        )
    )
    names = list(COLOURS)
    dots = (
        alt.Chart(rows.unpivot(names, index=["player", "kind"], variable_name="against"))
        .mark_point(filled=True, size=70, opacity=1)
        .encode(
            y=y,
            x="value:Q",
            color=alt.Color(
                "against:N",
                title="against",
                scale=alt.Scale(domain=names, range=list(COLOURS.values())),
            ),
            shape=alt.Shape("kind:N", title="player"),
            tooltip=["player", "kind", "against", alt.Tooltip("value:Q", format=".3f")],
        )
    )
    return styled(
        (joined + dots).properties(width=520, height={"step": 20}),
        finding(table),
        f"{shown['game'][0]}: mean guesses against a random secret, and expected guesses against a "
        "codemaker who answers so as to delay",
    )
