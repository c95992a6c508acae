"""The guide to the results: what each file holds, and all strategies."""

from pathlib import Path

import polars as pl

from codebreaker.files import read_toml
from codebreaker.report import environment
from codebreaker.report.claims import count_recorded, counts_of, printed
from codebreaker.report.tables import frame_table, in_words, markdown_table, named

MAY_DIFFER = read_toml(Path(__file__).with_suffix(".toml"))
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


def guide(
    strategies: pl.DataFrame, discrepancies: pl.DataFrame, players: pl.DataFrame | None = None
) -> str:
    """Return the text of `results/README.md`."""
    counts = counts_of(discrepancies).items()
    differing = [(f"`{pattern}`", why) for pattern, why in MAY_DIFFER.items()]
    contests = pl.DataFrame() if players is None else players
    if not contests.is_empty():
        contests = contests.sort("contest", "mean_guesses", "player")
    template = environment().get_template("guide.md.j2")
    return template.render(
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
