"""Runs of the genetic algorithm with the population on the host."""

import time
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from codebreaker.types import Totals
from codebreaker.weights import genetic
from codebreaker.weights.genetic import State
from codebreaker.weights.kernels.genetic import Genes
from codebreaker.weights.problem import Phenotypes
from codebreaker.weights.task import Run, Task, history_row, is_complete

EARLY, RENEW_EARLY, RENEW_LATE = 100, 10, 50
"""The reference is renewed every RENEW_EARLY generations, and every RENEW_LATE once the best has
stagnated for EARLY generations."""


class Evaluator(Protocol):
    """Computes the fitness of individuals, possibly those of several runs in one batch."""

    @property
    def backend(self) -> str:
        """Return the name of the hardware that computes."""

    @property
    def batches_runs(self) -> bool:
        """Return whether runs advance together, in one batch of individuals."""

    def set_reference(self, phenotype: Phenotypes) -> None:
        """Set the reference, one individual; it affects speed only."""

    def __call__(self, phenotypes: Phenotypes) -> Totals:
        """Return the fitness of individuals, the less the better, (n,) int64."""


class HostEngine:
    """Advances the first incomplete run by a generation, or all if the evaluator batches runs."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.backend = evaluator.backend
        self._evaluate = evaluator
        self._reference_from = (-1, -1)

    def advance(self, tasks: Sequence[Task], runs: Sequence[Run]) -> None:
        """Advance one incomplete run, or all of them, by a generation."""
        began = time.monotonic()
        pairs = [pair for pair in zip(tasks, runs, strict=True) if not is_complete(*pair)]
        pairs = pairs if self._evaluate.batches_runs else pairs[:1]
        self._update_reference(pairs[0][0], pairs[0][1].state)
        populations = [
            genetic.ask(run.state, task.params, task.problem.genes_of_row) for task, run in pairs
        ]
        elites = [genetic.elite_totals(run.state, task.params) for task, run in pairs]
        children = [
            task.decode(genes[len(elite) :])
            for (task, _), genes, elite in zip(pairs, populations, elites, strict=True)
        ]
        totals = self._evaluate(Phenotypes(*map(np.concatenate, zip(*children, strict=True))))
        ends = np.cumsum([len(one.weights) for one in children])
        for (task, run), genes, *parts in zip(
            pairs, populations, elites, np.split(totals, ends[:-1]), strict=True
        ):
            tell(task, run, genes, np.concatenate(parts))
            run.seconds.append(time.monotonic() - began)

    def _update_reference(self, task: Task, state: State) -> None:
        """Let the reference follow the best individual."""
        seed, generation = self._reference_from
        every = RENEW_EARLY if state.stagnant < EARLY else RENEW_LATE
        due = seed != task.seed or generation < 0 or state.generation - generation >= every
        if state.generation > 0 and due:
            self._evaluate.set_reference(task.decode(state.genes[:1]))
            self._reference_from = (task.seed, state.generation)


def tell(task: Task, run: Run, genes: Genes, totals: Totals) -> None:
    """Update a run's state, history and snapshots with an evaluated generation."""
    run.state = state = genetic.tell(run.state, task.params, genes, totals)
    sums = (int(state.totals.sum()), genetic.spread(state.genes))
    row = (state.generation, state.best_total, state.start_best, *sums, state.restarts)
    run.history.append(history_row(row, *state.genes.shape))
    run.take_snapshot()
