"""Games of any size: guesses, time and memory of the strategy `sampled` by the number of codes."""

import altair as alt
import polars as pl

from codebreaker.report.chapters import Files
from codebreaker.report.names import notation_of
from codebreaker.report.style import INK, SERIES, Chart, by, save, styled
from codebreaker.report.tables import notes_of, read_table, write_page

NOTES = notes_of(__file__)
TITLE = "Larger games"

MEASURES = {
    "slowest_guess_s": "CPU seconds of the slowest guess",
    "peak_mib": "peak memory, MiB",
}
"""Columns that have a panel of their own, and the titles of their axes."""

TICKS = [10.0**n for n in range(3, 17, 3)]

LOOKS = {
    "sampled": (SERIES, "circle"),
    "published tree": (INK, "diamond"),
    "published player": ("#d55e00", "triangle-up"),
}
"""Colour and shape of each kind of mean."""


def larger_games_finding(table: pl.DataFrame) -> str:
    """Return by how much codes, guesses and times grow from the smallest game to the largest."""
    smallest = table.sort("secrets").row(0, named=True)
    largest = table.sort("secrets").row(-1, named=True)
    slowest = float(table.select(pl.max("slowest_guess_s")).item())
    return (
        f"From {smallest['secrets']:,} codes to {largest['secrets']:.2g}, the mean grows from "
        f"{smallest['mean_guesses']:.2f} to {largest['mean_guesses']:.2f} guesses; the slowest "
        f"guess takes {slowest:.1f} s"
    )


def larger_games_chart(table: pl.DataFrame) -> Chart:
    """Draw mean guesses with intervals and published means, time and memory, by secrets."""
    games = table.with_columns(pl.col("game").map_elements(notation_of, pl.String).alias("size"))
    by_secrets = by.x("secrets:Q", "codes", type="log", format="~e", values=TICKS)
    means = games.select(
        "size",
        "secrets",
        *(pl.col(column).alias(kind) for kind, column in _means().items()),
    ).unpivot(index=["size", "secrets"], variable_name="of", value_name="guesses")
    colours = {kind: colour for kind, (colour, _) in LOOKS.items()}
    shapes = {kind: shape for kind, (_, shape) in LOOKS.items()}
    intervals = (
        alt.Chart(games)
        .mark_rule(strokeWidth=1.5)
        .encode(x=by_secrets, y=by.y("low:Q", "mean guesses", zero=False), y2="high:Q")
    )
    dots = (
        alt.Chart(means.drop_nulls())
        .mark_point(filled=False, size=60, opacity=1, strokeWidth=2)
        .encode(
            x=by_secrets,
            y=by.y("guesses:Q", "mean guesses", zero=False),
            color=by.colour("of:N", None, each=colours, orient="top"),
            shape=by.shape("of:N", None, each=shapes, orient="top"),
            tooltip=["size", "secrets", "of", "guesses"],
        )
    )
    panels = [(intervals + dots).properties(width=300, height=260)]
    for column, title in MEASURES.items():
        measured = alt.Chart(games).mark_point(filled=True, size=60, opacity=1, color=SERIES)
        encoded = measured.encode(
            x=by_secrets, y=by.y(f"{column}:Q", title), tooltip=["size", "secrets", column]
        )
        panels.append(encoded.properties(width=220, height=260))
    return styled(
        alt.concat(*panels, columns=len(panels)),
        "Guesses, time and memory of sampled play, by the number of codes",
        f"{larger_games_finding(table)}. Lines are 95% intervals",
    )


def _means() -> dict[str, str]:
    """Return the column of each kind of mean."""
    columns = ("mean_guesses", "tree_guesses", "player_guesses")
    return dict(zip(LOOKS, columns, strict=True))


def cite_larger_games(inputs: Files, output: Files, params: Files) -> str:
    """Cite the recorded games of the strategy `sampled`, and draw them."""
    table = read_table(inputs.recorded)
    finding = larger_games_finding(table)
    write_page(table, output.tables, TITLE, f"{finding}.", table, NOTES[TITLE])
    save(larger_games_chart(table), output.figures[0], params.png_scale)
    return finding
