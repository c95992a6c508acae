"""Contests between players, and the statements of Cotta, Merelo, Mora and Runarsson 2010 on them.

Each statement is compared under each reading.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import NormalDist

import altair as alt
import polars as pl

from codebreaker.files import DATA, read_toml, write_frame
from codebreaker.players import comparisons
from codebreaker.players.comparisons import PairedDifference, PairedGames, Setting, setting_of
from codebreaker.players.logs import read_log
from codebreaker.players.registry import SHARES
from codebreaker.report import style
from codebreaker.report.chapters import Files
from codebreaker.report.chapters.cotta import (
    EVOLUTIONARY,
    LISTING,
    SIZES,
    evolutionary_chart,
    write_readings,
)
from codebreaker.report.names import notation_of
from codebreaker.report.style import (
    GRID,
    INK,
    MUTED,
    SERIES,
    Chart,
    by,
    display_names,
    save,
    styled,
)
from codebreaker.report.tables import (
    markdown_page,
    markdown_table,
    notes_of,
    with_error,
    write_table,
)
from codebreaker.statistics import SIGNIFICANCE_LEVEL, holm

NOTES = notes_of(__file__)
Margins = Mapping[str, float]
ClaimedOutcome = tuple[str, str, str]
"""Two players, and the claim about the first: `fewer`, `more`, `same` or nothing."""

EVORANK_SIZE = "-evorank-size"
"""The ending of contests in which players examine as many codes as EvoRank collects."""

CLAIMED = {"beside": ""} | {word: word for word in ("fewer", "more", "same")}
STATEMENT_COLUMNS = (
    *("statement", "text", "contest", "claim", *comparisons.COLUMNS),
    *("probability", "probability_holm"),
)
SOURCE_GAMES = 5_000

READINGS = {
    "": ("the text", "#0072b2"),
    LISTING: ("the listing: codes of earlier moves may be played", "#d55e00"),
    EVORANK_SIZE: ("as many codes as EvoRank collects", "#009e73"),
}


def players_page(summary: pl.DataFrame, tests: pl.DataFrame, margins: Margins) -> str:
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
    shown = numbers_as_text(tests.filter(*pairs))
    note = note_on_pairs(margins)
    means = markdown_table(header, rows, right=header[2:])
    parts = (means, NOTES["Players"], "## Differences", shown, note, NOTES["Pairs"])
    return markdown_page("Players", *parts)


def note_on_pairs(margins: Margins) -> str:
    """Return the note on pairs."""
    return NOTES["Tests"].format(**margins)


def numbers_as_text(pairs: pl.DataFrame) -> pl.DataFrame:
    """Return comparisons with their numbers as text."""
    rows = []
    for row in pairs.iter_rows(named=True):
        digits = 3 if row["measure"] == "guesses" else 0
        forms = dict.fromkeys(("difference", "low", "high"), f".{digits}f")
        forms |= dict.fromkeys(("p", "p_holm", "signed_rank_p"), ".2g")
        row |= {
            column: "" if row[column] is None else f"{row[column]:{form}}"
            for column, form in forms.items()
        }
        rows.append(row)
    return pl.DataFrame(rows, schema=pairs.columns)


def _with_error(mean: float | None, error: float | None, digits: int) -> str:
    """Return a mean with its standard error, nothing if there is no mean."""
    return "" if mean is None else with_error(f"{mean:.{digits}f}", error, digits)


def _signed(gap: float | None) -> str:
    """Return a gap in standard errors with its sign, nothing if it is unknown."""
    return "" if gap is None else f"{gap:+.1f}"


def means_chart(summary: pl.DataFrame) -> Chart:
    """Draw the means of each game's first contest."""
    named = summary.with_columns(display_names("player"))
    first = named.filter(pl.col("contest") == pl.col("contest").first().over("game"))
    shown = first.partition_by("game", maintain_order=True)
    return styled(
        alt.concat(*map(_means_panel, shown), columns=2).resolve_scale(color="shared"),
        "Mean guesses of players, by game",
        f"{_lowest_means(first)}. All players of a game play against the same secrets; lines are "
        "standard errors",
    )


def _lowest_means(summary: pl.DataFrame) -> str:
    """Return the player with the lowest mean in each game, in words."""
    lowest = summary.filter(pl.col("mean_guesses") == pl.col("mean_guesses").min().over("game"))
    parts = (
        f"{player} in {' and '.join(map(notation_of, games['game']))}"
        for (player,), games in lowest.group_by("player", maintain_order=True)
    )
    return f"Lowest means: {', '.join(parts)}"


def _means_panel(players: pl.DataFrame) -> Chart:
    """Draw one game's means with standard errors, and the published ones."""
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
    text = f"{notation_of(players['game'][0])}: {players['games'][0]:,} games each"
    title = alt.TitleParams(text, fontSize=13, fontWeight="normal", offset=6)
    panel = errors + dots + published
    return panel.properties(width=340, height=alt.Step(18), title=title)


def share_chart(summary: pl.DataFrame) -> Chart:
    """Draw sampling players' means by the share of the candidates they examine."""
    rules = {f"{rule}-consistent": rule for rule in ("entropy", "most-parts")}
    shares = [
        (f"{player}{suffix}", rule, share)
        for player, rule in rules.items()
        for suffix, share in SHARES.items()
    ]
    columns = {"player": pl.String, "rule": pl.String, "share": pl.Float64}
    sampling = summary.join(
        pl.DataFrame(shares, columns, orient="row"), "player", maintain_order="left"
    )
    # The first contest of a game that compares shares: an earlier one may have a single share.
    compared = sampling.filter(pl.col("share").n_unique().over("contest") > 1)
    players = compared.filter(pl.col("contest") == pl.col("contest").first().over("game"))
    players = style.with_ends(players, "mean_guesses", "guesses_error").with_columns(
        pl.col("game").map_elements(notation_of, pl.String),
        display_names("rule").alias("criterion"),
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
        drawn = drawn.facet(
            facet=alt.Facet("game:N", title=None), columns=players["game"].n_unique()
        ).resolve_scale(y="independent")
    return styled(
        drawn,
        "Mean guesses by the share of the candidates that are examined",
        "Entropy and most parts on a random sample of the candidates, with random ties"
        f"{_share_finding(players)}",
    )


def _share_finding(players: pl.DataFrame) -> str:
    """Return how the mean changes from the smallest share to the largest; nothing of nothing."""
    if players.is_empty():
        return ""
    by_share = players.sort("share").group_by("game", "rule", maintain_order=True)
    ends = by_share.agg(
        pl.col("share").first().alias("smallest"),
        pl.col("share").last().alias("largest"),
        (pl.col("mean_guesses").last() - pl.col("mean_guesses").first()).alias("change"),
    )
    changes = ends["change"].to_list()
    smallest = min(ends["smallest"].to_list())
    largest = max(ends["largest"].to_list())
    low, high = (f"{change:+.2f}".replace("-", "−") for change in (min(changes), max(changes)))
    shares = f"From {smallest:.0%} to {largest:.0%} of them"
    return f". {shares}, the mean changes by {low} to {high} guesses"


@dataclass(frozen=True)
class _Statement:
    """A statement of the source, and its colours if it is about one size."""

    name: str
    text: str
    measure: str
    claims: tuple[ClaimedOutcome, ...]
    colours: Sequence[str] = ("six", "eight")
    readings: Sequence[str] = ("", LISTING)

    @property
    def contests(self) -> list[str]:
        """The contests in which the statement is tested: each size under each reading."""
        return [f"four-{size}{reading}" for size in self.colours for reading in self.readings]


def _read_statements() -> tuple[_Statement, ...]:
    """Return the source's statements, whose claims are written as `player word other`."""
    statements = []
    for entry in read_toml(DATA / "published" / "cotta-2010-statements.toml")["statements"]:
        split_claims = (claim.split() for claim in entry.pop("claims"))
        claims = tuple((player, other, CLAIMED[word]) for player, word, other in split_claims)
        statements.append(_Statement(**entry, claims=claims))
    return tuple(statements)


STATEMENTS = _read_statements()


def settings_of(logs: pl.DataFrame) -> dict[str, Setting]:
    """Return the setting of each game."""
    return {
        str(game): setting_of(str(game), log["player"].unique())
        for (game,), log in logs.group_by("game", maintain_order=True)
    }


def paired_games(logs: pl.DataFrame, margins: Margins) -> dict[str, PairedGames]:
    """Return each contest's games; other readings include the plain contest's players."""
    settings = settings_of(logs)
    games = dict(logs.select("contest", "game").unique(maintain_order=True).iter_rows())
    names = list(games)
    plain = {contest: contest.removesuffix(LISTING).removesuffix(EVORANK_SIZE) for contest in names}
    return {
        contest: PairedGames(
            logs, dict.fromkeys((contest, plain[contest])), settings[games[contest]], margins
        )
        for contest in names
    }


def check_claims(games: Mapping[str, PairedGames]) -> pl.DataFrame:
    """Test each claim in a contest, corrected for the statement's claims there."""
    rows = [
        row
        for statement in STATEMENTS
        for contest in statement.contests
        if contest in games
        for row in _test(statement, contest, games[contest])
    ]
    claims = pl.DataFrame(
        rows,
        schema={
            column: comparisons.COLUMNS.get(column, pl.String) for column in STATEMENT_COLUMNS[:-1]
        },
    )
    return with_corrected_probabilities(claims)


def with_corrected_probabilities(claims: pl.DataFrame) -> pl.DataFrame:
    """Return the claims with `probability_holm`, corrected for all claims of a reading.

    A reading of the source has the contests with its ending, and a claim in each of them may fail.
    """
    corrected = [""] * claims.height
    endings = claims["contest"].str.replace(r"^four-(six|eight)", "").to_list()
    for ending in dict.fromkeys(endings):
        of_reading = [
            at
            for at, probability in enumerate(claims["probability"])
            if endings[at] == ending and probability
        ]
        adjusted = holm([float(claims["probability"][at]) for at in of_reading])
        for at, value in zip(of_reading, adjusted, strict=True):
            corrected[at] = f"{value:.4f}"
    return claims.with_columns(pl.Series("probability_holm", corrected, pl.String))


def _test(
    statement: _Statement, contest: str, games: PairedGames
) -> list[dict[str, str | float | None]]:
    """Return a row per claim of a statement whose two players met in a contest."""
    shared = {"statement": statement.name, "text": statement.text, "contest": contest}
    claims = [claim for claim in statement.claims if games.has(*claim[:2])]
    pairs = games.compare(statement.measure, [claim[:2] for claim in claims])
    return [
        {
            **shared,
            "claim": claim,
            **comparisons.as_row(pair),
            "probability": probability(claim, pair),
        }
        for (*_, claim), pair in zip(claims, pairs, strict=True)
    ]


def probability(claim: str, pair: PairedDifference) -> str:
    """Return the probability of the claimed outcome of the source's test in its number of games.

    The source's signed-rank test at 5% has no correction. Its score is taken as normal, with a mean
    in proportion to the square root of the number of games. It takes all games as independent, so
    ours are taken in the same way. The sign is that of the ranks, which may differ from that of the
    mean difference. Without a test, as in an exact comparison, there is none.
    """
    if claim == "" or pair.games_rank_score is None:
        return ""
    score = pair.games_rank_score * sqrt(SOURCE_GAMES / pair.games)
    critical = NormalDist(NormalDist().inv_cdf(1 - SIGNIFICANCE_LEVEL / 2))
    more = critical.cdf(score)
    fewer = critical.cdf(-score)
    return f"{ {'more': more, 'fewer': fewer, 'same': 1 - more - fewer}[claim]:.4f}"


def _statements_page(claims: pl.DataFrame, margins: Margins) -> str:
    """Return the tests as Markdown, a table for each statement."""
    parts: list[str | pl.DataFrame] = []
    for (text,), rows in claims.group_by("text", maintain_order=True):
        parts += [f"## {text}", numbers_as_text(rows.drop("statement", "text"))]
    return markdown_page(
        "Statements of Cotta et al. 2010", note_on_pairs(margins), NOTES["Statements"], *parts
    )


def _statements_chart(claims: pl.DataFrame, margins: Margins) -> Chart:
    """Draw the differences in guesses that statements are about, by reading."""
    labels = {ending: label for ending, (label, _) in READINGS.items()}
    parts = claims["contest"].str.extract_groups(r"^(?<game>[a-z]+-[a-z]+)(?<ending>.*)$")
    pairs = claims.with_columns(
        parts.struct["game"].replace(SIZES).alias("plain"),
        parts.struct["ending"].replace_strict(labels).alias("reading"),
        pl.format("{} − {}", display_names("player"), display_names("other")).alias("pair"),
    ).filter(pl.col("measure") == "guesses")
    margin = margins["guesses"]
    base = alt.Chart(pairs)
    band = base.transform_aggregate(groupby=["plain"]).mark_rect(color=GRID, opacity=0.7)
    within = band.encode(x=alt.datum(-margin), x2=alt.datum(margin))
    middle = base.mark_rule(color=MUTED, strokeDash=[3, 3]).encode(x=alt.datum(0))
    rows = base.encode(
        y=by.y("pair:N", None, sort=pairs["pair"].unique(maintain_order=True).to_list()),
        yOffset=alt.YOffset("reading:N", sort=list(labels.values())),
        color=by.colour(
            "reading:N", None, each=dict(READINGS.values()), orient="top", labelLimit=400
        ),
    )
    lines = rows.mark_rule(strokeWidth=2).encode(
        x=by.x("low:Q", "difference in mean guesses, with its 95% interval"), x2="high:Q"
    )
    dots = rows.mark_circle(size=45, opacity=1).encode(
        x="difference:Q",
        tooltip=["contest", "player", "other", "difference", "low", "high", "p_holm", "verdict"],
    )
    return styled(
        alt.layer(within, middle, lines, dots)
        .properties(width=330, height=alt.Step(10))
        .facet(
            facet=alt.Facet("plain:N", title=None), columns=pairs["plain"].n_unique(), spacing=36
        ),
        "Differences in guesses between players, as claimed and as measured",
        f"Statements of Cotta et al. 2010: {_statements_finding(pairs)}. "
        f"The band is the margin of ±{margin} guesses, within which players count as equal",
    )


def _statements_finding(pairs: pl.DataFrame) -> str:
    """Return how many differences have an interval without zero, in words."""
    drawn = pairs.filter(pl.col("low").is_not_null())
    apart = drawn.filter((pl.col("low") > 0) | (pl.col("high") < 0))
    return f"{apart.height} of {drawn.height} differences have a 95% interval without 0"


def compare_players(inputs: Files, output: Files, params: Files) -> str:
    """Tabulate and draw the contests, and test their differences."""
    logs = pl.concat(read_log(path) for path in inputs.logs)
    games = paired_games(logs, params.margins)
    summary = comparisons.contest_summary(logs, settings_of(logs))
    tests = comparisons.pairwise_tests(games)
    claims = check_claims(games)
    write_table(summary, players_page(summary, tests, params.margins), (output.means, output.text))
    write_table(claims, _statements_page(claims, params.margins), output.statements)
    write_frame(tests, output.tests)
    write_readings(summary, output)
    charts = {
        "players-guesses": means_chart(summary),
        "players-evolutionary": evolutionary_chart(logs, summary),
        "players-statements": _statements_chart(claims, params.margins),
        "players-share": share_chart(summary),
    }
    for name, chart in charts.items():
        save(chart, Path(output.figures[0]).parent / name, params.png_scale)
    return f"{summary['player'].n_unique()} players in {summary['contest'].n_unique()} contests"
