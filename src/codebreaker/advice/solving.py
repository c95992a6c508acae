"""The minimum total of a game by exact search, for the library and the command line."""

import logging
from contextlib import suppress
from dataclasses import dataclass
from math import isinf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from codebreaker.advice.cached import best_known_tree
from codebreaker.constants import OPTIMAL
from codebreaker.errors import CodebreakerError, counted
from codebreaker.games.model import TableGame
from codebreaker.proven import is_proven
from codebreaker.search.settings import Target, name_within_limits
from codebreaker.trees.tree import GameTree
from codebreaker.types import AnyPool

if TYPE_CHECKING:
    from codebreaker.search.solution import Optimum

log = logging.getLogger("codebreaker")

FOUND = "best-found"
"""Name of a tree that is not proven to be optimal."""

MOST_MEMORY_MIB = 1 << 20
"""Largest transposition table, a tebibyte."""

SHARE = 0.1
"""Share of the time limit that may be spent on the trees of policies."""


@dataclass(frozen=True)
class Limits:
    """What trees may be, and what a search may use.

    `max_guesses` limits the guesses for any secret; `opening` is a label of the game. `memory_mib`
    is that of the transposition table. The time of compiling doesn't count. In hard mode memory has
    no limit. Raises `CodebreakerError` for limits below their range.
    """

    max_guesses: int | None = None
    guess_pool: AnyPool = "all"
    opening: str | None = None
    time_limit_s: float = 60.0
    memory_mib: float = 256.0

    def __post_init__(self) -> None:
        if not self.time_limit_s > 0:
            raise CodebreakerError(
                f"time_limit_s can't be {self.time_limit_s:g}: give seconds above 0, or infinity",
                "time_limit_s",
            )
        if not 1 <= self.memory_mib <= MOST_MEMORY_MIB:
            raise CodebreakerError(
                f"memory_mib can't be {self.memory_mib:g}: give 1 to {MOST_MEMORY_MIB:,} MiB",
                "memo_mib",
            )
        if self.max_guesses is not None and self.max_guesses < 1:
            raise CodebreakerError(
                f"max_guesses can't be {self.max_guesses}: allow at least 1 guess"
            )

    @property
    def restrict(self) -> bool:
        """Whether some trees are excluded."""
        return bool(self.name(""))

    def name(self, first: str) -> str:
        """Return the name of a tree within these limits."""
        return name_within_limits(first, self.max_guesses, self.guess_pool, self.opening)


@dataclass(frozen=True, eq=False)
class Best:
    """The best tree of a search, its name, its total (by weights with a prior) and a lower bound.

    Every tree within the limits has at least the `bound`. Without an `optimum` there is no
    certificate. `has_lowest_maximum` says that no tree with as low a total has a lower maximum;
    otherwise that was not looked for.
    """

    tree: GameTree
    name: str
    total: int
    bound: int
    optimum: "Optimum | None" = None
    has_lowest_maximum: bool = False

    @property
    def is_proven(self) -> bool:
        """Whether the tree is proven to have the minimum total."""
        return is_proven(self.total, self.bound)


def solve_game(game: TableGame, limits: Limits, checkpoints: str | Path | None = None) -> Best:
    """Return a tree with the minimum total within limits, or the best one that time allows.

    A killed search resumes from the folder `checkpoints`. Raises `CodebreakerError` if there is no
    tree, or none was found in time, and for limits or checkpoints that a search in hard mode or
    with a prior doesn't have.
    """
    if checkpoints is not None and (limits.guess_pool == "hard" or game.prior is not None):
        raise CodebreakerError("searches with a prior, or in hard mode, can't keep checkpoints")
    if limits.guess_pool == "hard":
        return _solve_in_hard_mode(game, limits)
    target = Target(limits.guess_pool, limits.max_guesses, opening=limits.opening)
    if game.prior is not None and target != Target():
        raise CodebreakerError(
            f"{game.name} has a prior: it is solved with all guesses and without a limit"
        )
    if checkpoints is None:
        small = _solve_small(game, target, limits)
        if small is not None:
            return small
    if game.prior is not None:
        return _solve_with_prior(game, target, limits)
    from codebreaker.search.optimum import find_optimum
    from codebreaker.search.solver import EVERY_S

    def known() -> GameTree | None:
        """Return a good tree to begin with, within a share of the time."""
        return _known_tree(game, target, SHARE * limits.time_limit_s)

    folder = None if checkpoints is None else writable(checkpoints, "checkpoints")
    is_long = limits.time_limit_s > EVERY_S
    _announce(game, limits, "; progress is reported within half a minute" * is_long)
    optimum = find_optimum(
        game, target, limits.memory_mib, limits.time_limit_s, folder, later=known
    )
    solution = optimum.solution
    name = limits.name(OPTIMAL if solution.proven else FOUND)
    return Best(solution.tree, name, solution.tree.total_guesses, solution.bound, optimum)


def _announce(game: TableGame, limits: Limits, more: str = "") -> None:
    """Log that a search begins, and how long it may take; compiling comes on top."""
    seconds = limits.time_limit_s
    time = "until the minimum is proven" if isinf(seconds) else f"for at most {seconds:g} s"
    log.info("%s: searching %s%s", game.name, time, more, extra={"at_once": True})


def _solve_in_hard_mode(game: TableGame, limits: Limits) -> Best:
    """Return an optimal tree of Wordle's hard mode, or the best one of some policies."""
    from codebreaker.search.hard import HardCostToGo, OutOfTimeError

    _announce(game, limits)
    search = HardCostToGo(game, limits.max_guesses, limits.time_limit_s)
    try:
        total = search.minimum(limits.opening)
    except OutOfTimeError:
        return _best_in_hard_mode(game, limits, search.bound())
    return Best(search.tree(limits.opening), limits.name(OPTIMAL), total, total)


def _best_in_hard_mode(game: TableGame, limits: Limits, bound: int) -> Best:
    """Return the best tree of some policies in hard mode, which may be proven by the bound."""
    from codebreaker.policies.strategy import Strategy
    from codebreaker.search.greedy import POLICIES
    from codebreaker.trees.best_known import order_of
    from codebreaker.trees.grow import grow

    trees = [grow(game, Strategy(policy, limits.opening, "hard")) for policy in POLICIES]
    most = game.n_secrets if limits.max_guesses is None else limits.max_guesses
    allowed = [tree for tree in trees if tree.max_guesses <= most]
    if not allowed:
        raise CodebreakerError(
            f"no tree of {game.name} in hard mode with at most {counted(most, 'guess', 'es')} was "
            f"found in {limits.time_limit_s:g} s: allow more time or guesses",
            "time_limit_s",
        )
    tree = min(allowed, key=order_of)
    name = OPTIMAL if is_proven(tree.total_guesses, bound) else FOUND
    return Best(tree, limits.name(name), tree.total_guesses, bound)


def _solve_small(game: TableGame, target: Target, limits: Limits) -> Best | None:
    """Return an optimal tree of a small game without compiled code, or None for other searches."""
    from codebreaker.search.small_games import SECONDS, solve_small
    from codebreaker.search.solution import Optimum

    is_plain = target == Target(opening=limits.opening)
    if not is_plain or limits.time_limit_s < SECONDS:
        return None
    small = solve_small(game, limits.opening)
    if small is None:
        return None
    solution = small.solution
    optimum = Optimum(target, None, solution) if game.prior is None else None
    return Best(
        solution.tree, target.slug, solution.cost, solution.bound, optimum, small.has_lowest_maximum
    )


def _solve_with_prior(game: TableGame, target: Target, limits: Limits) -> Best:
    """Return an optimal tree for weighted secrets."""
    from codebreaker.search.weighted import WeightedSearch

    assert game.prior is not None
    _announce(game, limits)
    search = WeightedSearch(game, game.prior, limits.memory_mib, limits.time_limit_s)
    total, guess = search.minimum()
    return Best(search.tree(guess), target.slug, total, total)


def writable(folder: str | Path, what: str) -> Path:
    """Return a folder that something can be written to; raise `CodebreakerError` if it can't be.

    A folder that is missing is made for the test alone: whoever writes a file into it makes it.
    """
    try:
        path = Path(folder)
        missing = [made for made in (path, *path.parents) if not made.exists()]
        try:
            path.mkdir(parents=True, exist_ok=True)
            with TemporaryDirectory(dir=path):
                return path
        finally:
            for made in missing:
                with suppress(OSError):  # it wasn't made, or another process has written into it
                    made.rmdir()
    except (OSError, ValueError) as why:
        reason = getattr(why, "strerror", None) or why
        raise CodebreakerError(
            f"{what} can't be written to {folder} ({reason}): name another folder"
        ) from None


def _known_tree(game: TableGame, target: Target, seconds: float) -> GameTree | None:
    """Return the best tree within a target's limits that is recorded or that a policy has."""
    from codebreaker.search.greedy import greedy_tree, is_allowed
    from codebreaker.trees.best_known import order_of

    known_trees = [greedy_tree(game, target, seconds)]
    recorded, _ = best_known_tree(game) or (None, "")
    if recorded is not None and is_allowed(game, recorded, target):
        known_trees.append(recorded)
    return min((tree for tree in known_trees if tree is not None), key=order_of, default=None)
