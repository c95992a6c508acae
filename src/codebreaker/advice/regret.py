"""Regret: the expected guesses lost by a move, against optimal play or a policy.

V(S) is the total for candidates S, and Q(S, g) = |S| + the sum of V over g's unsolved parts. The
regret of g is (Q(S, g) − V(S)) / |S|. With a prior, |S| is the sum of the candidates' weights.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from codebreaker.advice.cached import UNKNOWN, TotalsCache, best_known_tree
from codebreaker.advice.pools import check_allowed, check_moves, check_pool
from codebreaker.constants import LARGEST_ENDGAME, OPTIMAL
from codebreaker.errors import CodebreakerError
from codebreaker.games.model import GameModel, TableGame, refuse_prior
from codebreaker.games.symmetry import class_representatives
from codebreaker.policies.strategy import Strategy
from codebreaker.runtime.progress import report_progress
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.endgames import UNSOLVED, Endgames, endgames_of
from codebreaker.search.hard import HardCostToGo
from codebreaker.search.small import NO_TOTAL, Best, SmallSearch, TooMuchWorkError, is_small
from codebreaker.search.solver import Solver
from codebreaker.search.weighted import WeightedSearch, cost_to_go_of
from codebreaker.sets.hard import allowed_after
from codebreaker.sets.partition import count_table
from codebreaker.trees.frontier import Frontier, split
from codebreaker.trees.grow import (
    feedback_of_sets,
    forest_totals,
    start_in,
    walk,
    with_narrowed_pools,
)
from codebreaker.trees.tree import GameTree
from codebreaker.types import AnyPool, GuessPool, Indices, Move, Totals

if TYPE_CHECKING:
    import polars as pl

LOOKUPS = 1 << 33
"""Maximum number of look-ups in tables per set without a prior: half a minute."""

SECONDS = 30.0
"""Maximum time for a game's minimum total, for the leading guesses, or for a set with a prior or in
hard mode, in seconds."""

CACHED_FROM = 12
"""Sets of more candidates are looked up in the cache. Solving smaller ones is faster."""

SYMMETRY_PAYS = 300
"""Sets of more candidates are searched with one guess of each class, at turn 2 a third of it."""

PLAIN_WORK = 1 << 26
"""The work of `SmallSearch` that is done before any code is compiled, a second or two."""


class OptimalValues:
    """Minimum totals by exact search, weighted by any prior; cached, for several threads.

    Small sets are searched in plain NumPy until PLAIN_WORK is done, all others by compiled code,
    which takes many seconds to compile. So a few questions need no compiler, and many don't wait
    for the slower search. Minimum totals don't depend on which of the two finds them.

    All guesses are from the `guess_pool`. Raises `CodebreakerError` after `lookups` or `seconds`,
    without a table for more than LARGEST_ENDGAME candidates, and for pools that can't be searched:
    others than `all` with a prior, and hard mode without marks.
    """

    is_exact = True

    def __init__(
        self,
        game: GameModel,
        lookups: int = LOOKUPS,
        seconds: float = SECONDS,
        memo_mib: float = 256.0,
        cache: TotalsCache | None = None,
        guess_pool: AnyPool = "all",
    ) -> None:
        """Check the pool; `memo_mib` is the memory of each thread's search."""
        check_pool(game, guess_pool)
        if guess_pool != "all":
            refuse_prior(game, f"optimal play with the guess pool {guess_pool}")
        self.game = game
        self._seconds = seconds
        self.guess_pool = guess_pool
        self.name = OPTIMAL if guess_pool == "all" else f"{OPTIMAL}_pool-{guess_pool}"
        # In hard mode a total depends on the moves before, too.
        self._cache = None if guess_pool == "hard" else cache
        self._pools: dict[tuple[int, ...], Indices] = {}
        """The representatives of equivalent guesses, by the guesses so far."""

        self._lookups = lookups
        self._memo_mib = memo_mib
        self._idle: list[CostToGo | WeightedSearch | HardCostToGo] = []
        """Searches that no thread uses at the moment, each with its memo."""

        self._plain: SmallSearch | None = None
        """The search without compiled code; None without a table, in other pools, and once its
        work is done."""

        if game.has_table and guess_pool == "all":
            self._plain = SmallSearch(game.with_table(), PLAIN_WORK)
        self._endgames: Endgames | None = None
        if not game.has_table:
            self._endgames = Endgames(game.on_demand(), LARGEST_ENDGAME, _without_moves(guess_pool))

    def root(self) -> int:
        """Return the game's minimum total."""
        start = start_in(self.game, self.guess_pool)
        every = start.sets
        allowed = None if start.pools is None else start.pools[0]
        if self._cache and (cached := int(self._cache.find(every)[0])) != UNKNOWN:
            return cached
        total, _ = self.best(every.members, (), allowed=allowed)
        if self._cache:
            self._cache.add(every, np.array([total]))
        return total

    def total(
        self,
        members: Indices,
        history: Sequence[int] | None = None,
        allowed: Indices | None = None,
    ) -> int:
        """Return a set's minimum total.

        Without its history all guesses are tried; in hard mode, those `allowed`.
        """
        if self._endgames:
            return self._solve_on_demand(members)[0]
        members = members.astype(np.int32, copy=False)  # as the kernels need
        plain = self._best_plainly(members, history)
        if plain is not None:
            return plain.total
        with self._search() as search:
            if isinstance(search, HardCostToGo):
                return search.best(members, allowed)[0]
            # A history allows to leave out equivalent guesses, which pays for large sets only.
            turn = 1 if history is None else 1 + len(history)
            is_large = len(members) > (SYMMETRY_PAYS if turn > 2 else SYMMETRY_PAYS // 3)
            pool = None if history is None or not is_large else self._pool(history)
            return search.of(members, 1, pool=pool)

    def best(
        self,
        members: Indices,
        history: Sequence[int],
        limit: int | None = None,
        allowed: Indices | None = None,
    ) -> tuple[int, int]:
        """Return a set's minimum total and best guess, or a bound not below `limit` and -1."""
        game = self.game
        if limit is None:
            limit = self._no_limit
        recorded = None if history else self._recorded_optimum()
        if recorded is not None:
            total = recorded.total_guesses
            return total, int(recorded.guess[0]) if total < limit else -1
        if not game.has_table:
            return self._solve_on_demand(members)
        members = members.astype(np.int32, copy=False)  # as the kernels need
        plain = self._best_plainly(members, history, limit)
        if plain is not None:
            return plain.total, plain.guess if plain.total < limit else -1
        if self.guess_pool == "hard" or history or game.prior is not None:
            with self._search() as search:
                if isinstance(search, HardCostToGo):
                    return search.best(members, allowed, limit)
                return search.best(members, self._pool(history), limit)
        # The solver knows the symmetries of second guesses.
        solution = Solver(game.with_table(), _without_moves(self.guess_pool)).solve(self._seconds)
        if solution is None or not solution.proven:
            raise CodebreakerError(
                f"the minimum total of {game.name} was not proven in {self._seconds:g} s",
                setting="exact",
            )
        return solution.cost, int(solution.tree.guess[0])

    def leading(
        self, members: Indices, moves: Sequence[Move], number: int
    ) -> list[tuple[int, Fraction]]:
        """Return the best guesses, one per class, with their means; candidates first in ties.

        The list is empty if this takes longer than `seconds`.
        """
        game = self.game.with_table()
        members = members.astype(np.int32, copy=False)  # as the kernels need
        history = [guess for guess, _ in moves]
        allowed = allowed_after(game, moves) if self.guess_pool == "hard" else None
        pool = self._pool(history) if allowed is None else allowed
        if self.guess_pool == "consistent":
            pool = np.intersect1d(pool, game.guess_of_secret[members])

        def after_by_search(guess: int, limit: int) -> int:
            """Return the total with a guess, or a bound, by compiled code or in hard mode."""
            turn = len(moves) + 1
            with self._search() as search:
                if isinstance(search, HardCostToGo):
                    assert allowed is not None
                    return search.after(guess, members, allowed, turn, limit)
                return search.after(guess, members, turn, limit)

        plain = self._plain
        if plain is not None and is_small(game, members):
            try:
                return self._leading(
                    members,
                    pool,
                    lambda guess, limit: plain.after(guess, members, history, limit),
                    number,
                )
            except TooMuchWorkError:
                self._plain = None
        return self._leading(members, pool, after_by_search, number)

    def _leading(
        self, members: Indices, pool: Indices, after: Callable[[int, int], int], number: int
    ) -> list[tuple[int, Fraction]]:
        """Return the best guesses of a pool; `after` returns a total with a guess below a limit."""
        game = self.game.with_table()
        is_candidate = set(game.guess_of_secret[members].tolist()).__contains__
        sizes = count_table(game, members)[pool].astype(np.int64)
        # The best guesses so far, in ascending order: total, whether it is no candidate, guess.
        best = list[tuple[int, bool, int]]()
        limit = self._no_limit
        # Guesses with small parts first: they make the limit low early.
        ordered = pool[np.argsort((sizes**2).sum(axis=1), kind="stable")].tolist()
        for done, guess in enumerate(ordered):
            _report("guesses", done, len(ordered), members)
            if done == 1:  # the first search may have compiled its code
                end = time.monotonic() + self._seconds
            if done and time.monotonic() > end:
                return []
            # A guess whose total is the limit may still precede the last one.
            total = after(guess, limit)
            if total < limit:
                best = sorted([*best, (total, not is_candidate(guess), guess)])[:number]
                limit = best[-1][0] + 1 if len(best) == number else self._no_limit
        return [(guess, Fraction(total, _mass(game, members))) for total, _, guess in best]

    def totals(self, frontier: Frontier, histories: Indices) -> Totals:
        """Return each node's minimum total, (n_nodes,) int64; `histories` (n_nodes, turn − 1)."""
        # 1. Large sets from the cache.
        totals = np.full(len(frontier.parents), UNKNOWN, dtype=np.int64)
        sizes = frontier.sizes
        members = frontier.sets.members
        large = np.flatnonzero(sizes > CACHED_FROM)
        if self._cache:
            totals[large] = self._cache.find(frontier.subset(large).sets)
        # 2. The others by search.
        unknown = np.flatnonzero(totals == UNKNOWN)
        sets = frontier.cells
        for done, node in enumerate(unknown.tolist()):
            _report("sets", done, len(unknown), members)
            allowed = None if frontier.pools is None else frontier.pools[node]
            totals[node] = self.total(sets[node], histories[node].tolist(), allowed)
        # 3. The cache learns the large ones.
        if self._cache:
            searched = unknown[sizes[unknown] > CACHED_FROM]
            self._cache.add(frontier.subset(searched).sets, totals[searched])
        return totals

    def _recorded_optimum(self) -> GameTree | None:
        """Return the recorded tree of the game if it is proven to be optimal in the pool."""
        record, found_by = best_known_tree(self.game) or (None, "")
        return record if found_by == OPTIMAL and self.guess_pool == "all" else None

    def _best_plainly(
        self, members: Indices, history: Sequence[int] | None, limit: int = NO_TOTAL
    ) -> Best | None:
        """Return the result of `SmallSearch.best`, or None where compiled code is needed."""
        plain = self._plain
        if plain is None or not is_small(self.game.with_table(), members):
            return None
        try:
            return plain.best(members, history, limit)
        except TooMuchWorkError:
            self._plain = None
            return None

    def save(self) -> None:
        """Write the totals to the cache on disk."""
        if self._cache:
            self._cache.save()

    @property
    def _no_limit(self) -> int:
        """A limit above all totals, with any prior."""
        return self.game.facts.no_limit

    @contextmanager
    def _search(self) -> Iterator[CostToGo | WeightedSearch | HardCostToGo]:
        """Lend a search that no other thread uses."""
        try:
            search = self._idle.pop()
        except IndexError:
            search = self._new_search(self.game.with_table())
        try:
            yield search
        finally:
            self._idle.append(search)

    def _new_search(self, game: TableGame) -> CostToGo | WeightedSearch | HardCostToGo:
        """Return a search for the game's prior, if any, and the guess pool."""
        if self.guess_pool == "hard":
            return HardCostToGo(game, seconds=self._seconds)
        pool = _without_moves(self.guess_pool)
        return cost_to_go_of(game, self._memo_mib, self._lookups, self._seconds, pool)

    def _pool(self, history: Sequence[int]) -> Indices:
        """Return one guess of each class of guesses that are equivalent after a history."""
        key = tuple(history)
        if key not in self._pools:
            self._pools[key] = class_representatives(self.game, key)
        return self._pools[key]

    def _solve_on_demand(self, members: Indices) -> tuple[int, int]:
        """Return a small set's minimum total and best guess, in a game without a table.

        Raises `CodebreakerError` for a large set, or if the search gives up.
        """
        assert self._endgames
        name = self.game.name
        if len(members) > LARGEST_ENDGAME:
            raise CodebreakerError(
                f"{name} has no table: exact search is limited to {LARGEST_ENDGAME} candidates, "
                f"and {len(members):,} are left",
                setting="exact",
            )
        guess, total = self._endgames.solve(members)
        if total == UNSOLVED:
            raise CodebreakerError(
                f"exact search of these {len(members)} candidates of {name} takes too long",
                setting="exact",
            )
        return total, guess


class PolicyValues:
    """The totals of a strategy from any set."""

    is_exact = False

    def __init__(self, game: GameModel, strategy: Strategy) -> None:
        """Prepare to play a strategy, with its endgames."""
        self.game = game
        self.strategy = strategy
        self.name = strategy.slug
        self.guess_pool: AnyPool = strategy.guess_pool or "all"
        self._endgames = endgames_of(game, strategy)

    def root(self) -> int:
        """Return the strategy's total over all secrets."""
        start = start_in(self.game, self.guess_pool)
        return int(self.totals(start, np.empty((1, 0), np.int32))[0])

    def totals(self, frontier: Frontier, histories: Indices) -> Totals:
        """Return the strategy's total from each node on, (n_nodes,) int64."""
        return forest_totals(self.game, self.strategy, frontier, endgames=self._endgames)


def _report(what: str, done: int, total: int, members: Indices) -> None:
    """Report progress with large sets; others take no time."""
    if len(members) > SYMMETRY_PAYS:
        report_progress(f"optimal play: {done + 1:,} of {total:,} {what}", done + 1, total)


Values = OptimalValues | PolicyValues


def _without_moves(pool: AnyPool) -> GuessPool:
    """Return a pool that depends on the candidates alone, as searches of sets need."""
    assert pool != "hard", "hard mode has a search of its own"
    return pool


def _mass(game: GameModel, members: Indices) -> int:
    """Return the sum of candidates' weights: without a prior, their number."""
    return len(members) if game.prior is None else int(game.prior[members].sum())


class GuessTotals(NamedTuple):
    """The totals of moves, (n_moves,) int64, their unsolved parts, and each part's total."""

    with_guess: Totals
    parts: Frontier
    totals: Totals


def guess_totals(
    values: Values, nodes: Frontier, guesses: Indices, histories: Indices
) -> GuessTotals:
    """Return the totals with a guess at each node; `histories` (n_nodes, turn) end with it."""
    game = values.game
    members, offsets = nodes.sets
    parts = split(game, nodes, feedback_of_sets(game, nodes.sets, guesses))
    parts = with_narrowed_pools(game, nodes, guesses, parts)
    totals = values.totals(parts, histories[parts.parents])
    with_guess = nodes.sizes.astype(np.int64)
    if game.prior is not None:
        with_guess = np.add.reduceat(game.prior[members], offsets[:-1])
    np.add.at(with_guess, parts.parents, totals)
    return GuessTotals(with_guess, parts, totals)


@dataclass(frozen=True)
class GuessRegret:
    """Mean remaining guesses: the `minimum`, with the guess `best`, and with a given guess."""

    minimum: Fraction
    with_guess: Fraction
    best: int = field(compare=False)

    @property
    def mean(self) -> Fraction:
        """Return the regret."""
        return self.with_guess - self.minimum


def regret_of(
    values: OptimalValues, moves: Sequence[Move], members: Indices, guess: int
) -> GuessRegret:
    """Return a guess's regret after some moves, which leave `members`.

    Raises `CodebreakerError` if it takes too long, for a guess that the pool doesn't have, and for
    moves that hard mode forbids.
    """
    game = values.game
    members = members.astype(np.int32, copy=False)  # as the kernels need
    check_moves(game, values.guess_pool, moves)
    check_allowed(game, values.guess_pool, moves, guess)
    history = [before for before, _ in moves]
    if not game.has_table:
        values.total(members, history)  # raises for the whole set, not for a part of it
    allowed = allowed_after(game, moves) if values.guess_pool == "hard" else None
    node = Frontier.of_set(members, len(history) + 1, -1).with_pool(allowed)
    played = [*history, guess]
    last = np.array(played[-1:], np.int32)
    histories = np.array([played], np.int32)
    with_guess = int(guess_totals(values, node, last, histories).with_guess[0])
    n = _mass(game, members)
    minimum, best = values.best(members, history, with_guess, allowed)
    if with_guess <= minimum:
        minimum = with_guess
        best = guess
    return GuessRegret(Fraction(minimum, n), Fraction(with_guess, n), best)


class _TreeRegrets(NamedTuple):
    """By node, (n_nodes,) int32: minimum total, a guess with it, and total regret."""

    minimum: Indices
    best: Indices
    regret: Indices


def tree_regrets(tree: GameTree, optimal: GameTree, cost_to_go: CostToGo) -> _TreeRegrets:
    """Return the regrets of a tree's moves against an optimal tree."""
    game = cost_to_go.game
    minimum = [optimal.total_guesses]
    best = [int(optimal.guess[0])]
    second_guesses = class_representatives(game, tree.guess[:1].tolist())
    for frontier, _, _ in walk(game, tree):
        if frontier.turn == 1:
            continue
        pool = second_guesses if frontier.turn == 2 else None
        for members in np.split(frontier.sets.members, frontier.sets.offsets[1:-1]):
            total, guess = cost_to_go.best(members, pool)
            minimum.append(total)
            best.append(guess)
    lowest = np.array(minimum, dtype=np.int32)
    after = tree.n_candidates.astype(np.int32)
    np.add.at(after, tree.parent[1:], lowest[1:])
    return _TreeRegrets(lowest, np.array(best, dtype=np.int32), after - lowest)


def regrets_frame(name: str, tree: GameTree, regrets: _TreeRegrets) -> "pl.DataFrame":
    """Return one row per node of a tree."""
    import polars as pl

    return pl.DataFrame(
        {"tree": [name] * len(tree.guess), "turn": tree.turn} | regrets._asdict(),
        schema_overrides={"tree": pl.Categorical},
    )
