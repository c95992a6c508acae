"""Find trees of larger games within a limit of guesses, for resources/larger-games/within.csv.

Entropy grows a tree, and sets beyond the limit are played in another way: `within`.
"""

import os
import time
from typing import NamedTuple

import polars as pl
from recording import RESOURCES, check_tree

from codebreaker.files import write_frame
from codebreaker.games.registry import make_game
from codebreaker.policies.strategy import Strategy
from codebreaker.trees.grow import grow
from codebreaker_records.revise import within

FOLDER = RESOURCES / "larger-games"
TABLE = FOLDER / "within.csv"


class Limited(NamedTuple):
    """A game with its opening, a limit of guesses, and the policy of sets that are too deep."""

    game: str
    opening: str
    guess_limit: int
    policy: str


TREES = (Limited("mm-7-7", "1122334", 8, "expected-size"),)
"""Games in which entropy's tree takes more guesses than a published one."""


def main() -> None:
    """Find the trees and write the table."""
    rows = [_row(wanted) for wanted in TREES]
    write_frame(pl.DataFrame(rows, infer_schema_length=None), TABLE)


def _row(wanted: Limited) -> dict[str, object]:
    """Find a tree, check that it solves every secret, and return its row."""
    game = make_game(wanted.game, 0)
    threads = len(os.sched_getaffinity(0))
    started = time.process_time()
    grown = grow(game, Strategy("entropy", wanted.opening), threads)
    tree = within(game, grown, wanted.guess_limit, Strategy(wanted.policy))
    seconds = time.process_time() - started
    check_tree(game, tree)
    published = pl.read_csv(FOLDER / "published.csv").filter(
        pl.col("game") == wanted.game,
        pl.col("kind") == "tree",
        pl.col("max_guesses") <= wanted.guess_limit,
    )
    best = published.sort("guesses").row(0, named=True)
    return {
        "game": wanted.game,
        "opening": wanted.opening,
        "policies": f"entropy, {wanted.policy}",
        "total_guesses": tree.total_guesses,
        "mean_guesses": round(tree.total_guesses / game.n_secrets, 6),
        "max_guesses": tree.max_guesses,
        "profile": " ".join(map(str, tree.profile)),
        "cpu_seconds": round(seconds, 1),
        "entropy_total": grown.total_guesses,
        "entropy_max_guesses": grown.max_guesses,
        "published_total": best["total"],
        "published_max_guesses": best["max_guesses"],
        "published_by": best["source"],
    }


if __name__ == "__main__":
    main()
