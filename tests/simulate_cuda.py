"""Compare fitness, trees and runs in the CUDA simulator with the CPU's, in a separate process.

Usage: NUMBA_ENABLE_CUDASIM=1 python simulate_cuda.py
"""

import sys
import tempfile
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
from conftest import same
from numba import cuda

from codebreaker.games.model import CodeGame
from codebreaker.games.registry import make_game, rules_of
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.families import criterion
from codebreaker.policies.strategy import GUESS_POOLS, TIE_BREAKS, Strategy
from codebreaker.trees import on_demand_cuda
from codebreaker.trees.grow import grow
from codebreaker.trees.kernels import on_demand_cuda as demand_cuda
from codebreaker.weights import cuda as engines
from codebreaker.weights import fitness as evaluators
from codebreaker.weights.cuda import CudaEngine, CudaFitness
from codebreaker.weights.fitness import Fitness, FitnessOnDemand
from codebreaker.weights.kernels import fitness_cuda, genetic_cuda
from codebreaker.weights.problem import Problem, with_weights
from codebreaker.weights.run import Engine, HostEngine, Task, run_tasks
from codebreaker.weights.settings import Params

ENTROPY = (criterion("entropy"),)
TSALLIS = (criterion("tsallis-1.5"),)
CASES = (
    ("mm-2-3", ENTROPY, 1, None),
    ("mm-2-4", ENTROPY, 3, "12"),
    ("mm-3-3", ENTROPY, 2, "112"),
    ("mm-2-3", TSALLIS, 2, None),
)
GENERATIONS = (4, 6)
SWITCH_S = 0.0005
"""How long a thread of the simulator runs at a time: it waits for others in a loop."""


def fitness() -> None:
    """Compare totals in several games, with an empty, a filled and a full memo."""
    for name, criteria, n_turns, opening in CASES:
        game = make_game(name)
        problem = Problem(game, criteria, n_turns, opening)
        draw = np.random.default_rng(3)
        weights = draw.uniform(0.1, 1, (3, n_turns, game.n_feedback))
        weights[1] = np.maximum(weights[1].round(1), 0.1)
        weights = with_weights(weights)
        expected = Fitness(problem, memo_mib=4)(weights).tolist()
        for memo_mib in (4, 0.01):
            simulated = CudaFitness(problem, memo_mib)
            for time in ("first", "again"):
                assert simulated(weights).tolist() == expected, (name, memo_mib, time)
        print(f"{name}, {criteria[0].name}, {n_turns} turns, opening {opening}: {expected}")


@cuda.jit
def grade_all(codes, grades):
    """The packed feedback of every pair of codes, a block for each guess."""
    guess = cuda.blockIdx.x
    for secret in range(len(grades)):
        grades[guess, secret] = demand_cuda.feedback(codes, guess, secret)


def feedback() -> None:
    """Compare packed feedback with the rules for every pair of codes, with up to seven pegs."""
    for name in ("mm-3-4", "mm-1-15", "mm-7-2"):
        game = rules_of(name).on_demand()
        every = np.arange(game.n_secrets, dtype=np.int32)
        grades = np.zeros((len(every), len(every)), np.uint8)
        grade_all[len(every), 1](on_demand_cuda.device_codes(game), grades)
        assert np.array_equal(grades, [game.feedback(guess, every) for guess in every]), name
        print(f"{name}: the same feedback of {grades.size:,} pairs")


def trees() -> None:
    """Compare trees of games without a table, for all criteria, guess pools and tie-breaks."""
    variants = tuple(product(["entropy"], GUESS_POOLS, TIE_BREAKS))
    for name, policies in (
        ("mm-2-3", (*variants, *((rule,) for rule in CRITERIA if rule != "entropy"))),
        ("mm-2-4", variants[:1]),
        ("bc-2-3", variants[:1]),
        ("black-2-3", variants[:1]),
    ):
        game = rules_of(name).on_demand()
        for rule, *rest in policies:
            policy = Strategy(rule, None, *rest)
            expected, simulated = grow(game, policy), grow(game, policy, backend="cuda")
            assert same(expected, simulated), (name, policy.slug)
        print(f"{name}: the same trees without a table")


def forests() -> None:
    """Compare totals of individuals that share rows, in one forest, in parts, and tree by tree."""
    for name, opening, endgames in (("mm-2-3", "12", 0), ("mm-2-4", "12", 3), ("mm-3-2", None, 0)):
        game = rules_of(name).on_demand()
        problem = Problem(game, ENTROPY, 3, opening, endgames=endgames)
        weights = np.random.default_rng(7).uniform(0.1, 1, (4, 3, game.n_feedback))
        weights[1, 1], weights[2, 2], weights[3] = weights[0, 1], weights[0, 2], weights[0]
        expected = FitnessOnDemand(problem, 1)(with_weights(weights)).tolist()
        for forest_mib, scores_mib in ((1, 1), (0, 1), (1, 0)):
            evaluators.FOREST_MIB, on_demand_cuda.SCORES_MIB = forest_mib, scores_mib
            simulated = FitnessOnDemand(problem, 1, 1, "cuda")
            for time in ("first", "again"):
                totals = simulated(with_weights(weights)).tolist()
                assert totals == expected, (name, forest_mib, time)
        print(f"{name}, a forest with endgames up to {endgames}: {expected}")


def engines_of(problem: Problem) -> tuple[Engine, Engine]:
    """Return an engine on the CPU and one on the simulated device."""
    if isinstance(problem.game, CodeGame):
        fitness = [FitnessOnDemand(problem, 1, 1, backend) for backend in ("cpu", "cuda")]
        return HostEngine(fitness[0]), HostEngine(fitness[1])
    return HostEngine(Fitness(problem, 4)), CudaEngine(CudaFitness(problem, 4))


def islands(problem: Problem) -> None:
    """Compare runs of several seeds that are stopped and resumed, with restarts."""
    params = Params(population=5, elite=2, restart_after=2, mutation_rate=0.5)
    tasks = [
        Task(problem, params, seed, generations) for seed, generations in enumerate(GENERATIONS)
    ]
    expected = []
    with tempfile.TemporaryDirectory() as folder:
        for task in tasks:
            path = Path(folder) / f"cpu-{task.seed}.npz"
            expected += run_tasks([task], engines_of(problem)[0], [path])
        paths = [Path(folder) / f"cuda-{task.seed}.npz" for task in tasks]
        some = [replace(task, generations=3) for task in tasks]
        run_tasks(some, engines_of(problem)[1], paths)
        runs = run_tasks(tasks, engines_of(problem)[1], paths)
    for one, other in zip(expected, runs, strict=True):
        assert one.history == other.history
        assert same(one.state, other.state)
    print(f"{len(tasks)} islands: {[one.state.best_total for one in runs]}")


if __name__ == "__main__":
    sys.setswitchinterval(SWITCH_S)
    fitness_cuda.THREADS, fitness_cuda.LANES, genetic_cuda.THREADS = 8, 4, 4
    demand_cuda.THREADS = 4
    engines.GENERATIONS = 2
    feedback()
    trees()
    forests()
    fitness()
    islands(Problem(rules_of("mm-2-3").on_demand(), ENTROPY, 2, "12", endgames=2))
    islands(Problem(make_game("mm-2-3"), ENTROPY, 2, "12"))
