"""Where advice comes from: a recorded tree, exact search, or a policy.

Each source returns the tree that is played from a position on, or None where it has none.
"""

import logging
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

from codebreaker.advice.advice import Source
from codebreaker.constants import LARGEST_ENDGAME, SAMPLED
from codebreaker.errors import CodebreakerError
from codebreaker.games.model import GameModel, TableGame
from codebreaker.games.renaming import matches
from codebreaker.policies.strategy import Strategy, fixed_guesses, slug_in_words
from codebreaker.sets.hard import allowed_after
from codebreaker.sets.partition import split
from codebreaker.trees.tree import GameTree, children_of, is_tree_of, node_after, subtree
from codebreaker.types import AnyPool, Indices, Move

if TYPE_CHECKING:
    from codebreaker.trees.frontier import Frontier
    from codebreaker.trees.grow import PlaysEndgames

log = logging.getLogger("codebreaker")

LOOKUPS = 1 << 28
"""Maximum number of table look-ups to search a set by default, about a second."""

LOOKUPS_IN_TREES = 1 << 22
"""The same for each small set of a policy's tree, a few milliseconds."""

WEIGHTED_SETS = 1 << 16
HARD_SETS = 1 << 11
"""Maximum number of sets, with a prior and in hard mode, that are searched for one set by default,
about a second."""

MANY_PAIRS = 1 << 36
MOST_PAIRS = 1 << 42
"""Pairs of a guess and a candidate that take a minute and an hour to compare."""


@dataclass(frozen=True, eq=False)
class Position:
    """A game after some moves, with the candidates before the first and after each of them.

    In hard mode (`is_hard`) the moves limit the guesses, too.
    """

    game: GameModel
    moves: tuple[Move, ...]
    sets: tuple[Indices, ...]
    is_hard: bool

    @property
    def members(self) -> Indices:
        """The candidates, ascending."""
        return self.sets[-1]

    @property
    def turn(self) -> int:
        """The number of the next guess, from 1."""
        return len(self.sets)

    @cached_property
    def allowed(self) -> Indices | None:
        """The guesses that hard mode allows, None outside it."""
        return allowed_after(self.game, self.moves) if self.is_hard else None

    def before(self, n_moves: int) -> "Position":
        """Return the position after the first moves."""
        return replace(self, moves=self.moves[:n_moves], sets=self.sets[: n_moves + 1])

    @property
    def start(self) -> "Frontier":
        """The frontier that a tree grows from."""
        # Importing the kernels takes a second, and recorded trees don't need them.
        from codebreaker.trees.frontier import Frontier

        feedback = self.moves[-1][1] if self.moves else -1
        return Frontier.of_set(self.members, self.turn, feedback).with_pool(self.allowed)


class Plays(Protocol):
    """A source of advice: `source` is its kind, and `basis` says in words how it finds a guess."""

    source: Source
    basis: str
    kept_as: str
    """What its trees are cached as; empty for those that are found at once."""

    def tree(self, position: Position) -> GameTree | None:
        """Return the tree that is played from a position on, or None."""


class FollowedTree:
    """A tree that is played as it is, for moves that follow its guesses one by one."""

    source = Source.TREE
    kept_as = ""

    def __init__(self, tree: GameTree, basis: str) -> None:
        self.basis = basis
        self._tree = tree

    def tree(self, position: Position) -> GameTree | None:
        """Return the part of the tree that moves lead to, or None if they leave it."""
        if not is_tree_of(position.game, self._tree, position.sets[0]):
            return None
        node = node_after(self._tree, position.moves)
        return None if node is None else subtree(self._tree, node)


class RecordedTree:
    """A tree that is known, found under other names and orders of moves, too.

    With `only_first` it has the first guess alone.
    """

    source = Source.TREE
    kept_as = ""

    def __init__(self, tree: GameTree, basis: str, *, only_first: bool = False) -> None:
        self.basis = basis
        self._tree = tree
        self._only_first = only_first

    @cached_property
    def _children(self) -> list[dict[int, int]]:
        """By node: its children by feedback id."""
        return children_of(self._tree)

    def tree(self, position: Position) -> GameTree | None:
        """Return the part of the tree that moves lead to; of several the one with the lowest total.

        So the answer doesn't depend on names and on the order of moves.
        """
        game = position.game
        if not is_tree_of(game, self._tree, position.sets[0]):
            return None
        if not position.moves:
            return self._tree
        if self._only_first:
            return None
        found = [
            (subtree(self._tree, match.node), match.meaning)
            for match in matches(game, self._tree.guess, self._children, position.moves)
        ]
        if not found:
            return None
        part, meaning = min(found, key=lambda pair: (pair[0].total_guesses, pair[0].max_guesses))
        return replace(part, guess=meaning[part.guess])


class ExactSearch:
    """Optimal play from turn `first` on: of sets that take about a second, or of all sets.

    If it is `limited`, then by work and not by time, so that every machine gives the same answer.
    Small sets need no compiled code.
    """

    source = Source.SEARCH
    basis = "by exact search: no guess is better"
    kept_as = "search"

    def __init__(self, guess_pool: AnyPool, *, first: int = 1, limited: bool = True) -> None:
        self._pool = guess_pool
        self._first = first
        self._limited = limited

    def tree(self, position: Position) -> GameTree | None:
        """Return an optimal tree, or None if it takes too long."""
        game = position.game
        if position.turn < self._first:
            return None
        if not game.has_table:
            return self._without_table(position)
        if game.prior is not None and self._pool != "all":
            return None
        table = game.with_table()
        if self._pool == "all":
            small = self._plainly(table, position)
            if small is not None:
                return small
        if not self._limited and position.turn == 1 and game.prior is None:
            return self._solved(table)
        return self._compiled(table, position)

    def _plainly(self, game: TableGame, position: Position) -> GameTree | None:
        """Return a small set's tree without compiled code, or None if it takes too much work."""
        from codebreaker.search.small import SmallSearch, TooMuchWorkError, is_small
        from codebreaker.trees.small import grow_small

        if not is_small(game, position.members):
            return None
        search = SmallSearch(game)
        with suppress(TooMuchWorkError):
            search.best(position.members, [guess for guess, _ in position.moves])
            return grow_small(
                game,
                position.start,
                lambda node: np.array([search.best(node.sets.members).guess]),
            )
        return None

    def _solved(self, game: TableGame) -> GameTree:
        """Return an optimal tree of the game, however long it takes."""
        from codebreaker.search.small_games import solve_small
        from codebreaker.search.solver import Solver

        small = solve_small(game)
        solution = Solver(game).solve() if small is None else small.solution
        assert solution is not None, "a search without a limit finds a tree"
        return solution.tree

    def _compiled(self, game: TableGame, position: Position) -> GameTree | None:
        """Return a set's tree, or None if its search is limited and takes longer."""
        from codebreaker.search.endgames import ExactPlay
        from codebreaker.trees.grow import grow

        # Each guess is compared with each candidate at least once.
        if self._limited and len(position.members) * game.n_guesses > LOOKUPS:
            return None
        exact = ExactPlay(
            game,
            0,
            position.turn,
            self._pool,
            _work_in(game, self._pool) if self._limited else None,
        )
        strategy = Strategy("entropy", guess_pool=self._pool)  # which no set needs
        try:
            return grow(game, strategy, start=position.start, endgames=exact)
        except CodebreakerError:
            if not self._limited:
                raise
        return None

    def _without_table(self, position: Position) -> GameTree | None:
        """Return a small set's tree in a game without a table, or None if it takes too long."""
        from codebreaker.search.endgames import UNSOLVED, Endgames
        from codebreaker.trees.grow import grow

        if len(position.members) > LARGEST_ENDGAME or self._pool == "hard":
            return None
        game = position.game
        endgames = Endgames(game.on_demand(), LARGEST_ENDGAME, self._pool)
        if endgames.solve(position.members)[0] == UNSOLVED:
            return None
        strategy = Strategy("entropy", guess_pool=self._pool)
        return grow(game, strategy, start=position.start, endgames=endgames)


def _work_in(game: TableGame, pool: AnyPool, lookups: int = LOOKUPS) -> int:
    """Return the work for one set: look-ups or, with a prior or in hard mode, sets."""
    if pool == "hard":
        return HARD_SETS * lookups // LOOKUPS
    return lookups if game.prior is None else WEIGHTED_SETS * lookups // LOOKUPS


class ByPolicy:
    """A strategy's own play; `eased`, without endgames that take too long."""

    source = Source.POLICY

    def __init__(self, strategy: Strategy, *, eased: bool = False) -> None:
        self.strategy = strategy
        self._eased = eased
        self.kept_as = "eased policy" if eased else "policy"
        policy, settings = slug_in_words(strategy.slug)
        self.basis = f"by {policy}{', ' * bool(settings)}{settings}"

    def tree(self, position: Position) -> GameTree:
        """Return the strategy's tree; raise `CodebreakerError` if it would take hours."""
        from codebreaker.search.endgames import endgames_of
        from codebreaker.trees.grow import grow

        game = position.game
        strategy = self.strategy
        if not game.has_table:
            _check_work(game, strategy, position.members, position.turn)
        if self._eased or not strategy.plays_exactly or game.prior is not None:
            small = self._plainly(position)
            if small is not None:
                return small
        endgames = self._eased_endgames(game) if self._eased else endgames_of(game, strategy)
        return grow(game, strategy, start=position.start, endgames=endgames)

    def _eased_endgames(self, game: GameModel) -> "PlaysEndgames | None":
        """Return what plays small sets, unless they take too long."""
        from codebreaker.search.endgames import Endgames, ExactPlay

        strategy = self.strategy
        pool = strategy.guess_pool or "all"
        if not game.has_table:
            return Endgames(game.on_demand(), strategy.endgames, strategy.pool)
        table = game.with_table()
        work = _work_in(table, pool, LOOKUPS_IN_TREES)
        return ExactPlay(table, strategy.endgames, None, pool, work, gives_up=True)

    def _plainly(self, position: Position) -> GameTree | None:
        """Return the policy's tree if it can be grown without compiled code, else None."""
        from codebreaker.search.small import SmallSearch, TooMuchWorkError
        from codebreaker.trees.grow import choose, fixed_at
        from codebreaker.trees.small import grow_small, is_small

        game = position.game
        strategy = self.strategy
        can_be_scored = strategy.is_single_score and strategy.exact_from is None
        if not can_be_scored or not is_small(game, position.members):
            return None
        if strategy.endgames and strategy.guess_pool != "all":
            return None  # `SmallSearch` tries all guesses
        search = SmallSearch(game.with_table())
        by_score = replace(strategy, endgames=0)

        def play(node: "Frontier") -> Indices:
            """Return the guess at a set: fixed, optimal in endgames, or by score."""
            members = node.sets.members
            is_free = node.turn > 1 and fixed_at(game, strategy, node)[0] < 0
            if is_free and 1 < len(members) <= strategy.endgames:
                return np.array([search.best(members).guess])
            return choose(game, by_score, node, backend="numpy")

        with suppress(TooMuchWorkError):
            return grow_small(game, position.start, play)
        return None


def _check_work(game: GameModel, strategy: Strategy, members: Indices, turn: int) -> None:
    """Raise `CodebreakerError` if a strategy's next choice takes hours, and warn of minutes."""
    sets = [members]
    opening = strategy.forced_opening
    fixed = [] if opening is None else fixed_guesses(opening, game.guesses)
    for label in fixed[turn - 1 :]:
        guess = game.guesses.index(label)
        sets = [cell for members in sets for cell in split(game, guess, members).values()]
    pairs = sum(len(cell) * _compared(game, strategy, len(cell)) for cell in sets)
    n = max(map(len, sets))
    work = (
        f"{game.name} has no table: to compare {_compared(game, strategy, n):,} guesses for "
        f"{n:,} candidates takes"
    )
    if pairs >= MOST_PAIRS:
        raise CodebreakerError(
            f"{work} hours: add moves, choose a smaller game, or play by policy {SAMPLED!r}"
        )
    if pairs > MANY_PAIRS:
        log.warning("%s minutes", work)


def _compared(game: GameModel, strategy: Strategy, n_candidates: int) -> int:
    """Return how many guesses a strategy compares for a set."""
    # Importing the kernels takes a second, and cached trees don't need them.
    from codebreaker.sets.codes import TILE

    if strategy.guess_pool != "consistent":
        return len(game.guesses)
    # Where all scores are equal, the first tile of candidates decides.
    equal = strategy.weights is None and strategy.criterion.scores_are_equal
    return min(n_candidates, TILE) if equal else n_candidates
