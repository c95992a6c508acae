"""Table and chart of the terminals of Fallout 3."""

import altair as alt
import polars as pl

from codebreaker.analysis.terminals import OPTIMAL, RANDOM
from codebreaker.report.charts.style import Chart, policy_scale, styled
from codebreaker.report.tables import markdown

NOTE = """Each row is a mean over terminals with words drawn at random from the word list in the
configuration; on each terminal, every word is the password once. Random consistent play is computed
in expectation, not sampled. *Optimal* has the least mean of all strategies, proven for each
terminal; it does not aim to find the most passwords within the attempts."""


def to_markdown(table: pl.DataFrame, attempts: int) -> str:
    """Return the table as Markdown."""
    name = f"solved in {attempts} attempts"
    percent = pl.Series(name, [f"{share:.2%}" for share in table["solved_in_time"]])
    shown = table.drop("solved_in_time").with_columns(percent)
    return markdown.page("Terminals of Fallout 3", shown, NOTE)


def chart(terminals: pl.DataFrame, attempts: int) -> Chart:
    """Draw the share of passwords not found within the attempts, by number of words."""
    lost = (
        terminals.group_by("strategy", "words")
        .agg((1 - pl.col("solved_in_time").mean()).alias("lost"), pl.col("mean_guesses").mean())
        .sort("strategy", "words")
    )
    largest = int(lost["words"].to_numpy().max())
    ends = lost.filter(pl.col("words") == largest).sort("lost")
    base = alt.Chart(lost).encode(
        x=alt.X("words:O", title="words on the terminal").axis(labelAngle=0),
        y=alt.Y("lost:Q", title=f"not found in {attempts} attempts", axis=alt.Axis(format=".1%")),
        color=alt.Color(
            "strategy:N",
            title=None,
            sort=ends["strategy"].reverse().to_list(),
            scale=policy_scale(ends["strategy"].reverse()),
        ),
        tooltip=["strategy", "words", alt.Tooltip("lost:Q", format=".2%"), "mean_guesses"],
    )
    letters = terminals["length"].to_numpy()
    by_name = dict(zip(ends["strategy"], ends["lost"], strict=True))
    return styled(
        base.mark_line(point={"size": 50, "filled": True}, strokeWidth=2).properties(
            width=560, height=320
        ),
        f"With {largest} words, random consistent play misses {by_name[RANDOM]:.1%} "
        f"of the passwords, optimal play {by_name[OPTIMAL]:.1%}",
        f"Share of passwords not found in {attempts} attempts; "
        f"{terminals.n_unique(['length', 'words', 'number']):,} terminals with words of "
        f"{letters.min()} to {letters.max()} letters",
    )
