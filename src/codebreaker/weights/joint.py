"""Weights for several games at once: the sum of their totals, each relative to entropy's."""

from collections.abc import Sequence

import numpy as np

from codebreaker import __version__
from codebreaker.games.model import TableGame
from codebreaker.policies.families import criterion
from codebreaker.policies.strategy import Strategy
from codebreaker.policies.weights import Weights
from codebreaker.trees.grow import grow
from codebreaker.types import Totals
from codebreaker.weights import genetic
from codebreaker.weights.fitness import Fitness
from codebreaker.weights.genetic import Params
from codebreaker.weights.genetic_host import HostEngine
from codebreaker.weights.problem import Phenotypes, Problem
from codebreaker.weights.task import Run, Task, is_complete

UNITS = 10_000
"""The fitness of entropy itself in each game, so that the sum is an integer."""


class JointFitness:
    """Evaluates individuals in several games with the same feedback, for `HostEngine`."""

    backend, batches_runs = "cpu", False

    def __init__(self, problems: Sequence[Problem], memo_mib: float) -> None:
        self.problems = problems
        self._each = [Fitness(one, memo_mib / len(problems)) for one in problems]
        self._entropy = [
            grow(one.game, Strategy("entropy", one.opening)).total_guesses for one in problems
        ]

    def set_reference(self, phenotype: Phenotypes) -> None:
        """Set the reference, one individual; it affects speed only."""
        for one in self._each:
            one.set_reference(phenotype)

    def __call__(self, phenotypes: Phenotypes) -> Totals:
        """Return the sum over games of total divided by entropy's, in 1/UNITS, (n,) int64."""
        parts = [
            np.rint(UNITS * one(phenotypes) / entropy)
            for one, entropy in zip(self._each, self._entropy, strict=True)
        ]
        totals: Totals = np.sum(parts, axis=0).astype(np.int64)
        return totals


def find_joint_weights(
    games: Sequence[TableGame],
    n_turns: int,
    opening: str,
    params: Params,
    seed: int,
    generations: int,
    memo_mib: float,
) -> Weights:
    """Return the best weights of a run for several games with the same feedback and opening.

    The provenance holds the games and the fitness, which is UNITS per game for entropy.
    """
    problems = [Problem(game, (criterion("entropy"),), n_turns, opening) for game in games]
    task = Task(problems[0], params, seed, generations)
    run = Run(genetic.init(seed, task.problem.n_genes, params))
    engine = HostEngine(JointFitness(problems, memo_mib))
    while not is_complete(task, run):
        engine.advance([task], [run])
    return Weights(
        name=f"{n_turns} rows for {len(games)} games, seed {seed}",
        source="found by the genetic algorithm",
        feedback_labels=games[0].feedback_labels,
        values=task.decode(run.state.best_genes[None]).weights[0],
        provenance={
            "games": [game.name for game in games],
            "opening": opening,
            "fitness": run.state.best_total,
            "seed": seed,
            "generations": generations,
            "codebreaker": __version__,
        },
    )
