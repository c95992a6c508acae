"""Compile the CUDA kernels, run them in an interpreter of PTX, and compare with the CPU.

`make cuda-check` runs it. It fails if a result differs, if the interpreter finds a fault, or if a
kernel spills or needs more than REGISTERS.
"""

import argparse
import json
import re
import runpy
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import partial
from importlib.metadata import files, version
from io import StringIO
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
from interpreted_device import NAME, Kernels, installed
from numba import cuda
from ptx_machine import Machine

from codebreaker.files import write_text
from codebreaker.games.registry import make_game, rules_of
from codebreaker.optimise import cuda as engines
from codebreaker.optimise import fitness as evaluators
from codebreaker.optimise.cuda import CudaEngine, CudaFitness
from codebreaker.optimise.fitness import Fitness, FitnessOnDemand
from codebreaker.optimise.kernels import fitness_cuda
from codebreaker.optimise.problem import Problem, with_weights
from codebreaker.optimise.run import HostEngine, Task
from codebreaker.optimise.settings import Params
from codebreaker.policies.families import criterion
from codebreaker.policies.strategy import GUESS_POOLS, TIE_BREAKS, Strategy
from codebreaker.trees import on_demand_cuda
from codebreaker.trees.grow import grow
from codebreaker.trees.kernels import on_demand_cuda as demand_cuda

ROOT = Path(__file__).parents[1]
check_device = SimpleNamespace(**runpy.run_path(str(ROOT / "benchmarks" / "check_device.py")))

REGISTERS = 128
THREADS = 128
"""Maximum registers of a thread; threads of a block."""

REGISTERS_OF_SM = 65_536
SHARED_OF_SM = 233_472
RESERVED_SHARED = 1_024
WARPS_OF_SM = 64
MULTIPROCESSORS = 132
ISSUED = 4
CLOCK_HZ = 1.755e9
BYTES_A_SECOND = 3.35e12
"""An H100 with SXM5: a multiprocessor's; and the whole."""

ENTROPY = (criterion("entropy"),)
SIZES = (criterion("expected-size"),)
SMALL = (
    ("mm-2-3", ENTROPY, 1, None, 3),
    ("mm-2-4", ENTROPY, 3, "12", 3),
    ("mm-3-3", SIZES, 3, "112", 4),
)
LARGE = (("mm-4-4", ENTROPY, 4, None, 4), ("mm-2-20", ENTROPY, 2, None, 1))
"""Games, criteria, turns, openings, individuals."""

SLOTS = engines.SLOTS

PLAIN = Params(population=5, elite=2, restart_after=2, mutation_rate=0.5)
MIXED = Params(
    population=6, elite=2, selection="uniform", crossover="line", mutation_rate=0.3,
    restart_after=4, restart_slack=0, scratch_every=2, stagnant_after=1, renew_every=1,
    renew_share=0.5,
)  # fmt: skip
LINE = Params(population=3, elite=1, crossover="line", mutation_rate=0.5)
SMALL_ISLANDS = (("mm-2-3", "12", 2, PLAIN, (4, 5)),)
LARGE_ISLANDS = (
    ("mm-4-4", "1123", 4, MIXED, (6, 9, 8)),
    ("mm-4-6", "1123", 6, LINE, (2,)),
)
"""Games, openings, turns, settings, islands' generations."""

ORDERS = (1, 2, 3)
"""Seeds of random orders."""


def fitness(cases, memos=(8, 0.01)) -> None:
    """Compare totals with a table."""
    for name, criteria, n_turns, opening, n in cases:
        game = make_game(name)
        problem = Problem(game, criteria, n_turns, opening)
        weights = np.random.default_rng(3).uniform(0.1, 1, (n, n_turns, game.n_feedback))
        weights[1:] = np.maximum(weights[0] + (weights[1:] - 0.5) / 9, 0.1).round(2)
        devices = {f"{mib} MiB": partial(CudaFitness, problem, mib, 0) for mib in memos}
        summary = check_device.same_totals(with_weights(weights), Fitness(problem, 8), devices)
        print(
            f"{name}, {criteria[0].name}, {n_turns} turns, opening {opening}: {summary}", flush=True
        )


@cuda.jit
def grade(codes, guesses, secrets, grades):
    """Grade guesses, one block each."""
    row = cuda.blockIdx.x
    for i in range(cuda.threadIdx.x, grades.shape[1], cuda.blockDim.x):
        grades[row, i] = demand_cuda.feedback(codes, guesses[row], secrets[i])


def feedback() -> None:
    """Compare the feedback of pairs."""
    for name in ("mm-3-4", "mm-1-15", "mm-7-2", "mm-5-13"):
        game = rules_of(name).on_demand()
        every = np.arange(game.n_secrets, dtype=np.int32)
        some, most = (every[:: 1 + len(every) // n].copy() for n in (16, 2000))
        grades = cuda.device_array((len(some), len(most)), np.uint8)
        codes = on_demand_cuda.device_codes(game)
        pairs = map(cuda.to_device, (some, most))
        grade[len(some), 32](codes, *pairs, grades)
        expected = [game.feedback(guess, most) for guess in some]
        assert np.array_equal(grades.copy_to_host(), expected), name
        print(f"{name}: the same feedback of {grades.size:,} pairs", flush=True)


def trees(games) -> None:
    """Compare trees without a table."""
    for name, variants in games.items():
        game = rules_of(name).on_demand()
        for pool, tie_break in variants:
            summary = check_device.same_trees(game, Strategy("entropy", None, pool, tie_break))
        print(f"{name}: {len(variants)} trees without a table, {summary}", flush=True)


def forests(cases) -> None:
    """Compare forests, with enough memory and with less."""
    for name, opening, endgames, limits in cases:
        game = rules_of(name).on_demand()
        problem = Problem(game, ENTROPY, 3, opening, endgames=endgames)
        weights = np.random.default_rng(7).uniform(0.1, 1, (4, 3, game.n_feedback))
        weights[1, 1], weights[2, 2], weights[3] = weights[0, 1], weights[0, 2], weights[0]
        individuals = with_weights(weights)
        expected = FitnessOnDemand(problem, 1)(individuals)
        for forest_mib, scores_mib in limits:
            evaluators.FOREST_MIB = forest_mib
            on_demand_cuda.SCORES_MIB = scores_mib
            device = {f"{forest_mib} MiB": partial(FitnessOnDemand, problem, 1, 1, "cuda")}
            summary = check_device.same_totals(individuals, lambda _, known=expected: known, device)
        print(f"{name}, a forest with endgames up to {endgames}: {summary}", flush=True)


def islands(cases, without_table=False) -> None:
    """Compare islands."""
    for name, opening, n_turns, params, generations in cases:
        if without_table:
            problem = Problem(rules_of(name).on_demand(), ENTROPY, n_turns, opening, endgames=2)
            host = HostEngine(FitnessOnDemand(problem, 1, 1))
            device = partial(HostEngine, FitnessOnDemand(problem, 1, 1, "cuda"))
        else:
            problem = Problem(make_game(name), ENTROPY, n_turns, opening)
            host = HostEngine(Fitness(problem, 64))
            device = partial(CudaEngine, CudaFitness(problem, 64, 0))
        tasks = [Task(problem, params, seed, n) for seed, n in enumerate(generations)]
        summary = check_device.same_runs(tasks, host, device)
        print(f"{name}, {len(tasks)} islands, {params.crossover}: {summary}", flush=True)


def faulty_check() -> None:
    """Let check_device find a planted fault."""
    right = CudaFitness.__call__
    CudaFitness.__call__ = lambda fitness, individuals: right(fitness, individuals) + 1
    text = StringIO()
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(text), redirect_stderr(text):
        try:
            check_device.main(["--tiny", "--limit", "86400", "--folder", folder])
        except SystemExit as stop:
            if not stop.code:
                raise AssertionError("the faulty check succeeds") from None
        (file,) = Path(folder).glob("*.json")
        report = json.loads(file.read_text(encoding="utf-8"))
    CudaFitness.__call__ = right
    assert report["device"] == NAME
    rows = {row["what"]: row["outcome"] for row in report["checks"] + report["measurements"]}
    wrong = {what for what in rows if ": totals of individuals" in what}
    assert {what for what, outcome in rows.items() if outcome == "failed"} == wrong, rows
    assert len(wrong) == 2
    assert len(rows) > 15
    assert set(rows.values()) == {"done", "failed"}
    print(f"the check of a device did {len(rows)} things and found what was wrong", flush=True)


def small(variants) -> None:
    """Compare everything in small games."""
    trees({"mm-2-3": variants, "bc-2-3": variants[:1], "black-2-3": variants[:1]})
    forests((("mm-2-3", "12", 3, ((1, 1), (0, 1), (1, 0))), ("mm-3-2", None, 0, ((1, 1),))))
    fitness(SMALL)
    islands(SMALL_ISLANDS)
    islands(SMALL_ISLANDS, without_table=True)


@contextmanager
def timed(what: str, machine: Machine, kernels: Kernels) -> Iterator[None]:
    """Interpret a device; print its CPU seconds and instructions."""
    on_demand_cuda.device_codes.cache_clear()
    began = time.process_time()
    with installed(machine, kernels):
        yield
    on_demand_cuda.device_codes.cache_clear()
    n = sum(counts["instructions"] for counts in machine.counts.values())
    print(
        f"-- {what}: {n:,} instructions, {time.process_time() - began:.1f} CPU seconds\n",
        flush=True,
    )


def ptxas() -> str:
    """Return the assembler's path."""
    for file in files("nvidia-cuda-nvcc") or ():
        if file.name == "ptxas":
            return str(file.locate())
    return "ptxas"


REPORTED = ("registers", "bytes spill", "bytes stack", "bytes smem")


class Needs(NamedTuple):
    """A kernel's needs, by the assembler's report, in bytes."""

    registers: int
    spilled: int
    stack: int
    shared: int

    @property
    def blocks(self) -> int:
        """Return how many blocks fit into a multiprocessor."""
        warps = REGISTERS_OF_SM // (-(-self.registers // 8) * 8 * 32)  # they come in eights
        by_shared = SHARED_OF_SM // (self.shared + RESERVED_SHARED)
        return min(warps // (THREADS // 32), by_shared, WARPS_OF_SM // (THREADS // 32))


def assembled(source: str) -> Needs:
    """Return the assembler's report."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernel.ptx"
        path.write_text(source, encoding="utf-8")
        command = [ptxas(), "-arch=sm_90", "-v", str(path), "-o", str(path) + ".cubin"]
        report = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    numbers_of_each = (re.findall(rf"(\d+) {what}", report) for what in REPORTED)
    return Needs(*(sum(map(int, numbers)) for numbers in numbers_of_each))


def within_limits(needs: dict[str, Needs]) -> bool:
    """Print kernels' needs; return whether they fit."""
    for name, kernel in needs.items():
        print(f"{name}: {kernel.registers} registers, {kernel.spilled} bytes spilled")
    return all(
        kernel.registers <= REGISTERS and kernel.spilled == kernel.stack == 0
        for kernel in needs.values()
    )


def summed(machine: Machine) -> dict[str, int]:
    """Return the counts of the kernels that evaluate individuals."""
    each = [machine.counts[name] for name in ("begin", "advance", "choose", "finish")]
    return {key: sum(counts[key] for counts in each) for key in each[1]}


def work() -> Iterator[tuple[str, str, float, dict[str, int]]]:
    """Yield works in MM(4,6), units and counts."""
    machine = Machine()
    with installed(machine):
        problem = Problem(make_game("mm-4-6"), ENTROPY, 6, "1123")
        params = Params()
        n = 8
        task = Task(problem, params, 1, 300)
        (run,) = check_device.run_all([task], HostEngine(Fitness(problem, 512)))
        kinds = {
            "random": check_device.drawn(problem, n, "random"),
            "after 300 generations": task.decode(run.state.genes[:n]),
        }
        for kind, individuals in kinds.items():
            device = CudaFitness(problem, 512, 0)
            for memo in ("empty", "new", "filled"):
                machine.counts.clear()
                device(individuals)
                if memo == "new" and kind != "random":
                    yield "learn, all sets new", "island", 1, machine.counts["learn"]
                elif memo != "new":
                    yield f"evaluate, {kind}, memo {memo}", "individual", n, summed(machine)
        machine.counts.clear()
        device.launch = lambda *_: None  # counted above
        check_device.run_all([Task(problem, params, 1, n)], CudaEngine(device))
        for name in ("breed", "tell"):
            units = n * (params.population if name == "breed" else 1)
            unit = "individual" if name == "breed" else "generation"
            yield name, unit, units, machine.counts[name]
        machine.counts.clear()
        grow(rules_of("mm-4-6").on_demand(), Strategy("entropy"), backend="cuda")
        for name in ("find_equivalent", "score", "pick"):
            yield name, "tree by entropy", 1, machine.counts[name]


PAGE = """# The kernels without a device

For readers who have measured the CUDA backend and ask what it could reach.
`cuda-interpreter/check_kernels.py --write` writes this page with an interpreter of PTX. {versions}.

## Needs of each kernel
From the assembler's report, for blocks of {threads} threads. No kernel spills registers or needs a stack. A multiprocessor of an
H100 has {registers:,} registers, {shared:,} bytes of shared memory and room for {warps} warps.

| kernel | registers | shared, bytes per block | concurrent blocks | warps |
| --- | ---: | ---: | ---: | ---: |
{needs}

## Work, and the speed that an H100 could reach
Counted in MM(4,6). The bounds assume {sms} multiprocessors that issue {issued} warp instructions
per cycle at {ghz} GHz, two machine instructions for each of PTX, and {tb} TB/s without a cache.
They ignore latency.

| work | unit | warp instructions | lanes in use | global bytes | units/s, bound by instructions | units/s, bound by bytes |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
{work}
"""  # noqa: E501


def write(needs: dict[str, Needs]) -> None:
    """Write the tables."""
    rows = []
    done = []
    engines.SLOTS = SLOTS
    for name, kernel in needs.items():
        warps = kernel.blocks * THREADS // 32
        cells = [f"{n:,}" for n in (kernel.registers, kernel.shared, kernel.blocks, warps)]
        rows.append(f"| `{name}` | {' | '.join(cells)} |")
    for what, unit, n, counts in work():
        names = ("instructions", "warp instructions", "global")
        threads, warps, moved = (counts[name] / n for name in names)
        bounds = (MULTIPROCESSORS * ISSUED * CLOCK_HZ / 2 / warps, BYTES_A_SECOND / moved)
        figures = (f"{warps:,.0f}", f"{threads / warps / 32:.0%}")
        cells = (what, unit, *figures, f"{moved:,.0f}", *(f"{bound:,.0f}" for bound in bounds))
        done.append(f"| {' | '.join(cells)} |")
    names = ("numba-cuda", "numba", "nvidia-cuda-nvcc", "numpy")
    page = PAGE.format(
        versions=", ".join(f"{name} {version(name)}" for name in names),
        threads=THREADS, registers=REGISTERS_OF_SM, shared=SHARED_OF_SM, warps=WARPS_OF_SM,
        needs="\n".join(rows), sms=MULTIPROCESSORS, issued=ISSUED, ghz=CLOCK_HZ / 1e9,
        tb=BYTES_A_SECOND / 1e12, work="\n".join(done),
    )  # fmt: skip
    write_text(ROOT / "benchmarks" / "device" / "kernels.md", page.rstrip("\n"))


def main() -> int:
    """Check, and write if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write benchmarks/device/kernels.md")
    parser.add_argument(
        "--quick", action="store_true", help="try one order of threads, and nothing in MM(4,6)"
    )
    options = parser.parse_args()
    variants = tuple(product(GUESS_POOLS, TIE_BREAKS))
    large = () if options.quick else ("mm-4-6",)
    with timed("games of the check of a device", Machine(), Kernels()):
        faulty_check()
    # Kernels read these constants when they are compiled.
    engines.GENERATIONS = 2
    engines.LEARN_EVERY = 1
    engines.SLOTS = 128
    fitness_cuda.CHOOSERS = 8
    kernels = Kernels()
    checked = Kernels(checks_indices=True)
    with timed("small games", Machine(), kernels):
        feedback()
        small(variants)
    for order in ORDERS[:1] if options.quick else ORDERS:
        with timed(f"small games in order {order}, indices checked", Machine(order), checked):
            small(variants[:2])
    with timed("larger games", Machine(), kernels):
        trees(dict.fromkeys(("mm-4-4", *large), variants[:1]))
        forests((("mm-4-4", None, 0, ((8, 8),)),))
        fitness(LARGE, memos=(64,))
        islands([islands_of for islands_of in LARGE_ISLANDS if islands_of[0] in ("mm-4-4", *large)])
    needs = {
        name: assembled(source) for name, source in kernels.by_name().items() if name != "grade"
    }
    if options.write:
        write(needs)
    return not within_limits(needs)


if __name__ == "__main__":
    sys.exit(main())
