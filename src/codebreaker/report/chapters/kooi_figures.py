"""Kooi 2005: Figures 1 to 3, a small game's codes and their feedback, and 4, binary entropy."""

from pathlib import Path

import altair as alt
import numpy as np
import polars as pl

from codebreaker.games.model import TableGame, read_table_game
from codebreaker.report.chapters import Files
from codebreaker.report.chapters.kooi import code, entropy, feedback_text, kooi_tables
from codebreaker.report.style import INK, ON_TILE, SERIES, Chart, by, save, styled
from codebreaker.report.tables import write_tables
from codebreaker.trees.metrics import read_strategies

SHOWN = ("AA", "DA")

PLAIN, SHADES = "#e6e8ed", ("#ffffd9", "#c7e9b4", "#7fcdbb", "#fdd49e", "#fc8d59")
STEPS = 200


def kooi_figures(two_pegs: TableGame) -> dict[str, Chart]:
    """Return the charts by file name; `two_pegs` is MM(2,4)."""
    return {"kooi-2005-figures-1-3": feedback_grids(two_pegs), "kooi-2005-figure-4": two_parts()}


def grid(game: TableGame, guess: str | None) -> pl.DataFrame:
    """Return each code's pegs, text (letters, or feedback for a guess), and its colour's key."""
    letters = [chr(ord("A") + colour) for colour in range(round(game.n_secrets**0.5))]
    codes = [first + second for first in letters for second in letters]
    texts: list[str | None] = [
        guess and feedback_text(game, game.table[code(game, guess), code(game, one)])
        for one in codes
    ]
    return pl.DataFrame(
        {
            "first": [one[0] for one in codes],
            "second": [one[1] for one in codes],
            "text": texts if guess else codes,
            "feedback": texts,
        },
        schema_overrides={"feedback": pl.String},
    )


def feedback_grids(game: TableGame) -> Chart:
    """Draw all codes of MM(2,4), and the feedback that each gives to two guesses."""
    labels = [feedback_text(game, feedback) for feedback in range(game.n_feedback)]
    shades = dict(zip(labels, SHADES, strict=False))
    color = by.colour("feedback:N", "feedback (black, white)", each=shades)
    panels = []
    for guess in (None, *SHOWN):
        base = alt.Chart(grid(game, guess)).encode(
            x=by.x("second:O", "second peg", labelAngle=0),
            y=by.y("first:O", "first peg", sort="descending"),
        )
        tiles = base.mark_rect(stroke="white", strokeWidth=2, color=PLAIN)
        if guess is not None:
            tiles = tiles.encode(color=color, tooltip=["first", "second", "feedback"])
        texts = base.mark_text(fontSize=14).encode(text="text:N", color=alt.value(ON_TILE))
        words = "all codes" if guess is None else f"feedback for the guess {guess}"
        title = alt.TitleParams(words, fontSize=13, fontWeight="normal", offset=8)
        panels.append((tiles + texts).properties(title=title, width=176, height=176))
    return styled(
        alt.hconcat(*panels, spacing=28),
        "All codes of a small game, and their feedback for two guesses",
        "2 pegs and 4 colours; each tile is a secret (Kooi 2005, Figures 1 to 3)",
    )


def two_parts() -> Chart:
    """Draw the entropy of a partition with two parts by the share of one of them."""
    sizes = np.arange(STEPS + 1)
    bits = [abs(entropy(np.array([size, STEPS - size]))) for size in sizes]
    curve = pl.DataFrame({"share": sizes / STEPS, "entropy": bits})
    x = by.x("share:Q", "share of one part", format=".1f")
    y = by.y("entropy:Q", "entropy, bits", format=".1f")
    line = alt.Chart(curve).mark_line(color=SERIES, strokeWidth=2.5)
    top = alt.Chart(curve.sort("entropy").tail(1))
    dot = top.mark_point(color=INK, filled=True, size=70, opacity=1)
    return styled(
        (line.encode(x=x, y=y) + dot.encode(x=x, y=y)).properties(width=420, height=260),
        "Entropy of two parts, by the share of one of them",
        "entropy of a partition with two parts (Kooi 2005, Figure 4)",
    )


def compare_kooi(inputs: Files, output: Files, params: Files) -> str:
    """Write Kooi's tables, published cells beside computed ones, and draw the figures."""
    two_pegs, game = read_table_game(inputs.two_pegs), read_table_game(inputs.game)
    found = kooi_tables(two_pegs, game, read_strategies(inputs.strategies))
    write_tables(found, Path(output.tables[0]).parent)
    for name, chart in kooi_figures(two_pegs).items():
        save(chart, Path(output.figures[0]).parent / name, params.png_scale)
    return "; ".join(f"{one.name}: {len(one.differences)} cells differ" for one in found)
