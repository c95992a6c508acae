"""Transcripts of finished games: JSON lines, checked by the rules of their game."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO

import numpy as np

from codebreaker.advice.forms import Answer, Code, Told, told_by
from codebreaker.errors import CodebreakerError, counted
from codebreaker.games.codes import CodeRules
from codebreaker.games.notation import Notation
from codebreaker.games.registry import TABLE_LIMIT_MIB, build_game, check_size, rules_of
from codebreaker.games.words import BUNDLED, WordFiles
from codebreaker.types import Move

LONGEST_LINE = 1 << 24
"""The longest line that is read, in bytes; records of language models quote whole dialogues."""

ENDLESS_LINE = 1 << 30
"""The length of a line from which on the file is no text, such as a device, in bytes."""

MOST_GAMES = 16
"""The most different games, such as mm-4-6 and bc-4-10, in one file."""

MOST_SECRETS = 1 << 16
"""The most secrets of a game that is judged."""

LONGEST_ANSWER, LONGEST_CODE, LONGEST_GAME = 50, 200, 60
"""The longest feedback, code and name of a game, in characters."""

SOMEBODY = "unnamed"
"""The player of lines that name none."""


@dataclass(frozen=True)
class Fault:
    """A line that was skipped, by its 1-based number, and why."""

    line: int
    reason: str


@dataclass(frozen=True)
class Transcript:
    """A game as it was played, at a line of the file; `secret` is None if it isn't told."""

    line: int
    player: str
    game: str
    moves: tuple[Move, ...]
    secret: int | None


@dataclass(frozen=True, eq=False)
class Board:
    """A game that transcripts are read by: its notation, and the feedback met so far."""

    notation: Notation
    _feedback: dict[Answer, int] = field(default_factory=dict)

    def guess(self, code: Code) -> int:
        """Return the index of a guess; raise `CodebreakerError` if the game doesn't have it."""
        return self.notation.guess(self._label(code))

    def secret(self, code: Code) -> int:
        """Return the index of a secret; raise `CodebreakerError` if the game doesn't have it."""
        return self.notation.secret(self._label(code))

    def feedback(self, answer: Answer) -> int:
        """Return the id of a feedback; raise `CodebreakerError` if it is not possible."""
        if answer not in self._feedback:
            text = answer if isinstance(answer, str) else f"{answer[0]},{answer[1]}"
            if len(text) > LONGEST_ANSWER:
                raise CodebreakerError("the feedback is too long to be read")
            self._feedback[answer] = self.notation.feedback(text)
        return self._feedback[answer]

    def _label(self, code: Code) -> str:
        rules = self.notation.rules
        if isinstance(code, str):
            if len(code) > LONGEST_CODE:
                raise CodebreakerError("the code is too long to be read")
            return code
        if not isinstance(rules, CodeRules):
            raise CodebreakerError(f"{rules.name} is played with words, not with numbered colours")
        symbols = rules.symbols()
        for colour in code:
            if colour >= len(symbols):
                raise CodebreakerError(
                    f"the code has colour number {colour + 1}: {rules.name} has {len(symbols)}"
                )
        label = rules.separator.join(symbols[colour] for colour in code)
        if len(code) != rules.pegs:
            raise CodebreakerError(
                f"code {label!r} has {counted(len(code), 'peg')}: "
                f"the codes of {rules.name} have {rules.pegs}"
            )
        return label


class Reader:
    """Reads the lines of a file, all of `game` if that is given.

    `boards` are the games that were met, `faults` the lines that were skipped.
    """

    def __init__(
        self,
        game: str | None = None,
        player: str | None = None,
        word_lists: Mapping[str, WordFiles] = BUNDLED,
    ) -> None:
        self.game, self.player, self._word_lists = game, player, word_lists
        self.boards: dict[str, Board] = {}
        self.faults: list[Fault] = []
        if game is not None:
            self._board(game)

    def read(self, file: IO[bytes]) -> Iterator[Transcript]:
        """Yield the games of a file's lines; blank lines are passed over."""
        for number, line in enumerate(_lines(file), start=1):
            try:
                transcript = self._transcript(number, line)
            except CodebreakerError as error:
                self.faults.append(Fault(number, " ".join(str(error).split())))
            else:
                if transcript is not None:
                    yield transcript

    def _transcript(self, number: int, line: bytes | None) -> Transcript | None:
        """Return the game of a line, None for a blank one, or raise `CodebreakerError`."""
        if line is None:
            raise CodebreakerError(f"the line is longer than {LONGEST_LINE >> 20} MiB")
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
        except UnicodeDecodeError:
            raise CodebreakerError("the line is not UTF-8 text") from None
        if not text:
            return None
        try:
            parsed = json.loads(text)
        except RecursionError:
            raise CodebreakerError("the JSON is nested too deeply") from None
        except ValueError:
            raise CodebreakerError("the line is not JSON") from None
        return self._checked(number, told_by(parsed))

    def _checked(self, line: int, told: Told) -> Transcript:
        """Return the game that a line tells if the rules allow it."""
        name = self._name_of(told)
        board = self._board(name)
        game = board.notation.game
        if not told.moves:
            raise CodebreakerError("the game has no moves")
        moves = list[Move]()
        for number, (guess, answer) in enumerate(told.moves, start=1):
            if moves and moves[-1][1] == game.solved:
                raise CodebreakerError(f"move {number}: move {number - 1} already found the secret")
            try:
                moves.append((board.guess(guess), board.feedback(answer)))
            except CodebreakerError as error:
                raise CodebreakerError(f"move {number}: {error}") from None
        secret = None if told.secret is None else board.secret(told.secret)
        if secret is not None:
            _check_feedback(board.notation, moves, secret)
        return Transcript(line, told.player or self.player or SOMEBODY, name, tuple(moves), secret)

    def _name_of(self, told: Told) -> str:
        """Return the name of a line's game; raise `CodebreakerError` if none is said, or another.

        A line can't say whether its player knew that no colour repeats in the secret, so a game
        that differs in this alone is the same size.
        """
        if self.game is None:
            if told.game is None:
                raise CodebreakerError("the line doesn't say the game: give it with --game")
            return told.game
        if told.game is not None and _size(told.game) != _size(self.game):
            raise CodebreakerError(f"the game is {told.game}, and not {self.game}")
        return self.game

    def _board(self, name: str) -> Board:
        if name not in self.boards:
            if len(name) > LONGEST_GAME:
                raise CodebreakerError("the name of the game is too long")
            if len(self.boards) == MOST_GAMES:
                raise CodebreakerError(f"more than {MOST_GAMES} different games in one file")
            rules = rules_of(name, self._word_lists)
            if rules.table_shape[1] > MOST_SECRETS:
                raise CodebreakerError(
                    f"{name} has {rules.table_shape[1]:,} secrets: at most {MOST_SECRETS:,} are "
                    "possible"
                )
            check_size(rules, TABLE_LIMIT_MIB)
            self.boards[name] = Board(Notation(rules, build_game(rules)))
        return self.boards[name]


def _size(name: str) -> str:
    return name.removesuffix("-distinct")


def _lines(file: IO[bytes]) -> Iterator[bytes | None]:
    """Yield the lines of a file, None for each that is too long."""
    while line := file.readline(LONGEST_LINE + 1):
        if len(line) <= LONGEST_LINE:
            yield line
            continue
        length = len(line)
        while line and not line.endswith(b"\n"):
            line = file.readline(LONGEST_LINE)
            length += len(line)
            if length > ENDLESS_LINE:
                raise CodebreakerError("a line is longer than 1 GiB: this is no file of games")
        yield None


def _check_feedback(notation: Notation, moves: Iterable[Move], secret: int) -> None:
    """Raise `CodebreakerError` for the first feedback that the secret doesn't give."""
    game, index = notation.game, np.array([secret], dtype=np.int32)
    for number, (guess, feedback) in enumerate(moves, start=1):
        given = int(game.feedback(guess, index)[0])
        if given != feedback:
            raise CodebreakerError(
                f"move {number}, {notation.text((guess, feedback))}: the secret "
                f"{game.secrets[secret]} gives {notation.short(given)}"
            )
