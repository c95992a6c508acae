"""Optimal play of small candidate sets in plain NumPy, without compiled code.

Compiling the search of `kernels` takes many seconds, and most questions of a player are about sets
of at most some hundred candidates. So small sets are always searched here, whatever is compiled
already; the compiled search is for all others.

The method is that of `kernels/search.py`, plainly written: guesses in the order of the information
that they give, bounds by the sizes of the parts, and a table of the sets that are solved.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame
from codebreaker.games.symmetry import class_representatives, respects_symmetry
from codebreaker.sets.partition import MOST_COLUMNS, numbered_cells
from codebreaker.types import FeedbackIds, Indices, Offsets

MOST_PAIRS = 1 << 20
"""Maximum pairs of a guess and a candidate in a small set: 809 candidates in MM(4,6)."""

MOST_WORK = 1 << 25
"""Pairs that are compared before a search is given up, a second or two."""

SYMMETRY_PAYS = 16
"""Candidates from which equivalent guesses are tried only once."""

NO_GUESS = -1


class Best(NamedTuple):
    """The minimum total of a set, weighted by any prior, and a guess that attains it.

    A set that isn't solved has a lower bound on the total, and NO_GUESS.
    """

    total: int
    guess: int


class TooMuchWorkError(CodebreakerError):
    """A set is not solved within the permitted work."""


def is_small(game: TableGame, members: Indices) -> bool:
    """Return whether a candidate set is small enough to be searched here."""
    return len(members) * game.n_guesses <= MOST_PAIRS


class SmallSearch:
    """Minimum totals of a game's small candidate sets, weighted by any prior.

    One instance remembers the sets that it has solved. `work` limits the pairs of a guess and a
    candidate that it compares in all; beyond it, `best` raises `TooMuchWorkError`.
    """

    def __init__(self, game: TableGame, work: int = MOST_WORK) -> None:
        self._game = game
        self._work = work
        self._weights: Offsets = (
            np.ones(game.n_secrets, dtype=np.int64) if game.prior is None else game.prior
        )
        self._lightest = int(self._weights.min())
        self._further: dict[int, Offsets] = {}
        self._solved: dict[bytes, Best] = {}
        self._every_guess = np.arange(game.n_guesses, dtype=np.int32)
        self._representatives: dict[tuple[int, ...], Indices] = {}
        self._symmetric = game.prior is None or respects_symmetry(game, game.prior)

    def best(self, members: Indices, history: Sequence[int] | None = None) -> Best:
        """Return a set's minimum total and an optimal guess.

        `members` are ascending. With a `history` they are all candidates after these guesses, so
        that equivalent guesses need not be tried.
        """
        limit = int(np.iinfo(np.int64).max)
        known = tuple(history) if self._symmetric and history is not None else None
        return self._best(members, known, limit)

    def _best(self, members: Indices, history: tuple[int, ...] | None, limit: int) -> Best:
        """Return a set's minimum total if it is below the limit, else a bound of at least it."""
        known = self._known(members)
        if known.guess == NO_GUESS and known.total < limit:
            known = self._search(members, history, known.total, limit)
            self._solved[members.tobytes()] = known
        return known

    def _known(self, members: Indices) -> Best:
        """Return what is known of a set: the best guess, or a bound."""
        key = members.tobytes()
        if key not in self._solved:
            self._solved[key] = self._at_a_glance(members)
        return self._solved[key]

    def _at_a_glance(self, members: Indices) -> Best:
        """Return the best guess if the feedback among the candidates shows it, else a bound.

        A heaviest candidate that tells all others apart attains the bound by size. Without weights
        a tree of 2 n - 1 guesses needs such a candidate, so otherwise the total is at least 2 n; a
        candidate that leaves only one pair together attains that.
        """
        game = self._game
        weights = self._weights[members]
        own_guesses = game.guess_of_secret[members]
        heaviest = weights.max()
        bound = int(self._bounds(weights.sum(), heaviest, len(members), game.n_feedback))
        labels = np.sort(game.table[np.ix_(own_guesses, members)], axis=1)
        repeats = (labels[:, 1:] == labels[:, :-1]).sum(axis=1)
        separating = np.flatnonzero((repeats == 0) & (weights == heaviest))
        if len(separating):
            return Best(bound, int(own_guesses[separating[0]]))
        if game.prior is None:
            bound = max(bound, 2 * len(members))
            leaving_a_pair = np.flatnonzero(repeats == 1)
            if len(leaving_a_pair):
                return Best(bound, int(own_guesses[leaving_a_pair[0]]))
        return Best(bound, NO_GUESS)

    def _bounds(
        self, mass: Offsets, heaviest: Offsets, sizes: Offsets | int, most_parts: int
    ) -> Offsets:
        """Return lower bounds on the totals of sets with these weights, heaviest ones and sizes.

        At most one secret takes one guess, and all others take two or more: 2 W - w. If no guess
        makes more than `most_parts` parts, turn t solves at most (most_parts - 1)^(t - 1) secrets,
        so some need even more guesses; each counts at least as the lightest secret of the game.
        """
        if most_parts not in self._further:
            n_secrets = self._game.n_secrets
            self._further[most_parts] = _guesses_after_two(n_secrets, most_parts)
        further = self._further[most_parts][sizes]
        bounds: Offsets = 2 * mass - heaviest + self._lightest * further
        return bounds

    def _search(
        self, members: Indices, history: tuple[int, ...] | None, lower: int, limit: int
    ) -> Best:
        """Try the guesses of a set, those with the lowest bounds first, by branch and bound."""
        game = self._game
        guesses = self._guesses(members, history)
        self._work -= len(members) * len(guesses)
        if self._work < 0:
            raise TooMuchWorkError(
                f"{game.name}: the search of {len(members):,} candidates takes too long"
            )
        options = self._options(members, guesses)
        lower = max(lower, int(options.bounds.min(initial=limit)))
        best = Best(limit, NO_GUESS)
        for option in options.order.tolist():
            if options.bounds[option] >= best.total:
                continue  # its bound excludes it
            guess = int(options.guesses[option])
            after = None if history is None else (*history, guess)
            total = self._total_with(members, options.labels[option], after, best.total)
            if total < best.total:
                best = Best(total, guess)
            if best.total <= lower:
                break  # no tree is better
        return best

    def _guesses(self, members: Indices, history: tuple[int, ...] | None) -> Indices:
        """Return the guesses to try: in a large set, one of each class that the history leaves."""
        if history is None or len(members) < SYMMETRY_PAYS:
            return self._every_guess
        if history not in self._representatives:
            self._representatives[history] = class_representatives(self._game, history)
        return self._representatives[history]

    def _options(self, members: Indices, guesses: Indices) -> "_Options":
        """Return the guesses that split a set, with bounds on their totals."""
        game = self._game
        weights = self._weights[members]
        labels = game.table[np.ix_(guesses, members)]
        rows = np.arange(len(guesses))
        # The columns are feedback ids or, where a game has thousands, the cells of each guess.
        columns: NDArray[np.integer[Any]] = labels
        n_columns = game.n_feedback
        if n_columns > MOST_COLUMNS:
            columns = numbered_cells(labels)
            n_columns = len(members)
        cells = (columns + rows[:, None] * n_columns).ravel()
        shape = (len(guesses), n_columns)
        repeated = np.tile(weights, len(guesses))
        sizes = np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)
        mass = np.bincount(cells, repeated, minlength=shape[0] * shape[1]).reshape(shape)
        heaviest = np.zeros(shape, dtype=np.int64)
        for member in np.argsort(weights, kind="stable").tolist():
            heaviest[rows, columns[:, member]] = weights[member]
        # No guess makes more parts of a part than the finest guess makes of the whole set.
        parts = (sizes > 0).sum(axis=1)
        bounds = self._bounds(mass.astype(np.int64), heaviest, sizes, int(parts.max()))
        # A solved secret takes no more guesses.
        solving, solved = np.nonzero(labels == game.solved)
        bounds[solving, columns[solving, solved]] = 0
        splits = np.flatnonzero(parts > 1)
        # The information that a guess leaves to be found: the entropy within its parts.
        mass[solving, columns[solving, solved]] = 0
        rest = (mass * np.log2(np.maximum(mass, 1))).sum(axis=1)
        bound_of = int(weights.sum()) + bounds[splits].sum(axis=1)
        return _Options(
            guesses=guesses[splits],
            labels=labels[splits],
            bounds=bound_of,
            order=np.lexsort((rest[splits], bound_of)),
        )

    def _total_with(
        self, members: Indices, labels: FeedbackIds, history: tuple[int, ...] | None, limit: int
    ) -> int:
        """Return the minimum total after a guess if it is below the limit, else a bound."""
        parts = [
            members[labels == feedback]
            for feedback in np.unique(labels).tolist()
            if feedback != self._game.solved
        ]
        known = [self._known(part) for part in parts]
        total = int(self._weights[members].sum()) + sum(best.total for best in known)
        for part, best in sorted(zip(parts, known, strict=True), key=lambda pair: len(pair[0])):
            if total >= limit:
                break
            if best.guess == NO_GUESS:
                others = total - best.total
                total = others + self._best(part, history, limit - others).total
        return total


def _guesses_after_two(n_secrets: int, most_parts: int) -> Offsets:
    """Return the minimum guesses beyond each secret's second one, by set size, (n_secrets + 1,)."""
    turns = np.full(n_secrets, n_secrets, dtype=np.int64)
    start = 0
    room = 1
    for turn in range(1, n_secrets + 1):
        if start >= n_secrets:
            break
        turns[start : start + room] = turn
        start += room
        room *= most_parts - 1
    return np.append(0, np.cumsum(np.maximum(turns - 2, 0)))


class _Options(NamedTuple):
    """Guesses to try: their indices, (n,); the feedback ids, (n, n_members); bounds; the order."""

    guesses: Indices
    labels: FeedbackIds
    bounds: Offsets
    order: NDArray[np.intp]
