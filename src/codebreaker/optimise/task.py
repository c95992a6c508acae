"""One run of an optimiser: what it is to do, and how far it is."""

import json
from dataclasses import asdict, dataclass, field

from codebreaker.kernels.variation import UNIT
from codebreaker.kernels.variation_cpu import Genes
from codebreaker.optimise import genetic
from codebreaker.optimise.genetic import Params, State
from codebreaker.optimise.problem import Problem
from codebreaker.types import Scores

HISTORY = ("generation", "best", "start_best", "mean", "diversity", "restarts")
"""The columns of a history; diversity is the mean distance of a gene from the best one's."""


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
        told = {
            "game": self.problem.game.name,
            "criterion": self.problem.criterion.name,
            "n_turns": self.problem.n_turns,
            "opening": self.problem.opening,
            "params": asdict(self.params),
            "seed": self.seed,
        }
        return json.dumps(told, sort_keys=True)

    def weights(self, genes: Genes) -> Scores:
        """Return individuals' weights, (n_individuals, n_turns, n_feedback)."""
        return genetic.weights_of(genes, self.problem.n_turns, self.problem.first_turn)


@dataclass
class Progress:
    """A run's state, its history (a row of HISTORY a generation), and each generation's seconds.

    All but the seconds are a function of the task.
    """

    state: State
    history: list[tuple[float, ...]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


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
