"""Optimal game trees by branch and bound (Koyama and Lai 1993 solved MM(4,6) first)."""

import logging
import time
from dataclasses import dataclass

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.exact.bounds import size_bounds
from codebreaker.exact.kernels import search as kernel
from codebreaker.exact.kernels.search import (
    EXACT,
    INFEASIBLE,
    LOOKUPS,
    LOOKUPS_LEFT,
    STOPPED,
    TOO_DEEP,
    Search,
)
from codebreaker.exact.target import LARGEST_GUESS_LIMIT
from codebreaker.games.model import TableGame
from codebreaker.games.symmetry import orbits
from codebreaker.policies.policy import make_policy
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import grow, plant
from codebreaker.trees.partition import all_secrets, split
from codebreaker.trees.tree import GameTree
from codebreaker.types import GuessPool, Indices

log = logging.getLogger("codebreaker")

SLICE = 1 << 30
"""Table look-ups between two looks at the clock; a few seconds' worth."""

DEEPEST = 64
"""The deepest that a search goes."""


@dataclass(frozen=True)
class Solution:
    """The best tree found, and what is proven: no tree takes fewer guesses than `bound`.

    `openings` are the proven bounds by opening, one for each class of symmetric openings.
    """

    tree: GameTree
    bound: int
    openings: dict[str, int]
    sets_searched: int
    lookups: int

    @property
    def proven(self) -> bool:
        """Return whether the tree is known to be optimal."""
        return self.bound == self.tree.total_guesses


class Solver:
    """The search for the least total guesses over all secrets of a game.

    With `guess_limit`, trees may be no deeper. What is learnt is kept for the solver's life, in
    about `memo_mib` MiB; where these are full the search goes on, slower.
    """

    def __init__(
        self,
        game: TableGame,
        guess_pool: GuessPool = "all",
        guess_limit: int | None = None,
        memo_mib: float = 256.0,
    ) -> None:
        self.game, self.guess_pool, self.guess_limit = game, guess_pool, guess_limit
        self._search = allocate(game, guess_pool, memo_mib)

    def solve(self, time_limit_s: float = float("inf")) -> Solution | None:
        """Return an optimal tree, the best tree at the time limit, or None where there is none.

        Raises `CodebreakerError` where the time ends before any tree is known.
        """
        end, game = time.monotonic() + time_limit_s, self.game
        openings = self._openings()
        incumbents = [(grown.total_guesses, label) for label, grown, _ in openings if grown]
        best, winner = min(incumbents, default=(INFEASIBLE, None))
        best = min(best + 1, INFEASIBLE)  # the search shall find a tree of its own as good
        lower = {label: bound for label, _, bound in openings}
        found = next((tree for label, tree, _ in openings if label == winner), None)
        stopped = False
        for label, _, bound in openings:
            if bound < best and not stopped:
                lower[label], stopped = self._solve_opening(label, bound, best, end)
                if not stopped and lower[label] < best:
                    best, found = lower[label], self._tree(label)
                log.info("opening %s: at least %d; best %d", label, lower[label], best)
        if found is None and stopped:
            raise CodebreakerError(
                f"no tree of {game.name} was found in time: allow more", "time_limit_s"
            )
        if found is None:
            return None
        return Solution(
            tree=found,
            bound=min(found.total_guesses, *lower.values()),
            openings=lower,
            sets_searched=int(self._search.tally[kernel.SETS_SEARCHED]),
            lookups=int(self._search.tally[LOOKUPS]),
        )

    def _openings(self) -> list[tuple[str, GameTree | None, int]]:
        """Return the openings that are not alike, with a heuristic's tree and a bound for each.

        The most promising comes first; a tree that is too deep is no tree.
        """
        game, bounds = self.game, self._search.bounds[left_at(2, self.guess_limit)]
        found = []
        for guess in np.unique(orbits(game, [])).tolist():
            cells = split(game, guess, all_secrets(game))
            if len(cells) == 1 and game.n_secrets > 1:
                continue
            cells.pop(game.solved, None)
            bound = game.n_secrets + sum(int(bounds[len(cell)]) for cell in cells.values())
            label = game.guesses[guess]
            tree = grow(game, make_policy("most-parts", label, self.guess_pool))
            fits = self.guess_limit is None or tree.turn.max() <= self.guess_limit
            order = (not fits, tree.total_guesses, bound)
            found.append((order, label, tree if fits else None, min(bound, INFEASIBLE)))
        return [(label, tree, bound) for _, label, tree, bound in sorted(found, key=_first)]

    def _solve_opening(self, label: str, bound: int, best: int, end: float) -> tuple[int, bool]:
        """Return an opening's total, or a bound from best on; and whether the time ended first."""
        game, search, left = self.game, self._search, left_at(2, self.guess_limit)
        guess = game.guesses.index(label)
        apart = np.unique(orbits(game, [guess]))
        cells = split(game, guess, all_secrets(game))
        cells.pop(game.solved, None)
        total = bound
        for cell in sorted(cells.values(), key=len):
            others = total - int(search.bounds[left, len(cell)])
            pool = apart.astype(np.int32)
            if self.guess_pool == "consistent":
                pool = np.intersect1d(apart, game.guess_of_secret[cell]).astype(np.int32)
            found = STOPPED
            while found == STOPPED:
                if time.monotonic() > end:
                    return total, True
                search.tally[LOOKUPS_LEFT] = SLICE
                found = kernel.least_total(search, 0, cell, left, best - others, pool)
                refuse_depth(game, found)
                self._report(label, total, best)
            total = others + found
            if total >= best:
                break
        return total, False

    def _report(self, label: str, bound: int, best: int) -> None:
        if self._search.tally[LOOKUPS_LEFT] < 0:
            log.info(
                "opening %s: at least %d, best %d; %d sets searched, %d remembered",
                label, bound, best, self._search.tally[kernel.SETS_SEARCHED],
                self._search.tally[kernel.ENTRIES],
                extra={"progress": True},
            )  # fmt: skip

    def _tree(self, opening: str) -> GameTree:
        """Return the tree of an opening that was solved."""

        def choose(frontier: Frontier) -> Indices:
            if frontier.turn == 1:
                return np.array([self.game.guesses.index(opening)], dtype=np.int32)
            sets, left = frontier.sets, left_at(frontier.turn, self.guess_limit)
            cells = np.split(sets.members, sets.offsets[1:-1])
            return np.array([guess_of(self._search, cell, left) for cell in cells], dtype=np.int32)

        return plant(self.game, choose)


def _first(entry: tuple[tuple[bool, int, int], str, GameTree | None, int]) -> tuple[bool, int, int]:
    return entry[0]


def guess_of(search: Search, cell: Indices, left: int) -> int:
    """Return an optimal guess for a set, from the memo, or searched again where it was full."""
    if len(cell) <= 2:
        return int(search.guess_of_secret[cell[0]])
    slot = kernel.slot_of(search, cell, left)
    if search.state[slot] != EXACT:
        search.tally[LOOKUPS_LEFT] = 2**62
        pool = search.guess_of_secret[cell] if search.consistent_only else search.all_guesses
        search.state[:], search.tally[kernel.ENTRIES] = kernel.UNSEEN, 0
        kernel.least_total(search, 0, cell, left, INFEASIBLE, pool)
        slot = kernel.slot_of(search, cell, left)
    return int(search.guess[slot])


def left_at(turn: int, guess_limit: int | None) -> int:
    """Return how many guesses may be made from a turn on, as the kernel counts them."""
    return LARGEST_GUESS_LIMIT + 1 if guess_limit is None else max(guess_limit - turn + 1, 0)


def refuse_depth(game: TableGame, found: int) -> None:
    """Raise `CodebreakerError` where the kernel found no room for the depth."""
    if found == TOO_DEEP:
        raise CodebreakerError(
            f"{game.name} takes trees of over {DEEPEST} turns: too deep to solve"
        )


def allocate(game: TableGame, guess_pool: GuessPool, memo_mib: float) -> Search:
    """Allocate a search; the system commits the memo's pages as they are used."""
    secrets, guesses = game.n_secrets, game.n_guesses
    slots = 1 << max(int(memo_mib * 2**20 / 25).bit_length() - 1, 4)
    depths = min(secrets, DEEPEST)
    draw = np.random.default_rng(0)
    return Search(
        by_secret=game.by_secret,
        guess_of_secret=game.guess_of_secret,
        solved=game.solved,
        consistent_only=guess_pool == "consistent",
        bounds=size_bounds(game.n_feedback, secrets, LARGEST_GUESS_LIMIT),
        zobrist=draw.integers(2**64, size=(secrets, 2), dtype=np.uint64),
        first=np.zeros(slots, np.uint64),
        second=np.zeros(slots, np.uint64),
        total=np.zeros(slots, np.int32),
        guess=np.zeros(slots, np.int32),
        state=np.zeros(slots, np.uint8),
        tally=np.zeros(4, np.int64),
        all_guesses=np.arange(guesses, dtype=np.int32),
        options=np.zeros((depths, guesses), np.int32),
        option_bounds=np.zeros((depths, guesses), np.int32),
        order=np.zeros((depths, guesses), np.int32),
        signatures=np.zeros((depths, guesses), np.uint64),
        members=np.zeros((depths, secrets), np.int32),
        at=np.zeros((depths, game.n_feedback + 1), np.int64),
    )
