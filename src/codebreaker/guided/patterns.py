"""Patterns of choices that one row of weights can make: all within a budget, or whether any is."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from codebreaker.guided.choices import Choice
from codebreaker.guided.programme import Pattern, Programme, regret_of, winners
from codebreaker.types import Offsets, Scores

Node = dict[str, Any]
"""A step of a proof that there are no more patterns.

`rows`: refuted, by leads (choice, option, rival) and their shares; `choice` and `options`: a node
for each affordable option; or `pattern`: options of all choices, which are possible.
"""


@dataclass
class Effort:
    """What a search took, and whether it came to its end."""

    nodes: int = 0
    programmes: int = 0
    ended: bool = True


@dataclass(frozen=True, eq=False)
class FoundPattern:
    """A pattern of all choices, its regret, and weights that make it."""

    regret: int
    pattern: Pattern
    weights: Scores
    node: Node = field(default_factory=dict)


@dataclass
class PatternSearch:
    """Depth-first search over the options of choices that share a row of weights.

    `proof` tells afterwards why there are no other patterns; choices and options are indices.
    """

    choices: Sequence[Choice]
    budget: int
    low: float
    high: float
    end: float = float("inf")
    effort: Effort = field(default_factory=Effort)
    proof: Node = field(default_factory=dict)

    def __post_init__(self) -> None:
        n_feedback = self.choices[0].scores.shape[1]
        self._programme = Programme(n_feedback, self.low, self.high)
        self._place = {id(choice): c for c, choice in enumerate(self.choices)}
        self._beaten = [_beaten(choice, self.budget) for choice in self.choices]
        self._allowed = [
            np.setdiff1d(np.flatnonzero(choice.regrets <= self.budget), list(beaten))
            for choice, beaten in zip(self.choices, self._beaten, strict=True)
        ]

    def all(self) -> list[FoundPattern]:
        """Return all patterns within the budget, the least regret first."""
        order = sorted(range(len(self.choices)), key=lambda c: len(self._allowed[c]))
        found: list[FoundPattern] = []
        self._enumerate(order, [], found, self.proof)
        return sorted(found, key=lambda one: one.regret)

    def _enumerate(
        self, order: list[int], pattern: Pattern, found: list[FoundPattern], node: Node
    ) -> None:
        weights = self._weights(pattern, node)
        if weights is None:
            return
        if not order:
            node["pattern"] = sorted((self._place[id(choice)], o) for choice, o in pattern)
            found.append(FoundPattern(regret_of(pattern), pattern, weights, node))
            return
        choice, left = self.choices[order[0]], self.budget - regret_of(pattern)
        for option, child in self._branch(order[0], left, weights, node):
            rows = self._programme.rows
            self._enumerate(order[1:], [*pattern, (choice, option)], found, child)
            self._programme.forget(rows)

    def any(self) -> FoundPattern | None:
        """Return a pattern within the budget; None where there is none, or the time has ended."""
        return self._decide([], set(), self.proof)

    def _decide(self, pattern: Pattern, decided: set[int], node: Node) -> FoundPattern | None:
        """Branch on a choice that goes wrong under weights that suit all choices so far."""
        if time.monotonic() > self.end:
            self.effort.ended = False
            return None
        weights = self._weights(pattern, node)
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
            return FoundPattern(regret_of(played), played, weights)
        narrowest = min(
            wrong,
            key=lambda c: (len(self._affordable(c, left)), -len(self.choices[c].members)),
        )
        for option, child in self._branch(narrowest, left, weights, node):
            rows = self._programme.rows
            more = [*pattern, (self.choices[narrowest], option)]
            found = self._decide(more, decided | {narrowest}, child)
            self._programme.forget(rows)
            if found is not None:
                return found
        return None

    def _branch(self, c: int, left: int, weights: Scores, node: Node) -> list[tuple[int, Node]]:
        """Return the affordable options of a choice, the nearest to winning first, with nodes."""
        choice = self.choices[c]
        options = self._affordable(c, left)
        order = np.argsort(-(choice.scores[options] @ weights), kind="stable")
        children: dict[int, Node] = {int(options[entry]): {} for entry in order}
        never: dict[int, Node] = {
            option: {"rows": [(c, option, rival, 1.0)]}
            for option, rival in self._beaten[c].items()
            if choice.regrets[option] <= left
        }
        node["choice"], node["options"] = c, children | never
        return list(children.items())

    def _weights(self, pattern: Pattern, node: Node) -> Scores | None:
        self.effort.nodes += 1
        weights = self._programme.weights_for(pattern)
        self.effort.programmes = self._programme.solved
        if weights is None:
            node["rows"] = [
                (self._place[id(choice)], option, rival, share)
                for (choice, option, rival), share in self._programme.refutation()
            ]
        return weights

    def _affordable(self, c: int, left: int) -> Offsets:
        allowed: Offsets = self._allowed[c]
        affordable: Offsets = allowed[self.choices[c].regrets[allowed] <= left]
        return affordable


def _beaten(choice: Choice, budget: int) -> dict[int, int]:
    """Return the options within the budget that another beats under all weights, with that one."""
    scores, beaten = choice.scores, {}
    for option in np.flatnonzero(choice.regrets <= budget).tolist():
        above = (scores >= scores[option]).all(axis=1) & (scores > scores[option]).any(axis=1)
        if above.any():
            beaten[option] = int(np.flatnonzero(above)[0])
    return beaten
