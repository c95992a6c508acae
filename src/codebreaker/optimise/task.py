"""One run of an optimiser: what it is to do, and how far it is."""

import json
from dataclasses import asdict, dataclass, field

import numpy as np
from numpy.typing import NDArray

from codebreaker.optimise.genetic import Params, State
from codebreaker.optimise.kernels.genetic import Genes
from codebreaker.optimise.kernels.variation import UNIT, order_of
from codebreaker.optimise.problem import Problem, Vectors

HISTORY = ("generation", "best", "start_best", "mean", "diversity", "restarts")
"""The columns of a history; diversity is the mean distance of a gene from the best one's."""


MEET_EVERY = 256
"""A run keeps its population every so many generations."""


@dataclass(frozen=True)
class Task:
    """One run: what is optimised, how, from which seed, and for how long."""

    problem: Problem
    params: Params
    seed: int
    generations: int

    @property
    def identity(self) -> str:
        """Return what a checkpoint must agree on to be continued."""
        problem = self.problem
        told = {
            "game": problem.game.name,
            "criteria": [one.name for one in problem.criteria],
            "weighted": problem.weighted,
            "n_turns": problem.n_turns,
            "opening": problem.opening,
            "endgames": problem.endgames,
            "params": asdict(self.params),
            "seed": self.seed,
        }
        return json.dumps(told, sort_keys=True)

    def vectors(self, genes: Genes) -> Vectors:
        """Return what (n, n_genes) genes stand for; turns without genes have weights of 1."""
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
        return Vectors(weights, orders)


@dataclass
class Progress:
    """A run's state, its history (a row of HISTORY a generation), and each generation's seconds.

    `met` are the populations of every MEET_EVERY-th generation, (population, n_genes) int32 each.
    All but the seconds are a function of the task.
    """

    state: State
    history: list[tuple[float, ...]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    met: list[NDArray[np.int32]] = field(default_factory=list)

    def meet(self) -> None:
        """Keep the population where it is one to keep."""
        if self.state.generation % MEET_EVERY == 0:
            self.met.append(self.state.genes.astype(np.int32))


def ended(task: Task, progress: Progress) -> bool:
    """Return whether a run has all its generations."""
    return progress.state.generation >= task.generations


def row_of(
    generation: int,
    best: int,
    start_best: int,
    sum_of_totals: int,
    spread: int,
    restarts: int,
    population: int,
    n_genes: int,
) -> tuple[float, ...]:
    """Return a generation's row of the history, of exact integers."""
    mean, diversity = sum_of_totals / population, spread / (UNIT * population * n_genes)
    return generation, best, start_best, mean, diversity, restarts
