"""Optimal game trees for secrets with a prior, given as integer weights."""

import time
from math import inf, isfinite

import numpy as np

from codebreaker.constants import LARGEST_SUM, MAX_DEPTH, NO_LIMIT
from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame
from codebreaker.games.symmetry import representatives_of_guesses, respects_symmetry
from codebreaker.search import cost_to_go
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.kernels import weighted as kernel
from codebreaker.search.kernels.options import STOPPED, WORK_LEFT
from codebreaker.sets.partition import split
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import levels, make_tree
from codebreaker.trees.tree import GameTree
from codebreaker.types import GuessPool, Indices, Offsets

SLICE = 1 << 13
"""Sets between two checks of the clock: some tenths of a second."""


class WeightedSearch:
    """The search for the minimum total with integer weights.

    Each question takes up to `seconds`, or `most_sets` sets that are searched.
    """

    def __init__(
        self,
        game: TableGame,
        weights: Offsets,
        memo_mib: float = 256.0,
        seconds: float = inf,
        most_sets: int = NO_LIMIT,
    ) -> None:
        self.game = game
        self.weights = weights
        self._seconds = seconds
        self._most_sets = most_sets
        if weights.min() < 0 or not weights.any():
            raise CodebreakerError("weights must not be negative, and not all 0")
        if sum(weights.tolist()) > LARGEST_SUM:
            raise CodebreakerError("the weights are too large: divide them by a common factor")
        # Deeper trees are refused, so no total reaches it.
        self.no_limit = sum(weights.tolist()) * MAX_DEPTH + 1
        self._symmetric = respects_symmetry(game, weights)
        self._search = cost_to_go.make_search(
            labels=game.table,
            by_secret=game.by_secret,
            guess_of_secret=game.guess_of_secret,
            n_feedback=game.n_feedback,
            consistent_only=False,
            bounds=np.empty((1, 1), dtype=np.int32),
            charges=np.empty(1, dtype=np.int64),
            memo=cost_to_go.empty_memo(game.n_secrets, cost_to_go.slots_in(memo_mib, 4), 4),
            symmetry=game.symmetry if self._symmetric else None,
            weights=weights,
        )

    def minimum(self, limit: int | None = None) -> tuple[int, int]:
        """Return the minimum weighted total and its opening, or a bound ≥ the limit and −1."""
        game = self.game
        if limit is None:
            limit = self.no_limit
        best = limit
        winner = -1
        members = self._ordered(np.flatnonzero(self.weights).astype(np.int32))
        if len(members) == 1:
            total = int(self.weights[members[0]])
            return (total, int(game.guess_of_secret[members[0]])) if total < limit else (limit, -1)
        # One opening of each class, in the order of the bounds of its cells. The opening itself
        # costs each secret its weight, `whole` in all.
        bounded = []
        for guess in np.unique(self._representatives([])).tolist():
            cells = split(game, guess, members)
            if len(cells) > 1:
                cells.pop(game.solved, None)
                bounded.append((sum(map(self._bound, cells.values())), guess, list(cells.values())))
        whole = int(self.weights.sum())
        for _, guess, below in sorted(bounded, key=lambda option: option[:2]):
            pool = np.unique(self._representatives([guess])).astype(np.int32)
            total = self._below(below, whole, best, pool)
            if total < best:
                best = total
                winner = guess
        return best, winner

    def tree(self, opening: int) -> GameTree:
        """Return a tree that is optimal after an opening; all secrets must have weights."""

        def choose(frontier: Frontier) -> Indices:
            """Return the opening, then an optimal guess at each node."""
            if frontier.turn == 1:
                return np.array([opening], dtype=np.int32)
            return np.array([self._guess(cell) for cell in frontier.cells], dtype=np.int32)

        return make_tree(levels(self.game, Frontier.initial(self.game), choose))

    def of(
        self, members: Indices, turn: int, limit: int | None = None, pool: Indices | None = None
    ) -> int:
        """Return a set's minimum total, as `CostToGo.of`."""
        if limit is None:
            limit = self.no_limit
        pool = self._search.frame.guesses if pool is None else pool
        return self._minimum(self._ordered(members), limit, pool)

    def best(
        self, members: Indices, pool: Indices | None = None, limit: int | None = None
    ) -> tuple[int, int]:
        """Return the total and guess, as `CostToGo.best`."""
        if limit is None:
            limit = self.no_limit
        total = self.of(members, 1, limit, pool)
        return total, -1 if total >= limit else self._guess(members)

    def after(self, guess: int, members: Indices, turn: int, limit: int) -> int:
        """Return the total, as `CostToGo.after`."""
        cells = split(self.game, guess, members)
        cells.pop(self.game.solved, None)
        below = [self._ordered(cell) for cell in cells.values()]
        now = int(self.weights[members].sum())
        return self._below(below, now, limit, self._search.frame.guesses)

    def _below(self, cells: list[Indices], now: int, limit: int, pool: Indices) -> int:
        """Return `now` plus the minimum totals of ordered cells, or a bound of at least the limit.

        At any time the total is a lower bound: `now`, and a bound or the minimum of each cell.
        """
        bounded = [(cell, self._bound(cell)) for cell in cells]
        total = now + sum(known for _, known in bounded)
        for cell, known in sorted(bounded, key=lambda pair: len(pair[0])):
            if total >= limit:
                break
            others = total - known
            total = others + max(known, self._minimum(cell, limit - others, pool))
        return total

    def _guess(self, members: Indices) -> int:
        """Return a set's optimal guess; search again if the memo has no room for it."""
        cell = self._ordered(members)
        whole = np.array([0, len(cell)])
        guess = kernel.guesses_for(self._search, cell, whole, 0)[0]
        if guess < 0:
            self._minimum(cell, self.no_limit, self._search.frame.guesses)
            guess = kernel.guesses_for(self._search, cell, whole, 0)[0]
        return int(guess)

    def _minimum(self, members: Indices, limit: int, pool: Indices) -> int:
        """Return an ordered set's minimum total, or a bound of at least the limit.

        Raises `CodebreakerError` if the search takes more than `seconds` or `most_sets`. A memo
        that is nearly full is emptied first.
        """
        search = self._search
        if 4 * search.memo.used[0] >= 3 * len(search.memo.slots):
            cost_to_go.forget(search.memo)
        end = inf
        left = self._most_sets
        status = STOPPED
        while status == STOPPED:
            if time.monotonic() > end or left <= 0:
                much = f"{self._seconds:g} s" if left > 0 else f"{self._most_sets:,} sets"
                raise CodebreakerError(
                    f"the minimum total of {len(members):,} candidates of {self.game.name} with a "
                    f"prior takes more than {much}: add moves, or do without exact totals"
                )
            slice_of_work = min(left, SLICE if isfinite(self._seconds) else NO_LIMIT)
            search.tally[WORK_LEFT] = slice_of_work
            left -= slice_of_work
            frame = search.frame
            spare = min(limit, self.no_limit)
            status, total = kernel.minimum_total(search, frame, 0, members, 0, spare, pool)
            # The clock starts after the first slice, which may have compiled the search.
            end = min(end, time.monotonic() + self._seconds)
        cost_to_go.check_search_depth(self.game, status)
        return int(total)

    def _ordered(self, members: Indices) -> Indices:
        """Return candidates by weight, heaviest first, as the kernel needs them."""
        return cost_to_go.as_indices(members[np.argsort(-self.weights[members], kind="stable")])

    def _bound(self, members: Indices) -> int:
        """Return a bound on an ordered set's total: turn t solves at most (k − 1)^(t−1)."""
        turns = np.ones(len(members), dtype=np.int64)
        filled = 1
        room = self.game.n_feedback - 1
        while filled < len(members):
            turns[filled:] += 1
            filled += room
            room *= self.game.n_feedback - 1
        return int(turns @ self.weights[members])

    def _representatives(self, history: list[int]) -> Indices:
        """Return each guess's representative after a history, itself without symmetries."""
        every = np.arange(self.game.n_guesses, dtype=np.int32)
        return representatives_of_guesses(self.game, history) if self._symmetric else every


def cost_to_go_of(
    game: TableGame,
    memo_mib: float = 256.0,
    work: int = NO_LIMIT,
    seconds: float = inf,
    guess_pool: GuessPool = "all",
) -> CostToGo | WeightedSearch:
    """Return the cost-to-go of a game's sets, weighted if it has a prior.

    Raises `CodebreakerError` for a prior with consistent guesses only; later, a set that takes more
    than `work`, in table look-ups, raises it. With a prior work is counted in sets, and limited by
    `seconds`, too.
    """
    if game.prior is None:
        return CostToGo(game, memo_mib=memo_mib, lookups=work, guess_pool=guess_pool)
    if guess_pool == "consistent":
        raise CodebreakerError(
            f"the secrets of {game.name} have a prior: exact play needs the guess pool `all`"
        )
    return WeightedSearch(game, game.prior, memo_mib, seconds, work)
