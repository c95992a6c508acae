"""Measure the exact search, with a new memo for each game (`make bench`)."""

import time

from pages import machine, processor, publish

from codebreaker.games.registry import make_game
from codebreaker.search.solver import Solver

MEMO_MIB = 1024
CASES = (
    *(("mm-4-" + str(colours), "all", None) for colours in range(2, 9)),
    ("mm-4-6", "all", 5),
    ("mm-4-6", "all", 4),
    ("mm-4-6", "consistent", None),
    ("mm-3-10", "all", None),
    ("mm-5-4", "all", None),
    ("mm-5-5", "all", None),
    ("bc-4-10", "all", None),
    ("bc-5-7", "all", None),
)


def main() -> None:
    """Publish the measurements."""
    Solver(make_game("mm-4-5")).solve()
    rows = []
    for name, pool, guess_limit in CASES:
        game = make_game(name)
        began = time.process_time()
        solver = Solver(game, pool, guess_limit, MEMO_MIB)
        solution = solver.solve()
        seconds = time.process_time() - began
        total = str(solution.tree.total_guesses) if solution else "none"
        searched = solution.sets_searched if solution else 0
        limit = "" if guess_limit is None else str(guess_limit)
        rows.append(f"| {name} | {pool} | {limit} | {total} | {searched:,} | {seconds:.2f} |")
        print(rows[-1], flush=True)
    where = machine(f"{processor()}, one core")
    publish(
        "solve.md",
        "Solving games exactly",
        f"{where}; times after compilation. Each total is proven.",
        "| game | guesses from | guess limit | minimum total | sets searched | CPU seconds |",
        rows,
        texts=2,
    )


if __name__ == "__main__":
    main()
