"""The guide to the results: what each file holds, and all strategies."""

from fnmatch import fnmatch

import polars as pl

from codebreaker.report import environment
from codebreaker.report.claims import counts_of, printed
from codebreaker.report.names import name_of
from codebreaker.report.tables import frame_table, markdown_table

MAY_DIFFER = {
    "resources/*": "what each job took",
    "tables/resources*": "the same, by rule and by search",
    "tables/machine.*": "the machine and the versions of the software",
    "tables/*-methods.*": "times of the players that are timed",
    "best-known/*": "has the seconds that each game took",
    "scaling/*": "times and memory of growing games",
    "tables/scaling.*": "these, as a table",
    "figures/scaling.*": "these, as a chart",
    "weights/*.speed.parquet": "the speed of each search, by generation",
    "report.*": "quotes some of these",
    "facts.csv": "quotes some of these",
}
"""The files that differ between two runs of the same study, as patterns, and why.

`*` stands for any characters, slashes too. All other files have the same bytes, with any number of
cores, on any path, and after kills.
"""


def may_differ(path: str) -> bool:
    """Return whether a file, relative to the results, may differ between two runs."""
    return any(fnmatch(path, pattern) for pattern in MAY_DIFFER)


def guide(
    strategies: pl.DataFrame, discrepancies: pl.DataFrame, players: pl.DataFrame | None = None
) -> str:
    """Return the text of `results/README.md`; `players` is the table of contests, if any."""
    found = counts_of(discrepancies).items()
    return (
        environment()
        .get_template("guide.md.j2")
        .render(
            differing=markdown_table(
                ("file", "why"), [(f"`{p}`", why) for p, why in MAY_DIFFER.items()]
            ),
            strategies=strategy_table(strategies),
            players="" if players is None else player_table(players),
            claims=discrepancies.height,
            verdicts="; ".join(f"{verdict}: {count}" for verdict, count in found if count),
            table=frame_table(printed(discrepancies)),
        )
    )


def player_table(players: pl.DataFrame) -> str:
    """Return the players of contests as a Markdown table, sorted by contest and mean."""
    ordered = players.sort("contest", "mean_guesses", "player")
    rows = [
        (
            row["contest"],
            row["game"],
            row["player"],
            str(row["games"]),
            f"{row['mean_guesses']:.3f} ± {row['guesses_error']:.3f}",
            str(row["max_guesses"]),
            f"{row['mean_evaluations']:.0f}",
        )
        for row in ordered.iter_rows(named=True)
    ]
    header = ("contest", "game", "player", "games", "mean", "max", "evaluations")
    return markdown_table(header, rows, right=header[3:])


def strategy_table(strategies: pl.DataFrame) -> str:
    """Return the strategies as a Markdown table, sorted by game and mean."""
    ordered = strategies.sort("game", "mean_guesses", "max_guesses", "tree")
    rows = [
        (
            row["game"],
            name_of(row),
            row["opening"],
            str(row["total_guesses"]),
            f"{row['mean_guesses']:.4f}",
            str(row["max_guesses"]),
            row["profile"],
        )
        for row in ordered.iter_rows(named=True)
    ]
    header = ("game", "strategy", "opening", "total", "mean", "max", "solved at guess 1, 2, ...")
    return markdown_table(header, rows, right=("total", "mean", "max"))
