"""Tables of the secrets that can be won within a given number of rounds."""

from typing import Any

import polars as pl

from codebreaker.report.names import name_of
from codebreaker.report.tables import markdown
from codebreaker.types import TieBreak

NOTE = """*Most won* is the largest number of secrets that any strategy solves within that number
of guesses, and *total* the fewest guesses over all secrets with which a strategy attains it; both
are proven by exhaustive search. *Least total* is the least of all strategies. The best classic
policy is the one of the five that Kooi compares that wins most within the rounds, by its profile in
`metrics/strategies.csv`; games in which these policies are not played have none."""

FRONTIER_NOTE = """The frontier of mean guesses and secrets won within a number of rounds, from the
most won to the fewest guesses. Every mean and share that any strategy attains lies on one of its
points, on a line between two neighbours, or is worse than such a point. The points between two
neighbours need a strategy that chooses between their trees at random."""

CLASSIC = ("first-consistent", "worst-case", "expected-size", "entropy", "most-parts")
"""The policies of Kooi 2005, Table 7."""

USUAL_TIES: TieBreak = "consistent then lexicographic"


def most_won(counted: pl.DataFrame, strategies: pl.DataFrame) -> pl.DataFrame:
    """Return the most secrets won by game and rounds, beside the best of the classic policies.

    `counted` has the rows of `exact.rounds.count_rounds`, the most won first.
    """
    first = counted.group_by("game", "rounds", maintain_order=True).first()
    rows = []
    for row in first.iter_rows(named=True):
        best = _best_classic(strategies, row["game"], row["rounds"])
        rows.append(
            {
                "game": row["game"],
                "rounds": row["rounds"],
                "secrets": row["secrets"],
                "most won": row["won"],
                "share": round(row["won"] / row["secrets"], 4),
                "proven": row["proven"],
                "opening": row["opening"],
                "total": row["total"],
                "least total": _least_total(counted, row["game"]),
                "best classic policy": None if best is None else name_of(best),
                "won by it": None if best is None else _won(best["profile"], row["rounds"]),
                "its total": None if best is None else best["total_guesses"],
            }
        )
    return pl.DataFrame(rows)


def frontiers(counted: pl.DataFrame) -> pl.DataFrame:
    """Return all points of the games whose frontiers were found, with means and shares."""
    several = counted.filter(pl.len().over("game", "rounds") > 1)["game"].unique()
    return counted.filter(pl.col("game").is_in(several.implode())).with_columns(
        (pl.col("total") / pl.col("secrets")).round(4).alias("mean"),
        (pl.col("won") / pl.col("secrets")).round(4).alias("share"),
    )


def to_markdown(table: pl.DataFrame, frontier: pl.DataFrame) -> str:
    """Return the tables as Markdown."""
    title = "The most secrets won within a given number of rounds"
    if frontier.is_empty():
        return markdown.page(title, table, NOTE)
    return markdown.page(title, table, NOTE, "## Frontiers", frontier, FRONTIER_NOTE)


def _least_total(counted: pl.DataFrame, game: str) -> int:
    return int(min(counted.filter(pl.col("game") == game)["total"].to_list()))


def _won(profile: str, rounds: int) -> int:
    return sum(map(int, profile.split()[:rounds]))


def _best_classic(strategies: pl.DataFrame, game: str, rounds: int) -> dict[str, Any] | None:
    """Return the row of the classic policy that wins most, with the fewest guesses among equals."""
    rows = strategies.filter(
        pl.col("game") == game,
        pl.col("policy").is_in(CLASSIC),
        ~pl.col("forced"),
        pl.col("exact_from").is_null(),
        (pl.col("policy") == CLASSIC[0]) | (pl.col("guess_pool") == "all"),
        (pl.col("policy") == CLASSIC[0]) | (pl.col("tie_break") == USUAL_TIES),
    )
    order = lambda row: (-_won(row["profile"], rounds), row["total_guesses"])  # noqa: E731
    return min(rows.iter_rows(named=True), key=order, default=None)
