"""Search for weights, for orders of entropies, and for both, at equal effort."""

from collections.abc import Sequence

import altair as alt
import polars as pl

from codebreaker.analysis.runs import Run, compare_runs, evaluation_budget
from codebreaker.constants import PAPERS_GAME
from codebreaker.report.charts.style import Chart, model_scale, styled
from codebreaker.report.tables import markdown

NOTE = """All models have the same opening, seeds and operators, and are compared after the number
of evaluations of the shortest run. Longer runs may reach lower totals."""


def finding(table: pl.DataFrame) -> str:
    """Return the models' median totals as text."""
    medians = zip(table["model"], table["median total"], strict=True)
    return "Median totals: " + ", ".join(f"{model} {median:g}" for model, median in medians)


def to_markdown(table: pl.DataFrame, runs: Sequence[Run]) -> str:
    """Return the table as Markdown."""
    title = f"Families of entropies after {evaluation_budget(runs):,} evaluations"
    return markdown.page(title, f"{finding(table)}.", table, NOTE)


def chart(runs: Sequence[Run]) -> Chart:
    """Draw the best total so far, every tenth generation: the median and range of the seeds."""
    budget = evaluation_budget(runs)
    bests = pl.concat(
        run.history.select(
            pl.lit(run.model).alias("model"),
            "generation",
            (pl.col("generation") * run.population).alias("evaluations"),
            "best",
        ).filter(pl.col("generation") % 10 == 0, pl.col("evaluations") <= budget)
        for run in runs
    )
    lines = bests.group_by("model", "evaluations").agg(
        pl.col("best").median().alias("median"),
        pl.col("best").min().alias("least"),
        pl.col("best").max().alias("most"),
    )
    table = compare_runs(runs)
    models = table["model"].to_list()
    legend = alt.Legend(symbolOpacity=1)
    colour = alt.Color("model:N", title=None, scale=model_scale(models), legend=legend)
    x = alt.X(
        "evaluations:Q",
        title="evaluated individuals",
        scale=alt.Scale(type="log", nice=False),
        axis=alt.Axis(format="~s", tickCount=6),
    )
    lowest, highest = min(lines["least"].to_list()), max(table["largest total"].to_list())
    scale = alt.Scale(domain=[lowest - 1, 2 * highest - lowest], nice=False, zero=False)
    title = "total guesses"
    base = alt.Chart(lines.sort("model", "evaluations")).encode(x=x, color=colour)
    band = base.mark_area(opacity=0.15, interpolate="step-after", clip=True).encode(
        y=alt.Y("least:Q", title=title, scale=scale), y2="most:Q"
    )
    line = base.mark_line(interpolate="step-after", clip=True).encode(
        y=alt.Y("median:Q", title=title, scale=scale)
    )
    seeds, medians = table["seeds"][0], table["median total"].to_list()
    return styled(
        (band + line).properties(width=640, height=360),
        f"{models[0]} ends lowest, at {medians[0]:g}; {models[-1]} highest, at {medians[-1]:g}",
        f"{PAPERS_GAME}: best total over {budget:,} evaluations, median and range of {seeds} seeds",
    )
