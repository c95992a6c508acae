"""The exact cost-to-go: the least total guesses of any candidate set."""

import itertools

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame
from codebreaker.search.kernels import search as kernel
from codebreaker.search.kernels.cost_bounds import INFEASIBLE
from codebreaker.search.kernels.options import LOOKUPS_LEFT
from codebreaker.search.kernels.search import STOPPED
from codebreaker.search.search import allocate, check_depth, guesses_left_at, optimal_guesses
from codebreaker.sets.primitives import Sets
from codebreaker.trees.frontier import Frontier
from codebreaker.types import GuessPool, Indices, Offsets, Totals


class CostToGo:
    """The least total of candidate sets; no secret may take more than `guess_limit` guesses.

    Results are memoised for later calls, in about `memo_mib` MiB. `lookups` is the limit on table
    look-ups per call.
    """

    def __init__(
        self,
        game: TableGame,
        guess_limit: int | None = None,
        memo_mib: float = 256.0,
        lookups: int = 2**62,
        guess_pool: GuessPool = "all",
    ) -> None:
        self.game, self.guess_limit, self._lookups = game, guess_limit, lookups
        self._search = allocate(game, guess_pool, memo_mib)

    def of(
        self, members: Indices, turn: int, limit: int = INFEASIBLE, pool: Indices | None = None
    ) -> int:
        """Return the least total of a set from a turn on if below the limit, else a lower bound.

        The bound is at least the limit. The pool may omit guesses symmetric to another one. Raises
        `CodebreakerError` if the search takes too many look-ups or turns.
        """
        search, left = self._search, guesses_left_at(turn, self.guess_limit)
        search.tally[LOOKUPS_LEFT] = self._lookups
        pool = search.all_guesses if pool is None else pool
        total = kernel.least_total(search, search.frame, 0, members, left, limit, pool)
        return self._checked(total, len(members))

    def restart(self, exact: int, width: int, lookups: int = 2**62) -> None:
        """Forget all totals; from now on sets of more than `exact` candidates try `width` guesses.

        Totals are those of the best play that is tried then, and other results no bounds. `lookups`
        is a new limit on table look-ups per call.
        """
        search, self._lookups = self._search, lookups
        if search.memo.used[0]:
            search.memo.slots[:], search.memo.used[0] = 0, 0
        search.beam[:] = exact, width

    def of_sets(self, sets: Sets) -> Totals:
        """Return the least total of each set, with any number of guesses, (n_sets,) int64.

        Raises `CodebreakerError` as `of` does.
        """
        totals = np.empty(len(sets.offsets) - 1, dtype=np.int64)
        for node, (start, stop) in enumerate(itertools.pairwise(sets.offsets.tolist())):
            totals[node] = self.of(sets.members[start:stop], 1)
        return totals

    def best(
        self, members: Indices, pool: Indices | None = None, limit: int = INFEASIBLE
    ) -> tuple[int, int]:
        """Return the least total of a set, and a guess that attains it; the pool is as in `of`.

        If the total is not below the limit, a lower bound is returned, and -1 for the guess.
        """
        total = self.of(members, 1, limit, pool)
        if total >= limit:
            return total, -1
        return total, int(self.play(Frontier.of_set(members, 1, -1))[0])

    def play(self, frontier: Frontier) -> Indices:
        """Return an optimal guess at each node of a frontier, (n_nodes,) int32."""
        left = guesses_left_at(frontier.turn, self.guess_limit)
        return optimal_guesses(self._search, frontier.sets, left)

    def after(self, guess: int, members: Indices, turn: int, limit: int) -> int:
        """Return the least total of a set after a guess at a turn, or a lower bound as in `of`."""
        search, left = self._search, guesses_left_at(turn + 1, self.guess_limit)
        search.tally[LOOKUPS_LEFT] = self._lookups
        total = kernel.total_after(search, members, guess, left, limit)
        return self._checked(total, len(members))

    def bounds_after(self, turn: int) -> Offsets:
        """Return a lower bound on the least total after a turn, by a set's size."""
        bounds: Offsets = self._search.bounds[guesses_left_at(turn + 1, self.guess_limit)]
        return bounds.astype(np.int64)

    def _checked(self, total: int, size: int) -> int:
        check_depth(self.game, total)
        if total == STOPPED:
            raise CodebreakerError(
                f"the least total of {size:,} candidates of {self.game.name} was not found within "
                f"{self._lookups:,} look-ups: choose a smaller set"
            )
        return int(total)
