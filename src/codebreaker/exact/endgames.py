"""Exact play of small candidate sets in games without a table.

A small set, with one guess for each distinct partition, is a small game with a table, which the
exact search solves. If that takes too many look-ups, the set is left to the policy.
"""

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.exact.bounds import size_bounds
from codebreaker.exact.kernels import endgames as kernel
from codebreaker.exact.kernels import search as search_kernel
from codebreaker.exact.kernels.search import EXACT, INFEASIBLE, LOOKUPS_LEFT, Search
from codebreaker.exact.target import LARGEST_GUESS_LIMIT
from codebreaker.games.model import CodeGame, Game
from codebreaker.policies.policy import LARGEST_ENDGAME, Policy
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.kernels import colours
from codebreaker.trees.on_demand import grid_of
from codebreaker.types import FeedbackIds, Indices

LOOKUPS = 1 << 22
"""The limit on table look-ups for one set, a few milliseconds of work."""

SLOTS = 1 << 15
"""Memo slots for the subsets of one set."""

UNSOLVED = -1
"""The guess and the total of a set that took too many look-ups."""


class Endgames:
    """Optimal guesses, out of all codes, for sets of up to `largest` candidates.

    Solved sets are cached.
    """

    def __init__(self, game: CodeGame, largest: int) -> None:
        if largest > LARGEST_ENDGAME:
            raise CodebreakerError(
                f"endgames of {largest} candidates are too large: at most {LARGEST_ENDGAME} are "
                "possible"
            )
        self.largest = largest
        self._grid = grid_of(game)
        self._bounds = size_bounds(game.n_feedback, largest, LARGEST_GUESS_LIMIT)
        draw = np.random.default_rng(0)
        self._zobrist = draw.integers(2**64, size=(largest, 2), dtype=np.uint64)
        self._solved: dict[bytes, tuple[int, int]] = {}
        self._words = np.zeros((2, SLOTS), np.uint64)
        self._results = np.zeros((2, SLOTS), np.int32)
        self._state = np.zeros(SLOTS, np.uint8)

    def play(self, frontier: Frontier, guesses: Indices) -> None:
        """Replace the guesses at the nodes whose sets are small enough and solved in time."""
        members, offsets = frontier.sets
        for node in np.flatnonzero((frontier.sizes > 1) & (frontier.sizes <= self.largest)):
            guess, _ = self.solve(members[offsets[node] : offsets[node + 1]])
            if guess != UNSOLVED:
                guesses[node] = guess

    def solve(self, members: Indices) -> tuple[int, int]:
        """Return an optimal guess for a set and its least total, or UNSOLVED for both."""
        key = members.tobytes()
        if key not in self._solved:
            self._solved[key] = self._solve(members)
        return self._solved[key]

    def _solve(self, members: Indices) -> tuple[int, int]:
        n, grid = len(members), self._grid
        guess, total = kernel.shortcut(grid, members)
        if guess >= 0:
            return guess, total
        leaders = np.empty(grid.n_colours, np.uint8)
        colours.find_absent(grid, members, leaders)
        pool = colours.list_pool(grid, leaders, False)
        by_secret, guesses = kernel.find_columns(grid, members, pool)
        search, left = self._search(by_secret), LARGEST_GUESS_LIMIT + 1
        candidates = np.arange(n, dtype=np.int32)
        total = search_kernel.least_total(
            search, 0, candidates, left, INFEASIBLE, search.all_guesses
        )
        slot = search_kernel.slot_of(search, candidates, left)
        if total < 0 or search.state[slot] != EXACT:
            return UNSOLVED, UNSOLVED
        return int(guesses[search.guess[slot]]), int(total)

    def _search(self, by_secret: FeedbackIds) -> Search:
        """Return a search, with an empty memo, of a set as a game with a table."""
        n, n_columns = by_secret.shape
        self._state[:] = search_kernel.UNSEEN
        tally = np.zeros(4, np.int64)
        tally[LOOKUPS_LEFT] = LOOKUPS
        return Search(
            by_secret=by_secret,
            guess_of_secret=np.arange(n, dtype=np.int32),
            solved=n,
            consistent_only=False,
            bounds=np.ascontiguousarray(self._bounds[:, : n + 1]),
            zobrist=self._zobrist[:n],
            first=self._words[0],
            second=self._words[1],
            total=self._results[0],
            guess=self._results[1],
            state=self._state,
            tally=tally,
            all_guesses=np.arange(n_columns, dtype=np.int32),
            options=np.empty((n, n_columns), np.int32),
            option_bounds=np.empty((n, n_columns), np.int32),
            order=np.empty((n, n_columns), np.int32),
            signatures=np.empty((n, n_columns), np.uint64),
            members=np.empty((n, n), np.int32),
            at=np.empty((n, n + 2), np.int64),
        )


def endgames_of(game: Game, policy: Policy) -> Endgames | None:
    """Return the player of a policy's endgames in a game; None for a policy without endgames.

    Raises `CodebreakerError` for a game with a table: the exact search solves it as it is.
    """
    if not policy.endgames:
        return None
    if isinstance(game, CodeGame):
        return Endgames(game, policy.endgames)
    raise CodebreakerError(
        f"policy {policy.slug} plays endgames exactly, which only games without a table need: "
        f"solve {game.name} exactly instead"
    )
