"""Run in a process of its own, with the CUDA simulator: fitness and runs there against the CPU's.

Usage: NUMBA_ENABLE_CUDASIM=1 python simulate_cuda.py
"""

import tempfile
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
from test_genetic import PAPER

from codebreaker.criteria import CRITERIA, criterion
from codebreaker.games import make_game, rules_of
from codebreaker.kernels import demand_cuda, fitness_cuda, genetic_cuda
from codebreaker.optimise import genetic_cuda as engines
from codebreaker.optimise.fitness import Fitness
from codebreaker.optimise.fitness_cuda import CudaFitness
from codebreaker.optimise.fitness_on_demand import FitnessOnDemand
from codebreaker.optimise.genetic_cpu import CpuEngine
from codebreaker.optimise.genetic_cuda import CudaEngine
from codebreaker.optimise.problem import Problem, Vectors, plain
from codebreaker.optimise.run import run
from codebreaker.optimise.task import Task
from codebreaker.policy import GUESS_POOLS, TIE_BREAKS, make_policy
from codebreaker.tree import grow

ENTROPY = (criterion("entropy"),)
TSALLIS = tuple(criterion(f"tsallis-{order}") for order in (0, 0.5, 1, 1.5, 3))
RENYI = tuple(criterion(f"renyi-{order}") for order in (0, 0.5, 2, 3))
CASES = (
    ("mm-2-3", ENTROPY, 1, None),
    ("mm-2-4", ENTROPY, 3, "12"),
    ("mm-3-3", ENTROPY, 3, None),
    ("mm-3-3", ENTROPY, 2, "112"),
    ("mm-2-4", TSALLIS, 3, "12"),
    ("mm-2-3", RENYI, 2, None),
)
GENERATIONS = (7, 9, 9)


def fitness() -> None:
    """Compare totals in several games: with an empty memo, with a filled one, and a full one."""
    for name, criteria, n_turns, opening in CASES:
        game = make_game(name)
        problem = Problem(game, criteria, n_turns, opening)
        draw = np.random.default_rng(3)
        weights = draw.uniform(0.1, 1, (3, n_turns, game.n_feedback))
        weights[1] = np.maximum(weights[1].round(1), 0.1)
        orders = draw.integers(len(criteria), size=(3, n_turns), dtype=np.int32)
        weights = Vectors(weights, orders)
        expected = Fitness(problem, memo_mib=4)(weights).tolist()
        for memo_mib in (4, 0.01):
            simulated = CudaFitness(problem, memo_mib)
            for time in ("first", "again"):
                assert simulated(weights).tolist() == expected, (name, memo_mib, time)
        print(f"{name}, {len(criteria)} orders, {n_turns} turns, opening {opening}: {expected}")


def trees() -> None:
    """Compare trees of games without a table: all criteria, and all pools and tie-breaks."""
    ways = tuple(product(["entropy"], GUESS_POOLS, TIE_BREAKS))
    for name, asked in (
        ("mm-2-3", ways),
        ("mm-2-4", [(rule,) for rule in CRITERIA]),
        ("bc-2-3", ways[:1]),
        ("black-2-3", ways[:1]),
    ):
        game = rules_of(name).on_demand()
        for rule, *rest in asked:
            policy = make_policy(rule, None, *rest)
            expected, simulated = grow(game, policy), grow(game, policy, backend="cuda")
            for column, values in vars(expected).items():
                assert np.array_equal(values, getattr(simulated, column)), (name, policy.slug)
        print(f"{name}: the same trees without a table")
    problem = Problem(rules_of("mm-2-3").on_demand(), ENTROPY, 2, "12")
    weights = plain(np.random.default_rng(3).uniform(0.1, 1, (2, 2, 5)))
    totals = [FitnessOnDemand(problem, 1, 1, on)(weights).tolist() for on in ("cpu", "cuda")]
    assert totals[0] == totals[1]


def islands(problem: Problem) -> None:
    """Compare runs of several seeds, stopped and gone on with, with restarts among them."""
    params = replace(PAPER, population=5, elite=2, restart_after=2, mutation_rate=0.5)
    tasks = [
        Task(problem, params, seed, generations) for seed, generations in enumerate(GENERATIONS)
    ]
    expected = []
    with tempfile.TemporaryDirectory() as folder:
        for task in tasks:
            engine = CpuEngine(Fitness(problem, 4))
            expected += run([task], engine, [Path(folder) / f"cpu-{task.seed}.npz"])
        paths = [Path(folder) / f"cuda-{task.seed}.npz" for task in tasks]
        some = [replace(task, generations=4) for task in tasks]
        run(some, CudaEngine(CudaFitness(problem, 4)), paths)
        found = run(tasks, CudaEngine(CudaFitness(problem, 4)), paths)
    for one, other in zip(expected, found, strict=True):
        assert one.history == other.history
        for name, value in vars(one.state).items():
            assert np.array_equal(value, getattr(other.state, name)), name
    print(f"{len(tasks)} islands: {[one.state.best_total for one in found]}")


if __name__ == "__main__":
    fitness_cuda.THREADS, fitness_cuda.LANES, genetic_cuda.THREADS = 8, 4, 4
    demand_cuda.THREADS = 4
    engines.GENERATIONS = 3
    trees()
    fitness()
    for criteria, weighted in ((ENTROPY, True), (TSALLIS, True), (TSALLIS, False)):
        islands(Problem(make_game("mm-2-3"), criteria, 2, "12", weighted))
