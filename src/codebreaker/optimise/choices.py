"""Choices in games without a table that are made once: remembered by set and row of weights."""

from hashlib import sha256
from typing import Literal

import numpy as np

from codebreaker.exact.endgames import Endgames
from codebreaker.games.model import CodeGame
from codebreaker.optimise.kernels import choices as kernel
from codebreaker.optimise.kernels.choices import ChoiceMemo
from codebreaker.policies.policy import Policy
from codebreaker.trees import on_demand
from codebreaker.trees.frontier import ForestWeights, Frontier, scoring_rule
from codebreaker.types import Indices


class ForestChooser:
    """The guesses of one policy under many rows of weights, with its endgames.

    A set's guess depends on its turn's row alone, so that trees which come to the same set under
    the same row share the work, at one time or at different ones.
    """

    def __init__(
        self,
        game: CodeGame,
        policy: Policy,
        mib: float,
        threads: int = 1,
        backend: Literal["cpu", "cuda"] = "cpu",
    ) -> None:
        if backend == "cuda":
            from codebreaker.trees import on_demand_cuda

            on_demand_cuda.check(game, policy.criterion)
        self._game, self._policy, self._threads, self._backend = game, policy, threads, backend
        self._known = nothing_known(game, mib)
        self._endgames = Endgames(game, policy.endgames)

    def __call__(self, forest: Frontier, rows: ForestWeights) -> Indices:
        """Return the guess at each node of a forest, (n_nodes,) int32.

        The rows' weights are the kernels' exact integers.
        """
        guesses = forest.sole_candidates
        hashes = [sha256(row.tobytes()).digest()[:8] for row in rows.weights]
        row_keys = np.frombuffer(b"".join(hashes), np.uint64)
        keys = kernel.keys_of(self._known, forest.sets, row_keys[rows.tree_of])
        kernel.recall(self._known, keys, guesses)
        missing = np.flatnonzero(guesses < 0)
        if len(missing):
            _, first, which = np.unique(keys[missing], return_index=True, return_inverse=True)
            nodes = missing[first]
            found = self._seek(forest.subset(nodes), rows.subset(nodes))
            kernel.remember(self._known, keys[nodes], found)
            guesses[missing] = found[which]
        return guesses

    def _seek(self, forest: Frontier, rows: ForestWeights) -> Indices:
        """Return the guesses of nodes that nothing is known of."""
        guesses = np.full(len(forest.parents), -1, np.int32)
        if forest.turn > 1:
            self._endgames.play(forest, guesses)
        rule = scoring_rule(self._game, self._policy, forest)
        if self._backend == "cuda":
            from codebreaker.trees import on_demand_cuda

            on_demand_cuda.choose_in_forest(self._game, forest, rule, rows, guesses)
        else:
            on_demand.choose_in_forest(self._game, forest, rule, rows, guesses, self._threads)
        return guesses


def nothing_known(game: CodeGame, mib: float) -> ChoiceMemo:
    """Return an empty table of known choices of about a size."""
    slots = 1 << max(int(mib * 2**20 / 12).bit_length() - 1, 10)
    return ChoiceMemo(
        zobrist=np.random.default_rng(0).integers(2**64, size=game.n_secrets, dtype=np.uint64),
        key=np.empty(slots, np.uint64),
        guess=np.full(slots, kernel.EMPTY, np.int32),
        filled=np.zeros(1, np.int64),
    )
