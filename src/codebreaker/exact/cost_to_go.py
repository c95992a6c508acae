"""The exact cost-to-go: the least total guesses of any candidate set."""

from codebreaker.errors import CodebreakerError
from codebreaker.exact.kernels import search as kernel
from codebreaker.exact.kernels.search import INFEASIBLE, LOOKUPS_LEFT, STOPPED
from codebreaker.exact.solver import allocate, guess_of, left_at, refuse_depth
from codebreaker.games.model import TableGame
from codebreaker.types import Indices


class CostToGo:
    """The least total of candidate sets, in any number of guesses or in `guess_limit` of a game.

    What is learnt is kept for later questions, in about `memo_mib` MiB; each may take so many
    look-ups in the table.
    """

    def __init__(
        self,
        game: TableGame,
        guess_limit: int | None = None,
        memo_mib: float = 256.0,
        lookups: int = 2**62,
    ) -> None:
        self.game, self.guess_limit, self._lookups = game, guess_limit, lookups
        self._search = allocate(game, "all", memo_mib)

    def of(
        self, members: Indices, turn: int, limit: int = INFEASIBLE, pool: Indices | None = None
    ) -> int:
        """Return the least total of a set from a turn on; where it isn't below the limit, a bound.

        The bound is at least the limit. The pool may leave out guesses that are like another.
        """
        search, left = self._search, left_at(turn, self.guess_limit)
        search.tally[LOOKUPS_LEFT] = self._lookups
        pool = search.all_guesses if pool is None else pool
        found = kernel.least_total(search, 0, members, left, limit, pool)
        self._check(found, len(members))
        return int(found)

    def best(self, members: Indices, pool: Indices | None = None) -> tuple[int, int]:
        """Return the least total of a set, and a guess that reaches it; the pool is as in `of`."""
        total = self.of(members, 1, pool=pool)
        return total, guess_of(self._search, members, left_at(1, self.guess_limit))

    def after(self, guess: int, members: Indices, turn: int, limit: int) -> int:
        """Return the least total of a set if a guess is played at a turn, or a bound as in `of`."""
        search, left = self._search, left_at(turn + 1, self.guess_limit)
        search.tally[LOOKUPS_LEFT] = self._lookups
        found = kernel.total_after(search, members, guess, left, limit)
        self._check(found, len(members))
        return int(found)

    def _check(self, found: int, size: int) -> None:
        refuse_depth(self.game, found)
        if found == STOPPED:
            raise CodebreakerError(
                f"the least total of {size:,} candidates of {self.game.name} was not found in "
                f"{self._lookups:,} look-ups: ask about a smaller set"
            )
