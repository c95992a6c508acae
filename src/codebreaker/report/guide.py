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
    "ro-crate-metadata.json": "has the date, and digests of these",
}
"""Files that may differ between two runs, and why (`*` matches `/`); all others are identical."""

PLAYER = (
    "{contest} | {game} | {player} | {games} | {mean_guesses:.3f} ± {guesses_error:.3f}"
    " | {max_guesses} | {mean_evaluations:.0f}"
)

STRATEGY = (
    "{game} | {name} | {opening} | {total_guesses} | {mean_guesses:.4f} | {max_guesses} | {profile}"
)


def may_differ(path: str) -> bool:
    """Return whether a file may differ between two runs."""
    return any(fnmatch(path, pattern) for pattern in MAY_DIFFER)


def guide(
    strategies: pl.DataFrame, discrepancies: pl.DataFrame, players: pl.DataFrame | None = None
) -> str:
    """Return the text of `results/README.md`."""
    found = counts_of(discrepancies).items()
    rows = [(f"`{pattern}`", why) for pattern, why in MAY_DIFFER.items()]
    template = environment().get_template("guide.md.j2")
    return template.render(
        differing=markdown_table(("file", "why"), rows),
        strategies=_strategy_table(strategies),
        players="" if players is None else _player_table(players),
        claims=discrepancies.height,
        verdicts="; ".join(f"{verdict}: {count}" for verdict, count in found if count),
        table=frame_table(printed(discrepancies)),
    )


def _player_table(players: pl.DataFrame) -> str:
    ordered = players.sort("contest", "mean_guesses", "player").iter_rows(named=True)
    header = ("contest", "game", "player", "games", "mean", "max", "evaluations")
    rows = [PLAYER.format(**row).split(" | ") for row in ordered]
    return markdown_table(header, rows, right=header[3:])


def _strategy_table(strategies: pl.DataFrame) -> str:
    ordered = strategies.sort("game", "mean_guesses", "max_guesses", "tree").iter_rows(named=True)
    header = ("game", "strategy", "opening", "total", "mean", "max", "solved at guess 1, 2, ...")
    rows = [STRATEGY.format(name=name_of(row), **row).split(" | ") for row in ordered]
    return markdown_table(header, rows, right=("total", "mean", "max"))
