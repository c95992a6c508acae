"""The fitness of weights, in batches: how many guesses the trees take that they grow."""

from concurrent.futures import ThreadPoolExecutor

from codebreaker.optimise.kernels.fitness import Individuals
from codebreaker.optimise.problem import Problem, Vectors, individuals, start_sets
from codebreaker.optimise.worker import Worker
from codebreaker.types import Indices, Offsets


class Fitness:
    """Total guesses by weights on the CPU, shared among individuals and remembered.

    Not for use by several threads at once. It has threads of its own: the sets that the opening
    leaves share no secret, so that each thread follows some of them, for all individuals, with a
    memo of its own; more threads than such sets are of no use.
    """

    backend, side_by_side = "cpu", False

    def __init__(self, problem: Problem, memo_mib: float = 512.0, threads: int = 1) -> None:
        self.problem = problem
        self._spent, sets = start_sets(problem)
        hands = deal(sets, threads)
        self._workers = [Worker(problem, hand, memo_mib / len(hands)) for hand in hands]
        self._pool = ThreadPoolExecutor(len(hands))
        self._reference: Individuals | None = None
        self._version = 0

    def refer_to(self, one: Vectors) -> None:
        """Take an individual as the reference, which changes the speed and no result."""
        self._reference = individuals(self.problem, one)
        self._version += 1

    def __call__(self, some: Vectors) -> Offsets:
        """Return the totals of some individuals with weights in (0, 1], (n,) int64."""
        if self._reference is None:
            self.refer_to(Vectors(some.weights[:1], some.orders[:1]))
        reference, version = self._reference, self._version
        told = individuals(self.problem, some)
        assert reference is not None

        def follow(worker: Worker) -> Offsets:
            return worker.totals(told, reference, version)

        first, *others = self._workers
        jobs = [self._pool.submit(follow, worker) for worker in others]
        return self._spent + follow(first) + sum(job.result() for job in jobs)


def deal(sets: list[Indices], hands: int) -> list[list[Indices]]:
    """Share sets out so that each hand has about as many secrets, the largest set first."""
    dealt: list[list[Indices]] = [[] for _ in range(max(min(hands, len(sets)), 1))]
    for one in sorted(sets, key=len, reverse=True):
        min(dealt, key=lambda hand: sum(map(len, hand))).append(one)
    return dealt
