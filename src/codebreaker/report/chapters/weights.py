"""Weights and the searches for them: their charts, and families of entropies at equal effort."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import altair as alt
import polars as pl

from codebreaker.errors import CodebreakerError
from codebreaker.files import read_frame
from codebreaker.policies.weights import Weights, first_turn, read_weights
from codebreaker.report.chapters import Files
from codebreaker.report.names import spoken
from codebreaker.report.style import MUTED, Chart, by, display_names, save, spoken_colours, styled
from codebreaker.report.tables import notes_of, write_page

NOTES = notes_of(__file__)
Searches = Sequence[tuple[str, Weights, pl.DataFrame]]
"""Models with their best weights and histories."""


def convergence(searches: Searches) -> Chart:
    """Draw the best total by generation, above the lowest one of the model's seeds."""
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
    frame = pl.concat(parts).with_columns(
        (pl.col("best") - pl.col("best").min().over("model")).alias("above")
    )
    base = alt.Chart(frame).mark_line(interpolate="step-after", strokeWidth=2)
    ticks = [0, 1, 2, 5, 10, 20, 50, 100, 200]
    above = "guesses above the lowest total"
    lines = base.encode(
        x=by.x("generation:Q", "generation", type="log", values=[10**n for n in range(6)]),
        y=by.y("above:Q", above, type="symlog", constant=3, values=ticks),
        color=by.colour("weights:N", legend=None, each=spoken_colours(frame["model"])),
        strokeDash=by.dash("seed:N", "seed"),
        tooltip=["weights", "seed", "generation", "best"],
    ).properties(width=360, height=260)
    facet = alt.Facet("weights:N", title=None)
    return styled(
        lines.facet(facet, columns=min(3, len({*frame["model"]}))).resolve_scale(x="independent"),
        "Convergence of the searches for weights",
        "Lowest total so far of each seed, by generation",
    )


def ablation(table: pl.DataFrame) -> Chart:
    """Draw how the total changes if one turn's weights are uniform or random."""
    titles = pl.concat_str("origin", display_names("model"), separator=": ")
    turn = pl.when(model="fixed").then(pl.lit("all")).otherwise(pl.col("turn").cast(pl.String))
    base = alt.Chart(table.with_columns(turn.alias("turn"), titles.alias("weights")))
    base = base.encode(y=by.y("turn:O", "replaced turn", labelPadding=9))
    ranges = base.mark_rule(strokeWidth=2, color=MUTED).encode(
        x=by.x("random_lowest_change:Q", "change of the total guesses"),
        x2="random_highest_change:Q",
    )
    means = base.mark_point(filled=True, size=70, color="#d55e00").encode(
        x="random_mean_change:Q", tooltip=["weights", "turn", "random_mean_change"]
    )
    uniform = base.mark_point(shape="diamond", size=80, filled=True, color="#0072b2").encode(
        x="uniform_change:Q", tooltip=["weights", "turn", "uniform_change"]
    )
    panels = (ranges + means + uniform).properties(width=320, height=150)
    facet = alt.Facet("weights:N", title=None)
    return styled(
        panels.facet(facet=facet, columns=2).resolve_scale(y="independent"),
        "Change of the total when one turn's weights are replaced",
        "Blue: uniform weights; orange: mean and range of random weights",
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
