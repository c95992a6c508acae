"""Measure how long optimal trees take to find, as the colours grow.

Run `make bench`; it prints a table and writes it to `benchmarks/solve.md`. One core, after
compilation, each game with a memo of its own.
"""

import platform
import time
from pathlib import Path

import numba
from grow_trees import processor

from codebreaker.exact.solver import Solver
from codebreaker.files import write_text
from codebreaker.games.registry import make_game

MEMO_MIB = 512
CASES = (
    *(("mm-4-" + str(colours), "all", None) for colours in range(2, 8)),
    ("mm-4-6", "all", 5),
    ("mm-4-6", "all", 4),
    ("mm-4-6", "consistent", None),
    ("mm-5-4", "all", None),
)


def main() -> None:
    """Measure, print and write the table."""
    Solver(make_game("mm-3-4")).solve()
    rows = []
    for name, pool, most in CASES:
        game = make_game(name)
        began = time.perf_counter()
        solver = Solver(game, pool, most, MEMO_MIB)
        found = solver.solve()
        seconds = time.perf_counter() - began
        total = str(found.tree.total_guesses) if found else "none"
        searched = found.sets_searched if found else 0
        limit = "" if most is None else str(most)
        rows.append(f"| {name} | {pool} | {limit} | {total} | {searched:,} | {seconds:.2f} |")
        print(rows[-1], flush=True)
    lines = [
        "# Solving games exactly",
        "",
        f"{processor()}, one core; Python {platform.python_version()}, numba {numba.__version__}; "
        "after compilation. Each total is proven.",
        "",
        "| game | guesses from | at most | least total | sets searched | seconds |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
        *rows,
    ]
    write_text(Path(__file__).with_name("solve.md"), "\n".join(lines))


if __name__ == "__main__":
    main()
