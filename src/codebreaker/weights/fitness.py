"""The fitness of individuals on the CPU: total guesses of the trees that their weights grow."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.sets.option_memo import (
    LEADERS,
    allocate_memo,
    allocate_workspace,
    find_set,
)
from codebreaker.types import Indices, Totals
from codebreaker.weights.kernels import fitness as kernel
from codebreaker.weights.kernels.fitness import Phenotypes
from codebreaker.weights.problem import Problem, exact, scored_game, start_sets

BATCH_SIZE = 1 << 10
"""The most individuals evaluated together; working memory is allocated for as many."""


class Worker:
    """Evaluates individuals from its start sets on, with a memo of its own of about a size."""

    def __init__(self, problem: Problem, start_sets: list[Indices], memo_mib: float) -> None:
        self._problem, self._memo_mib = problem, memo_mib
        self.rules = scored_game(problem)
        self._start_sets = start_sets
        game, f = problem.table, problem.game.n_feedback
        options = int(memo_mib * 2**20 / (2 * f + 4 + 8 + (64 + 20 * LEADERS + 16 * f) / 50 + 4))
        sets, members = max(options // 50, 16), max(options // 2, 2 * game.n_secrets)
        self.memo = allocate_memo(game, sets, options, members, options // 2)
        self.work = allocate_workspace(game, sets, BATCH_SIZE * game.n_secrets)
        self.reset()

    def reset(self) -> None:
        """Empty the memo of all but the start sets; `start` has their ids, −1 if it is full."""
        self.memo.used[:] = 0
        self.memo.slots[:] = -1
        self.work.heads[:] = -1
        turn = self._problem.start_turn
        ids = [find_set(self.rules, self.memo, one, turn) for one in self._start_sets]
        self.start = np.array(ids, dtype=np.int32)

    def totals(self, individuals: Phenotypes, reference: Phenotypes, version: int) -> Totals:
        """Return each individual's guesses from the start sets on, (n,) int64.

        If the memo fills up, it is emptied and the batch tried again, then each half of it. Raise
        `CodebreakerError` if the memo is too small for a single individual. The version changes
        with the reference.
        """
        n = len(individuals.weights)
        if n <= BATCH_SIZE:
            for _ in range(2):
                totals = np.zeros(n, dtype=np.int64)
                if (self.start >= 0).all() and kernel.add_totals(
                    self.rules, self.memo, self.work, self.start, individuals, reference, version,
                    totals,
                ):  # fmt: skip
                    return totals
                self.reset()
        if n == 1:
            raise CodebreakerError(
                f"a memo of {self._memo_mib:g} MiB can't hold one tree of "
                f"{self._problem.game.name}: provide more memory",
                setting="memo_mib",
            )
        halves = (
            Phenotypes(individuals.weights[part], individuals.orders[part])
            for part in (slice(n // 2), slice(n // 2, n))
        )
        return np.concatenate([self.totals(half, reference, version) for half in halves])


class Fitness:
    """Evaluates individuals with a memo of candidate sets; not thread-safe itself.

    It runs `threads` threads of its own, each with its own memo: the cells of the opening are
    disjoint, so threads process them independently. Threads beyond the number of cells stay idle.
    """

    backend, batches_runs = "cpu", False

    def __init__(self, problem: Problem, memo_mib: float = 512.0, threads: int = 1) -> None:
        self.problem = problem
        self._spent, sets = start_sets(problem)
        shares = split_evenly(sets, threads)
        self._workers = [Worker(problem, share, memo_mib / len(shares)) for share in shares]
        self._pool = ThreadPoolExecutor(len(shares))
        self._reference: Phenotypes | None = None
        self._version = 0

    def set_reference(self, phenotype: Phenotypes) -> None:
        """Set the reference, one individual; it affects speed only."""
        self._reference = exact(self.problem, phenotype)
        self._version += 1

    def __call__(self, phenotypes: Phenotypes) -> Totals:
        """Return the total guesses of individuals with weights in (0, 1], (n,) int64."""
        if self._reference is None:
            self.set_reference(Phenotypes(phenotypes.weights[:1], phenotypes.orders[:1]))
        reference, version = self._reference, self._version
        individuals = exact(self.problem, phenotypes)
        assert reference is not None

        def evaluate(worker: Worker) -> Totals:
            return worker.totals(individuals, reference, version)

        first, *others = self._workers
        jobs = [self._pool.submit(evaluate, worker) for worker in others]
        return self._spent + evaluate(first) + sum(job.result() for job in jobs)


def split_evenly(sets: list[Indices], n_shares: int) -> list[list[Indices]]:
    """Divide sets into at most `n_shares` shares with about equally many secrets."""
    shares: list[list[Indices]] = [[] for _ in range(max(min(n_shares, len(sets)), 1))]
    for one in sorted(sets, key=len, reverse=True):
        min(shares, key=lambda share: sum(map(len, share))).append(one)
    return shares
