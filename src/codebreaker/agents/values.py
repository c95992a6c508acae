"""The values of positions and guesses: exact where they can be known, otherwise estimates."""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from codebreaker.advice.regret import PolicyValues, Values, guess_totals
from codebreaker.advice.score import ENDGAMES, is_judged_exactly, reference_policy
from codebreaker.api.games import Game
from codebreaker.runtime.progress import without_progress
from codebreaker.sets.primitives import Sets
from codebreaker.trees.frontier import Frontier
from codebreaker.types import AnyPool, Indices, Move

ALWAYS_EXACT = 2
"""One candidate needs one guess, and two need three, whatever plays."""


class Position(NamedTuple):
    """A game before a guess: its moves, its candidates, and the allowed guesses in hard mode."""

    moves: tuple[Move, ...]
    members: Indices
    allowed: Indices | None


class Worth(NamedTuple):
    """The expected guesses with a guess, and after each feedback to it; whether they are exact."""

    with_guess: float
    after: dict[int, float]
    is_exact: bool


class Judge:
    """Values of a game's positions, against play with guesses of the pool.

    Games that `cb.score` judges by optimal play are valued exactly. In others the values are those
    of the best policy known, which plays sets of up to ENDGAMES candidates optimally: the values of
    larger sets are estimates, and a regret among them may be negative.
    """

    def __init__(self, game: Game, guess_pool: AnyPool = "all") -> None:
        """Choose what judges the game's moves."""
        self._game = game._model
        self._values: Values
        if is_judged_exactly(self._game):
            self._values = game._optimal_values(guess_pool)
        else:
            pool = None if guess_pool == "all" else guess_pool
            policy = reference_policy(game._notation, None, pool)
            self._values = PolicyValues(self._game, policy)

    @property
    def name(self) -> str:
        """What judges: `optimal`, or a policy with its settings."""
        return self._values.name

    @cached_property
    def start(self) -> float:
        """The expected guesses of a whole game."""
        return self._values.root() / self._mass(np.arange(self._game.n_secrets, dtype=np.int32))

    def is_exact(self, n_candidates: int) -> bool:
        """Return whether the value of a set of this size is exact, and not an estimate."""
        largest = ENDGAMES if self._game.has_table else ALWAYS_EXACT
        return self._values.is_exact or n_candidates <= largest

    def worths(self, positions: Sequence[Position], guesses: Sequence[int]) -> list[Worth]:
        """Return what a guess is worth at each position, all together.

        Positions with the same moves, and the same guess, are valued once.
        """
        keys = [(position.moves, guess) for position, guess in zip(positions, guesses, strict=True)]
        distinct = dict(zip(keys, positions, strict=True))
        by_length = dict[int, list[tuple[tuple[Move, ...], int]]]()
        for moves, guess in distinct:
            by_length.setdefault(len(moves), []).append((moves, guess))
        worth_of = dict[tuple[tuple[Move, ...], int], Worth]()
        for alike in by_length.values():
            played = [distinct[key] for key in alike]
            worths = self._at_one_turn(played, [guess for _, guess in alike])
            worth_of |= zip(alike, worths, strict=True)
        return [worth_of[key] for key in keys]

    def _at_one_turn(self, positions: Sequence[Position], guesses: list[int]) -> list[Worth]:
        """Return what guesses are worth at positions with equally many moves."""
        # 1. The positions as a frontier, and all guesses up to the last one.
        turn = len(positions[0].moves) + 1
        sizes = [len(position.members) for position in positions]
        members = np.concatenate([position.members for position in positions])
        nowhere = np.full(len(positions), -1, dtype=np.int32)
        pools = [position.allowed for position in positions if position.allowed is not None]
        nodes = Frontier(
            turn=turn,
            sets=Sets(members, np.append(0, np.cumsum(sizes))),
            parents=nowhere,
            feedback=nowhere,
            pools=pools or None,
        )
        histories = [
            [*(before for before, _ in position.moves), guess]
            for position, guess in zip(positions, guesses, strict=True)
        ]
        # 2. Their totals, and the totals of their parts.
        played = np.array(guesses, dtype=np.int32)
        after_all = np.array(histories, dtype=np.int32)
        with without_progress():
            totals = guess_totals(self._values, nodes, played, after_all)
        # 3. Totals become means.
        after: list[dict[int, float]] = [{self._game.solved: 0.0} for _ in positions]
        parts = zip(
            totals.parts.parents.tolist(),
            totals.parts.feedback.tolist(),
            totals.parts.cells,
            totals.totals.tolist(),
            strict=True,
        )
        for node, feedback, part, total in parts:
            after[node][feedback] = total / self._mass(part)
        return [
            Worth(total / self._mass(position.members), values, self.is_exact(size))
            for total, position, values, size in zip(
                totals.with_guess.tolist(), positions, after, sizes, strict=True
            )
        ]

    def _mass(self, members: Indices) -> int:
        """Return the sum of candidates' weights: without a prior, their number."""
        prior = self._game.prior
        return len(members) if prior is None else int(prior[members].sum())
