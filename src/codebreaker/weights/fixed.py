"""Bounds on one row of weights that serves all turns.

The choices of all turns share the row, and one linear programme. A node of the search fixes the
options of some sets. Options that the programme refutes at the sets reached so far leave each set a
least regret; if these exceed the budget together, the node is closed, and otherwise a set is
branched on, whose cells are then reached too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from codebreaker.search.kernels.cost_bounds import INFEASIBLE
from codebreaker.sets.partition import all_secrets, split
from codebreaker.types import Indices, Scores, Totals
from codebreaker.weights.choices import MARGIN_BITS, Choice, ChoiceTable, Pattern, Programme
from codebreaker.weights.patterns import Effort, ProofNode

STEPS, MOST_POINTS = 40, 80
"""The steps of a random walk through the weights of a node, and the most points that are kept."""


@dataclass(eq=False)
class Place:
    """A choice that is reached, its refuted options, and the least regret of the others."""

    choice: Choice
    turn: int
    refuted: frozenset[int] = frozenset()
    least: int = 0

    def regrets_at(self, points: Scores) -> Totals:
        """Return the regrets of the winners at points, (n_points,)."""
        regrets: Totals = self.choice.regrets[(self.choice.scores @ points.T).argmax(axis=0)]
        return regrets

    def without(self, options: Mapping[int, Any]) -> "Place":
        """Return the place with more options refuted."""
        refuted = self.refuted | set(options)
        left = np.delete(self.choice.regrets, list(refuted))
        most = int(self.choice.regrets.max()) + 1
        return Place(self.choice, self.turn, refuted, int(left.min(initial=most)))

    def affordable(self, budget: int) -> list[int]:
        """Return the options within a budget that are not refuted."""
        within = np.flatnonzero(self.choice.regrets <= budget).tolist()
        return [option for option in within if option not in self.refuted]


class FixedSearch:
    """The search for a row of weights for all turns within a budget of regret.

    `weights` are those of the row found, if any.
    """

    def __init__(self, choices: ChoiceTable, low: float, high: float) -> None:
        self.choices, self.low, self.high = choices, low, high
        self.effort = Effort()
        self.weights: Scores | None = None
        self._n = choices.cost.game.n_feedback
        self._programme = Programme(self._n, low, high)
        self._rng = np.random.default_rng(0)

    def prove(self, sets: list[Indices], turn: int, budget: int) -> ProofNode | None:
        """Return a proof that no row stays within the budget, or None if `weights` does."""
        self._programme.truncate(0)
        places = [Place(choice, turn) for choice in self.choices.of(sets, turn)]
        node = self._node([], places, budget, np.empty((0, self._n)), np.empty((0, self._n)))
        return None if self.weights is not None else node

    def _node(
        self, pattern: Pattern, places: list[Place], left: int, points: Scores, leads: Scores
    ) -> ProofNode:
        """Search a node: the pattern fixed so far, its rows of leads, and points that meet them."""
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
        total = sum(place.least for place in places)
        if total > left:
            return node
        if sum(here) <= left and self._within(places, weights, left):
            self.weights = weights
            return node
        k = self._branch_on(places, here, left - total)
        place, rest = places[k], places[:k] + places[k + 1 :]
        node["choice"], node["options"] = place.choice, {}
        options = place.affordable(left - total + place.least)
        for option in sorted(options, key=lambda o: -float(place.choice.scores[o] @ weights)):
            ahead = place.choice.scores[option] - np.delete(place.choice.scores, option, axis=0)
            node["options"][option] = self._node(
                [*pattern, (place.choice, option)],
                rest + self._below(place, option),
                left - int(place.choice.regrets[option]),
                points[(points @ ahead.T >= MARGIN_BITS).all(axis=1)],
                np.concatenate([leads, ahead]),
            )
            self._programme.truncate(rows)
            if self.weights is not None:
                break
        return node

    def _branch_on(self, places: list[Place], here: list[int], spare: int) -> int:
        """Return the index of the place to branch on: an early one with few options."""
        above = [k for k, place in enumerate(places) if here[k] > place.least]
        return min(
            above or range(len(places)),
            key=lambda k: (
                places[k].turn,
                len(places[k].affordable(spare + places[k].least)),
                -len(places[k].choice.members),
            ),
        )

    def _below(self, place: Place, option: int) -> list[Place]:
        cells = [members for _, members in self.choices.after(place.choice, option)]
        turn = place.turn + 1
        return [Place(choice, turn) for choice in self.choices.of(cells, turn)]

    def _within(self, places: list[Place], weights: Scores, left: int) -> bool:
        """Return whether the trees that weights grow from places stay within what is left."""
        while places:
            below = []
            for place in places:
                option = place.choice.winner(weights)
                left -= int(place.choice.regrets[option])
                if left < 0:
                    return False
                below += self._below(place, option)
            places = below
        return True

    def _raise(
        self,
        pattern: Pattern,
        places: list[Place],
        left: int,
        most: list[int],
        points: Scores,
        refuted: dict[Choice, dict[int, Any]],
    ) -> tuple[list[Place], Scores]:
        """Raise the least regrets of places until they exceed what is left, or can't be raised.

        The regrets at points show how far a place can be raised; `most` are those at one point.
        Return the places and the points, to which each option that can win adds one.
        """
        places, total = list(places), sum(place.least for place in places)
        most = [
            int(place.regrets_at(points).min()) if above > place.least else above
            for place, above in zip(places, most, strict=True)
        ]
        for k in sorted(range(len(places)), key=lambda k: places[k].least - most[k]):
            possible = sum(max(m, place.least) for m, place in zip(most, places, strict=True))
            if total > left or possible <= left:
                break
            before, most[k] = places[k].least, min(most[k], int(places[k].regrets_at(points).min()))
            if most[k] > before:
                places[k], points = self._raise_one(
                    pattern, places[k], min(most[k], left + 1 - total + before), points, refuted
                )
                total += places[k].least - before
                most[k] = places[k].least
        return places, points

    def _raise_one(
        self,
        pattern: Pattern,
        place: Place,
        most: int,
        points: Scores,
        refuted: dict[Choice, dict[int, Any]],
    ) -> tuple[Place, Scores]:
        """Refute a place's options in the order of their regrets until one can win."""
        rows, found = self._programme.rows, {}
        options = place.affordable(most - 1)
        for option in sorted(options, key=lambda o: int(place.choice.regrets[o])):
            weights = self._programme.weights_for([*pattern, (place.choice, option)], widest=False)
            refutation = None if weights is not None else self._programme.refutation()
            self._programme.truncate(rows)
            if weights is not None:
                points = np.concatenate([points, weights[None]])
                break
            found[option] = refutation
        if found:
            refuted[place.choice] = found
            place = place.without(found)
        return place, points

    def _walk(self, weights: Scores, leads: Scores) -> Scores:
        """Return points of a random walk in the region where leads have the margin."""
        eye = np.eye(self._n)
        sides = np.concatenate([leads, eye, -eye])
        least = np.repeat([MARGIN_BITS, self.low, -self.high], [len(leads), self._n, self._n])
        points, here = np.empty((STEPS, self._n)), weights
        for step in range(STEPS):
            direction = self._rng.normal(size=self._n)
            slack, speed = sides @ here - least, sides @ direction
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
    """Return the bound that a search proves for an opening within a budget, and its proof.

    The bound is the optimum plus the largest regret up to the budget that no row attains, plus one;
    the proof is None if that is the optimum itself.
    """
    game = search.choices.cost.game
    guess, secrets = game.guesses.index(opening), all_secrets(game)
    optimum = search.choices.cost.after(guess, secrets, 1, INFEASIBLE)
    cells = split(game, guess, secrets)
    sets = [cell for feedback, cell in cells.items() if feedback != game.solved]
    proof = None
    while budget >= 0 and (proof := search.prove(sets, 2, budget)) is None:
        budget, search.weights = budget - 1, None
    facts = {
        "game": game.name,
        "opening": opening,
        "optimum": optimum,
        "bound": optimum + budget + 1,
        "margin_bits": MARGIN_BITS,
        "settings": {"low": search.low, "high": search.high},
    }
    return facts, proof
