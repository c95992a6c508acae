"""The table of exact optima."""

from collections.abc import Iterable
from typing import Any

import polars as pl

from codebreaker.report.tables import markdown

NOTE = """A total is over all secrets of the game. *Most* is the deepest guess of the tree that was
found; a tree with the objective maximum has the fewest that are enough, proven, and then the least
total. *Bound* is proven: no tree takes fewer guesses. Each tree was played against every secret by
a program that shares no code with the search (`results/exact/checked.csv`)."""


def optima(certificates: Iterable[dict[str, Any]]) -> pl.DataFrame:
    """Return a row a certificate."""
    return pl.DataFrame(
        [
            {
                "game": told["game"],
                "guesses from": told["guess_pool"],
                "objective": told["objective"],
                "secrets": told["secrets"],
                "opening": told["tree"]["guess"],
                "total": told["total_guesses"],
                "mean": round(told["total_guesses"] / told["secrets"], 4),
                "most": told["maximum"],
                "bound": told["bound"],
                "proven": "yes" if told["proven"] else "no",
                "sets searched": told["sets_searched"],
            }
            for told in certificates
        ]
    )


def to_markdown(table: pl.DataFrame) -> str:
    """Return the table for people to read."""
    return f"# Exact optima\n\n{markdown.frame_table(table)}\n\n{NOTE}"
