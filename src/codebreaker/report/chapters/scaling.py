"""Scaling: time, memory, mean and maximum by the number of codes."""

from math import isnan

import altair as alt
import numpy as np
import polars as pl

from codebreaker.report.chapters import Files
from codebreaker.report.names import notation_of, spoken
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
    *others, last = map(spoken, tied["policy"])
    need, each = ("need", " each") if others else ("needs", "")
    who = f"{', '.join(others)} and {last}" if others else last
    alone = tied.height < largest.height
    which = f"the fewest guesses: {lowest:.3f}" if alone else f"{lowest:.3f} guesses"
    best = f"{who} {need} {which}{each} on average on {notation_of(row['game'])}"
    slope = _time_exponent(table, row["policy"])
    grows = (
        f"the time of {spoken(row['policy'])} grows like the number of codes to the power "
        f"{slope:.2f}"
    )
    return best if isnan(slope) else f"{best}; {grows}"


def scaling_chart(table: pl.DataFrame) -> Chart:
    """Draw time, mean and maximum in a row for each size, whose dots are side by side."""
    size = pl.concat_str(
        pl.col("game").map_elements(notation_of, pl.String),
        pl.col("codes").map_elements(lambda codes: f"{codes:,} codes", pl.String),
        separator=", ",
    )
    rows = table.sort("codes", "game").with_columns(
        size.alias("size"), display_names("policy").alias("strategy")
    )
    sizes = rows["size"].unique(maintain_order=True).to_list()
    colours = spoken_colours(rows["policy"])
    y_offset = alt.YOffset("strategy:N", sort=list(colours))
    tooltip = ["game", "codes", "strategy", "seconds", "mean_guesses", "max_guesses"]
    seconds = [10.0**n for n in range(-2, 5)]
    base = alt.Chart(rows).mark_point(filled=True, size=60, opacity=1)

    def panel(x: Chart, axis: Chart = None) -> Chart:
        """Draw one measure by size and policy."""
        dots = base.encode(
            x=x,
            y=by.y("size:O", None, sort=sizes, axis=axis),
            yOffset=y_offset,
            color=by.colour("strategy:N", None, each=colours),
            tooltip=tooltip,
        )
        return dots.properties(width=210, height=alt.Step(9, **{"for": "offset"}))

    sized = alt.Axis(grid=True, tickBand="extent", labelLimit=320)
    ticked = alt.Axis(grid=True, tickBand="extent", labels=False, ticks=False)
    return styled(
        alt.concat(
            panel(by.x("seconds:Q", "seconds", type="log", values=seconds, format="~g"), sized),
            panel(by.x("mean_guesses:Q", "mean guesses", zero=False), ticked),
            panel(by.x("max_guesses:Q", "maximum guesses", zero=False, format="d"), ticked),
            columns=3,
        ),
        "Time and guesses by the number of codes",
        f"With feedback on demand (threads: {table['threads'][0]}), {scaling_finding(table)}",
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
    save(scaling_chart(table), output.figures[0], params.png_scale)
    return finding
