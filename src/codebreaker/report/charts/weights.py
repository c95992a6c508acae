"""Charts of weights, and of the search for them."""

from collections.abc import Callable

import altair as alt
import polars as pl

from codebreaker.analysis.weights import FOUND
from codebreaker.policies.weights import Weights, first_turn
from codebreaker.report.charts.style import MUTED, Chart, deviation_tiles, model_scale, styled


def convergence(histories: dict[str, dict[int, pl.DataFrame]], seeds: pl.DataFrame) -> Chart:
    """Draw the best total of each seed by generation."""
    parts = []
    for model, by_seed in histories.items():
        for seed, history in by_seed.items():
            changes = history.filter(
                (pl.col("best") != pl.col("best").shift(1)).fill_null(value=True)
                | (pl.col("generation") == pl.col("generation").max())
            )
            names = pl.lit(model).alias("model"), pl.lit(seed).alias("seed")
            parts.append(changes.select("generation", "best", *names))
    frame = pl.concat(parts).with_columns(
        (pl.col("best") - pl.col("best").min().over("model")).alias("above")
    )
    lines = (
        alt.Chart(frame)
        .mark_line(interpolate="step-after", strokeWidth=2)
        .encode(
            x=alt.X("generation:Q", title="generation", scale=alt.Scale(type="log")),
            y=alt.Y(
                "above:Q",
                title="best total so far, above the best of all seeds",
                scale=alt.Scale(type="symlog", constant=3),
                axis=alt.Axis(values=[0, 1, 2, 5, 10, 20, 50, 100, 200]),
            ),
            color=alt.Color("model:N", legend=None, scale=model_scale(frame["model"])),
            strokeDash=alt.StrokeDash("seed:N", title="seed"),
            tooltip=["model", "seed", "generation", "best"],
        )
        .properties(width=360, height=260)
        .facet(column=alt.Column("model:N", title=None))
        .resolve_scale(x="independent")
    )
    least = seeds.group_by("model").agg(pl.col("total_guesses").min()).sort("model")
    totals = ", ".join(f"{model} {total}" for model, total in least.iter_rows())
    return styled(lines, f"Least totals: {totals}", "Best total of each seed by generation")


def boxes(found: dict[str, list[Weights]]) -> Chart:
    """Draw the spread of the weights among the seeds, by feedback and turn."""
    rows = []
    for model, seeds in found.items():
        for weights in seeds:
            first = first_turn(len(weights.values), weights.provenance["opening"])
            for turn in range(first, len(weights.values) + 1):
                for label, value in zip(weights.feedback_labels, weights.at(turn), strict=True):
                    where = f"{model}, turn {turn}" if len(weights.values) > 1 else model
                    rows.append((model, where, label, float(value)))
    frame = pl.DataFrame(rows, schema=["model", "where", "feedback", "weight"], orient="row")
    labels = next(iter(found.values()))[0].feedback_labels
    chart = (
        alt.Chart(frame)
        .mark_boxplot(size=12, median={"color": "white"}, rule={"color": MUTED})
        .encode(
            color=alt.Color("model:N", legend=None, scale=model_scale(frame["model"])),
            x=alt.X("feedback:N", sort=list(labels), title=None).axis(labelAngle=-60),
            y=alt.Y("weight:Q", title="weight", scale=alt.Scale(domain=[0, 1])),
        )
        .properties(width=300, height=150)
        .facet(facet=alt.Facet("where:N", title=None), columns=3)
    )
    spread = frame.group_by("where", maintain_order=True).agg(
        pl.col("weight").std().over("feedback").mean().alias("spread")
    )
    ranked = spread.sort("spread")["where"].to_list()
    return styled(
        chart,
        f"Seeds agree most on {ranked[0]}, least on {ranked[-1]}",
        "Weights found by all seeds, by feedback",
    )


def ablation(table: pl.DataFrame) -> Chart:
    """Draw how the total changes when one turn's weights are replaced."""
    titles = pl.concat_str("origin", "model", separator=" ")
    base = alt.Chart(table.with_columns(titles.alias("weights"))).encode(
        y=alt.Y("turn:O", title="replaced turn")
    )
    ranges = base.mark_rule(strokeWidth=2, color=MUTED).encode(
        x=alt.X("random_least_change:Q", title="change of the total guesses"),
        x2="random_most_change:Q",
    )
    means = base.mark_point(filled=True, size=70, color="#d55e00").encode(
        x="random_mean_change:Q", tooltip=["weights", "turn", "random_mean_change"]
    )
    uniform = base.mark_point(shape="diamond", size=80, filled=True, color="#0072b2").encode(
        x="uniform_change:Q", tooltip=["weights", "turn", "uniform_change"]
    )
    chart = (
        (ranges + means + uniform)
        .properties(width=320, height=150)
        .facet(facet=alt.Facet("weights:N", title=None), columns=2)
        .resolve_scale(y="independent")
    )
    last = int(table["turn"].to_list()[-1])
    late = table.filter(pl.col("turn") == last)
    inert = late["random_most_change"].max() == 0 and late["random_least_change"].min() == 0
    title = "The early turns matter" + (f"; turn {last} has no effect" if inert else "")
    return styled(chart, title, "Blue: uniform weights; orange: mean and range of random weights")


def rounding(table: pl.DataFrame) -> Chart:
    """Draw how the total changes when the weights are rounded."""
    chart = (
        alt.Chart(table)
        .mark_line(point=alt.OverlayMarkDef(size=60, filled=True))
        .encode(
            x=alt.X("digits:O", title="decimals", axis=alt.Axis(labelAngle=0)),
            y=alt.Y("change:Q", title="change of the total guesses"),
            color=alt.Color("model:N", title=None, scale=model_scale(table["model"])),
            strokeDash=alt.StrokeDash("origin:N", title=None),
            tooltip=["origin", "model", "digits", "total_guesses"],
        )
        .properties(width=420, height=260)
    )
    needed = table.filter("keeps_total").group_by("origin", "model").agg(pl.col("digits").min())
    most = max(needed["digits"].to_list(), default=0)
    return styled(
        chart,
        f"{most} decimals keep every total"
        if needed.height == table.n_unique(["origin", "model"])
        else f"Some totals change even with {max(table['digits'].to_list())} decimals",
        "Change of the total when the weights are rounded",
    )


def heat_map(table: pl.DataFrame) -> Chart:
    """Draw the deviations of the best found weights, in the style of Gür 2025, Table 3."""
    frame = table.filter(pl.col("origin") == FOUND, pl.col("turn").is_not_null())
    where = pl.concat_str("model", "turn", separator=", turn ")
    frame = frame.with_columns(where.alias("where"))
    base = alt.Chart(frame).encode(
        x=alt.X("feedback:N", sort=None, title=None).axis(labelAngle=-40),
        y=alt.Y("where:N", sort=None, title=None),
    )
    tooltip = ["model", "turn", "feedback", "weight", "deviation_percent"]
    tiles = deviation_tiles(base, "deviation_percent", tooltip, 10, clamp=True)
    top = frame.sort("deviation_percent", descending=True, maintain_order=True).row(0, named=True)
    return styled(
        tiles.properties(width=alt.Step(44), height=alt.Step(32)),
        f"Found weights raise {top['feedback']} most: {top['deviation_percent']:+.0f}% "
        f"({top['where']})",
        "The best weights found; colours show the deviation from the turn's mean; "
        "weights of inert turns are arbitrary",
    )


WEIGHT_FIGURES: dict[str, Callable[..., Chart]] = {
    "ga-convergence": convergence,
    "weight-boxes": boxes,
    "turn-ablation": ablation,
    "weight-rounding": rounding,
    "found-weights": heat_map,
}
"""The charts of weights by file name."""
