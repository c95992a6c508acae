"""The table of strategies that choose one of several trees at random."""

import polars as pl

from codebreaker.analysis.mixtures import secret_types
from codebreaker.games.model import TableGame
from codebreaker.report.names import name_of
from codebreaker.report.tables import markdown

NOTE = """Each strategy is played with its colours and positions renamed at random, so that all
secrets of a type need the same number of guesses on average: the columns named by a code are these
means. *Worst type* is the largest of them, what a strategy needs on average if the secret is chosen
against it. The safest mixture plays each tree with the chance in column *chance* and has the least
such mean of all mixtures of these trees, by a linear programme. No strategy of any kind, random or
not, can have a lower one than {bound:.4f}, the least mean over all secrets. *Past {fewest}* is the
chance of needing more than {fewest} guesses, the least maximum, for a secret drawn at random. The
last rows mix a tree of least total, with the fewest secrets past {fewest}, and one of least
maximum; they have no means by type."""


def tabulate(mixtures: pl.DataFrame, game: TableGame) -> pl.DataFrame:
    """Return the rows of `analysis.mixtures.mixtures` with names and four decimals."""
    labels, _, _ = secret_types(game)
    names = [row["mixture"] or name_of(row) for row in mixtures.iter_rows(named=True)]
    fewest = min(mixtures["max"].to_list())
    return mixtures.select(
        pl.Series("strategy", names),
        pl.col("mean").round(5),
        "max",
        pl.col("past").round(6).alias(f"past {fewest}"),
        pl.col("worst").round(4).alias("worst type"),
        pl.col("chance").round(4),
        *(pl.col(label).round(4) for label in labels),
    )


def to_markdown(table: pl.DataFrame, game: TableGame) -> str:
    """Return the table as Markdown."""
    note = NOTE.format(bound=min(table["mean"].to_list()), fewest=min(table["max"].to_list()))
    return markdown.page(f"Random choice among trees, {game.name}", table, note)
