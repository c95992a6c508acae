"""The fitness of individuals in games without a table: all their trees grow as one forest."""

from typing import Literal

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import CodeGame
from codebreaker.policies.registry import Policy
from codebreaker.policies.strategy import Strategy
from codebreaker.policies.weights import Weights, exact_weights
from codebreaker.sets.primitives import Sets
from codebreaker.trees.frontier import ForestWeights, Frontier
from codebreaker.trees.grow import levels
from codebreaker.types import Indices, Offsets, Scores, Totals
from codebreaker.weights.choices import ForestChooser
from codebreaker.weights.problem import Phenotypes, Problem, start_sets

FOREST_MIB = 2048
"""Memory for the trees that grow together, in MiB."""

BYTES_PER_CANDIDATE = 40
"""Measured memory of a tree per candidate, for one turn and the next."""


class FitnessOnDemand:
    """Evaluates individuals by growing all their trees together, turn by turn.

    Each choice is computed once and cached. On CUDA a turn's choices are one launch, so it is
    faster to evaluate many individuals per call.
    """

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
        policy = Strategy(
            "individual", endgames=problem.endgames, rule=Policy(problem.criteria[0], ones)
        )
        self._choose = ForestChooser(game, policy, memo_mib, threads, backend)
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

    def _start(self, n_trees: int) -> tuple[Frontier, Offsets]:
        """Return a forest with the start sets of each tree, and the tree of each node."""
        n_sets = len(self._sizes)
        offsets = np.append(0, np.cumsum(np.tile(self._sizes, n_trees)))
        no_parents = np.full(n_trees * n_sets, -1, np.int32)
        sets = Sets(np.tile(self._members, n_trees), offsets)
        forest = Frontier(self._problem.start_turn, sets, no_parents, no_parents)
        return forest, np.repeat(np.arange(n_trees), n_sets)
