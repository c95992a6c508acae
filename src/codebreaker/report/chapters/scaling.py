"""Scaling: time, memory, and mean and maximum guesses by the number of codes."""

from math import isnan
from typing import Any

import altair as alt
import numpy as np
import polars as pl

from codebreaker.report.chapters import Files
from codebreaker.report.style import INK, Chart, by, policy_scale, save, styled
from codebreaker.report.tables import notes_of, write_page

NOTES = notes_of(__file__)

SHORTEST_FIT_S = 0.3
"""Shorter times are left out of the fit: they are mostly overhead."""


def scaling_finding(table: pl.DataFrame) -> str:
    """Return the best policies on the largest game, and how the time of the best grows."""
    largest = table.filter(pl.col("codes") == pl.col("codes").max()).sort("mean_guesses", "policy")
    row = largest.row(0, named=True)
    least, tied = row["mean_guesses"], largest.filter(pl.col("mean_guesses").rank("min") == 1)
    *others, last = tied["policy"]
    need, each = ("need", " each") if others else ("needs", "")
    who = f"{', '.join(others)} and {last}" if others else last
    alone = tied.height < largest.height
    which = f"the fewest guesses: {least:.3f}" if alone else f"{least:.3f} guesses"
    best = f"{who} {need} {which}{each} on average on {row['game']}"
    slope = time_exponent(table, row["policy"])
    return best if isnan(slope) else f"{best}; {row['policy']}'s time grows like codes^{slope:.2f}"


def scaling_chart(table: pl.DataFrame) -> Chart:
    """Draw time, memory (of the complete job), mean and maximum by the number of codes."""
    rows = table.sort("codes").with_columns(pl.col("game").str.split("-").list[1].alias("pegs"))
    codes = rows["codes"].to_list()
    scale = {"type": "log", "domain": [0.8 * min(codes), 1.25 * max(codes)], "nice": False}
    ticks = [k * 10**n for n in range(3, 8) for k in (1, 3)]
    x = by.x("codes:Q", **scale, format="~s", values=ticks, grid=False)
    by_policy = {
        "color": by.colour("policy:N", None, scale=policy_scale(rows["policy"])),
        "shape": by.shape("pegs:N", "pegs"),
        "detail": alt.Detail("pegs:N"),
    }

    def panel(data: pl.DataFrame, y: Chart, encoded: dict[str, Any]) -> Chart:
        line = alt.Chart(data).mark_line(point=alt.OverlayMarkDef(size=45))
        tooltip = ["game", "codes", y.shorthand]
        return line.encode(x=x, y=y, tooltip=tooltip, **encoded).properties(width=300, height=220)

    peaks = rows.group_by("game", "pegs", "codes").agg(pl.col("peak_mib").max()).sort("codes")
    seconds = [10.0**n for n in range(-2, 5)]
    time = panel(rows, by.y("seconds:Q", type="log", values=seconds, format="~g"), by_policy)
    memory = panel(peaks, by.y("peak_mib:Q", "peak memory, MiB"), {"color": alt.value(INK)})
    mean = panel(rows, by.y("mean_guesses:Q", "mean guesses", zero=False), by_policy)
    most = panel(rows, by.y("max_guesses:Q", "maximum guesses", zero=False), by_policy)
    return styled(
        alt.vconcat(alt.hconcat(time, memory), alt.hconcat(mean, most)),
        "Time, memory and guesses by the number of codes",
        f"feedback on demand; games: {table['game'].n_unique()}, threads: {table['threads'][0]}",
    )


def time_exponent(table: pl.DataFrame, policy: str) -> float:
    """Return the exponent of time in the number of codes, by least squares; NaN for one time."""
    rows = table.filter(pl.col("policy") == policy, pl.col("seconds") >= SHORTEST_FIT_S)
    if rows["codes"].n_unique() < 2:
        return float("nan")
    codes, seconds = np.log(rows["codes"].to_numpy()), np.log(rows["seconds"].to_numpy())
    return float(np.polyfit(codes, seconds, 1)[0])


def draw_scaling(inputs: Files, output: Files, params: Files) -> str:
    """Tabulate and draw how time, memory and guesses grow with the number of codes."""
    table = pl.concat(map(pl.read_csv, inputs.measured)).sort("codes", "policy")
    finding = scaling_finding(table)
    write_page(table, output.tables, "Scaling", f"{finding}.", table, NOTES["Scaling"])
    save(scaling_chart(table), output.figures[0], params.png_scale)
    return finding
