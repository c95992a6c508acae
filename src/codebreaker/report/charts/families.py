"""Search for weights, for orders of entropies, and for both, at equal effort."""

from collections.abc import Sequence

import altair as alt
import polars as pl

from codebreaker.analysis.runs import Run, compare_runs, evaluation_budget
from codebreaker.constants import PAPERS_GAME
from codebreaker.report.charts.style import Chart, model_scale, styled
from codebreaker.report.charts.titles import listed
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


def title(table: pl.DataFrame) -> str:
    """Return which model ends lowest, if all of its seeds end below those of the others."""
    if table.height == 1:
        return f"{table['model'][0]} ends at a median of {table['median total'][0]:g}"
    medians = table["median total"].to_list()
    if medians.count(medians[0]) == len(medians):
        return f"All models end at a median of {medians[0]:g}"
    first, least = table["model"].to_list(), table["least total"].to_list()
    if table["largest total"][0] < min(least[1:]):
        return f"{first[0]} ends lowest, at a median of {medians[0]:g}"
    close = [one for one, low in zip(first, least, strict=True) if low <= table["largest total"][0]]
    return f"The totals that seeds end with overlap for {listed(close)}"


def chart(runs: Sequence[Run]) -> Chart:
    """Draw the best total so far, every tenth generation: the median and range of the seeds.

    Runs of fewer than ten generations are drawn generation by generation.
    """
    budget = evaluation_budget(runs)
    every = 10 if min(run.history.height for run in runs) >= 10 else 1
    bests = pl.concat(
        run.history.select(
            pl.lit(run.model).alias("model"),
            "generation",
            (pl.col("generation") * run.population).alias("evaluations"),
            "best",
        ).filter(pl.col("generation") % every == 0, pl.col("evaluations") <= budget)
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
    base = alt.Chart(lines.sort("model", "evaluations")).encode(x=x, color=colour)
    band = base.mark_area(opacity=0.15, interpolate="step-after", clip=True).encode(
        y=alt.Y("least:Q", title="total guesses", scale=scale), y2="most:Q"
    )
    line = base.mark_line(interpolate="step-after", clip=True).encode(
        y=alt.Y("median:Q", title="total guesses", scale=scale)
    )
    return styled(
        (band + line).properties(width=640, height=360),
        title(table),
        f"{PAPERS_GAME}: best total over {budget:,} evaluations, median and range of "
        f"{table['seeds'][0]} seeds",
    )
