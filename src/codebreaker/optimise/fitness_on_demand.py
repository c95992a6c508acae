"""The fitness of weights for games without a table: a forest of all individuals' trees is grown."""

from typing import Literal

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import CodeGame
from codebreaker.optimise.choices import ForestChooser
from codebreaker.optimise.problem import Problem, Vectors, start_sets
from codebreaker.policies.policy import Policy
from codebreaker.policies.weights import Weights
from codebreaker.trees.frontier import ForestWeights, Frontier
from codebreaker.trees.grow import levels
from codebreaker.trees.kernels.sets import Sets
from codebreaker.types import Indices, Offsets, Scores

FOREST_MIB = 2048
"""Memory for the trees that are grown together, in MiB."""

BYTES = 40
"""Bytes that a tree takes for each candidate of a turn, as measured, the next turn's included."""


class FitnessOnDemand:
    """Total guesses by weights: the trees of all individuals grow together, turn by turn.

    Choices are remembered, and what several trees ask for is sought once. On CUDA all that is
    sought at a turn is one launch, so that it pays to ask for many individuals at once.
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
            raise CodebreakerError(f"game {game.name} has no table: orders can't be sought there")
        self.backend, self.side_by_side = backend, backend == "cuda"
        self._problem, self._game, self._threads = problem, game, threads
        ones = Weights("individual", "", game.feedback_labels, np.ones((1, game.n_feedback)))
        policy = Policy("individual", problem.criteria[0], ones, endgames=problem.endgames)
        self._choose = ForestChooser(game, policy, memo_mib, threads, backend)
        self._spent, sets = start_sets(problem)
        self._members = np.concatenate([np.empty(0, np.int32), *sets])
        self._sizes = np.array([len(one) for one in sets], np.int64)

    def refer_to(self, one: Vectors) -> None:
        """Do nothing: no individual is a reference here."""

    def __call__(self, some: Vectors) -> Offsets:
        """Return the totals of some individuals with weights in (0, 1], (n,) int64.

        As many trees as memory allows grow at once.
        """
        weights = some.weights
        at_once = max(FOREST_MIB * 2**20 // (BYTES * self._game.n_secrets), 1)
        totals = np.empty(len(weights), np.int64)
        for start in range(0, len(weights), at_once):
            totals[start : start + at_once] = self._totals(weights[start : start + at_once])
        return totals

    def _totals(self, values: Scores) -> Offsets:
        """Return the totals of the trees of (n_trees, n_turns, n_feedback) weights, (n_trees,)."""
        problem, game = self._problem, self._game
        rounded = np.round(problem.weight_scale * values)
        totals = np.full(len(values), self._spent, np.int64)
        start, tree_of = self._plant(len(values))

        def choose(forest: Frontier) -> Indices:
            nonlocal tree_of
            if forest.turn > start.turn:
                tree_of = tree_of[forest.parents]
            row = np.ascontiguousarray(rounded[:, min(forest.turn, problem.n_turns) - 1])
            return self._choose(forest, ForestWeights(row, tree_of))

        for forest, _, _ in levels(game, start, choose, self._threads):
            totals += np.bincount(tree_of, forest.sizes, len(values)).astype(np.int64)
        return totals

    def _plant(self, n_trees: int) -> tuple[Frontier, Offsets]:
        """Return a forest of the sets that the opening leaves each tree, and the nodes' trees."""
        n_sets, problem = len(self._sizes), self._problem
        offsets = np.append(0, np.cumsum(np.tile(self._sizes, n_trees)))
        nowhere = np.full(n_trees * n_sets, -1, np.int32)
        turn = 1 if problem.opening is None else 2
        sets = Sets(np.tile(self._members, n_trees), offsets)
        forest = Frontier(turn, sets, nowhere, nowhere)
        return forest, np.repeat(np.arange(n_trees), n_sets)
