"""Optimal game trees by branch and bound (Koyama and Lai 1993 solved MM(4,6) first)."""

import logging
import time
from dataclasses import dataclass
from math import inf

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame
from codebreaker.games.symmetry import class_leaders
from codebreaker.policies.strategy import Strategy
from codebreaker.search.cost_to_go import allocate, check_depth, guesses_left_at, optimal_guesses
from codebreaker.search.kernels import search as kernel
from codebreaker.search.kernels.cost_bounds import INFEASIBLE
from codebreaker.search.kernels.options import LEFT, LOOKUPS, SETS_SEARCHED
from codebreaker.search.kernels.search import STOPPED
from codebreaker.search.settings import GUESSES, Charges
from codebreaker.sets.partition import all_secrets, unsolved
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import grow, levels, make_tree
from codebreaker.trees.tree import GameTree
from codebreaker.types import GuessPool, Indices

log = logging.getLogger("codebreaker")

SLICE = 1 << 32  # table look-ups between two checks of the clock: a few seconds
MOST_GROWN = 2  # maximum number of openings from which a heuristic's tree is grown first


@dataclass(frozen=True)
class Solution:
    """The best tree, its cost, and proven lower bounds on the cost, overall and by opening."""

    tree: GameTree
    cost: int
    bound: int
    openings: dict[str, int]
    sets_searched: int
    lookups: int

    @property
    def proven(self) -> bool:
        """Return whether the tree is optimal."""
        return self.bound == self.cost


class Solver:
    """The search for the minimum cost over all secrets, memoised in about `memo_mib` MiB.

    `guess_limit` is above the charges' rounds. Trees begin with the `opening`, if given.
    """

    def __init__(
        self,
        game: TableGame,
        guess_pool: GuessPool = "all",
        guess_limit: int | None = None,
        memo_mib: float = 256.0,
        charges: Charges = GUESSES,
        opening: str | None = None,
    ) -> None:
        if opening is not None and opening not in game.guesses:
            raise CodebreakerError(f"{opening!r} is not a guess of {game.name}")
        self.game, self.guess_pool, self.guess_limit = game, guess_pool, guess_limit
        self.charges, self.opening = charges, opening
        limited = guess_limit is not None and charges.rounds is not None
        after = guess_limit - charges.rounds if limited else 0  # type: ignore[operator]
        self._search = allocate(game, guess_pool, memo_mib, charges, after)

    def solve(self, time_limit_s: float = inf, known: GameTree | None = None) -> Solution | None:
        """Return an optimal tree, `known` if no tree is better, or None if no tree exists.

        At the time limit, return the best so far, or raise `CodebreakerError` if there is none.
        """
        end, game = time.monotonic() + time_limit_s, self.game
        openings = self._openings()
        incumbents = [(self._cost(grown), label) for label, grown, _ in openings if grown]
        incumbents += [] if known is None else [(self._cost(known), "")]
        best, winner = min(incumbents, default=(INFEASIBLE, ""))
        best = min(best + 1, INFEASIBLE)  # so that the search finds an equally good tree itself
        lower = {label: bound for label, _, bound in openings}
        incumbent = next((tree for label, tree, _ in openings if label == winner), known)
        stopped = False
        for label, _, bound in openings:
            if bound < best and not stopped:
                lower[label], stopped = self._solve_opening(label, bound, best, end)
                if not stopped and lower[label] < best:
                    best, incumbent = lower[label], self._tree(label)
                log.info("opening %s: at least %d; best %d", label, lower[label], best)
        if incumbent is None and stopped:
            raise CodebreakerError(
                f"no tree of {game.name} was found within the time limit: allow more time",
                "time_limit_s",
            )
        if incumbent is None:
            return None
        cost = self._cost(incumbent)
        searched, lookups = (int(self._search.tally[kind]) for kind in (SETS_SEARCHED, LOOKUPS))
        return Solution(incumbent, cost, min(cost, *lower.values()), lower, searched, lookups)

    def _openings(self) -> list[tuple[str, GameTree | None, int]]:
        """Return one opening per class, most promising first, with a tree or None and a bound."""
        game, bounds = self.game, self._search.bounds[self._left(2)]
        charge = game.n_secrets * int(self._search.charges[self._left(1)])
        bounded = []
        tried = class_leaders(game).tolist()
        if self.opening is not None:
            tried = [game.guesses.index(self.opening)]
        for guess in tried:
            sizes = np.bincount(game.table[guess], minlength=game.n_feedback)
            if sizes.max() == game.n_secrets > 1:
                continue
            sizes[game.solved] = 0
            bound = charge + int(bounds[sizes].sum(dtype=np.int64))
            bounded.append((min(bound, INFEASIBLE), game.guesses[guess]))
        openings = []
        for place, (bound, label) in enumerate(sorted(bounded)):
            tree = self._heuristic(label) if place < MOST_GROWN else None
            order = (tree is None, bound if tree is None else self._cost(tree), bound)
            openings.append((order, (label, tree, bound)))
        return [opening for _, opening in sorted(openings, key=lambda one: one[0])]

    def _heuristic(self, opening: str) -> GameTree | None:
        tree = grow(self.game, Strategy("most-parts", opening, self.guess_pool))
        return tree if self.guess_limit is None or tree.turn.max() <= self.guess_limit else None

    def _solve_opening(self, label: str, bound: int, best: int, end: float) -> tuple[int, bool]:
        """Return an opening's minimum cost or a bound ≥ `best`, and whether time ran out."""
        game, search, left = self.game, self._search, self._left(2)
        guess = game.guesses.index(label)
        representatives = class_leaders(game, [guess])
        total = bound
        for cell in sorted(unsolved(game, guess, all_secrets(game)).values(), key=len):
            others = total - int(search.bounds[left, len(cell)])
            pool = representatives
            if self.guess_pool == "consistent":
                pool = np.intersect1d(pool, game.guess_of_secret[cell])
            lowest = STOPPED
            while lowest == STOPPED:
                if time.monotonic() > end:
                    return total, True
                search.tally[LEFT] = SLICE
                lowest = kernel.minimum_total(
                    search, search.frame, 0, cell, left, best - others, pool
                )
                check_depth(game, lowest)
                self._report(label, total, best)
            total = others + lowest
            if total >= best:
                break
        return total, False

    def _cost(self, tree: GameTree) -> int:
        return self.charges.cost(tree.profile.tolist())

    def _left(self, turn: int) -> int:
        rounds = self.charges.rounds
        if rounds is None or self.guess_limit is not None:
            return guesses_left_at(turn, self.guess_limit)
        return guesses_left_at(turn, rounds if turn <= rounds + 1 else None)

    def _report(self, label: str, bound: int, best: int) -> None:
        if self._search.tally[LEFT] < 0:
            log.info(
                "opening %s: at least %d, best %d; %d sets searched, %d in the memo",
                label, bound, best, self._search.tally[SETS_SEARCHED],
                self._search.memo.used[0],
                extra={"progress": True},
            )  # fmt: skip

    def _tree(self, opening: str) -> GameTree:
        def choose(frontier: Frontier) -> Indices:
            if frontier.turn == 1:
                return np.array([self.game.guesses.index(opening)], dtype=np.int32)
            return optimal_guesses(self._search, frontier.sets, self._left(frontier.turn))

        return make_tree(levels(self.game, Frontier.initial(self.game), choose))
