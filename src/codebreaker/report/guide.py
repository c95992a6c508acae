"""The guide to the results: what each file holds, and all strategies."""

from fnmatch import fnmatch
from pathlib import Path

import polars as pl

from codebreaker.files import read_toml
from codebreaker.report import environment
from codebreaker.report.claims import counts_of, printed
from codebreaker.report.tables import frame_table, markdown_table, named

MAY_DIFFER = read_toml(Path(__file__).with_suffix(".toml"))
"""Files that may differ between two runs, and why (`*` matches `/`); all others are identical."""


def may_differ(path: str) -> bool:
    """Return whether a file may differ between two runs."""
    return any(fnmatch(path, pattern) for pattern in MAY_DIFFER)


def guide(
    strategies: pl.DataFrame, discrepancies: pl.DataFrame, players: pl.DataFrame | None = None
) -> str:
    """Return the text of `results/README.md`."""
    found = counts_of(discrepancies).items()
    rows = [(f"`{pattern}`", why) for pattern, why in MAY_DIFFER.items()]
    met = [] if players is None else players.sort("contest", "mean_guesses", "player").to_dicts()
    template = environment().get_template("guide.md.j2")
    return template.render(
        differing=markdown_table(("file", "why"), rows),
        strategies=named(strategies).sort("game", "mean_guesses", "max_guesses", "tree").to_dicts(),
        players=met,
        claims=discrepancies.height,
        verdicts="; ".join(f"{verdict}: {count}" for verdict, count in found if count),
        table=frame_table(printed(discrepancies)),
    )
