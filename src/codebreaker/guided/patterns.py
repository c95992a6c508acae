"""Patterns of choices that one row of weights can make: all within a budget, or whether any is."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from codebreaker.guided.choices import Choice
from codebreaker.guided.programme import Pattern, Programme, regret_of, winners
from codebreaker.types import Offsets, Scores


@dataclass
class Effort:
    """What a search took, and whether it came to its end."""

    nodes: int = 0
    programmes: int = 0
    ended: bool = True


@dataclass(frozen=True, eq=False)
class Found:
    """A pattern of all choices, its regret, and weights that make it."""

    regret: int
    pattern: Pattern
    weights: Scores


@dataclass
class PatternSearch:
    """Depth-first search over the options of choices that share a row of weights."""

    choices: Sequence[Choice]
    budget: int
    low: float
    high: float
    end: float = float("inf")
    effort: Effort = field(default_factory=Effort)

    def __post_init__(self) -> None:
        n_feedback = self.choices[0].scores.shape[1]
        self._programme = Programme(n_feedback, self.low, self.high)
        self._allowed = [_allowed(choice, self.budget) for choice in self.choices]

    def all(self) -> list[Found]:
        """Return all patterns within the budget, the least regret first."""
        order = sorted(range(len(self.choices)), key=lambda c: len(self._allowed[c]))
        found: list[Found] = []
        self._enumerate(order, [], found)
        return sorted(found, key=lambda one: one.regret)

    def _enumerate(self, order: list[int], pattern: Pattern, found: list[Found]) -> None:
        weights = self._weights(pattern)
        if weights is None:
            return
        if not order:
            found.append(Found(regret_of(pattern), pattern, weights))
            return
        choice, left = self.choices[order[0]], self.budget - regret_of(pattern)
        for option in self._affordable(order[0], left):
            rows = self._programme.rows
            self._enumerate(order[1:], [*pattern, (choice, int(option))], found)
            self._programme.forget(rows)

    def any(self) -> Found | None:
        """Return a pattern within the budget; None where there is none, or the time has ended."""
        return self._decide([], set()) if all(map(len, self._allowed)) else None

    def _decide(self, pattern: Pattern, decided: set[int]) -> Found | None:
        """Branch on a choice that goes wrong under weights that suit all choices so far."""
        if time.monotonic() > self.end:
            self.effort.ended = False
            return None
        weights = self._weights(pattern)
        if weights is None:
            return None
        left = self.budget - regret_of(pattern)
        played = winners(self.choices, weights)
        wrong = [
            c
            for c, (choice, option) in enumerate(played)
            if c not in decided and choice.regrets[option] > 0
        ]
        spent = sum(int(played[c][0].regrets[played[c][1]]) for c in wrong)
        if spent <= left:
            return Found(regret_of(played), played, weights)
        narrowest = min(
            wrong,
            key=lambda c: (len(self._affordable(c, left)), -len(self.choices[c].members)),
        )
        choice = self.choices[narrowest]
        options = self._affordable(narrowest, left)
        for option in options[np.argsort(-(choice.scores[options] @ weights), kind="stable")]:
            rows = self._programme.rows
            found = self._decide([*pattern, (choice, int(option))], decided | {narrowest})
            self._programme.forget(rows)
            if found is not None:
                return found
        return None

    def _weights(self, pattern: Pattern) -> Scores | None:
        self.effort.nodes += 1
        weights = self._programme.weights_for(pattern)
        self.effort.programmes = self._programme.solved
        return weights

    def _affordable(self, c: int, left: int) -> Offsets:
        allowed = self._allowed[c]
        return allowed[self.choices[c].regrets[allowed] <= left]


def _allowed(choice: Choice, budget: int) -> Offsets:
    """Return the options within the budget that another does not beat under all weights."""
    scores, kept = choice.scores, []
    for option in np.flatnonzero(choice.regrets <= budget):
        above = (scores >= scores[option]).all(axis=1) & (scores > scores[option]).any(axis=1)
        if not above.any():
            kept.append(int(option))
    return np.array(kept, dtype=np.int64)
