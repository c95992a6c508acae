"""The frontier of mean against maximum, among all strategies of a game."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np
import polars as pl
from numpy.typing import NDArray

from codebreaker.constants import OPTIMAL
from codebreaker.errors import CodebreakerError
from codebreaker.files import read_frame, write_frame
from codebreaker.players.expectation import read_expectation
from codebreaker.report.chapters import Files
from codebreaker.report.names import MODELS, name_of, notation_of
from codebreaker.report.style import INK, MUTED, Chart, by, colour_of, save, styled
from codebreaker.report.tables import markdown_page, notes_of, write_table
from codebreaker.trees.metrics import read_strategies
from codebreaker.trees.swept_families import (
    ENTROPIES,
    MIXTURES,
    OPTIMA,
    PLAYERS,
    REGISTERED,
    individuals_of,
)

NOTES = notes_of(__file__)

PLAYED = {
    "player": pl.String, "contest": pl.String, "mean_guesses": pl.Float64, "max_guesses": pl.Int64
}  # fmt: skip

FAMILY_COLOURS = {
    ENTROPIES: colour_of("entropy"),
    MIXTURES: colour_of("expected-size"),
    REGISTERED: MUTED,
    PLAYERS: colour_of("random-consistent"),
    OPTIMA: INK,
}

FAMILY_SHAPES = {
    ENTROPIES: "square",
    MIXTURES: "square",
    REGISTERED: "triangle-up",
    PLAYERS: "cross",
    OPTIMA: "diamond",
}
"""Shapes of the families' marks; populations of searches are circles."""

FAMILY_NAMES = {individuals_of(model): f"search: {name}" for model, name in MODELS.items()}
ALL_FAMILIES = "all"
"""The last row of the table of families; a tree of several families counts once there."""

LANE = 11
"""The height of a family's lane in the panel of a maximum, in pixels."""

FINE = 0.001
"""The axis is linear up to this distance above the minimum mean, then logarithmic."""


def pareto_optimal(means: Sequence[float], maxima: Sequence[int]) -> NDArray[np.bool_]:
    """Return whether strategies are Pareto-optimal, (n,) bool; equal ones don't dominate."""
    mean = np.asarray(means, dtype=np.float64)
    maximum, at = np.unique(np.asarray(maxima, dtype=np.int64), return_inverse=True)
    best = np.full(len(maximum) + 1, np.inf)
    np.minimum.at(best[1:], at, mean)
    optimal: NDArray[np.bool_] = (mean == best[1:][at]) & (mean < np.minimum.accumulate(best)[at])
    return optimal


def all_strategies(
    sweep: pl.DataFrame, strategies: pl.DataFrame, players: Sequence[dict[str, Any]], game: str
) -> pl.DataFrame:
    """Return all strategies of a game, with `family` and whether each is on the `frontier`."""
    grown = strategies.filter(pl.col("game") == game)
    if grown.is_empty():
        raise CodebreakerError(f"no strategy of {game} was grown: grow at least one", "strategies")
    family = pl.when(policy=OPTIMAL).then(pl.lit(OPTIMA)).otherwise(pl.lit(REGISTERED))
    played = pl.DataFrame(list(players), schema=PLAYED).with_columns(family=pl.lit(PLAYERS))
    together = pl.concat([grown.with_columns(family=family), sweep, played], how="diagonal")
    optimal = pareto_optimal(together["mean_guesses"].to_list(), together["max_guesses"].to_list())
    return together.with_columns(frontier=optimal)


def pareto_table(points: pl.DataFrame) -> pl.DataFrame:
    """Return the Pareto-optimal strategies, the lowest mean first."""
    return (
        points.filter("frontier")
        .unique(["family", "strategy"], keep="first", maintain_order=True)
        .sort("mean_guesses", "max_guesses", "family", "strategy")
        .select(
            *("strategy", "family", pl.col("total_guesses").alias("total")),
            pl.col("mean_guesses").round(4).alias("mean"),
            pl.col("max_guesses").alias("max"),
        )
    )


def family_table(points: pl.DataFrame) -> pl.DataFrame:
    """Return families with sizes, distinct trees and lowest means."""
    lowest_max = min(points["max_guesses"].to_list())
    mean = pl.col("mean_guesses").round(4)
    most = pl.col("max_guesses")
    return (
        points.sort("mean_guesses", "max_guesses", "strategy")
        .group_by("family", maintain_order=True)
        .agg(
            pl.len().alias("policies"),
            pl.col("tree").drop_nulls().n_unique().alias("different trees"),
            pl.col("strategy").first().alias("best strategy"),
            mean.first().alias("lowest mean"),
            most.first().alias("its max"),
            mean.filter(most == lowest_max).min().alias(f"lowest mean with max {lowest_max}"),
        )
        .sort("lowest mean", "family")
    )


def counted_families(points: pl.DataFrame) -> pl.DataFrame:
    """Return the table of families, and a row with the number of all strategies and trees."""
    everything = pl.DataFrame(
        {
            "family": [ALL_FAMILIES],
            "policies": [points.height],
            "different trees": [points["tree"].drop_nulls().n_unique()],
        }
    )
    return pl.concat([family_table(points), everything], how="diagonal_relaxed")


def name_points(points: pl.DataFrame) -> pl.DataFrame:
    """Return a game's strategies with display names."""
    names = [_name(row) for row in points.iter_rows(named=True)]
    return points.with_columns(pl.Series("strategy", names)).select(
        "family", "strategy", "tree", "mean_guesses", "max_guesses", "total_guesses", "frontier"
    )


def _name(row: dict[str, Any]) -> str:
    """Return the display name of a strategy, player or policy of the sweep."""
    if row["family"] in (OPTIMA, REGISTERED):
        return name_of(row)
    if row["family"] == PLAYERS:
        return ", ".join(filter(None, [row["player"], row["contest"]]))
    opening = "" if row["opening"] is None else f" from {row['opening']}"
    pool = ", consistent only" if row["guess_pool"] == "consistent" else ""
    return f"{row['policy']}{opening}{pool}"


def pareto_page(points: pl.DataFrame, game: str) -> str:
    """Return the tables as Markdown."""
    return markdown_page(
        f"The frontier of mean and maximum, {game}",
        f"{_counted(points)}. On the frontier:",
        _fixed(pareto_table(points)),
        "By family:",
        _fixed(family_table(points)),
        NOTES["The frontier"],
    )


def _counted(points: pl.DataFrame) -> str:
    """Return the numbers of strategies and distinct trees in words."""
    trees = points["tree"].drop_nulls().n_unique()
    return f"{points.height:,} strategies with {trees:,} distinct trees"


def _fixed(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a table with its means as texts of four decimals."""
    return frame.with_columns(
        pl.Series(name, [None if mean is None else f"{mean:.4f}" for mean in frame[name]])
        for name, dtype in frame.schema.items()
        if dtype == pl.Float64
    )


def _counted_points(points: pl.DataFrame) -> pl.DataFrame:
    """Return a row per family, mean and maximum, with the number of distinct `trees`.

    The strategy is the first one; a player, which grows no tree, counts as one.
    """
    return points.group_by("family", "mean_guesses", "max_guesses", maintain_order=True).agg(
        pl.coalesce("tree", "strategy").n_unique().alias("trees"),
        pl.col("strategy").first(),
        pl.col("total_guesses").first(),
        pl.col("frontier").first(),
    )


def _marks(points: pl.DataFrame) -> pl.DataFrame:
    """Return the marks of the chart, the exact optima first.

    `above` is the mean above the minimum, and `edge` the frontier at the mark's maximum: the lowest
    `above` of all strategies with at most as many guesses. `is_labelled` is true of one mark for
    each point of the frontier.
    """
    lowest = pl.col("mean_guesses").min()
    marks = (
        _counted_points(points)
        .with_columns(
            (pl.col("mean_guesses") - lowest).round(6).alias("above"),
            pl.col("family").replace(FAMILY_NAMES).alias("kind"),
            pl.format("maximum: {} guesses", "max_guesses").alias("panel"),
        )
        .sort("max_guesses", pl.col("family") != OPTIMA, maintain_order=True)
        .with_columns(pl.col("above").cum_min().alias("edge"))
    )
    is_first = pl.struct("above", "max_guesses").is_first_distinct()
    return marks.with_columns(
        pl.col("edge").min().over("max_guesses"),
        (pl.col("frontier") & is_first).alias("is_labelled"),
    )


def pareto_chart(points: pl.DataFrame, game: str) -> Chart:
    """Draw trees by mean in a panel for each maximum, and the frontier as a line in each panel.

    A panel has a lane for each family. The area of a mark grows with the number of trees.
    """
    lowest = float(min(points["mean_guesses"].to_list()))
    families = sorted(family_table(points)["family"].to_list(), key=lambda name: name != OPTIMA)
    colours = {name: colour_of(name.removeprefix(individuals_of(""))) for name in families}
    colours |= FAMILY_COLOURS
    shapes = dict.fromkeys(families, "circle") | FAMILY_SHAPES
    kinds = {FAMILY_NAMES.get(family, family): family for family in families}
    kind_colours = {kind: colours[family] for kind, family in kinds.items()}
    kind_shapes = {kind: shapes[family] for kind, family in kinds.items()}
    marks = _marks(points)
    values = [0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2]
    title = f"mean guesses above the minimum mean, {lowest:.4f}"
    x = by.x("above:Q", title, type="symlog", constant=FINE, values=values, format="~g")
    legend = {"orient": "top", "columns": 4, "symbolOpacity": 1}
    most = max(marks["trees"].to_list())
    trees = alt.Size(
        "trees:Q",
        title="trees",
        scale=alt.Scale(domain=[1, max(most, 2)], range=[24, 130]),
        legend=alt.Legend(orient="top", values=sorted({1, most}), format="d"),
    )
    base = alt.Chart().encode(x=x, y=by.y("kind:N", None, sort=[*kinds], axis=None))
    cloud = base.mark_point(filled=True, opacity=1).encode(
        color=by.colour("kind:N", None, each=kind_colours, **legend),
        shape=by.shape("kind:N", None, each=kind_shapes, **legend),
        size=alt.condition(alt.datum.family == OPTIMA, alt.value(80), trees),
        tooltip=["strategy", "kind", "trees", "total_guesses", "mean_guesses", "max_guesses"],
    )
    edge = alt.Chart().mark_rule(color=INK, strokeWidth=1.5).encode(x="min(edge):Q")
    label = base.transform_filter("datum.is_labelled").mark_text(align="left", dx=8, color=INK)
    label = label.encode(text=alt.Text("mean_guesses:Q", format=".4f"))
    panels = marks["panel"].unique(maintain_order=True).to_list()
    facet = alt.Facet(
        "panel:N", title=None, sort=panels, header=alt.Header(labelAnchor="start", labelPadding=-10)
    )
    return styled(
        alt.layer(edge, cloud, label, data=marks)
        .properties(width=760, height=alt.Step(LANE))
        .facet(facet=facet, columns=1, spacing=8)
        .resolve_scale(y="independent"),
        "Mean guesses of all strategies, by their maximum",
        f"{notation_of(game)}, {_counted(points)}: {_frontier_finding(points)}. "
        "The line in each panel is this frontier",
    )


def _frontier_finding(points: pl.DataFrame) -> str:
    """Return the lowest mean at each maximum of the frontier, in words."""
    frontier = points.filter("frontier").unique("max_guesses").sort("max_guesses")
    means = (
        f"{mean:.4f} with at most {maximum}"
        for mean, maximum in frontier.select("mean_guesses", "max_guesses").iter_rows()
    )
    return f"the lowest mean is {', '.join(means)} guesses"


def draw_frontier(inputs: Files, output: Files, params: Files) -> str:
    """Tabulate and draw the frontier."""
    game = Path(inputs.sweep).parent.name
    sweep = read_frame(inputs.sweep)
    strategies = read_strategies(inputs.strategies)
    players = [vars(read_expectation(path)) for path in inputs.players]
    for path in inputs.contests:
        players += pl.read_csv(path).filter(pl.col("game") == game).to_dicts()
    points = name_points(all_strategies(sweep, strategies, players, game))
    write_table(pareto_table(points), pareto_page(points, game), output.tables)
    write_frame(counted_families(points), output.families)
    save(pareto_chart(points, game), output.figures[0], params.png_scale)
    return f"{points['frontier'].sum()} of {points.height} strategies are on the frontier"
