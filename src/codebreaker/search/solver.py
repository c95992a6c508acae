"""Optimal game trees by branch and bound (Koyama and Lai 1993 solved MM(4,6) first)."""

import hashlib
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from pathlib import Path

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.files import read_resumed, set_aside, write_arrays
from codebreaker.games.model import TableGame
from codebreaker.games.symmetry import class_leaders
from codebreaker.policies.strategy import Strategy, check_opening
from codebreaker.proven import is_proven
from codebreaker.runtime.sources import digest_of
from codebreaker.search.cost_to_go import allocate, check_depth, guesses_left_at, optimal_guesses
from codebreaker.search.kernels import search as kernel
from codebreaker.search.kernels.cost_bounds import INFEASIBLE
from codebreaker.search.kernels.options import (
    LOOKUPS,
    SETS_SEARCHED,
    STOPPED,
    WORK_LEFT,
    Search,
)
from codebreaker.search.settings import GUESSES, Charges
from codebreaker.sets.partition import all_secrets, unsolved
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import grow, levels, make_tree
from codebreaker.trees.tree import GameTree
from codebreaker.types import GuessPool, Indices

log = logging.getLogger("codebreaker")

SLICE = 1 << 32  # table look-ups between two checks of the clock: up to half a minute
PER_SECOND = 1 << 26  # maximum number of these look-ups per second of the time limit
KnownLater = Callable[[], GameTree | None]
"""Returns a known tree, if there is one, but takes a while."""

MOST_GROWN = 2  # maximum number of openings from which a heuristic's tree is grown first
EVERY_S = 30.0  # minimum seconds between two checkpoints
SPARED = 100  # minimum of that time as a multiple of what writing a checkpoint takes


@dataclass(frozen=True)
class Solution:
    """The best tree, its cost, and lower bounds on the cost, overall and by opening.

    A bound holds for every tree, also if the search stopped early.
    """

    tree: GameTree
    cost: int
    bound: int
    openings: dict[str, int]
    sets_searched: int
    lookups: int

    @property
    def proven(self) -> bool:
        """Return whether the tree is proven to be optimal."""
        return is_proven(self.cost, self.bound)


@dataclass
class Progress:
    """The best tree, the cost to stay below, bounds by opening, and what comes next."""

    tree: GameTree | None
    best: int
    lower: list[int]
    work: int  # look-ups until the next look at the clock
    done: int = 0  # openings
    parts: int = 0  # that are solved, of the next opening


class Checkpoint:
    """A search's progress, memo and counts in a file, if any, for a search of the same identity."""

    def __init__(self, search: Search, path: Path | None, identity: str) -> None:
        self._search, self._path, self._identity = search, path, identity
        self.began = time.monotonic()
        self._due = self.began + EVERY_S

    def read(self) -> Progress | None:
        """Restore the memo and counts of a killed search, and begin earlier by its time."""
        parts = self._path and read_resumed(self._path, self._identity)
        if not self._path or not parts:
            return None
        slots, memo = parts["slots"], self._search.memo
        if len(slots) > len(memo.slots):
            set_aside(self._path, "it needs a larger memo")
            return None
        memo.slots[: len(slots)], memo.used[:] = slots, parts["used"]
        self._search.tally[:] = parts["tally"]
        self.began -= float(parts["seconds"])
        best, work, done, solved, *lower = parts["progress"].tolist()
        log.info("resuming after %.0f s of searching, %d openings done", parts["seconds"], done)
        tree = GameTree(*parts["tree"]) if len(parts["tree"]) else None
        return Progress(tree, best, lower, work, done, solved)

    def keep(self, progress: Progress) -> None:
        """Write the file if it is due."""
        if self._path is None or time.monotonic() < self._due:
            return
        tree, best, lower, *place = vars(progress).values()
        memo, now = self._search.memo, time.monotonic()
        write_arrays(
            self._path, compressed=False, identity=self._identity, seconds=now - self.began,
            progress=[best, *place, *lower], tree=[*vars(tree).values()] if tree else [],
            tally=self._search.tally, used=memo.used, slots=memo.slots[: memo.used[1]],
        )  # fmt: skip
        done = time.monotonic()
        self._due = done + max(EVERY_S, SPARED * (done - now))


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
        if opening is not None:
            if opening not in game.guesses:
                raise CodebreakerError(f"{opening!r} is not a guess of {game.name}")
            check_opening(opening, guess_pool, game.name, opening in game.secrets)
        self.game, self.guess_pool, self.guess_limit = game, guess_pool, guess_limit
        self.charges, self.opening = charges, opening
        self._later: KnownLater | None = None
        limited = guess_limit is not None and charges.rounds is not None
        after = guess_limit - charges.rounds if limited else 0  # type: ignore[operator]
        self._search = allocate(game, guess_pool, memo_mib, charges, after)

    def solve(
        self,
        time_limit_s: float = inf,
        known: GameTree | None = None,
        folder: Path | None = None,
        later: KnownLater | None = None,
    ) -> Solution | None:
        """Return an optimal tree, `known` if no tree is better, or None if no tree exists.

        If the search takes more than a few seconds, it calls `later` once for another known tree.
        At the time limit, return the best so far, or raise `CodebreakerError` if there is none. A
        killed search continues from its checkpoint in the folder, if any; its time counts too.
        """
        self._later = later
        work = int(min(SLICE, PER_SECOND * time_limit_s))
        path = folder and folder / f"within-{self.guess_limit or 'any'}.npz"
        kept = Checkpoint(self._search, path, self._identity(known) if path else "")
        openings, game = self._openings(), self.game
        incumbents = [(self._cost(grown), label) for label, grown, _ in openings if grown]
        incumbents += [] if known is None else [(self._cost(known), "")]
        best, winner = min(incumbents, default=(INFEASIBLE, ""))
        best = min(best + 1, INFEASIBLE)  # so that the search finds an equally good tree itself
        first = next((tree for label, tree, _ in openings if label == winner), known)
        now = kept.read() or Progress(first, best, [bound for *_, bound in openings], work)
        end, stopped = kept.began + time_limit_s, False
        for place in range(now.done, len(openings)):
            label = openings[place][0]
            if now.lower[place] < now.best and not stopped:
                stopped = self._solve_opening(label, now, end, kept, work)
                if not stopped and now.lower[place] < now.best:
                    now.best, now.tree = now.lower[place], self._tree(label)
                log.info("opening %s: at least %d; best %d", label, now.lower[place], now.best)
            now.done, now.parts = place + 1, 0
        if stopped:
            self._start_later(now)
        lower = dict(zip((label for label, *_ in openings), now.lower, strict=True))
        if now.tree is None and stopped:
            raise CodebreakerError(
                f"no tree of {game.name} was found within the time limit: allow more time",
                "time_limit_s",
            )
        if now.tree is None:
            return None
        cost = self._cost(now.tree)
        searched, lookups = (int(self._search.tally[kind]) for kind in (SETS_SEARCHED, LOOKUPS))
        return Solution(now.tree, cost, min(cost, *lower.values()), lower, searched, lookups)

    def _openings(self) -> list[tuple[str, GameTree | None, int]]:
        """Return one opening per class, most promising first, with a tree or None and a bound."""
        game, bounds = self.game, self._search.bounds[self._left(2)]
        charge = game.n_secrets * int(self._search.charges[self._left(1)])
        bounded = []
        tried = class_leaders(game)
        if self.opening is not None:
            tried = np.array([game.guesses.index(self.opening)])
        elif self.guess_pool == "consistent":
            tried = np.intersect1d(tried, game.guess_of_secret)
        for guess in tried.tolist():
            sizes = np.bincount(game.table[guess], minlength=game.n_feedback)
            if sizes.max() == game.n_secrets > 1 and self.opening is None:
                continue  # it tells nothing
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

    def _start_later(self, now: Progress) -> None:
        """Go on from the tree that is known later, if there is one and it is better."""
        make, self._later = self._later, None
        tree = None if make is None else make()
        if tree is None:
            return
        cost = self._cost(tree)
        if now.tree is None or cost < self._cost(now.tree):
            now.tree = tree
            now.best = min(now.best, cost + 1)
            log.info("a known tree has a cost of %d", cost)

    def _solve_opening(
        self, label: str, now: Progress, end: float, kept: Checkpoint, work: int
    ) -> bool:
        """Raise an opening's bound to its cost or the best; return whether time ran out."""
        game, search, left = self.game, self._search, self._left(2)
        guess = game.guesses.index(label)
        representatives = class_leaders(game, [guess])
        cells = sorted(unsolved(game, guess, all_secrets(game)).values(), key=len)
        for cell in cells[now.parts :]:
            total = now.lower[now.done]
            if total >= now.best:
                break
            others = total - int(search.bounds[left, len(cell)])
            pool = representatives
            if self.guess_pool == "consistent":
                pool = np.intersect1d(pool, game.guess_of_secret[cell])
            needed = 0.0
            status = STOPPED
            while status == STOPPED:
                began = time.monotonic()
                if began + needed > end:
                    return True
                kept.keep(now)
                search.tally[WORK_LEFT] = now.work
                status, lowest = kernel.minimum_total(
                    search, search.frame, 0, cell, left, now.best - others, pool
                )
                check_depth(game, status)
                if status == STOPPED:
                    self._start_later(now)
                    used, searched = search.memo.used[0], search.tally[SETS_SEARCHED]
                    log.info(
                        "opening %s: at least %d, best %d; %d sets searched, %d in the memo",
                        label, total, now.best, searched, used,
                        extra={"progress": True},
                    )  # fmt: skip
                    if 4 * used >= 3 * len(search.memo.slots):  # as much work would repeat itself
                        now.work, needed = 2 * now.work, 2 * (time.monotonic() - began)
            now.lower[now.done], now.parts, now.work = others + lowest, now.parts + 1, work
        return False

    def _identity(self, known: GameTree | None) -> str:
        arrays = self._search.memo.words, np.empty(0) if known is None else known.guess
        settings = self.game.digest, self.guess_pool, self.guess_limit, self.charges, self.opening
        told = digest_of(Path(__file__)), *settings, *(one.tobytes() for one in arrays)
        return hashlib.sha256(repr(told).encode()).hexdigest()

    def _cost(self, tree: GameTree) -> int:
        return self.charges.cost(tree.profile.tolist())

    def _left(self, turn: int) -> int:
        rounds = self.charges.rounds
        if rounds is None or self.guess_limit is not None:
            return guesses_left_at(turn, self.guess_limit)
        return guesses_left_at(turn, rounds if turn <= rounds + 1 else None)

    def _tree(self, opening: str) -> GameTree:
        def choose(frontier: Frontier) -> Indices:
            if frontier.turn == 1:
                return np.array([self.game.guesses.index(opening)], dtype=np.int32)
            return optimal_guesses(self._search, frontier.sets, self._left(frontier.turn))

        return make_tree(levels(self.game, Frontier.initial(self.game), choose))
