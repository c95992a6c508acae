"""The value of candidate sets: by optimal play, or by a policy where that is out of reach."""

from abc import ABC, abstractmethod

import numpy as np

from codebreaker.advice.kept import UNKNOWN, KeptTotals
from codebreaker.advice.suggest import PolicySpec
from codebreaker.constants import LARGEST_ENDGAME
from codebreaker.errors import CodebreakerError
from codebreaker.games.model import Game, TableGame
from codebreaker.games.notation import Notation
from codebreaker.games.symmetry import orbits
from codebreaker.policies.strategy import Strategy
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.endgames import endgames_of
from codebreaker.search.solver import Solver
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import forest_totals
from codebreaker.types import Indices, Totals

LARGEST_EXACT = 1 << 22
"""The largest table, in entries, of a game that is judged by optimal play unless asked for."""

LOOKUPS = 1 << 34
"""Limit of table look-ups per candidate set: about a minute."""

SOLVED_WITHIN_S = 120.0
"""The time that the optimum of a game may take, in seconds."""

KEPT_FROM = 12
"""Smaller sets are solved faster than they are looked up."""

SYMMETRY_PAYS = 300
"""Sets of more candidates are searched without guesses that are symmetric to others."""

STRONGEST = {"mm-5-8": ("endgame-weighted-179064", "11223", LARGEST_ENDGAME)}
"""The policy, opening and endgames of the least total known, where it is not what is suggested."""

ENDGAMES = 12
"""The endgames of all other policies: many games have many candidate sets, and each is solved."""


class Values(ABC):
    """The least total, or a policy's, of the candidate sets of a game.

    `name` is `optimal` or the policy's; `is_exact` says whether no play has a lower mean.
    """

    game: Game
    name: str
    is_exact: bool

    @abstractmethod
    def root(self) -> int:
        """Return the total of all secrets."""

    @abstractmethod
    def totals(self, frontier: Frontier, histories: Indices) -> Totals:
        """Return the total of each node's set, (n_nodes,) int64.

        `histories` are the guesses that led to each node, (n_nodes, turn − 1).
        """

    def save(self) -> None:  # noqa: B027 (few values are worth keeping)
        """Keep what was computed for later runs."""


class OptimalValues(Values):
    """Least totals by the exact search; equal sets are solved once.

    Raises `CodebreakerError` if the game or a set is not solved within the limits above.
    """

    name, is_exact = "optimal", True

    def __init__(self, game: TableGame) -> None:
        self.game = self._table = game
        self._cost, self._kept = CostToGo(game, lookups=LOOKUPS), KeptTotals(game)
        self._pools: dict[tuple[int, ...], Indices] = {}

    def root(self) -> int:
        """Return the least total of the game."""
        every = Frontier.initial(self._table).sets
        if (kept := int(self._kept.find(every)[0])) != UNKNOWN:
            return kept
        solution = Solver(self._table).solve(SOLVED_WITHIN_S)
        if solution is None or not solution.proven:
            raise CodebreakerError(
                f"optimal play of {self.game.name} was not found within {SOLVED_WITHIN_S:g} s"
            )
        self._kept.add(every, np.array([solution.cost]))
        return solution.cost

    def totals(self, frontier: Frontier, histories: Indices) -> Totals:
        """Return the least total of each node's set, (n_nodes,) int64."""
        totals, sizes = np.empty(len(frontier.parents), dtype=np.int64), frontier.sizes
        small, large = np.flatnonzero(sizes <= KEPT_FROM), np.flatnonzero(sizes > KEPT_FROM)
        totals[small] = self._cost.of_sets(frontier.subset(small).sets)
        totals[large] = self._kept.find(frontier.subset(large).sets)
        searched = large[totals[large] == UNKNOWN]
        alike = sizes[searched] > (SYMMETRY_PAYS if frontier.turn > 2 else SYMMETRY_PAYS // 3)
        members, offsets = frontier.sets
        for node in searched[alike].tolist():
            pool = self._pool(tuple(histories[node].tolist()))
            totals[node] = self._cost.of(members[offsets[node] : offsets[node + 1]], 1, pool=pool)
        others = searched[~alike]
        totals[others] = self._cost.of_sets(frontier.subset(others).sets)
        self._kept.add(frontier.subset(searched).sets, totals[searched])
        return totals

    def save(self) -> None:
        """Keep the least totals for later runs."""
        self._kept.save()

    def _pool(self, history: tuple[int, ...]) -> Indices:
        """Return one guess of each orbit under the symmetries that keep a history."""
        if history not in self._pools:
            self._pools[history] = np.unique(orbits(self._table, history)).astype(np.int32)
        return self._pools[history]


class PolicyValues(Values):
    """The totals of a policy, which plays on from any set."""

    is_exact = False

    def __init__(self, game: Game, policy: Strategy, threads: int = 1) -> None:
        self.game, self.policy, self.name, self._threads = game, policy, policy.slug, threads
        self._endgames = endgames_of(game, policy)

    def root(self) -> int:
        """Return the policy's total over all secrets."""
        return int(self.totals(Frontier.initial(self.game), np.empty((1, 0), np.int32))[0])

    def totals(self, frontier: Frontier, histories: Indices) -> Totals:
        """Return the policy's total from each node on, (n_nodes,) int64."""
        return forest_totals(
            self.game, self.policy, frontier, self._threads, endgames=self._endgames
        )


def values_of(
    notation: Notation, policy: str | None = None, exact: bool | None = None, threads: int = 1
) -> Values:
    """Return the values to judge a game's moves by.

    A named policy judges them itself. Otherwise optimal play does in games whose table is small
    enough, or if `exact` is true, and elsewhere, or if it is false, the best policy known.
    """
    game = notation.game
    small = isinstance(game, TableGame) and game.table.size <= LARGEST_EXACT
    if policy is None and (small if exact is None else exact):
        if not isinstance(game, TableGame):
            raise CodebreakerError(
                f"{game.name} has no table, and its optimal play is out of reach: judge it by a "
                "policy"
            )
        return OptimalValues(game)
    return PolicyValues(game, reference_policy(notation, policy), threads)


def reference_policy(notation: Notation, policy: str | None = None) -> Strategy:
    """Return a policy with its usual opening, and endgames; None stands for the best one known."""
    opening, endgames = None, ENDGAMES
    if policy is None:
        policy, opening, endgames = STRONGEST.get(notation.game.name, (None, None, ENDGAMES))
    return PolicySpec(policy, opening, endgames=endgames).resolve(notation)
