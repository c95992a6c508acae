"""Charts of what wrong answers cost."""

import altair as alt
import polars as pl

from codebreaker.analysis.wrong_answers import ANY, NONE, ONCE
from codebreaker.report.charts.style import INK, SERIES, Chart, styled

RIGHT, LIE = "all answers right", "at most one wrong"
COLOURS = {RIGHT: SERIES, LIE: "#b2334f"}


def lie_finding(table: pl.DataFrame) -> str:
    """Return what one wrong answer costs at least and at most."""
    least, most = min(table["cost"].to_list()), max(table["cost"].to_list())
    cost = f"{least} to {most}" if least < most else str(most)
    return f"One wrong answer costs {cost} guesses in the worst case"


def lie_chart(table: pl.DataFrame) -> Chart:
    """Draw the fewest guesses of each game with and without a wrong answer, joined by a line."""
    rows = table.rename({"guesses": RIGHT, "with a lie": LIE})
    y = alt.Y("game:N", title=None, sort=table["game"].to_list())
    x = alt.X(f"{RIGHT}:Q", title="guesses that always suffice").axis(tickMinStep=1)
    joined = alt.Chart(rows).mark_rule(strokeWidth=1.5, opacity=0.5).encode(y=y, x=x, x2=f"{LIE}:Q")
    names = list(COLOURS)
    dots = (
        alt.Chart(rows.unpivot(names, index=["game", "cost"], variable_name="answers"))
        .mark_point(filled=True, size=80, opacity=1)
        .encode(
            y=y,
            x="value:Q",
            color=alt.Color(
                "answers:N",
                title=None,
                scale=alt.Scale(domain=names, range=list(COLOURS.values())),
            ),
            tooltip=["game", "answers", "value", "cost"],
        )
    )
    return styled(
        (joined + dots).properties(width=420, height={"step": 20}),
        lie_finding(table),
        "the fewest guesses, proven; a right guess is never denied, a wrong one never confirmed",
    )


def errors_finding(table: pl.DataFrame) -> str:
    """Return what the highest chance of a wrong answer costs on average."""
    right = table.filter(pl.col("wrong") == NONE)["mean"][0]
    worst = table.filter(pl.col("wrong") == ANY).sort("chance").row(-1, named=True)
    return (
        f"If {worst['chance']:.0%} of the answers are wrong, entropy takes {worst['mean']:.2f} "
        f"guesses instead of {right:.2f}"
    )


def errors_chart(table: pl.DataFrame) -> Chart:
    """Draw the mean guesses of entropy by the chance of a wrong answer."""
    right = table.filter(pl.col("wrong") == NONE)
    rows = pl.concat(
        [
            table.filter(pl.col("wrong") != NONE),
            *(right.with_columns(pl.lit(kind).alias("wrong")) for kind in (ONCE, ANY)),
        ]
    ).with_columns(
        (pl.col("mean") - pl.col("error")).alias("low"),
        (pl.col("mean") + pl.col("error")).alias("high"),
    )
    base = alt.Chart(rows).encode(
        x=alt.X("chance:Q", title="chance that an answer is wrong", axis=alt.Axis(format="%")),
        color=alt.Color(
            "wrong:N",
            title="wrong answers of a game",
            scale=alt.Scale(domain=[ONCE, ANY], range=[INK, SERIES]),
        ),
    )
    y = alt.Y("mean:Q", title="mean guesses", scale=alt.Scale(zero=False))
    lines = base.mark_line(point=alt.OverlayMarkDef(size=55)).encode(
        y=y, tooltip=["wrong", "chance", "mean", "error", "max", "games"]
    )
    bars = base.mark_rule(strokeWidth=1.5).encode(y=alt.Y("low:Q"), y2="high:Q")
    return styled(
        (lines + bars).properties(width=420, height=260),
        errors_finding(table),
        f"{table['game'][0]}: entropy over the chances of all secrets, with standard errors",
    )
