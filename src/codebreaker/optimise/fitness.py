"""The fitness of weights, in batches: how many guesses the trees take that they grow."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from codebreaker.optimise.problem import Problem, integer_weights
from codebreaker.optimise.worker import Worker
from codebreaker.types import Offsets, Scores


class Fitness:
    """Total guesses by weights on the CPU, shared among individuals and remembered.

    Not for use by several threads at once; it has threads of its own, each with its own memo.
    """

    backend = "cpu"

    def __init__(self, problem: Problem, memo_mib: float = 512.0, threads: int = 1) -> None:
        self.problem = problem
        self._workers = [Worker(problem, memo_mib / threads) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._reference: Scores | None = None
        self._version = 0

    def refer_to(self, weights: Scores) -> None:
        """Take an individual's weights, (n_turns, n_feedback), as the reference; results stay."""
        self._reference = integer_weights(self.problem, weights[None])
        self._version += 1

    def __call__(self, weights: Scores) -> Offsets:
        """Return the totals of (n_individuals, n_turns, n_feedback) weights in (0, 1], int64."""
        integers = integer_weights(self.problem, weights)
        if self._reference is None:
            self._reference, self._version = integers[:1], self._version + 1
        reference, version = self._reference, self._version
        if self._pool is None:
            return self._workers[0].totals(integers, reference, version)
        parts = np.array_split(integers, len(self._workers))
        jobs = [
            self._pool.submit(worker.totals, part, reference, version)
            for worker, part in zip(self._workers, parts, strict=True)
        ]
        return np.concatenate([job.result() for job in jobs])
