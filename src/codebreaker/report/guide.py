"""The guide to the results: what each file holds, and all strategies."""

from fnmatch import fnmatch
from pathlib import Path

import polars as pl

from codebreaker.files import read_toml
from codebreaker.report import environment
from codebreaker.report.claims import counts_of, printed
from codebreaker.report.names import name_of
from codebreaker.report.tables import frame_table, markdown_table

MAY_DIFFER = read_toml(Path(__file__).with_suffix(".toml"))
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
