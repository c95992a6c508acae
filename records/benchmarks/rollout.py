"""Measure rollouts of MM(5,8), by the number of guesses compared.

`make bench-records` runs it in a quarter of an hour; arguments are widths. It also writes
`resources/best-known/rollouts.csv` for the report.
"""

import sys
import time
from pathlib import Path
from typing import Any

import polars as pl
from pages import machine, processor, publish

from codebreaker.files import write_frame
from codebreaker.games.model import GameModel
from codebreaker.games.registry import make_game
from codebreaker.policies.strategy import Strategy
from codebreaker_records.rollout import roll_out
from codebreaker_records.settings import Rollout

GAME = "mm-5-8"
POLICY = "stage-weighted-179273"
OPENING = "11223"
ENDGAMES = 62
EXACT = 20
TABLE = Path(__file__).parents[2] / "resources" / "best-known" / "rollouts.csv"
WIDTHS = [1, 2, 4, 8, 16, 32]
MOST_AHEAD = 4
TABLE_MIB = 2200


def row(game: GameModel, base: Strategy, width: int, ahead: int) -> dict[str, Any]:
    """Return a row of the table."""
    started = time.process_time()
    tree = roll_out(game, Rollout(base, (width,), (ahead,), EXACT))
    total = tree.total_guesses
    return {
        "game": GAME,
        "width": width,
        "ahead": ahead,
        "total": total,
        "mean": round(total / game.n_secrets, 4),
        "max": tree.max_guesses,
        "seconds": round(time.process_time() - started),
    }


def line(row: dict[str, Any]) -> str:
    """Return a row as Markdown."""
    return (
        f"| {row['width']} | {row['ahead']} | {row['total']:,} | {row['max']} | {row['seconds']} |"
    )


def main() -> None:
    """Publish the measurements."""
    game = make_game(GAME, TABLE_MIB)
    base = Strategy(POLICY, opening=OPENING, endgames=ENDGAMES)
    small = make_game("mm-4-5")
    for ahead in (1, 2):  # compiles
        roll_out(small, Rollout(Strategy("entropy", endgames=16), (2,), (ahead,), 8))
    where = machine(f"{processor()}, one thread")
    about = (
        f"{where}; times after compilation. The policy is {POLICY} from {OPENING}. Sets of up to "
        f"{ENDGAMES} candidates are played exactly, and sets of up to {EXACT} valued exactly."
    )
    head = "| guesses compared | guesses tried ahead | total | maximum | CPU seconds |"
    roll_out(game, Rollout(base, (1,), (1,), EXACT))  # the first run is slower
    rows = []
    for width in [int(text) for text in sys.argv[1:]] or WIDTHS:
        for ahead in (1, MOST_AHEAD) if width >= MOST_AHEAD else (1,):
            rows.append(row(game, base, width, ahead))
            print(line(rows[-1]), flush=True)
            write_frame(pl.DataFrame(rows).sort("ahead", "width"), TABLE)
    title = "Rollout of MM(5,8), by the number of guesses compared"
    publish("rollout.md", title, about, head, map(line, rows), texts=0)


if __name__ == "__main__":
    main()
