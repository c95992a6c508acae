"""Best known strategies."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import polars as pl

from codebreaker.policies.strategy import Strategy
from codebreaker.proven import is_proven
from codebreaker.trees.tree import GameTree

EXACT = "exact search"

BEST_KNOWN_SCHEMA = {
    "game": pl.String, "secrets": pl.Int64, "total": pl.Int64, "mean": pl.Float64, "max": pl.Int64,
    "at_max": pl.Int64, "opening": pl.String, "bound": pl.Int64, "gap": pl.Float64,
    "proven": pl.String, "method": pl.String, "seconds": pl.Float64, "tree": pl.String,
}  # fmt: skip


class KnownTree(NamedTuple):
    """A tree, its strategy, the method that found it, and its seconds."""

    tree: GameTree
    strategy: Strategy
    method: str
    seconds: float | None


def order_of(tree: GameTree) -> tuple[int, int, int]:
    """Return what trees are compared by: total, maximum, and secrets at the maximum."""
    return tree.total_guesses, tree.max_guesses, int(tree.profile[-1])


def best_known(trees: Sequence[KnownTree], bounds: Iterable[int]) -> pl.DataFrame:
    """Return the row of the best tree by `order_of`; `bounds` are proven."""
    best = min(trees, key=lambda known: order_of(known.tree))
    tree = best.tree
    strategy = best.strategy
    total = tree.total_guesses
    secrets = int(tree.n_candidates[0])
    bound = max(bounds)
    row = {
        "game": strategy.game,
        "secrets": secrets,
        "total": total,
        "mean": round(total / secrets, 4),
        "max": tree.max_guesses,
        "at_max": int(tree.profile[-1]),
        "opening": strategy.opening,
        "bound": bound,
        "gap": gap(total, bound),
        "proven": "yes" if is_proven(total, bound) else "no",
        "method": best.method,
        "seconds": None if best.seconds is None else round(best.seconds, 1),
        "tree": strategy.tree,
    }
    return pl.DataFrame([row], schema=BEST_KNOWN_SCHEMA)


def gap(total: int, bound: int) -> float:
    """Return the optimality gap in per cent of a lower bound."""
    return round(100 * (total / bound - 1), 2)
