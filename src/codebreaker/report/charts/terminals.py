"""The terminals of Fallout 3 as a table and a chart."""

from typing import Any

import altair as alt
import polars as pl

from codebreaker.analysis.terminals import OPTIMAL, RANDOM
from codebreaker.report.charts.style import policy_scale, styled
from codebreaker.report.tables import markdown

NOTE = """Each row is the mean over terminals whose words were drawn at random from the word list of
the config; a terminal's figures are over all of its words as the password, each once.
Random consistent play is computed in expectation, not sampled. *Optimal* has the least mean of all
strategies, proven for each terminal; it isn't chosen by what is solved in time."""


def to_markdown(table: pl.DataFrame, attempts: int) -> str:
    """Return the table for people to read."""
    name = f"solved in {attempts} attempts"
    percent = pl.Series(name, [f"{share:.2%}" for share in table["solved_in_time"]])
    shown = table.drop("solved_in_time").with_columns(percent)
    return f"# Terminals of Fallout 3\n\n{markdown.frame_table(shown)}\n\n{NOTE}"


def chart(terminals: pl.DataFrame, attempts: int) -> Any:  # noqa: ANN401 (any of altair's charts)
    """Draw the share that is solved in time, by the number of words."""
    lost = (
        terminals.group_by("strategy", "words")
        .agg((1 - pl.col("solved_in_time").mean()).alias("lost"), pl.col("mean_guesses").mean())
        .sort("strategy", "words")
    )
    largest = int(lost["words"].to_numpy().max())
    ends = lost.filter(pl.col("words") == largest).sort("lost")
    base = alt.Chart(lost).encode(
        x=alt.X("words:O", title="words of the terminal").axis(labelAngle=0),
        y=alt.Y("lost:Q", title=f"not solved in {attempts} attempts", axis=alt.Axis(format=".1%")),
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
        f"of passwords, optimal play {by_name[OPTIMAL]:.1%}",
        f"Share of passwords not found in {attempts} attempts; "
        f"{terminals.n_unique(['length', 'words', 'number']):,} terminals with words of "
        f"{letters.min()} to {letters.max()} letters",
    )
