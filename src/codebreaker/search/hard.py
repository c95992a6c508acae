"""Optimal play in Wordle's hard mode, by branch and bound over sets with their allowed guesses."""

import time
from math import inf

import numpy as np

from codebreaker.constants import LARGEST_GUESS_LIMIT, NO_LIMIT
from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame, refuse_prior
from codebreaker.search.cost_to_go import estimates, guesses_left_at
from codebreaker.search.kernels.costs import INFEASIBLE
from codebreaker.search.settings import no_tree
from codebreaker.search.size_bounds import size_bounds
from codebreaker.sets.hard import allowed_after, narrow
from codebreaker.sets.partition import all_secrets, unsolved
from codebreaker.sets.primitives import ScoringRule
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import levels, make_tree
from codebreaker.trees.kernels.table import TILE, score_set
from codebreaker.trees.tree import GameTree
from codebreaker.types import FeedbackIds, Indices, Offsets


class OutOfTimeError(CodebreakerError):
    """A search in hard mode has used up its time."""


class HardCostToGo:
    """Minimum totals of sets in hard mode, within a number of guesses; compare `CostToGo`."""

    def __init__(
        self,
        game: TableGame,
        guess_limit: int | None = None,
        seconds: float = inf,
        most_sets: int = NO_LIMIT,
    ) -> None:
        """Prepare a search, which raises `OutOfTimeError` after `seconds` or sets of a question."""
        refuse_prior(game, "optimal play in hard mode")
        self.game = game
        self.guess_limit = guess_limit
        self._seconds = seconds
        self._most_sets = most_sets
        self._end = inf
        self._sets_left = most_sets
        self._bounds = size_bounds(game.n_answers, game.n_secrets, LARGEST_GUESS_LIMIT)
        # What `_look` and `_best` return, by members, allowed guesses (`_best`) and guesses left.
        self._seen: dict[tuple[bytes, int], tuple[int, int]] = {}
        self._known: dict[tuple[bytes, bytes, int], tuple[int, int]] = {}
        # Compile what scores guesses, before a clock starts.
        self._score(self._bounds[-1], np.zeros((1, 1), dtype=game.table.dtype))

    def after(self, guess: int, members: Indices, allowed: Indices, turn: int, limit: int) -> int:
        """Return a set's minimum total after a guess at a turn, or a bound of at least `limit`."""
        self._start()
        left = guesses_left_at(turn + 1, self.guess_limit)
        return self._after(members, allowed, guess, limit, left)

    def best(
        self, members: Indices, allowed: Indices | None, limit: int = INFEASIBLE, turn: int = 1
    ) -> tuple[int, int]:
        """Return a set's minimum total and an optimal guess, or a bound ≥ the limit and −1."""
        assert allowed is not None
        self._start()
        return self._best(members, allowed, limit, guesses_left_at(turn, self.guess_limit))

    def minimum(self, opening: str | None = None) -> int:
        """Return the minimum total; raise `CodebreakerError` if there is no tree."""
        self._start()
        members = all_secrets(self.game)
        allowed = allowed_after(self.game)
        left = guesses_left_at(1, self.guess_limit)
        total = self.bound()  # INFEASIBLE if no tree solves so many secrets in so few guesses
        if total < INFEASIBLE and opening is None:
            total, _ = self._best(members, allowed, INFEASIBLE, left)
        elif total < INFEASIBLE:
            guess = self.game.guesses.index(opening)
            total = self._after(members, allowed, guess, INFEASIBLE, self._row_after(left))
        if total >= INFEASIBLE:
            raise no_tree(self.game.name, self.guess_limit, opening, "in hard mode ")
        return total

    def bound(self) -> int:
        """Return a lower bound on the minimum total, by the numbers of secrets and guesses."""
        return int(self._bounds[guesses_left_at(1, self.guess_limit), self.game.n_secrets])

    def tree(self, opening: str | None = None) -> GameTree:
        """Return a tree with the minimum total; raise `CodebreakerError` if there is none."""
        self.minimum(opening)

        def choose(frontier: Frontier) -> Indices:
            """Return the opening, if given, then an optimal guess at each node."""
            if frontier.turn == 1 and opening is not None:
                return np.array([self.game.guesses.index(opening)], dtype=np.int32)
            sets = zip(frontier.cells, frontier.pools or (), strict=True)
            best = [self.best(members, allowed, turn=frontier.turn) for members, allowed in sets]
            return np.array([guess for _, guess in best], dtype=np.int32)

        start = Frontier.initial(self.game).with_pool(allowed_after(self.game))
        return make_tree(levels(self.game, start, choose))

    def _start(self) -> None:
        """Begin a question, for which all of its time and work is left."""
        self._end = time.monotonic() + self._seconds
        self._sets_left = self._most_sets

    def _best(self, members: Indices, allowed: Indices, limit: int, left: int) -> tuple[int, int]:
        """Return a set's minimum total and an optimal guess, or a bound ≥ the limit and −1.

        This is the method of `kernels.search`: an easy set, then the memo, then guesses by bound.
        """
        if time.monotonic() > self._end or self._sets_left <= 0:
            much = f"{self._seconds:g} s" if self._sets_left > 0 else f"{self._most_sets:,} sets"
            raise OutOfTimeError(
                f"optimal play of {self.game.name} in hard mode takes more than {much}: add moves, "
                "or do without exact totals"
            )
        self._sets_left -= 1
        lowest, winner = self._look(members, left)
        if winner >= 0 or lowest >= limit:
            return lowest, winner
        # A guess that splits nothing splits no subset either, so it is left out from here on.
        labels = self.game.table[np.ix_(allowed, members)].T
        splits = (labels != labels[0]).any(axis=0)
        allowed = allowed[splits]
        labels = np.ascontiguousarray(labels[:, splits])
        key = members.tobytes(), allowed.tobytes(), left
        best, winner = self._known.get(key, (0, -1))
        if winner >= 0 or best >= limit:
            return best, winner
        row = self._row_after(left)
        bounds = len(members) + self._score(self._bounds[row], labels)
        # No guess is below `lowest`, so one that attains it ends the search. Guesses are tried in
        # the order of their estimates. What is excluded has a bound of `best` or more; without a
        # winner all guesses cost `limit` or more, which is stored as a bound.
        lowest = max(lowest, best, bounds.min())
        best = limit
        for option in np.argsort(self._score(estimates(self.game.n_secrets), labels)).tolist():
            if bounds[option] < best:
                total = self._after(members, allowed, int(allowed[option]), best, row)
                if total < best:
                    best = total
                    winner = int(allowed[option])
                    if best == lowest:
                        break
        self._known[key] = best, winner
        return best, winner

    def _row_after(self, left: int) -> int:
        """Return the guesses left after one; the last row of the bounds has no limit."""
        return left - 1 if left < len(self._bounds) - 1 else left

    def _after(self, members: Indices, allowed: Indices, guess: int, limit: int, row: int) -> int:
        """Return the minimum total after a guess, or a bound of at least the limit.

        At any time `total` is a lower bound: one guess for each member, and the minimum or a bound
        of each cell. So nothing is lost by stopping once it reaches the limit. The smallest cells
        are solved first.
        """
        cells = unsolved(self.game, guess, members)
        bounded = []
        for feedback, cell in cells.items():
            bound, easy_guess = self._look(cell, row)
            bounded.append((len(cell), feedback, bound, easy_guess))
        total = len(members) + sum(bound for _, _, bound, _ in bounded)
        for _, feedback, bound, easy_guess in sorted(bounded):
            if total < limit and easy_guess < 0:
                pool = narrow(self.game, allowed, guess, feedback)
                others = total - bound
                total = others + self._best(cells[feedback], pool, limit - others, row)[0]
        return total

    def _look(self, members: Indices, left: int) -> tuple[int, int]:
        """Return a set's minimum total and a candidate if easily seen, else a bound and −1.

        Candidates are always allowed guesses. A candidate that separates all needs 2 n − 1 guesses:
        one for itself, two for each other. A tree of 2 n − 1 has to begin with such a candidate, so
        without one 2 n is a bound; a candidate that leaves one pair in a part attains it.
        """
        n = len(members)
        own_guesses = self.game.guess_of_secret[members]
        lower = int(self._bounds[left, n])
        if n <= 2 or lower >= INFEASIBLE:
            return lower, int(own_guesses[0]) if lower < INFEASIBLE else -1
        key = members.tobytes(), left
        if key not in self._seen:
            labels = np.sort(self.game.table[np.ix_(own_guesses, members)], axis=1)
            repeats = (labels[:, 1:] == labels[:, :-1]).sum(axis=1)
            fewest = int(repeats.min())
            guess = int(own_guesses[repeats.argmin()])
            is_easy = fewest <= 1 and left > fewest + 1  # with 0 or 1 repeats in 2 or 3 guesses
            self._seen[key] = max(2 * n - (fewest == 0), lower), guess if is_easy else -1
        return self._seen[key]

    def _score(self, values: Indices | Offsets, labels: FeedbackIds) -> Offsets:
        """Return the sum of the values of the sizes of each guess's unsolved cells."""
        n = len(labels)
        weights = np.ones(self.game.n_feedback)
        weights[self.game.solved] = 0
        rule = ScoringRule(
            terms=values[: n + 1].astype(np.float64),
            terms_at=np.zeros(1, dtype=np.int64),
            tolerances=np.zeros(1),
            tolerance_part=0.0,
            weights=weights,
            log_parts=np.empty(0),
            takes_min=False,
            consistent_only=False,
            prefers_consistent=False,
            reverses=False,
        )
        counts = np.empty((len(weights), TILE), np.uint16)
        scores = np.empty(labels.shape[1])
        score_set(labels, np.arange(n, dtype=np.int32), 0, rule, counts, scores)
        return scores.astype(np.int64)
