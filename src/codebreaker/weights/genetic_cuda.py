"""Runs of the genetic algorithm on CUDA: the seeds are islands on one device."""

import time
from collections.abc import Sequence

import numpy as np
from numba import cuda

from codebreaker.weights.fitness_cuda import CudaFitness
from codebreaker.weights.genetic import State
from codebreaker.weights.kernels import genetic_cuda as kernels
from codebreaker.weights.kernels.device_memory import Population
from codebreaker.weights.kernels.variation import UNIT
from codebreaker.weights.problem import exact, with_weights
from codebreaker.weights.task import HISTORY, SNAPSHOT_EVERY, Run, Task, history_row

GENERATIONS = 32
"""Generations per call; between calls the host extends the memo."""


class CudaEngine:
    """Advances all runs together, several generations at a time."""

    backend = "cuda"

    def __init__(self, fitness: CudaFitness) -> None:
        self._fitness = fitness
        self._islands: kernels.Islands | None = None

    def advance(self, tasks: Sequence[Task], runs: Sequence[Run]) -> None:
        """Advance every incomplete run, at most to its next snapshot."""
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
        population = Population(islands.weights, islands.orders, islands.active, islands.totals)
        for _ in range(
            min(GENERATIONS, *(SNAPSHOT_EVERY - old % SNAPSHOT_EVERY for old in before))
        ):
            kernels.breed_kernel[n, kernels.THREADS](settings, operators, islands)
            fitness.launch(population)
            kernels.tell_kernel[n_islands, kernels.THREADS](settings, islands)
        fitness.extend_memo()
        self._download(islands, runs)
        seconds = time.monotonic() - began
        done = [run.state.generation - old for run, old in zip(runs, before, strict=True)]
        for run, generations in zip(runs, done, strict=True):
            if generations > 0:
                run.take_snapshot()
        for run, generations in zip(runs, done, strict=True):
            run.seconds += [seconds / max(done)] * generations

    def _upload(self, tasks: Sequence[Task], states: Sequence[State]) -> kernels.Islands:
        problem, population = tasks[0].problem, tasks[0].params.population
        n, n_genes, n_feedback = len(tasks), problem.n_genes, problem.game.n_feedback
        ones = np.ones((n * population, problem.n_turns, n_feedback))
        individuals = exact(problem, with_weights(ones))
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
            weights=cuda.to_device(np.ascontiguousarray(individuals.weights[:, :, :n_feedback])),
            orders=cuda.to_device(individuals.orders),
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

    def _download(self, islands: kernels.Islands, runs: Sequence[Run]) -> None:
        """Update the runs' states and histories from the device."""
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
            for sums in history[i, : generation - began].tolist():
                run.history.append(history_row(sums, *ranked.shape[1:]))
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
