"""Best known strategies with proven bounds, first guesses, two pegs, and rollouts by width."""

import altair as alt
import polars as pl

from codebreaker.report.chapters import Files
from codebreaker.report.names import notation_of, spoken
from codebreaker.report.style import (
    INK,
    SERIES,
    Chart,
    by,
    display_names,
    save,
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
PROVEN = {"yes": "the minimum total, proven", "no": "the lowest known total"}
"""What a policy is compared with, by whether a game's minimum total is proven."""

PROVEN_COLOURS = {PROVEN["yes"]: SERIES, PROVEN["no"]: "#d55e00"}


def read_recorded(path: str) -> pl.DataFrame:
    """Read any of the tables."""
    return pl.read_csv(path, schema_overrides=COLUMNS)


def policy_gaps(table: pl.DataFrame, first_guesses: pl.DataFrame) -> pl.DataFrame:
    """Return how far each policy is `above` the best known total of each game, in percent.

    A policy is played from its best first guess, the first of those that tie.
    """
    best = first_guesses.filter(pl.col("best") == "yes").unique(("game", "policy"), keep="first")
    known = table.select("game", "proven", pl.col("total").alias("best_total"))
    return (
        best.select("game", "secrets", "policy", "opening", "total")
        .join(known, on="game")
        .with_columns((100 * (pl.col("total") / pl.col("best_total") - 1)).round(3).alias("above"))
        .sort("secrets", "game", "policy")
    )


def _gaps_chart(table: pl.DataFrame, first_guesses: pl.DataFrame) -> Chart:
    """Draw the gaps by number of secrets, in a panel for each policy, the closest first."""
    gaps = policy_gaps(table, first_guesses)
    middle = pl.col("above").median().over("policy")
    shown = middle.map_elements(lambda above: f"{above:.1f}", pl.String)
    panel = pl.format("{}: median {}%", display_names("policy"), shown)
    rows = gaps.with_columns(
        panel.alias("panel"), pl.col("proven").replace(PROVEN).alias("compared with")
    )
    panels = rows.sort(middle, maintain_order=True)["panel"].unique(maintain_order=True).to_list()
    scale = {"type": "log", "nice": False, "padding": 12}
    ticks = [digit * 10**n for n in range(6) for digit in (1, 3)]
    dots = (
        alt.Chart(rows)
        .mark_point(filled=True, size=40, opacity=0.7)
        .encode(
            x=by.x("secrets:Q", "secrets", **scale, format="~s", values=ticks, grid=False),
            y=by.y("above:Q", "above the best known total, %"),
            color=by.colour("compared with:N", "compared with", each=PROVEN_COLOURS, orient="top"),
            tooltip=["game", "policy", "opening", "secrets", "total", "best_total", "above"],
        )
        .properties(width=330, height=190)
    )
    facet = alt.Facet("panel:N", title=None, sort=panels)
    return styled(
        dots.facet(facet=facet, columns=2),
        "Policies compared with the best known totals",
        _gaps_finding(gaps),
    )


def _gaps_finding(gaps: pl.DataFrame) -> str:
    """Return how far the closest and the farthest policy are above the best known totals."""
    most = gaps.group_by("policy").agg(pl.col("above").max()).sort("above", "policy")
    closest = most.row(0)
    farthest = most.row(-1)
    return (
        f"In {gaps['game'].n_unique()} games, each from the policy's best first guess, "
        f"{spoken(closest[0])} is up to {closest[1]:.1f}% above the best known total, and "
        f"{spoken(farthest[0])} up to {farthest[1]:.1f}%"
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
        f"{_rollout_finding(rollouts)}. Labels are the numbers of guesses compared at each set",
    )


def _rollout_finding(rollouts: pl.DataFrame) -> str:
    """Return the totals and times of the fastest and the slowest rollout, in words."""
    ordered = rollouts.sort("seconds", "total")
    fast = ordered.row(0, named=True)
    slow = ordered.row(-1, named=True)
    return (
        f"{notation_of(fast['game'])}: the fastest rollout needs {fast['seconds']:g} CPU seconds "
        f"and has {fast['total']:,} guesses, the slowest {slow['seconds']:g} and {slow['total']:,}"
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
