"""Best known strategies with proven bounds, first guesses, two pegs, and rollouts by width."""

import altair as alt
import polars as pl

from codebreaker.report.chapters import Files
from codebreaker.report.names import notation_of
from codebreaker.report.style import (
    INK,
    SERIES,
    Chart,
    by,
    display_names,
    save,
    spoken_colours,
    styled,
)
from codebreaker.report.tables import notes_of, write_page

NOTES = notes_of(__file__)
COLUMNS = {"opening": pl.String, "total": pl.Int64, "mean": pl.Float64, "seconds": pl.Float64}
RECORDED = {
    "best": "Best known strategies",
    "first_guesses": "First guesses",
    "two_pegs": "Two pegs",
    "rollouts": "Rollouts by width",
}
"""Titles of the recorded tables, by the rule's input and output."""

BEST = "best known"
PANELS = {
    "yes": ("Games whose optimum is proven", "above the optimum, %"),
    "no": ("Games whose optimum is unknown", "above a lower bound, %"),
}
"""Titles of the panels and of their axes, by whether the lowest total is proven."""


def read_recorded(path: str) -> pl.DataFrame:
    """Read any of the tables."""
    return pl.read_csv(path, schema_overrides=COLUMNS)


def _gaps(table: pl.DataFrame, first_guesses: pl.DataFrame) -> pl.DataFrame:
    """Return optimality gaps in percent, of the best known strategies and of each policy.

    A policy is played from its best first guess, the first of those that tie.
    """
    best = first_guesses.filter(pl.col("best") == "yes").unique(("game", "policy"), keep="first")
    played = best.select("game", "policy", "total", "opening")
    known = table.select("game", pl.lit(BEST).alias("policy"), "total", "opening")
    games = table.select("game", "secrets", "bound", "proven")
    return (
        pl.concat([known, played])
        .join(games, on="game")
        .with_columns((100 * (pl.col("total") / pl.col("bound") - 1)).round(3).alias("gap"))
        .sort("secrets", "game", "gap", "policy")
    )


def _gaps_chart(table: pl.DataFrame, first_guesses: pl.DataFrame) -> Chart:
    """Draw the gaps by number of secrets: proven optima on the left, lower bounds on the right.

    A best known strategy is the optimum where that is proven, so it is drawn on the right only.
    """
    gaps = _gaps(table, first_guesses).filter(
        (pl.col("policy") != BEST) | (pl.col("proven") == "no")
    )
    rows = gaps.with_columns(display_names("policy").alias("strategy"))
    policies = first_guesses["policy"].unique().sort()
    colours = {BEST: INK} | spoken_colours(policies)
    shapes = dict.fromkeys(colours, "circle") | {BEST: "diamond"}
    scale = {"type": "log", "nice": False, "padding": 12}
    ticks = [digit * 10**n for n in range(6) for digit in (1, 3)]
    base = alt.Chart().mark_point(filled=True, opacity=0.85)
    base = base.encode(
        x=by.x("secrets:Q", "secrets", **scale, format="~s", values=ticks, grid=False),
        color=by.colour("strategy:N", None, each=colours, orient="top"),
        shape=by.shape("strategy:N", None, each=shapes, orient="top"),
        size=alt.condition(alt.datum.policy == BEST, alt.value(75), alt.value(40)),
        tooltip=["game", "policy", "opening", "secrets", "total", "bound", "gap"],
    ).properties(width=330, height=260)
    panels = [
        base.encode(y=by.y("gap:Q", axis)).properties(
            data=rows.filter(pl.col("proven") == proven),
            title=alt.TitleParams(title, fontSize=13, fontWeight="normal", anchor="middle"),
        )
        for proven, (title, axis) in PANELS.items()
    ]
    return styled(
        alt.hconcat(*panels),
        "Optimality gaps of best known strategies and of policies",
        "Policies play their best first guesses. Where the optimum is unknown, much of a gap may "
        "be due to the lower bound, which is by two or three guesses, or by the colours that "
        "guesses can name. Where it is known, the best known strategy has none and is not drawn",
    )


def _rollout_chart(rollouts: pl.DataFrame, table: pl.DataFrame) -> Chart:
    """Draw totals of rollouts against their time, with the best known total as a line."""
    game = rollouts["game"][0]
    best = table.filter(pl.col("game") == game).select("total")
    scale = {"type": "log", "nice": False, "padding": 24}
    ticks = [5, 10, 20, 50, 100, 200, 500, 1000]
    base = alt.Chart(rollouts.with_columns(pl.col("ahead").cast(pl.String))).encode(
        x=by.x("seconds:Q", "CPU seconds", **scale, values=ticks, grid=False),
        y=by.y("total:Q", "total guesses", zero=False),
        color=by.colour("ahead:N", "tried ahead", range=[SERIES, INK]),
    )
    known = alt.Chart(best).encode(y="total:Q")
    rule = known.mark_rule(strokeDash=[4, 3], color=INK)
    label = known.mark_text(align="left", dx=4, dy=-7, fontSize=12, color=INK).encode(
        x=alt.value(0), text=alt.value(f"{BEST}: {best['total'][0]:,}")
    )
    lines = base.mark_line(point=alt.OverlayMarkDef(size=50)).encode(order="width:Q")
    ahead = alt.datum.ahead == "1"
    widths = [
        base.transform_filter(part).mark_text(dy=dy, fontSize=12).encode(text="width:Q")
        for part, dy in ((ahead, 15), (~ahead, -12))
    ]
    return styled(
        alt.layer(rule, lines, *widths, label).properties(width=560, height=320),
        "Totals and times of rollouts, by width",
        f"rollouts of {notation_of(game)}; labels are the numbers of guesses compared at each set",
    )


def cite_best_known(inputs: Files, output: Files, params: Files) -> str:
    """Cite the recorded strategies, and draw their gaps."""
    tables = {name: read_recorded(inputs[name]) for name in RECORDED}
    for name, title in RECORDED.items():
        shown = tables[name]
        if "best" in shown.columns:
            shown = shown.filter(pl.col("best") == "yes").drop("best")
        write_page(tables[name], output[name], title, NOTES[title], shown)
    drawn = _gaps_chart(tables["best"], tables["first_guesses"])
    save(drawn, output.figures[0], params.png_scale)
    drawn = _rollout_chart(tables["rollouts"], tables["best"])
    save(drawn, output.rollout_figures[0], params.png_scale)
    return f"{tables['best'].height} games"
