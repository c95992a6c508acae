"""Grow trees of larger games, for resources/larger-games/trees.csv (`make larger-games`).

A tree is grown once: what the table has is not grown again. `python tools/record_larger_trees.py
GAME ...` grows the trees of these games only.
"""

import sys
import time
from typing import NamedTuple

import polars as pl
from recording import RESOURCES

import codebreaker as cb
from codebreaker.files import write_frame

FOLDER = RESOURCES / "larger-games"
TABLE = FOLDER / "trees.csv"
ENTROPY = "entropy"


class Grown(NamedTuple):
    """A tree to grow by entropy: its opening, and the largest sets that are played optimally."""

    game: str
    opening: str
    endgames: int


TREES = (
    Grown("mm-5-12", "11234", 12),
    Grown("mm-5-13", "12345", 12),
    Grown("mm-6-9", "112234", 0),
    Grown("mm-6-10", "112234", 0),
    Grown("mm-7-7", "1122334", 0),
    Grown("mm-8-6", "11122334", 0),
    Grown("mm-7-8", "1122334", 0),
)
"""Each opening is that of the lowest published total."""


def main(names: list[str]) -> None:
    """Grow the trees that are missing, and write the table after each."""
    rows = pl.read_csv(TABLE).to_dicts() if TABLE.exists() else []
    for wanted in TREES:
        is_known = any(
            Grown(row["game"], row["opening"], row["endgames"]) == wanted for row in rows
        )
        if is_known or (names and wanted.game not in names):
            continue
        rows.append(_row(wanted))
        table = pl.DataFrame(rows, infer_schema_length=None)
        write_frame(table, TABLE)


def _row(wanted: Grown) -> dict[str, object]:
    """Grow a tree, check that it solves every secret, and return its row."""
    game = cb.game(wanted.game)
    started = time.process_time()
    tree = cb.grow(game, ENTROPY, opening=wanted.opening, endgames=wanted.endgames)
    seconds = time.process_time() - started
    solved = sum(tree.profile)
    if solved != len(game.secrets):
        sys.exit(f"error: the tree of {wanted.game} solves {solved:,} secrets")
    published = pl.read_csv(FOLDER / "published.csv").filter(
        pl.col("game") == wanted.game, pl.col("kind") == "tree"
    )
    best = published.sort("guesses").row(0, named=True)
    return {
        "game": wanted.game,
        "policy": ENTROPY,
        "opening": wanted.opening,
        "endgames": wanted.endgames,
        "total_guesses": tree.total,
        "mean_guesses": round(tree.total / solved, 6),
        "max_guesses": len(tree.profile),
        "profile": " ".join(map(str, tree.profile)),
        "cpu_seconds": round(seconds, 1),
        "published_total": round(best["guesses"] * solved),
        "published_max_guesses": best["max_guesses"],
        "published_by": best["source"],
    }


if __name__ == "__main__":
    main(sys.argv[1:])
