"""Grow trees of larger games, for resources/larger-games/trees.csv (`make larger-games`).

A tree is grown once: what the table has is not grown again. `python tools/record_larger_trees.py
GAME ...` grows the trees of these games only. The subtrees after the opening are grown one by one,
largest first, on all cores that the process may use; their profiles are kept in build/, so a killed
run goes on after the last one.
"""

import os
import sys
import time
from typing import NamedTuple

import numpy as np
import polars as pl
from recording import RESOURCES, ROOT

from codebreaker.files import write_frame
from codebreaker.games.model import GameModel
from codebreaker.games.registry import make_game
from codebreaker.policies.strategy import Strategy
from codebreaker.search.endgames import endgames_of
from codebreaker.sets.partition import all_secrets, unsolved
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import grow

FOLDER = RESOURCES / "larger-games"
TABLE = FOLDER / "trees.csv"
SUBTREES = ROOT / "build" / "larger-games"
ENTROPY = "entropy"
COLUMNS = {
    "feedback": pl.String, "secrets": pl.Int64, "profile": pl.String, "cpu_seconds": pl.Float64,
}  # fmt: skip
"""The columns of the subtrees' tables in build/."""
MOST_GUESSES = 32
"""Length of the profiles that are added up."""


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
    Grown("mm-5-11", "11234", 12),
    Grown("mm-6-8", "112233", 0),
    Grown("mm-7-6", "1112233", 0),
    Grown("mm-8-5", "11122334", 0),
    Grown("mm-5-14", "12345", 12),
    Grown("mm-5-15", "12345", 12),
    Grown("mm-6-11", "112234", 0),
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
    game = make_game(wanted.game, 0)
    subtrees = _subtrees(game, wanted)
    profile = np.zeros(MOST_GUESSES, dtype=np.int64)
    profile[0] = int(wanted.opening in game.secrets)
    for row in subtrees.iter_rows(named=True):
        by_turn = _numbers(row["profile"])
        profile[1 : len(by_turn) + 1] += by_turn
    profile = np.trim_zeros(profile, "b")
    solved = int(profile.sum())
    if solved != game.n_secrets:
        sys.exit(f"error: the tree of {wanted.game} solves {solved:,} secrets")
    total = int(profile @ np.arange(1, len(profile) + 1))
    published = pl.read_csv(FOLDER / "published.csv").filter(
        pl.col("game") == wanted.game, pl.col("kind") == "tree"
    )
    best = published.sort("guesses").row(0, named=True)
    return {
        "game": wanted.game,
        "policy": ENTROPY,
        "opening": wanted.opening,
        "endgames": wanted.endgames,
        "total_guesses": total,
        "mean_guesses": round(total / solved, 6),
        "max_guesses": len(profile),
        "profile": " ".join(map(str, profile)),
        "cpu_seconds": round(subtrees["cpu_seconds"].sum(), 1),
        "published_total": best["total"],
        "published_max_guesses": best["max_guesses"],
        "published_by": best["source"],
    }


def _subtrees(game: GameModel, wanted: Grown) -> pl.DataFrame:
    """Return the subtrees after the opening, with the columns of `COLUMNS`.

    Profiles begin at turn 2. Subtrees that build/ has are not grown again.
    """
    path = SUBTREES / f"{wanted.game}-{wanted.opening}-{wanted.endgames}.csv"
    table = pl.DataFrame(schema=COLUMNS)
    if path.exists():
        table = pl.read_csv(path, schema=COLUMNS)
    known = set(table["feedback"])
    strategy = Strategy(ENTROPY, wanted.opening, endgames=wanted.endgames)
    endgames = endgames_of(game, strategy) if strategy.plays_exactly else None
    threads = len(os.sched_getaffinity(0))
    opening = game.guesses.index(wanted.opening)
    cells = unsolved(game, opening, all_secrets(game))
    for feedback in sorted(cells, key=lambda feedback: -len(cells[feedback])):
        label = game.feedback_labels[feedback]
        if label in known:
            continue
        members = cells[feedback]
        started = time.process_time()
        start = Frontier.of_set(members, 2, feedback)
        tree = grow(game, strategy, threads, start=start, endgames=endgames)
        row = {
            "feedback": label,
            "secrets": len(members),
            "profile": " ".join(map(str, tree.profile)),
            "cpu_seconds": round(time.process_time() - started, 1),
        }
        table = table.vstack(pl.DataFrame([row], schema=COLUMNS))
        path.parent.mkdir(parents=True, exist_ok=True)
        write_frame(table, path)
        print(
            f"{wanted.game} after {label}: {len(members):,} secrets in {row['cpu_seconds']:,} CPU "
            f"seconds; {table['secrets'].sum():,} of {game.n_secrets:,} done",
            flush=True,
        )
    return table


def _numbers(profile: str) -> list[int]:
    return [int(number) for number in profile.split()]


if __name__ == "__main__":
    main(sys.argv[1:])
