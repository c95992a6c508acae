"""Check the CUDA backend on a device against the CPU, then measure it.

`make device-check` runs it. It needs NumPy, Numba and numba-cuda, none of our other requirements,
so that it also runs where nothing can be installed. It writes to `benchmarks/device/`, and exits
with 1 if anything differs.
"""

import argparse
import json
import os
import platform
import re
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # noqa: NPY201 (NumPy 2.5 lacks what numba-cuda 0.30 needs)

from numba import cuda

from codebreaker.files import DATA, write_text
from codebreaker.games.registry import make_game, rules_of
from codebreaker.optimise import cuda as engine
from codebreaker.optimise import genetic
from codebreaker.optimise.backend import choose_engine
from codebreaker.optimise.cuda import CudaFitness, device_name
from codebreaker.optimise.fitness import Evaluator, Fitness, FitnessOnDemand
from codebreaker.optimise.kernels.fitness import Phenotypes
from codebreaker.optimise.problem import Problem, with_weights
from codebreaker.optimise.run import Engine, HostEngine, Run, Task, evaluated, run_tasks
from codebreaker.optimise.settings import Params
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.families import criterion
from codebreaker.policies.strategy import Strategy
from codebreaker.trees.grow import grow
from codebreaker.trees.tree import GameTree

FOLDER = Path(__file__).parent / "device"
PACKAGES = ("numpy", "numba", "numba-cuda", "codebreaker-mastermind")
ENTROPY = (criterion("entropy"),)

GENETIC = Params()
"""Gür's population and elite, and our other settings."""


@dataclass(frozen=True)
class Size:
    """What is checked and measured."""

    table: str = "mm-4-6"
    opening: str = "1123"
    large: str = "mm-5-8"
    large_opening: str = "11223"
    larger: str = "mm-6-9"
    turns: int = 6
    individuals: int = 64
    population: int = 64
    islands: int = 4
    generations: int = 20
    restarting_generations: int = 640
    restart_after: int = 60
    forest: int = 8
    seeds: int = 10
    many_seeds: int = 64
    short: int = 4_096
    large_population: int = 6
    measured: int = 50_000
    repeats: int = 3


TINY = Size(
    "mm-2-3", "12", "mm-2-3", "12", "mm-2-2", turns=2, individuals=2, population=4, islands=2,
    generations=4, restarting_generations=6, restart_after=2, forest=2, seeds=2, many_seeds=2,
    short=64, large_population=2, measured=3, repeats=1,
)  # fmt: skip
"""For an interpreter."""

Row = dict[str, Any]


def checks(size: Size) -> Iterator[tuple[str, Callable[[], str]]]:
    """Yield named comparisons, which return what was equal, or raise."""
    small = rules_of(size.table).on_demand()
    large = rules_of(size.large).on_demand()
    for name in CRITERIA:
        yield (f"{size.table}: tree by {name}", lambda name=name: same_trees(small, Strategy(name)))
    for kind in ("random", "near published weights"):
        yield f"{size.table}: totals of individuals, {kind}", lambda kind=kind: totals(size, kind)
    yield f"{size.table}: islands, stopped and resumed", lambda: islands(size)
    yield f"{size.table}: islands that restart", lambda: restarting_islands(size)
    opening = size.large_opening
    yield (
        f"{size.large}: tree by entropy",
        lambda: same_trees(large, Strategy("entropy", opening)),
    )
    if size.large == "mm-5-8":
        weighted = Strategy("stage-weighted-179273", opening)
        yield f"{size.large}: tree by weights", lambda: same_trees(large, weighted)
    yield f"{size.large}: a forest", lambda: forest(size)


def same_trees(game: Any, strategy: Strategy) -> str:
    """Compare a policy's trees without a table."""
    expected = grow(game, strategy)
    on_device = grow(game, strategy, backend="cuda")
    for name, values in vars(expected).items():
        if not np.array_equal(values, getattr(on_device, name)):
            raise AssertionError(f"{name} differs: {on_device.total_guesses} for {told(expected)}")
    return told(expected)


def told(tree: GameTree) -> str:
    """Return a tree's figures as text."""
    return f"{tree.total_guesses:,} guesses, at most {tree.max_guesses}"


def drawn(problem: Problem, n: int, kind: str) -> Phenotypes:
    """Return random individuals, or some near Gür's weights."""
    draw = np.random.default_rng(7)
    n_feedback = problem.game.n_feedback
    weights = draw.uniform(0.1, 1, (n, problem.n_turns, n_feedback))
    if kind != "random" and problem.game.name == "mm-4-6":
        # Read without pydantic.
        text = (DATA / "weights" / "gur-2025-stage.json").read_text(encoding="utf-8")
        published = np.array(json.loads(text)["weights"])[: problem.n_turns]
        weights = np.clip(published + (weights - 0.55) / 9, 0.1, 1).round(3)
    return with_weights(weights)


def totals(size: Size, kind: str) -> str:
    """Compare totals, with large and small memos."""
    problem = Problem(make_game(size.table), ENTROPY, size.turns, size.opening)
    individuals = drawn(problem, size.individuals, kind)
    devices = {f"{mib} MiB": partial(CudaFitness, problem, mib, 0) for mib in (64, 1)}
    return same_totals(individuals, Fitness(problem, 64), devices)


def same_totals(
    individuals: Phenotypes, host: Evaluator, devices: dict[str, Callable[[], Any]]
) -> str:
    """Compare totals, with an empty memo, a filled one and a cache."""
    expected = host(individuals).tolist()
    for name, device in devices.items():
        on_device = device()
        for time_of_asking in range(2 * engine.LEARN_EVERY + 1):
            totals_on_device = on_device(individuals).tolist()
            if totals_on_device != expected:
                wrong = sum(a != b for a, b in zip(totals_on_device, expected, strict=True))
                raise AssertionError(f"{wrong} totals differ, {name}, evaluation {time_of_asking}")
    return f"{len(expected)} totals from {min(expected):,} to {max(expected):,}"


def islands(size: Size) -> str:
    """Compare runs of several seeds."""
    problem = Problem(make_game(size.table), ENTROPY, size.turns, size.opening)
    params = replace(GENETIC, population=size.population, elite=size.population // 4)
    tasks = [Task(problem, params, seed, size.generations) for seed in range(size.islands)]
    host = HostEngine(Fitness(problem, 64))
    return same_runs(tasks, host, lambda: engine.CudaEngine(CudaFitness(problem, 64)))


def restarting_islands(size: Size) -> str:
    """Compare long runs of two seeds, on the engine that a study chooses.

    Meanwhile the memo is extended, the cache's references are renewed, and the populations restart.
    """
    problem = Problem(make_game(size.table), ENTROPY, size.turns, size.opening)
    params = replace(
        GENETIC,
        population=size.population,
        elite=size.population // 4,
        restart_after=size.restart_after,
    )
    tasks = [Task(problem, params, seed, size.restarting_generations) for seed in range(2)]
    expected = run_all(tasks, HostEngine(Fitness(problem, 64)))
    if min(run.state.restarts for run in expected) < 1:
        raise AssertionError("no restart came")
    on_device = run_all(tasks, choose_engine("cuda", problem, 64, threads=1, gpus=1))
    require_equal_runs(expected, on_device)
    restarts = [run.state.restarts for run in expected]
    return f"best totals {[run.state.best_total for run in expected]} after {restarts} restarts"


def same_runs(tasks: list[Task], host: Engine, device: Callable[[], Engine]) -> str:
    """Compare runs, also stopped and resumed."""
    half = [replace(task, generations=task.generations // 2) for task in tasks]
    expected = run_all(tasks, host)
    for stops in (False, True):
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / f"{task.seed}.npz" for task in tasks]
            if stops:
                run_tasks(half, device(), paths)
            runs = run_tasks(tasks, device(), paths)
        require_equal_runs(expected, runs)
    return f"best totals {[run.state.best_total for run in expected]}"


def require_equal_runs(expected: list[Run], on_device: list[Run]) -> None:
    """Raise `AssertionError` if a run differs in its state or history."""
    for host_run, device_run in zip(expected, on_device, strict=True):
        for name, value in vars(host_run.state).items():
            if not np.array_equal(value, getattr(device_run.state, name)):
                raise AssertionError(f"seed {host_run.state.seed}: {name} differs")
        if host_run.history != device_run.history:
            raise AssertionError(f"seed {host_run.state.seed}: the histories differ")


def forest(size: Size) -> str:
    """Compare totals of individuals without a table."""
    problem = Problem(rules_of(size.large).on_demand(), ENTROPY, size.turns, size.large_opening)
    individuals = drawn(problem, size.forest, "random")
    host = FitnessOnDemand(problem, 64, os.cpu_count() or 1)
    device = partial(FitnessOnDemand, problem, 64, 1, "cuda")
    return same_totals(individuals, host, {"without a table": device})


def run_all(tasks: list[Task], engine: Engine) -> list[Run]:
    """Run tasks from the start."""
    with tempfile.TemporaryDirectory() as folder:
        return run_tasks(tasks, engine, [Path(folder) / f"{task.seed}.npz" for task in tasks])


def measurements(size: Size, deadline: float) -> Iterator[tuple[str, str, Callable[[], float]]]:
    """Yield works, units and measurements; the longest is last and ends at the deadline."""
    problem = Problem(make_game(size.table), ENTROPY, size.turns, size.opening)
    individuals = drawn(problem, size.seeds * size.population, "random")
    yield (
        f"weights by turn of {size.table}, {size.seeds} x {size.population} random individuals",
        "individuals/s",
        lambda: len(individuals.weights) / best_of(size, evaluation(problem, individuals)),
    )
    few = drawn(problem, size.population, "random")
    yield (
        f"the same, {size.population} individuals, as a ratio to 64 in 250 ms",
        "ratio",
        lambda: size.population / best_of(size, evaluation(problem, few)) / (64 / 0.25),
    )
    params = replace(GENETIC, population=size.population, elite=size.population * 10 // 64)
    for seeds in (size.seeds, size.many_seeds):
        short = [Task(problem, params, seed, size.short) for seed in range(seeds)]
        yield (
            f"{seeds} seeds, the second half of {size.short:,} generations of {size.table}",
            "individuals/s",
            lambda short=short: speed_of(short, problem),
        )
    for name, unit, scale in ((size.large, "ms", 1e3), (size.larger, "s", 1.0)):
        game = rules_of(name).on_demand()
        yield (
            f"entropy tree of {name}",
            unit,
            lambda game=game, scale=scale: (
                best_of(size, lambda: grow(game, Strategy("entropy"), backend="cuda")) * scale
            ),
        )
    wide = Problem(rules_of(size.large).on_demand(), ENTROPY, size.turns, size.large_opening)
    trees = drawn(wide, size.seeds * size.large_population, "random")
    yield (
        f"a generation of {size.large}, {size.seeds} x {size.large_population} individuals",
        "s",
        lambda: best_of(size, lambda: FitnessOnDemand(wide, 512, 1, "cuda")(trees)),
    )
    tasks = [Task(problem, params, seed, size.measured) for seed in range(size.seeds)]
    yield (
        f"{size.seeds} seeds x {size.measured:,} generations of {size.table}",
        "s",
        lambda: seconds_until(tasks, problem, deadline),
    )


def speed_of(tasks: list[Task], problem: Problem) -> float:
    """Return the individuals evaluated per second in the second half of runs."""
    runs = [Run(genetic.init(task.seed, problem.n_genes, task.params)) for task in tasks]
    on_device = engine.CudaEngine(CudaFitness(problem, 512))
    n = tasks[0].generations
    while runs[0].state.generation < n // 2:
        on_device.advance(tasks, runs)
    began = time.perf_counter()
    first = runs[0].state.generation
    while runs[0].state.generation < n:
        on_device.advance(tasks, runs)
    individuals = len(tasks) * evaluated(tasks[0].params) * (n - first)
    return individuals / (time.perf_counter() - began)


def seconds_until(tasks: list[Task], problem: Problem, deadline: float) -> float:
    """Return the seconds of runs; raise `TimeoutError` at the deadline."""
    runs = [Run(genetic.init(task.seed, problem.n_genes, task.params)) for task in tasks]
    on_device = engine.CudaEngine(CudaFitness(problem, 512))
    began = time.perf_counter()
    while (generation := runs[0].state.generation) < tasks[0].generations:
        if time.perf_counter() > deadline:
            seconds = time.perf_counter() - began
            raise TimeoutError(f"stopped at generation {generation:,} after {seconds:.1f} s")
        on_device.advance(tasks, runs)
    return time.perf_counter() - began


def evaluation(problem: Problem, individuals: Phenotypes) -> Callable[[], Any]:
    """Return the evaluation of individuals with a filled memo."""
    on_device = CudaFitness(problem, 512, patience=0)
    before = -1
    while on_device.n_sets > before:
        before = on_device.n_sets
        for _ in range(2 * engine.LEARN_EVERY + 1):
            on_device(individuals)
    return lambda: on_device(individuals)


def best_of(size: Size, action: Callable[[], Any]) -> float:
    """Return the minimum seconds, without compilation."""
    action()
    return min(seconds_of(action) for _ in range(size.repeats))


def seconds_of(action: Callable[[], Any]) -> float:
    """Return an action's seconds."""
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


def main(arguments: list[str] | None = None) -> None:
    """Check, measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where to write")
    parser.add_argument("--limit", type=float, default=400, help="seconds until no more is begun")
    parser.add_argument("--tiny", action="store_true", help="take tiny games")
    options = parser.parse_args(arguments)
    if not cuda.is_available():
        sys.exit("error: there is no CUDA device with a driver: run this where there is one")
    size = TINY if options.tiny else Size()
    name = device_name()
    began = time.perf_counter()
    report: Row = {
        "device": name,
        "python": platform.python_version(),
        **{package: found_version(package) for package in PACKAGES},
        "checks": [],
        "measurements": [],
    }
    for what, check in checks(size):
        report["checks"].append(tried(what, check, began, options.limit))
        save(report, options.folder)
    for what, unit, measure in measurements(size, began + options.limit):
        row = tried(what, measure, began, options.limit)
        report["measurements"].append(row | {"unit": unit})
        save(report, options.folder)
    print(save(report, options.folder).read_text(encoding="utf-8"))
    rows = report["checks"] + report["measurements"]
    sys.exit(any(row["outcome"] == "failed" for row in rows))


def tried(what: str, action: Callable[[], Any], began: float, limit: float) -> Row:
    """Return an action's outcome; errors are recorded, not raised."""
    if time.perf_counter() - began > limit:
        return {"what": what, "outcome": "left out", "found": "no time was left", "seconds": 0.0}
    started = time.perf_counter()
    try:
        outcome = "done"
        result = action()
    except TimeoutError as why:
        outcome = "left out"
        result = str(why)
    except Exception as why:
        traceback.print_exc()
        outcome = "failed"
        result = f"{type(why).__name__}: {why}"
    seconds = round(time.perf_counter() - started, 2)
    print(f"{what}: {outcome}, {result}, {seconds} s", flush=True)
    return {"what": what, "outcome": outcome, "found": result, "seconds": seconds}


def found_version(package: str) -> str:
    """Return a package's version, if any."""
    try:
        return version(package)
    except ModuleNotFoundError:
        return "not installed"


def save(report: Row, folder: Path) -> Path:
    """Write the results so far; return the table's path."""
    stem = re.sub(r"[^a-z0-9]+", "-", report["device"].lower()).strip("-")
    write_text(folder / f"{stem}.json", json.dumps(report, indent=1))
    versions = ", ".join(f"{name} {report[name]}" for name in ("python", *PACKAGES))
    lines = [f"# {report['device']}", "", versions, "", "| check | outcome | found | seconds |"]
    lines += ["| --- | --- | --- | ---: |"]
    lines += [
        "| {what} | {outcome} | {found} | {seconds} |".format(**row) for row in report["checks"]
    ]
    lines += ["", "| work | figure | unit |", "| --- | ---: | --- |"]
    for row in report["measurements"]:
        figure = row["found"]
        if isinstance(figure, float):
            figure = f"{figure:,.0f}" if figure >= 100 else f"{figure:.3g}"
        lines.append(f"| {row['what']} | {figure} | {row['unit']} |")
    write_text(folder / f"{stem}.md", "\n".join(lines))
    return folder / f"{stem}.md"


if __name__ == "__main__":
    main()
