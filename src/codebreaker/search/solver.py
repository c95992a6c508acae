"""Optimal game trees by branch and bound (Koyama and Lai 1993 solved MM(4,6) first)."""

import hashlib
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, fields
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.files import read_resumed, set_aside, write_arrays
from codebreaker.games.model import TableGame
from codebreaker.games.symmetry import class_representatives
from codebreaker.policies.strategy import Strategy, check_opening
from codebreaker.runtime.interrupts import Interrupt, held_interrupts
from codebreaker.runtime.sources import digest_of
from codebreaker.search.cost_to_go import (
    allocate,
    check_search_depth,
    compile_search,
    guesses_left_at,
    optimal_guesses,
)
from codebreaker.search.kernels import search as kernel
from codebreaker.search.kernels.costs import INFEASIBLE
from codebreaker.search.kernels.options import (
    LOOKUPS,
    SETS_SEARCHED,
    STOPPED,
    WORK_LEFT,
    Search,
)
from codebreaker.search.settings import GUESSES, Charges
from codebreaker.search.solution import Solution
from codebreaker.sets.partition import all_secrets, unsolved
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import grow, levels, make_tree
from codebreaker.trees.tree import GameTree
from codebreaker.types import GuessPool, Indices

log = logging.getLogger("codebreaker")

SLICE = 1 << 32
"""Table look-ups between two checks of the clock: up to half a minute."""

PER_SECOND = 1 << 26
"""Maximum number of these look-ups per second of the time limit."""

KnownLater = Callable[[], GameTree | None]
"""Returns a known tree, if there is one, but takes a while."""

MOST_GROWN = 2
"""Maximum number of openings from which a heuristic's tree is grown first."""

EVERY_S = 30.0
"""Minimum seconds between two checkpoints."""

SPARED = 100
"""Minimum time between two checkpoints as a multiple of what writing one takes."""

CHECKPOINT_FIELDS = {
    "seconds",
    "best",
    "bounds",
    "work",
    "openings_done",
    "cells_done",
    "has_tree",
    "memo_slots",
    "memo_used",
    "tally",
}
"""Arrays of a checkpoint; if `has_tree`, also those of `_tree_arrays`."""


@dataclass
class Progress:
    """The best tree, the cost to stay below, bounds by opening, and what comes next."""

    tree: GameTree | None
    best: int  # the cost to stay below
    bounds: list[int]  # on the cost after each opening, in the order of `_openings`
    work: int  # look-ups until the next look at the clock
    openings_done: int = 0
    cells_done: int = 0  # cells of the next opening that are solved

    @property
    def found(self) -> str:
        """Return the cost to stay below in words, if there is one yet."""
        return f"{self.best}" if self.best < INFEASIBLE else "unknown"


class _Opening(NamedTuple):
    """A first guess, a heuristic's tree that begins with it, if any, and a bound on the cost."""

    label: str
    tree: GameTree | None
    bound: int


class Checkpoint:
    """A search's progress, memo and counts in a file, if any, for a search of the same identity.

    The file has an array for each of CHECKPOINT_FIELDS and for each column of the tree, by name.
    """

    def __init__(self, search: Search, path: Path | None, identity: str) -> None:
        self._search = search
        self._path = path
        self._identity = identity
        self.interrupt = Interrupt()
        self.began = time.monotonic()
        self._due = self.began + EVERY_S

    def read(self) -> Progress | None:
        """Restore the memo and counts of a killed search, and begin earlier by its time.

        Return None if there is no file, or after setting it aside if it can't be used here.
        """
        if self._path is None:
            return None
        arrays = read_resumed(self._path, self._identity)
        if arrays is None:
            return None
        memo = self._search.memo
        if not _has_all_fields(arrays):
            set_aside(self._path, "it lacks fields")
            return None
        n_slots = len(arrays["memo_slots"])
        if n_slots > len(memo.slots):
            set_aside(self._path, "it needs a larger memo")
            return None
        memo.slots[:n_slots] = arrays["memo_slots"]
        memo.used[:] = arrays["memo_used"]
        self._search.tally[:] = arrays["tally"]
        seconds = float(arrays["seconds"])
        self.began -= seconds
        progress = Progress(
            tree=_tree_from(arrays) if arrays["has_tree"] else None,
            best=int(arrays["best"]),
            bounds=arrays["bounds"].tolist(),
            work=int(arrays["work"]),
            openings_done=int(arrays["openings_done"]),
            cells_done=int(arrays["cells_done"]),
        )
        log.info(
            "resuming after %.0f s of searching, %d openings done", seconds, progress.openings_done,
            extra={"at_once": True},
        )  # fmt: skip
        return progress

    def keep(self, progress: Progress) -> None:
        """Write the file if it is due, or if Ctrl-C came, which ends the search."""
        self.end_if_interrupted(progress)
        if time.monotonic() >= self._due:
            self.write(progress)

    def end_if_interrupted(self, progress: Progress) -> None:
        """If Ctrl-C came, write the file and raise `KeyboardInterrupt`."""
        if self.interrupt.came:
            self.write(progress)
            raise KeyboardInterrupt

    def write(self, progress: Progress) -> None:
        """Write the file, if there is one."""
        if self._path is None:
            return
        memo = self._search.memo
        now = time.monotonic()
        write_arrays(
            self._path,
            compressed=False,
            identity=self._identity,
            seconds=now - self.began,
            best=progress.best,
            bounds=progress.bounds,
            work=progress.work,
            openings_done=progress.openings_done,
            cells_done=progress.cells_done,
            has_tree=progress.tree is not None,
            memo_slots=memo.slots[: memo.used[1]],
            memo_used=memo.used,
            tally=self._search.tally,
            **_tree_arrays(progress.tree),
        )
        written = time.monotonic()
        self._due = written + max(EVERY_S, SPARED * (written - now))


def _tree_arrays(tree: GameTree | None) -> dict[str, Indices]:
    """Return the columns of a tree, if any, by the names of a checkpoint."""
    if tree is None:
        return {}
    return {f"tree_{column.name}": getattr(tree, column.name) for column in fields(GameTree)}


def _tree_from(arrays: dict[str, Any]) -> GameTree:
    """Return the tree whose columns `_tree_arrays` named."""
    return GameTree(**{column.name: arrays[f"tree_{column.name}"] for column in fields(GameTree)})


def _has_all_fields(arrays: dict[str, Any]) -> bool:
    """Return whether the arrays are those of a checkpoint, with a tree or without."""
    expected = CHECKPOINT_FIELDS
    if arrays.get("has_tree"):
        expected = expected | {f"tree_{column.name}" for column in fields(GameTree)}
    return expected <= arrays.keys()


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
        self.game = game
        self.guess_pool = guess_pool
        self.guess_limit = guess_limit
        self.charges = charges
        self.opening = opening
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
        killed search continues from its checkpoint in the folder, if any; its time counts too. The
        time of compiling does not.
        """
        self._compile()
        self._later = later
        work = int(min(SLICE, PER_SECOND * time_limit_s))
        # The file is named by the search, as others may use the folder, too; its identity also has
        # the code.
        openings = self._openings()
        name, identity = self._identity(known, openings) if folder else ("", "")
        path = folder and folder / f"{name[:16]}.npz"
        checkpoint = Checkpoint(self._search, path, identity)
        game = self.game
        # 1. Start from the best known tree. Its cost + 1 is the limit, so that the search finds an
        #    equally good tree itself.
        incumbents = [
            (self._cost(opening.tree), opening.label) for opening in openings if opening.tree
        ]
        incumbents += [] if known is None else [(self._cost(known), "")]
        best, winner = min(incumbents, default=(INFEASIBLE, ""))
        best = min(best + 1, INFEASIBLE)
        first = next((opening.tree for opening in openings if opening.label == winner), known)
        progress = checkpoint.read() or Progress(
            first, best, [opening.bound for opening in openings], work
        )
        end = checkpoint.began + time_limit_s
        stopped = False
        # 2. Solve each opening whose bound is below the best cost. Its bound is then its cost, or
        #    at least the best. With a file, Ctrl-C waits until progress can be written.
        with held_interrupts(path is not None) as checkpoint.interrupt:
            for number in range(progress.openings_done, len(openings)):
                label = openings[number].label
                if progress.bounds[number] < progress.best and not stopped:
                    stopped = self._solve_opening(label, progress, end, checkpoint, work)
                    bound = progress.bounds[number]
                    if not stopped and bound < progress.best:
                        progress.best = bound
                        progress.tree = self._tree(label)
                    if bound >= INFEASIBLE:
                        log.info("opening %s: no tree within the limits", label)
                    else:
                        log.info("opening %s: at least %d; best %s", label, bound, progress.found)
                progress.openings_done = number + 1
                progress.cells_done = 0
                if not stopped:  # otherwise openings that weren't solved count as done
                    checkpoint.end_if_interrupted(progress)
        if stopped:
            self._start_later(progress)
        if progress.tree is None and stopped:
            raise CodebreakerError(
                f"no tree of {game.name} was found within the time limit: allow more time",
                "time_limit_s",
            )
        if progress.tree is None:
            return None
        cost = self._cost(progress.tree)
        searched, lookups = (int(self._search.tally[kind]) for kind in (SETS_SEARCHED, LOOKUPS))
        # 3. The lowest bound of an opening bounds all trees, also after a stop.
        lower = {
            opening.label: cost if bound >= INFEASIBLE else bound
            for opening, bound in zip(openings, progress.bounds, strict=True)
        }
        return Solution(progress.tree, cost, min(cost, *lower.values()), lower, searched, lookups)

    def _compile(self) -> None:
        """Compile the search and the growth of trees, or load their machine code."""
        compile_search(self._search)
        pair = Frontier.of_set(all_secrets(self.game)[:2], 2, -1)
        grow(self.game, Strategy("most-parts", guess_pool=self.guess_pool), start=pair)

    def _openings(self) -> list["_Opening"]:
        """Return one opening per class, most promising first.

        Those with a heuristic's tree come first, by its cost; the others by their bounds.
        """
        game = self.game
        bounds = self._search.bounds[self._left(2)]
        charge = game.n_secrets * int(self._search.charges[self._left(1)])
        bounded = []
        tried = class_representatives(game)
        if self.opening is not None:
            tried = np.array([game.guesses.index(self.opening)])
        elif self.guess_pool == "consistent":
            tried = np.intersect1d(tried, game.guess_of_secret)
        for guess in tried.tolist():
            sizes = np.bincount(game.table[guess], minlength=game.n_feedback)
            if sizes.max() == game.n_secrets > 1 and self.opening is None:
                continue  # it splits nothing
            sizes[game.solved] = 0
            bound = charge + int(bounds[sizes].sum(dtype=np.int64))
            bounded.append((min(bound, INFEASIBLE), game.guesses[guess]))
        openings = []
        for rank, (bound, label) in enumerate(sorted(bounded)):
            tree = self._heuristic(label) if rank < MOST_GROWN else None
            openings.append(_Opening(label, tree, bound))
        return sorted(openings, key=self._order_of)

    def _order_of(self, opening: "_Opening") -> tuple[bool, int, int]:
        """Return the sort key of an opening."""
        if opening.tree is None:
            return True, opening.bound, opening.bound
        return False, self._cost(opening.tree), opening.bound

    def _heuristic(self, opening: str) -> GameTree | None:
        """Return a policy's tree after an opening if it is within the guess limit."""
        tree = grow(self.game, Strategy("most-parts", opening, self.guess_pool))
        return tree if self.guess_limit is None or tree.turn.max() <= self.guess_limit else None

    def _start_later(self, progress: Progress) -> None:
        """Go on from the tree that is known later, if there is one and it is better."""
        make = self._later
        self._later = None
        tree = None if make is None else make()
        if tree is None:
            return
        cost = self._cost(tree)
        if progress.tree is None or cost < self._cost(progress.tree):
            progress.tree = tree
            progress.best = min(progress.best, cost + 1)
            log.info("a known tree has a cost of %d", cost)

    def _solve_opening(
        self, label: str, progress: Progress, end: float, checkpoint: Checkpoint, work: int
    ) -> bool:
        """Raise an opening's bound to its cost or the best; return whether time ran out.

        The bound is the sum of what is known of the opening's cells: a bound by size, then the
        minimum, smallest cell first. A cell may cost what the best leaves after all others.
        """
        game = self.game
        search = self._search
        left = self._left(2)
        guess = game.guesses.index(label)
        representatives = class_representatives(game, [guess])
        cells = sorted(unsolved(game, guess, all_secrets(game)).values(), key=len)
        for cell in cells[progress.cells_done :]:
            total = progress.bounds[progress.openings_done]
            if total >= progress.best:
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
                    checkpoint.write(progress)
                    return True
                checkpoint.keep(progress)
                search.tally[WORK_LEFT] = progress.work
                status, lowest = kernel.minimum_total(
                    search, search.frame, 0, cell, left, progress.best - others, pool
                )
                check_search_depth(game, status)
                if status == STOPPED:
                    self._start_later(progress)
                    used = search.memo.used[0]
                    searched = search.tally[SETS_SEARCHED]
                    log.info(
                        "opening %s: at least %d, best %s; %d sets searched, %d in the memo",
                        label, total, progress.found, searched, used,
                        extra={"progress": True},
                    )  # fmt: skip
                    # A full memo keeps nothing new: as much work would repeat itself.
                    if 4 * used >= 3 * len(search.memo.slots):
                        progress.work *= 2
                        needed = 2 * (time.monotonic() - began)
            progress.bounds[progress.openings_done] = others + lowest
            progress.cells_done += 1
            progress.work = work
        return False

    def _identity(self, known: GameTree | None, openings: list["_Opening"]) -> tuple[str, str]:
        """Return a digest of all that a search's path depends on, and one with the code, too.

        The same game with and without a known symmetry has different openings.
        """
        known_guesses = np.empty(0) if known is None else known.guess
        settings = (
            self.game.digest,
            self.guess_pool,
            self.guess_limit,
            self.charges,
            self.opening,
            [opening.label for opening in openings],
            self._search.memo.words.tobytes(),
            known_guesses.tobytes(),
        )
        with_code = (digest_of(Path(__file__)), settings)
        first, second = (hashlib.sha256(repr(of).encode()) for of in (settings, with_code))
        return first.hexdigest(), second.hexdigest()

    def _cost(self, tree: GameTree) -> int:
        """Return a tree's cost by the charges."""
        return self.charges.cost(tree.profile.tolist())

    def _left(self, turn: int) -> int:
        """Return the row of the kernel's bounds at a turn.

        Without a guess limit, rows count down to the last of the charges' rounds; after it there is
        no limit.
        """
        rounds = self.charges.rounds
        if rounds is None or self.guess_limit is not None:
            return guesses_left_at(turn, self.guess_limit)
        return guesses_left_at(turn, rounds if turn <= rounds + 1 else None)

    def _tree(self, opening: str) -> GameTree:
        """Return the tree of the memo's optimal guesses after an opening."""

        def choose(frontier: Frontier) -> Indices:
            """Return the opening, then the memo's guess at each node."""
            if frontier.turn == 1:
                return np.array([self.game.guesses.index(opening)], dtype=np.int32)
            return optimal_guesses(self._search, frontier.sets, self._left(frontier.turn))

        return make_tree(levels(self.game, Frontier.initial(self.game), choose))
