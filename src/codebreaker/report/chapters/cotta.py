"""Cotta, Merelo, Mora and Runarsson 2010: readings of its rules, its figures, and its seeds."""

from itertools import product
from typing import NamedTuple

import polars as pl

from codebreaker.files import write_frame
from codebreaker.players.board import code_index, make_board
from codebreaker.players.registry import EVOLVING, PLAYERS, player_spec
from codebreaker.report import style
from codebreaker.report.chapters import Files
from codebreaker.report.names import notation_of
from codebreaker.report.style import INK, SERIES, Chart, by, display_names, styled
from codebreaker.report.tables import (
    markdown_page,
    markdown_table,
    notes_of,
    write_page,
    write_table,
)

NOTES = notes_of(__file__)
EVOLUTIONARY = [name for name, player in PLAYERS.items() if player.family in EVOLVING]
SIZES = {"four-six": "MM(4,6)", "four-eight": "MM(4,8)"}
"""The contests that repeat the source's two experiments, and their games."""

LISTING = "-keeping"
"""The ending of contests by the source's listing."""

ERRORS = 3
"""Maximum gap of means that agree, in combined standard errors."""

_GO_ON = {"": "those without a feasible code", "-all-tiers": "all, until each has one"}
_CUTS = {"": "0 to ℓ pegs", "-inner-cuts": "1 to ℓ − 1 pegs"}
_EARLIER = {"": "not played (text)", LISTING: "may be played (listing)"}

MEASURES = ("evaluations", "guesses")
QUANTILES = {"p05": 0.05, "q1": 0.25, "median": 0.5, "q3": 0.75, "p95": 0.95}


READINGS_COLUMNS: dict[str, type[pl.DataType]] = {
    "reading": pl.Int64,
    "tiers that go on after 500 evaluations": pl.String,
    "crossover after": pl.String,
    "feasible codes of earlier moves": pl.String,
    "mean evaluations that agree": pl.Int64,
    "mean guesses that agree": pl.Int64,
    "means that agree": pl.Int64,
    "published means": pl.Int64,
    "fewest games": pl.Int64,
}

GAPS_COLUMNS: dict[str, type[pl.DataType]] = {
    "game": pl.String,
    "player": pl.String,
    "measure": pl.String,
    "published": pl.Float64,
}
"""The columns of `gaps_table` before those of the readings."""


class Reading(NamedTuple):
    """A reading of the source's rules; contests that follow it add `ending` to their names."""

    ending: str
    tiers: str
    cuts: str
    earlier: str


READINGS = tuple(
    Reading(go_on + cuts + earlier, _GO_ON[go_on], _CUTS[cuts], _EARLIER[earlier])
    for earlier, go_on, cuts in product(_EARLIER, _GO_ON, _CUTS)
)
"""All readings, numbered from 1 in this order; the first is the default of the players."""


def readings_table(summary: pl.DataFrame) -> pl.DataFrame:
    """Return a row per reading that was played: how many published means agree with ours."""
    rows = []
    for number, reading in enumerate(READINGS, start=1):
        means = _means_under(summary, reading)
        if means.is_empty():
            continue
        agree = [
            means.filter(pl.col(f"{measure}_gap").abs() <= ERRORS).height for measure in MEASURES
        ]
        rows.append(
            (
                number,
                reading.tiers,
                reading.cuts,
                reading.earlier,
                *agree,
                sum(agree),
                2 * means.height,
                means.select(pl.col("games").min()).item(),
            )
        )
    return pl.DataFrame(rows, READINGS_COLUMNS, orient="row")


def gaps_table(summary: pl.DataFrame) -> pl.DataFrame:
    """Return a row per published mean: its gap in standard errors under each reading."""
    table = None
    for number, reading in enumerate(READINGS, start=1):
        means = _means_under(summary, reading)
        if means.is_empty():
            continue
        gaps = pl.concat(
            means.select(
                "game",
                "player",
                pl.lit(measure).alias("measure"),
                pl.col(f"published_{measure}").cast(pl.Float64).alias("published"),
                pl.col(f"{measure}_gap").round(2).alias(f"reading {number}"),
            )
            for measure in MEASURES
        )
        if table is None:
            table = gaps
        else:
            table = table.join(gaps, [*GAPS_COLUMNS], "left", maintain_order="left")
    return pl.DataFrame(schema=GAPS_COLUMNS) if table is None else table


def _means_under(summary: pl.DataFrame, reading: Reading) -> pl.DataFrame:
    """Return the rows of published players in the contests that follow a reading."""
    contests = [size + reading.ending for size in SIZES]
    return summary.filter(
        pl.col("contest").is_in(contests), pl.col("published_guesses").is_not_null()
    )


def write_readings(summary: pl.DataFrame, output: Files) -> None:
    """Write the readings, and the gaps of published means under each."""
    readings = readings_table(summary)
    gaps = gaps_table(summary)
    parts: list[str | pl.DataFrame] = [NOTES["Readings"], readings]
    if not gaps.is_empty():
        rows = [
            [
                *(str(cell) for cell in row[:4]),
                *(f"{gap:+.1f}" if abs(gap) <= ERRORS else f"**{gap:+.1f}**" for gap in row[4:]),
            ]
            for row in gaps.iter_rows()
        ]
        shown = markdown_table(gaps.columns, rows, right=gaps.columns[3:])
        parts += ["## Gaps", NOTES["Gaps"], shown]
    page = markdown_page("Readings of Cotta et al. 2010", *parts)
    write_table(readings, page, output.readings)
    write_frame(gaps, output.gaps)


def evolutionary_chart(logs: pl.DataFrame, summary: pl.DataFrame) -> Chart:
    """Draw the source's Figures 1 and 2: mean guesses, and how evaluations are distributed."""
    import altair as alt  # slow to import

    panels = []
    evolutionary = summary.filter(pl.col("player").is_in(EVOLUTIONARY))
    for contest, game in SIZES.items():
        means = evolutionary.filter(pl.col("contest") == contest).with_columns(
            display_names("player")
        )
        if means.is_empty():
            continue
        games = logs.filter(pl.col("contest") == contest, pl.col("player").is_in(EVOLUTIONARY))
        panels += [_guesses_panel(means, game), _evaluations_panel(means, quantiles(games), game)]
    return styled(
        alt.concat(*panels, columns=2).resolve_scale(color="shared"),
        "Guesses and evaluations of evolutionary players",
        f"{_agreement(evolutionary.filter(pl.col('contest').is_in([*SIZES])))}. "
        "A box has the middle half of the games, and its line nine games of ten",
    )


def _agreement(means: pl.DataFrame) -> str:
    """Return how many of the means by Cotta et al. 2010 agree with ours, in words."""
    published = means.filter(pl.col("published_guesses").is_not_null())
    parts = [
        f"{published.filter(pl.col(f'{measure}_gap').abs() <= ERRORS).height} of {measure}"
        for measure in MEASURES
    ]
    return (
        f"Cotta et al. 2010: of {published.height} published means of each measure, "
        f"{' and '.join(parts)} are within {ERRORS} combined standard errors of ours"
    )


def quantiles(games: pl.DataFrame) -> pl.DataFrame:
    """Return each player's quantiles of evaluations over its games."""
    values = [
        pl.col("evaluations").quantile(share, "linear").alias(name)
        for name, share in QUANTILES.items()
    ]
    return (
        games.group_by("player", maintain_order=True)
        .agg(values)
        .with_columns(display_names("player"))
    )


def _guesses_panel(means: pl.DataFrame, game: str) -> Chart:
    """Draw mean guesses and the published ones, both with standard errors."""
    import altair as alt

    means = style.with_ends(means, "mean_guesses", "guesses_error").with_columns(
        (pl.col("published_guesses") - pl.col("published_guesses_error")).alias("published_low"),
        (pl.col("published_guesses") + pl.col("published_guesses_error")).alias("published_high"),
    )
    base = alt.Chart(means).encode(
        y=by.y("player:N", None, sort=means["player"].to_list()),
        color=_source_colour(),
    )
    here = base.transform_calculate(source="'here'")
    errors = here.mark_rule(strokeWidth=2).encode(
        x=by.x("low:Q", "mean guesses", zero=False, tickCount=6), x2="high:Q"
    )
    dots = here.mark_point(size=60, filled=True, opacity=1).encode(
        x="mean_guesses:Q",
        shape=_source_shape(),
        tooltip=["player", "mean_guesses", "guesses_error"],
    )
    published = _published(base, "guesses")
    published_errors = (
        base.transform_filter("datum.published_guesses !== null")
        .transform_calculate(source="'published'")
        .mark_rule(strokeWidth=1)
        .encode(x="published_low:Q", x2="published_high:Q")
    )
    return (errors + dots + published_errors + published).properties(
        width=300, height=alt.Step(22), title=_panel_title(f"{game}: mean guesses")
    )


def _evaluations_panel(means: pl.DataFrame, boxes: pl.DataFrame, game: str) -> Chart:
    """Draw quantiles of the evaluations of a game, with their means and the published ones."""
    import altair as alt

    rows = means.join(boxes, "player", maintain_order="left")
    base = alt.Chart(rows).encode(
        y=by.y("player:N", None, sort=rows["player"].to_list()),
    )
    line = base.mark_rule(strokeWidth=1.5, color=SERIES).encode(
        x=by.x("p05:Q", "evaluations in a game", tickCount=4), x2="p95:Q"
    )
    box = base.mark_bar(height=12, color=SERIES, opacity=0.35).encode(
        x="q1:Q", x2="q3:Q", tooltip=["player", *QUANTILES, "mean_evaluations"]
    )
    median = base.mark_tick(thickness=2, height=12, color=INK).encode(x="median:Q")
    coloured = base.encode(color=_source_colour())
    mean = (
        coloured.transform_calculate(source="'here'")
        .mark_point(size=45, filled=True, opacity=1)
        .encode(x="mean_evaluations:Q", shape=_source_shape())
    )
    published = _published(coloured, "evaluations")
    return (line + box + median + mean + published).properties(
        width=340, height=alt.Step(22), title=_panel_title(f"{game}: evaluations")
    )


def _published(base: Chart, measure: str) -> Chart:
    """Draw the published means of a measure."""
    field = f"published_{measure}"
    return (
        base.transform_filter(f"datum.{field} !== null")
        .transform_calculate(source="'published'")
        .mark_point(filled=True, size=45, opacity=1)
        .encode(x=f"{field}:Q", shape=_source_shape(), tooltip=["player", field])
    )


def _source_colour() -> Chart:
    """Return the channel of colours for our means and published ones."""
    return by.colour("source:N", "means", each={"here": SERIES, "published": INK})


def _source_shape() -> Chart:
    """Return the channel of shapes for our means and published ones."""
    return by.shape("source:N", "means", each={"here": "circle", "published": "diamond"})


def _panel_title(text: str) -> Chart:
    """Return a panel's title."""
    import altair as alt

    return alt.TitleParams(text, fontSize=13, fontWeight="normal", offset=6)


def tabulate_seeds(output: Files, params: Files) -> str:
    """Play contests again, and tabulate how many seeds of their seeded players stay feasible."""
    from codebreaker.players.contest import Series, draw_secrets  # slow to import
    from codebreaker.players.seeds import count_seeds, seeds_table

    tables = []
    for name, contest in params.contests.items():
        game = contest["game"]
        board = make_board(game)
        secrets = draw_secrets(
            len(board.codes), contest["repetitions"], params.seed, contest["secrets"]
        )
        for player in contest["players"]:
            spec = player_spec(player)
            if not getattr(spec.settings, "seeded", 0):
                continue
            options = contest["options"].get(player, {})
            series = Series(spec, board, code_index(game, contest["opening"]), params.seed, options)
            table = seeds_table(count_seeds(series, secrets))
            tables.append(
                table.select(
                    pl.lit(name).alias("contest"),
                    pl.lit(game).alias("game"),
                    pl.lit(player).alias("player"),
                    pl.lit(len(secrets)).alias("games"),
                    pl.col("turn"),
                    pl.col("choices"),
                    pl.exclude("turn", "choices"),
                )
            )
    seeds = pl.concat(tables)
    floats = ("seeds", "exhaustive", "stay_feasible", "overlap", "contain_all")
    shown = seeds.with_columns(
        display_names("player"),
        pl.col("game").map_elements(notation_of, pl.String),
        pl.when(pl.col("turn") == 0).then(pl.lit("all")).otherwise(pl.col("turn")).alias("turn"),
        pl.col(floats).round(3),
    )
    write_page(seeds, output.tables, "Seeds that stay feasible", NOTES["Seeds"], shown)
    return f"{len(tables)} players in {seeds['contest'].n_unique()} contests"
