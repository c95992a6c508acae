"""Variants: non-adaptive guesses, wrong answers, and the terminals of Fallout 3."""

import math
import re
from collections.abc import Callable, Iterable
from typing import Any

import altair as alt
import polars as pl

from codebreaker.files import read_frame
from codebreaker.players.doubtful import ANY, NONE, ONCE, with_recorded
from codebreaker.players.terminals import attempts_with_resets, read_terminals, terminal_means
from codebreaker.report import style
from codebreaker.report.chapters import Files
from codebreaker.report.names import notation_of
from codebreaker.report.style import INK, SERIES, Chart, by, save, styled
from codebreaker.report.tables import markdown_page, notes_of, write_page, write_table

NOTES = notes_of(__file__)
GODDARD = "Goddard 2003, for sufficiently many colours"
FORMULAS: dict[tuple[str, int], tuple[Callable[[int], int], str]] = {
    ("mm", 2): (lambda colours: math.ceil(2 * colours / 3), GODDARD),
    ("mm", 3): (lambda colours: colours - 1, GODDARD),
    ("mm", 4): (lambda colours: colours - 1, GODDARD),
    ("black", 2): (lambda colours: (4 * colours - 2) // 3, "Cáceres et al. 2007"),
    ("black", 3): (lambda colours: 3 * colours // 2, "Jäger and Drewes 2020"),
}
"""Published numbers of non-adaptive guesses; Goddard's are quoted by Jäger and Drewes 2018."""

FAMILIES = {"mm": "Mastermind", "bc": "Bulls and Cows", "black": "black pegs"}
STATIC, PUBLISHED, ADAPTIVE = "non-adaptive", "published", "adaptive"
STROKES = {STATIC: SERIES, PUBLISHED: INK, ADAPTIVE: "#c68900"}
FILLS = STROKES | dict.fromkeys((PUBLISHED, ADAPTIVE), "transparent")
SHAPES = {STATIC: "circle", PUBLISHED: "circle", ADAPTIVE: "stroke"}

MARKS: dict[str, dict[str, Any]] = {
    STATIC: {"size": 55}, PUBLISHED: {"size": 150}, ADAPTIVE: {"size": 300, "strokeWidth": 2.5}
}  # fmt: skip

RIGHT, LIE = "all answers right", "at most one wrong"


def static_play(found: Iterable[pl.DataFrame], rounds: pl.DataFrame) -> pl.DataFrame:
    """Return each game once, with published figures and adaptive play."""
    table = pl.concat(found).unique("game", keep="first", maintain_order=True)
    all_won = rounds.filter(pl.col("won") == pl.col("secrets"))
    lowest = all_won.group_by("game").agg(pl.col("rounds").min().alias("with answers"))
    published = [_published(game) for game in table["game"]]
    columns = {"published": pl.Int64, "source": pl.String}
    return (
        table.with_columns(
            *pl.DataFrame(published, columns, orient="row"), (pl.col("guesses") + 1).alias("to win")
        )
        .join(lowest, on="game", how="left", maintain_order="left")
        .sort(pl.Series([re.sub(r"\d+", lambda n: n[0].zfill(3), game) for game in table["game"]]))
        .select(
            *("game", "secrets", "guesses", "published", "source", "to win", "with answers"),
            *("set", "examined"),
        )
    )


def _published(game: str) -> tuple[int | None, str | None]:
    family, *sizes = game.split("-")
    if len(sizes) != 2 or (family, int(sizes[0])) not in FORMULAS:
        return None, None
    guesses, source = FORMULAS[family, int(sizes[0])]
    return guesses(int(sizes[1])), source


def _static_chart(table: pl.DataFrame) -> Chart:
    sizes = table.filter(pl.col("game").str.contains(r"^[a-z]+-\d+-\d+$")).with_columns(
        pl.col("game").map_elements(_panel_of, pl.String).alias("kind"),
        pl.col("game").str.extract(r"-(\d+)$").cast(pl.Int64).alias("colours"),
        (pl.col("published") + 1).alias(PUBLISHED),
        pl.col("to win").alias(STATIC),
        pl.col("with answers").alias(ADAPTIVE),
    )
    several, index = sizes.filter(pl.len().over("kind") > 1), ["game", "kind", "colours"]
    rows = several.unpivot([PUBLISHED, ADAPTIVE, STATIC], index=index, variable_name="play")
    base = alt.Chart().encode(
        x=by.x("colours:O", "colours", labelAngle=0),
        y=by.y("most:Q", "guesses to win", tickMinStep=1, padding=8),
        stroke=by.stroke("play:N", None, each=STROKES),
        fill=by.fill("play:N", None, each=FILLS),
        shape=by.shape("play:N", None, each=SHAPES),
        tooltip=["game", "play", "most"],
    )
    marks = [
        base.transform_filter(alt.datum.play == play).mark_point(opacity=1, **mark)
        for play, mark in MARKS.items()
    ]
    panels = alt.layer(*marks).properties(width=230, height=170)
    facet, drawn = alt.Facet("kind:N", title=None), rows.rename({"value": "most"}).drop_nulls()
    return styled(
        panels.facet(facet=facet, columns=3, data=drawn).resolve_scale(x="independent"),
        "Guesses to win, non-adaptive and adaptive",
        "The maximum over all secrets, final guess included. The published figures of Mastermind "
        "with 3 and 4 pegs are for sufficiently many colours",
    )


def _panel_of(game: str) -> str:
    family, pegs, _ = game.split("-")
    return f"{FAMILIES[family]}, {pegs} pegs"


def _lie_chart(table: pl.DataFrame) -> Chart:
    table = table.with_columns(pl.col("game").map_elements(notation_of, pl.String))
    dots = style.joined_dots(
        table.rename({"guesses": RIGHT, "with a lie": LIE}),
        "answers",
        {RIGHT: SERIES, LIE: "#b2334f"},
        ["game", "cost"],
        size=80,
        x=by.x(f"{RIGHT}:Q", "guesses that always suffice", tickMinStep=1),
        y=by.y("game:N", None, sort=table["game"].to_list()),
        tooltip=["game", "answers", "value", "cost"],
    )
    return styled(
        dots.properties(width=420, height={"step": 20}),
        "Guesses that always suffice, with and without one wrong answer",
        "the fewest guesses, proven; the winning answer is never wrong",
    )


def _errors_chart(table: pl.DataFrame) -> Chart:
    right, wrong = table.filter(pl.col("wrong") == NONE), table.filter(pl.col("wrong") != NONE)
    both = [right.with_columns(pl.lit(kind).alias("wrong")) for kind in (ONCE, ANY)]
    base = alt.Chart(style.with_ends(pl.concat([wrong, *both]), "mean", "error")).encode(
        x=by.x("probability:Q", "probability of a wrong answer", format="%"),
        color=by.colour("wrong:N", "wrong answers allowed", each={ONCE: INK, ANY: SERIES}),
    )
    lines = base.mark_line(point=alt.OverlayMarkDef(size=55)).encode(
        y=by.y("mean:Q", "mean guesses", zero=False),
        tooltip=["wrong", "probability", "mean", "error", "max", "games"],
    )
    bars = base.mark_rule(strokeWidth=1.5).encode(y="low:Q", y2="high:Q")
    return styled(
        (lines + bars).properties(width=420, height=260),
        "Mean guesses if answers may be wrong",
        f"{notation_of(table['game'][0])}: entropy over the posterior, with standard errors",
    )


def tabulate_static_sets(inputs: Files, output: Files, params: Files) -> str:
    """Tabulate and draw non-adaptive guesses."""
    found = [read_frame(inputs.found), pl.read_csv(inputs.recorded)]
    table = static_play(found, read_frame(inputs.rounds))
    title = "Non-adaptive guesses"
    write_page(table, output.tables, title, NOTES[title], table)
    save(_static_chart(table), output.figures[0], params.png_scale)
    return f"{table.height} games"


def tabulate_wrong_answers(inputs: Files, output: Files, params: Files) -> str:
    """Tabulate and draw the effect of wrong answers."""
    recorded = pl.read_csv(inputs.recorded, schema_overrides={"first guess": pl.String})
    lies, errors = with_recorded(read_frame(inputs.lies), recorded), read_frame(inputs.errors)
    for title, table, paths in (
        ("The cost of one wrong answer", lies, output.lies),
        ("Entropy with wrong answers", errors, output.errors),
    ):
        write_page(table, paths, title, NOTES[title], table)
    save(_lie_chart(lies), output.lie_figures[0], params.png_scale)
    save(_errors_chart(errors), output.error_figures[0], params.png_scale)
    return f"{lies.height} games"


def terminals_page(table: pl.DataFrame, attempts: int, resets: int) -> str:
    """Return the table as Markdown."""
    allowed = attempts_with_resets(attempts, resets)
    names = {"solved_in_time": f"solved in {attempts} attempts"}
    resets_used = f"with {resets} reset{'s'[resets == 1 :]}"
    names["solved_with_resets"] = f"solved {resets_used}, in {allowed} attempts"
    shown = table.with_columns(
        pl.Series(column, [f"{share:.2%}" for share in table[column]]) for column in names
    ).rename(lambda column: names.get(column, column.replace("_", " ")))
    return markdown_page("Terminals of Fallout 3", shown, NOTES["Terminals"])


def terminals_chart(terminals: pl.DataFrame, attempts: int) -> Chart:
    """Draw the share of passwords not found."""
    lost = (
        terminals.group_by("strategy", "words")
        .agg((1 - pl.col("solved_in_time").mean()).alias("lost"), pl.col("mean_guesses").mean())
        .sort("strategy", "words")
        .with_columns(name=style.in_words("strategy"))
    )
    ends = lost.filter(pl.col("words") == pl.col("words").max()).sort("lost").reverse()
    colours = dict(zip(ends["name"], map(style.colour_of, ends["strategy"]), strict=True))
    base = alt.Chart(lost).encode(
        x=by.x("words:O", "words on the terminal", labelAngle=0),
        y=by.y("lost:Q", f"not found in {attempts} attempts", format=".1%"),
        color=by.colour("name:N", None, sort=list(colours), each=colours),
        tooltip=["name", "words", alt.Tooltip("lost:Q", format=".2%"), "mean_guesses"],
    )
    letters, sizes = terminals["length"].to_numpy(), ["length", "words", "number"]
    lines = base.mark_line(point={"size": 50, "filled": True}, strokeWidth=2)
    return styled(
        lines.properties(width=560, height=320),
        "Passwords not found within the attempts, by number of words",
        f"Share of passwords not found in {attempts} attempts; {terminals.n_unique(sizes):,} "
        f"terminals with words of {letters.min()} to {letters.max()} letters",
    )


def tabulate_terminals(inputs: Files, output: Files, params: Files) -> str:
    """Tabulate and draw the terminals."""
    terminals = read_terminals(inputs.terminals)
    table = terminal_means(terminals)
    write_table(table, terminals_page(table, params.attempts, params.resets), output.tables)
    save(terminals_chart(terminals, params.attempts), output.figures[0], params.png_scale)
    return f"{table.height} rows"
