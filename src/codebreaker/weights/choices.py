"""Choosing guesses for many trees of a game without a table, each choice computed once."""

from hashlib import sha256
from typing import Literal

import numpy as np

from codebreaker.games.model import CodeGame
from codebreaker.policies.strategy import Strategy
from codebreaker.search.endgames import Endgames
from codebreaker.trees import on_demand
from codebreaker.trees.frontier import ForestWeights, Frontier
from codebreaker.trees.scoring import scoring_rule
from codebreaker.types import Indices
from codebreaker.weights.kernels import choices as kernel
from codebreaker.weights.kernels.choices import ChoiceCache


class ForestChooser:
    """Chooses the guesses of one policy, endgames included, under many rows of weights.

    A set's guess depends only on the set and its turn's row, so trees that reach the same set under
    the same row share the choice, within a call and between calls.
    """

    def __init__(
        self,
        game: CodeGame,
        policy: Strategy,
        cache_mib: float,
        threads: int = 1,
        backend: Literal["cpu", "cuda"] = "cpu",
    ) -> None:
        if backend == "cuda":
            from codebreaker.trees import on_demand_cuda

            on_demand_cuda.check(game, policy.criterion)
        self._game, self._policy, self._threads, self._backend = game, policy, threads, backend
        self._cache = allocate_cache(game, cache_mib)
        self._endgames = Endgames(game, policy.endgames)

    def __call__(self, forest: Frontier, rows: ForestWeights) -> Indices:
        """Return the guess at each node of a forest, (n_nodes,) int32.

        The rows hold exact integer weights.
        """
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
        if self._backend == "cuda":
            from codebreaker.trees import on_demand_cuda

            on_demand_cuda.choose_in_forest(self._game, forest, rule, rows, guesses)
        else:
            on_demand.choose_in_forest(self._game, forest, rule, rows, guesses, self._threads)
        return guesses


def allocate_cache(game: CodeGame, mib: float) -> ChoiceCache:
    """Return an empty hash table of at most `mib` MiB, or 1,024 slots if that is more."""
    slots = 1 << max(int(mib * 2**20 / 12).bit_length() - 1, 10)
    return ChoiceCache(
        zobrist=np.random.default_rng(0).integers(2**64, size=game.n_secrets, dtype=np.uint64),
        key=np.empty(slots, np.uint64),
        guess=np.full(slots, kernel.EMPTY, np.int32),
        filled=np.zeros(1, np.int64),
    )
