"""Choices at candidate sets: the options, and the regret of each above the optimum."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from codebreaker.policies.criterion import TIE_TOLERANCE_BITS, Criterion
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.sets.partition import count_table, split
from codebreaker.types import Indices, Scores, Totals


@dataclass(frozen=True, eq=False)
class Choice:
    """A candidate set of at least two at a turn, with its distinct options in the tie order.

    `scores` (n_options, n_feedback) float64 holds each feedback's contribution to the score, in
    bits; an option's score is their weighted sum. `guesses` (n_options,) int32 holds the first
    guess of each option, and `regrets` (n_options,) int64 its cost above the optimum, capped at
    the budget + 1.
    """

    members: Indices
    scores: Scores
    guesses: Indices
    regrets: Totals
    _dominators: dict[int, int | None] = field(default_factory=dict)

    def dominator(self, option: int) -> int | None:
        """Return an option whose scores are nowhere lower and somewhere higher, if there is one."""
        if option not in self._dominators:
            scores, own = self.scores, self.scores[option]
            above = (scores >= own).all(axis=1) & (scores > own).any(axis=1)
            self._dominators[option] = int(above.argmax()) if above.any() else None
        return self._dominators[option]

    def winner(self, weights: Scores) -> int:
        """Return the index of the winning option under a row of weights, (n_feedback,)."""
        totals = self.scores @ weights
        return int(np.flatnonzero(totals >= totals.max() - TIE_TOLERANCE_BITS)[0])


class ChoiceTable:
    """The choices at candidate sets, each computed once per turn."""

    def __init__(self, cost: CostToGo, criterion: Criterion, budget: int) -> None:
        self.cost, self.criterion, self.budget = cost, criterion, budget
        self._computed: dict[tuple[int, bytes], Choice] = {}

    def at(self, members: Indices, turn: int) -> Choice:
        """Return the choice at a set of members, (n_members,) int32 ascending."""
        key = (turn, members.tobytes())
        if key not in self._computed:
            self._computed[key] = self._compute(members, turn)
        return self._computed[key]

    def of(self, sets: Sequence[Indices], turn: int) -> list[Choice]:
        """Return the choices at the sets of at least two."""
        return [self.at(members, turn) for members in sets if len(members) > 1]

    def after(self, choice: Choice, option: int) -> list[tuple[int, Indices]]:
        """Return an option's cells of at least two, each with its feedback id."""
        cells = split(self.cost.game, int(choice.guesses[option]), choice.members)
        return [(feedback, cell) for feedback, cell in cells.items() if len(cell) > 1]

    def _compute(self, members: Indices, turn: int) -> Choice:
        game, cost = self.cost.game, self.cost
        candidates = game.guess_of_secret[members]
        others = np.setdiff1d(np.arange(game.n_guesses), candidates)
        guesses = np.concatenate([candidates, others]).astype(np.int32)
        counts = count_table(game, members)[guesses]
        splits = counts.max(axis=1) < len(members)
        values = self.criterion.cell(np.arange(1.0, len(members) + 1), float(len(members)))
        scores = np.append(0.0, values)[counts[splits]] / len(members)
        _, first = np.unique(scores.round(12), axis=0, return_index=True)
        first.sort()
        guesses, scores = guesses[splits][first], scores[first]
        optimum = cost.of(members, turn)
        limit = optimum + self.budget + 1
        regrets = [min(cost.after(int(g), members, turn, limit), limit) - optimum for g in guesses]
        return Choice(members, scores, guesses, np.array(regrets, dtype=np.int64))
