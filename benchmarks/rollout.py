"""Measure what rollout takes and gives: MM(5,8) by the number of guesses compared.

Prints a Markdown table, with processor seconds, which do not depend on what else runs.
`python benchmarks/rollout.py [WIDTH ...]` takes some minutes.
"""

import sys
import time

from codebreaker.games.registry import make_game
from codebreaker.policies.policy import make_policy
from codebreaker.rollout.rollout import roll_out
from codebreaker.rollout.settings import Rollout

GAME, POLICY, OPENING, ENDGAMES, EXACT = "mm-5-8", "stage-weighted-179273", "11223", 62, 20


def main() -> None:
    """Print the table."""
    game = make_game(GAME)
    base = make_policy(POLICY, opening=OPENING, endgames=ENDGAMES)
    small = make_game("mm-4-5", table_limit_mib=0.1)
    for ahead in (1, 2):  # compiles
        roll_out(small, Rollout(make_policy("entropy", endgames=16), (2,), (ahead,), 8))
    print("| compared | tried ahead | total | mean | max | processor seconds |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for width in [int(text) for text in sys.argv[1:]] or [1, 2, 4, 8]:
        for ahead in sorted({1, min(width, 4)}):
            started = time.process_time()
            tree = roll_out(game, Rollout(base, (width,), (ahead,), EXACT))
            seconds = time.process_time() - started
            total = tree.total_guesses
            print(
                f"| {width} | {ahead} | {total:,} | {total / game.n_secrets:.4f} | "
                f"{tree.max_guesses} | {seconds:.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
