"""Exact play of small candidate sets in games without a table.

A small set with one guess for each way to split it is a game of its own, which the exact search
solves at once; where it doesn't, within so many look-ups, the set is left to the policy.
"""

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.exact.bounds import size_bounds
from codebreaker.exact.kernels import endgames as columns
from codebreaker.exact.kernels import search as kernel
from codebreaker.exact.kernels.search import EXACT, INFEASIBLE, LOOKUPS_LEFT, Search
from codebreaker.exact.target import LARGEST_GUESS_LIMIT
from codebreaker.games.model import CodeGame, Game
from codebreaker.policies.policy import LARGEST_ENDGAME, Policy
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.kernels import colours as pools
from codebreaker.trees.on_demand import grid_of
from codebreaker.types import FeedbackIds, Indices

LOOKUPS = 1 << 22
"""Look-ups for one set, a few milliseconds' worth."""

SLOTS = 1 << 15
"""Slots for the subsets of one set."""

UNSOLVED = -1


class Endgames:
    """Guesses that reach the least totals of sets of up to `most` candidates, with all guesses.

    What was asked is remembered.
    """

    def __init__(self, game: CodeGame, most: int) -> None:
        if most > LARGEST_ENDGAME:
            raise CodebreakerError(
                f"endgames of {most} candidates are too large: {LARGEST_ENDGAME} is most"
            )
        self.most = most
        self._grid = grid_of(game)
        self._bounds = size_bounds(game.n_feedback, most, LARGEST_GUESS_LIMIT)
        draw = np.random.default_rng(0)
        self._zobrist = draw.integers(2**64, size=(most, 2), dtype=np.uint64)
        self._solved: dict[bytes, tuple[int, int]] = {}
        self._words = np.zeros((2, SLOTS), np.uint64)
        self._found = np.zeros((2, SLOTS), np.int32)
        self._state = np.zeros(SLOTS, np.uint8)

    def play(self, frontier: Frontier, guesses: Indices) -> None:
        """Replace the guesses at nodes with small sets, where they are solved."""
        members, offsets = frontier.sets
        for node in np.flatnonzero((frontier.sizes > 1) & (frontier.sizes <= self.most)):
            guess, _ = self.solve(members[offsets[node] : offsets[node + 1]])
            if guess != UNSOLVED:
                guesses[node] = guess

    def solve(self, members: Indices) -> tuple[int, int]:
        """Return a guess that reaches the least total of a set, and that total; or UNSOLVED."""
        key = members.tobytes()
        if key not in self._solved:
            self._solved[key] = self._solve(members)
        return self._solved[key]

    def _solve(self, members: Indices) -> tuple[int, int]:
        n, grid = len(members), self._grid
        guess, total = columns.decide(grid, members)
        if guess >= 0:
            return guess, total
        leaders = np.empty(grid.n_colours, np.uint8)
        pools.find_absent(grid, members, leaders)
        pool = pools.list_pool(grid, leaders, False)
        by_secret, guesses = columns.find_columns(grid, members, pool)
        search, left = self._search(by_secret), LARGEST_GUESS_LIMIT + 1
        everyone = np.arange(n, dtype=np.int32)
        total = kernel.least_total(search, 0, everyone, left, INFEASIBLE, search.all_guesses)
        slot = kernel.slot_of(search, everyone, left)
        if total < 0 or search.state[slot] != EXACT:
            return UNSOLVED, UNSOLVED
        return int(guesses[search.guess[slot]]), int(total)

    def _search(self, by_secret: FeedbackIds) -> Search:
        """Return a search of a set as a game of its own, with an empty memo."""
        n, n_columns = by_secret.shape
        self._state[:] = kernel.UNSEEN
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
            total=self._found[0],
            guess=self._found[1],
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
    """Return what plays a policy's endgames in a game; None for a policy without endgames.

    Raises `CodebreakerError` for a game with a table, which the exact search solves as it is.
    """
    if not policy.endgames:
        return None
    if isinstance(game, CodeGame):
        return Endgames(game, policy.endgames)
    raise CodebreakerError(
        f"policy {policy.slug} plays endgames exactly, which is for games without a table: "
        f"solve {game.name} itself"
    )
