"""The fitness of individuals in games without a table: all their trees grow as one forest."""

from hashlib import sha256
from typing import Literal

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import CodeGame
from codebreaker.policies.registry import Policy
from codebreaker.policies.strategy import Strategy
from codebreaker.policies.weights import Weights, exact_weights
from codebreaker.search.endgames import Endgames
from codebreaker.sets.primitives import Sets
from codebreaker.trees import on_demand
from codebreaker.trees.frontier import ForestWeights, Frontier
from codebreaker.trees.grow import levels
from codebreaker.trees.scoring import scoring_rule
from codebreaker.types import Indices, Offsets, Scores, Totals
from codebreaker.weights.kernels import fitness as kernel
from codebreaker.weights.kernels.fitness import ChoiceCache, Phenotypes
from codebreaker.weights.problem import Problem, start_sets

FOREST_MIB = 2048
"""Memory for the trees that grow together, in MiB."""

BYTES_PER_CANDIDATE = 40
"""Measured memory of a tree per candidate, for one turn and the next."""


class FitnessOnDemand:
    """Evaluates individuals by growing all their trees together, turn by turn.

    A set's guess depends only on the set and its turn's row, so trees that reach the same set under
    the same row share the choice, within a call and between calls. On CUDA a turn's choices are one
    launch, so it is faster to evaluate many individuals per call.
    """

    backend: str

    def __init__(
        self,
        problem: Problem,
        memo_mib: float = 512.0,
        threads: int = 1,
        backend: Literal["cpu", "cuda"] = "cpu",
    ) -> None:
        game = problem.game
        assert isinstance(game, CodeGame)
        if problem.ordered:
            raise CodebreakerError(
                f"game {game.name} has no table: only weights can be optimised there, not orders"
            )
        self.backend, self.batches_runs = backend, backend == "cuda"
        self._problem, self._game, self._threads = problem, game, threads
        ones = Weights("individual", "", game.feedback_labels, np.ones((1, game.n_feedback)))
        if backend == "cuda":
            from codebreaker.trees import on_demand_cuda

            on_demand_cuda.check(game, problem.criteria[0])
        rule = Policy(problem.criteria[0], ones)
        self._policy = Strategy("individual", endgames=problem.endgames, rule=rule)
        self._cache = allocate_cache(game, memo_mib)
        self._endgames = Endgames(game, problem.endgames)
        self._spent, sets = start_sets(problem)
        self._members = np.concatenate([np.empty(0, np.int32), *sets])
        self._sizes = np.array([len(one) for one in sets], np.int64)

    def set_reference(self, phenotype: Phenotypes) -> None:
        """Do nothing: no reference is used here."""

    def __call__(self, phenotypes: Phenotypes) -> Totals:
        """Return the total guesses of individuals with weights in (0, 1], (n,) int64.

        Trees are grown in batches that fit into FOREST_MIB.
        """
        weights = phenotypes.weights
        batch = max(FOREST_MIB * 2**20 // (BYTES_PER_CANDIDATE * self._game.n_secrets), 1)
        totals = np.empty(len(weights), np.int64)
        for start in range(0, len(weights), batch):
            totals[start : start + batch] = self._totals(weights[start : start + batch])
        return totals

    def _totals(self, weights: Scores) -> Totals:
        """Return the totals of the trees of (n_trees, n_turns, n_feedback) weights, (n_trees,)."""
        problem, game = self._problem, self._game
        exact = exact_weights(weights, problem.weight_scale)
        totals = np.full(len(weights), self._spent, np.int64)
        start, tree_of = self._start(len(weights))

        def choose(forest: Frontier) -> Indices:
            nonlocal tree_of
            if forest.turn > start.turn:
                tree_of = tree_of[forest.parents]
            rows = np.ascontiguousarray(exact[:, min(forest.turn, problem.n_turns) - 1])
            return self._choose(forest, ForestWeights(rows, tree_of))

        for forest, _, _ in levels(game, start, choose, self._threads):
            totals += np.bincount(tree_of, forest.sizes, len(weights)).astype(np.int64)
        return totals

    def _choose(self, forest: Frontier, rows: ForestWeights) -> Indices:
        """Return the guess at each node of a forest by exact integer weights, (n_nodes,) int32."""
        guesses = forest.sole_candidates
        digests = [sha256(row.tobytes()).digest()[:8] for row in rows.weights]
        row_hashes = np.frombuffer(b"".join(digests), np.uint64)
        keys = kernel.keys_of(self._cache, forest.sets, row_hashes[rows.tree_of])
        kernel.look_up(self._cache, keys, guesses)
        missing = np.flatnonzero(guesses < 0)
        if len(missing):
            _, first, inverse = np.unique(keys[missing], return_index=True, return_inverse=True)
            nodes = missing[first]
            computed = self._compute(forest.subset(nodes), rows.subset(nodes))
            kernel.insert(self._cache, keys[nodes], computed)
            guesses[missing] = computed[inverse]
        return guesses

    def _compute(self, forest: Frontier, rows: ForestWeights) -> Indices:
        guesses = np.full(len(forest.parents), -1, np.int32)
        if forest.turn > 1:
            self._endgames.play(forest, guesses)
        rule = scoring_rule(self._game, self._policy, forest)
        if self.backend == "cuda":
            from codebreaker.trees import on_demand_cuda

            on_demand_cuda.choose_in_forest(self._game, forest, rule, rows, guesses)
        else:
            on_demand.choose_in_forest(self._game, forest, rule, rows, guesses, self._threads)
        return guesses

    def _start(self, n_trees: int) -> tuple[Frontier, Offsets]:
        """Return a forest with the start sets of each tree, and the tree of each node."""
        n_sets = len(self._sizes)
        offsets = np.append(0, np.cumsum(np.tile(self._sizes, n_trees)))
        no_parents = np.full(n_trees * n_sets, -1, np.int32)
        sets = Sets(np.tile(self._members, n_trees), offsets)
        forest = Frontier(self._problem.start_turn, sets, no_parents, no_parents)
        return forest, np.repeat(np.arange(n_trees), n_sets)


def allocate_cache(game: CodeGame, mib: float) -> ChoiceCache:
    """Return an empty hash table of at most `mib` MiB, or 1,024 slots if that is more."""
    slots = 1 << max(int(mib * 2**20 / 12).bit_length() - 1, 10)
    return ChoiceCache(
        zobrist=np.random.default_rng(0).integers(2**64, size=game.n_secrets, dtype=np.uint64),
        key=np.empty(slots, np.uint64),
        guess=np.full(slots, kernel.EMPTY, np.int32),
        filled=np.zeros(1, np.int64),
    )
