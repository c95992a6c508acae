"""Chart of the codemaker's best chances by class of codes."""

import altair as alt
import polars as pl

from codebreaker.constants import PAPERS_GAME
from codebreaker.report.charts.style import TURN_COLOURS, Chart, styled

DRAWN = r"^mm-(\d+)-(\d+)$"
"""The games that are drawn: Mastermind, whose classes have the same names in games of any size."""


def chart(chances: pl.DataFrame, values: pl.DataFrame) -> Chart:
    """Draw how much likelier than by equal chances each class is, one panel per number of pegs."""
    sizes = pl.col("game").str.extract_groups(DRAWN)
    rows = (
        chances.filter(pl.col("game").str.contains(DRAWN))
        .with_columns(
            sizes.struct["1"].cast(pl.Int64).alias("pegs"),
            sizes.struct["2"].cast(pl.Int64).alias("colours"),
        )
        .with_columns(pl.format("{} pegs", "pegs").alias("panel"))
        .sort("pegs", "colours", "class")
    )
    panels = [_panel(part, panel) for (panel,), part in rows.group_by("panel", maintain_order=True)]
    return styled(
        alt.hconcat(*panels).resolve_scale(color="independent", y="shared"),
        finding(values),
        "Mastermind: how much likelier than by equal chances a code is if the codemaker draws best",
    )


def _panel(rows: pl.DataFrame, title: str) -> Chart:
    y = alt.Y(
        "times equal:Q",
        title="times as likely as by equal chances",
        scale=alt.Scale(zero=True),
    )
    dots = (
        alt.Chart(rows)
        .mark_point(filled=True, size=70, opacity=1)
        .encode(
            x=alt.X("colours:O", title="colours", axis=alt.Axis(labelAngle=0, grid=False)),
            xOffset="class:N",
            y=y,
            color=alt.Color(
                "class:N",
                title="a code of the class",
                scale=alt.Scale(range=list(TURN_COLOURS)),
                legend=alt.Legend(orient="top", direction="horizontal"),
            ),
            tooltip=["game", "class", "secrets", "chance", "times equal"],
        )
    )
    equal = alt.Chart(pl.DataFrame({"times equal": [1]})).mark_rule(strokeDash=[4, 4]).encode(y=y)
    return (equal + dots).properties(width=280, height=240, title=title)


def finding(values: pl.DataFrame) -> str:
    """Return what drawing well gains the codemaker in the papers' game, or at most."""
    own = values.filter(pl.col("game") == PAPERS_GAME)
    if own.height:
        row = own.row(0, named=True)
        return (
            f"Drawing well, the codemaker of {PAPERS_GAME} forces {row['decimal']:.4f} guesses "
            f"instead of {row['equal chances']:.4f}"
        )
    row = values.row(int(values["gain"].arg_max() or 0), named=True)
    return f"Drawing well gains the codemaker up to {row['gain']:.1f}%, in {row['game']}"
