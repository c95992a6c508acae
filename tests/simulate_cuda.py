"""Compare fitness, trees and runs in the CUDA simulator (NUMBA_ENABLE_CUDASIM=1) with the CPU."""

import runpy
import sys
from functools import partial
from itertools import product
from types import SimpleNamespace

import numpy as np
from conftest import ROOT
from numba import cuda

from codebreaker.games.registry import make_game, rules_of
from codebreaker.policies.families import criterion
from codebreaker.policies.strategy import GUESS_POOLS, TIE_BREAKS, Strategy
from codebreaker.trees import on_demand_cuda
from codebreaker.trees.kernels import on_demand_cuda as demand_cuda
from codebreaker.weights import cuda as engines
from codebreaker.weights import fitness as evaluators
from codebreaker.weights.cuda import CudaEngine, CudaFitness
from codebreaker.weights.fitness import Fitness, FitnessOnDemand
from codebreaker.weights.kernels import fitness_cuda, genetic_cuda
from codebreaker.weights.problem import Problem, with_weights
from codebreaker.weights.run import HostEngine, Task
from codebreaker.weights.settings import Params

check_device = SimpleNamespace(**runpy.run_path(str(ROOT / "benchmarks" / "check_device.py")))

ENTROPY = (criterion("entropy"),)
TSALLIS = (criterion("tsallis-1.5"),)
CASES = (("mm-2-3", ENTROPY, 1, None), ("mm-2-4", ENTROPY, 3, "12"), ("mm-2-3", TSALLIS, 2, None))
GENERATIONS = (4, 5)
SWITCH_S = 0.0005
"""How long a thread of the simulator runs at a time: it waits for others in a loop."""


def faulty_check() -> None:
    right = CudaFitness.__call__
    CudaFitness.__call__ = lambda fitness, individuals: right(fitness, individuals) + 1
    try:
        check_device.main()
    except SystemExit as stop:
        print(f"the faulty check exits with {stop.code}")
    CudaFitness.__call__ = right


def fitness() -> None:
    for name, criteria, n_turns, opening in CASES:
        game = make_game(name)
        problem = Problem(game, criteria, n_turns, opening)
        weights = np.random.default_rng(3).uniform(0.1, 1, (3, n_turns, game.n_feedback))
        weights[1] = np.maximum(weights[1].round(1), 0.1)
        devices = {f"{mib} MiB": partial(CudaFitness, problem, mib) for mib in (4, 0.01)}
        host = Fitness(problem, memo_mib=4)
        found = check_device.same_totals(with_weights(weights), host, devices)
        print(f"{name}, {criteria[0].name}, {n_turns} turns, opening {opening}: {found}")


@cuda.jit
def grade(codes, guesses, grades):
    row = cuda.blockIdx.x
    for secret in range(grades.shape[1]):
        grades[row, secret] = demand_cuda.feedback(codes, guesses[row], secret)


def feedback() -> None:
    for name in ("mm-3-4", "mm-1-15", "mm-7-2"):
        game = rules_of(name).on_demand()
        every = np.arange(game.n_secrets, dtype=np.int32)
        some = every[:: 1 + len(every) // 16].copy()
        grades = np.zeros((len(some), len(every)), np.uint8)
        grade[len(some), 1](on_demand_cuda.device_codes(game), some, grades)
        assert np.array_equal(grades, [game.feedback(guess, every) for guess in some]), name
        print(f"{name}: the same feedback of {grades.size:,} pairs")


def trees() -> None:
    variants = tuple(product(GUESS_POOLS, TIE_BREAKS))
    some = variants[:1]
    for name, settings in {"mm-2-3": variants, "bc-2-3": some, "black-2-3": some}.items():
        game = rules_of(name).on_demand()
        for pool, tie_break in settings:
            check_device.same_trees(game, Strategy("entropy", None, pool, tie_break))
        print(f"{name}: the same trees without a table")


def forests() -> None:
    for name, opening, endgames in (("mm-2-3", "12", 3), ("mm-3-2", None, 0)):
        game = rules_of(name).on_demand()
        problem = Problem(game, ENTROPY, 3, opening, endgames=endgames)
        weights = np.random.default_rng(7).uniform(0.1, 1, (4, 3, game.n_feedback))
        weights[1, 1], weights[2, 2], weights[3] = weights[0, 1], weights[0, 2], weights[0]
        individuals = with_weights(weights)
        expected = FitnessOnDemand(problem, 1)(individuals)
        for forest_mib, scores_mib in ((1, 1), (0, 1), (1, 0)):
            evaluators.FOREST_MIB, on_demand_cuda.SCORES_MIB = forest_mib, scores_mib
            device = {f"{forest_mib} MiB": partial(FitnessOnDemand, problem, 1, 1, "cuda")}
            found = check_device.same_totals(individuals, lambda _, known=expected: known, device)
        print(f"{name}, a forest with endgames up to {endgames}: {found}")


def islands(problem: Problem, host, device) -> None:
    params = Params(population=5, elite=2, restart_after=2, mutation_rate=0.5)
    tasks = [Task(problem, params, seed, GENERATIONS[seed]) for seed in range(len(GENERATIONS))]
    print(f"{len(tasks)} islands: {check_device.same_runs(tasks, host, device)}")


if __name__ == "__main__":
    sys.setswitchinterval(SWITCH_S)
    faulty_check()
    fitness_cuda.THREADS, fitness_cuda.LANES, genetic_cuda.THREADS = 8, 4, 4
    demand_cuda.THREADS = 4
    engines.GENERATIONS = 2
    feedback()
    trees()
    forests()
    fitness()
    one = Problem(rules_of("mm-2-3").on_demand(), ENTROPY, 2, "12", endgames=2)
    demand = partial(FitnessOnDemand, one, 1, 1)
    islands(one, HostEngine(demand()), lambda: HostEngine(demand("cuda")))
    one = Problem(make_game("mm-2-3"), ENTROPY, 2, "12")
    islands(one, HostEngine(Fitness(one, 4)), lambda: CudaEngine(CudaFitness(one, 4)))
