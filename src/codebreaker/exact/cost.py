"""The exact cost-to-go: the least total guesses of any candidate set."""

from codebreaker.exact.solve import allocate, guess_of, left_at, refuse_depth
from codebreaker.game import Game
from codebreaker.kernels import search as kernel
from codebreaker.kernels.search import INFEASIBLE, LOOKUPS_LEFT
from codebreaker.types import Codes


class CostToGo:
    """The least total of candidate sets, in any number of guesses or in `most_guesses` of a game.

    What is learnt is kept for later questions, in about `memo_mib` MiB.
    """

    def __init__(
        self, game: Game, most_guesses: int | None = None, memo_mib: float = 256.0
    ) -> None:
        self.game, self.most_guesses = game, most_guesses
        self._search = allocate(game, "all", memo_mib)

    def of(self, members: Codes, turn: int, limit: int = INFEASIBLE) -> int:
        """Return the least total of a set from a turn on; where it isn't below the limit, a bound.

        The bound is at least the limit.
        """
        search, left = self._search, left_at(turn, self.most_guesses)
        search.tally[LOOKUPS_LEFT] = 2**62
        found = kernel.least_total(search, 0, members, left, limit, search.all_guesses)
        refuse_depth(self.game, found)
        return int(found)

    def best(self, members: Codes, pool: Codes | None = None) -> tuple[int, int]:
        """Return the least total of a set in any number of guesses, and a guess that reaches it.

        `pool` are the guesses to try where all others are their images under symmetries.
        """
        search, left = self._search, left_at(1, None)
        search.tally[LOOKUPS_LEFT] = 2**62
        some = search.all_guesses if pool is None else pool
        found = kernel.least_total(search, 0, members, left, INFEASIBLE, some)
        refuse_depth(self.game, found)
        return int(found), guess_of(search, members, left)

    def after(self, guess: int, members: Codes, turn: int, limit: int) -> int:
        """Return the least total of a set if a guess is played at a turn, or a bound as in `of`."""
        search, left = self._search, left_at(turn + 1, self.most_guesses)
        search.tally[LOOKUPS_LEFT] = 2**62
        found = kernel.total_after(search, members, guess, left, limit)
        refuse_depth(self.game, found)
        return int(found)
