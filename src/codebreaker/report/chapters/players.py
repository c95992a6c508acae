"""Contests between players: tables and charts."""

import altair as alt
import polars as pl

from codebreaker.players.board import mastermind_rules
from codebreaker.players.comparisons import Inference
from codebreaker.players.registry import EVOLVING, SHARES
from codebreaker.report.names import notation_of, spoken_player
from codebreaker.report.style import INK, MUTED, SERIES, Chart, policy_scale, styled
from codebreaker.report.tables import markdown_page, markdown_table

NOTE = """Means over the same secrets for every player, with the standard error of the mean.
Published figures are from Cotta et al. 2010, Table 1 (5,000 games each); a gap is the difference
from them in combined standard errors. The opening of the evolutionary players is ours, because the
source names none."""

TEST_NOTE = """Mean differences over the same games, with 95 % bootstrap intervals (percentiles
of {resamples:,} resamples of the games). `p` is of the mean difference, `p_holm` corrected for
all pairs of a contest and measure; `signed_rank_p` is of Wilcoxon's test, which the source used,
without games that end equal. A pair is different if `p_holm` is below 0.05, and equivalent if
not, and if two one-sided tests at the same level show that the difference lies within the margin
of {guesses} guesses, or {evaluations:.0%} of the evaluations of both. It is different beyond the
margin if the interval lies there."""

PAIRS_NOTE = """This table has the evolutionary players; all pairs are in
`players-significance.csv`."""

EVOLUTIONARY = [player.name for player in EVOLVING]


def players_page(summary: pl.DataFrame, tests: pl.DataFrame, inference: Inference) -> str:
    """Return the tables of means and of pairs as Markdown."""
    rows = [
        (
            row["contest"],
            row["player"],
            str(row["games"]),
            _with_error(row["mean_guesses"], row["guesses_error"], 3),
            _with_error(row["published_guesses"], row["published_guesses_error"], 3),
            _signed(row["guesses_gap"]),
            str(row["max_guesses"]),
            _with_error(row["mean_evaluations"], row["evaluations_error"], 0),
            _with_error(row["published_evaluations"], row["published_evaluations_error"], 0),
            _signed(row["evaluations_gap"]),
        )
        for row in summary.iter_rows(named=True)
    ]
    header = (
        "contest", "player", "games", "guesses", "published", "gap", "max", "evaluations",
        "published evaluations", "evaluations gap",
    )  # fmt: skip
    pairs = [pl.col(side).is_in(EVOLUTIONARY) for side in ("player", "other")]
    shown, note = rounded(tests.filter(*pairs)), explained(inference)
    means = markdown_table(header, rows, right=header[2:])
    return markdown_page("Players", means, NOTE, "## Differences", shown, note, PAIRS_NOTE)


def explained(inference: Inference) -> str:
    """Return how pairs are compared."""
    return TEST_NOTE.format(resamples=inference.resamples, **inference.margins)


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


def _with_ends(summary: pl.DataFrame, mean: str, error: str) -> pl.DataFrame:
    """Return the summary with the ends of the means' error bars."""
    at, width = pl.col(mean), pl.col(error)
    return summary.with_columns((at - width).alias("low"), (at + width).alias("high"))


def means_chart(summary: pl.DataFrame) -> Chart:
    """Draw each player's mean guesses with its standard error, and the published means.

    Each game has a panel: its first contest.
    """
    shown = _first_contests(summary)
    return styled(
        alt.concat(*map(_means_panel, shown), columns=2).resolve_scale(color="shared"),
        "Mean guesses of players, by game",
        "Mean guesses against the same secrets, with standard errors",
    )


def _first_contests(summary: pl.DataFrame) -> list[pl.DataFrame]:
    firsts = summary.group_by("game", maintain_order=True).agg(pl.col("contest").first())
    named = summary.with_columns(pl.col("player").map_elements(spoken_player, pl.String))
    return [named.filter(pl.col("contest") == contest) for contest in firsts["contest"]]


def _panel_title(players: pl.DataFrame) -> alt.TitleParams:
    """Return the title of a contest's panel."""
    game, games = players["game"][0], players["games"][0]
    text = f"{notation_of(game)}: {games:,} games each"
    return alt.TitleParams(text, fontSize=13, fontWeight="normal", offset=6)


def _means_panel(players: pl.DataFrame) -> Chart:
    players = _with_ends(players, "mean_guesses", "guesses_error")
    order = players.sort("mean_guesses")["player"].to_list()
    base = alt.Chart(players).encode(y=alt.Y("player:N", sort=order, title=None))
    scale = alt.Scale(zero=False)
    sources = alt.Scale(domain=["here", "published"], range=[SERIES, INK])
    legend = alt.Color("source:N", title=None, scale=sources)
    marks = alt.Scale(domain=sources.domain, range=["circle", "diamond"])
    shape = alt.Shape("source:N", title=None, scale=marks)
    here = base.transform_calculate(source="'here'")
    errors = here.mark_rule(strokeWidth=2).encode(
        x=alt.X("low:Q", scale=scale, title="mean guesses"), x2="high:Q", color=legend
    )
    dots = here.mark_point(size=60, filled=True, opacity=1).encode(
        x="mean_guesses:Q",
        color=legend,
        shape=shape,
        tooltip=["player", "mean_guesses", "guesses_error", "max_guesses"],
    )
    published = (
        base.transform_filter(alt.datum.published_guesses != None)  # noqa: E711 (Vega's own null)
        .transform_calculate(source="'published'")
        .mark_point(filled=True, size=45, opacity=1)
        .encode(
            x="published_guesses:Q",
            color=legend,
            shape=shape,
            tooltip=["player", "published_guesses", "published_guesses_error"],
        )
    )
    return (errors + dots + published).properties(
        width=340, height=alt.Step(18), title=_panel_title(players)
    )


def evaluations_chart(logs: pl.DataFrame, summary: pl.DataFrame) -> Chart:
    """Draw the distribution of each player's evaluations per game as a box plot, by game."""
    shown = _first_contests(summary)
    return styled(
        alt.concat(*(_box_panel(logs, one) for one in shown), columns=2),
        "Codes that players evaluate, by game",
        "Evaluated codes per game: 5th, 25th, 50th, 75th and 95th percentile",
    )


def _quantiles(logs: pl.DataFrame, players: pl.DataFrame) -> pl.DataFrame:
    """Return percentiles of a contest's evaluations, the players with the least median first."""
    quantiles = {"low": 0.05, "first": 0.25, "middle": 0.5, "third": 0.75, "high": 0.95}
    return (
        logs.filter(pl.col("contest") == players["contest"][0])
        .group_by("player", maintain_order=True)
        .agg(pl.col("evaluations").quantile(at).alias(name) for name, at in quantiles.items())
        .with_columns(pl.col("player").map_elements(spoken_player, pl.String))
        .sort("middle")
    )


def _box_panel(logs: pl.DataFrame, players: pl.DataFrame) -> Chart:
    boxes = _quantiles(logs, players)
    y = alt.Y("player:N", sort=boxes["player"].to_list(), title=None)
    base = alt.Chart(boxes).encode(y=y)
    whiskers = base.mark_rule(color=MUTED).encode(
        x=alt.X("low:Q", title="evaluations per game"), x2="high:Q"
    )
    box = base.mark_bar(height={"band": 0.6}, color=SERIES).encode(
        x="first:Q", x2="third:Q", tooltip=boxes.columns
    )
    ticks = base.mark_tick(color=INK, thickness=2).encode(x="middle:Q")
    return (whiskers + box + ticks).properties(
        width=340, height=alt.Step(18), title=_panel_title(players)
    )


def share_chart(summary: pl.DataFrame) -> Chart:
    """Draw the mean guesses of players that examine a share of the candidates, by that share."""
    shares = {
        f"{rule}-consistent{suffix}": (rule, share)
        for rule in ("entropy", "most-parts")
        for suffix, share in SHARES.items()
    }
    players = summary.filter(pl.col("player").is_in(list(shares))).with_columns(
        pl.col("player").replace_strict({k: v[0] for k, v in shares.items()}).alias("rule"),
        pl.col("player").replace_strict({k: v[1] for k, v in shares.items()}).alias("share"),
    )
    players = players.filter(pl.col("share").n_unique().over("contest") > 1)
    players = _with_ends(players, "mean_guesses", "guesses_error")
    x = alt.X("share:Q", title="share of the candidates", axis=alt.Axis(format="%"))
    scale = alt.Scale(zero=False)
    base = alt.Chart(players).encode(
        x=x, color=alt.Color("rule:N", title=None, scale=policy_scale(players["rule"]))
    )
    lines = base.mark_line(point=True).encode(
        y=alt.Y("mean_guesses:Q", scale=scale, title="mean guesses ± standard error")
    )
    errors = base.mark_rule().encode(y=alt.Y("low:Q", scale=scale), y2="high:Q")
    drawn = (lines + errors).properties(width=320, height=280)
    if not players.is_empty():  # facets of nothing have no size
        drawn = drawn.facet(alt.Column("contest:N", title=None)).resolve_scale(y="independent")
    return styled(
        drawn,
        "Mean guesses by the share of the candidates that are examined",
        "Entropy and most parts on a random sample of the candidates, with random ties",
    )


def scaling_chart(summary: pl.DataFrame) -> Chart:
    """Draw mean guesses and evaluations by the number of codes, for players of every game."""
    several = (
        summary.group_by("player")
        .agg(pl.col("game").n_unique().alias("games_played"))
        .filter(pl.col("games_played") == summary["game"].n_unique())["player"]
    )
    players = (
        summary.filter(pl.col("player").is_in(several.to_list()))
        .unique(["game", "player"], keep="first", maintain_order=True)
        .with_columns(
            pl.col("game")
            .map_elements(lambda game: mastermind_rules(game).table_shape[0], pl.Int64)
            .alias("codes")
        )
    )
    panels = []
    for mean, error, title in (
        ("mean_guesses", "guesses_error", "mean guesses"),
        ("mean_evaluations", "evaluations_error", "mean evaluations"),
    ):
        scale = alt.Scale(zero=False, type="linear" if mean == "mean_guesses" else "log")
        base = alt.Chart(_with_ends(players, mean, error)).encode(
            x=alt.X("codes:Q", title="codes", scale=alt.Scale(type="log")),
            color=alt.Color("player:N", title=None, scale=policy_scale(players["player"])),
        )
        lines = base.mark_line(point=True).encode(y=alt.Y(f"{mean}:Q", title=title, scale=scale))
        errors = base.mark_rule().encode(y=alt.Y("low:Q", scale=scale, title=title), y2="high:Q")
        panels.append((lines + errors).properties(width=320, height=300))
    return styled(
        panels[0] | panels[1],
        "Guesses and evaluations of players, by the size of the game",
        "Games by number of codes: "
        + ", ".join(players.sort("codes")["game"].unique(maintain_order=True)),
    )
