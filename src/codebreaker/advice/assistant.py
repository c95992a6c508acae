"""The next guess of a game in progress, likely wrong answers, and a devious codemaker.

By default the best known tree is played. Once moves leave it, a set is played optimally if it can
be searched in about a second, and otherwise by the game's default policy. With a prior, small sets
are played optimally, others by entropy.
"""

import logging
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from codebreaker.advice.cached import TreeCache, best_known_tree, recorded_tree
from codebreaker.advice.pools import check_allowed, check_pool
from codebreaker.constants import BEST_KNOWN, LARGEST_ENDGAME, NO_LIMIT, OPTIMAL, SAMPLED
from codebreaker.errors import CodebreakerError, counted
from codebreaker.games.model import GameModel, TableGame, probabilities_of
from codebreaker.games.notation import Notation
from codebreaker.policies.registry import default_of
from codebreaker.policies.strategy import Strategy, check_fits, check_opening
from codebreaker.sets.hard import allowed_after
from codebreaker.sets.partition import split
from codebreaker.trees.tree import GameTree, is_tree_of, node_after, subtree
from codebreaker.types import AnyPool, Indices, Move, TieBreak

if TYPE_CHECKING:
    from codebreaker.trees.frontier import Frontier

MANY_PAIRS = 1 << 36
MOST_PAIRS = 1 << 42
"""Pairs of a guess and a candidate that take a minute and an hour to compare."""

LOOKUPS_AT_ONCE = 1 << 28
"""Maximum number of table look-ups to search a set by default, about a second."""

log = logging.getLogger("codebreaker")

MOST_SLIPS = 3
"""Maximum number of possible slips in a message."""

LARGEST = 12
"""Maximum size of parts that are compared by minimum means, instead of by their sizes."""

LOOKUPS = 1 << 26
MEMO_MIB = 16.0
"""Table look-ups per part, and memory, for one devious answer of exact search."""

DEVIOUS_WORK = 1 << 23
"""Pairs of a guess and a candidate that are compared for one devious answer, about 0.3 s."""

ENDGAMES = 12
"""Maximum size of the sets that are played optimally by default with a prior, and by judges."""


def assistant_for(
    notation: Notation,
    policy: str | None = None,
    opening: str | None = None,
    guess_pool: AnyPool | None = None,
    tie_break: TieBreak | None = None,
    endgames: int = 0,
    *,
    cached: bool = False,
) -> "Assistant":
    """Return an assistant that plays a policy, by default the best known tree of the game.

    `best-known` and `optimal` are policies, too. Raises `CodebreakerError` if the policy doesn't
    fit the game.
    """
    game = notation.game
    settings = (opening, guess_pool, tie_break)
    has_settings = endgames != 0 or any(value is not None for value in settings)
    if policy in (BEST_KNOWN, OPTIMAL):
        check_no_settings(policy, [*settings, endgames or None])
        if policy == OPTIMAL and not game.has_table:
            raise CodebreakerError(f"{game.name} has no table to search: choose another policy")
    elif policy is not None or has_settings:
        strategy = strategy_for(notation, policy, opening, guess_pool, tie_break, endgames)
        cache = TreeCache(game, strategy) if cached else None
        return Assistant(notation, strategy, cache, guess_pool=guess_pool)
    record, found_by = best_known_tree(game) or (None, "")
    if policy == BEST_KNOWN and record is None:
        raise CodebreakerError(f"no tree of {game.name} is recorded: choose another policy")
    if policy == OPTIMAL and found_by != OPTIMAL:
        record = None
    strategy = strategy_for(notation)
    name = policy or (BEST_KNOWN if record else "")
    if policy is None and game.prior is not None:
        # There is no recorded tree, but small sets are played optimally as off such a tree.
        name = OPTIMAL if game.n_secrets <= ENDGAMES else ""
        strategy = replace(strategy, endgames=ENDGAMES)
    cache = TreeCache(game, strategy, name=name) if cached else None
    return Assistant(notation, strategy, cache, name=name, record=record)


def role_of(is_candidate: bool) -> str:
    """Return whether a guess may be the secret, in words."""
    return "may be the secret" if is_candidate else "can't be the secret"


def check_no_settings(policy: str, settings: Iterable[object]) -> None:
    """Raise `CodebreakerError` if a tree, which has no settings, is given some."""
    if any(value is not None for value in settings):
        raise CodebreakerError(f"policy {policy!r} has no settings: leave them out")


def assistant_of_tree(notation: Notation, tree: GameTree, name: str) -> "Assistant":
    """Return an assistant that plays a tree of the game, and plays as `best-known` off it."""
    return Assistant(notation, strategy_for(notation), name=name, record=tree)


def strategy_for(
    notation: Notation,
    policy: str | None = None,
    opening: str | None = None,
    guess_pool: AnyPool | None = None,
    tie_break: TieBreak | None = None,
    endgames: int = 0,
    exact_from: int | None = None,
) -> Strategy:
    """Return a strategy, by default the game's; raise `CodebreakerError` if it doesn't fit."""
    game = notation.game
    if policy is None:
        policy, best_opening = default_of(game)
        opening = best_opening if opening is None else opening
    if opening is not None:
        opening = game.guesses[notation.guess(opening)]
    strategy = Strategy(policy, opening, guess_pool, tie_break, endgames, exact_from)
    check_fits(strategy, game.name, game.feedback_labels)
    check_pool(game, strategy.guess_pool or "all")
    if strategy.opening is not None:
        is_secret = strategy.opening in game.secrets
        check_opening(strategy.opening, strategy.guess_pool, game.name, is_secret)
    return strategy


@dataclass(frozen=True, eq=False)
class Advice:
    """A policy's guess after some moves, and its tree; `expected_guesses` includes this guess.

    `candidates` are indices of `secrets`, the labels of all.
    """

    moves: tuple[Move, ...]
    guess: int
    is_candidate: bool
    candidates: Indices
    tree: GameTree
    expected_guesses: Fraction
    secrets: Sequence[str]

    @property
    def most_guesses(self) -> int:
        """Return the maximum number of remaining guesses, including this one."""
        return len(self.tree.profile)

    @property
    def n_candidates(self) -> int:
        """Return the number of candidates."""
        return len(self.candidates)

    @property
    def number_in_words(self) -> str:
        """Return the number of candidates as text."""
        return f"{self.n_candidates:,}"

    @property
    def candidates_in_words(self) -> str:
        """Return how many candidates there are, as text."""
        n = self.n_candidates
        return "the only candidate" if n == 1 else f"{n:,} candidates"

    def examples(self, limit: int) -> list[str]:
        """Return the labels of the first candidates, at most `limit`."""
        return [self.secrets[secret] for secret in self.candidates[:limit]]


class Assistant:
    """Suggests a strategy's guesses in a game, after any history of moves.

    Named `best-known`, it plays the tree `record`, and sets outside the tree optimally if a second
    is enough to search them, otherwise by `strategy`. Named `optimal`, it plays all sets optimally.
    The player obeys `guess_pool`, by default that of the strategy if this is hard mode, else `all`.
    """

    def __init__(
        self,
        notation: Notation,
        strategy: Strategy,
        cache: TreeCache | None = None,
        *,
        name: str = "",
        record: GameTree | None = None,
        guess_pool: AnyPool | None = None,
    ) -> None:
        """Prepare to play a strategy; the settings are those of the class."""
        self.notation = notation
        self.game = notation.game
        self.strategy = strategy
        self.name = name or strategy.slug
        own_pool: AnyPool = "hard" if strategy.guess_pool == "hard" else "all"
        self.guess_pool: AnyPool = guess_pool or own_pool
        self._cache = cache
        self._record = record

    def candidates(self, moves: Sequence[Move]) -> list[Indices]:
        """Return the candidates before the first move and after each, as indices of secrets.

        Raises `CodebreakerError` if a move leaves no candidate, or follows the winning one.
        """
        game = self.game
        notation = self.notation
        sets = [np.arange(game.n_secrets, dtype=np.int32)]
        for number, (guess, feedback) in enumerate(moves, start=1):
            move = f"move {number}, {notation.text((guess, feedback))}"
            if self.guess_pool == "hard":  # which depends on all moves, and not only the last set
                self.check_guess(moves[: number - 1], guess)
            if number > 1 and moves[number - 2][1] == game.solved:
                raise CodebreakerError(f"{move}: move {number - 1} already found the secret")
            left = sets[-1][game.feedback(guess, sets[-1]) == feedback]
            if not len(left):
                slip = tell_slips(notation, moves[:number])
                before = f" and the moves before it: {slip}" if number > 1 else ""
                raise CodebreakerError(f"{move}: no secret fits this{before}")
            sets.append(left)
        return sets

    def check_moves(self, moves: Sequence[Move]) -> None:
        """Raise `CodebreakerError` for moves as `candidates` does."""
        self.candidates(moves)

    def check_guess(self, moves: Sequence[Move], guess: int) -> None:
        """Raise `CodebreakerError` for a guess that the pool doesn't have."""
        check_allowed(self.game, self.guess_pool, moves, guess)

    def suggest(self, moves: Sequence[Move]) -> Advice:
        """Return the policy's guess after moves that have not solved the game."""
        candidates = self.candidates(moves)
        tree = self._tree(list(moves), candidates)
        guess = int(tree.guess[0])
        left = candidates[-1]
        label = self.game.guesses[guess]
        is_candidate = any(self.game.secrets[secret] == label for secret in left)
        expected = Fraction(tree.total_guesses, len(left))
        if self.game.prior is not None:
            # Importing the kernels takes a second, and other games don't need them.
            from codebreaker.trees.grow import expected_guesses

            expected = expected_guesses(self.game, tree, left)
        secrets = self.game.secrets
        return Advice(tuple(moves), guess, is_candidate, left, tree, expected, secrets)

    def likeliest(self, candidates: Indices) -> tuple[Indices, list[Fraction] | None]:
        """Return candidates and probabilities, the likeliest first; without a prior in order."""
        weights = self.game.prior
        if weights is None:
            return candidates, None
        ordered = candidates[np.argsort(-weights[candidates], kind="stable")]
        return ordered, probabilities_of(self.game, ordered)

    def _tree(self, moves: list[Move], candidates: list[Indices]) -> GameTree:
        """Return the tree from the last set, as part of a cached tree if the moves follow one."""
        # 1. The recorded tree, if the moves follow it.
        if self._record is not None and is_tree_of(self.game, self._record, candidates[0]):
            node = node_after(self._record, moves)
            if node is not None:
                return subtree(self._record, node)
        previous = [-1, *(feedback for _, feedback in moves)]
        if self._cache is None:
            return self._grown(candidates[-1], moves)
        # 2. The key of each set so far. In hard mode a tree depends on the allowed guesses, too,
        #    which follow the members after a −1.
        keys = list[str]()
        hard = self.strategy.guess_pool == "hard"
        for turn, (members, feedback) in enumerate(zip(candidates, previous, strict=True), 1):
            pool = [[-1], allowed_after(self.game, moves[: turn - 1])] if hard else []
            depends_on = np.concatenate([members, *pool]).astype(np.int32)
            keys.append(self._cache.key(depends_on, turn, feedback))
        # 3. A cached tree from the last set, or from an earlier one that the later moves follow.
        for n_moves in range(len(moves), -1, -1):
            tree = self._cache.get(keys[n_moves])
            if tree is None and n_moves == 0 and not self.name:
                # `best-known` and `optimal` have the default policy, but don't play it.
                tree = recorded_tree(self.game, self.strategy)
            if tree is None or not is_tree_of(self.game, tree, candidates[n_moves]):
                continue
            node = node_after(tree, moves[n_moves:])
            if node is not None:
                return subtree(tree, node)
        # 4. A new tree from the last set.
        grown = self._grown(candidates[-1], moves)
        self._cache.put(keys[-1], grown)
        return grown

    def _grown(self, members: Indices, moves: list[Move]) -> GameTree:
        """Return the tree from a set that moves left: searched, without compiled code, or grown.

        Raises `CodebreakerError` if it would take hours.
        """
        # Importing the kernels takes a second, and cached trees don't need them.
        from codebreaker.search.endgames import Endgames, endgames_of
        from codebreaker.trees.frontier import Frontier
        from codebreaker.trees.grow import grow

        turn = len(moves) + 1
        if not self.game.has_table:
            _check_work(self.game, self.strategy, members, turn)
        if self.name == OPTIMAL and turn == 1 and self.game.prior is None:
            return self._solved()
        start = Frontier.of_set(members, turn, moves[-1][1] if moves else -1)
        if self.strategy.guess_pool == "hard":
            start = start.with_pool(allowed_after(self.game, moves))
        if self.game.has_table and self.name in (BEST_KNOWN, OPTIMAL):
            searched = self._searched(self.game.with_table(), start, moves)
            if searched is not None:
                return searched
        # Endgames with a prior need not be those of `grow`, which breaks ties in its own order.
        if self.game.prior is not None or not self.strategy.plays_exactly:
            small = self._small_tree(start)
            if small is not None:
                return small
        endgames = endgames_of(self.game, self.strategy)
        few = self.name == BEST_KNOWN and len(members) <= LARGEST_ENDGAME
        if few and not self.game.has_table:
            endgames = Endgames(self.game.on_demand(), LARGEST_ENDGAME)
        return grow(self.game, self.strategy, start=start, endgames=endgames)

    def _small_tree(self, start: "Frontier") -> GameTree | None:
        """Return the policy's tree if it can be grown without compiled code, else None."""
        from codebreaker.search.small import SmallSearch, TooMuchWorkError
        from codebreaker.trees.grow import choose
        from codebreaker.trees.small import grow_small, is_small

        game = self.game
        strategy = self.strategy
        can_be_scored = strategy.is_single_score and strategy.exact_from is None
        if not can_be_scored or not is_small(game, start.sets.members):
            return None
        if strategy.endgames and strategy.guess_pool != "all":
            return None  # `SmallSearch` tries all guesses
        search = SmallSearch(game.with_table())
        by_score = replace(strategy, endgames=0)

        def play(node: "Frontier") -> Indices:
            """Return the guess at a set: optimal in endgames, otherwise by score."""
            members = node.sets.members
            if node.turn > 1 and 1 < len(members) <= strategy.endgames:
                return np.array([search.best(members).guess])
            return choose(game, by_score, node, backend="numpy")

        with suppress(TooMuchWorkError):
            return grow_small(game, start, play)
        return None

    def _solved(self) -> GameTree:
        """Return an optimal tree of the game."""
        from codebreaker.search.small_games import solve_small
        from codebreaker.search.solver import Solver

        game = self.game.with_table()
        small = solve_small(game)
        solution = Solver(game).solve() if small is None else small.solution
        assert solution is not None, "a search without a limit finds a tree"
        return solution.tree

    def _searched(self, game: TableGame, start: "Frontier", moves: list[Move]) -> GameTree | None:
        """Return an optimal tree, or None if it takes too long."""
        from codebreaker.search.endgames import ExactPlay
        from codebreaker.search.small import SmallSearch, TooMuchWorkError, is_small
        from codebreaker.trees.grow import grow
        from codebreaker.trees.small import grow_small

        members = start.sets.members
        if is_small(game, members):
            search = SmallSearch(game)
            with suppress(TooMuchWorkError):
                search.best(members, [guess for guess, _ in moves])
                return grow_small(
                    game, start, lambda node: np.array([search.best(node.sets.members).guess])
                )
        lookups = NO_LIMIT if self.name == OPTIMAL else LOOKUPS_AT_ONCE
        exact = ExactPlay(game, 0, start.turn, lookups=lookups)
        try:
            return grow(game, self.strategy, start=start, endgames=exact)
        except CodebreakerError:
            if lookups == NO_LIMIT:
                raise
        return None


def _check_work(game: GameModel, strategy: Strategy, members: Indices, turn: int) -> None:
    """Raise `CodebreakerError` if a strategy's next choice takes hours, and warn of minutes."""
    sets = [members]
    if turn == 1 and strategy.forced_opening is not None:
        sets = [*split(game, game.guesses.index(strategy.forced_opening), members).values()]
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


class _Slip(NamedTuple):
    """Another answer to move `number`, and how many secrets fit it and all other moves."""

    number: int
    feedback: int
    secrets: int


def slips(game: GameModel, moves: Sequence[Move]) -> list[_Slip]:
    """Return single answers that would resolve a contradiction: most secrets, then later moves."""
    every = np.arange(game.n_secrets, dtype=np.int32)
    possible_slips = list[_Slip]()
    fits = np.array([game.feedback(guess, every) == feedback for guess, feedback in moves])
    for number, (guess, feedback) in enumerate(moves, start=1):
        left = every[np.delete(fits, number - 1, axis=0).all(axis=0)]
        counts = np.bincount(game.feedback(guess, left), minlength=len(game.feedback_labels))
        possible_slips += [
            _Slip(number, other, int(counts[other]))
            for other in np.flatnonzero(counts).tolist()
            if other != feedback
        ]
    return sorted(possible_slips, key=lambda slip: (-slip.secrets, -slip.number, slip.feedback))


def tell_slips(notation: Notation, moves: Sequence[Move]) -> str:
    """Return which single answer may be wrong, in words that end a message."""
    possible_slips = slips(notation.game, moves)
    if not possible_slips:
        return "more than one of them is wrong"
    changes = [
        (number, feedback, counted(secrets, "secret"))
        for number, feedback, secrets in possible_slips[:MOST_SLIPS]
    ]
    return changes_in_words(notation, moves, changes)


def changes_in_words(
    notation: Notation, moves: Sequence[Move], changes: Iterable[tuple[int, int, str]]
) -> str:
    """Return words that end a message: which moves' answers to change.

    A change is the move's number, its other feedback, and in words the secrets that this leaves.
    """
    texts = list[str]()
    for number, feedback, secrets in changes:
        guess, _ = moves[number - 1]
        texts.append(f"move {number} to {notation.text((guess, feedback))} ({secrets} left)")
    return f"change {', or '.join(texts)}"


def devious_answer(
    game: GameModel, moves: Sequence[Move], guess: int, guess_pool: AnyPool = "all"
) -> int:
    """Return a devious codemaker's answer, which confirms a guess only if it must.

    Small parts are compared by minimum mean with guesses from the pool, others by size.
    """
    members = np.arange(game.n_secrets, dtype=np.int32)
    for before, feedback in moves:
        members = members[game.feedback(before, members) == feedback]
    parts = split(game, guess, members)
    if len(parts) == 1:
        return next(iter(parts))
    parts.pop(game.solved, None)
    means = dict.fromkeys(parts, 0.0)
    if max(map(len, parts.values())) <= LARGEST:
        # Without a secret, all candidates are equally likely.
        equal = game if game.prior is None else replace(game, prior=None)
        with suppress(CodebreakerError):  # it takes too long
            means = _minimum_means(equal, parts, [*moves], guess, guess_pool)
    return max(parts, key=lambda feedback: (means[feedback], len(parts[feedback]), -feedback))


def _minimum_means(
    game: GameModel,
    parts: dict[int, Indices],
    moves: list[Move],
    guess: int,
    guess_pool: AnyPool,
) -> dict[int, float]:
    """Return the mean guesses of optimal play in small parts after a guess, by feedback id."""
    if game.has_table and guess_pool == "all":
        from codebreaker.search.small import SmallSearch

        search = SmallSearch(game.with_table(), DEVIOUS_WORK)
        return {feedback: search.best(part).total / len(part) for feedback, part in parts.items()}
    # Importing the kernels takes a second, and large parts don't need them.
    from codebreaker.advice.regret import OptimalValues

    values = OptimalValues(game, LOOKUPS, memo_mib=MEMO_MIB, guess_pool=guess_pool)
    is_hard = guess_pool == "hard"
    means = dict[int, float]()
    for feedback, part in parts.items():
        allowed = allowed_after(game, [*moves, (guess, feedback)]) if is_hard else None
        means[feedback] = values.total(part, None, allowed) / len(part)
    return means
