"""Measure individuals per second in the search for stage weights.

A run of `make bench` uses the paper's preset on MM(4,6); its second half is timed. `--backend cuda`
measures the device instead, also with the preset `large` on MM(5,8).
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import yaml
from pages import machine, processor, publish

from codebreaker.games.registry import make_game, rules_of
from codebreaker.optimise.backend import choose_engine
from codebreaker.optimise.fitness import Fitness
from codebreaker.optimise.problem import Problem, with_weights
from codebreaker.optimise.run import Task, evaluated, run_tasks
from codebreaker.optimise.settings import Params
from codebreaker.policies.families import criterion
from codebreaker.study.config import read_config

GENERATIONS = 5000
LARGE_GENERATIONS = 20
MEMO_MIB = 512
CONFIG = Path(__file__).parents[1] / "config" / "config.yaml"


def small() -> tuple[Problem, Params]:
    """Return stage weights of MM(4,6), with the paper's preset."""
    problem = Problem(make_game("mm-4-6"), (criterion("entropy"),), 6, "1123")
    return problem, Params()


def large() -> tuple[Problem, Params]:
    """Return stage weights of MM(5,8), with the preset `large`."""
    config = read_config(yaml.safe_load(CONFIG.read_text(encoding="utf-8")))
    problem = Problem(rules_of("mm-5-8").on_demand(), (criterion("entropy"),), 6, "11223")
    return problem, config.optimise.presets["large"]


def second_half(
    seeds: Sequence[int],
    threads: int,
    backend: str,
    generations: int,
    study: Callable[[], tuple[Problem, Params]] = small,
) -> tuple[float, float, int]:
    """Return individuals per second, seconds, and the best total."""
    problem, params = study()
    engine = choose_engine(backend, problem, MEMO_MIB, threads, int(backend == "cuda"))
    tasks = [Task(problem, params, seed, generations) for seed in seeds]
    warm = [Task(problem, params, 10**6 + seed, 2) for seed in seeds]
    with tempfile.TemporaryDirectory() as folder:
        run_tasks(warm, engine, [Path(folder) / f"warm-{seed}.npz" for seed in seeds])
        engine = choose_engine(backend, problem, MEMO_MIB, threads, int(backend == "cuda"))
        runs = run_tasks(tasks, engine, [Path(folder) / f"run-{seed}.npz" for seed in seeds])
    half = runs[0].seconds[generations // 2 :]
    speed = len(seeds) * len(half) * evaluated(params) / sum(half)
    return speed, sum(runs[0].seconds), min(run.state.best_total for run in runs)


def cpu_rows(generations: int) -> list[str]:
    """Measure one seed with one and two threads, then two seeds."""
    rows = []
    for threads, words in ((1, "1 thread"), (2, "2 threads")):
        speed, seconds, best = second_half((0,), threads, "cpu", generations)
        rows.append(f"| one seed, {words} | {speed:,.0f} | {seconds:.0f} | {best} |")
    began = time.perf_counter()
    with ProcessPoolExecutor(2) as pool:
        jobs = [pool.submit(second_half, (seed,), 1, "cpu", generations) for seed in (0, 1)]
        results = [job.result() for job in jobs]
    seconds = time.perf_counter() - began
    speed = sum(result[0] for result in results)
    best = min(result[2] for result in results)
    words = "two seeds side by side, 1 thread each"
    rows.append(f"| {words} | {speed:,.0f} | {seconds:.0f} | {best} |")
    for memo, before, n in ((MEMO_MIB, 4096, 4096), (4 * MEMO_MIB, 16384, 4096)):
        words = f"random, after {before:,}, memo of {memo:,} MiB"
        rows.append(f"| {words} | {never_seen(memo, before, n):,.0f} | | |")
    return rows


def never_seen(memo_mib: float, before: int, n: int) -> float:
    """Return random individuals per CPU second, after `before` others."""
    problem, params = small()
    evaluate = Fitness(problem, memo_mib)
    draw = np.random.default_rng(0)
    spent = 0.0
    shape = (params.population, problem.n_turns, problem.game.n_feedback)
    for i in range(0, before + n, params.population):
        individuals = with_weights(np.round(draw.uniform(0.001, 1, shape), 3))
        began = time.process_time()
        evaluate(individuals)
        spent += (i >= before) * (time.process_time() - began)
    return n / spent


def cuda_rows(generations: int) -> list[str]:
    """Measure both games by islands."""
    rows = []
    for game, study, n in (
        ("MM(4,6)", small, generations),
        ("MM(5,8)", large, min(LARGE_GENERATIONS, generations)),
    ):
        for islands in (1, 10, 40, 160):
            speed, seconds, best = second_half(
                range(islands), os.cpu_count() or 1, "cuda", n, study
            )
            rows.append(f"| {game}, {islands} islands | {speed:,.1f} | {seconds:.0f} | {best} |")
    return rows


def main() -> None:
    """Publish the measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backend", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--generations", type=int, default=GENERATIONS)
    options = parser.parse_args()
    size = f"{options.generations} generations of 64 individuals"
    if options.backend == "cuda":
        from codebreaker.optimise.cuda import device_name

        size += f", and {LARGE_GENERATIONS} of 6 in MM(5,8)"
        name = "optimise-cuda.md"
        where = machine(device_name())
        rows = cuda_rows(options.generations)
    else:
        name = "optimise.md"
        where = machine(f"{processor()}, 2 cores")
        rows = cpu_rows(options.generations)
    publish(
        name,
        f"Searching stage weights of MM(4,6), {options.backend}",
        f"{where}; {size}, restarts included. The elite and compilation don't count.",
        "| run | individuals/s, second half | seconds in all | best total |",
        rows,
    )


if __name__ == "__main__":
    main()
