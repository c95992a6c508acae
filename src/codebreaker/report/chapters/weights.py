"""Weights and the searches for them: their charts, and families of entropies at equal effort."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import altair as alt
import polars as pl

from codebreaker.constants import PAPERS_GAME
from codebreaker.errors import CodebreakerError
from codebreaker.files import read_frame
from codebreaker.policies.weights import Weights, first_turn, read_weights
from codebreaker.report.chapters import Files
from codebreaker.report.names import notation_of, spoken
from codebreaker.report.style import SERIES, Chart, by, display_names, save, spoken_colours, styled
from codebreaker.report.tables import notes_of, write_page

NOTES = notes_of(__file__)
UNIFORM = "uniform weights"
RANDOM = "random weights, mean and range"
Searches = Sequence[tuple[str, Weights, pl.DataFrame]]
"""Models with their best weights and histories."""


def convergence(searches: Searches) -> Chart:
    """Draw the best total by generation, above the lowest one of the model's seeds.

    There is a panel for each model, whose title gives this lowest total.
    """
    changed = (pl.col("best") != pl.col("best").shift(1)).fill_null(value=True)
    last = pl.col("generation") == pl.col("generation").max()
    parts = [
        history.filter(changed | last).select(
            *("generation", "best", pl.lit(model).alias("model")),
            pl.lit(spoken(model)).alias("weights"),
            pl.lit(weights.provenance["seed"]).alias("seed"),
        )
        for model, weights, history in searches
    ]
    lowest = pl.col("best").min().over("model")
    frame = pl.concat(parts).with_columns(
        (pl.col("best") - lowest).alias("above"),
        pl.format("{}: lowest total {}", "weights", lowest.map_elements(_grouped, pl.String)).alias(
            "panel"
        ),
    )
    game = searches[0][1].provenance["game"]
    base = alt.Chart(frame).mark_line(interpolate="step-after", strokeWidth=2)
    ticks = [0, 1, 2, 5, 10, 20, 50, 100, 200]
    above = "guesses above the lowest total"
    legend = {"symbolType": "stroke", "symbolSize": 500, "symbolStrokeWidth": 2}
    lines = base.encode(
        x=by.x("generation:Q", "generation", type="log", values=[10**n for n in range(6)]),
        y=by.y("above:Q", above, type="symlog", constant=3, values=ticks),
        color=by.colour("weights:N", legend=None, each=spoken_colours(frame["model"])),
        strokeDash=by.dash("seed:N", "seed", **legend),
        tooltip=["weights", "seed", "generation", "best"],
    ).properties(width=360, height=260)
    facet = alt.Facet("panel:N", title=None)
    return styled(
        lines.facet(facet, columns=min(3, len({*frame["model"]}))).resolve_scale(x="independent"),
        "Convergence of the searches for weights",
        f"{notation_of(game)}: lowest total so far of each seed, by generation. "
        "0 is the lowest total of all seeds, given above each panel",
    )


def _grouped(total: int) -> str:
    """Return a number with commas."""
    return f"{total:,}"


def ablation(table: pl.DataFrame) -> Chart:
    """Draw how the total changes if one turn's weights are uniform or random.

    There is a panel for each vector of weights, whose title gives its total before the change.
    """
    panel = pl.format(
        "{}: {}, total {}",
        "origin",
        display_names("model"),
        pl.col("total_guesses").map_elements(_grouped, pl.String),
    )
    turn = pl.when(model="fixed").then(pl.lit("all")).otherwise(pl.col("turn").cast(pl.String))
    common = ("origin", panel.alias("weights"), turn.alias("turn"))
    uniform = table.select(
        *common, pl.lit(UNIFORM).alias("by"), pl.col("uniform_change").cast(float).alias("change")
    )
    random = table.select(
        *common,
        pl.lit(RANDOM).alias("by"),
        pl.col("random_mean_change").alias("change"),
        pl.col("random_lowest_change").alias("lowest"),
        pl.col("random_highest_change").alias("highest"),
    )
    rows = pl.concat([uniform, random], how="diagonal")
    colours = {UNIFORM: SERIES, RANDOM: "#d55e00"}
    shapes = {UNIFORM: "diamond", RANDOM: "circle"}
    bands = {"paddingInner": 0, "paddingOuter": 0, "tickBand": "extent", "grid": True}
    base = alt.Chart().encode(
        y=by.y("turn:O", "replaced turn", labelPadding=9, **bands),
        yOffset=alt.YOffset("by:N", sort=[UNIFORM, RANDOM], scale=alt.Scale(paddingOuter=0.7)),
        color=by.colour("by:N", "replaced by", each=colours, orient="top"),
    )
    ranges = base.mark_rule(strokeWidth=2).encode(
        x=by.x("lowest:Q", "change of the total guesses", grid=True), x2="highest:Q"
    )
    dots = base.mark_point(filled=True, size=70, opacity=1).encode(
        x="change:Q",
        shape=by.shape("by:N", "replaced by", each=shapes, orient="top"),
        tooltip=["weights", "turn", "by", "change", "lowest", "highest"],
    )
    zero = alt.Chart().mark_rule().encode(x=alt.datum(0))
    panels = alt.layer(zero, ranges, dots, data=rows).properties(width=320, height=150)
    facet = alt.Facet("weights:N", title=None)
    return styled(
        panels.facet(facet=facet, columns=2).resolve_scale(y="independent", yOffset="independent"),
        "Change of the total when one turn's weights are replaced",
        f"{notation_of(PAPERS_GAME)}: 0 is the total over all secrets with the original weights, "
        "given above each panel",
    )


@dataclass(frozen=True)
class SeedRun:
    """The run of one seed."""

    model: str
    genes: str
    population: int
    history: pl.DataFrame
    weights: Weights


def evaluation_budget(runs: Sequence[SeedRun]) -> int:
    """Return the evaluations of the shortest run."""
    return min(run.history.height * run.population for run in runs)


def compare_runs(runs: Sequence[SeedRun]) -> pl.DataFrame:
    """Return one row per model, after the same number of evaluations.

    The criteria are those of the best weights at the end of the runs, as no others are recorded.
    `CodebreakerError` is raised if a run had not finished a generation by then.
    """
    budget = evaluation_budget(runs)
    for run in runs:
        if run.population > budget:
            raise CodebreakerError(
                f"a generation of {run.model} has {run.population} evaluations, more than the "
                f"{budget} of the shortest run: give that run more generations"
            )
    rows = []
    for model in dict.fromkeys(run.model for run in runs):
        seeds = [run for run in runs if run.model == model]
        totals = [int(run.history["best"][budget // run.population - 1]) for run in seeds]
        best = min(seeds, key=lambda run: int(run.history["best"][-1]))
        first = first_turn(len(best.weights.values), best.weights.provenance["opening"])
        criteria = best.weights.criteria[first - 1 :] or ("entropy",)
        rows.append(
            {
                "model": model,
                "genes": seeds[0].genes,
                "number of genes": best.weights.provenance["genes"],
                "evaluations": budget,
                "seeds": len(seeds),
                "lowest total": min(totals),
                "median total": float(pl.Series(totals).median()),  # type: ignore[arg-type]
                "largest total": max(totals),
                "criteria of the best from its first turn on": " ".join(criteria),
            }
        )
    return pl.DataFrame(rows).sort("median total", "lowest total")


def families_finding(table: pl.DataFrame) -> str:
    """Return the models' median totals."""
    medians = zip(table["model"], table["median total"], strict=True)
    return "Median totals: " + ", ".join(f"{model} {median:g}" for model, median in medians)


def draw_weights(inputs: Files, output: Files, params: Files) -> str:
    """Draw the charts of weights."""
    searches = [
        (Path(path).parent.name, read_weights(path), read_frame(history))
        for path, history in zip(inputs.found, inputs.histories, strict=True)
    ]
    charts = {
        "ga-convergence": convergence(searches),
        "turn-ablation": ablation(pl.read_csv(inputs.ablation)),
    }
    for name, chart in charts.items():
        save(chart, Path(output.figures[0]).parent / name, params.png_scale)
    return f"{len(charts)} charts"


def compare_families(inputs: Files, output: Files, params: Files) -> str:
    """Compare families of entropies at equal numbers of evaluations."""
    models = zip(params.models, params.genes, params.populations, strict=True)
    files = zip(map(read_frame, inputs.histories), map(read_weights, inputs.found), strict=True)
    runs = [SeedRun(*model, *read) for model, read in zip(models, files, strict=True)]
    table = compare_runs(runs)
    title = f"Families of entropies after {evaluation_budget(runs):,} evaluations"
    finding = families_finding(table)
    write_page(table, output.tables, title, f"{finding}.", table, NOTES["Families"])
    return finding
