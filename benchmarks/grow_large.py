"""Measure the growth of trees in games without a table (`make bench`; `--backend cuda`)."""

import argparse
import resource
import statistics
import time

import numpy as np
from pages import processor, publish

from codebreaker.games.model import CodeGame
from codebreaker.games.registry import rules_of
from codebreaker.policies.strategy import Strategy
from codebreaker.sets import codes
from codebreaker.sets.codes import TILE, grid_of
from codebreaker.trees.grow import grow
from codebreaker.trees.tree import GameTree

ROUNDS = 5
CRITERIA = ("first-consistent", "worst-case", "expected-size", "entropy", "most-parts")


def timed(game: CodeGame, strategy: Strategy, threads: int, backend: str) -> tuple[GameTree, float]:
    """Return a tree and its median seconds."""
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        tree = grow(game, strategy, threads, backend)
        times.append(time.perf_counter() - started)
    return tree, statistics.median(times)


def pair_ns(game: CodeGame) -> float:
    """Return the nanoseconds per guess and secret, for feedback and counting."""
    grid = grid_of(game)
    pool = np.arange(game.n_guesses, dtype=np.int32)
    planes = codes.unfold(grid, pool)
    tile = codes.make_tile(grid)
    members = pool[::64].copy()
    times = []
    for _ in range(ROUNDS + 1):
        started = time.perf_counter()
        for start in range(0, game.n_guesses, TILE):
            codes.count_tile(grid, planes, members, start, tile)
        times.append(time.perf_counter() - started)
    return 1e9 * statistics.median(times[1:]) / len(members) / game.n_guesses


def main() -> None:
    """Publish the measurements."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", choices=["cpu", "cuda"], default="cpu")
    backend = parser.parse_args().backend
    small = rules_of("mm-3-4").on_demand()
    game = rules_of("mm-5-8").on_demand()
    rows = []
    after = []
    where = processor()
    head = "one core, s | two cores, s"
    page = "grow_large.md"
    if backend == "cuda":
        from codebreaker.optimise.cuda import device_name

        where = device_name()
        head = "s"
        page = "grow_large-cuda.md"
    for name in CRITERIA:
        strategy = Strategy(name)
        grow(small, strategy, 2, backend)
        tree, seconds = timed(game, strategy, 1, backend)
        cells = [f"{seconds:.3f}"]
        if backend == "cpu":
            cells.append(f"{timed(game, strategy, 2, backend)[1]:.3f}")
        rows.append(f"| {name} | {tree.total_guesses} | {' | '.join(cells)} |")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    if backend == "cpu":
        speed = f"{pair_ns(game):.2f} ns per guess and secret"
        after.append(f"Feedback and counting take {speed} on one core.")
    publish(
        page,
        "Growing trees of MM(5,8) without a table",
        f"{where}; median of {ROUNDS}, after compilation.",
        f"| policy | total guesses | {head} |",
        rows,
        *after,
        f"Peak memory of the process is {peak:.0f} MiB, including all libraries.",
    )


if __name__ == "__main__":
    main()
