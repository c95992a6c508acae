"""The frontier of mean against maximum: all strategies that were played, and the best of them."""

from typing import Any

import altair as alt
import polars as pl

from codebreaker.analysis.dominance import (
    OPTIMA,
    PLAYERS,
    REGISTERED,
    family_table,
    frontier_table,
)
from codebreaker.analysis.families import ENTROPIES, MIXTURES
from codebreaker.report.charts.style import INK, MUTED, colour_of, styled
from codebreaker.report.names import name_of
from codebreaker.report.tables import markdown

NOTE = """A strategy is on the frontier where no other is at least as good in mean and in maximum
and better in one. Weights were tuned on the same secrets that they are measured on: the figures are
properties of whole trees, and no estimates. Policies of different names may grow the same tree."""

COLOURS = {
    ENTROPIES: colour_of("entropy"),
    MIXTURES: "#56b4e9",
    REGISTERED: MUTED,
    PLAYERS: colour_of("random-consistent"),
    OPTIMA: INK,
}
FINE = 0.001
"""Means closer than this to the least are drawn on a linear scale, others on a logarithmic one."""

NEAR_MEAN = 0.2
"""Openings whose best mean is farther from the best of all are not drawn by order."""

OTHERS = ("#009e73", "#e69f00", "#332288", "#66c2a5", "#aa4499", "#999933")


def name_points(points: pl.DataFrame) -> pl.DataFrame:
    """Return all strategies of a game with their names, without the columns of their identity."""
    names = [_name(row) for row in points.iter_rows(named=True)]
    return points.with_columns(pl.Series("strategy", names)).select(
        "family", "strategy", "tree", "mean_guesses", "max_guesses", "total_guesses", "frontier"
    )


def _name(row: dict[str, Any]) -> str:
    if row["family"] in (OPTIMA, REGISTERED):
        return name_of(row)
    if row["family"] == PLAYERS:
        return ", ".join(filter(None, [row["player"], row["contest"]]))
    opening = "" if row["opening"] is None else f" from {row['opening']}"
    pool = ", consistent only" if row["guess_pool"] == "consistent" else ""
    return f"{row['policy']}{opening}{pool}"


def to_markdown(told: pl.DataFrame, game: str) -> str:
    """Return the tables for people to read."""
    parts = [
        f"# The frontier of mean and maximum, {game}",
        f"{_counted(told)}. On the frontier:",
        markdown.frame_table(_fixed(frontier_table(told))),
        "By family:",
        markdown.frame_table(_fixed(family_table(told))),
        NOTE,
    ]
    return "\n\n".join(parts)


def _counted(told: pl.DataFrame) -> str:
    trees = told["tree"].drop_nulls().n_unique()
    return f"{told.height:,} strategies, among them {trees:,} different trees"


def _fixed(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame with four digits after the points."""
    return frame.with_columns(
        pl.Series(name, [None if mean is None else f"{mean:.4f}" for mean in frame[name]])
        for name, dtype in frame.schema.items()
        if dtype == pl.Float64
    )


def chart(told: pl.DataFrame, game: str) -> Any:  # noqa: ANN401
    """Draw every different tree as a dot by mean and maximum, and the frontier through them."""
    least = float(min(told["mean_guesses"].to_list()))
    dots = (
        told.unique(["family", "tree", "mean_guesses"], keep="first", maintain_order=True)
        .with_columns(
            (pl.col("mean_guesses") - least).round(6).alias("above"),
            (pl.coalesce("tree", "strategy").hash(0) % 1000 / 1000).alias("spread"),
        )
        .sort("mean_guesses", descending=True)
    )
    kinds = family_table(told)["family"].to_list()
    colours = [COLOURS.get(kind) or colour_of(f"{kind.split(',')[0]}-weighted") for kind in kinds]
    x = alt.X(
        "above:Q",
        title=f"mean guesses above the least, {least:.4f}",
        scale=alt.Scale(type="symlog", constant=FINE),
        axis=alt.Axis(
            values=[0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2], format="~g"
        ),
    )
    y = alt.Y("max_guesses:O", title="most guesses", sort="descending")
    cloud = (
        alt.Chart(dots.filter(pl.col("family") != OPTIMA))
        .mark_circle(size=16, opacity=0.55)
        .encode(
            x=x,
            y=y,
            yOffset=alt.YOffset("spread:Q", scale=alt.Scale(domain=[-0.15, 1.15])),
            color=alt.Color(
                "family:N",
                title=None,
                scale=alt.Scale(domain=kinds, range=colours),
                legend=alt.Legend(orient="bottom", columns=4, symbolOpacity=1),
            ),
            tooltip=["strategy", "family", "total_guesses", "mean_guesses", "max_guesses"],
        )
    )
    best = dots.filter(pl.col("frontier")).unique(["above", "max_guesses"]).sort("above")
    line = (
        alt.Chart(best)
        .mark_line(color=INK, strokeWidth=1.5, interpolate="step-after")
        .encode(x=x, y=y)
    )
    marks = (
        alt.Chart(dots.filter(pl.col("family") == OPTIMA))
        .mark_point(shape="diamond", filled=True, size=110, color=INK, opacity=1)
        .encode(x=x, y=y, tooltip=["strategy", "total_guesses", "mean_guesses", "max_guesses"])
    )
    means = " and ".join(
        f"{row['mean_guesses']:.4f} with at most {row['max_guesses']}"
        for row in best.iter_rows(named=True)
    )
    return styled(
        (cloud + line + marks).properties(width=760, height=alt.Step(70)),
        f"Nothing beats {means} guesses",
        f"{game}: {_counted(told)}, a dot each; "
        "diamonds are exact optima, the line is the frontier",
    )


def by_order(sweep: pl.DataFrame, game: str) -> Any:  # noqa: ANN401
    """Draw the mean guesses of unweighted entropies by their order, a line for each opening."""
    told = (
        sweep.filter(pl.col("family") == ENTROPIES, pl.col("guess_pool") == "all")
        .with_columns(pl.col("policy").str.strip_prefix("renyi-").cast(pl.Float64).alias("order"))
        .filter(pl.col("order").is_finite())
        .sort("opening", "order")
    )
    best = told.sort("total_guesses", "order").row(0, named=True)
    told = told.filter(
        pl.col("mean_guesses").min().over("opening") < best["mean_guesses"] + NEAR_MEAN
    )
    inner = told.filter(pl.col("order") > 0).sort("total_guesses", "order").row(0, named=True)
    colour = alt.Color("opening:N", title="opening", scale=alt.Scale(range=list(OTHERS)))
    lines = (
        alt.Chart(told)
        .mark_line(interpolate="step", strokeWidth=2)
        .encode(
            x=alt.X("order:Q", title="order of the entropy"),
            y=alt.Y("mean_guesses:Q", title="mean guesses", scale=alt.Scale(zero=False)),
            color=colour,
            tooltip=["policy", "opening", "total_guesses", "mean_guesses", "max_guesses"],
        )
    )
    classic = pl.DataFrame(
        {"order": [0.0, 1.0, 2.0], "name": ["most parts", "entropy", "expected size"]}
    )
    rules = alt.Chart(classic).mark_rule(color=MUTED, strokeDash=[3, 3]).encode(x=alt.X("order:Q"))
    names = (
        alt.Chart(classic)
        .mark_text(align="left", dx=4, color=MUTED)
        .encode(x=alt.X("order:Q"), y=alt.value(8), text="name:N")
    )
    return styled(
        (rules + lines + names).properties(width=680, height=360),
        f"Order {best['order']:g} plays best, {best['total_guesses']} guesses; above order 0, "
        f"{inner['order']:g} with {inner['total_guesses']}",
        f"{game}: unweighted entropies of Rényi or Tsallis, which play alike, from openings within "
        f"{NEAR_MEAN:g} guesses of the best",
    )
