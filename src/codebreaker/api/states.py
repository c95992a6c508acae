"""Positions in a game: the moves so far, the candidates left, and what to play next."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from codebreaker.advice.markup import table_html
from codebreaker.api.games import Game
from codebreaker.api.games import game as game_called
from codebreaker.api.numbers import Exact
from codebreaker.errors import CodebreakerError, counted, quoted
from codebreaker.games.model import probabilities_of
from codebreaker.games.reading import (
    Given,
    MoveReader,
    feedback_text,
    given_moves,
    read_moves,
)
from codebreaker.games.unlisted import UnlistedGame, refuse_unlisted
from codebreaker.games.words import WordRules
from codebreaker.runtime.arguments import explained
from codebreaker.sets.hard import allowed_after
from codebreaker.sets.partition import candidates_after, part_sizes
from codebreaker.types import Indices, Move

MOST_SHOWN = 12
"""Maximum number of candidates in a state's text."""

UNLISTED = "candidates not listed"

MOST_MOVES = 8
"""Maximum number of moves in its `repr`."""


LARGEST_SIZES_MIB = 1024
"""Maximum size in MiB of the counts of `State.sizes`."""

MOST_PAIRS = 1 << 31
"""Maximum number of guesses and candidates whose feedback `State.sizes` computes: minutes."""

Feedback = str | SupportsIndex | Sequence[SupportsIndex]
"""Feedback as text, or as numbers of pegs, Python's or NumPy's, also in an array."""


class Sizes(NamedTuple):
    """The sizes of all guesses' parts: `counts`, (n_guesses, n_feedback), by label.

    `guesses` are the labels of its rows, `feedback` those of its columns: see `State.sizes`.

    >>> sizes = cb.State("mm-2-2").sizes()
    >>> sizes.guesses, sizes.feedback
    (('11', '12', '21', '22'), ('0,0', '0,1', '0,2', '1,0', '2,0'))
    >>> sizes.counts[sizes.guesses.index("12")].tolist()
    [0, 0, 1, 2, 1]
    """

    counts: NDArray[np.int64]
    guesses: tuple[str, ...]
    feedback: tuple[str, ...]

    def __eq__(self, other: object) -> bool:
        """Return whether others have the same labels and counts."""
        return (
            isinstance(other, Sizes)
            and (self.guesses, self.feedback) == (other.guesses, other.feedback)
            and np.array_equal(self.counts, other.counts)
        )

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.guesses, self.feedback))

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON has it: `counts` is a list for each guess."""
        return {
            "counts": self.counts.tolist(),
            "guesses": [*self.guesses],
            "feedback": [*self.feedback],
        }

    def __repr__(self) -> str:
        guesses = counted(len(self.guesses), "guess", "es")
        return f"Sizes({guesses}, {counted(len(self.feedback), 'kind')} of feedback)"


class State:
    """A game in progress; moves are pushed and popped as in python-chess.

    Threads may share a state that none of them changes; each changes a `copy`.

    >>> import codebreaker as cb
    >>> state = cb.State(cb.game("mm-4-6"), ["1123:1,1"])
    >>> len(state.candidates)
    230
    >>> state.push("1415", "2,0")
    >>> state.turn, len(state.candidates)
    (3, 17)
    >>> state.pop()
    ('1415', '2,0')
    >>> print(cb.State("mm-4-6", ["1123:1,1", ("1415", "2,0"), ("1452", "1,2")]))
    mm-4-6
     1  1123  1,1
     2  1415  2,0
     3  1452  1,2
    2 candidates: 1265 3425

    States with the same moves in equal games are equal, also once pickled. A state that is a key of
    a dictionary must not change, as its hash does.

    >>> cb.State("mm-4-6", ["1123:1,1"]) == cb.State("mm-4-6", [("1123", "1,1")])
    True
    """

    @explained
    def __init__(
        self,
        game: Game | str,
        moves: str
        | Mapping[str, Feedback]
        | Iterable[
            str
            | tuple[str, Feedback]
            | tuple[str, SupportsIndex, SupportsIndex]
            | list[str]
            | Mapping[str, Feedback]
        ] = (),
    ) -> None:
        """Start a game, with moves such as `1123:1,1` or pairs; see `push` for errors.

        A text may have several moves. One that is marked with `?` is left out, with a warning. A
        mapping has the feedback by guess, and a triple both numbers of pegs. A move may also be a
        mapping with `guess` and `feedback`, as in the JSON of the command line, or with the numbers
        as `black` and `white`, or `bulls` and `cows`.

        Moves without another reading may count colours from 0, or have the classic board's black
        and white; in a game of words that is given by its name, words of no list may be guessed,
        and rarer words be secrets if no other fits. A warning says so. Further moves are then
        pushed onto `State(state.game, state.moves)`, which has all codes as the game writes them.
        """
        given = given_moves(moves)
        self.game = game_called(game)
        if isinstance(game, str):
            self.game = _with_other_words(self.game, given)
        read, self._reader = _read_given(self.game, given)
        # The moves, and the candidates before the first and after each, None if they are too many
        # to list. Both are replaced at once, so that other threads don't see a part of a move.
        self._line: tuple[tuple[Move, ...], tuple[Indices | None, ...]]
        is_listed = not isinstance(self.game._model, UnlistedGame)
        self._line = ((), (self.game._secret_indices() if is_listed else None,))
        dialect = self._reader.notation.dialect
        if dialect is not None:
            warnings.warn(dialect.about(self.game._notation.rules), stacklevel=3)
        self._warn_of_left_out()
        for move in read:
            self._play(*move)

    @property
    def moves(self) -> tuple[tuple[str, str], ...]:
        """The guesses so far, each with its feedback."""
        return tuple(self.game._moves(self._line[0]))

    @property
    def turn(self) -> int:
        """The number of the next guess, from 1."""
        return len(self._line[1])

    @property
    def candidates(self) -> tuple[str, ...]:
        """The secrets that agree with all feedback."""
        return self.game._labels(self._members)

    @property
    def _members(self) -> Indices:
        """The indices of the candidates, (n_candidates,) int32, ascending.

        Raises `CodebreakerError`, as all that needs them does, if they are too many to list.
        """
        members = self._line[1][-1]
        if members is None:
            refuse_unlisted(self.game._model)
        assert members is not None, "a listed game has candidates"
        return members

    @property
    def probabilities(self) -> dict[str, Exact]:
        """Each candidate's probability, the likeliest first.

        >>> import codebreaker as cb
        >>> game = cb.game("mm-2-2").weighted({"11": 1, "12": 4, "21": 3})
        >>> cb.State(game, ["11:1,0"]).probabilities
        {'12': 0.5714285714285714, '21': 0.42857142857142855}
        """
        members = self._members
        exact = map(Exact, probabilities_of(self.game._model, members))
        probabilities = zip(self.game._labels(members), exact, strict=True)
        return dict(sorted(probabilities, key=lambda pair: -pair[1]))

    @property
    def allowed_in_hard_mode(self) -> tuple[str, ...]:
        """The guesses that Wordle's hard mode allows next; an error in games without marks.

        >>> words = cb.Game.from_words(["crane", "crate", "slate"])
        >>> State(words, ["crane:gggbg"]).allowed_in_hard_mode
        ('crane', 'crate')
        """
        allowed = allowed_after(self.game._model, self._line[0])
        return tuple(self.game.guesses[guess] for guess in allowed)

    @property
    def is_solved(self) -> bool:
        """Whether the last guess won."""
        return any(feedback == self.game._model.solved for _, feedback in self._line[0][-1:])

    @explained
    def push(self, guess: str, feedback: Feedback | None = None) -> None:
        """Add a move: a guess and its feedback, or both in one text such as `1123:1,1`.

        Feedback is text, or the numbers of black and white pegs, such as `(1, 1)`. Raises
        `CodebreakerError`, and changes nothing, for a move that can't be read, that leaves no
        candidate, or that follows the winning one.
        """
        dialect = self._reader.notation.dialect
        if dialect is not None:
            about = dialect.about(self.game._notation.rules)
            raise CodebreakerError(
                f"{about} in the moves so far, and {quoted(guess)} may be meant otherwise: push "
                "onto State(state.game, state.moves), whose codes are all written as the game does"
            )
        if feedback is None:
            moves = self._reader.moves([guess])
            self._warn_of_left_out()
            if len(moves) != 1:
                raise CodebreakerError(f"{guess!r} has {counted(len(moves), 'move')}: push one")
            self._play(*moves[0])
        else:
            index = self._reader.guess(guess)
            self._play(index, self.game._notation.feedback(feedback_text(feedback)))

    def _warn_of_left_out(self) -> None:
        """Warn of moves that were left out."""
        for move in self._reader.left_out:
            text = self.game._notation.text(move)
            warnings.warn(f"{text} is left out, as it is marked uncertain", stacklevel=4)
        self._reader.left_out.clear()

    def _play(self, guess: int, feedback: int) -> None:
        """Add a move by index; errors as in `push`."""
        move = guess, feedback
        notation = self.game._notation
        if self.is_solved:
            raise CodebreakerError(f"{notation.text(move)}: the game is already solved")
        if self._line[1][-1] is None:
            self._add(move, None)  # whoever looks for candidates finds out if there are none
            return
        left = self._members[self.game._model.feedback(guess, self._members) == feedback]
        if not len(left):
            raise CodebreakerError(f"{notation.text(move)}: no secret agrees with this")
        self._add(move, left)

    def pop(self) -> tuple[str, str]:
        """Take back the last move and return it; raise `CodebreakerError` without one."""
        moves, sets = self._line
        if not moves:
            raise CodebreakerError("there is no move to take back")
        self._line = moves[:-1], sets[:-1]
        return self.game._moves(moves[-1:])[0]

    def copy(self) -> "State":
        """Return an independent copy."""
        copied = State(self.game)
        copied._line = self._line
        copied._reader = self._reader.copy()
        return copied

    @explained
    def is_consistent(self, guess: str) -> bool:
        """Return whether a guess may be the secret."""
        index = self.game._guess_index(guess)
        label = self.game.guesses[index]
        model = self.game._model
        if isinstance(model, UnlistedGame):
            if label not in model.secrets:
                return False
            secret = self.game._secret_indices([label])
            return all(
                model.feedback(played, secret)[0] == feedback for played, feedback in self._line[0]
            )
        return label in self.candidates

    @explained
    def partition(self, guess: str) -> dict[str, tuple[str, ...]]:
        """Return the parts into which a guess splits the candidates, by feedback."""
        return self.game.partition(guess, self.candidates)

    def sizes(self) -> "Sizes":
        """Return how many candidates are in each part of every guess, all at once.

        A criterion is then a line of NumPy, which takes milliseconds; this is Knuth's:

        >>> import codebreaker as cb
        >>> counts, guesses, feedback = cb.State("mm-4-6").sizes()
        >>> guesses[counts.max(axis=1).argmin()]
        '1122'
        >>> counts.shape, int(counts[guesses.index("1122"), feedback.index("0,1")])
        ((1296, 14), 256)

        Raises `CodebreakerError` if the counts, of eight bytes each, would take over a GiB, and in
        a game without a table if all guesses times the candidates are over 2^31.
        """
        game = self.game
        members = self._members
        mib = 8 * len(game.guesses) * len(game.feedback_labels) / (1 << 20)
        if mib > LARGEST_SIZES_MIB:
            raise CodebreakerError(
                f"the sizes of {game.name} need {mib:,.0f} MiB ({len(game.guesses):,} guesses by "
                f"{len(game.feedback_labels):,} kinds of feedback), more than the limit of "
                f"{LARGEST_SIZES_MIB:,} MiB: use partition() for the guesses that matter"
            )
        pairs = len(game.guesses) * len(members)
        if pairs > MOST_PAIRS and not game._model.has_table:
            raise CodebreakerError(
                f"the sizes of {game.name} need the feedback of {len(game.guesses):,} guesses to "
                f"{len(members):,} candidates, and it has no table: at most "
                f"{MOST_PAIRS:,} pairs are possible, so use partition() for the guesses that matter"
            )
        return Sizes(part_sizes(game._model, members), game.guesses, game.feedback_labels)

    def to_dict(self) -> dict[str, Any]:
        """Return the game's name, the moves and what they leave, as JSON has them.

        `candidates` is None if they are too many to list. `State` takes the game and moves back.

        >>> cb.State("mm-2-2", ["11:1,0"]).to_dict()["moves"]
        [{'guess': '11', 'feedback': '1,0'}]
        """
        return {
            "game": self.game.name,
            "moves": self.game._notation.objects(self._line[0]),
            "turn": self.turn,
            "is_solved": self.is_solved,
            "candidates": None if self._line[1][-1] is None else [*self.candidates],
        }

    def _after(self, guess: int, feedback: int, members: Indices) -> "State":
        """Return the state after a move by index that leaves these members."""
        state = self.copy()
        state._add((guess, feedback), members)
        return state

    def _add(self, move: Move, left: Indices | None) -> None:
        """Add a move by index, and the candidates that it leaves, if they can be listed."""
        moves, sets = self._line
        self._line = (*moves, move), (*sets, left)

    def __eq__(self, other: object) -> bool:
        """Return whether another state has the same moves in an equal game."""
        if not isinstance(other, State):
            return NotImplemented
        return self.game == other.game and self._line[0] == other._line[0]

    def __hash__(self) -> int:
        return hash((self.game, self._line[0]))

    def __str__(self) -> str:
        """Return the game, a line for each move, and the candidates."""
        moves = (
            f"{turn:>2}  {guess}  {feedback}"
            for turn, (guess, feedback) in enumerate(self.moves, start=1)
        )
        return "\n".join([self.game.name, *moves, self._left()])

    def _left(self) -> str:
        """Return the number of candidates and the first of them, if they can be listed."""
        if self._line[1][-1] is None:
            return UNLISTED
        left = self.candidates
        more = "" if len(left) <= MOST_SHOWN else f" and {len(left) - MOST_SHOWN:,} more"
        return f"{counted(len(left), 'candidate')}: {' '.join(left[:MOST_SHOWN])}{more}"

    def __repr__(self) -> str:
        """Return the game, the last moves and the number of candidates on one line."""
        played, sets = self._line
        moves = [self.game._notation.text(move) for move in played[-MOST_MOVES:]]
        if len(played) > MOST_MOVES:
            moves.insert(0, "...")
        left = sets[-1]
        number = UNLISTED if left is None else counted(len(left), "candidate")
        return f"State({self.game.name!r}, {moves}, {number})"

    def _repr_html_(self) -> str:
        """Return the moves as a table with coloured pegs, for notebooks."""
        rows = [
            [str(turn), self.game._move_html(guess, feedback), escape(feedback)]
            for turn, (guess, feedback) in enumerate(self.moves, start=1)
        ]
        table = table_html(["turn", "guess", "feedback"], rows, left=["guess", "feedback"])
        return f"{table}<p>{escape(self._left())}</p>"


def _read_given(game: Game, given: Sequence[Given]) -> tuple[list[Move], MoveReader]:
    """Return given moves by index, and their reader, whose notation may have a dialect.

    Raises `CodebreakerError` for the first that can't be read.
    """

    def read(reader: MoveReader) -> list[Move]:
        """Return the moves as a reader reads them."""
        moves = list[Move]()
        for move in given:
            if isinstance(move, str):
                moves += reader.moves([move])
            else:
                guess, feedback = move
                moves.append((reader.guess(guess), reader.notation.feedback(feedback)))
        return moves

    return read_moves(game._notation, read)


def _with_other_words(game: Game, given: Sequence[Given]) -> Game:
    """Return a named game of words in which given moves make sense, with a warning if it is wider.

    Words of no list may be guessed if the moves can't be read without; rarer words are secrets if
    no other fits. Otherwise it is the game itself.
    """
    rules = game._notation.rules
    if not isinstance(rules, WordRules):
        return game
    wider, others = _with_guesses_of(game, rules, given)
    try:
        moves, _ = _read_given(wider, given)
    except CodebreakerError:
        return game  # whoever reads the moves reports it
    if rules.rarer_name is not None and not len(candidates_after(wider._model, moves)):
        rarer, more = _with_guesses_of(game_called(rules.rarer_name), rules, given)
        if len(candidates_after(rarer._model, _read_given(rarer, given)[0])):
            warnings.warn(
                f"no secret of {game.name} fits: the game is {rarer.name}, which has rarer ones",
                stacklevel=4,
            )
            wider = rarer
            others = more
    for word in others:
        warnings.warn(f"{word!r} is not in the word list: taken as a guess", stacklevel=4)
    return wider


def _with_guesses_of(
    game: Game, rules: WordRules, given: Sequence[Given]
) -> tuple[Game, tuple[str, ...]]:
    """Return a game in which words of no list may be guessed if moves need them, and these."""
    try:
        _read_given(game, given)
    except CodebreakerError:
        texts = [move if isinstance(move, str) else str(move[0]) for move in given]
        others = rules.with_typed(texts)[1]
        words = tuple(word for word in others if word not in game.guesses)
        return (game.with_guesses(words), words) if words else (game, ())
    return game, ()
