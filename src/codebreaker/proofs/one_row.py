"""Bounds on one row of weights for all turns: linear programmes refute the options of sets.

A branch and bound over candidate sets. A node has fixed the options of some choices, its pattern;
its children fix the option of one more. What the pattern's regrets leave of the budget is `left`.

Why a node can be refuted:

- If no weights realise its pattern, none realise a longer one. The duals of the linear programme
  prove it (`Programme.refutation`). An option wins if it is at most BEHIND_BITS behind the best,
  so that all weights are covered, those with ties, too (`patterns`).
- Every set that the pattern reaches must be played. An option that can't win together with the
  pattern is not played there, so that the set costs at least the smallest regret of the others, its
  minimum. These sets are disjoint, so their minima add up, and regrets below them are not negative.
  If the sum is above `left`, the budget is exceeded.

What makes it fast: a set's minimum can't be raised above the regret of an option that wins at some
weights that realise the pattern. So such weights, the points, tell which refutations are futile.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from codebreaker.proofs import patterns
from codebreaker.proofs.patterns import Choice, Pattern, ProofNode
from codebreaker.proofs.settings import BEHIND_BITS
from codebreaker.types import Scores, Totals

STEPS = 40
"""Steps of a random walk through the weights that realise a node's pattern."""

MOST_POINTS = 80
"""Maximum number of points of earlier nodes that a node keeps."""

Refuted = dict[int, list[tuple[patterns.Lead, float]]]
"""Options that can't win, each with the leads and shares that refute it."""


@dataclass(eq=False)
class _ReachedChoice:
    """A choice that is reached, its refuted options, and the minimum regret of the others."""

    choice: Choice
    refuted: frozenset[int] = frozenset()
    """Options that can't win together with the pattern."""

    minimum: int = 0
    """The smallest regret of the other options; at first 0, a lower bound."""

    def regrets_at(self, points: Scores) -> Totals:
        """Return the regret of the option that wins at each of some weights, (n_points,)."""
        regrets: Totals = self.choice.regrets[(self.choice.scores @ points.T).argmax(axis=0)]
        return regrets

    def without(self, options: Iterable[int]) -> "_ReachedChoice":
        """Return a copy with more options refuted.

        If all are, the minimum is above every regret.
        """
        refuted = self.refuted | set(options)
        left = np.delete(self.choice.regrets, list(refuted))
        highest = int(self.choice.regrets.max()) + 1
        return _ReachedChoice(self.choice, refuted, int(left.min(initial=highest)))

    def affordable(self, budget: int) -> list[int]:
        """Return the options that are not refuted, with regrets up to a budget."""
        within = np.flatnonzero(self.choice.regrets <= budget).tolist()
        return [option for option in within if option not in self.refuted]


class OneRowSearch:
    """The search for one row of weights for all turns within a budget of regret."""

    def __init__(self, choices: patterns.ChoiceTable, low: float, high: float) -> None:
        """Prepare a search among weights from `low` to `high`."""
        self.choices = choices
        self.low = low
        self.high = high
        self.effort = patterns.Effort()
        self.weights: Scores | None = None
        """The row within the budget, (n_feedback,), once there is one."""

        self._n_feedback = choices.cost.game.n_feedback
        self._programme = patterns.Programme(
            self._n_feedback, low, high, patterns.PROOF_MARGIN_BITS, self.effort
        )
        self._rng = np.random.default_rng(0)

    def prove(self, first: Sequence[Choice], budget: int) -> ProofNode | None:
        """Return a proof that no row stays within the budget from turn 2 on; None if one does."""
        self._programme.truncate(0)
        nothing = np.empty((0, self._n_feedback))
        node = self._node([], list(map(_ReachedChoice, first)), budget, nothing, nothing)
        return None if self.weights is not None else node

    def _node(
        self,
        pattern: Pattern,
        sets_reached: list[_ReachedChoice],
        left: int,
        points: Scores,
        leads: Scores,
    ) -> ProofNode:
        """Search a node; return its proof, or a part of it if `weights` within the budget exist.

        `sets_reached` are those whose options are not fixed, `left` what is left of the budget.
        `points` (n_points, n_feedback) are weights that realise the pattern, and `leads` (n_leads,
        n_feedback) the rows of score differences that must be at least PROOF_MARGIN_BITS there.
        """
        self.effort.nodes += 1
        weights = self._programme.weights_for(pattern)
        if weights is None:
            return {"rows": self._programme.refutation()}
        # 1. Collect weights that realise the pattern: an option that wins at one can't be refuted.
        #    The rows of the programme hold for the children as well, which drop only their own.
        rows = self._programme.rows
        points = np.concatenate([weights[None], points[-MOST_POINTS:]])
        if len(points) < STEPS:
            points = np.concatenate([points, self._walk(weights, leads)])
        # 2. Refute options until the minimum regrets exceed what is left, or can't be raised.
        node: ProofNode = {"refuted": {}}
        regrets_here = [int(reached.regrets_at(weights[None])[0]) for reached in sets_reached]
        sets_reached, points = self._raise_minima(
            pattern, sets_reached, left, regrets_here, points, node["refuted"]
        )
        total = sum(reached.minimum for reached in sets_reached)
        if total > left:
            return node
        # 3. Do these weights themselves stay within the budget, at all later turns, too?
        if sum(regrets_here) <= left and self._within(sets_reached, weights, left):
            self.weights = weights
            return node
        # 4. Branch on the options of one set, best under the weights first. Options whose regret
        #    alone exceeds the budget, with the other sets' minima, have no node. A child reaches
        #    the parts of its option; its points are those at which the option wins.
        k = self._branch_on(sets_reached, regrets_here, left - total)
        reached = sets_reached[k]
        rest = sets_reached[:k] + sets_reached[k + 1 :]
        node["choice"] = reached.choice
        node["options"] = {}
        options = reached.affordable(left - total + reached.minimum)
        for option in sorted(
            options, key=lambda option: -float(reached.choice.scores[option] @ weights)
        ):
            ahead = reached.choice.scores[option] - np.delete(reached.choice.scores, option, axis=0)
            node["options"][option] = self._node(
                [*pattern, (reached.choice, option)],
                [*rest, *map(_ReachedChoice, self.choices.below([(reached.choice, option)]))],
                left - int(reached.choice.regrets[option]),
                points[(points @ ahead.T >= patterns.PROOF_MARGIN_BITS).all(axis=1)],
                np.concatenate([leads, ahead]),
            )
            self._programme.truncate(rows)
            if self.weights is not None:
                break
        return node

    def _branch_on(
        self, sets_reached: list[_ReachedChoice], regrets_here: list[int], spare: int
    ) -> int:
        """Return the set to branch on: earliest turn, fewest affordable options, largest set.

        Of those whose winner costs more than the minimum, if any; `spare` is what is left beyond
        all minima.
        """
        above = [k for k, reached in enumerate(sets_reached) if regrets_here[k] > reached.minimum]

        def rank(k: int) -> tuple[int, int, int]:
            """Return the key of set k: the smallest is branched on."""
            n_options = len(sets_reached[k].affordable(spare + sets_reached[k].minimum))
            return sets_reached[k].choice.turn, n_options, -len(sets_reached[k].choice.members)

        return min(above or range(len(sets_reached)), key=rank)

    def _within(self, sets_reached: list[_ReachedChoice], weights: Scores, left: int) -> bool:
        """Return whether weights stay within what is left at all sets that follow."""
        # `pending` grows while it is read: each choice adds those at its winner's parts.
        pending = [reached.choice for reached in sets_reached]
        for choice in pending:
            option = choice.winner(weights)
            left -= int(choice.regrets[option])
            if left < 0:
                return False
            pending += self.choices.below([(choice, option)])
        return True

    def _raise_minima(
        self,
        pattern: Pattern,
        sets_reached: list[_ReachedChoice],
        left: int,
        regrets_here: list[int],
        points: Scores,
        refuted: dict[Choice, Refuted],
    ) -> tuple[list[_ReachedChoice], Scores]:
        """Raise the minimum regrets of sets until they exceed what is left or are exact.

        `regrets_here` are those under the node's weights; refuted options are added to `refuted`.
        Returns the sets with their minima, and the points with new ones.
        """
        total = sum(reached.minimum for reached in sets_reached)
        sets_reached = list(sets_reached)
        # 1. To what each minimum may be raised at most: the smallest regret of the options that win
        #    at some point, as none of these can be refuted.
        highest = [
            int(reached.regrets_at(points).min()) if above > reached.minimum else above
            for reached, above in zip(sets_reached, regrets_here, strict=True)
        ]
        # 2. Try the sets that may be raised most first.
        for k in sorted(
            range(len(sets_reached)), key=lambda k: sets_reached[k].minimum - highest[k]
        ):
            # 3. Stop if the node is refuted, or can't be even if all minima are raised to the end.
            possible = sum(
                max(most, reached.minimum)
                for most, reached in zip(highest, sets_reached, strict=True)
            )
            if total > left or possible <= left:
                break
            # 4. Refute the options below the highest possible minimum, or below what suffices to
            #    refute the node. Points that this adds bound the sets that follow.
            reached = sets_reached[k]
            highest[k] = min(highest[k], int(reached.regrets_at(points).min()))
            if highest[k] > reached.minimum:
                limit = min(highest[k], left + 1 - total + reached.minimum)
                newly_refuted, points = self._refute(pattern, reached, limit, points)
                if newly_refuted:
                    refuted[reached.choice] = newly_refuted
                    sets_reached[k] = reached.without(newly_refuted)
                highest[k] = sets_reached[k].minimum
                total += highest[k] - reached.minimum
        return sets_reached, points

    def _refute(
        self, pattern: Pattern, reached: _ReachedChoice, limit: int, points: Scores
    ) -> tuple[Refuted, Scores]:
        """Refute options with regrets below a limit, cheapest first, until one can win.

        The weights with which it wins join the points.
        """
        rows = self._programme.rows
        refuted = Refuted()
        regrets = reached.choice.regrets
        for option in sorted(reached.affordable(limit - 1), key=lambda o: int(regrets[o])):
            weights = self._programme.weights_for(
                [*pattern, (reached.choice, option)], widest=False
            )
            if weights is None:
                refuted[option] = self._programme.refutation()
            self._programme.truncate(rows)
            if weights is not None:
                return refuted, np.concatenate([points, weights[None]])
        return refuted, points

    def _walk(self, weights: Scores, leads: Scores) -> Scores:
        """Return points of a random walk inside the polytope of a pattern's weights.

        Hit and run: from a point in a random direction, to a uniform point of the chord. The sides
        are the leads, which must reach PROOF_MARGIN_BITS, and the bounds of each weight.
        """
        sides = np.concatenate([leads, np.eye(self._n_feedback), -np.eye(self._n_feedback)])
        minimum = np.repeat(
            [patterns.PROOF_MARGIN_BITS, self.low, -self.high],
            [len(leads), self._n_feedback, self._n_feedback],
        )
        points = np.empty((STEPS, self._n_feedback))
        point = weights
        for step in range(STEPS):
            direction = self._rng.normal(size=self._n_feedback)
            slack = sides @ point - minimum
            speed = sides @ direction
            with np.errstate(divide="ignore", invalid="ignore"):
                times = -slack / speed
            first = times[speed > 0].max(initial=-1.0)
            last = times[speed < 0].min(initial=1.0)
            point = point + (first + (last - first) * self._rng.random()) * direction
            points[step] = point
        return points


def bound_facts(
    search: OneRowSearch, opening: str, budget: int
) -> tuple[dict[str, Any], ProofNode | None]:
    """Return an opening's proven bound, and its proof unless it is the opening's minimum total.

    The search begins with a budget and lowers it until no weights stay within it. Weights within a
    budget say only that the bound is not higher, so the largest refuted budget gives the bound.
    """
    choices = search.choices
    optimum, cells = choices.opened(opening)
    first = choices.of(list(cells.values()), 2)
    proof = None
    while budget >= 0 and (proof := search.prove(first, budget)) is None:
        budget = budget - 1
        search.weights = None
    facts = {
        "game": choices.cost.game.name,
        "opening": opening,
        "optimum": optimum,
        "bound": optimum + budget + 1,
        "behind_bits": BEHIND_BITS,
        "settings": {"low": search.low, "high": search.high},
    }
    return facts, proof
