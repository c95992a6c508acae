"""Runs of the genetic algorithm on CUDA, the seeds side by side as islands of one device."""

import time
from collections.abc import Sequence

import numpy as np
from numba import cuda

from codebreaker.optimise.fitness_cuda import CudaFitness
from codebreaker.optimise.genetic import State
from codebreaker.optimise.kernels import genetic_cuda as kernels
from codebreaker.optimise.kernels.variation import UNIT
from codebreaker.optimise.problem import individuals, plain
from codebreaker.optimise.task import HISTORY, MEET_EVERY, Progress, Task, row_of

GENERATIONS = 32
"""How many generations are enqueued before the host looks: it then adds sets to the memo."""


class CudaEngine:
    """Goes on with all runs at once, some generations at a time."""

    backend = "cuda"

    def __init__(self, fitness: CudaFitness) -> None:
        self._fitness = fitness
        self._islands: kernels.Islands | None = None

    def advance(self, tasks: Sequence[Task], runs: Sequence[Progress]) -> None:
        """Go on with every run that hasn't ended, up to a population to keep at most."""
        began, before = time.monotonic(), [run.state.generation for run in runs]
        if self._islands is None:
            self._islands = self._upload(tasks, [run.state for run in runs])
        islands, fitness, problem = self._islands, self._fitness, tasks[0].problem
        operators = tasks[0].params.operators(problem.n_genes, problem.genes_of_row)
        settings = self._settings(tasks[0])
        state = islands.state.copy_to_host()
        state[:, kernels.BEGAN] = state[:, kernels.GENERATION]
        islands.state.copy_to_device(state)
        n_islands, n = len(tasks), len(islands.active)
        for _ in range(min(GENERATIONS, *(MEET_EVERY - old % MEET_EVERY for old in before))):
            kernels.breed_kernel[n, kernels.THREADS](settings, operators, islands)
            fitness.launch(islands.weights, islands.orders, islands.active, islands.totals)
            kernels.tell_kernel[n_islands, kernels.THREADS](settings, islands)
        fitness.learn()
        self._download(islands, runs)
        seconds = time.monotonic() - began
        done = [run.state.generation - old for run, old in zip(runs, before, strict=True)]
        for run, generations in zip(runs, done, strict=True):
            if generations > 0:
                run.meet()
        for run, generations in zip(runs, done, strict=True):
            run.seconds += [seconds / max(done)] * generations

    def _upload(self, tasks: Sequence[Task], states: Sequence[State]) -> kernels.Islands:
        problem, population = tasks[0].problem, tasks[0].params.population
        n, n_genes, n_feedback = len(tasks), problem.n_genes, problem.game.n_feedback
        flat = individuals(problem, plain(np.ones((n * population, problem.n_turns, n_feedback))))
        rows = [
            (s.seed, s.generation, task.generations, s.best_total, s.start_best, s.stagnant,
             s.restarts, 0)
            for s, task in zip(states, tasks, strict=True)
        ]  # fmt: skip
        return kernels.Islands(
            state=cuda.to_device(np.array(rows, dtype=np.int64)),
            ranked=cuda.to_device(np.stack([s.genes for s in states])),
            ranked_totals=cuda.to_device(np.stack([s.totals for s in states])),
            best=cuda.to_device(np.stack([s.best_genes for s in states])),
            genes=cuda.device_array((n, population, n_genes), np.int64),
            totals=cuda.device_array(n * population, np.int64),
            active=cuda.device_array(n * population, np.int32),
            weights=cuda.to_device(np.ascontiguousarray(flat.weights[:, :, :n_feedback])),
            orders=cuda.to_device(flat.orders),
            order=cuda.device_array((n, population), np.int32),
            history=cuda.device_array((n, GENERATIONS, len(HISTORY)), np.int64),
        )

    def _settings(self, task: Task) -> kernels.IslandSettings:
        params, problem = task.params, task.problem
        return kernels.IslandSettings(
            elite=params.elite,
            restart_after=params.restart_after,
            first_redraw=round(UNIT * params.first_redraw),
            restart_redraw=round(UNIT * params.restart_redraw),
            restart_slack=params.restart_slack,
            scratch_every=params.scratch_every,
            spent=self._fitness.spent,
            scale=int(problem.weight_scale),
            first_row=problem.first_turn - 1,
            n_orders=len(problem.criteria),
        )

    def _download(self, islands: kernels.Islands, runs: Sequence[Progress]) -> None:
        """Bring the runs' states and histories up to what the device did."""
        state, ranked, totals, best, history = (
            part.copy_to_host()
            for part in (
                islands.state, islands.ranked, islands.ranked_totals, islands.best, islands.history,
            )
        )  # fmt: skip
        for i, run in enumerate(runs):
            seed, generation, _, best_total, start_best, stagnant, restarts, began = (
                int(value) for value in state[i]
            )
            for told in history[i, : generation - began].tolist():
                run.history.append(row_of(*told, *ranked.shape[1:]))
            run.state = State(
                seed=seed,
                generation=generation,
                genes=ranked[i],
                totals=totals[i],
                best_genes=best[i],
                best_total=best_total,
                start_best=start_best,
                stagnant=stagnant,
                restarts=restarts,
            )
