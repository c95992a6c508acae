"""Other rules: guesses that are all made at once, and wrong answers."""

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import altair as alt
import polars as pl

from codebreaker.files import read_frame
from codebreaker.players.doubtful import ANY, NONE, ONCE, with_recorded
from codebreaker.report.chapters import Files
from codebreaker.report.style import INK, SERIES, Chart, save, styled
from codebreaker.report.tables import markdown_page, write_table


class Formula(NamedTuple):
    """A published number of guesses at once, by family and pegs, as a function of the colours.

    The final guess that names the secret is not counted.
    """

    family: str
    pegs: int
    guesses: Callable[[int], int]
    source: str


GODDARD = "Goddard 2003, for sufficiently many colours"
FORMULAS = (
    Formula("mm", 2, lambda colours: math.ceil(2 * colours / 3), GODDARD),
    Formula("mm", 3, lambda colours: colours - 1, GODDARD),
    Formula("mm", 4, lambda colours: colours - 1, GODDARD),
    Formula("black", 2, lambda colours: (4 * colours - 2) // 3, "Cáceres et al. 2007"),
    Formula("black", 3, lambda colours: 3 * colours // 2, "Jäger and Drewes 2020"),
)
"""Goddard's are quoted from Jäger and Drewes 2018, who count the final guess."""


def static_play(found: Iterable[pl.DataFrame], rounds: pl.DataFrame) -> pl.DataFrame:
    """Return all rows, with published figures and the least maximum of play with answers.

    A game is taken from the first frame that has it. `rounds` are the rows of
    `exact.rounds.count_rounds`, which tell the least maximum of its games.
    """
    table = pl.concat(found).unique("game", keep="first", maintain_order=True)
    published = [_published(game) for game in table["game"]]
    all_won = rounds.filter(pl.col("won") == pl.col("secrets"))
    least = all_won.group_by("game").agg(pl.col("rounds").min().alias("with answers"))
    return (
        table.with_columns(
            pl.Series("published", [one and one[0] for one in published], pl.Int64),
            pl.Series("source", [one and one[1] for one in published], pl.String),
            (pl.col("guesses") + 1).alias("to win"),
            pl.Series("order", [_order(game) for game in table["game"]]),
        )
        .join(least, on="game", how="left")
        .sort("order")
        .select(
            *("game", "secrets", "guesses", "published", "source", "to win", "with answers"),
            *("set", "examined"),
        )
    )


def _published(game: str) -> tuple[int, str] | None:
    family, *sizes = game.split("-")
    for formula in FORMULAS:
        if len(sizes) == 2 and (formula.family, formula.pegs) == (family, int(sizes[0])):
            return formula.guesses(int(sizes[1])), formula.source
    return None


def _order(game: str) -> str:
    """Return what sorts games by family, then by their sizes as numbers."""
    family, *rest = game.split("-")
    return " ".join([family, *(part.zfill(3) if part.isdigit() else part for part in rest)])


STATIC_NOTE = """\
*Guesses* is the fewest that tell all secrets apart if they are made at once and all
answered afterwards; smaller sets were refuted by exhaustive search up to symmetry. The guess that
then names the secret is not counted; with it, they are *to win*. *With answers* is the least
maximum of play that knows each answer before the next guess, the winning one counted, as far as the
study has it. *Published* figures don't count the final guess either. Those of Goddard are for
sufficiently many colours, as Jäger and Drewes (2018) quote them; with black pegs alone the number
is the metric dimension of a Hamming graph. *Examined* are the sets whose last two guesses were
sought."""


AT_ONCE, PUBLISHED, ANSWERED = "all at once", "published", "one by one"
PLAY_COLOURS = {AT_ONCE: SERIES, PUBLISHED: INK, ANSWERED: "#c68900"}
MARKS: dict[str, dict[str, Any]] = {
    AT_ONCE: {"size": 55},
    PUBLISHED: {"size": 150},
    ANSWERED: {"size": 300, "strokeWidth": 2.5},
}
FILLS, SHAPES = [SERIES, "transparent", "transparent"], ["circle", "circle", "stroke"]
"""The published figures are rings around the dots, and play with answers a short line."""


def static_chart(table: pl.DataFrame) -> Chart:
    """Draw the guesses to win by the number of colours, one panel per family and pegs."""
    sizes = table.filter(pl.col("game").str.contains(r"^[a-z]+-\d+-\d+$")).with_columns(
        pl.col("game").str.extract(r"^(.*)-\d+$").alias("kind"),
        pl.col("game").str.extract(r"-(\d+)$").cast(pl.Int64).alias("colours"),
        (pl.col("published") + 1).alias(PUBLISHED),
        pl.col("to win").alias(AT_ONCE),
        pl.col("with answers").alias(ANSWERED),
    )
    several = sizes.filter(pl.len().over("kind") > 1)
    rows = several.unpivot(
        [PUBLISHED, ANSWERED, AT_ONCE],
        index=["game", "kind", "colours"],
        variable_name="play",
        value_name="most",
    ).drop_nulls()
    stroke, fill, shape = (
        alt.Scale(domain=list(PLAY_COLOURS), range=values)
        for values in (list(PLAY_COLOURS.values()), FILLS, SHAPES)
    )
    base = alt.Chart().encode(
        x=alt.X("colours:O", title="colours", axis=alt.Axis(labelAngle=0)),
        y=alt.Y("most:Q", title="guesses to win").axis(tickMinStep=1),
        stroke=alt.Stroke("play:N", title=None, scale=stroke),
        fill=alt.Fill("play:N", title=None, scale=fill),
        shape=alt.Shape("play:N", title=None, scale=shape),
        tooltip=["game", "play", "most"],
    )
    marks = [
        base.transform_filter(alt.datum.play == play).mark_point(opacity=1, **MARKS[play])
        for play in PLAY_COLOURS
    ]
    panels = alt.layer(*marks).properties(width=230, height=170)
    return styled(
        panels.facet(facet=alt.Facet("kind:N", title=None), columns=3, data=rows).resolve_scale(
            x="independent"
        ),
        "Guesses to win if all are made at once, and one by one",
        "the most that any secret takes, the guess that names it counted; mm-p and black-p have p "
        "pegs; the published figures of mm-3 and mm-4 are for sufficiently many colours",
    )


LIE_NOTE = """The fewest guesses that always suffice, proven by exhaustive search: if all answers
are right, and *with a lie*, if the codemaker may give at most one wrong answer and the codebreaker
doesn't learn which. A right guess ends the game: it is never denied, and a wrong one never
confirmed. Any other answer may be given in place of the right one, also one that no secret gives.
The *first guess* is one with which they suffice. Long searches are cited from
`resources/codemaker`."""

ERRORS_NOTE = """Entropy that weighs secrets by their chances after all answers, of which each is
wrong with a *chance*: any of them, or at most one of a game. It plays the guess whose answer tells
most about the secret, or a code that is at least as likely as all others together, and knows how
answers go wrong. A right guess ends the game. Each secret is played equally often; *error* is the
standard error of the mean."""


RIGHT, LIE = "all answers right", "at most one wrong"
ANSWER_COLOURS = {RIGHT: SERIES, LIE: "#b2334f"}


def lie_chart(table: pl.DataFrame) -> Chart:
    """Draw the fewest guesses of each game with and without a wrong answer, joined by a line."""
    rows = table.rename({"guesses": RIGHT, "with a lie": LIE})
    y = alt.Y("game:N", title=None, sort=table["game"].to_list())
    x = alt.X(f"{RIGHT}:Q", title="guesses that always suffice").axis(tickMinStep=1)
    joined = alt.Chart(rows).mark_rule(strokeWidth=1.5, opacity=0.5).encode(y=y, x=x, x2=f"{LIE}:Q")
    names = list(ANSWER_COLOURS)
    dots = (
        alt.Chart(rows.unpivot(names, index=["game", "cost"], variable_name="answers"))
        .mark_point(filled=True, size=80, opacity=1)
        .encode(
            y=y,
            x="value:Q",
            color=alt.Color(
                "answers:N",
                title=None,
                scale=alt.Scale(domain=names, range=list(ANSWER_COLOURS.values())),
            ),
            tooltip=["game", "answers", "value", "cost"],
        )
    )
    return styled(
        (joined + dots).properties(width=420, height={"step": 20}),
        "What one wrong answer costs",
        "the fewest guesses, proven; a right guess is never denied, a wrong one never confirmed",
    )


def errors_chart(table: pl.DataFrame) -> Chart:
    """Draw the mean guesses of entropy by the chance of a wrong answer."""
    right = table.filter(pl.col("wrong") == NONE)
    rows = pl.concat(
        [
            table.filter(pl.col("wrong") != NONE),
            *(right.with_columns(pl.lit(kind).alias("wrong")) for kind in (ONCE, ANY)),
        ]
    ).with_columns(
        (pl.col("mean") - pl.col("error")).alias("low"),
        (pl.col("mean") + pl.col("error")).alias("high"),
    )
    base = alt.Chart(rows).encode(
        x=alt.X("chance:Q", title="chance that an answer is wrong", axis=alt.Axis(format="%")),
        color=alt.Color(
            "wrong:N",
            title="wrong answers of a game",
            scale=alt.Scale(domain=[ONCE, ANY], range=[INK, SERIES]),
        ),
    )
    y = alt.Y("mean:Q", title="mean guesses", scale=alt.Scale(zero=False))
    lines = base.mark_line(point=alt.OverlayMarkDef(size=55)).encode(
        y=y, tooltip=["wrong", "chance", "mean", "error", "max", "games"]
    )
    bars = base.mark_rule(strokeWidth=1.5).encode(y=alt.Y("low:Q"), y2="high:Q")
    return styled(
        (lines + bars).properties(width=420, height=260),
        "Mean guesses if answers may be wrong",
        f"{table['game'][0]}: entropy over the chances of all secrets, with standard errors",
    )


def tabulate_static_sets(inputs: Files, output: Files, params: Files) -> str:
    """Tabulate and draw guesses made at once, beside published figures and play with answers."""
    found = [read_frame(inputs.found), pl.read_csv(inputs.recorded)]
    table = static_play(found, read_frame(inputs.rounds))
    write_table(table, markdown_page("Guesses at once", STATIC_NOTE, table), output.tables)
    save(static_chart(table), output.figures[0], params.png_scale)
    return f"{table.height} games"


def tabulate_wrong_answers(inputs: Files, output: Files, params: Files) -> str:
    """Tabulate and draw what wrong answers cost."""
    recorded = pl.read_csv(inputs.recorded, schema_overrides={"first guess": pl.String})
    lies = with_recorded(read_frame(inputs.lies), recorded)
    errors = read_frame(inputs.errors)
    page = markdown_page("The cost of one wrong answer", LIE_NOTE, lies)
    write_table(lies, page, output.lies)
    write_table(
        errors, markdown_page("Entropy with wrong answers", ERRORS_NOTE, errors), output.errors
    )
    save(lie_chart(lies), output.lie_figures[0], params.png_scale)
    save(errors_chart(errors), output.error_figures[0], params.png_scale)
    return f"{lies.height} games"
