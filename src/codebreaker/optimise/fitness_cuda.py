"""The fitness of weights on CUDA: the memo grows on the host, individuals are evaluated there."""

from typing import Any

import numpy as np
from numba import cuda

from codebreaker.errors import CodebreakerError
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
        self.problem, self._memo_mib = problem, memo_mib
        self._host = Worker(problem, memo_mib)
        rules = self._host.rules
        self._rules = tuple(
            cuda.to_device(part) for part in (rules.terms, rules.terms_at, rules.tolerances)
        )
        self._reference: Scores | None = None
        self._version = 0
        self._upload()

    def refer_to(self, weights: Scores) -> None:
        """Take an individual's weights, (n_turns, n_feedback), as the reference; results stay."""
        self._reference = integer_weights(self.problem, weights[None])
        self._version += 1
        self._rank()

    def __call__(self, weights: Scores) -> Offsets:
        """Return the totals of (n_individuals, n_turns, n_feedback) weights in (0, 1], int64."""
        integers = integer_weights(self.problem, weights)
        if self._reference is None:
            self.refer_to(weights[0])
        cleared = False
        while True:
            totals, misses = self._evaluate(integers)
            if len(misses) == 0:
                return totals
            if not find_missing(self._host.rules, self._host.memo, self._host.scratch, misses):
                if cleared:
                    raise CodebreakerError(
                        f"a memo of {self._memo_mib:g} MiB can't hold a generation's trees of "
                        f"{self.problem.game.name}: raise the config key limits.memo_mib"
                    )
                self._host.clear()
                cleared = True
            self._upload()
            self._rank()

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

    def _upload(self) -> None:
        memo = self._host.memo
        sets, options = max(int(memo.used[SETS]), 1), max(int(memo.used[OPTIONS]), 1)
        self._sets: Any = tuple(cuda.to_device(getattr(memo, name)[:sets]) for name in SET_COLUMNS)
        self._options: Any = (
            cuda.to_device(memo.counts[:options]),
            cuda.to_device(memo.link_at[:options]),
            cuda.to_device(memo.links[: max(int(memo.used[LINKS]), 1)]),
        )

    def _rank(self) -> None:
        n_sets = int(self._host.memo.used[SETS])
        blocks = -(-n_sets // kernels.THREADS)
        if self._reference is not None and blocks:
            kernels.rank_kernel[blocks, kernels.THREADS](
                n_sets, self._version, self._rules, self._sets, self._options,
                cuda.to_device(self._reference),
            )  # fmt: skip
