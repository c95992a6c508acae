"""Runs of the genetic algorithm that the host breeds, one after the other or side by side."""

import time
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from codebreaker.optimise import genetic
from codebreaker.optimise.genetic import State
from codebreaker.optimise.kernels.genetic import Genes
from codebreaker.optimise.problem import Vectors
from codebreaker.optimise.task import Progress, Task, ended, row_of
from codebreaker.types import Offsets

REFER_EARLY, REFER_LATE, EARLY = 10, 50, 100


class Evaluates(Protocol):
    """What knows the fitness of individuals."""

    @property
    def backend(self) -> str:
        """Return where it finds it."""

    @property
    def side_by_side(self) -> bool:
        """Return whether many individuals at once take less time than one after the other."""

    def __call__(self, some: Vectors) -> Offsets:
        """Return the totals of some individuals, (n,) int64."""

    def refer_to(self, one: Vectors) -> None:
        """Take an individual as the reference, which may change the speed and no result."""


class HostEngine:
    """Goes on by a generation at a time, with the first run that hasn't ended, or with all.

    All go side by side where the fitness works on many individuals as one.
    """

    def __init__(self, fitness: Evaluates) -> None:
        self.backend = fitness.backend
        self._fitness = fitness
        self._referred = (-1, -1)

    def advance(self, tasks: Sequence[Task], runs: Sequence[Progress]) -> None:
        """Go on with a run by one generation, or with each run that hasn't ended."""
        began = time.monotonic()
        going = [pair for pair in zip(tasks, runs, strict=True) if not ended(*pair)]
        going = going if self._fitness.side_by_side else going[:1]
        self._refer(going[0][0], going[0][1].state)
        asked = [genetic.ask(run.state, one.params, one.problem.genes_of_row) for one, run in going]
        known = [genetic.known_totals(run.state, one.params) for one, run in going]
        new = [
            task.vectors(genes[len(totals) :])
            for (task, _), genes, totals in zip(going, asked, known, strict=True)
        ]
        found = self._fitness(Vectors(*map(np.concatenate, zip(*new, strict=True))))
        ends = np.cumsum([len(one.weights) for one in new])
        for (task, run), genes, *totals in zip(
            going, asked, known, np.split(found, ends[:-1]), strict=True
        ):
            tell(task, run, genes, np.concatenate(totals))
            run.seconds.append(time.monotonic() - began)

    def _refer(self, task: Task, state: State) -> None:
        """Let the reference follow the best; it changes speed, never results."""
        seed, generation = self._referred
        every = REFER_EARLY if state.stagnant < EARLY else REFER_LATE
        due = seed != task.seed or generation < 0 or state.generation - generation >= every
        if state.generation > 0 and due:
            self._fitness.refer_to(task.vectors(state.genes[:1]))
            self._referred = (task.seed, state.generation)


def tell(task: Task, run: Progress, genes: Genes, totals: Offsets) -> None:
    """Bring a run's state and history up to a generation whose totals are known."""
    run.state = state = genetic.tell(run.state, task.params, genes, totals)
    run.history.append(
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
    run.meet()
