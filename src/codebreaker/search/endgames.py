"""Exact play of small candidate sets, or of all sets from a turn on."""

import numpy as np

from codebreaker.constants import LARGEST_ENDGAME, LARGEST_GUESS_LIMIT, NO_LIMIT
from codebreaker.errors import CodebreakerError
from codebreaker.games.model import CodeGame, GameModel, TableGame
from codebreaker.policies.strategy import Strategy, check_without_table
from codebreaker.search import cost_to_go
from codebreaker.search.hard import HardCostToGo
from codebreaker.search.kernels import frames
from codebreaker.search.kernels import search as kernel
from codebreaker.search.kernels.costs import INFEASIBLE
from codebreaker.search.kernels.options import DONE, WORK_LEFT
from codebreaker.search.size_bounds import charges_by_row, size_bounds
from codebreaker.search.weighted import WeightedSearch, cost_to_go_of
from codebreaker.sets import codes
from codebreaker.trees.frontier import Frontier
from codebreaker.types import AnyPool, GuessPool, Indices

LOOKUPS = 1 << 22
"""Maximum number of table look-ups for one set: a few milliseconds."""

SLOTS = 1 << 15
"""Memo slots for the subsets of one set."""

UNSOLVED = -1
"""Guess and total of a set that needs more look-ups."""


class ExactPlay:
    """Optimal guesses in a game with a table, at sets of up to `largest` and from a turn on.

    `work` limits the search of a set: in table look-ups or, with a prior or in hard mode, in sets
    that are searched. A set that takes more raises `CodebreakerError`, or keeps its guess if this
    `gives_up`.
    """

    def __init__(
        self,
        game: TableGame,
        largest: int,
        exact_from: int | None,
        guess_pool: AnyPool = "all",
        work: int | None = None,
        *,
        gives_up: bool = False,
    ) -> None:
        self.largest = largest
        self.exact_from = exact_from
        self._gives_up = gives_up
        self._cost_to_go: cost_to_go.CostToGo | WeightedSearch | HardCostToGo
        most = NO_LIMIT if work is None else work
        if guess_pool == "hard":
            self._cost_to_go = HardCostToGo(game, most_sets=most)
        else:
            self._cost_to_go = cost_to_go_of(game, work=most, guess_pool=guess_pool)

    def plays_all(self, frontier: Frontier) -> bool:
        """Return whether all sets are played exactly."""
        return self.exact_from is not None and frontier.turn >= self.exact_from

    def play(self, frontier: Frontier, guesses: Indices) -> None:
        """Replace guesses by optimal ones; a set that takes too long as the class says."""
        exact = frontier.sizes > 1
        if not self.plays_all(frontier):
            exact &= frontier.sizes <= self.largest
        cells = frontier.cells
        pools = frontier.pools
        for node in np.flatnonzero(exact).tolist():
            pool = None if pools is None else pools[node]
            try:
                _, guesses[node] = self._cost_to_go.best(cells[node], pool)
            except CodebreakerError:
                if not self._gives_up:
                    raise


class Endgames:
    """Optimal guesses at sets of up to `largest` without a table; solved sets are cached."""

    def __init__(self, game: CodeGame, largest: int, guess_pool: GuessPool = "all") -> None:
        if largest > LARGEST_ENDGAME:
            raise CodebreakerError(
                f"endgames of {largest} candidates are too large: at most {LARGEST_ENDGAME} are "
                "possible"
            )
        self.largest = largest
        self._consistent_only = guess_pool == "consistent"
        self._grid = codes.grid_of(game)
        self._bounds = size_bounds(game.n_feedback, largest, LARGEST_GUESS_LIMIT)
        self._charges = charges_by_row(LARGEST_GUESS_LIMIT)
        self._solved: dict[bytes, tuple[int, int]] = {}

    def plays_all(self, _: Frontier) -> bool:
        """Return False: some take too long."""
        return False

    def play(self, frontier: Frontier, guesses: Indices) -> None:
        """Replace the guesses at small sets that are solved in time."""
        cells = frontier.cells
        for node in np.flatnonzero((frontier.sizes > 1) & (frontier.sizes <= self.largest)):
            guess, _ = self.solve(cells[node])
            if guess != UNSOLVED:
                guesses[node] = guess

    def solve(self, members: Indices) -> tuple[int, int]:
        """Return an optimal guess and the minimum total, or UNSOLVED twice."""
        key = members.tobytes()
        if key not in self._solved:
            self._solved[key] = self._solve(members)
        return self._solved[key]

    def _solve(self, members: Indices) -> tuple[int, int]:
        """Solve a set as a game of its own: candidates are numbered, guesses are its columns."""
        n = len(members)
        grid = self._grid
        guess, total = frames.shortcut(grid, members)
        if guess >= 0:
            return guess, total
        pool = members[:0] if self._consistent_only else codes.pool_of_set(grid, members)
        labels, guesses = frames.find_columns(grid, members, pool)
        candidates = np.arange(n, dtype=np.int32)
        left = LARGEST_GUESS_LIMIT + 1  # no limit
        search = cost_to_go.make_search(
            labels=labels,
            by_secret=np.empty((0, 0), np.uint8),
            guess_of_secret=candidates,
            n_feedback=n + 1,
            consistent_only=self._consistent_only,
            bounds=np.ascontiguousarray(self._bounds[:, : n + 1]),
            charges=self._charges,
            memo=cost_to_go.empty_memo(n, SLOTS),
            symmetry=None,
        )
        search.tally[WORK_LEFT] = LOOKUPS
        status, total = kernel.minimum_total(
            search, search.frame, 0, candidates, left, INFEASIBLE, search.frame.guesses
        )
        if status != DONE:
            return UNSOLVED, UNSOLVED
        whole = np.array([0, n])
        guess = kernel.guesses_for(search, candidates, whole, left)[0]
        return int(guesses[guess]), int(total)


def endgames_of(game: GameModel, strategy: Strategy) -> ExactPlay | Endgames | None:
    """Return the player of a strategy's endgames, if any."""
    if not strategy.plays_exactly:
        return None
    if game.has_table:
        pool = strategy.guess_pool or "all"
        return ExactPlay(game.with_table(), strategy.endgames, strategy.exact_from, pool)
    check_without_table(strategy, game.name)
    return Endgames(game.on_demand(), strategy.endgames, strategy.pool)
