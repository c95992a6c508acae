"""A memo with its working memory, for one thread or one device."""

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.optimise.kernels import fitness as kernel
from codebreaker.optimise.kernels.fitness import Individuals
from codebreaker.optimise.problem import Problem, rules_of
from codebreaker.trees.kernels.memo import LEADERS, Memo, Scratch, find_set
from codebreaker.trees.memo import allocate_memo, allocate_scratch
from codebreaker.types import Indices, Offsets

INDIVIDUALS = 1 << 10
"""How many individuals the working memory is for; more are evaluated in parts."""


class Worker:
    """One thread's memo, the rules, and the sets that it starts from."""

    def __init__(self, problem: Problem, start_sets: list[Indices], memo_mib: float) -> None:
        self._problem, self._memo_mib = problem, memo_mib
        self.rules = rules_of(problem)
        self._start_sets = start_sets
        self.memo, self.scratch = _allocate(problem, memo_mib)
        self.clear()

    def clear(self) -> None:
        """Forget all sets but those that it starts from."""
        self.memo.used[:] = 0
        self.memo.slots[:] = -1
        self.scratch.heads[:] = -1
        turn = 1 if self._problem.opening is None else 2
        self.start = np.array(
            [find_set(self.rules, self.memo, one, turn) for one in self._start_sets],
            dtype=np.int32,
        )

    def totals(self, some: Individuals, reference: Individuals, version: int) -> Offsets:
        """Return what the start sets cost some individuals, in as few parts as the memo allows.

        Where the memo is full, they are tried with an empty one, then in halves; raises
        `CodebreakerError` where one individual is too many.
        """
        n = len(some.weights)
        if n <= INDIVIDUALS:
            for _ in range(2):
                found = self._try(some, reference, version)
                if found is not None:
                    return found
                self.clear()
        if n == 1:
            raise CodebreakerError(
                f"a memo of {self._memo_mib:g} MiB can't hold one tree of "
                f"{self._problem.game.name}: raise the config key limits.memo_mib"
            )
        halves = (
            Individuals(some.weights[at], some.orders[at])
            for at in (slice(n // 2), slice(n // 2, n))
        )
        return np.concatenate([self.totals(half, reference, version) for half in halves])

    def _try(self, some: Individuals, reference: Individuals, version: int) -> Offsets | None:
        found = np.zeros(len(some.weights), dtype=np.int64)
        done = (self.start >= 0).all() and kernel.totals(
            self.rules, self.memo, self.scratch, self.start, some, reference, version, found
        )
        return found if done else None


def _allocate(problem: Problem, memo_mib: float) -> tuple[Memo, Scratch]:
    """Allocate a memo of about the given size, and working memory."""
    game = problem.table
    f = game.n_feedback
    options = int(memo_mib * 2**20 / (2 * f + 4 + 8 + (64 + 20 * LEADERS + 16 * f) / 50 + 4))
    sets = max(options // 50, 16)
    memo = allocate_memo(game, sets, options, max(options // 2, 2 * game.n_secrets), options // 2)
    return memo, allocate_scratch(game, sets, INDIVIDUALS * game.n_secrets)
