"""Strategies: profiles, guesses above the minimum total, and the guesses lost at each turn."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl

from codebreaker.constants import BEST_KNOWN, OPTIMAL, PAPERS_GAME
from codebreaker.files import DATA, read_frame
from codebreaker.policies.strategy import COLUMNS
from codebreaker.proven import is_minimum
from codebreaker.report import style
from codebreaker.report.chapters import Files
from codebreaker.report.names import FIRST, SPOKEN, notation_of
from codebreaker.report.style import INK, SERIES, Chart, by, save, styled
from codebreaker.report.tables import markdown_page, named, notes_of, write_table
from codebreaker.trees.metrics import USUAL_TIES, read_strategies
from codebreaker.trees.verify import known_totals

NOTES = notes_of(__file__)
RECORDS_GAME = "mm-5-8"
RECORDS = DATA / "published" / "records.csv"
RECORD = "lowest published total"
LOWEST = "lowest known total"
ROOM = 1.3
"""Factor by which the axis is longer than the longest stem, for the number at its end."""

FAR = 0.05
"""Strategies above the lowest total by more than this share are named, not drawn."""

POLICY = pl.col("policy")
OPTIMUM = (POLICY == OPTIMAL) & pl.col("guess_limit").is_null()
USUAL = (pl.col("guess_pool") == "all") & (OPTIMUM | (pl.col("tie_break") == USUAL_TIES))

KNOWN = (
    POLICY.is_in(list(SPOKEN))
    & ((POLICY == FIRST) | USUAL)
    & pl.all_horizontal(pl.col("exact_from", "rounds").is_null())
    & ((pl.col("endgames") == 0) | (POLICY == "endgame-weighted-179064"))
)

DARK_CELL = 0.4
"""Cells with more than this share of the secrets are dark, so that their numbers are white."""

NEAR = 0.02
EARLY = 3
"""Near-optimal strategies lose at most this share; turns up to this are early."""


def profiles(strategies: pl.DataFrame) -> Chart:
    """Draw each strategy's profile: a row of numbers, on colours by their share of the secrets."""
    frame = _known_strategies(strategies, PAPERS_GAME)
    count = pl.col("profile").cast(pl.Int64)
    solved = (
        frame.with_columns(pl.col("profile").str.split(" "))
        .explode("profile", empty_as_null=True)
        .with_columns(
            count.alias("count"),
            pl.int_range(1, pl.len() + 1).over("name").cast(pl.String).alias("guess"),
            (count / count.sum().over("name")).alias("share"),
        )
    )
    secrets = strategies.filter(pl.col("game") == PAPERS_GAME)["secrets"][0]
    y = by.y("name:N", None, sort=frame["name"].to_list())
    columns = [*map(str, range(1, max(frame["max_guesses"].to_list()) + 1)), "mean"]
    base = alt.Chart(solved).encode(
        x=by.x("guess:N", "solved at guess", domain=columns, orient="top", labelAngle=0),
        y=y,
    )
    cells = base.mark_rect().encode(
        color=by.colour("share:Q", "share of secrets", scheme="blues", format="%"),
        tooltip=["name", "guess", "count", alt.Tooltip("share:Q", format=".2%")],
    )
    numbers = base.mark_text().encode(
        text=alt.Text("count:Q", format=","),
        color=alt.condition(alt.datum.share > DARK_CELL, alt.value("white"), alt.value(INK)),
    )
    means = alt.Chart(frame).mark_text(color=INK)
    means = means.encode(x=alt.datum("mean"), y=y, text=alt.Text("mean_guesses:Q", format=".4f"))
    return styled(
        (cells + numbers + means).properties(width=alt.Step(58), height=alt.Step(26)),
        "Secrets solved at each guess, by strategy",
        f"{notation_of(PAPERS_GAME)}: {_profiles_finding(solved, secrets)}",
    )


def _profiles_finding(solved: pl.DataFrame, secrets: int) -> str:
    """Return how many secrets the first and the last strategy solve early, in words.

    Early is by the guess at which the first strategy solves most secrets.
    """
    guess = pl.col("guess").cast(pl.Int64)
    first = solved.filter(name=solved["name"][0]).sort("count", guess, descending=[True, False])
    early = int(first["guess"][0])
    sums = solved.filter(guess <= early).group_by("name", maintain_order=True)
    counts = sums.agg(pl.col("count").sum())
    shown = counts[[0, -1]].unique(maintain_order=True)
    parts = (f"{count:,} by {name}" for name, count in shown.iter_rows())
    return f"of {secrets:,} secrets, solved within {early} guesses: {', '.join(parts)}"


def _known_strategies(strategies: pl.DataFrame, game: str) -> pl.DataFrame:
    """Return the best variant of each known strategy of a game; all if it has no known one."""
    shown = named(strategies.filter(pl.col("game") == game)).rename({"strategy": "name"})
    if usual := shown.filter(KNOWN).height:
        shown = shown.filter(KNOWN).with_columns(pl.col("policy").replace(SPOKEN).alias("name"))
    best = shown.sort("forced", "total_guesses", "max_guesses", "tree").unique(
        "policy" if usual else "tree", keep="first", maintain_order=True
    )
    columns = ("name", "total_guesses", "mean_guesses", "max_guesses", "policy", "tree", "profile")
    return best.select(columns).sort("total_guesses", "policy")


def above_the_optimum(strategies: pl.DataFrame) -> Chart:
    """Draw the strategies of the papers' game."""
    rows = _known_strategies(strategies, PAPERS_GAME)
    lowest = int(rows["total_guesses"].to_list()[0])
    minima = rows.filter(total_guesses=lowest).select("policy", "tree").rows()
    others = rows.filter(~pl.col("policy").is_in([OPTIMAL, BEST_KNOWN]))
    secrets = strategies.filter(pl.col("game") == PAPERS_GAME)["secrets"][0]
    proven = any(is_minimum(policy, tree) for policy, tree in minima)
    kind = "the minimum total" if proven else "the lowest total here"
    return _stems(
        others if others.height else rows,
        lowest,
        f"Guesses above {kind}, by strategy",
        notation_of(PAPERS_GAME),
        f"{kind}, {lowest:,} for all {secrets:,} secrets",
        f"guesses above the {'minimum' if proven else 'lowest'}",
    )


def records_chart(strategies: pl.DataFrame, published: pl.DataFrame) -> Chart:
    """Draw the strategies of a game without a known optimum, the lowest known and published totals.

    The lowest known total comes from a recorded tree, which a study doesn't grow again.
    """
    game = RECORDS_GAME
    rows = _known_strategies(strategies, game)
    secrets = strategies.filter(pl.col("game") == game)["secrets"][0]
    best_known = known_totals(game)[0]
    printed = published.filter(pl.col("game") == game)["total"].to_list()
    totals = [(LOWEST, best_known.total), *((RECORD, total) for total in printed)]
    recorded = pl.DataFrame(totals, schema=["name", "total_guesses"], orient="row").with_columns(
        (pl.col("total_guesses") / secrets).alias("mean_guesses")
    )
    return _stems(
        pl.concat([rows, recorded], how="diagonal_relaxed").sort("total_guesses", "name"),
        best_known.total,
        "Known strategies of a larger game, and the lowest published total",
        f"{notation_of(game)}, whose optimum is unknown",
        f"the lowest known total, {best_known.total:,} ({best_known.source}), for all {secrets:,} "
        "secrets",
        "guesses above the lowest known",
    )


def _stems(
    rows: pl.DataFrame, lowest: int, heading: str, game: str, compared_with: str, axis: str
) -> Chart:
    """Draw each strategy's guesses above the lowest total as a stem.

    Those that are far above it are named in the subtitle, so that the others stay apart.
    """
    rows = rows.with_columns((pl.col("total_guesses") - lowest).alias("above"))
    far = rows.filter(pl.col("above") > FAR * lowest)
    near = rows.filter(pl.col("above") <= FAR * lowest)
    most = max(near["above"].to_list(), default=0)
    scale: dict[str, Any] = {"domain": [0, max(ROOM * most, 1)], "nice": False}
    base = alt.Chart(near).encode(
        x=by.x("above:Q", axis, **scale, tickCount=4, format=",d"),
        y=by.y("name:N", None, sort=near["name"].to_list(), labelPadding=12),
    )
    stems = base.mark_rule(strokeWidth=2, color=SERIES).encode(x2=alt.datum(0))
    dots = base.mark_point(filled=True, size=120, opacity=1, color=SERIES).encode(
        tooltip=["name", "total_guesses", "mean_guesses", "max_guesses", "above"]
    )
    numbers = base.mark_text(align="left", dx=11, color=INK).encode(
        x="above:Q", text=alt.Text("above:Q", format=",")
    )
    above = near["above"].to_list()
    subtitle = (
        f"{game}: strategies are {min(above, default=0):,} to {most:,} guesses above "
        f"{compared_with}"
    )
    if far.height:
        left_out = "; ".join(f"{row['name']} {row['above']:,}" for row in far.iter_rows(named=True))
        subtitle = f"{subtitle}. Not drawn: {left_out}"
    return styled(
        (stems + dots + numbers).properties(width=620, height=alt.Step(30)), heading, subtitle
    )


STRATEGY_CHARTS: dict[str, Callable[[pl.DataFrame], Chart]] = {
    "profiles": profiles,
    "above-the-optimum": above_the_optimum,
    "records": lambda strategies: records_chart(strategies, pl.read_csv(RECORDS)),
}


def draw_figures(inputs: Files, output: Files, params: Files) -> str:
    """Draw the charts that the rule names."""
    strategies = read_strategies(inputs.strategies)
    paths = [Path(path) for path in output.figures if path.endswith(".json")]
    for path in paths:
        save(STRATEGY_CHARTS[path.stem](strategies), path, params.png_scale)
    return f"{len(paths)} charts"


def lost_by_turn(regrets: Mapping[str, pl.DataFrame], strategies: pl.DataFrame) -> pl.DataFrame:
    """Return strategies with the guesses `lost` at each `turn`."""
    lost = pl.concat(
        frame.group_by(pl.col("tree").cast(pl.String), "turn")
        .agg(pl.col("regret").sum().alias("lost"))
        .with_columns(pl.lit(game).alias("game"))
        for game, frame in regrets.items()
    )
    return lost.join(strategies, on=["game", "tree"]).sort(
        "game", "total_guesses", "max_guesses", "tree", "turn"
    )


def name_strategies(lost: pl.DataFrame) -> pl.DataFrame:
    """Return the table with display names."""
    return named(lost).select("strategy", *COLUMNS, "turn", "lost", "total_guesses")


def moves_finding(table: pl.DataFrame) -> str:
    """Return the share of their lost guesses that near-optimal strategies lose early."""
    few = pl.col("lost").sum().over("tree") <= NEAR * pl.col("total_guesses")
    near = table.filter(pl.col("game") == _game(table)).filter(few)
    lost = sum(near["lost"].to_list())
    if not lost:
        return "No near-optimal strategy loses guesses to optimal play"
    early = sum(near.filter(pl.col("turn") <= EARLY)["lost"].to_list())
    return (
        f"{early / lost:.0%} of the guesses that near-optimal strategies lose to optimal play are "
        f"lost by turn {EARLY}"
    )


def moves_page(table: pl.DataFrame) -> str:
    """Return the table as Markdown."""
    wide = table.pivot("turn", index=["game", "strategy", "total_guesses"], values="lost")
    turns = sorted((name for name in wide.columns if name.isdigit()), key=int)
    total = pl.col("total_guesses").alias("total")
    lost = pl.sum_horizontal(turns).alias("lost")
    shown = wide.select("game", "strategy", total, lost, *turns)
    title = "Guesses lost by turn"
    finding = f"{moves_finding(table)} ({_game(table)})."
    return markdown_page(title, finding, shown, NOTES[title])


def moves_chart(table: pl.DataFrame) -> Chart:
    """Draw the guesses lost by turn."""
    rows = _drawn_moves(table)
    sums = rows.group_by("name", maintain_order=True).agg(pl.col("lost").sum())
    y = by.y("name:N", None, sort=sums.sort("lost", "name")["name"].to_list())
    with_loss = rows.filter(pl.col("lost") > 0)
    turns = style.turn_colours(with_loss["turn"].unique().sort().to_list())
    most = max(ROOM * max(sums["lost"].to_list()), 1)
    axis: dict[str, Any] = {"domain": [0, most], "nice": False, "tickCount": 6}
    bars = alt.Chart(with_loss).mark_bar(height={"band": 0.7})
    bars = bars.encode(
        y=y,
        x=by.x("lost:Q", "guesses lost over all secrets", **axis),
        color=by.colour("turn:O", "at guess", each=turns),
        order="turn:O",
        tooltip=["strategy", "turn", "lost", "total_guesses"],
    )
    totals = alt.Chart(sums).mark_text(align="left", dx=6, color=INK)
    totals = totals.encode(y=y, x="lost:Q", text=alt.Text("lost:Q", format=","))
    return styled(
        (bars + totals).properties(width=620, height=alt.Step(28)),
        "Guesses that strategies lose to optimal play, by turn",
        f"{notation_of(_game(table))}: {_early_finding(with_loss)}",
    )


def _early_finding(rows: pl.DataFrame) -> str:
    """Return how many of the guesses that are drawn as lost are lost early, in words."""
    early = sum(rows.filter(pl.col("turn") <= EARLY)["lost"].to_list())
    lost = sum(rows["lost"].to_list())
    if not lost:
        return "no strategy here loses a guess"
    return f"{early:,} of the {lost:,} guesses that these strategies lose are lost by guess {EARLY}"


def _drawn_moves(table: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of the known strategies that don't lose too many guesses, by turn."""
    rows = table.filter(pl.col("game") == _game(table), pl.col("policy") != OPTIMAL)
    few = pl.col("lost").sum().over("tree") <= FAR * pl.col("total_guesses")
    known = rows.filter(KNOWN, ~pl.col("forced"), few)
    name = pl.col("strategy") if known.is_empty() else pl.col("policy").replace(SPOKEN)
    return (rows if known.is_empty() else known).with_columns(name.alias("name"))


def _game(table: pl.DataFrame) -> str:
    """Return the papers' game if the table has it, else its first game."""
    games = table["game"].unique(maintain_order=True).to_list()
    return PAPERS_GAME if PAPERS_GAME in games else str(games[0])


def compare_moves(inputs: Files, output: Files, params: Files) -> str:
    """Tabulate and draw the turns at which strategies lose guesses."""
    regrets = {Path(path).parent.name: read_frame(path) for path in inputs.regrets}
    table = name_strategies(lost_by_turn(regrets, read_strategies(inputs.strategies)))
    write_table(table, moves_page(table), output.tables)
    save(moves_chart(table), output.figures[0], params.png_scale)
    return moves_finding(table)
