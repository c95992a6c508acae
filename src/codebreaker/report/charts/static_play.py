"""Chart of guesses that are all made at once, beside play with answers and published figures."""

from typing import Any

import altair as alt
import polars as pl

from codebreaker.report.charts.style import INK, SERIES, Chart, styled

AT_ONCE, PUBLISHED, ANSWERED = "all at once", "published", "one by one"
COLOURS = {AT_ONCE: SERIES, PUBLISHED: INK, ANSWERED: "#c68900"}
MARKS: dict[str, dict[str, Any]] = {
    AT_ONCE: {"size": 55},
    PUBLISHED: {"size": 150},
    ANSWERED: {"size": 300, "strokeWidth": 2.5},
}
FILLS, SHAPES = [SERIES, "transparent", "transparent"], ["circle", "circle", "stroke"]
"""The published figures are rings around the dots, and play with answers a short line."""


def finding(table: pl.DataFrame) -> str:
    """Return what the largest game takes at once and one by one, as far as both are known."""
    known = table.filter(pl.col("with answers").is_not_null())
    if known.is_empty():
        return f"the fewest guesses at once, of {table.height} games"
    row = known.sort("secrets", "game").row(-1, named=True)
    return (
        f"{row['game']} takes {row['to win']} guesses if all but the last are made at once, and "
        f"{row['with answers']} one by one"
    )


def chart(table: pl.DataFrame) -> Chart:
    """Draw the guesses to win by the number of colours, one panel per family and pegs."""
    sizes = table.filter(pl.col("game").str.contains(r"^[a-z]+-\d+-\d+$")).with_columns(
        pl.col("game").str.extract(r"^(.*)-\d+$").alias("kind"),
        pl.col("game").str.extract(r"-(\d+)$").cast(pl.Int64).alias("colours"),
        (pl.col("published") + 1).alias(PUBLISHED),
        pl.col("to win").alias(AT_ONCE),
        pl.col("with answers").alias(ANSWERED),
    )
    several = sizes.filter(pl.len().over("kind") > 1)
    rows = several.unpivot(
        [PUBLISHED, ANSWERED, AT_ONCE],
        index=["game", "kind", "colours"],
        variable_name="play",
        value_name="most",
    ).drop_nulls()
    stroke, fill, shape = (
        alt.Scale(domain=list(COLOURS), range=values)
        for values in (list(COLOURS.values()), FILLS, SHAPES)
    )
    base = alt.Chart().encode(
        x=alt.X("colours:O", title="colours", axis=alt.Axis(labelAngle=0)),
        y=alt.Y("most:Q", title="guesses to win").axis(tickMinStep=1),
        stroke=alt.Stroke("play:N", title=None, scale=stroke),
        fill=alt.Fill("play:N", title=None, scale=fill),
        shape=alt.Shape("play:N", title=None, scale=shape),
        tooltip=["game", "play", "most"],
    )
    marks = [
        base.transform_filter(alt.datum.play == play).mark_point(opacity=1, **MARKS[play])
        for play in COLOURS
    ]
    panels = alt.layer(*marks).properties(width=230, height=170)
    return styled(
        panels.facet(facet=alt.Facet("kind:N", title=None), columns=3, data=rows).resolve_scale(
            x="independent"
        ),
        finding(table),
        "the most that any secret takes, the guess that names it counted; mm-p and black-p have p "
        "pegs; the published figures of mm-3 and mm-4 are for sufficiently many colours",
    )
