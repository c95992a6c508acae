"""The fitness of weights for games without a table: trees are grown, and choices are remembered."""

from typing import Literal

import numpy as np

from codebreaker.endgames import Endgames, chooser
from codebreaker.errors import CodebreakerError
from codebreaker.game import CodeGame
from codebreaker.on_demand import nothing_known
from codebreaker.optimise.problem import Problem, Vectors
from codebreaker.policy import Policy
from codebreaker.tree import plant
from codebreaker.types import Offsets, Scores
from codebreaker.weights import Weights


class FitnessOnDemand:
    """Total guesses by weights: each individual's tree is grown, one turn after the other.

    A set's guess depends on its turn's weights alone, so that individuals that differ in other
    rows, or come to the same sets by other ways, share the work. On CUDA all choices are made anew.
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
        self._problem, self._game, self._threads = problem, game, threads
        self.backend = backend
        self._known = nothing_known(game, memo_mib)
        self._endgames = Endgames(game, problem.endgames)

    def refer_to(self, one: Vectors) -> None:
        """Do nothing: no individual is a reference here."""

    def __call__(self, some: Vectors) -> Offsets:
        """Return the totals of some individuals with weights in (0, 1], (n,) int64."""
        return np.array([self._total(weights) for weights in some.weights], dtype=np.int64)

    def _total(self, values: Scores) -> int:
        problem, game = self._problem, self._game
        policy = Policy(
            "individual",
            problem.criteria[0],
            Weights("individual", "", game.feedback_labels, values),
            problem.opening,
            endgames=problem.endgames,
        )
        choose = chooser(game, policy, self._threads, self._known, self._endgames, self.backend)
        return plant(game, choose).total_guesses
