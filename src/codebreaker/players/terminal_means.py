"""Means over terminals of Fallout 3, by strategy, words and length."""

from pathlib import Path

import polars as pl

from codebreaker.files import read_frame

POLICIES = ("worst-case", "expected-size", "entropy", "most-parts")


RANDOM = "random-consistent"


OPTIMAL = "optimal"


IN_TIME = "optimal-in-time"


STRATEGIES = (RANDOM, *POLICIES, OPTIMAL, IN_TIME)
"""`optimal` has the minimum mean; `optimal-in-time` solves the most in time, then has it."""


SCHEMA = {
    **dict.fromkeys(("length", "words", "number"), pl.Int64), "strategy": pl.String,
    "mean_guesses": pl.Float64, "max_guesses": pl.Int64,
    **dict.fromkeys(("solved_in_time", "solved_with_resets", "cut_in_half"), pl.Float64),
}  # fmt: skip


def attempts_with_resets(attempts: int, resets: int) -> int:
    """Return the guesses of a player who resets the attempts whenever one is left."""
    return attempts + resets * (attempts - 1)


def read_terminals(path: str | Path) -> pl.DataFrame:
    """Read terminals; raise `DamagedFileError` if damaged."""
    return read_frame(path, SCHEMA)


def terminal_means(terminals: pl.DataFrame) -> pl.DataFrame:
    """Return means by number of words, by length and over all.

    `solved_error` is the standard error of `solved_in_time` over the terminals drawn, null for one.
    """
    groups = {"all": terminals}
    for column, unit in (("words", "words"), ("length", "letters")):
        for value in terminals[column].unique().sort():
            groups[f"{value} {unit}"] = terminals.filter(pl.col(column) == value)
    order = pl.DataFrame({"strategy": STRATEGIES})
    return pl.concat(
        order.join(
            rows.group_by(pl.lit(name).alias("terminals"), "strategy").agg(
                pl.len().alias("played"),
                pl.col("mean_guesses").mean(),
                pl.col("max_guesses").max(),
                pl.col("solved_in_time").mean(),
                (pl.col("solved_in_time").std() / pl.len().sqrt()).alias("solved_error"),
                pl.col("solved_with_resets", "cut_in_half").mean(),
            ),
            on="strategy",
            maintain_order="left",
        )
        for name, rows in groups.items()
    ).select("terminals", pl.exclude("terminals"))
