"""The tables of best known strategies, of first guesses, of two pegs, and of rollouts by width."""

import polars as pl

from codebreaker.report.tables import markdown

NOTE = """A total is over all secrets of the game; *max* is the most guesses for any of them. No
strategy takes fewer guesses than *bound*: it is the exact search's or, for larger games, looks at
two guesses and bounds what follows by the number of candidates alone; with many colours it is by
the colours that guesses can name. The total exceeds it by *gap* per cent. Where it is *proven* the
total is the optimum; elsewhere it is the lowest that we know of, and much of the gap may be the
bound's. *Method* says how the tree was found. A job's seconds are those of one core beside other
work, its start included. `make best-known` computed the table; the trees are in
`resources/best-known`, and a program that shares no code with the search has played each against
every secret."""

FIRST_GUESSES_NOTE = """Each policy after each kind of first guess: codes that differ only by their
positions and the names of their colours are of one kind. Shown are the first guesses with the least
total of each policy; the CSV file has all, with these marked as *best*."""

TWO_PEGS_NOTE = """Entropy's totals over all secrets of two pegs, by the number of colours.
*Formula* is the least total by Chen and Lin (2004), whose proof Peczarski (2018) completed. A plain
program played each tree against every secret; entropy grows any of them again in seconds."""

ROLLOUTS_NOTE = """Rollouts of MM(5,8) from 11223 by weights for each turn, by *width*, the number
of guesses that are compared at each set; *ahead* of them are tried at the sets that follow. Seconds
are those of one thread's processor, after compilation. `python benchmarks/rollout.py` computed the
table."""

COLUMNS = {"opening": pl.String, "total": pl.Int64, "mean": pl.Float64, "seconds": pl.Float64}
"""Types that the cells alone don't determine."""


def read(path: str) -> pl.DataFrame:
    """Read any of the tables."""
    columns = pl.read_csv(path, n_rows=0).columns
    typed = {name: COLUMNS[name] for name in columns if name in COLUMNS}
    return pl.read_csv(path, schema_overrides=typed)


def to_markdown(table: pl.DataFrame) -> str:
    """Return the table of best known strategies as Markdown."""
    return markdown.page("Best known strategies", NOTE, table)


def first_guesses_to_markdown(table: pl.DataFrame) -> str:
    """Return the best first guesses as Markdown."""
    best = table.filter(pl.col("best") == "yes").drop("best")
    return markdown.page("First guesses", FIRST_GUESSES_NOTE, best)


def two_pegs_to_markdown(table: pl.DataFrame) -> str:
    """Return the totals with two pegs as Markdown."""
    return markdown.page("Two pegs", TWO_PEGS_NOTE, table)


def rollouts_to_markdown(table: pl.DataFrame) -> str:
    """Return the rollouts by width as Markdown."""
    return markdown.page("Rollouts by width", ROLLOUTS_NOTE, table)
