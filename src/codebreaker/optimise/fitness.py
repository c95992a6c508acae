"""The fitness of individuals: the total guesses of the trees that their weights grow."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256
from typing import Literal

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.optimise.kernels import fitness as kernel
from codebreaker.optimise.kernels.fitness import Phenotypes
from codebreaker.optimise.problem import Problem, scored_game, start_sets, with_integer_weights
from codebreaker.policies.registry import Policy
from codebreaker.policies.strategy import Strategy
from codebreaker.policies.weights import Weights, exact_weights
from codebreaker.search.cost_to_go import empty_memo, slots_in
from codebreaker.search.endgames import Endgames
from codebreaker.sets.option_memo import LEADERS, allocate_memo, allocate_workspace, find_set
from codebreaker.sets.primitives import Sets
from codebreaker.trees import on_demand
from codebreaker.trees.frontier import ForestWeights, Frontier, scoring_rule
from codebreaker.trees.grow import grow, levels
from codebreaker.types import Indices, Scores, Totals

BATCH_SIZE = 1 << 10
"""Maximum number of individuals evaluated together."""

CELLS_PER_OPTION = 4
"""Average number of cells per option that the memo has room for; MM(4,6) needs 3.8."""

UNITS = 10_000
"""The fitness of entropy itself in each of several games, so that the sum is an integer."""

FOREST_MIB = 2048
"""MiB for the trees that grow together."""

BYTES_PER_CANDIDATE = 40
"""Bytes per candidate of a tree, as measured."""


class Evaluator:
    """Computes the fitness of individuals; if it `batches_runs`, runs advance together."""

    backend: str = "cpu"
    batches_runs = False

    def set_reference(self, phenotype: Phenotypes) -> None:
        """Set the reference individual, which affects speed only."""

    def __call__(self, phenotypes: Phenotypes) -> Totals:
        """Return the fitness of individuals with weights in (0, 1], (n,); the lowest is best."""
        raise NotImplementedError


class Worker:
    """Evaluates individuals from its start sets on, with its own memo."""

    def __init__(self, problem: Problem, start_sets: list[Indices], memo_mib: float) -> None:
        """Allocate a memo, whose arrays have the sizes that sets and options usually need."""
        self._problem = problem
        self._memo_mib = memo_mib
        self.rules = scored_game(problem)
        self._start_sets = start_sets
        game = problem.table
        per_set = 64 + 12 * (LEADERS + 1)
        options = int(memo_mib * 2**20 / (2 * CELLS_PER_OPTION + 2 + 4 + per_set / 100 + 4))
        sets = max(options // 100, 16)
        members = max(options // 4, 2 * game.n_secrets)
        self.memo = allocate_memo(
            game, sets, options, CELLS_PER_OPTION * options, members, options // 4
        )
        self.work = allocate_workspace(game, sets, BATCH_SIZE * game.n_secrets)
        self.reset()

    def reset(self) -> None:
        """Empty the memo of all but the start sets; `start` has their ids, −1 if it is full."""
        self.memo.used[:] = 0
        self.memo.slots[:] = -1
        self.work.heads[:] = -1
        turn = self._problem.start_turn
        ids = [find_set(self.rules, self.memo, members, turn) for members in self._start_sets]
        self.start = np.array(ids, dtype=np.int32)

    def totals(self, individuals: Phenotypes, reference: Phenotypes, version: int) -> Totals:
        """Return each individual's guesses from the start sets on, (n,) int64.

        A full memo is emptied and the batch tried again, then each half. Raises `CodebreakerError`
        if the memo can't hold the tree of one individual.
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
            raise self.too_small()
        halves = (
            Phenotypes(individuals.weights[part], individuals.orders[part])
            for part in (slice(n // 2), slice(n // 2, n))
        )
        return np.concatenate([self.totals(half, reference, version) for half in halves])

    def too_small(self) -> CodebreakerError:
        """Return the error of a memo that is too small."""
        what = f"a memo of {self._memo_mib:g} MiB can't hold one tree of {self._problem.game.name}"
        return CodebreakerError(f"{what}: provide more memory", setting="memo_mib")


class Fitness(Evaluator):
    """Evaluates individuals; its threads share the opening's cells, each with its own memo."""

    def __init__(self, problem: Problem, memo_mib: float = 512.0, threads: int = 1) -> None:
        """Deal the opening's cells out to threads, which share the memory for memos."""
        self.problem = problem
        self._spent, sets = start_sets(problem)
        shares = _split_evenly(sets, threads)
        self._workers = [Worker(problem, share, memo_mib / len(shares)) for share in shares]
        self._pool = ThreadPoolExecutor(len(shares))
        self._reference: Phenotypes | None = None
        self._version = 0

    def set_reference(self, phenotype: Phenotypes) -> None:
        """Set the reference."""
        self._reference = with_integer_weights(self.problem, phenotype)
        self._version += 1

    def __call__(self, phenotypes: Phenotypes) -> Totals:
        """Return total guesses, (n,) int64."""
        if self._reference is None:
            self.set_reference(Phenotypes(phenotypes.weights[:1], phenotypes.orders[:1]))
        reference = self._reference
        version = self._version
        individuals = with_integer_weights(self.problem, phenotypes)
        assert reference is not None

        def evaluate(worker: Worker) -> Totals:
            """Return the guesses from a worker's start sets on."""
            return worker.totals(individuals, reference, version)

        first, *others = self._workers
        jobs = [self._pool.submit(evaluate, worker) for worker in others]
        return self._spent + evaluate(first) + sum(job.result() for job in jobs)


def _split_evenly(sets: list[Indices], n_shares: int) -> list[list[Indices]]:
    """Deal sets out to shares, the largest first, each to the share with the fewest candidates."""
    shares: list[list[Indices]] = [[] for _ in range(max(min(n_shares, len(sets)), 1))]
    for members in sorted(sets, key=len, reverse=True):
        min(shares, key=lambda share: sum(map(len, share))).append(members)
    return shares


class JointFitness(Evaluator):
    """Evaluates individuals in several games with the same feedback."""

    def __init__(self, problems: Sequence[Problem], memo_mib: float) -> None:
        """Prepare the fitness of each game, and entropy's totals, to which it is compared."""
        self.problems = problems
        self._each = [Fitness(problem, memo_mib / len(problems)) for problem in problems]
        self._entropy = [
            grow(problem.game, Strategy("entropy", problem.opening)).total_guesses
            for problem in problems
        ]

    def set_reference(self, phenotype: Phenotypes) -> None:
        """Set the reference."""
        for fitness in self._each:
            fitness.set_reference(phenotype)

    def __call__(self, phenotypes: Phenotypes) -> Totals:
        """Return the sum over games of total divided by entropy's, in 1/UNITS, (n,) int64."""
        parts = [
            np.rint(UNITS * fitness(phenotypes) / entropy)
            for fitness, entropy in zip(self._each, self._entropy, strict=True)
        ]
        totals: Totals = np.sum(parts, axis=0).astype(np.int64)
        return totals


class FitnessOnDemand(Evaluator):
    """Evaluates individuals by growing all their trees together, turn by turn."""

    def __init__(
        self,
        problem: Problem,
        memo_mib: float = 512.0,
        threads: int = 1,
        backend: Literal["cpu", "cuda"] = "cpu",
    ) -> None:
        """Prepare a game without a table; raise `CodebreakerError` for orders of criteria."""
        game = problem.game.on_demand()
        criterion = problem.criteria[0]
        if problem.ordered:
            raise CodebreakerError(
                f"game {game.name} has no table: only weights can be optimised there, not orders"
            )
        self.backend = backend
        self.batches_runs = backend == "cuda"
        self._problem = problem
        self._game = game
        self._threads = threads
        self._play: Callable[..., None] = partial(on_demand.choose, threads=threads)
        if backend == "cuda":
            from codebreaker.trees import on_demand_cuda

            on_demand_cuda.check_supported(game, criterion)
            self._play = on_demand_cuda.choose
        ones = Weights("individual", "", game.feedback_labels, np.ones((1, game.n_feedback)))
        rule = Policy(criterion, ones)
        self._policy = Strategy("individual", endgames=problem.endgames, rule=rule)
        self._memo = empty_memo(game.n_secrets, slots_in(memo_mib))
        self._endgames = Endgames(game, problem.endgames)
        self._spent, self._sets = start_sets(problem)

    def __call__(self, phenotypes: Phenotypes) -> Totals:
        """Return total guesses, (n,) int64; trees grow in batches that fit into FOREST_MIB."""
        weights = phenotypes.weights
        batch = max(FOREST_MIB * 2**20 // (BYTES_PER_CANDIDATE * self._game.n_secrets), 1)
        starts = range(0, len(weights), batch)
        return np.concatenate([self._totals(weights[start : start + batch]) for start in starts])

    def _totals(self, weights: Scores) -> Totals:
        """Return the total guesses of a batch, (n_trees, n_turns, n_feedback) weights."""
        problem = self._problem
        n_trees = len(weights)
        integers = exact_weights(weights, problem.weight_scale)
        totals = np.full(n_trees, self._spent, np.int64)
        offsets = np.cumsum([0, *map(len, self._sets * n_trees)])
        sets = Sets(np.concatenate([np.empty(0, np.int32), *self._sets * n_trees]), offsets)
        no_parents = np.full(len(offsets) - 1, -1, np.int32)
        start = Frontier(problem.start_turn, sets, no_parents, no_parents)
        tree_of = np.repeat(np.arange(n_trees), len(self._sets))

        def choose(forest: Frontier) -> Indices:
            """Return the guess at each node under its own tree's row of weights."""
            nonlocal tree_of
            if forest.turn > start.turn:
                tree_of = tree_of[forest.parents]
            rows = np.ascontiguousarray(integers[:, min(forest.turn, problem.n_turns) - 1])
            return self._choose(forest, ForestWeights(rows, tree_of))

        for forest, _, _ in levels(self._game, start, choose, self._threads):
            totals += np.bincount(tree_of, forest.sizes, n_trees).astype(np.int64)
        return totals

    def _choose(self, forest: Frontier, rows: ForestWeights) -> Indices:
        """Return each node's guess, (n_nodes,), from the cache or computed once per key."""
        guesses = forest.sole_candidates
        digests = [sha256(row.tobytes()).digest()[:8] for row in rows.weights]
        row_hashes = np.frombuffer(b"".join(digests), np.uint64)
        keys = kernel.keys_of(self._memo.words, forest.sets, row_hashes[rows.tree_of])
        kernel.look_up(self._memo, keys, guesses)
        missing = np.flatnonzero(guesses < 0)
        if len(missing):
            _, first, inverse = np.unique(keys[missing, 0], return_index=True, return_inverse=True)
            nodes = missing[first]
            computed = self._compute(forest.subset(nodes), rows.subset(nodes))
            kernel.insert(self._memo, keys[nodes], computed)
            guesses[missing] = computed[inverse]
        return guesses

    def _compute(self, forest: Frontier, rows: ForestWeights) -> Indices:
        """Compute each node's guess: small sets by endgames, others by score."""
        guesses = np.full(len(forest.parents), -1, np.int32)
        if forest.turn > 1:
            self._endgames.play(forest, guesses)
        rule = scoring_rule(self._game, self._policy, forest)
        self._play(self._game, forest, rule, guesses, rows=rows)
        return guesses
