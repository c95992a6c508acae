"""The next guess of a game in progress, by the first source of advice that has one.

`resolve` says which sources a name, a tree or a game's default has.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from codebreaker.advice.advice import MOST_SHOWN, Advice, Outlook
from codebreaker.advice.cached import TreeCache
from codebreaker.advice.pools import check_allowed
from codebreaker.advice.slips import impossible_marks, tell_slips
from codebreaker.advice.sources import Plays, Position
from codebreaker.errors import CodebreakerError
from codebreaker.games.model import GameModel, probabilities_of
from codebreaker.games.notation import Notation
from codebreaker.games.renaming import canonical
from codebreaker.policies.strategy import Strategy
from codebreaker.sampling.interval import exactly
from codebreaker.trees.tree import GameTree, is_tree_of, node_after, subtree
from codebreaker.types import AnyPool, Indices, Move


class Assistant:
    """Suggests guesses after any history of moves, from a tree or a list of all candidates.

    `strategy` is what plays, under the name of the record of its trees. The player obeys
    `guess_pool`. With `is_fair` the advice doesn't depend on the names of colours, nor on the
    order of positions and moves: the sources are asked for a history's canonical form. A policy
    that is named breaks ties by names, as it says.
    """

    def __init__(
        self,
        notation: Notation,
        strategy: Strategy,
        sources: Sequence[Plays],
        *,
        name: str,
        guess_pool: AnyPool,
        cache: TreeCache | None = None,
        is_fair: bool = False,
    ) -> None:
        """Prepare to play by the first of the sources that has a tree."""
        self.notation = notation
        self.game = notation.game
        self.strategy = strategy
        self.name = name
        self.guess_pool: AnyPool = guess_pool
        self.grown_by: Strategy | None = None
        """The strategy that alone grows the trees, without exact search, if that is so."""

        self._sources = sources
        self._cache = cache
        self._is_fair = is_fair

    def candidates(self, moves: Sequence[Move]) -> tuple[Indices, ...]:
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
                raise CodebreakerError(
                    f"{move}: no secret fits this{_why(notation, moves[:number])}"
                )
            sets.append(left)
        return tuple(sets)

    def check_moves(self, moves: Sequence[Move]) -> None:
        """Raise `CodebreakerError` for moves as `candidates` does."""
        self.candidates(moves)

    def check_guess(self, moves: Sequence[Move], guess: int) -> None:
        """Raise `CodebreakerError` for a guess that the pool doesn't have."""
        check_allowed(self.game, self.guess_pool, moves, guess)

    def suggest(self, moves: Sequence[Move]) -> Advice:
        """Return the guess after moves that have not solved the game."""
        game = self.game
        left = self.candidates(moves)[-1]
        tree, source = self._played(moves)
        guess = int(tree.guess[0])
        label = game.guesses[guess]
        expected = Fraction(tree.total_guesses, len(left))
        if game.prior is not None:
            # Importing the kernels takes a second, and other games don't need them.
            from codebreaker.trees.grow import expected_guesses

            expected = expected_guesses(game, tree, left)
        sizes = np.bincount(game.feedback(guess, left))
        return Advice(
            moves=tuple(moves),
            guess=guess,
            is_candidate=any(game.secrets[secret] == label for secret in left),
            source=source.source,
            basis=source.basis,
            number=exactly(len(left)),
            left=exactly(float(sizes @ sizes) / len(left)),
            some_candidates=tuple(game.secrets[secret] for secret in left[:MOST_SHOWN]),
            outlook=Outlook(left, tree, expected),
        )

    def tree(self) -> GameTree:
        """Return the whole tree."""
        tree, _ = self._played(())
        return tree

    def _played(self, moves: Sequence[Move]) -> tuple[GameTree, Plays]:
        """Return what is played after moves, and the source that has it."""
        if not self._is_fair:
            return self._asked(moves)
        asked = canonical(self.game, moves)
        tree, source = self._asked(asked.moves)
        return replace(tree, guess=asked.meaning[tree.guess]), source

    def _asked(self, moves: Sequence[Move]) -> tuple[GameTree, Plays]:
        """Return the tree of the first source that has one, from the cache if possible."""
        position = Position(
            self.game, tuple(moves), self.candidates(moves), is_hard=self.guess_pool == "hard"
        )
        # 1. Trees that are known. They precede all other sources.
        known = [source for source in self._sources if not source.kept_as]
        computing = [source for source in self._sources if source.kept_as]
        for source in known:
            tree = source.tree(position)
            if tree is not None:
                return tree, source
        # 2. A tree that was computed before, by the first source that had one.
        if self._cache is not None:
            for source in computing:
                tree = self._cached(self._cache, position, source)
                if tree is not None:
                    return tree, source
        # 3. A new tree.
        for source in computing:
            tree = source.tree(position)
            if tree is not None:
                if self._cache is not None:
                    self._cache.put(_key(self._cache, position, source), tree)
                return tree, source
        raise CodebreakerError(
            f"{self._leaving(position)}, leaves the tree {self.name!r}: name another policy, or "
            "none for the best known one"
        )

    def _leaving(self, position: Position) -> str:
        """Return the move by which moves leave all trees: all before it lead to a node."""
        number = len(position.moves)
        while not any(source.tree(position.before(number - 1)) for source in self._sources):
            number -= 1
        return f"move {number}, {self.notation.text(position.moves[number - 1])}"

    def _cached(self, cache: TreeCache, position: Position, source: Plays) -> GameTree | None:
        """Return a source's cached tree from a position on.

        A named policy plays the part of an earlier set's tree that the moves since then lead to.
        """
        tree = cache.get(_key(cache, position, source))
        if tree is not None:
            return tree if is_tree_of(self.game, tree, position.members) else None
        if len(self._sources) > 1:
            return None
        for n_moves in range(len(position.moves) - 1, -1, -1):
            before = position.before(n_moves)
            tree = cache.get(_key(cache, before, source))
            if tree is None or not is_tree_of(self.game, tree, before.members):
                continue
            node = node_after(tree, position.moves[n_moves:])
            if node is not None:
                return subtree(tree, node)
        return None


def _key(cache: TreeCache, position: Position, source: Plays) -> str:
    """Return the key of a position's tree, which depends on the allowed guesses, too."""
    # In hard mode the allowed guesses follow the members after a −1.
    pool = [] if position.allowed is None else [np.array([-1]), position.allowed]
    depends_on = np.concatenate([position.members, *pool]).astype(np.int32)
    last = position.moves[-1][1] if position.moves else -1
    return cache.key(depends_on, position.turn, last, source.kept_as)


def _why(notation: Notation, moves: Sequence[Move]) -> str:
    """Return why no secret fits the last of some moves, in words that end a message."""
    impossible = impossible_marks(notation, moves[-1])
    if len(moves) == 1:
        return f": {impossible}" * bool(impossible)
    slips = tell_slips(notation, moves)
    return f" and the moves before it: {f'{impossible}; ' * bool(impossible)}{slips}"


def likeliest(game: GameModel, candidates: Indices) -> tuple[Indices, list[Fraction] | None]:
    """Return candidates and probabilities, the likeliest first; without a prior in order."""
    weights = game.prior
    if weights is None:
        return candidates, None
    ordered = candidates[np.argsort(-weights[candidates], kind="stable")]
    return ordered, probabilities_of(game, ordered)
