"""Runs of the genetic algorithm on the CPU, one after the other."""

import time
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from codebreaker.optimise import genetic
from codebreaker.optimise.genetic import State
from codebreaker.optimise.problem import Vectors
from codebreaker.optimise.task import Progress, Task, ended, row_of
from codebreaker.types import Offsets

REFER_EARLY, REFER_LATE, EARLY = 10, 50, 100


class Evaluates(Protocol):
    """What knows the fitness of individuals."""

    @property
    def backend(self) -> str:
        """Return where it finds it."""

    def __call__(self, some: Vectors) -> Offsets:
        """Return the totals of some individuals, (n,) int64."""

    def refer_to(self, one: Vectors) -> None:
        """Take an individual as the reference, which may change the speed and no result."""


class CpuEngine:
    """Goes on with the first run that hasn't ended, a generation at a time."""

    def __init__(self, fitness: Evaluates) -> None:
        self.backend = fitness.backend
        self._fitness = fitness
        self._referred = (-1, -1)

    def advance(self, tasks: Sequence[Task], runs: Sequence[Progress]) -> None:
        """Go on with a run by one generation."""
        began = time.monotonic()
        task, progress = next(pair for pair in zip(tasks, runs, strict=True) if not ended(*pair))
        state = progress.state
        self._refer(task, state)
        genes = genetic.ask(state, task.params, task.problem.genes_of_row)
        known = genetic.known_totals(state, task.params)
        found = self._fitness(task.vectors(genes[len(known) :]))
        state = genetic.tell(state, task.params, genes, np.concatenate([known, found]))
        progress.state = state
        progress.history.append(
            row_of(
                state.generation,
                state.best_total,
                state.start_best,
                int(state.totals.sum()),
                genetic.spread_of(state.genes),
                state.restarts,
                *state.genes.shape,
            )
        )
        progress.meet()
        progress.seconds.append(time.monotonic() - began)

    def _refer(self, task: Task, state: State) -> None:
        """Let the reference follow the best; it changes speed, never results."""
        seed, generation = self._referred
        every = REFER_EARLY if state.stagnant < EARLY else REFER_LATE
        due = seed != task.seed or generation < 0 or state.generation - generation >= every
        if state.generation > 0 and due:
            self._fitness.refer_to(task.vectors(state.genes[:1]))
            self._referred = (task.seed, state.generation)
