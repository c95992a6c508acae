"""The frontier of mean against maximum: all strategies that were played, and the best of them."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import polars as pl

from codebreaker.analysis.dominance import undominated
from codebreaker.analysis.families import ENTROPIES, MIXTURES
from codebreaker.errors import CodebreakerError
from codebreaker.report.charts.style import INK, MUTED, colour_of, styled
from codebreaker.report.names import name_of
from codebreaker.report.tables import markdown

OPTIMA, REGISTERED, PLAYERS = "exact optima", "published and recorded", "random players"

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


def points(
    sweep: pl.DataFrame, strategies: pl.DataFrame, players: Sequence[dict[str, Any]], game: str
) -> pl.DataFrame:
    """Return all strategies of a game: family, strategy, mean, maximum, total, and frontier.

    `players` are expectations as `players.expectation` reads them, or rows of the contests' table;
    they have no tree and no total, and the maximum of a contest is that of the games played.
    """
    rows = strategies.filter(pl.col("game") == game)
    known = pl.DataFrame(
        {
            "family": [
                OPTIMA if row["policy"].startswith("optimal") else REGISTERED
                for row in rows.iter_rows(named=True)
            ],
            "strategy": [name_of(row) for row in rows.iter_rows(named=True)],
            "tree": rows["tree"],
            **{name: rows[name] for name in ("mean_guesses", "max_guesses", "total_guesses")},
        }
    )
    if known.is_empty():
        raise CodebreakerError(f"no strategy of {game} was grown: list one under strategies.{game}")
    swept = sweep.select(
        "family",
        pl.concat_str(
            "policy",
            pl.when(pl.col("opening").is_null())
            .then(pl.lit(""))
            .otherwise(pl.concat_str(pl.lit(" from "), pl.col("opening").fill_null(""))),
            pl.when(pl.col("guess_pool") == "consistent")
            .then(pl.lit(", consistent only"))
            .otherwise(pl.lit("")),
        ).alias("strategy"),
        "tree",
        "mean_guesses",
        "max_guesses",
        "total_guesses",
    )
    drawn = pl.DataFrame(
        [
            {"family": PLAYERS, "tree": None, "total_guesses": None}
            | {"strategy": ", ".join([one["player"], *filter(None, [one.get("contest")])])}
            | {name: one[name] for name in ("mean_guesses", "max_guesses")}
            for one in players
        ],
        schema=known.schema,
    )
    together = pl.concat([known, swept, drawn], how="vertical")
    found = undominated(together["mean_guesses"].to_list(), together["max_guesses"].to_list())
    return together.with_columns(pl.Series("frontier", found))


def frontier(told: pl.DataFrame) -> pl.DataFrame:
    """Return the strategies on the frontier, the least mean first."""
    return (
        told.filter("frontier")
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


def families(told: pl.DataFrame) -> pl.DataFrame:
    """Return each family's size, different trees, least mean, and least mean with its maximum."""
    shallow = min(told["max_guesses"].to_list())
    best = told.sort("mean_guesses", "max_guesses", "strategy")
    return (
        best.group_by("family", maintain_order=True)
        .agg(
            pl.len().alias("policies"),
            pl.col("tree").drop_nulls().n_unique().alias("different trees"),
            pl.col("strategy").first().alias("best"),
            pl.col("mean_guesses").first().round(4).alias("least mean"),
            pl.col("max_guesses").first().alias("its max"),
            pl.col("mean_guesses")
            .filter(pl.col("max_guesses") == shallow)
            .min()
            .round(4)
            .alias(f"least mean with max {shallow}"),
        )
        .sort("least mean", "family")
    )


def to_markdown(told: pl.DataFrame, game: str) -> str:
    """Return the tables for people to read."""
    parts = [
        f"# The frontier of mean and maximum, {game}",
        f"{_counted(told)}. On the frontier:",
        markdown.frame_table(_fixed(frontier(told))),
        "By family:",
        markdown.frame_table(_fixed(families(told))),
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
    kinds = families(told)["family"].to_list()
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
