"""The fitness of weights on CUDA: the memo grows on the host, individuals are evaluated there."""

from typing import Any

import numpy as np
from numba import cuda

from codebreaker.kernels import fitness_cuda as kernels
from codebreaker.kernels.memo import LINKS, OPTIONS, SETS, find_missing
from codebreaker.optimise.problem import Problem, integer_weights
from codebreaker.optimise.worker import Worker
from codebreaker.types import Codes, Offsets, Scores

MISSES = 1 << 14
SET_COLUMNS = (
    "turn", "size", "option_at", "option_count", "leaders", "leader_scores", "rest", "version",
    "largest",
)  # fmt: skip


def device_name() -> str:
    """Return the name of the CUDA device."""
    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


class CudaFitness:
    """Total guesses by weights on a CUDA device, bit for bit those of the CPU."""

    backend = "cuda"

    def __init__(self, problem: Problem, memo_mib: float = 512.0) -> None:
        self.problem = problem
        self._host = Worker(problem, memo_mib)
        rules = self._host.rules
        self._rules = tuple(
            cuda.to_device(part) for part in (rules.terms, rules.terms_at, rules.tolerances)
        )
        self._reference: Scores | None = None
        self._version = 0
        self._sent: tuple[int, ...] | None = None

    def refer_to(self, weights: Scores) -> None:
        """Take an individual's weights, (n_turns, n_feedback), as the reference; results stay."""
        self._reference = integer_weights(self.problem, weights[None])
        self._version += 1
        if self._sent is not None:
            self._rank()

    def __call__(self, weights: Scores) -> Offsets:
        """Return the totals of (n_individuals, n_turns, n_feedback) weights in (0, 1], int64."""
        integers = integer_weights(self.problem, weights)
        if self._reference is None:
            self.refer_to(weights[0])
        return self._host.fit(integers, self._try)

    def _try(self, integers: Scores) -> Offsets | None:
        """Return the totals of some individuals, or None where the memo is full."""
        host = self._host
        if (host.start < 0).any():
            return None
        while True:
            self._send()
            totals, misses = self._evaluate(integers)
            if len(misses) == 0:
                return totals
            if not find_missing(host.rules, host.memo, host.scratch, misses):
                return None

    def _evaluate(self, integers: Scores) -> tuple[Offsets, Codes]:
        n = len(integers)
        totals = cuda.to_device(np.full(n, self._host.spent, dtype=np.int64))
        frontier = cuda.device_array((n, 2, self.problem.game.n_secrets), dtype=np.int32)
        misses = cuda.device_array((MISSES, 2), dtype=np.int32)
        n_misses = cuda.to_device(np.zeros(1, dtype=np.int32))
        kernels.evaluate_kernel[n, kernels.THREADS](
            self._version, self._rules, self._sets, self._options, cuda.to_device(integers),
            cuda.to_device(self._reference), cuda.to_device(self._host.start), frontier, totals,
            misses, n_misses,
        )  # fmt: skip
        found = min(int(n_misses.copy_to_host()[0]), MISSES)
        return totals.copy_to_host(), misses.copy_to_host()[:found]

    def _send(self) -> None:
        """Copy the memo to the device and rank it there, if it has grown or been emptied."""
        memo = self._host.memo
        used = tuple(memo.used.tolist())
        if used == self._sent:
            return
        sets, options = max(used[SETS], 1), max(used[OPTIONS], 1)
        self._sets: Any = tuple(cuda.to_device(getattr(memo, name)[:sets]) for name in SET_COLUMNS)
        self._options: Any = (
            cuda.to_device(memo.counts[:options]),
            cuda.to_device(memo.link_at[:options]),
            cuda.to_device(memo.links[: max(used[LINKS], 1)]),
        )
        self._sent = used
        self._rank()

    def _rank(self) -> None:
        n_sets = int(self._host.memo.used[SETS])
        blocks = -(-n_sets // kernels.THREADS)
        if blocks:
            kernels.rank_kernel[blocks, kernels.THREADS](
                n_sets, self._version, self._rules, self._sets, self._options,
                cuda.to_device(self._reference),
            )  # fmt: skip
