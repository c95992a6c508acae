"""Metrics of strategies, and the cost of growing a tree."""

import resource
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from codebreaker.constants import PAPERS_GAME
from codebreaker.errors import CodebreakerError
from codebreaker.files import read_frame, write_frame
from codebreaker.games.model import CodeGame, GameModel
from codebreaker.policies.strategy import Strategy
from codebreaker.trees.grow import grow, guesses_by_secret
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


def profile_statistics(profile: Sequence[int]) -> dict[str, int | float | str]:
    """Return population statistics of a profile, the number of secrets solved at each turn."""
    solved = np.asarray(profile, dtype=np.int64)
    turns = np.arange(1, len(solved) + 1)
    secrets = int(solved.sum())
    total = int(solved @ turns)
    variance = float(solved @ (turns - total / secrets) ** 2) / secrets
    return {
        "secrets": secrets,
        "total_guesses": total,
        "mean_guesses": round(total / secrets, 6),
        "max_guesses": len(solved),
        "std_guesses": round(variance**0.5, 6),
        "profile": " ".join(map(str, solved)),
    }


def strategies(
    trees: Iterable[tuple[GameTree, Strategy]], priors: Iterable[GameModel] = ()
) -> pl.DataFrame:
    """Return one row per tree, in the order given; means are weighted in games with `priors`."""
    games = {game.name: game for game in priors}
    rows = []
    for tree, key in trees:
        row = key.row | profile_statistics(tree.profile.tolist())
        rows.append(row | (_by_probability(games[key.game], tree) if key.game in games else {}))
    return pl.DataFrame(rows, schema=SCHEMA)


def _by_probability(game: GameModel, tree: GameTree) -> dict[str, int | float | str]:
    profile = np.bincount(guesses_by_secret(game, tree), game.prior)[1:]
    statistics = profile_statistics(profile.astype(np.int64).tolist())
    return {name: statistics[name] for name in ("mean_guesses", "std_guesses")}


def write_strategies(frame: pl.DataFrame, table: str | Path, text: str | Path) -> None:
    """Write the table as parquet for the workflow, and as CSV for people."""
    write_frame(frame, table)
    write_frame(frame, text)


def read_strategies(path: str | Path) -> pl.DataFrame:
    """Read the table of strategies, or raise `DamagedFileError`."""
    return read_frame(path, SCHEMA)


DEFAULTS = {"endgames": 0, "exact_from": None, "guess_limit": None, "rounds": None}


def strategy(
    frame: pl.DataFrame, policy: str, opening: str | None = None, **wanted: str | int
) -> dict[str, Any]:
    """Return a strategy's row for MM(4,6), or raise `CodebreakerError` if it wasn't grown."""
    own = {"game": PAPERS_GAME, "policy": policy, "forced": opening is not None, **DEFAULTS}
    values = own | wanted | ({} if opening is None else {"opening": opening})
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


MAXRSS_UNIT = 1 if sys.platform == "darwin" else 2**10
"""Bytes per unit of `ru_maxrss`: KiB on Linux, bytes on macOS."""


def measure(game: CodeGame, policy: Strategy, threads: int) -> dict[str, Any]:
    """Grow a tree; return statistics, seconds (compilation included) and peak MiB."""
    started = time.perf_counter()
    tree = grow(game, policy, threads)
    seconds = time.perf_counter() - started
    statistics = profile_statistics(tree.profile.tolist())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * MAXRSS_UNIT / 2**20
    return {
        "game": game.name,
        "codes": game.n_secrets,
        "policy": policy.slug,
        "threads": threads,
        "seconds": round(seconds, 3),
        "peak_mib": round(peak),
        "nodes": len(tree.guess),
        **{name: statistics[name] for name in ("total_guesses", "mean_guesses", "max_guesses")},
    }
