"""Scaling: time, memory, mean and maximum by the number of codes."""

from math import isnan

import altair as alt
import numpy as np
import polars as pl

from codebreaker.report.chapters import Files
from codebreaker.report.style import Chart, by, display_names, save, spoken_colours, styled
from codebreaker.report.tables import notes_of, write_page

NOTES = notes_of(__file__)
SHORTEST_FIT_S = 0.3
"""Shorter times, mostly overhead, are left out of the fit."""

FEWEST_FITTED = 4
"""Minimum sizes for an exponent."""


def scaling_finding(table: pl.DataFrame) -> str:
    """Return the best policies on the largest game, and the growth of the best one's time."""
    largest = table.filter(pl.col("codes") == pl.col("codes").max()).sort("mean_guesses", "policy")
    row = largest.row(0, named=True)
    lowest = row["mean_guesses"]
    tied = largest.filter(pl.col("mean_guesses").rank("min") == 1)
    *others, last = tied["policy"]
    need, each = ("need", " each") if others else ("needs", "")
    who = f"{', '.join(others)} and {last}" if others else last
    alone = tied.height < largest.height
    which = f"the fewest guesses: {lowest:.3f}" if alone else f"{lowest:.3f} guesses"
    best = f"{who} {need} {which}{each} on average on {row['game']}"
    slope = _time_exponent(table, row["policy"])
    grows = f"the time of {row['policy']} grows like the number of codes to the power {slope:.2f}"
    return best if isnan(slope) else f"{best}; {grows}"


def _scaling_chart(table: pl.DataFrame) -> Chart:
    """Draw time, mean and maximum by the number of codes."""
    rows = table.sort("codes").with_columns(
        pl.col("game").str.split("-").list[1].alias("pegs"),
        display_names("policy").alias("strategy"),
    )
    codes = rows["codes"].to_list()
    scale = {"type": "log", "domain": [0.8 * min(codes), 1.25 * max(codes)], "nice": False}
    ticks = [k * 10**n for n in range(3, 8) for k in (1, 3)]
    x = by.x("codes:Q", **scale, format="~s", values=ticks, grid=False)
    by_policy = {
        "color": by.colour("strategy:N", None, each=spoken_colours(rows["policy"])),
        "shape": by.shape("pegs:N", "pegs"),
        "detail": alt.Detail("pegs:N"),
    }

    def panel(y: Chart) -> Chart:
        """Draw one measure by policy and number of pegs."""
        line = alt.Chart(rows).mark_line(point=alt.OverlayMarkDef(size=45))
        tooltip = ["game", "codes", y.shorthand]
        return line.encode(x=x, y=y, tooltip=tooltip, **by_policy).properties(width=240, height=240)

    seconds = [10.0**n for n in range(-2, 5)]
    return styled(
        alt.hconcat(
            panel(by.y("seconds:Q", "seconds", type="log", values=seconds, format="~g")),
            panel(by.y("mean_guesses:Q", "mean guesses", zero=False)),
            panel(by.y("max_guesses:Q", "maximum guesses", zero=False)),
        ),
        "Time and guesses by the number of codes",
        f"Mastermind of {table['game'].n_unique()} sizes, with feedback on demand; "
        f"threads: {table['threads'][0]}. Lines that coincide hide each other",
    )


def _time_exponent(table: pl.DataFrame, policy: str) -> float:
    """Return the exponent of the time in the number of codes, by least squares of logarithms.

    It is NaN with fewer than `FEWEST_FITTED` sizes whose time is long enough.
    """
    rows = table.filter(pl.col("policy") == policy, pl.col("seconds") >= SHORTEST_FIT_S)
    if rows["codes"].n_unique() < FEWEST_FITTED:
        return float("nan")
    codes = np.log(rows["codes"].to_numpy())
    seconds = np.log(rows["seconds"].to_numpy())
    return float(np.polyfit(codes, seconds, 1)[0])


def draw_scaling(inputs: Files, output: Files, params: Files) -> str:
    """Tabulate and draw the scaling."""
    table = pl.concat(map(pl.read_csv, inputs.measured)).sort("codes", "policy")
    finding = scaling_finding(table)
    write_page(table, output.tables, "Scaling", f"{finding}.", table, NOTES["Scaling"])
    save(_scaling_chart(table), output.figures[0], params.png_scale)
    return finding
