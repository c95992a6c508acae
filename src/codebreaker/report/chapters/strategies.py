"""Strategies: profiles, means and maxima, and how far the known ones are from the least total."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl

from codebreaker.constants import PAPERS_GAME
from codebreaker.files import DATA
from codebreaker.policies.weights import published
from codebreaker.report.chapters import Files
from codebreaker.report.names import FIRST, SPOKEN, name_of, notation_of
from codebreaker.report.style import INK, SERIES, Chart, deviation_tiles, policy_scale, save, styled
from codebreaker.trees.metrics import BEST_KNOWN, OPTIMAL, USUAL_TIES, read_strategies
from codebreaker.trees.verify import known_totals
from codebreaker.weights.effects import deviations

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
    return styled(
        (bars + means).properties(width=520, height=alt.Step(24)),
        "Secrets solved at each guess, by strategy",
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
    return styled(
        rows,
        "Mean guesses of strategies, by their maximum",
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
    return styled(
        tiles.properties(width=alt.Step(50), height=alt.Step(38)),
        "Weights of Gür 2025 by turn and feedback",
        "Weights of Gür 2025, Table 3; colours show the recomputed deviation from the turn's mean",
    )


RECORDS_GAME = "mm-5-8"
RECORDS = DATA / "published" / "records.csv"
"""The least published totals that we know of, by game."""

RECORD = "lowest published total"
"""The name of such a total in the chart."""

ROOM = 1.3
"""The axis is longer than its longest stem by this factor, for the number at its end."""

FAR = 0.05
"""Strategies that exceed the lowest total by more than this part are named, not drawn."""

KNOWN = (
    pl.col("policy").is_in(list(SPOKEN))
    & (
        (pl.col("policy") == FIRST)
        | (pl.col("policy") == OPTIMAL) & pl.col("guess_limit").is_null()
        | (pl.col("tie_break") == USUAL_TIES)
    )
    & ((pl.col("policy") == FIRST) | (pl.col("guess_pool") == "all"))
    & pl.col("exact_from").is_null()
    & pl.col("rounds").is_null()
    & ((pl.col("endgames") == 0) | (pl.col("policy") == "endgame-weighted-179064"))
)
"""Strategies with a name in words, as they are usually played."""


def known_strategies(strategies: pl.DataFrame, game: str) -> pl.DataFrame:
    """Return a game's strategies that have a name in words, the fewest guesses first.

    Each policy has one row: its own way to play or, if it was played from given openings alone,
    the best of them. Without any such strategy, all of the game are returned by their own names.
    Columns: `name`, `total_guesses`, `mean_guesses`, `max_guesses`, `policy`.
    """
    rows = strategies.filter(pl.col("game") == game)
    names = pl.Series("name", [name_of(row) for row in rows.iter_rows(named=True)])
    shown = rows.with_columns(names)
    if usual := shown.filter(KNOWN).height:
        shown = shown.filter(KNOWN).with_columns(pl.col("policy").replace(SPOKEN).alias("name"))
    own = shown.sort("forced", "total_guesses", "max_guesses", "tree").unique(
        "policy" if usual else "tree", keep="first", maintain_order=True
    )
    columns = ("name", "total_guesses", "mean_guesses", "max_guesses", "policy")
    return own.select(columns).sort("total_guesses", "policy")


def above_the_optimum(strategies: pl.DataFrame, game: str = PAPERS_GAME) -> Chart:
    """Draw how far the known strategies of a game are above the least total."""
    rows = known_strategies(strategies, game)
    least = int(rows["total_guesses"].to_list()[0])
    proven = OPTIMAL in rows["policy"].to_list()
    others = rows.filter(~pl.col("policy").is_in([OPTIMAL, BEST_KNOWN]))
    heuristics = others if others.height else rows
    secrets = strategies.filter(pl.col("game") == game)["secrets"][0]
    kind = "the least possible total" if proven else "the lowest total here"
    return _stems(
        heuristics,
        least,
        "Guesses above the least total, by strategy",
        f"{notation_of(game)}: guesses for all {secrets:,} secrets, above {kind}, {least:,}",
    )


def records_chart(
    strategies: pl.DataFrame, published: pl.DataFrame, game: str = RECORDS_GAME
) -> Chart:
    """Draw the known strategies of a game without a known optimum beside the published record."""
    rows = known_strategies(strategies, game)
    least = int(rows["total_guesses"].to_list()[0])
    record = published.filter(pl.col("game") == game)["total"].to_list()
    secrets = strategies.filter(pl.col("game") == game)["secrets"][0]
    shown = rows
    if record:
        row = {"name": RECORD, "total_guesses": record[0], "mean_guesses": record[0] / secrets}
        shown = pl.concat([rows, pl.DataFrame([row])], how="diagonal_relaxed")
    return _stems(
        shown.sort("total_guesses", "name"),
        least,
        "Known strategies of a larger game, and the lowest published total",
        f"{notation_of(game)}: guesses for all {secrets:,} secrets, above the lowest total here, "
        f"{least:,}; the optimum is unknown{_fewer(game, least)}. "
        "The published total is the lowest that we have found in print",
    )


def _fewer(game: str, least: int) -> str:
    """Return what is known to take fewer guesses than the strategies that are drawn, if it does."""
    totals = [known.total for known in known_totals(game) if known.total < least]
    return f", and search takes {min(totals):,}" if totals else ""


def _stems(rows: pl.DataFrame, least: int, heading: str, subtitle: str) -> Chart:
    """Draw a dot on a stem for each row, by its total above the least one."""
    rows = rows.with_columns((pl.col("total_guesses") - least).alias("above"))
    far = rows.filter(pl.col("above") > FAR * least)
    near = rows.filter(pl.col("above") <= FAR * least)
    y = alt.Y("name:N", sort=near["name"].to_list(), title=None)
    most = max(near["above"].to_list(), default=0)
    x: dict[str, Any] = {
        "title": "guesses above the least",
        "scale": alt.Scale(domain=[0, max(ROOM * most, 1)], nice=False),
        "axis": alt.Axis(tickCount=4, format=",d"),
    }
    base = alt.Chart(near).encode(y=y)
    stems = base.mark_rule(strokeWidth=2, color=SERIES).encode(
        x=alt.X("above:Q", **x), x2=alt.datum(0)
    )
    dots = base.mark_point(filled=True, size=120, opacity=1, color=SERIES).encode(
        x=alt.X("above:Q", **x),
        tooltip=["name", "total_guesses", "mean_guesses", "max_guesses", "above"],
    )
    numbers = base.mark_text(align="left", dx=11, color=INK).encode(
        x="above:Q", text=alt.Text("above:Q", format=",")
    )
    if far.height:
        left_out = "; ".join(f"{row['name']} {row['above']:,}" for row in far.iter_rows(named=True))
        subtitle = f"{subtitle}. Not drawn: {left_out}"
    return styled(
        (stems + dots + numbers).properties(width=620, height=alt.Step(30)), heading, subtitle
    )


STRATEGY_CHARTS: dict[str, Callable[[pl.DataFrame], Chart]] = {
    "profiles": profiles,
    "mean-and-maximum": mean_and_maximum,
    "stage-weights": lambda strategies: stage_weights(),
    "above-the-optimum": above_the_optimum,
    "records": lambda strategies: records_chart(strategies, pl.read_csv(RECORDS)),
}
"""The charts by file name; each takes the table of strategies."""


def draw_figures(inputs: Files, output: Files, params: Files) -> str:
    """Draw the charts of the table of strategies that the rule names."""
    strategies = read_strategies(inputs.strategies)
    paths = [Path(path) for path in output.figures if path.endswith(".svg")]
    for path in paths:
        save(STRATEGY_CHARTS[path.stem](strategies), path, params.png_scale)
    return f"{len(paths)} charts"
