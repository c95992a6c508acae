"""Exact play of small candidate sets in games without a table.

A small set, with one guess for each distinct partition, is a small game with a table, which the
exact search solves. If that takes too many look-ups, the set is left to the policy.
"""

import numpy as np

from codebreaker.constants import LARGEST_ENDGAME, LARGEST_GUESS_LIMIT
from codebreaker.errors import CodebreakerError
from codebreaker.exact.kernels import endgames as kernel
from codebreaker.exact.kernels import search as search_kernel
from codebreaker.exact.kernels.search import EXACT, INFEASIBLE, LOOKUPS_LEFT, UNSEEN, Search
from codebreaker.exact.search import (
    charges_by_row,
    empty_memo,
    random_words,
    size_bounds,
    working_memory,
)
from codebreaker.games.model import CodeGame, Game
from codebreaker.policies.policy import Policy
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.kernels import colours
from codebreaker.trees.on_demand import grid_of
from codebreaker.types import Indices

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
        self._charges = charges_by_row(LARGEST_GUESS_LIMIT)
        self._zobrist, self._memo = random_words(largest), empty_memo(SLOTS)
        self._solved: dict[bytes, tuple[int, int]] = {}

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
        candidates, left = np.arange(n, dtype=np.int32), LARGEST_GUESS_LIMIT + 1
        search = Search(
            by_secret=by_secret,
            guess_of_secret=candidates,
            solved=n,
            consistent_only=False,
            bounds=np.ascontiguousarray(self._bounds[:, : n + 1]),
            charges=self._charges,
            zobrist=self._zobrist[:n],
            **self._memo,
            **working_memory(n, len(guesses), n + 1),
        )
        search.state[:], search.tally[LOOKUPS_LEFT] = UNSEEN, LOOKUPS
        total = search_kernel.least_total(
            search, 0, candidates, left, INFEASIBLE, search.all_guesses
        )
        slot = search_kernel.slot_of(search, candidates, left)
        if total < 0 or search.state[slot] != EXACT:
            return UNSOLVED, UNSOLVED
        return int(guesses[search.guess[slot]]), int(total)


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
