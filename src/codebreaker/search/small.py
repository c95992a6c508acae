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
from codebreaker.sets.partition import MOST_COLUMNS, n_log2_n, numbered_cells
from codebreaker.types import FeedbackIds, Indices, Offsets

MOST_PAIRS = 1 << 20
"""Maximum pairs of a guess and a candidate in a small set: 809 candidates in MM(4,6)."""

MOST_WORK = 1 << 26
"""The work after which a search is given up, a second or two: pairs that are compared, and others
for each guess that is tried."""

TRIAL = 1 << 10
"""The work of trying a guess, in pairs that are compared in the same time."""

MOST_DEPTH = 100
"""Maximum depth of a set below the first one: each level takes a few of Python's thousand calls."""

SYMMETRY_PAYS = 16
"""Candidates from which equivalent guesses are tried only once."""

NO_GUESS = -1

NO_TOTAL = int(np.iinfo(np.int64).max)
"""The limit of a search that has none."""

LARGEST_TOTAL = NO_TOTAL // 4
"""Maximum total of a game: sums of a total and a bound stay below `NO_TOTAL`."""

LARGEST_WEIGHTS = 2**53
"""Maximum sum of a prior's weights: `bincount` adds them as floats."""


class Best(NamedTuple):
    """The minimum total of a set, weighted by any prior, and a guess that attains it.

    A set that isn't solved has a lower bound on the total, and NO_GUESS.
    """

    total: int
    guess: int


class Flattest(NamedTuple):
    """The lowest maximum number of guesses of a set's optimal trees, and the guess they begin with.

    Optimal trees have the minimum total.
    """

    maximum: int
    guess: int


class TooMuchWorkError(CodebreakerError):
    """A set is not solved within the permitted work."""


def is_small(game: TableGame, members: Indices) -> bool:
    """Return whether a candidate set is small enough to be searched here.

    Larger totals would not fit 64 bits, nor larger sums of weights the exact range of floats.
    """
    totals = game.facts.largest_total
    weights = totals // game.n_secrets
    is_exact = totals <= LARGEST_TOTAL and weights <= LARGEST_WEIGHTS
    return is_exact and len(members) * game.n_guesses <= MOST_PAIRS


class SmallSearch:
    """Minimum totals of a game's small candidate sets, weighted by any prior.

    One instance remembers the sets that it has solved. `work` limits what it does in all; beyond
    it, methods raise `TooMuchWorkError`.
    """

    def __init__(self, game: TableGame, work: int = MOST_WORK) -> None:
        self.sets_searched = 0
        self.pairs_compared = 0
        self._game = game
        self._work_left = work
        self._depth = 0
        self._n_feedback = game.n_answers
        self._weights: Offsets = (
            np.ones(game.n_secrets, dtype=np.int64) if game.prior is None else game.prior
        )
        self._lightest = int(self._weights.min())
        self._turns = _turns_at_best(game.n_secrets, self._n_feedback, self._n_feedback)
        self._further: dict[int, Offsets] = {}
        self._solved: dict[bytes, Best] = {}
        self._flattest: dict[bytes, Flattest] = {}
        self._bounds_by_size: dict[int, Offsets] = {}
        self._logs_by_size = n_log2_n(np.arange(game.n_secrets + 1))
        self._every_guess = np.arange(game.n_guesses, dtype=np.int32)
        self._representatives: dict[tuple[int, ...], Indices] = {}
        self._symmetric = game.prior is None or respects_symmetry(game, game.prior)

    def best(
        self, members: Indices, history: Sequence[int] | None = None, limit: int = NO_TOTAL
    ) -> Best:
        """Return a set's minimum total and an optimal guess if below the limit, else a bound ≥ it.

        `members` are ascending. With a `history` they are all candidates after these guesses, so
        that equivalent guesses need not be tried.
        """
        known = tuple(history) if self._symmetric and history is not None else None
        return self._best(members, known, limit)

    def after(
        self,
        guess: int,
        members: Indices,
        history: Sequence[int] | None = None,
        limit: int = NO_TOTAL,
    ) -> int:
        """Return a set's minimum total with a guess if below the limit, else a bound ≥ it.

        The history, if given, is that before the guess.
        """
        known = (*history, guess) if self._symmetric and history is not None else None
        return self._total_with(members, self._game.table[guess, members], known, limit)

    def solve(self) -> tuple[Best, dict[int, int]]:
        """Return the game's minimum total and an opening, and lower bounds by opening.

        The bounds are on the totals of all trees that begin with an opening, one of each class of
        equivalent ones that split the secrets. None is below the minimum.
        """
        game = self._game
        every = np.arange(game.n_secrets, dtype=np.int32)
        known = self._known(every)
        if known.guess != NO_GUESS:
            return known, {known.guess: known.total}
        openings = class_representatives(game) if self._symmetric else self._every_guess
        options = self._options(every, openings, NO_TOTAL)
        best = self._best_option(every, options, (), known.total, NO_TOTAL)
        self._solved[every.tobytes()] = best
        bounds = np.maximum(options.bounds, best.total)
        return best, dict(zip(options.guesses.tolist(), bounds.tolist(), strict=True))

    def allow(self, work: int) -> None:
        """Permit so much work from now on."""
        self._work_left = work

    def flattest(self, members: Indices, history: Sequence[int] | None = None) -> Flattest:
        """Return the lowest maximum of a set's optimal trees; arguments and errors as `best`.

        The parts of an optimal tree are optimal, too. So of the guesses that begin an optimal tree
        the best one leaves parts whose lowest maxima are lowest.
        """
        known = tuple(history) if self._symmetric and history is not None else None
        return self._flattest_of(members, known)

    def _flattest_of(self, members: Indices, history: tuple[int, ...] | None) -> Flattest:
        """Return the lowest maximum of a set's optimal trees, with a memo."""
        key = members.tobytes()
        if key not in self._flattest:
            n = len(members)
            best = self._best(members, history, NO_TOTAL)
            if self._lowest_maximum(n) == n:
                # One or two candidates, or answers that only say whether a guess is right: each
                # guess of an optimal tree is a candidate, and the last one is found at turn n.
                self._flattest[key] = Flattest(n, best.guess)
            else:
                self._go_deeper()
                try:
                    self._flattest[key] = self._search_flattest(members, history, best.total)
                finally:
                    self._depth -= 1
        return self._flattest[key]

    def _search_flattest(
        self, members: Indices, history: tuple[int, ...] | None, total: int
    ) -> Flattest:
        """Try all guesses that attain the minimum total of a set of two or more."""
        lowest = self._lowest_maximum(len(members))
        flattest = Flattest(len(members) + 1, NO_GUESS)
        options = self._options(members, self._guesses(members, history), total + 1)
        for option in options.order.tolist():
            guess = int(options.guesses[option])
            labels = options.labels[option]
            after = None if history is None else (*history, guess)
            self._work_left -= TRIAL
            if self._total_with(members, labels, after, total + 1) > total:
                continue
            maximum = 1
            for part in self._unsolved_parts(members, labels):
                maximum = max(maximum, 1 + self._flattest_of(part, after).maximum)
                if maximum >= flattest.maximum:
                    break
            if maximum < flattest.maximum:
                flattest = Flattest(maximum, guess)
            if maximum == lowest:
                break
        return flattest

    def _lowest_maximum(self, n: int) -> int:
        """Return the fewest guesses that may solve n secrets: turn t solves (k - 1)^(t - 1)."""
        turns = 1
        solved = 1
        at_once = 1
        while solved < n:
            at_once *= self._n_feedback - 1
            solved += at_once
            turns += 1
        return turns

    def _best(self, members: Indices, history: tuple[int, ...] | None, limit: int) -> Best:
        """Return a set's minimum total if it is below the limit, else a bound of at least it."""
        known = self._known(members)
        if known.guess == NO_GUESS and known.total < limit:
            self._go_deeper()
            try:
                known = self._search(members, history, known.total, limit)
            finally:
                self._depth -= 1
            self._solved[members.tobytes()] = known
        return known

    def _go_deeper(self) -> None:
        """Count a level of the recursion; raise `TooMuchWorkError` below the deepest."""
        if self._depth >= MOST_DEPTH:
            raise TooMuchWorkError(
                f"{self._game.name}: some candidates need more than {MOST_DEPTH} guesses"
            )
        self._depth += 1

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
        candidate that leaves only one pair together attains that. And guessing the candidates one
        after the other, the heaviest first, never needs more than they do at turns 1, 2, 3, ...: a
        bound as high as that is attained by any of the heaviest.
        """
        game = self._game
        n = len(members)
        own_guesses = game.guess_of_secret[members]
        is_heaviest = np.True_
        weights = self._weights[members]
        heaviest_first = np.sort(weights)[::-1]
        if game.prior is None:
            bound = int(self._by_size(self._n_feedback)[n])
        else:
            is_heaviest = weights == weights.max()
            # The heaviest secrets first, as many at each turn as it can solve.
            bound = int(self._turns[:n] @ heaviest_first)
        if bound >= int((heaviest_first * np.arange(1, n + 1)).sum()):
            return Best(bound, int(own_guesses[weights.argmax()]))
        if n > self._n_feedback + 1:
            return Best(bound, NO_GUESS)  # more than one pair stays together
        labels = np.sort(game.table[own_guesses[:, None], members], axis=1)
        repeats = (labels[:, 1:] == labels[:, :-1]).sum(axis=1)
        separating = np.flatnonzero((repeats == 0) & is_heaviest)
        if len(separating):
            return Best(bound, int(own_guesses[separating[0]]))
        if game.prior is None:
            bound = max(bound, 2 * n)
            leaving_a_pair = np.flatnonzero(repeats == 1)
            if len(leaving_a_pair):
                return Best(bound, int(own_guesses[leaving_a_pair[0]]))
        return Best(bound, NO_GUESS)

    def _bounds(
        self,
        mass: Offsets,
        heaviest: Offsets | NDArray[np.bool_],
        sizes: Offsets | int,
        most_parts: int,
    ) -> Offsets:
        """Return lower bounds on the totals of sets with these weights, heaviest ones and sizes.

        At most one secret takes one guess, and all others take two or more: 2 W - w. Some need even
        more; each counts at least as the lightest secret of the game. If no guess makes more than p
        parts, t guesses solve at most p^(t - 1) secrets: one guess solves one, and each part of a
        guess has p^(t - 2) solved by the others. So 1, p - 1, (p - 1) p, (p - 1) p^2, ... secrets
        are solved at turns 1, 2, 3, ... at best, as in `kernels/cost_bounds.py`. If p is the number
        k of feedback ids, one of the parts is solved, so that p - 1 takes the place of p.
        """
        if most_parts not in self._further:
            n_secrets = self._game.n_secrets
            k = self._n_feedback
            self._further[most_parts] = _guesses_after_two(n_secrets, most_parts, k)
        further = self._further[most_parts][sizes]
        bounds: Offsets = 2 * mass - heaviest + self._lightest * further
        return bounds

    def _by_size(self, most_parts: int) -> Offsets:
        """Return these lower bounds by set size, (n_secrets + 1,), without a prior."""
        if most_parts not in self._bounds_by_size:
            sizes = np.arange(self._game.n_secrets + 1)
            bounds = self._bounds(sizes, sizes > 0, sizes, most_parts)
            self._bounds_by_size[most_parts] = bounds
        return self._bounds_by_size[most_parts]

    def _search(
        self, members: Indices, history: tuple[int, ...] | None, lower: int, limit: int
    ) -> Best:
        """Try the guesses of a set; return the best one if below the limit, else a bound ≥ it."""
        options = self._options(members, self._guesses(members, history), limit)
        return self._best_option(members, options, history, lower, limit)

    def _best_option(
        self,
        members: Indices,
        options: "_Options",
        history: tuple[int, ...] | None,
        lower: int,
        limit: int,
    ) -> Best:
        """Try options, those with the lowest bounds first, by branch and bound.

        `lower` is a lower bound of the set. The bounds of options that are tried are raised.
        """
        self.sets_searched += 1
        lower = max(lower, int(options.bounds.min(initial=limit)))
        best = Best(limit, NO_GUESS)
        for option in options.order.tolist():
            if options.bounds[option] >= best.total:
                continue  # its bound excludes it
            guess = int(options.guesses[option])
            after = None if history is None else (*history, guess)
            self._work_left -= TRIAL
            total = self._total_with(members, options.labels[option], after, best.total)
            options.bounds[option] = total
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

    def _options(self, members: Indices, guesses: Indices, limit: int) -> "_Options":
        """Return the guesses that split a set and whose bounds are below the limit.

        Raises `TooMuchWorkError`.
        """
        game = self._game
        n_pairs = len(members) * len(guesses)
        self.pairs_compared += n_pairs
        self._work_left -= n_pairs
        if self._work_left < 0:
            raise TooMuchWorkError(
                f"{game.name}: the search of {len(members):,} candidates takes too long"
            )
        labels = game.table[guesses[:, None], members]
        parts = self._parts(members, labels)
        # No guess makes more parts of a part than the finest guess makes of the whole set.
        most_parts = int(parts.numbers.max())
        if game.prior is None:
            bounds = self._by_size(most_parts)[parts.sizes]
        else:
            bounds = self._bounds(parts.masses, parts.heaviest, parts.sizes, most_parts)
        bound_of = int(self._weights[members].sum()) + bounds.sum(axis=1)
        kept = np.flatnonzero((parts.numbers > 1) & (bound_of < limit))
        # The information that a guess leaves to be found: the entropy within its parts.
        if game.prior is None:
            logs = self._logs_by_size[parts.sizes[kept]]
        else:
            logs = n_log2_n(parts.masses[kept])
        return _Options(
            guesses=guesses[kept],
            labels=labels[kept],
            bounds=bound_of[kept],
            order=np.lexsort((logs.sum(axis=1), bound_of[kept])),
        )

    def _parts(self, members: Indices, labels: FeedbackIds) -> "_Parts":
        """Return the parts that each guess makes, by its feedback ids, (n_guesses, n_members)."""
        game = self._game
        n_guesses = len(labels)
        rows = np.arange(n_guesses)
        # The columns are feedback ids or, where a game has thousands, the parts of each guess.
        columns: NDArray[np.integer[Any]] = labels
        n_columns = game.n_feedback
        if n_columns > MOST_COLUMNS:
            columns = numbered_cells(labels)
            n_columns = len(members)
        cells = (columns + rows[:, None] * n_columns).ravel()
        shape = (n_guesses, n_columns)
        sizes = np.bincount(cells, minlength=n_guesses * n_columns).reshape(shape)
        numbers = (sizes > 0).sum(axis=1)
        solved = np.nonzero(labels == game.solved)
        solved_parts = (solved[0], columns[solved])
        sizes[solved_parts] = 0
        if game.prior is None:
            return _Parts(numbers, sizes, sizes, sizes)
        weights = self._weights[members]
        repeated = np.tile(weights, n_guesses)
        masses = np.bincount(cells, repeated, minlength=n_guesses * n_columns).reshape(shape)
        heaviest = np.zeros(shape, dtype=np.int64)
        for member in np.argsort(weights, kind="stable").tolist():
            heaviest[rows, columns[:, member]] = weights[member]
        masses[solved_parts] = 0
        heaviest[solved_parts] = 0
        return _Parts(numbers, sizes, masses.astype(np.int64), heaviest)

    def _total_with(
        self, members: Indices, labels: FeedbackIds, history: tuple[int, ...] | None, limit: int
    ) -> int:
        """Return the minimum total after a guess if it is below the limit, else a bound."""
        parts = self._unsolved_parts(members, labels)
        known = [self._known(part) for part in parts]
        total = int(self._weights[members].sum()) + sum(best.total for best in known)
        for part, best in sorted(zip(parts, known, strict=True), key=lambda pair: len(pair[0])):
            if total >= limit:
                break
            if best.guess == NO_GUESS:
                others = total - best.total
                total = others + self._best(part, history, limit - others).total
        return total

    def _unsolved_parts(self, members: Indices, labels: FeedbackIds) -> list[Indices]:
        """Return the parts of a set by the feedback to a guess, without a secret that it finds."""
        return [
            members[labels == feedback]
            for feedback in np.unique(labels).tolist()
            if feedback != self._game.solved
        ]


def _guesses_after_two(n_secrets: int, most_parts: int, n_feedback: int) -> Offsets:
    """Return the minimum guesses beyond each secret's second one, by set size, (n_secrets + 1,)."""
    turns = _turns_at_best(n_secrets, most_parts, n_feedback)
    return np.append(0, np.cumsum(np.maximum(turns - 2, 0)))


def _turns_at_best(n_secrets: int, most_parts: int, n_feedback: int) -> Offsets:
    """Return the turns at which secrets are solved at best, ascending, (n_secrets,).

    The bound is that of `SmallSearch._bounds`.
    """
    turns = np.full(n_secrets, n_secrets, dtype=np.int64)
    # A guess leaves at most this many unsolved parts: one of n_feedback ids is the solved one's.
    most_unsolved = min(most_parts, n_feedback - 1)
    start = 0
    room = 1  # secrets that can be solved at this turn
    factor = most_parts - 1
    for turn in range(1, n_secrets + 1):
        if start >= n_secrets:
            break
        turns[start : start + room] = turn
        start += room
        room *= factor
        factor = most_unsolved
    return turns


class _Parts(NamedTuple):
    """Each guess's number of parts, (n_guesses,), and their sizes, weights, and largest weights.

    These are (n_guesses, n_columns), with zeros where a guess has no part and where it is the
    secret, which takes no more guesses. Without a prior only the sizes have a meaning.
    """

    numbers: Offsets
    sizes: Offsets
    masses: Offsets
    heaviest: Offsets


class _Options(NamedTuple):
    """Guesses to try: their indices, (n,); the feedback ids, (n, n_members); bounds; the order."""

    guesses: Indices
    labels: FeedbackIds
    bounds: Offsets
    order: NDArray[np.intp]
