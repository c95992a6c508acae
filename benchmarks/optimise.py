"""Measure how many individuals a second the search for stage weights evaluates.

Run `make bench`; it prints a table and writes it to `benchmarks/optimise.md`. A run is the paper's
preset at population 64 for 5,000 generations on MM(4,6); the second half is what counts, after the
first has filled the memo. With `--backend cuda` it measures the device instead.
"""

import argparse
import platform
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numba
from grow_trees import processor

from codebreaker.config import Preset
from codebreaker.criteria import criterion
from codebreaker.files import write_text
from codebreaker.games import make_game
from codebreaker.optimise.backend import choose_evaluator
from codebreaker.optimise.genetic import Params
from codebreaker.optimise.problem import Problem
from codebreaker.optimise.run import Task, run

GENERATIONS = 5000
MEMO_MIB = 512


def params() -> Params:
    """Return the paper's preset."""
    return Params(**Preset().model_dump())


def second_half(
    seed: int, threads: int, backend: str, generations: int
) -> tuple[float, float, int]:
    """Return individuals a second in the second half, the seconds of all, and the best total."""
    problem = Problem(make_game("mm-4-6"), criterion("entropy"), 6, "1123")
    evaluator = choose_evaluator(backend, problem, MEMO_MIB, threads, int(backend == "cuda"))
    with tempfile.TemporaryDirectory() as folder:
        warm = Task(problem, params(), 10**6, 2)
        run(warm, evaluator, Path(folder) / "warm.npz")
        task = Task(problem, params(), seed, generations)
        progress = run(task, evaluator, Path(folder) / "run.npz")
    half = progress.seconds[generations // 2 :]
    speed = len(half) * task.params.population / sum(half)
    return speed, sum(progress.seconds), progress.state.best_total


def main() -> None:
    """Measure, print and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backend", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--generations", type=int, default=GENERATIONS)
    options = parser.parse_args()
    rows = []
    for threads in (1,) if options.backend == "cuda" else (1, 2):
        speed, seconds, best = second_half(0, threads, options.backend, options.generations)
        rows.append(f"| one seed, {threads} threads | {speed:,.0f} | {seconds:.0f} | {best} |")
    if options.backend == "cpu":
        began = time.perf_counter()
        with ProcessPoolExecutor(2) as pool:
            jobs = [
                pool.submit(second_half, seed, 1, "cpu", options.generations) for seed in (0, 1)
            ]
            found = [job.result() for job in jobs]
        seconds = time.perf_counter() - began
        speed, best = sum(one[0] for one in found), min(one[2] for one in found)
        rows.append(
            f"| two seeds side by side, 1 thread each | {speed:,.0f} | {seconds:.0f} | {best} |"
        )
    lines = [
        f"# Searching stage weights of MM(4,6), {options.backend}",
        "",
        f"{processor()}, 2 cores; Python {platform.python_version()}, numba {numba.__version__}; "
        f"{options.generations} generations of 64 individuals, restarts included.",
        "",
        "| run | individuals/s, second half | seconds in all | best total |",
        "| --- | ---: | ---: | ---: |",
        *rows,
    ]
    name = "optimise.md" if options.backend == "cpu" else "optimise-cuda.md"
    write_text(Path(__file__).with_name(name), "\n".join(lines))
    print("\n".join(lines))


if __name__ == "__main__":
    started = time.perf_counter()
    main()
