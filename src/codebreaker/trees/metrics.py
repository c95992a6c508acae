"""The table of strategies, a row of figures for each tree: its files, and the look-up of a row."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from codebreaker.constants import PAPERS_GAME
from codebreaker.errors import CodebreakerError
from codebreaker.files import read_frame, write_frame
from codebreaker.games.model import GameModel
from codebreaker.policies.strategy import Strategy
from codebreaker.trees.io import read_tree
from codebreaker.trees.profiles import profile_statistics
from codebreaker.trees.tree import GameTree
from codebreaker.types import TieBreak

SCHEMA: dict[str, type[pl.DataType]] = {
    "game": pl.String, "policy": pl.String, "opening": pl.String, "forced": pl.Boolean,
    "guess_pool": pl.String, "tie_break": pl.String, "endgames": pl.Int64, "exact_from": pl.Int64,
    "guess_limit": pl.Int64, "rounds": pl.Int64, "secrets": pl.Int64, "total_guesses": pl.Int64,
    "mean_guesses": pl.Float64, "max_guesses": pl.Int64, "std_guesses": pl.Float64,
    "profile": pl.String, "tree": pl.String,
}  # fmt: skip

USUAL_TIES: TieBreak = "consistent then lexicographic"
"""The tie-break of a row that is looked up without one."""


def strategies(
    trees: Iterable[tuple[GameTree, Strategy]], priors: Iterable[GameModel] = ()
) -> pl.DataFrame:
    """Return one row per tree, in the order given; means are weighted in games with `priors`."""
    games = {game.name: game for game in priors}
    rows = []
    for tree, strategy in trees:
        row = strategy.row | profile_statistics(tree.profile.tolist())
        if strategy.game in games:
            row |= _by_probability(games[strategy.game], tree)
        rows.append(row)
    return pl.DataFrame(rows, schema=SCHEMA)


def strategies_of_files(paths: Iterable[str | Path]) -> pl.DataFrame:
    """Return one row per file of a tree, in the order given, of games without a prior."""
    return strategies(map(read_tree, paths))


def _by_probability(game: GameModel, tree: GameTree) -> dict[str, int | float | str]:
    """Return a tree's mean and standard deviation of guesses by the game's prior."""
    # Compiled code takes 0.3 CPU seconds to import, which jobs that only tabulate don't need.
    from codebreaker.trees.grow import guesses_by_secret

    guesses = guesses_by_secret(game, tree)
    profile = np.zeros(guesses.max(), dtype=np.int64)
    weights = 1 if game.prior is None else game.prior  # without one, all secrets are equally likely
    np.add.at(profile, guesses - 1, weights)  # `bincount` would add floats
    statistics = profile_statistics(profile.tolist())
    return {name: statistics[name] for name in ("mean_guesses", "std_guesses")}


def write_strategies(frame: pl.DataFrame, table: str | Path, text: str | Path) -> None:
    """Write the table as parquet for the workflow, and as CSV for people."""
    write_frame(frame, table)
    write_frame(frame, text)


def read_strategies(path: str | Path) -> pl.DataFrame:
    """Read the table of strategies, or raise `DamagedFileError`."""
    return read_frame(path, SCHEMA)


DEFAULTS: dict[str, str | int | None] = {
    "endgames": 0,
    "exact_from": None,
    "guess_limit": None,
    "rounds": None,
}
"""Other columns of a row that is looked up: no part of the strategy is played exactly."""


def row_of_strategy(
    frame: pl.DataFrame, policy: str, opening: str | None = None, **wanted: str | int
) -> dict[str, Any]:
    """Return a strategy's row for MM(4,6), or raise `CodebreakerError` if it wasn't grown.

    `wanted` are values of other columns. Without a guess pool or tie-break among them, a row with
    the usual one goes before others.
    """
    values: dict[str, str | int | None] = {
        "game": PAPERS_GAME,
        "policy": policy,
        "forced": opening is not None,
        **DEFAULTS,
        **wanted,
    }
    if opening is not None:
        values["opening"] = opening
    rows = frame.filter(pl.col(name).eq_missing(value) for name, value in values.items())
    for column, usual in (("guess_pool", "all"), ("tie_break", USUAL_TIES)):
        if column not in wanted and rows[column].n_unique() > 1:
            rows = rows.filter(pl.col(column) == usual)
    if rows.is_empty():
        description = ", ".join(f"{name} {value}" for name, value in values.items() if value)
        raise CodebreakerError(
            f"no tree was grown of the strategy with {description}", "strategies"
        )
    return rows.row(0, named=True)
