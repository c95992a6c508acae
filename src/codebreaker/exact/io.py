"""Prices of moves as a table."""

import polars as pl

from codebreaker.exact.prices import Prices
from codebreaker.trees.tree import GameTree


def prices_frame(name: str, tree: GameTree, prices: Prices) -> pl.DataFrame:
    """Return a row a node of a tree: its turn, least total, a guess that reaches it, the cost."""
    return pl.DataFrame(
        {"tree": [name] * len(tree.guess), "turn": tree.turn} | prices._asdict(),
        schema_overrides={"tree": pl.Categorical},
    )
