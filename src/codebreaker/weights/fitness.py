"""The fitness of individuals on the CPU: total guesses of the trees that their weights grow."""

from concurrent.futures import ThreadPoolExecutor

from codebreaker.types import Indices, Totals
from codebreaker.weights.kernels.fitness import ExactPhenotypes
from codebreaker.weights.problem import Phenotypes, Problem, exact, start_sets
from codebreaker.weights.worker import Worker


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
        self._reference: ExactPhenotypes | None = None
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
