"""The terminals of Fallout 3."""

import polars as pl

from codebreaker.players.terminal_means import attempts_with_resets, read_terminals, terminal_means
from codebreaker.report import style
from codebreaker.report.chapters import Files
from codebreaker.report.style import Chart, by, save, styled
from codebreaker.report.tables import notes_of, write_page

NOTES = notes_of(__file__)


def shown_terminals(table: pl.DataFrame) -> pl.DataFrame:
    """Return the table for readers: shares in percent, and headers that state the attempts."""
    attempts = int(table["attempts"][0])
    resets = int(table["resets"][0])
    allowed = attempts_with_resets(attempts, resets)
    plural = "" if resets == 1 else "s"
    headers = {
        "solved_in_time": f"solved in {attempts} attempts",
        "solved_error": "standard error",
        "solved_with_resets": f"solved with {resets} reset{plural}, in {allowed} attempts",
        "cut_in_half": "less than half left after the first guess",
    }
    percent = (
        pl.Series(column, ["" if share is None else f"{share:.2%}" for share in table[column]])
        for column in headers
    )
    return (
        table.with_columns(pl.col("mean_guesses").round(4), *percent)
        .drop("attempts", "resets")
        .rename(lambda column: headers.get(column, column.replace("_", " ")))
    )


def terminals_chart(terminals: pl.DataFrame, attempts: int) -> Chart:
    """Draw the share of passwords not found."""
    import altair as alt  # slow to import

    lost = (
        terminals.group_by("strategy", "words")
        .agg((1 - pl.col("solved_in_time").mean()).alias("lost"), pl.col("mean_guesses").mean())
        .sort("strategy", "words")
        .with_columns(name=style.display_names("strategy"))
    )
    ends = lost.filter(pl.col("words") == pl.col("words").max()).sort("lost").reverse()
    colours = dict(zip(ends["name"], map(style.colour_of, ends["strategy"]), strict=True))
    base = alt.Chart(lost).encode(
        x=by.x("words:O", "words on the terminal", labelAngle=0),
        y=by.y("lost:Q", f"not found in {attempts} attempts", format=".1%"),
        color=by.colour("name:N", None, sort=list(colours), each=colours),
        tooltip=["name", "words", alt.Tooltip("lost:Q", format=".2%"), "mean_guesses"],
    )
    letters = terminals["length"].to_numpy()
    sizes = ["length", "words", "number"]
    lines = base.mark_line(point={"size": 50, "filled": True}, strokeWidth=2)
    return styled(
        lines.properties(width=560, height=320),
        "Fallout terminals: passwords not found within the attempts, by number of words",
        f"{_terminals_finding(ends, attempts)}. {terminals.n_unique(sizes):,} terminals like those "
        f"of Fallout 3, with words of {letters.min()} to {letters.max()} letters",
    )


def _terminals_finding(ends: pl.DataFrame, attempts: int) -> str:
    """Return the highest and the lowest share of passwords not found among most words."""
    worst = ends.row(0, named=True)
    best = ends.row(-1, named=True)
    return (
        f"Among {worst['words']} words, {worst['name']} misses {worst['lost']:.1%} of the "
        f"passwords in {attempts} attempts, and {best['name']} {best['lost']:.1%}"
    )


def tabulate_terminals(inputs: Files, output: Files, params: Files) -> str:
    """Tabulate and draw the terminals."""
    terminals = read_terminals(inputs.terminals)
    table = terminal_means(terminals).with_columns(
        pl.lit(params.attempts).alias("attempts"), pl.lit(params.resets).alias("resets")
    )
    shown = shown_terminals(table)
    write_page(table, output.tables, "Terminals of Fallout 3", shown, NOTES["Terminals"])
    save(terminals_chart(terminals, params.attempts), output.figures[0], params.png_scale)
    return f"{table.height} rows"
