"""What can be chosen at a candidate set, and what each choice costs above the optimum."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from codebreaker.exact.cost_to_go import CostToGo
from codebreaker.policies.criteria import TIE_TOLERANCE_BITS, Criterion
from codebreaker.trees.partition import count_table, split
from codebreaker.types import Indices, Offsets, Scores


@dataclass(frozen=True, eq=False)
class Choice:
    """A candidate set of two or more, at a turn, with its options in the tie order.

    `scores` (n_options, n_feedback) are each feedback's part of the score, in bits: an option's
    score is their sum under weights. `guesses` (n_options,) names the first guess of each, and
    `regrets` what it costs above the optimum, up to a budget, beyond which it is budget + 1.
    """

    members: Indices
    scores: Scores
    guesses: Indices
    regrets: Offsets

    def winner(self, weights: Scores) -> int:
        """Return the option that is played under a row of weights, (n_feedback,)."""
        totals = self.scores @ weights
        return int(np.flatnonzero(totals >= totals.max() - TIE_TOLERANCE_BITS)[0])


class ChoiceTable:
    """Choices of candidate sets, each computed once for a turn."""

    def __init__(self, cost: CostToGo, criterion: Criterion, budget: int) -> None:
        self.cost, self.criterion, self.budget = cost, criterion, budget
        self._known: dict[tuple[int, bytes], Choice] = {}

    def at(self, members: Indices, turn: int) -> Choice:
        """Return the choice at a set, (n_members,) int32 ascending."""
        key = (turn, members.tobytes())
        if key not in self._known:
            self._known[key] = self._compute(members, turn)
        return self._known[key]

    def of(self, sets: Sequence[Indices], turn: int) -> list[Choice]:
        """Return the choices at the sets of two or more."""
        return [self.at(members, turn) for members in sets if len(members) > 1]

    def after(self, choice: Choice, option: int) -> list[tuple[int, Indices]]:
        """Return the sets of two or more that an option leads to, with the feedback that does."""
        cells = split(self.cost.game, int(choice.guesses[option]), choice.members)
        return [(feedback, cell) for feedback, cell in cells.items() if len(cell) > 1]

    def _compute(self, members: Indices, turn: int) -> Choice:
        game, cost = self.cost.game, self.cost
        own = game.guess_of_secret[members]
        others = np.setdiff1d(np.arange(game.n_guesses), own)
        guesses = np.concatenate([own, others]).astype(np.int32)
        counts = count_table(game, members)[guesses]
        apart = counts.max(axis=1) < len(members)
        values = self.criterion.cell(np.arange(1.0, len(members) + 1), float(len(members)))
        scores = np.append(0.0, values)[counts[apart]] / len(members)
        _, first = np.unique(scores.round(12), axis=0, return_index=True)
        first.sort()
        guesses, scores = guesses[apart][first], scores[first]
        least = cost.of(members, turn)
        limit = least + self.budget + 1
        regrets = [min(cost.after(int(g), members, turn, limit), limit) - least for g in guesses]
        return Choice(members, scores, guesses, np.array(regrets, dtype=np.int64))
