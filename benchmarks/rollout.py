"""Measure what rollout gives and takes: MM(5,8) by the number of guesses compared.

Run `python benchmarks/rollout.py`, with widths to compare if they are to be others; it takes some
minutes, prints a table and writes it to `benchmarks/rollout.md`. Seconds are those of the
processor, which depend little on what else runs.
"""

import platform
import sys
import time
from pathlib import Path

import numba
from grow_trees import processor

from codebreaker.files import write_text
from codebreaker.games.model import Game
from codebreaker.games.registry import make_game
from codebreaker.policies.policy import Policy, make_policy
from codebreaker.rollout.rollout import roll_out
from codebreaker.rollout.settings import Rollout

GAME, POLICY, OPENING, ENDGAMES, EXACT = "mm-5-8", "stage-weighted-179273", "11223", 62, 20
WIDTHS, MOST_AHEAD = [1, 2, 4, 8], 4


def row(game: Game, base: Policy, width: int, ahead: int) -> str:
    """Return a line of the table."""
    started = time.process_time()
    tree = roll_out(game, Rollout(base, (width,), (ahead,), EXACT))
    seconds, total = time.process_time() - started, tree.total_guesses
    return (
        f"| {width} | {ahead} | {total:,} | {total / game.n_secrets:.4f} | {tree.max_guesses} "
        f"| {seconds:.0f} |"
    )


def main() -> None:
    """Measure, print and write the table."""
    game = make_game(GAME)
    base = make_policy(POLICY, opening=OPENING, endgames=ENDGAMES)
    small = make_game("mm-4-5", table_limit_mib=0.1)
    for ahead in (1, 2):  # compiles
        roll_out(small, Rollout(make_policy("entropy", endgames=16), (2,), (ahead,), 8))
    lines = [
        "# Rollout of MM(5,8), by the number of guesses compared",
        "",
        f"{processor()}, one thread; Python {platform.python_version()}, numba "
        f"{numba.__version__}; seconds of the processor after compilation. The policy is {POLICY} "
        f"from {OPENING}; sets of up to {ENDGAMES} candidates are played exactly, and those of up "
        f"to {EXACT} are valued exactly.",
        "",
        "| guesses compared | tried ahead | total | mean | max | seconds |",
        "| ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for width in [int(text) for text in sys.argv[1:]] or WIDTHS:
        lines += [row(game, base, width, ahead) for ahead in sorted({1, min(width, MOST_AHEAD)})]
        print(lines[-1], flush=True)
    write_text(Path(__file__).with_name("rollout.md"), "\n".join(lines))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
