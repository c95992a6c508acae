"""What is measured of a strategy: totals, means, maxima and profiles."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import polars as pl
from polars.exceptions import PolarsError

from codebreaker.errors import CodebreakerError, DamagedFileError
from codebreaker.files import atomic_write
from codebreaker.policies.policy import Policy
from codebreaker.trees.batch import BatchResult
from codebreaker.trees.io import TreeLabels
from codebreaker.trees.tree import GameTree

SCHEMA: dict[str, type[pl.DataType]] = {
    "game": pl.String,
    "policy": pl.String,
    "opening": pl.String,
    "guess_pool": pl.String,
    "tie_break": pl.String,
    "secrets": pl.Int64,
    "total_guesses": pl.Int64,
    "mean_guesses": pl.Float64,
    "max_guesses": pl.Int64,
    "std_guesses": pl.Float64,
    "profile": pl.String,
    "tree": pl.String,
}


def profile_statistics(profile: Sequence[int]) -> dict[str, int | float | str]:
    """Return the statistics of a profile, the secrets solved at each turn from 1 on.

    The deviation is the population's: the secrets are all there are, and no sample.
    """
    solved = np.asarray(profile, dtype=np.int64)
    turns = np.arange(1, len(solved) + 1)
    secrets, total = int(solved.sum()), int(solved @ turns)
    variance = float(solved @ (turns - total / secrets) ** 2) / secrets
    return {
        "secrets": secrets,
        "total_guesses": total,
        "mean_guesses": round(total / secrets, 6),
        "max_guesses": len(solved),
        "std_guesses": round(variance**0.5, 6),
        "profile": " ".join(map(str, solved)),
    }


def strategies(trees: Iterable[tuple[GameTree, TreeLabels]]) -> pl.DataFrame:
    """Return the table of strategies, a row a tree, in the order given."""
    rows = [vars(labels) | profile_statistics(tree.profile.tolist()) for tree, labels in trees]
    return pl.DataFrame(rows, schema=SCHEMA)


def sweep(families: dict[str, list[Policy]], grown: BatchResult) -> pl.DataFrame:
    """Return a row a policy of a sweep, in the order grown; equal trees have equal keys."""
    named = [(family, one) for family, some in families.items() for one in some]
    secrets = grown.profile.sum(axis=1)
    return pl.DataFrame(
        {
            "family": [family for family, _ in named],
            "policy": [one.name for _, one in named],
            "opening": [one.opening for _, one in named],
            "guess_pool": [one.guess_pool for _, one in named],
            "total_guesses": grown.totals,
            "mean_guesses": (grown.totals / secrets).round(6),
            "max_guesses": grown.maxima,
            "profile": [
                " ".join(map(str, solved[:most]))
                for solved, most in zip(grown.profile.tolist(), grown.maxima, strict=True)
            ],
            "tree": [f"{key:016x}" for key in grown.key.tolist()],
        }
    )


def write_strategies(frame: pl.DataFrame, table: str | Path, text: str | Path) -> None:
    """Write the table of strategies as parquet for the workflow, and as CSV for people."""
    with atomic_write(table) as draft:
        frame.write_parquet(draft)
    with atomic_write(text) as draft:
        frame.write_csv(draft)


def read_strategies(path: str | Path) -> pl.DataFrame:
    """Read the table of strategies; raise `DamagedFileError` where the file is not a whole one."""
    try:
        frame = pl.read_parquet(path)
    except (PolarsError, OSError) as why:
        raise DamagedFileError(path, why) from why
    if frame.schema != pl.Schema(SCHEMA):
        raise DamagedFileError(path, "its columns are not those of strategies")
    return frame


def strategy(frame: pl.DataFrame, tree: str, game: str = "mm-4-6") -> dict[str, int | float | str]:
    """Return the row of one tree; raise `CodebreakerError` where it was not grown."""
    rows = frame.filter(pl.col("game") == game, pl.col("tree") == tree)
    if rows.is_empty():
        raise CodebreakerError(
            f"the strategy {tree!r} of {game} was not grown: list it in the config under "
            f"strategies.{game}, an optimum under exact.games.{game}"
        )
    return rows.row(0, named=True)
