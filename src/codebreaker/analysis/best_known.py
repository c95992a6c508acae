"""The strategy with the fewest guesses that is known for a game, and how far it is from a bound."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import polars as pl

from codebreaker.trees.io import StrategyKey
from codebreaker.trees.tree import GameTree

EXACT = "exact search"
"""The method of trees that the exact search finds."""

SCHEMA = {
    "game": pl.String,
    "secrets": pl.Int64,
    "total": pl.Int64,
    "mean": pl.Float64,
    "max": pl.Int64,
    "opening": pl.String,
    "bound": pl.Int64,
    "gap": pl.Float64,
    "proven": pl.String,
    "method": pl.String,
    "seconds": pl.Float64,
    "tree": pl.String,
}


class Found(NamedTuple):
    """A tree, its key, how it was found, and the seconds that this took."""

    tree: GameTree
    key: StrategyKey
    method: str
    seconds: float | None


def best_known(found: Sequence[Found], bounds: Iterable[int]) -> pl.DataFrame:
    """Return the row of the best of a game's trees; `bounds` are proven lower bounds.

    It has the least total and, among these, the least maximum.
    """
    best = min(found, key=lambda one: (one.tree.total_guesses, one.tree.max_guesses))
    tree, key = best.tree, best.key
    total, secrets, bound = tree.total_guesses, int(tree.n_candidates[0]), max(bounds)
    row = {
        "game": key.game,
        "secrets": secrets,
        "total": total,
        "mean": round(total / secrets, 4),
        "max": tree.max_guesses,
        "opening": key.opening,
        "bound": bound,
        "gap": gap(total, bound),
        "proven": "yes" if total == bound else "no",
        "method": best.method,
        "seconds": None if best.seconds is None else round(best.seconds, 1),
        "tree": key.tree,
    }
    return pl.DataFrame([row], schema=SCHEMA)


def gap(total: int, bound: int) -> float:
    """Return what a total exceeds a bound by, in per cent of the bound."""
    return round(100 * (total / bound - 1), 2)
