"""Guesses above the least total: known strategies of a game, and records of a larger one."""

from typing import Any

import altair as alt
import polars as pl

from codebreaker.analysis.metrics import BEST_KNOWN, OPTIMAL, USUAL_TIES
from codebreaker.analysis.verdicts import known_totals
from codebreaker.constants import PAPERS_GAME
from codebreaker.files import DATA
from codebreaker.report.charts.style import INK, SERIES, Chart, styled
from codebreaker.report.names import FIRST, SPOKEN, name_of, notation_of

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


def known(strategies: pl.DataFrame, game: str) -> pl.DataFrame:
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


def chart(strategies: pl.DataFrame, game: str = PAPERS_GAME) -> Chart:
    """Draw how far the known strategies of a game are above the least total."""
    rows = known(strategies, game)
    least = int(rows["total_guesses"].to_list()[0])
    proven = OPTIMAL in rows["policy"].to_list()
    others = rows.filter(~pl.col("policy").is_in([OPTIMAL, BEST_KNOWN]))
    heuristics = others if others.height else rows
    secrets = strategies.filter(pl.col("game") == game)["secrets"][0]
    kind = "the least possible total" if proven else "the lowest total here"
    return _drawn(
        heuristics,
        least,
        title(heuristics, least, proven=proven),
        f"{notation_of(game)}: guesses for all {secrets:,} secrets, above {kind}, {least:,}",
    )


def title(rows: pl.DataFrame, least: int, *, proven: bool) -> str:
    """Return how close the best of some strategies come to the least total."""
    best = int(rows["total_guesses"].to_list()[0])
    names = rows.filter(pl.col("total_guesses") == best)["name"].to_list()
    who = names[0] if len(names) == 1 else f"{len(names)} strategies"
    verb = "takes" if len(names) == 1 and not names[0].startswith("weights") else "take"
    first = f"{who[0].upper()}{who[1:]}" if who in SPOKEN.values() else who
    if best == least:
        return f"{first} {verb} {best:,} guesses, " + (
            "the least possible" if proven else "the fewest of these strategies"
        )
    above = best - least
    return f"{first} {verb} {above} guess{'es' if above > 1 else ''} more than the optimum"


def records(strategies: pl.DataFrame, published: pl.DataFrame, game: str = RECORDS_GAME) -> Chart:
    """Draw the known strategies of a game without a known optimum beside the published record."""
    rows = known(strategies, game)
    least = int(rows["total_guesses"].to_list()[0])
    record = published.filter(pl.col("game") == game)["total"].to_list()
    secrets = strategies.filter(pl.col("game") == game)["secrets"][0]
    shown = rows
    if record:
        row = {"name": RECORD, "total_guesses": record[0], "mean_guesses": record[0] / secrets}
        shown = pl.concat([rows, pl.DataFrame([row])], how="diagonal_relaxed")
    return _drawn(
        shown.sort("total_guesses", "name"),
        least,
        record_title(rows, record[0] if record else None, game),
        f"{notation_of(game)}: guesses for all {secrets:,} secrets, above the lowest total here, "
        f"{least:,}; the optimum is unknown{_fewer(game, least)}. "
        "The published total is the lowest that we have found in print",
    )


def _fewer(game: str, least: int) -> str:
    """Return what is known to take fewer guesses than the strategies that are drawn, if it does."""
    totals = [known.total for known in known_totals(game) if known.total < least]
    return f", and search takes {min(totals):,}" if totals else ""


def record_title(rows: pl.DataFrame, record: int | None, game: str) -> str:
    """Return how the lowest total compares with the published record."""
    name, total = rows.row(0, named=True)["name"], int(rows["total_guesses"].to_list()[0])
    verb = "take" if name.startswith("weights") else "takes"
    told = f"On {notation_of(game)}, {name} {verb} {total:,}"
    if record is None:
        return f"{told} guesses"
    if total == record:
        return f"{told} guesses, as many as the lowest published total"
    words = "fewer" if total < record else "more"
    return f"{told} guesses, {abs(record - total):,} {words} than published"


def _drawn(rows: pl.DataFrame, least: int, heading: str, subtitle: str) -> Chart:
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
