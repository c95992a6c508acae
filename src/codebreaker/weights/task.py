"""A task for an optimiser, and the run that performs it."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

import numpy as np
from numpy.typing import NDArray

from codebreaker.weights.genetic import Params, State
from codebreaker.weights.kernels.genetic import Genes
from codebreaker.weights.kernels.variation import UNIT, order_of
from codebreaker.weights.problem import Phenotypes, Problem

HISTORY = ("generation", "best", "start_best", "mean", "diversity", "restarts")
"""The columns of a history; diversity is the mean distance of a gene from the best individual's."""

SNAPSHOT_EVERY = 256
"""Generations between two snapshots of the population."""


@dataclass(frozen=True)
class Task:
    """What to optimise and how: a problem, parameters, a seed, and the number of generations.

    `code` is a digest of the code that performs it.
    """

    problem: Problem
    params: Params
    seed: int
    generations: int
    code: str = ""

    @property
    def identity(self) -> str:
        """Return a key that a checkpoint must share to be resumed; generations may differ."""
        problem = self.problem
        key = {
            "code": self.code,
            "game": problem.game.digest,
            "criteria": [one.name for one in problem.criteria],
            "weighted": problem.weighted,
            "n_turns": problem.n_turns,
            "opening": problem.opening,
            "endgames": problem.endgames,
            "params": asdict(self.params),
            "seed": self.seed,
        }
        return json.dumps(key, sort_keys=True)

    def decode(self, genes: Genes) -> Phenotypes:
        """Decode (n, n_genes) genes; turns without genes get weights of 1 and order 0."""
        problem, n = self.problem, len(genes)
        before = problem.first_turn - 1
        rows = genes.reshape(n, problem.n_turns - before, problem.genes_of_row)
        weights = np.ones((n, problem.n_turns, problem.game.n_feedback))
        orders = np.zeros((n, problem.n_turns), dtype=np.int32)
        if problem.ordered:
            low, high = round(UNIT * self.params.low), round(UNIT * self.params.high)
            orders[:, before:] = order_of(rows[:, :, 0], len(problem.criteria), low, high)
        if problem.weighted:
            weights[:, before:] = rows[:, :, -problem.game.n_feedback :] / UNIT
        return Phenotypes(weights, orders)


@dataclass
class Run:
    """A run's state, its history (one row of HISTORY per generation) and seconds per generation.

    `snapshots` holds the population of every SNAPSHOT_EVERY-th generation, (population, n_genes)
    int32. All but the seconds is a function of the task.
    """

    state: State
    history: list[tuple[float, ...]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    snapshots: list[NDArray[np.int32]] = field(default_factory=list)

    def take_snapshot(self) -> None:
        """Append the population if a snapshot is due at this generation."""
        if self.state.generation % SNAPSHOT_EVERY == 0:
            self.snapshots.append(self.state.genes.astype(np.int32))


def is_complete(task: Task, run: Run) -> bool:
    """Return whether a run has evaluated all generations of its task."""
    return run.state.generation >= task.generations


def history_row(sums: Sequence[int], population: int, n_genes: int) -> tuple[float, ...]:
    """Return a generation's row of the history; `sums` hold sums in place of its two means."""
    *best, sum_of_totals, spread, restarts = sums
    return *best, sum_of_totals / population, spread / (UNIT * population * n_genes), restarts
