"""The scaling study: time, memory, and mean and maximum guesses by the number of codes."""

from math import isnan
from typing import Any

import altair as alt
import polars as pl

from codebreaker.analysis.scaling import time_exponent
from codebreaker.report.charts.style import INK, Chart, policy_scale, styled
from codebreaker.report.charts.titles import fewest
from codebreaker.report.tables import markdown

NOTE = """Feedback is computed on demand for all games, even where a table would fit. Seconds are
wall-clock time after compilation, without reading and writing; `peak_mib` is the peak memory of the
game's job so far, including the interpreter and all libraries."""


def finding(table: pl.DataFrame) -> str:
    """Return the best policies on the largest game, and how the time of the best grows."""
    last = table.filter(pl.col("codes") == pl.col("codes").max()).sort("mean_guesses", "policy")
    row = last.row(0, named=True)
    means = [(name, mean, 0.0) for name, mean in last.select("policy", "mean_guesses").iter_rows()]
    best = f"{fewest(means, 'guesses', '.3f')} on average on {row['game']}"
    slope = time_exponent(table, row["policy"])
    return best if isnan(slope) else f"{best}; {row['policy']}'s time grows like codes^{slope:.2f}"


def to_markdown(table: pl.DataFrame) -> str:
    """Return the table as Markdown."""
    return markdown.page("Scaling", f"{finding(table)}.", table, NOTE)


def chart(table: pl.DataFrame) -> Chart:
    """Draw time, mean and maximum by the number of codes, one line per policy and number of pegs.

    Memory is that of the complete job, one line for all policies.
    """
    rows = table.sort("codes").with_columns(pl.col("game").str.split("-").list[1].alias("pegs"))
    axis = alt.Axis(
        format="~s", values=[k * 10**n for n in range(3, 8) for k in (1, 3)], grid=False
    )
    codes = rows["codes"].to_list()
    span = [0.8 * min(codes), 1.25 * max(codes)]
    x = alt.X("codes:Q", scale=alt.Scale(type="log", domain=span, nice=False), axis=axis)
    by_policy = {
        "color": alt.Color("policy:N", title=None, scale=policy_scale(rows["policy"])),
        "shape": alt.Shape("pegs:N", title="pegs"),
        "detail": alt.Detail("pegs:N"),
    }
    seconds = alt.Axis(values=[10.0**n for n in range(-2, 5)], format="~g")

    def panel(data: pl.DataFrame, y: alt.Y, **encoded: Any) -> Chart:  # noqa: ANN401
        line = alt.Chart(data).mark_line(point=alt.OverlayMarkDef(size=45))
        encoded |= {"x": x, "y": y, "tooltip": ["game", "codes", y.shorthand]}
        return line.encode(**encoded).properties(width=300, height=220)

    peaks = rows.group_by("game", "pegs", "codes").agg(pl.col("peak_mib").max()).sort("codes")
    panels = [
        panel(rows, alt.Y("seconds:Q", scale=alt.Scale(type="log"), axis=seconds), **by_policy),
        panel(peaks, alt.Y("peak_mib:Q", title="peak memory, MiB"), color=alt.value(INK)),
    ]
    for name, title in (("mean_guesses", "mean guesses"), ("max_guesses", "maximum guesses")):
        y = alt.Y(f"{name}:Q", title=title, scale=alt.Scale(zero=False))
        panels.append(panel(rows, y, **by_policy))
    return styled(
        alt.vconcat(alt.hconcat(*panels[:2]), alt.hconcat(*panels[2:])),
        finding(table),
        f"feedback on demand; games: {table['game'].n_unique()}, threads: {table['threads'][0]}",
    )
