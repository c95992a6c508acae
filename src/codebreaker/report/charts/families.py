"""Weights, orders of entropies, and both: what the same search reaches with each."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import polars as pl

from codebreaker.analysis.runs import Run, compare_runs, evaluation_budget
from codebreaker.report.charts.style import model_scale, styled
from codebreaker.report.tables import markdown

NOTE = """All models have the same opening, seeds and operators, and are compared after the same
number of evaluations, that of the shortest run. A run's total may fall further when it goes on."""

STEP = 10
"""Every so many generations are drawn."""


def finding(table: pl.DataFrame) -> str:
    """Return each model's median total."""
    medians = zip(table["model"], table["median total"], strict=True)
    return "Median totals: " + ", ".join(f"{model} {median:g}" for model, median in medians)


def to_markdown(table: pl.DataFrame, runs: Sequence[Run]) -> str:
    """Return the table for people to read."""
    title = f"# Families of entropies after {evaluation_budget(runs):,} evaluations"
    return f"{title}\n\n{finding(table)}.\n\n{markdown.frame_table(table)}\n\n{NOTE}"


def chart(runs: Sequence[Run]) -> Any:  # noqa: ANN401
    """Draw the best total so far by evaluations: the median of the seeds, and their range."""
    budget = evaluation_budget(runs)
    told = pl.concat(
        run.history.select(
            pl.lit(run.model).alias("model"),
            "generation",
            (pl.col("generation") * run.population).alias("evaluations"),
            "best",
        ).filter(pl.col("generation") % STEP == 0, pl.col("evaluations") <= budget)
        for run in runs
    )
    lines = told.group_by("model", "evaluations").agg(
        pl.col("best").median().alias("median"),
        pl.col("best").min().alias("least"),
        pl.col("best").max().alias("most"),
    )
    table = compare_runs(runs)
    models = table["model"].to_list()
    colour = alt.Color(
        "model:N",
        title=None,
        scale=model_scale(models),
        legend=alt.Legend(symbolOpacity=1),
    )
    x = alt.X(
        "evaluations:Q",
        title="individuals evaluated",
        scale=alt.Scale(type="log", nice=False),
        axis=alt.Axis(format="~s", tickCount=6),
    )
    lowest, highest = min(lines["least"].to_list()), max(table["largest total"].to_list())
    scale = alt.Scale(domain=[lowest - 1, 2 * highest - lowest], nice=False, zero=False)
    title = "total guesses"
    base = alt.Chart(lines.sort("model", "evaluations"))
    band = base.mark_area(opacity=0.15, interpolate="step-after", clip=True).encode(
        x=x, y=alt.Y("least:Q", title=title, scale=scale), y2="most:Q", color=colour
    )
    line = base.mark_line(interpolate="step-after", clip=True).encode(
        x=x, y=alt.Y("median:Q", title=title, scale=scale), color=colour
    )
    seeds, medians = table["seeds"][0], table["median total"].to_list()
    return styled(
        (band + line).properties(width=640, height=360),
        f"{models[0]} ends lowest, {medians[0]:g}; {models[-1]} highest, {medians[-1]:g}",
        f"mm-4-6, {budget:,} evaluations: best total so far, the median of {seeds} seeds and range",
    )
