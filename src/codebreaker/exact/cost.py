"""The exact cost-to-go: the least total guesses of any candidate set."""

from codebreaker.exact.solve import MOST_GUESSES, allocate
from codebreaker.game import Game
from codebreaker.kernels import search as kernel
from codebreaker.kernels.search import INFEASIBLE, LOOKUPS_LEFT
from codebreaker.partition import split
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

    def _left(self, turn: int) -> int:
        endless = self.most_guesses is None or self.most_guesses > MOST_GUESSES
        return MOST_GUESSES + 1 if endless else max((self.most_guesses or 0) - turn + 1, 0)

    def of(self, members: Codes, turn: int, limit: int = INFEASIBLE) -> int:
        """Return the least total of a set from a turn on; where it isn't below the limit, a bound.

        The bound is at least the limit.
        """
        search = self._search
        search.tally[LOOKUPS_LEFT] = 2**62
        return int(
            kernel.least_total(search, 0, members, self._left(turn), limit, search.all_guesses)
        )

    def after(self, guess: int, members: Codes, turn: int, limit: int) -> int:
        """Return the least total of a set if a guess is played at a turn, or a bound as in `of`."""
        bounds = self._search.bounds[self._left(turn + 1)]
        cells = split(self.game, guess, members)
        cells.pop(self.game.solved, None)
        total = len(members) + sum(int(bounds[len(cell)]) for cell in cells.values())
        for cell in sorted(cells.values(), key=len):
            if total >= limit:
                break
            others = total - int(bounds[len(cell)])
            total = others + self.of(cell, turn + 1, limit - others)
        return total
