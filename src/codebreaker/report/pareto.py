"""The frontier of mean against maximum: all strategies that were played, and the best of them."""

from typing import Any

import altair as alt
import polars as pl

from codebreaker.errors import CodebreakerError
from codebreaker.pareto.dominance import undominated
from codebreaker.report import markdown
from codebreaker.report.names import name_of
from codebreaker.report.style import INK, styled

OPTIMA, REGISTERED = "exact optima", "published and recorded"

NOTE = """A strategy is on the frontier where no other is at least as good in mean and in maximum
and better in one. Weights were tuned on the same secrets that they are measured on: the figures are
properties of whole trees, and no estimates. Policies of different names may grow the same tree."""

COLOURS = {
    "entropies by order": "#0072b2",
    "mixtures of two": "#56b4e9",
    REGISTERED: "#d55e00",
    "players": "#cc79a7",
    OPTIMA: INK,
}
OTHERS = ("#009e73", "#e69f00", "#332288", "#66c2a5", "#aa4499", "#999933")


def points(sweep: pl.DataFrame, strategies: pl.DataFrame, game: str) -> pl.DataFrame:
    """Return all strategies of a game: family, strategy, mean, maximum, total, and frontier."""
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
            pl.lit(" from "),
            "opening",
            pl.when(pl.col("guess_pool") == "consistent")
            .then(pl.lit(", consistent only"))
            .otherwise(pl.lit("")),
        ).alias("strategy"),
        "tree",
        "mean_guesses",
        "max_guesses",
        "total_guesses",
    )
    together = pl.concat([known, swept], how="vertical")
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
    shallow = int(told["max_guesses"].cast(pl.Int64).min() or 0)  # type: ignore[arg-type]
    best = told.sort("mean_guesses", "max_guesses", "strategy")
    return (
        best.group_by("family", maintain_order=True)
        .agg(
            pl.len().alias("policies"),
            pl.col("tree").n_unique().alias("different trees"),
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
    trees = told["tree"].n_unique()
    parts = [
        f"# The frontier of mean and maximum, {game}",
        f"{told.height:,} policies with {trees:,} different trees. On the frontier:",
        markdown.frame_table(frontier(told)),
        "By family:",
        markdown.frame_table(families(told)),
        NOTE,
    ]
    return "\n\n".join(parts)


def chart(told: pl.DataFrame, game: str) -> Any:  # noqa: ANN401
    """Draw every different tree as a dot by mean and maximum, and the frontier through them."""
    least = int(told["total_guesses"].cast(pl.Int64).min() or 0)  # type: ignore[arg-type]
    secrets = round(least / float(told["mean_guesses"].cast(pl.Float64).min() or 1.0))  # type: ignore[arg-type]
    dots = (
        told.unique(["family", "tree"], keep="first", maintain_order=True)
        .with_columns(
            (pl.col("total_guesses") - least).alias("above"),
            (pl.col("tree").hash(0) % 1000 / 1000).alias("spread"),
        )
        .sort("mean_guesses", descending=True)
    )
    kinds = families(told)["family"].to_list()
    spare = iter(OTHERS * len(kinds))
    colours = [COLOURS.get(kind) or next(spare) for kind in kinds]
    label = f"format((datum.value + {least}) / {secrets}, '.4f')"
    x = alt.X(
        "above:Q",
        title="mean guesses, by the logarithm of the distance from the optimum",
        scale=alt.Scale(type="symlog", constant=1),
        axis=alt.Axis(values=[0, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000], labelExpr=label),
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
                legend=alt.Legend(orient="bottom", columns=4),
            ),
            tooltip=["strategy", "family", "total_guesses", "mean_guesses", "max_guesses"],
        )
    )
    best = dots.filter(pl.col("frontier")).unique(["above", "max_guesses"]).sort("above")
    line = alt.Chart(best).mark_line(color=INK, strokeWidth=1.5).encode(x=x, y=y)
    marks = (
        alt.Chart(dots.filter(pl.col("family") == OPTIMA))
        .mark_point(shape="diamond", filled=True, size=110, color=INK, opacity=1)
        .encode(x=x, y=y, tooltip=["strategy", "total_guesses", "mean_guesses", "max_guesses"])
    )
    means = ", ".join(
        f"{row['mean_guesses']:.4f} with at most {row['max_guesses']}"
        for row in best.iter_rows(named=True)
    )
    return styled(
        (cloud + line + marks).properties(width=760, height=alt.Step(70)),
        f"No other strategy is as good in mean and maximum as {means}",
        f"{game}: {told.height:,} policies with {told['tree'].n_unique():,} different trees, "
        "a dot each; diamonds are exact optima, the line is the frontier",
    )
