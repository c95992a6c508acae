"""Contests between players: tables and charts."""

import altair as alt
import polars as pl

from codebreaker.players.comparisons import Inference
from codebreaker.players.registry import EVOLVING, SHARES
from codebreaker.report import style
from codebreaker.report.names import notation_of
from codebreaker.report.style import INK, SERIES, Chart, by, in_words, styled
from codebreaker.report.tables import markdown_page, markdown_table, notes_of

NOTES = notes_of(__file__)
EVOLUTIONARY = [player.name for player in EVOLVING]


def players_page(summary: pl.DataFrame, tests: pl.DataFrame, inference: Inference) -> str:
    """Return the tables as Markdown."""
    rows = [
        (
            *(row["contest"], row["player"], str(row["games"])),
            _with_error(row["mean_guesses"], row["guesses_error"], 3),
            _with_error(row["published_guesses"], row["published_guesses_error"], 3),
            *(_signed(row["guesses_gap"]), str(row["max_guesses"])),
            _with_error(row["mean_evaluations"], row["evaluations_error"], 0),
            _with_error(row["published_evaluations"], row["published_evaluations_error"], 0),
            _signed(row["evaluations_gap"]),
        )
        for row in summary.iter_rows(named=True)
    ]
    header = (
        *("contest", "player", "games", "guesses", "published", "gap", "max", "evaluations"),
        *("published evaluations", "evaluations gap"),
    )
    pairs = [pl.col(side).is_in(EVOLUTIONARY) for side in ("player", "other")]
    shown, note = rounded(tests.filter(*pairs)), explained(inference)
    means = markdown_table(header, rows, right=header[2:])
    parts = (means, NOTES["Players"], "## Differences", shown, note, NOTES["Pairs"])
    return markdown_page("Players", *parts)


def explained(inference: Inference) -> str:
    """Return the note on pairs."""
    return NOTES["Tests"].format(resamples=inference.resamples, **inference.margins)


def rounded(pairs: pl.DataFrame) -> pl.DataFrame:
    """Return comparisons with their numbers as text."""
    rows = []
    for row in pairs.iter_rows(named=True):
        digits = 3 if row["measure"] == "guesses" else 0
        row |= {one: f"{row[one]:.{digits}f}" for one in ("difference", "low", "high")}
        row |= {one: f"{row[one]:.2g}" for one in ("p", "p_holm", "signed_rank_p")}
        rows.append(row)
    return pl.DataFrame(rows, schema=pairs.columns)


def _with_error(mean: float | None, error: float | None, digits: int) -> str:
    return "" if mean is None or error is None else f"{mean:.{digits}f} ± {error:.{digits}f}"


def _signed(gap: float | None) -> str:
    return "" if gap is None else f"{gap:+.1f}"


def _first_contests(summary: pl.DataFrame) -> list[pl.DataFrame]:
    named = summary.with_columns(in_words("player"))
    first = named.filter(pl.col("contest") == pl.col("contest").first().over("game"))
    return first.partition_by("game", maintain_order=True)


def _panel(chart: Chart, players: pl.DataFrame) -> Chart:
    text = f"{notation_of(players['game'][0])}: {players['games'][0]:,} games each"
    title = alt.TitleParams(text, fontSize=13, fontWeight="normal", offset=6)
    return chart.properties(width=340, height=alt.Step(18), title=title)


def means_chart(summary: pl.DataFrame) -> Chart:
    """Draw the means of each game's first contest."""
    shown = _first_contests(summary)
    return styled(
        alt.concat(*map(_means_panel, shown), columns=2).resolve_scale(color="shared"),
        "Mean guesses of players, by game",
        "Mean guesses against the same secrets, with standard errors",
    )


def _means_panel(players: pl.DataFrame) -> Chart:
    players = style.with_ends(players, "mean_guesses", "guesses_error")
    order = players.sort("mean_guesses")["player"].to_list()
    base = alt.Chart(players).encode(
        y=by.y("player:N", None, sort=order),
        color=by.colour("source:N", None, each={"here": SERIES, "published": INK}),
    )
    shape = by.shape("source:N", None, each={"here": "circle", "published": "diamond"})
    here = base.transform_calculate(source="'here'")
    errors = here.mark_rule(strokeWidth=2).encode(
        x=by.x("low:Q", "mean guesses", zero=False, tickCount=6), x2="high:Q"
    )
    dots = here.mark_point(size=60, filled=True, opacity=1).encode(
        x="mean_guesses:Q",
        shape=shape,
        tooltip=["player", "mean_guesses", "guesses_error", "max_guesses"],
    )
    published = (
        base.transform_filter(alt.datum.published_guesses != None)  # noqa: E711 (Vega's own null)
        .transform_calculate(source="'published'")
        .mark_point(filled=True, size=45, opacity=1)
        .encode(
            x="published_guesses:Q",
            shape=shape,
            tooltip=["player", "published_guesses", "published_guesses_error"],
        )
    )
    return _panel(errors + dots + published, players)


def share_chart(summary: pl.DataFrame) -> Chart:
    """Draw sampling players' means by the share of the candidates they examine."""
    rules = {f"{rule}-consistent": rule for rule in ("entropy", "most-parts")}
    shares = [
        (f"{player}{suffix}", rule, share)
        for player, rule in rules.items()
        for suffix, share in SHARES.items()
    ]
    columns = {"player": pl.String, "rule": pl.String, "share": pl.Float64}
    players = summary.join(
        pl.DataFrame(shares, columns, orient="row"), "player", maintain_order="left"
    ).filter(
        pl.col("share").n_unique().over("contest") > 1,
        pl.col("contest") == pl.col("contest").first().over("game"),
    )
    players = style.with_ends(players, "mean_guesses", "guesses_error").with_columns(
        pl.col("game").map_elements(notation_of, pl.String), in_words("rule").alias("criterion")
    )
    base = alt.Chart(players).encode(
        x=by.x("share:Q", "share of the candidates", format="%", values=[0, 0.25, 0.5, 0.75, 1]),
        color=by.colour("criterion:N", None, each=style.spoken_colours(players["rule"])),
    )
    lines = base.mark_line(point=True).encode(
        y=by.y("mean_guesses:Q", "mean guesses ± standard error", zero=False)
    )
    errors = base.mark_rule().encode(y=by.y("low:Q", zero=False), y2="high:Q")
    drawn = (lines + errors).properties(width=320, height=280)
    if not players.is_empty():  # facets of nothing have no size
        drawn = drawn.facet(alt.Column("game:N", title=None)).resolve_scale(y="independent")
    return styled(
        drawn,
        "Mean guesses by the share of the candidates that are examined",
        "Entropy and most parts on a random sample of the candidates, with random ties",
    )
