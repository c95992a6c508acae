"""Transcripts of finished games: JSON lines in several forms, checked by the game's rules."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any

import numpy as np

from codebreaker.errors import CodebreakerError, counted
from codebreaker.games.codes import CodeRules
from codebreaker.games.notation import Notation
from codebreaker.games.registry import TABLE_LIMIT_MIB, build_game, check_size, rules_of
from codebreaker.games.words import BUNDLED, WordFiles
from codebreaker.types import Move

LONGEST_NAME = 200
"""The longest name of a player or a game, in characters."""

MOST_MOVES = 200

Code = str | tuple[int, ...]
"""A code by its label, or by its colours, counted from 0."""

Answer = str | tuple[int, int]
"""Feedback as it is typed, or as numbers of black and white pegs."""


@dataclass(frozen=True)
class Told:
    """What a line tells of a game; None stands for what it doesn't say."""

    moves: Sequence[tuple[Code, Answer]]
    game: str | None
    secret: Code | None
    player: str | None


def told_by(line: Any) -> Told:  # noqa: ANN401 (parsed JSON)
    """Return what a parsed line tells; raise `CodebreakerError` if its form is unknown or broken.

    The forms are described in docs/transcripts.md.
    """
    if not isinstance(line, dict):
        raise CodebreakerError("the line is not a JSON object")
    if isinstance(line.get("game_state"), dict):
        line = line | line["game_state"]
    for key, form in FORMS.items():
        if key in line:
            return form(line)
    raise CodebreakerError(f"the object has none of the keys {', '.join(FORMS)}")


def _own(line: dict[str, Any]) -> Told:
    """Read our own form: `moves` of labels and typed feedback."""
    moves = [
        (_label(guess, f"move {n}: the guess"), _typed(answer, n))
        for n, guess, answer in _pairs(line["moves"])
    ]
    secret = _secret(line, "secret", lambda value, _: _label(value, "the secret"))
    return Told(moves, _name(line, "game"), secret, _name(line, "player"))


def _mastermind_eval(line: dict[str, Any]) -> Told:
    """Read MastermindEval's form: `guess_history` of colour names and numbers of pegs."""
    game = line.get("game")
    game = game if isinstance(game, dict) else {}
    names = game.get("possible_colors")
    colours = _Colours(None if names is None else _strings(names, "possible_colors"))
    moves = [
        (colours.code(_strings(guess, f"move {n}: the guess"), f"move {n}"), _numbers(answer, n))
        for n, guess, answer in _pairs(line["guess_history"])
    ]
    length = game.get("code_length")
    name = None if names is None or length is None else f"mm-{_size(length)}-{len(names)}"
    read = lambda value, what: colours.code(_strings(value, what), what)  # noqa: E731
    return Told(moves, name, _secret(game, "secret_code", read), _player(line))


def _history(line: dict[str, Any]) -> Told:
    """Read a `history`: of objects in TextArena's form, of pairs in the Bulls-and-Cows form."""
    history = line["history"]
    if "secret_code" in line or (isinstance(history, list) and _all(history, dict)):
        return _text_arena(line)
    moves = [
        (_digits(guess, f"move {n}: the guess"), _numbers(answer, n))
        for n, guess, answer in _pairs(history)
    ]
    return Told(moves, _name(line, "game"), _secret(line, "target", _digits), _player(line))


def _text_arena(line: dict[str, Any]) -> Told:
    """Read TextArena's state of a game: guesses are lists of numbers from 1."""
    moves = [
        (_from_1(entry.get("guess"), f"move {n}: the guess"),
         _numbers([entry.get("black"), entry.get("white")], n))
        for n, entry in enumerate(_listed(line["history"], "history", dict), start=1)
    ]  # fmt: skip
    sizes = [line.get(key) for key in ("code_length", "num_numbers")]
    game = None
    if None not in sizes:
        family = "mm" if line.get("duplicate_numbers") is True else "bc"
        game = "-".join([family, *map(_size, sizes)])
    return Told(moves, game, _secret(line, "secret_code", _from_1), _player(line))


FORMS: dict[str, Callable[[dict[str, Any]], Told]] = {
    "moves": _own,
    "guess_history": _mastermind_eval,
    "history": _history,
}
"""The forms by the key that holds the moves."""


class _Colours:
    """Numbers of colours by their names; without a list of names, in order of appearance."""

    def __init__(self, names: list[str] | None) -> None:
        self._known = {name: number for number, name in enumerate(names or [])}
        if names is not None and len(self._known) < len(names):
            raise CodebreakerError("possible_colors names a colour twice")
        self._is_closed = names is not None

    def code(self, names: list[str], where: str) -> tuple[int, ...]:
        """Return a code by its colours; raise `CodebreakerError` for an unknown one."""
        for name in names:
            if name not in self._known:
                if self._is_closed:
                    raise CodebreakerError(
                        f"{where}: colour {_short(name)} is not one of possible_colors"
                    )
                self._known[name] = len(self._known)
        return tuple(self._known[name] for name in names)


def _pairs(value: object) -> list[tuple[int, Any, Any]]:
    """Return the number, guess and feedback of each move."""
    pairs = []
    for number, pair in enumerate(_listed(value, "the list of moves", list), start=1):
        if len(pair) != 2:
            raise CodebreakerError(f"move {number} is not a guess and its feedback")
        pairs.append((number, *pair))
    return pairs


def _listed(value: object, what: str, kind: type) -> list[Any]:
    """Return a list of objects of a kind, one for each move."""
    if not isinstance(value, list) or not _all(value, kind):
        things = "pairs" if kind is list else "objects"
        raise CodebreakerError(f"{what} is not a list of {things}")
    if len(value) > MOST_MOVES:
        raise CodebreakerError(f"the game has {len(value):,} moves: at most {MOST_MOVES} are read")
    return value


def _all(values: list[Any], kind: type) -> bool:
    return all(isinstance(value, kind) for value in values)


def _secret(line: dict[str, Any], key: str, read: Callable[[object, str], Code]) -> Code | None:
    """Return the secret at a key as its form writes codes, None if it isn't told."""
    return None if line.get(key) is None else read(line[key], key)


def _player(line: dict[str, Any]) -> str | None:
    return _name(line, "player") or _name(line, "model")


def _label(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise CodebreakerError(f"{what} is not a text such as 1123")
    return value


def _typed(value: object, move: int) -> Answer:
    """Return feedback as text, or as the pair of numbers that it is."""
    return value if isinstance(value, str) else _numbers(value, move)


def _numbers(value: object, move: int) -> tuple[int, int]:
    """Return feedback given as a list of two whole numbers."""
    if (
        isinstance(value, list)
        and len(value) == 2
        and all(type(one) is int and 0 <= one < 100 for one in value)
    ):
        return value[0], value[1]
    raise CodebreakerError(f"move {move}: the feedback is not two numbers of pegs, as in [1, 2]")


def _strings(value: object, what: str) -> list[str]:
    if not isinstance(value, list) or not _all(value, str) or len(value) > LONGEST_NAME:
        raise CodebreakerError(f"{what} is not a list of names of colours")
    return value


def _digits(value: object, what: str) -> tuple[int, ...]:
    """Return the digits of a text as colours from 0."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < LONGEST_NAME:
        return tuple(map(int, value))
    raise CodebreakerError(f"{what} is not a text of digits, as in '0123'")


def _from_1(value: object, what: str) -> tuple[int, ...]:
    """Return a list of numbers from 1 as colours from 0."""
    if (
        isinstance(value, list)
        and len(value) < LONGEST_NAME
        and all(type(one) is int and 1 <= one < 1000 for one in value)
    ):
        return tuple(one - 1 for one in value)
    raise CodebreakerError(f"{what} is not a list of numbers from 1, as in [1, 2, 3, 4]")


def _size(value: object) -> str:
    if type(value) is not int or not 0 < value < 1000:
        raise CodebreakerError("the size of the game is not two whole numbers")
    return str(value)


def _name(line: dict[str, Any], key: str) -> str | None:
    """Return the name of a player or a game, if the line has one."""
    value = line.get(key)
    if value is None:
        return None
    if not isinstance(value, str) or len(value) > LONGEST_NAME or not value.isprintable():
        raise CodebreakerError(
            f"{key} is not a name of at most {LONGEST_NAME} printable characters"
        )
    return value


def _short(text: str) -> str:
    """Return a text from a file as a message quotes it."""
    return repr(text if len(text) <= 20 else text[:20] + "…").encode("ascii", "replace").decode()


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
        if told.game is not None and _without_distinct(told.game) != _without_distinct(self.game):
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


def _without_distinct(name: str) -> str:
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
