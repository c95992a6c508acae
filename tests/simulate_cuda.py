"""Run in a process of its own, with the CUDA simulator: fitness there against the CPU's.

Usage: NUMBA_ENABLE_CUDASIM=1 python simulate_cuda.py
"""

import numpy as np

from codebreaker.criteria import CRITERIA
from codebreaker.games import make_game
from codebreaker.optimise.fitness import Fitness
from codebreaker.optimise.fitness_cuda import CudaFitness
from codebreaker.optimise.problem import Problem

CASES = (
    ("mm-2-3", 1, None),
    ("mm-2-4", 3, "12"),
    ("mm-3-3", 3, None),
)


def main() -> None:
    """Compare in several games, twice each, with another reference the second time."""
    for name, n_turns, opening in CASES:
        game = make_game(name)
        problem = Problem(game, CRITERIA["entropy"], n_turns, opening)
        draw = np.random.default_rng(3)
        weights = draw.uniform(0.1, 1, (3, n_turns, game.n_feedback))
        weights[1] = np.maximum(weights[1].round(1), 0.1)
        expected = Fitness(problem, memo_mib=4)(weights).tolist()
        simulated = CudaFitness(problem, memo_mib=4)
        assert simulated(weights).tolist() == expected, (name, "first")
        simulated.refer_to(weights[2])
        assert simulated(weights).tolist() == expected, (name, "again")
        print(f"{name}, {n_turns} turns, opening {opening}: {expected}")


if __name__ == "__main__":
    main()
