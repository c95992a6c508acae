"""Bounds on one row of weights for all turns: linear programmes refute the options of sets."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from codebreaker.types import Scores, Totals
from codebreaker.weights import patterns
from codebreaker.weights.patterns import Choice, Pattern, ProofNode

STEPS, MOST_POINTS = 40, 80
"""Steps of a random walk through a node's weights, and the maximum number of its points."""

Refuted = dict[int, list[tuple[patterns.Lead, float]]]
"""Options that can't win, each with the leads and shares that refute it."""


@dataclass(eq=False)
class _Place:
    """A choice that is reached, its refuted options, and the minimum regret of the others."""

    choice: Choice
    refuted: frozenset[int] = frozenset()
    minimum: int = 0

    def regrets_at(self, points: Scores) -> Totals:
        regrets: Totals = self.choice.regrets[(self.choice.scores @ points.T).argmax(axis=0)]
        return regrets

    def without(self, options: Iterable[int]) -> "_Place":
        refuted = self.refuted | set(options)
        left = np.delete(self.choice.regrets, list(refuted))
        most = int(self.choice.regrets.max()) + 1
        return _Place(self.choice, refuted, int(left.min(initial=most)))

    def affordable(self, budget: int) -> list[int]:
        within = np.flatnonzero(self.choice.regrets <= budget).tolist()
        return [option for option in within if option not in self.refuted]


class FixedSearch:
    """The search for one row of weights, `weights`, for all turns within a budget of regret."""

    def __init__(self, choices: patterns.ChoiceTable, low: float, high: float) -> None:
        self.choices, self.low, self.high = choices, low, high
        self.effort = patterns.Effort()
        self.weights: Scores | None = None
        self._n = choices.cost.game.n_feedback
        self._programme = patterns.Programme(self._n, low, high, self.effort)
        self._rng = np.random.default_rng(0)

    def prove(self, first: Sequence[Choice], budget: int) -> ProofNode | None:
        """Return a proof that no row stays within the budget from turn 2 on; None if one does."""
        self._programme.truncate(0)
        nothing = np.empty((0, self._n))
        node = self._node([], list(map(_Place, first)), budget, nothing, nothing)
        return None if self.weights is not None else node

    def _node(
        self, pattern: Pattern, places: list[_Place], left: int, points: Scores, leads: Scores
    ) -> ProofNode:
        self.effort.nodes += 1
        weights = self._programme.weights_for(pattern)
        if weights is None:
            return {"rows": self._programme.refutation()}
        rows = self._programme.rows
        points = np.concatenate([weights[None], points[-MOST_POINTS:]])
        if len(points) < STEPS:
            points = np.concatenate([points, self._walk(weights, leads)])
        node: ProofNode = {"refuted": {}}
        here = [int(place.regrets_at(weights[None])[0]) for place in places]
        places, points = self._raise(pattern, places, left, here, points, node["refuted"])
        total = sum(place.minimum for place in places)
        if total > left:
            return node
        if sum(here) <= left and self._within(places, weights, left):
            self.weights = weights
            return node
        k = self._branch_on(places, here, left - total)
        place, rest = places[k], places[:k] + places[k + 1 :]
        node["choice"], node["options"] = place.choice, {}
        options = place.affordable(left - total + place.minimum)
        for option in sorted(options, key=lambda o: -float(place.choice.scores[o] @ weights)):
            ahead = place.choice.scores[option] - np.delete(place.choice.scores, option, axis=0)
            node["options"][option] = self._node(
                [*pattern, (place.choice, option)],
                [*rest, *map(_Place, self.choices.below([(place.choice, option)]))],
                left - int(place.choice.regrets[option]),
                points[(points @ ahead.T >= patterns.MARGIN_BITS).all(axis=1)],
                np.concatenate([leads, ahead]),
            )
            self._programme.truncate(rows)
            if self.weights is not None:
                break
        return node

    def _branch_on(self, places: list[_Place], here: list[int], spare: int) -> int:
        above = [k for k, place in enumerate(places) if here[k] > place.minimum]

        def rank(k: int) -> tuple[int, int, int]:
            n_options = len(places[k].affordable(spare + places[k].minimum))
            return places[k].choice.turn, n_options, -len(places[k].choice.members)

        return min(above or range(len(places)), key=rank)

    def _within(self, places: list[_Place], weights: Scores, left: int) -> bool:
        pending = [place.choice for place in places]
        for choice in pending:
            option = choice.winner(weights)
            left -= int(choice.regrets[option])
            if left < 0:
                return False
            pending += self.choices.below([(choice, option)])
        return True

    def _raise(
        self,
        pattern: Pattern,
        places: list[_Place],
        left: int,
        here: list[int],
        points: Scores,
        refuted: dict[Choice, Refuted],
    ) -> tuple[list[_Place], Scores]:
        """Raise the minimum regrets of places until they exceed what is left or are exact."""
        places, total = list(places), sum(place.minimum for place in places)
        most = [
            int(place.regrets_at(points).min()) if above > place.minimum else above
            for place, above in zip(places, here, strict=True)
        ]
        for k in sorted(range(len(places)), key=lambda k: places[k].minimum - most[k]):
            possible = sum(max(m, place.minimum) for m, place in zip(most, places, strict=True))
            if total > left or possible <= left:
                break
            place = places[k]
            most[k] = min(most[k], int(place.regrets_at(points).min()))
            if most[k] > place.minimum:
                limit = min(most[k], left + 1 - total + place.minimum)
                found, points = self._refute(pattern, place, limit, points)
                if found:
                    refuted[place.choice], places[k] = found, place.without(found)
                most[k] = places[k].minimum
                total += most[k] - place.minimum
        return places, points

    def _refute(
        self, pattern: Pattern, place: _Place, limit: int, points: Scores
    ) -> tuple[Refuted, Scores]:
        rows, found, regrets = self._programme.rows, Refuted(), place.choice.regrets
        for option in sorted(place.affordable(limit - 1), key=lambda o: int(regrets[o])):
            weights = self._programme.weights_for([*pattern, (place.choice, option)], widest=False)
            if weights is None:
                found[option] = self._programme.refutation()
            self._programme.truncate(rows)
            if weights is not None:
                return found, np.concatenate([points, weights[None]])
        return found, points

    def _walk(self, weights: Scores, leads: Scores) -> Scores:
        sides = np.concatenate([leads, np.eye(self._n), -np.eye(self._n)])
        minimum = np.repeat(
            [patterns.MARGIN_BITS, self.low, -self.high], [len(leads), self._n, self._n]
        )
        points, here = np.empty((STEPS, self._n)), weights
        for step in range(STEPS):
            direction = self._rng.normal(size=self._n)
            slack, speed = sides @ here - minimum, sides @ direction
            with np.errstate(divide="ignore", invalid="ignore"):
                times = -slack / speed
            first = times[speed > 0].max(initial=-1.0)
            last = times[speed < 0].min(initial=1.0)
            here = here + (first + (last - first) * self._rng.random()) * direction
            points[step] = here
        return points


def bound_facts(
    search: FixedSearch, opening: str, budget: int
) -> tuple[dict[str, Any], ProofNode | None]:
    """Return an opening's proven bound, and its proof unless it is the opening's minimum total."""
    choices = search.choices
    optimum, cells = choices.opened(opening)
    first, proof = choices.of(list(cells.values()), 2), None
    while budget >= 0 and (proof := search.prove(first, budget)) is None:
        budget, search.weights = budget - 1, None
    facts = {
        "game": choices.cost.game.name,
        "opening": opening,
        "optimum": optimum,
        "bound": optimum + budget + 1,
        "margin_bits": patterns.MARGIN_BITS,
        "settings": {"low": search.low, "high": search.high},
    }
    return facts, proof
