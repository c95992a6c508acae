"""Optimal game trees for secrets with weights, such as a codemaker's distribution of the code."""

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.exact.kernels import weighted as kernel
from codebreaker.exact.kernels.frames import Frame
from codebreaker.exact.search import LABELS, MAX_DEPTH, MOST_EXCHANGES, exchanges_of, random_words
from codebreaker.games.model import TableGame
from codebreaker.games.symmetry import orbits
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import levels, make_tree
from codebreaker.trees.partition import split
from codebreaker.trees.tree import GameTree
from codebreaker.types import Indices, Offsets

LARGEST_TOTAL = 2**62
"""No weighted total may be larger."""

LARGEST_SUM = LARGEST_TOTAL // MAX_DEPTH
"""The largest sum of weights."""

BYTES_PER_SLOT = 32  # of the memo


class WeightedSearch:
    """The search for the least weighted total of guesses; weights are whole numbers, not negative.

    Secrets of no weight are not looked for. Results are memoised for the search's lifetime in about
    `memo_mib` MiB; once these are full, it gets slower.
    """

    def __init__(self, game: TableGame, weights: Offsets, memo_mib: float = 256.0) -> None:
        self.game, self.weights = game, weights
        if weights.min() < 0 or not weights.any():
            raise CodebreakerError("weights must not be negative, and not all 0")
        if sum(weights.tolist()) > LARGEST_SUM:
            raise CodebreakerError("the weights are too large: divide them by a common factor")
        own = orbits(game, [])[game.guess_of_secret]
        first = np.unique(own, return_index=True)[1]
        of_class = np.zeros(game.n_guesses, dtype=np.int64)
        of_class[own[first]] = weights[first]
        self._symmetric = bool((of_class[own] == weights).all())
        slots = 1 << max(int(memo_mib * 2**20 / BYTES_PER_SLOT).bit_length() - 1, 4)
        self._search = _allocate(game, weights, slots, self._symmetric)

    @property
    def sets_searched(self) -> int:
        """Return the number of candidate sets that were searched so far."""
        return int(self._search.tally[kernel.SETS_SEARCHED])

    def least(self, limit: int = LARGEST_TOTAL) -> tuple[int, int]:
        """Return the least weighted total, and an opening of it.

        If the total is not below the limit, a lower bound is returned, the limit, and −1.
        """
        game, best, winner = self.game, limit, -1
        members = self._ordered(np.flatnonzero(self.weights).astype(np.int32))
        if len(members) == 1:
            total = int(self.weights[members[0]])
            return (total, int(game.guess_of_secret[members[0]])) if total < limit else (limit, -1)
        bounded = []
        for guess in np.unique(self._representatives([])).tolist():
            cells = split(game, guess, members)
            if len(cells) > 1:
                cells.pop(game.solved, None)
                known = {f: self._bound(cell) for f, cell in cells.items()}
                bounded.append((sum(known.values()), guess, cells, known))
        whole = int(self.weights.sum())
        for _, guess, cells, known in sorted(bounded, key=lambda one: one[:2]):
            total = whole + sum(known.values())
            pool = np.unique(self._representatives([guess])).astype(np.int32)
            for f in sorted(cells, key=lambda f: len(cells[f])):
                if total >= best:
                    break
                others = total - known[f]
                total = others + max(known[f], self._least(cells[f], best - others, pool))
            if total < best:
                best, winner = total, guess
        return best, winner

    def tree(self, opening: int) -> GameTree:
        """Return a tree that is optimal after an opening; all secrets must have weights."""
        return make_tree(
            levels(self.game, Frontier.initial(self.game), lambda at: self._guesses(at, opening))
        )

    def _guesses(self, frontier: Frontier, opening: int) -> Indices:
        if frontier.turn == 1:
            return np.array([opening], dtype=np.int32)
        members, offsets = frontier.sets
        guesses = np.empty(len(offsets) - 1, dtype=np.int32)
        for node in range(len(guesses)):
            cell = self._ordered(members[offsets[node] : offsets[node + 1]])
            guesses[node] = kernel.guess_of(self._search, cell)
            if guesses[node] < 0:
                self._least(cell, LARGEST_TOTAL, self._search.frame.guesses)
                guesses[node] = kernel.guess_of(self._search, cell)
        return guesses

    def _least(self, members: Indices, limit: int, pool: Indices) -> int:
        search = self._search
        if 4 * search.used[0] >= 3 * len(search.slots):
            search.slots[:], search.used[0] = 0, 0
        total = int(kernel.least_total(search, search.frame, 0, members, limit, pool))
        if total == kernel.TOO_DEEP:
            raise CodebreakerError(
                f"{self.game.name} needs trees of more than {MAX_DEPTH} turns: "
                "choose a smaller game"
            )
        return total

    def _ordered(self, members: Indices) -> Indices:
        """Return candidates in the order of their weights, the largest first."""
        return members[np.argsort(-self.weights[members], kind="stable")]

    def _bound(self, members: Indices) -> int:
        """Return a bound by the number of candidates alone; they are in the order of weights."""
        turns, filled, room = np.ones(len(members), dtype=np.int64), 1, self.game.n_feedback - 1
        while filled < len(members):
            turns[filled:] += 1
            filled, room = filled + room, room * (self.game.n_feedback - 1)
        return int(turns @ self.weights[members])

    def _representatives(self, history: list[int]) -> Indices:
        every = np.arange(self.game.n_guesses, dtype=np.int32)
        return orbits(self.game, history) if self._symmetric else every


def _allocate(game: TableGame, weights: Offsets, slots: int, symmetric: bool) -> kernel.Search:
    """Allocate a search; the system commits the memo's pages as they are used."""
    n_guesses, n_secrets = game.table.shape
    guesses, depths = np.arange(n_guesses, dtype=np.int32), min(n_secrets, MAX_DEPTH)
    return kernel.Search(
        frame=Frame(
            guesses=guesses,
            column_of=guesses,
            row_of=np.arange(n_secrets, dtype=np.int32),
            labels=game.table,
            parts=np.full(n_guesses, game.n_feedback, dtype=np.uint16),
            planes=np.empty(0, dtype=np.uint16),
            starts=np.empty(0, dtype=np.int64),
            widths=np.empty(0, dtype=np.int64),
        ),
        guess_of_secret=game.guess_of_secret,
        n_feedback=game.n_feedback,
        weights=weights,
        words=random_words(n_secrets),
        slots=np.zeros((slots, 4), dtype=np.uint64),
        used=np.zeros(1, dtype=np.int64),
        exchanges=exchanges_of(game.symmetry if symmetric else None),
        tally=np.zeros(2, dtype=np.int64),
        allowed=np.zeros(n_guesses, dtype=np.uint8),
        bits=np.empty(n_guesses, dtype=np.uint16),
        parts=np.empty(n_guesses, dtype=np.uint16),
        options=np.empty((depths, n_guesses), dtype=np.int32),
        bounds=np.empty((depths, n_guesses), dtype=np.int64),
        members=np.empty((depths, n_secrets), dtype=np.int32),
        at=np.empty((depths, LABELS + 1), dtype=np.int64),
        cells=np.empty((depths, LABELS), dtype=np.int32),
        values=np.empty((depths, LABELS), dtype=np.int64),
        turns=np.empty((depths, n_secrets), dtype=np.int64),
        found=np.empty((MOST_EXCHANGES, 2), dtype=np.int32),
        marks=np.zeros(n_guesses, dtype=np.int64),
        counts=np.zeros(LABELS, dtype=np.int64),
    )
