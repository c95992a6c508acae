"""Patterns of choices that one row of weights can make: all within a budget, or any."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from codebreaker.types import Offsets, Scores
from codebreaker.weights.choices import Choice, Pattern, Programme, Winners, regret_of

ProofNode = dict[str, Any]
"""A node of a proof that no row of weights stays within a budget, or that no other pattern does.

Keys are `rows`, if leads (choice, option, rival) with their shares refute the options fixed so far;
`choice` and `options`, with a node for each affordable option; `refuted`, leads by choice and
option that raise the least regrets of others; and, where all options are fixed, `next`, the node of
the next turn's sets, if it was searched.
"""


@dataclass
class Effort:
    """The work of one or several searches, and whether all finished in time."""

    nodes: int = 0
    programmes: int = 0
    complete: bool = True


@dataclass(frozen=True, eq=False)
class FeasiblePattern:
    """A pattern of all choices, its regret, and weights that realise it."""

    regret: int
    pattern: Pattern
    weights: Scores
    node: ProofNode = field(default_factory=dict)


@dataclass
class PatternSearch:
    """Depth-first search over the options of choices that share a row of weights.

    After a search `proof` shows why there are no other patterns. `deadline` is a value of
    `time.monotonic`.
    """

    choices: Sequence[Choice]
    budget: int
    low: float
    high: float
    deadline: float = float("inf")
    effort: Effort = field(default_factory=Effort)
    proof: ProofNode = field(default_factory=dict)

    def __post_init__(self) -> None:
        n_feedback = self.choices[0].scores.shape[1]
        self._programme = Programme(n_feedback, self.low, self.high)
        self._winners = Winners(self.choices)
        self._dominated = [_dominated(choice, self.budget) for choice in self.choices]
        self._allowed = [
            np.setdiff1d(np.flatnonzero(choice.regrets <= self.budget), list(dominated))
            for choice, dominated in zip(self.choices, self._dominated, strict=True)
        ]

    def find_all(self) -> list[FeasiblePattern]:
        """Return all patterns within the budget, by ascending regret."""
        order = sorted(range(len(self.choices)), key=lambda c: len(self._allowed[c]))
        patterns: list[FeasiblePattern] = []
        self._enumerate(order, [], patterns, self.proof)
        return sorted(patterns, key=lambda one: one.regret)

    def _enumerate(
        self, order: list[int], pattern: Pattern, patterns: list[FeasiblePattern], node: ProofNode
    ) -> None:
        weights = self._weights(pattern, node)
        if weights is None:
            return
        if not order:
            patterns.append(FeasiblePattern(regret_of(pattern), pattern, weights, node))
            return
        choice, remaining = self.choices[order[0]], self.budget - regret_of(pattern)
        for option, child in self._branch(order[0], remaining, weights, node):
            rows = self._programme.rows
            self._enumerate(order[1:], [*pattern, (choice, option)], patterns, child)
            self._programme.truncate(rows)

    def find_any(self) -> FeasiblePattern | None:
        """Return a pattern within the budget, or None if there is none or time has run out."""
        return self._decide([], set(), self.proof)

    def _decide(
        self, pattern: Pattern, decided: set[int], node: ProofNode
    ) -> FeasiblePattern | None:
        """Branch on a choice with regret under weights that realise the pattern so far."""
        if time.monotonic() > self.deadline:
            self.effort.complete = False
            return None
        weights = self._weights(pattern, node)
        if weights is None:
            return None
        remaining = self.budget - regret_of(pattern)
        played = self._winners.under(weights)
        with_regret = [
            c
            for c, (choice, option) in enumerate(played)
            if c not in decided and choice.regrets[option] > 0
        ]
        spent = sum(int(played[c][0].regrets[played[c][1]]) for c in with_regret)
        if spent <= remaining:
            return FeasiblePattern(regret_of(played), played, weights)
        narrowest = min(
            with_regret,
            key=lambda c: (len(self._affordable(c, remaining)), -len(self.choices[c].members)),
        )
        for option, child in self._branch(narrowest, remaining, weights, node):
            rows = self._programme.rows
            more = [*pattern, (self.choices[narrowest], option)]
            feasible = self._decide(more, decided | {narrowest}, child)
            self._programme.truncate(rows)
            if feasible is not None:
                return feasible
        return None

    def _branch(
        self, c: int, remaining: int, weights: Scores, node: ProofNode
    ) -> list[tuple[int, ProofNode]]:
        """Return a choice's affordable options with new proof nodes, highest scores first."""
        choice = self.choices[c]
        options = self._affordable(c, remaining)
        order = np.argsort(-(choice.scores[options] @ weights), kind="stable")
        children: dict[int, ProofNode] = {int(options[entry]): {} for entry in order}
        dominated: dict[int, ProofNode] = {
            option: {"rows": [((choice, option, rival), 1.0)]}
            for option, rival in self._dominated[c].items()
            if choice.regrets[option] <= remaining
        }
        node["choice"], node["options"] = choice, children | dominated
        return list(children.items())

    def _weights(self, pattern: Pattern, node: ProofNode) -> Scores | None:
        self.effort.nodes += 1
        solved = self._programme.solved
        weights = self._programme.weights_for(pattern)
        self.effort.programmes += self._programme.solved - solved
        if weights is None:
            node["rows"] = self._programme.refutation()
        return weights

    def _affordable(self, c: int, remaining: int) -> Offsets:
        allowed: Offsets = self._allowed[c]
        return allowed[self.choices[c].regrets[allowed] <= remaining]


def _dominated(choice: Choice, budget: int) -> dict[int, int]:
    """Return the options within the budget that another dominates, each with that one."""
    found = {o: choice.dominator(o) for o in np.flatnonzero(choice.regrets <= budget).tolist()}
    return {option: rival for option, rival in found.items() if rival is not None}
