"""Charts of the table of strategies, and of the published stage weights."""

from collections.abc import Callable

import altair as alt
import polars as pl

from codebreaker.analysis.metrics import OPTIMAL, USUAL_TIES
from codebreaker.analysis.weights import deviations
from codebreaker.constants import PAPERS_GAME
from codebreaker.policies.weights import published
from codebreaker.report.charts import distance
from codebreaker.report.charts.style import INK, Chart, deviation_tiles, policy_scale, styled
from codebreaker.report.charts.titles import fewest, listed
from codebreaker.report.names import FIRST, name_of

IS_OPTIMAL = f"datum.policy === '{OPTIMAL}'"
MEAN_TICKS = (4.35, 4.4, 4.5, 4.6, 4.8, 5, 5.5, 6, 6.5)


def _named(strategies: pl.DataFrame, game: str) -> pl.DataFrame:
    frame = strategies.filter(pl.col("game") == game)
    return frame.with_columns(
        pl.Series("strategy", [name_of(row) for row in frame.iter_rows(named=True)])
    )


def profiles(strategies: pl.DataFrame, game: str = PAPERS_GAME) -> Chart:
    """Draw the share of secrets that each strategy solves at each guess."""
    frame = _named(strategies, game).filter(
        pl.col("tie_break").is_in([USUAL_TIES, "none"]) | (pl.col("policy") == FIRST)
    )
    order = frame.sort("mean_guesses", "max_guesses", "tree")["strategy"].to_list()
    solved = (
        frame.with_columns(pl.col("profile").str.split(" "))
        .explode("profile", empty_as_null=True)
        .with_columns(
            pl.col("profile").cast(pl.Int64).alias("count"),
            pl.int_range(1, pl.len() + 1).over("tree").alias("guess"),
            (pl.col("profile").cast(pl.Int64) / pl.col("secrets")).alias("share"),
        )
    )
    y = alt.Y("strategy:N", sort=order, title=None)
    bars = (
        alt.Chart(solved)
        .mark_bar(height={"band": 0.78})
        .encode(
            y=y,
            x=alt.X("share:Q", title="share of secrets", axis=alt.Axis(format="%", grid=False)),
            color=alt.Color(
                "guess:O",
                title="solved at guess",
                scale=alt.Scale(scheme="viridis", reverse=True),
                legend=alt.Legend(orient="bottom", direction="horizontal"),
            ),
            order="guess:O",
            tooltip=["strategy", "guess", "count", alt.Tooltip("share:Q", format=".2%")],
        )
    )
    means = (
        alt.Chart(frame)
        .mark_text(align="left", dx=6, color=INK)
        .encode(y=y, x=alt.datum(1.0), text=alt.Text("mean_guesses:Q", format=".4f"))
    )
    scores = [
        (name, mean, 0.0) for name, mean in frame.select("strategy", "mean_guesses").iter_rows()
    ]
    return styled(
        (bars + means).properties(width=520, height=alt.Step(24)),
        f"{fewest(scores, 'guesses', '.4f')} on average",
        f"{game}: share of secrets solved at each guess; the numbers are mean guesses",
    )


def mean_and_maximum(strategies: pl.DataFrame, game: str = PAPERS_GAME) -> Chart:
    """Draw each strategy by its mean number of guesses, in one row per maximum."""
    frame = _named(strategies, game)
    lane = alt.Y(
        "strategy:N", title=None, sort=alt.EncodingSortField("mean_guesses", order="ascending")
    ).axis(labels=False, ticks=False, domain=False)
    x = alt.X(
        "mean_guesses:Q",
        title="mean guesses (logarithmic scale)",
        scale=alt.Scale(type="log", nice=False, zero=False, padding=12),
        axis=alt.Axis(values=MEAN_TICKS, format=".2f"),
    )
    base = alt.Chart(frame).encode(x=x, y=lane)
    dots = base.mark_point(size=110, opacity=1, filled=True).encode(
        shape=alt.condition(IS_OPTIMAL, alt.value("diamond"), alt.value("circle")),
        color=alt.Color("policy:N", legend=None, scale=policy_scale(frame["policy"])),
        tooltip=["strategy", "opening", "total_guesses", "mean_guesses", "max_guesses", "profile"],
    )
    names = base.mark_text(align="left", dx=9, color=INK).encode(text="strategy:N")
    rows = (
        (dots + names)
        .properties(width=760, height=alt.Step(18))
        .facet(row=alt.Row("max_guesses:O", title="maximum guesses"), spacing=10)
        .resolve_scale(y="independent")
    )
    best = frame.sort("mean_guesses", "max_guesses", "tree").row(0, named=True)
    safest = frame.sort("max_guesses", "mean_guesses", "tree").row(0, named=True)
    return styled(
        rows,
        f"The best mean is {best['mean_guesses']:.4f} guesses"
        + (
            f", or {safest['mean_guesses']:.4f} with at most {safest['max_guesses']} for any secret"
            if safest["max_guesses"] < best["max_guesses"]
            else f", with at most {best['max_guesses']} for any secret"
        ),
        f"{game}: one dot per strategy, better to the left; diamonds are proven optima",
    )


def stage_weights() -> Chart:
    """Draw the stage weights of Gür 2025, coloured by deviation from the mean of the turn."""
    weights = published("gur-2025-stage")
    percent = deviations(weights)
    frame = pl.DataFrame(
        [
            {
                "turn": turn + 1,
                "feedback": label,
                "weight": float(weights.values[turn, column]),
                "deviation": float(percent[turn, column]),
            }
            for turn in range(len(weights.values))
            for column, label in enumerate(weights.feedback_labels)
        ]
    )
    base = alt.Chart(frame).encode(
        x=alt.X("feedback:N", sort=list(weights.feedback_labels), title="feedback").axis(
            labelAngle=-40, orient="bottom"
        ),
        y=alt.Y("turn:O", title="turn"),
    )
    tooltip = ["turn", "feedback", "weight", alt.Tooltip("deviation:Q", format="+.0f")]
    tiles = deviation_tiles(base, "deviation", tooltip, 11)
    top = frame.filter(pl.col("deviation") == pl.col("deviation").max())
    raised = [f"{one['feedback']} at turn {one['turn']}" for one in top.iter_rows(named=True)]
    return styled(
        tiles.properties(width=alt.Step(50), height=alt.Step(38)),
        f"No weight exceeds its turn's mean by more than that of {listed(raised)}: "
        f"{top['deviation'][0]:+.0f}%",
        "Weights of Gür 2025, Table 3; colours show the recomputed deviation from the turn's mean",
    )


FIGURES: dict[str, Callable[[pl.DataFrame], Chart]] = {
    "profiles": profiles,
    "mean-and-maximum": mean_and_maximum,
    "stage-weights": lambda strategies: stage_weights(),
    "above-the-optimum": distance.chart,
    "records": lambda strategies: distance.records(strategies, pl.read_csv(distance.RECORDS)),
}
"""The charts by file name; each takes the table of strategies."""
