"""Weights and the searches for them: their charts, and families of entropies at equal effort."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from codebreaker.constants import PAPERS_GAME
from codebreaker.errors import CodebreakerError, counted
from codebreaker.files import read_frame
from codebreaker.optimise.deviations import PUBLISHED
from codebreaker.policies.weights import Weights, first_turn, read_weights
from codebreaker.report.chapters import Files
from codebreaker.report.names import notation_of, spoken
from codebreaker.report.style import (
    INK,
    SERIES,
    Chart,
    by,
    display_names,
    save,
    spoken_colours,
    styled,
)
from codebreaker.report.tables import notes_of, write_page

NOTES = notes_of(__file__)
ABOVE_TICKS = (-20, -10, -5, 0, 5, 10, 20, 50, 100, 200, 500)
"""Guesses above the published total at which the axis may have a tick."""

UNIFORM = "uniform weights"
RANDOM = "random weights, mean and range"
Searches = Sequence[tuple[str, Weights, pl.DataFrame]]
"""Models with their best weights and histories."""


def published_totals(ablation: pl.DataFrame) -> dict[str, int]:
    """Return the totals of the published weights by model, from the table of the ablation."""
    rows = ablation.filter(origin=PUBLISHED).select("model", "total_guesses").unique()
    return dict(rows.iter_rows())


def _published_total(weights: Weights, published: Mapping[str, int]) -> int:
    """Return the published total that a search is compared with: of one vector, or by turn."""
    return published["fixed" if len(weights.values) == 1 else "stage"]


def convergence(searches: Searches, published: Mapping[str, int]) -> Chart:
    """Draw the best total by generation, above the published total, in a panel for each model.

    The model's best seed is a thick line, and the others are thin.
    """
    import altair as alt  # slow to import

    frame = _steps(searches, published)
    above = [0, *frame["above"].to_list()]
    ends = [min(above) - 1, max(above) + 10]
    ticks = [tick for tick in ABOVE_TICKS if ends[0] <= tick <= ends[1]]
    scale = alt.Scale(type="symlog", constant=3, domain=ends, nice=False)
    # Without their number, Vega leaves out every other tick if there are many.
    axis = alt.Axis(values=ticks, tickCount=len(ticks), grid=True)
    base = alt.Chart().encode(
        x=by.x("generation:Q", "generation", type="log", values=[10**n for n in range(6)]),
        y=by.y("above:Q", "guesses above the published total", scale=scale, axis=axis),
        color=by.colour("weights:N", legend=None, each=spoken_colours(frame["model"])),
        detail="seed:N",
        tooltip=["weights", "seed", "generation", "best"],
    )
    others = base.transform_filter("!datum.is_best")
    others = others.mark_line(interpolate="step-after", strokeWidth=1)
    best = base.transform_filter("datum.is_best")
    best = best.mark_line(interpolate="step-after", strokeWidth=2.5)
    zero = alt.Chart().transform_filter("datum.is_labelled").encode(y=alt.datum(0))
    rule = zero.mark_rule(color=INK, strokeDash=[5, 3])
    label = zero.mark_text(align="left", dy=-7, dx=4)
    label = label.encode(x=alt.value(0), text="published:N")
    models = frame["weights"].unique(maintain_order=True).to_list()
    return styled(
        alt.layer(rule, others, best, label, data=frame)
        .properties(width=360, height=260)
        .facet(alt.Facet("weights:N", title=None, sort=models), columns=min(3, len(models)))
        .resolve_scale(x="independent"),
        "Searches for weights, compared with the published totals",
        f"{notation_of(searches[0][1].provenance['game'])}, {_convergence_finding(frame)}",
    )


def _steps(searches: Searches, published: Mapping[str, int]) -> pl.DataFrame:
    """Return the generations at which a seed's best total changes, and its last one.

    `is_best` is true of the seed with the model's lowest total, the first of those that tie, and
    `is_labelled` of one row of each model.
    """
    changed = (pl.col("best") != pl.col("best").shift(1)).fill_null(value=True)
    last = pl.col("generation") == pl.col("generation").max()
    parts = [
        history.filter(changed | last).select(
            *("generation", pl.col("best").cast(pl.Int64), pl.lit(model).alias("model")),
            pl.lit(spoken(model)).alias("weights"),
            pl.lit(weights.provenance["seed"]).alias("seed"),
            pl.lit(_published_total(weights, published)).alias("published_total"),
        )
        for model, weights, history in searches
    ]
    best_seed = pl.col("seed").sort_by("best", "seed").first().over("model")
    total = pl.col("published_total").map_elements(_grouped, pl.String)
    return pl.concat(parts).with_columns(
        (pl.col("best") - pl.col("published_total")).alias("above"),
        pl.format("published: {}", total).alias("published"),
        (pl.col("seed") == best_seed).alias("is_best"),
        pl.col("model").is_first_distinct().alias("is_labelled"),
    )


def _convergence_finding(frame: pl.DataFrame) -> str:
    """Return how far each model's lowest total is from the published one, in words."""
    lowest = frame.group_by("weights", maintain_order=True).agg(pl.col("above").min())
    parts = (f"{_compared(above)} with {name}" for name, above in lowest.iter_rows())
    return f"best seed (thick) compared with the published total: {', '.join(parts)}"


def _compared(above: int) -> str:
    """Return how many guesses a total is above another one, in words."""
    if above == 0:
        return "as many guesses"
    number = counted(abs(above), "guess", "es")
    return number.replace(" ", " more " if above > 0 else " fewer ", 1)


def _grouped(total: int) -> str:
    """Return a number with commas."""
    return f"{total:,}"


def ablation(table: pl.DataFrame) -> Chart:
    """Draw how the total changes if one turn's weights are uniform or random.

    There is a panel for each set of weights by turn, whose title gives its total before the change.
    One vector of weights has no turns to compare.
    """
    import altair as alt

    table = table.filter(pl.col("turn").n_unique().over("origin", "model") > 1)
    panel = pl.format(
        "{}: {}, total {}",
        "origin",
        display_names("model"),
        pl.col("total_guesses").map_elements(_grouped, pl.String),
    )
    common = ("origin", panel.alias("weights"), "turn")
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
    panels = rows["weights"].unique(maintain_order=True).to_list()
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
    return styled(
        alt.layer(zero, ranges, dots, data=rows)
        .properties(width=320, height=150)
        .facet(alt.Facet("weights:N", title=None, sort=panels), columns=2),
        "Change of the total when one turn's weights are replaced",
        f"{notation_of(PAPERS_GAME)}: {_ablation_finding(rows)}",
    )


def _ablation_finding(rows: pl.DataFrame) -> str:
    """Return the turns at which replaced weights cost most, in words."""
    costliest = {
        by: part.sort("change", descending=True).row(0, named=True)
        for (by,), part in rows.group_by("by", maintain_order=True)
    }
    uniform, random = costliest[UNIFORM], costliest[RANDOM]
    return (
        f"uniform weights cost most at turn {uniform['turn']} ({uniform['change']:.0f} guesses), "
        f"random ones at turn {random['turn']} ({random['change']:.0f} on average)"
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
    table = pl.read_csv(inputs.ablation)
    charts = {
        "ga-convergence": convergence(searches, published_totals(table)),
        "turn-ablation": ablation(table),
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
