"""Terminals of Fallout 3: their table and chart."""

import altair as alt
import polars as pl

from codebreaker.players.terminals import attempts_with_resets, read_terminals, terminal_means
from codebreaker.report.chapters import Files
from codebreaker.report.names import PLAYERS, SPOKEN, VARIANTS
from codebreaker.report.style import Chart, by, colour_of, save, styled
from codebreaker.report.tables import markdown_page, write_table

NOTE = """Each row is a mean over terminals with words drawn at random from the word list in the
configuration; on each terminal, every word is the password once. Random consistent play is
computed in expectation, not sampled. *Optimal* has the least mean of all strategies, and
*optimal-in-time* finds the most passwords within the attempts and, of the strategies that do, has
the least mean; both are proven for each terminal. With resets, the player has the attempts
replenished when one is left, and keeps what is known of the password."""


def terminals_page(table: pl.DataFrame, attempts: int, resets: int) -> str:
    """Return the table as Markdown."""
    allowed = attempts_with_resets(attempts, resets)
    names = {"solved_in_time": f"solved in {attempts} attempts"}
    names["solved_with_resets"] = f"with {resets} reset{'s'[resets == 1 :]}, in {allowed}"
    shown = table.with_columns(
        pl.Series(column, [f"{share:.2%}" for share in table[column]]) for column in names
    ).rename(names)
    return markdown_page("Terminals of Fallout 3", shown, NOTE)


def terminals_chart(terminals: pl.DataFrame, attempts: int) -> Chart:
    """Draw the share of passwords not found within the attempts, by number of words."""
    lost = (
        terminals.group_by("strategy", "words")
        .agg((1 - pl.col("solved_in_time").mean()).alias("lost"), pl.col("mean_guesses").mean())
        .sort("strategy", "words")
        .with_columns(name=pl.col("strategy").replace(SPOKEN | VARIANTS | PLAYERS))
    )
    ends = lost.filter(pl.col("words") == pl.col("words").max()).sort("lost").reverse()
    colours = dict(zip(ends["name"], map(colour_of, ends["strategy"]), strict=True))
    base = alt.Chart(lost).encode(
        x=by.x("words:O", "words on the terminal", labelAngle=0),
        y=by.y("lost:Q", f"not found in {attempts} attempts", format=".1%"),
        color=by.colour("name:N", None, sort=list(colours), each=colours),
        tooltip=["name", "words", alt.Tooltip("lost:Q", format=".2%"), "mean_guesses"],
    )
    letters, sizes = terminals["length"].to_numpy(), ["length", "words", "number"]
    lines = base.mark_line(point={"size": 50, "filled": True}, strokeWidth=2)
    return styled(
        lines.properties(width=560, height=320),
        "Passwords not found within the attempts, by number of words",
        f"Share of passwords not found in {attempts} attempts; {terminals.n_unique(sizes):,} "
        f"terminals with words of {letters.min()} to {letters.max()} letters",
    )


def tabulate_terminals(inputs: Files, output: Files, params: Files) -> str:
    """Tabulate the terminals: overall, by number of words, and by word length."""
    table = terminal_means(read_terminals(inputs.terminals))
    write_table(table, terminals_page(table, params.attempts, params.resets), output.tables)
    return f"{table.height} rows"


def plot_terminals(inputs: Files, output: Files, params: Files) -> str:
    """Draw how often terminals are solved within the attempts."""
    terminals = read_terminals(inputs.terminals)
    save(terminals_chart(terminals, params.attempts), output.figures[0], params.png_scale)
    return f"{terminals.height} rows"
