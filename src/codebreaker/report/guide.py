"""The guide to the results: what each file holds, and all strategies."""

import fnmatch
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from codebreaker.files import read_toml
from codebreaker.report import environment
from codebreaker.report.claims import count_recorded, counts_of, printed
from codebreaker.report.tables import frame_table, in_words, markdown_table, named

TEXTS = read_toml(Path(__file__).with_suffix(".toml"))
"""What is said of files, by document and by file."""

MAY_DIFFER: dict[str, str] = TEXTS["differ"]
"""Files that may differ between two runs, and why (`*` matches `/`); all others are identical."""


def shown_strategies(strategies: pl.DataFrame) -> pl.DataFrame:
    """Return the table of strategies for readers, by game and mean.

    The column `strategy` has a policy with its options, and `tree` the name of the tree's files.
    """
    rows = named(strategies).sort("game", "mean_guesses", "max_guesses", "tree")
    totals = zip(rows["total_guesses"], rows["secrets"], strict=True)
    return rows.select(
        "game",
        "strategy",
        "opening",
        pl.col("total_guesses").alias("total"),
        pl.Series("mean", [f"{total / secrets:.4f}" for total, secrets in totals], pl.String),
        pl.col("max_guesses").alias("max"),
        pl.col("profile").alias("solved at guess 1, 2, ..."),
        "tree",
    )


def pattern_of(file: str) -> str:
    """Return a row's file as a pattern of file names: `{game}` is any game."""
    return re.sub(r"\{\w+\}", "*", file)


def matching(rows: Iterable[dict[str, Any]], files: Collection[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows that are about some of the files, with the patterns that match one."""
    for row in rows:
        found = [name for name in row["files"] if fnmatch.filter(files, pattern_of(name))]
        if found:
            yield row | {"files": found}


def _in_code(names: Sequence[str]) -> str:
    """Return a row's files: the first one, and the endings of those that differ by it alone."""
    stem, _, _ = names[0].rpartition(".")
    others = [name.removeprefix(stem) for name in names[1:]]
    return f"`{', '.join([names[0], *others])}`"


def guide(
    strategies: pl.DataFrame,
    discrepancies: pl.DataFrame,
    players: pl.DataFrame | None = None,
    files: Collection[str] = (),
) -> str:
    """Return the text of `results/README.md`, given all files of the results."""
    counts = counts_of(discrepancies).items()
    differing = [
        (f"`{pattern}`", why)
        for pattern, why in MAY_DIFFER.items()
        if fnmatch.filter(files, pattern)
    ]
    contests = pl.DataFrame() if players is None else players
    if not contests.is_empty():
        contests = contests.sort("contest", "mean_guesses", "player")
    template = environment().get_template("guide.md.j2")
    return template.render(
        sources=markdown_table(
            ("source", "table or figure", "file"),
            [
                (row["document"], row["what"], _in_code(row["files"]))
                for row in matching(TEXTS["sources"], files)
            ],
        ),
        files=markdown_table(
            ("file", "contents"),
            [(_in_code(row["files"]), row["what"]) for row in matching(TEXTS["files"], files)],
        ),
        differing=markdown_table(("file", "why"), differing),
        strategies=frame_table(
            in_words(shown_strategies(strategies)), right=("total", "mean", "max")
        ),
        players=contests.to_dicts(),
        claims=discrepancies.height,
        recorded=count_recorded(discrepancies),
        verdicts="; ".join(f"{verdict}: {count}" for verdict, count in counts if count),
        table=frame_table(printed(discrepancies)),
    )
