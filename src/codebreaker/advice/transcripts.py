"""Transcripts of finished games: JSON lines in several forms, checked by the game's rules."""

import json
import re
from codecs import BOM_UTF8 as BOM
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol, TypeGuard

import numpy as np

from codebreaker.advice.pasted import (
    GRID_NAME,
    RARE_NAME,
    UNNAMED_WORDS,
    paired,
    pasted_games,
    recognised,
)
from codebreaker.constants import PAPERS_GAME
from codebreaker.errors import CodebreakerError, counted, quoted
from codebreaker.files import UTF_16, in_utf8
from codebreaker.games.codes import (
    ANY_GUESS,
    DISTINCT,
    BullsAndCows,
    BullsAndCowsAnyGuess,
    CodeRules,
    RepeatedSymbolError,
)
from codebreaker.games.feedback import MARKS
from codebreaker.games.model import refuse_prior
from codebreaker.games.notation import Notation
from codebreaker.games.reading import (
    Given,
    MoveReader,
    Row,
    given_moves,
    in_dialect,
    typed_text,
)
from codebreaker.games.registry import (
    TABLE_LIMIT_MIB,
    build_game,
    check_size,
    rules_of,
    usual_name,
)
from codebreaker.games.words import BUNDLED, WordFiles, WordRules
from codebreaker.sets.partition import candidates_after
from codebreaker.types import Move

LONGEST_NAME = 200
LONGEST_CODE = 200
LONGEST_ANSWER = 50
LONGEST_GAME = 60
LONGEST_LINE = 1 << 24
ENDLESS_LINE = 1 << 30
"""Maximum bytes of a line; a file with longer lines than the second limit is refused."""

MOST_MOVES = 200
MOST_GAMES = 16
MOST_SECRETS = 1 << 16
SOMEBODY = "unnamed"
Code = str | tuple[int, ...]
"""A code by its label, or by its colours from 0."""

Answer = str | tuple[int, int]
ReadCode = Callable[[Any, str], Code]


class Lines(Protocol):
    """What games are read from, as from a file in binary mode."""

    def readline(self, size: int, /) -> bytes:
        """Return the next line, or its first `size` bytes; nothing at the end."""

    def read(self, size: int, /) -> bytes:
        """Return the next `size` bytes, or as many as there are."""


class _Line(NamedTuple):
    """A game as a line of the file states it, not yet checked; missing parts are None.

    Moves of this program's form are `typed`, as people write them, and may be anything until the
    game is known.
    """

    moves: Sequence[tuple[Code, Answer]]
    game: str | None
    secret: Code | None
    player: str | None
    typed: Sequence[Given] | None = None


def _parse(line: Any) -> _Line:  # noqa: ANN401 (parsed JSON)
    """Return the game that a parsed line states, in the form whose key the line has."""
    if not isinstance(line, dict):
        raise CodebreakerError(
            "the line is not a JSON object: write each game as one, on a line of its own"
        )
    if isinstance(line.get("game_state"), dict):
        line = line | line["game_state"]
    for key, form in FORMS.items():
        if key in line:
            return form(line)
    raise CodebreakerError(f"the object has none of the keys {', '.join(FORMS)}")


def _own_form(line: dict[str, Any]) -> _Line:
    """Read `moves`, the form of this program (docs/transcripts.md)."""
    typed = list[Given]()
    for move in given_moves(line["moves"]):
        typed += move.splitlines() if isinstance(move, str) else [move]
    _check_number(typed)
    secret = _secret(line, "secret", _label)
    return _Line([], _name(line, "game"), secret, _name(line, "player"), typed)


def _mastermind_eval(line: dict[str, Any]) -> _Line:
    """Read `guess_history`: colours by name, numbered as `possible_colors` or as they appear."""
    game = line.get("game")
    game = game if isinstance(game, dict) else {}
    names = game.get("possible_colors")
    listed = [] if names is None else _strings(names, "possible_colors")
    known = {name: number for number, name in enumerate(listed)}
    if len(known) < len(listed):
        raise CodebreakerError("possible_colors names a colour twice")

    def read(value: object, what: str) -> tuple[int, ...]:
        """Return the colours of a code, and number new ones."""
        code = _strings(value, what)
        for name in code:
            if names is not None and name not in known:
                where = what.removesuffix(": the guess")
                raise CodebreakerError(
                    f"{where}: colour {_short(name)} is not one of possible_colors"
                )
            known.setdefault(name, len(known))
        return tuple(known[name] for name in code)

    moves = _moves(line["guess_history"], read)
    length = game.get("code_length")
    name = None if names is None or length is None else _size("mm", length, len(names))
    return _Line(moves, name, _secret(game, "secret_code", read), _player(line))


def _history(line: dict[str, Any]) -> _Line:
    """Read a `history`: of objects in TextArena's form, of pairs in the Bulls-and-Cows form."""
    history = line["history"]
    if "secret_code" not in line and not _is_list(history, dict):
        secret = _secret(line, "target", _digits)
        return _Line(_moves(history, _digits), _name(line, "game"), secret, _player(line))
    if not _is_list(history, dict):
        raise CodebreakerError("history is not a list of objects")
    pairs = [[move.get("guess"), [move.get("black"), move.get("white")]] for move in history]
    sizes = [line.get(key) for key in ("code_length", "num_numbers")]
    family = "mm" if line.get("duplicate_numbers") is True else "bc"
    game = None if None in sizes else _size(family, *sizes)
    return _Line(_moves(pairs, _from_1), game, _secret(line, "secret_code", _from_1), _player(line))


FORMS: dict[str, Callable[[dict[str, Any]], _Line]] = {
    "moves": _own_form,
    "guess_history": _mastermind_eval,
    "history": _history,
}


def _check_number(moves: Sequence[object]) -> None:
    """Raise `CodebreakerError` for more moves than a game may have."""
    if len(moves) > MOST_MOVES:
        raise CodebreakerError(f"the game has {len(moves):,} moves: at most {MOST_MOVES} are read")


def _moves(value: object, read: ReadCode) -> list[tuple[Code, Answer]]:
    """Return the moves of a list of pairs, whose feedback is two numbers.

    Raises `CodebreakerError` for the first pair that isn't a guess and its feedback.
    """
    if not _is_list(value, list):
        raise CodebreakerError("the list of moves is not a list of pairs")
    _check_number(value)
    moves: list[tuple[Code, Answer]] = []
    for number, pair in enumerate(value, start=1):
        if len(pair) != 2:
            raise CodebreakerError(f"move {number} is not a guess and its feedback")
        guess = read(pair[0], f"move {number}: the guess")
        answer = pair[1]
        if _are_integers(answer, 0, 99) and len(answer) == 2:
            moves.append((guess, (answer[0], answer[1])))
        else:
            raise CodebreakerError(
                f"move {number}: the feedback is not two numbers of pegs, as in [1, 2]"
            )
    return moves


def _is_list(value: object, kind: type) -> TypeGuard[list[Any]]:
    """Return whether a value is a list of a type."""
    return isinstance(value, list) and all(isinstance(item, kind) for item in value)


def _are_integers(value: object, low: int, high: int) -> TypeGuard[list[int]]:
    """Return whether a value is a list of integers in a range; `true` is not an integer here."""
    return isinstance(value, list) and all(
        type(item) is int and low <= item <= high for item in value
    )


def _secret(line: dict[str, Any], key: str, read: ReadCode) -> Code | None:
    """Return the secret under a key, or None without one."""
    return None if line.get(key) is None else read(line[key], key)


def _label(value: object, what: str) -> str:
    """Return a code that is a text, or raise `CodebreakerError`, as the next five do."""
    if not isinstance(value, str):
        raise CodebreakerError(f"the {what} is not a text such as 1123")
    return value


def _strings(value: object, what: str) -> list[str]:
    """Return a list of names of colours."""
    if not _is_list(value, str) or len(value) > LONGEST_NAME:
        raise CodebreakerError(f"{what} is not a list of names of colours")
    return value


def _digits(value: object, what: str) -> tuple[int, ...]:
    """Return the colours of a text of digits, from 0."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < LONGEST_NAME:
        return tuple(map(int, value))
    raise CodebreakerError(f"{what} is not a text of digits, as in '0123'")


def _from_1(value: object, what: str) -> tuple[int, ...]:
    """Return the colours of a list of numbers from 1, counted from 0."""
    if _are_integers(value, 1, 999) and len(value) < LONGEST_NAME:
        return tuple(colour - 1 for colour in value)
    raise CodebreakerError(f"{what} is not a list of numbers from 1, as in [1, 2, 3, 4]")


def _size(family: str, *sizes: object) -> str:
    """Return the name of a family's game of these sizes."""
    if not _are_integers([*sizes], 1, 999):
        raise CodebreakerError("the size of the game is not two integers")
    return "-".join(map(str, (family, *sizes)))


def _player(line: dict[str, Any]) -> str | None:
    """Return the player's name, or else the model's, if any."""
    return _name(line, "player") or _name(line, "model")


def _name(line: dict[str, Any], key: str) -> str | None:
    """Return the name under a key, if any; raise `CodebreakerError` unless it can be shown."""
    value = line.get(key)
    if value is None or (
        isinstance(value, str) and len(value) <= LONGEST_NAME and value.isprintable()
    ):
        return value
    raise CodebreakerError(f"{key} is not a name of at most {LONGEST_NAME} printable characters")


def _short(text: str) -> str:
    """Return the beginning of a text, quoted and in ASCII, for a message."""
    return repr(text if len(text) <= 20 else text[:20] + "…").encode("ascii", "replace").decode()


@dataclass(frozen=True)
class SkippedLine:
    """A line that was skipped, by its number from 1, and why."""

    line: int
    reason: str


class Transcript(NamedTuple):
    """A game as played, at a line of the file, and whether that says Wordle's hard mode."""

    line: int
    player: str
    game: str
    moves: tuple[Move, ...]
    is_hard: bool = False


class Reader:
    """Reads a file's games; `notations` are by game, `faults` are the skipped lines.

    `left_out` are the moves that are marked as uncertain, `readings` what was taken where a game
    can't be read in the usual way, each with its line; `unread` are the typed moves, or guesses, of
    skipped games.
    """

    def __init__(
        self,
        game: str | Notation | None = None,
        player: str | None = None,
        word_lists: Mapping[str, WordFiles] = BUNDLED,
        table_mib: float = TABLE_LIMIT_MIB,
        typed: str = "",
    ) -> None:
        """Prepare to read games of a `game`, by a `player` where lines name none.

        In games with words of the package, words of a `typed` text may be guessed, too. Games whose
        tables would exceed `table_mib` are played without one, or refused. So are those with a
        prior, and with more secrets than `MOST_SECRETS`.
        """
        self._given = game
        given = game if isinstance(game, Notation) else None
        self.game = game.game.name if isinstance(game, Notation) else game and usual_name(game)
        self.player = player
        self._word_lists = word_lists
        self._table_mib = table_mib
        self._typed_text = typed
        self.others: set[str] = set()
        """The typed words that are not in the list of a game."""

        self.notations: dict[str, Notation] = {}
        self.faults: list[SkippedLine] = []
        self.left_out: list[tuple[int, str]] = []
        self.readings: list[tuple[int, str]] = []
        self.unread: list[str] = []
        self._at = 0  # the line of a pasted game that is read
        self._feedback: dict[tuple[str, Answer], int] = {}
        if given is not None:
            refuse_prior(given.game, "a score")
            _check_secrets(given.game.name, given.game.n_secrets)
            self.notations[given.game.name] = given
        elif self.game is not None:
            self._notation(self.game)

    def with_typed(self, text: str) -> "Reader":
        """Return a reader of the same games in which words of a typed text may be guessed, too."""
        return Reader(self._given, self.player, self._word_lists, self._table_mib, text)

    def read(self, file: Lines) -> Iterator[Transcript]:
        """Yield a file's games: JSON lines if the first line is JSON, otherwise pasted text."""
        lines = enumerate(_lines(file), start=1)
        before = list[tuple[int, bytes | None]]()
        for number, line in lines:
            before.append((number, line))
            if start := (line or b"{").removeprefix(BOM).strip()[:1]:
                every = chain(before, lines)
                yield from self._json(every) if start in b"{[" else self._pasted(every)
                return

    def _pasted(self, lines: Iterable[tuple[int, bytes | None]]) -> Iterator[Transcript]:
        """Yield the games of pasted text; a fault names the row that can't be read."""
        text = ((number, (line or b"?").decode("utf-8-sig", "replace")) for number, line in lines)
        for title, secret, rows, is_hard in pasted_games(text):
            self._at = rows[0][0]
            texts = [row for _, row in rows]
            try:
                if len(rows) > MOST_MOVES:
                    raise CodebreakerError(f"the game has more than {MOST_MOVES} moves")
                game = self._titled(title) or self.game or _usual_game(row for _, row in rows)
                name = self._name_of(_Line([], game, None, None))
                notation = self._notation(name)
                if _has_repeats(notation, partial(self._read_all, notation, texts)):
                    name = self._with_any_guess(notation)
                    notation = self._notation(name)
                read = partial(self._pasted_moves, rows=rows, secret=secret)
                moves = self._in_any_dialect(rows[0][0], notation, texts, secret, read)
                name, moves = self._with_rarer(rows[0][0], notation, moves)
            except CodebreakerError as error:
                self.faults.append(SkippedLine(self._at, " ".join(str(error).split())))
            else:
                yield Transcript(rows[0][0], self.player or SOMEBODY, name, moves, is_hard)

    def _pasted_moves(
        self, notation: Notation, rows: Sequence[tuple[int, str]], secret: str | None
    ) -> tuple[Move, ...]:
        """Return the moves of pasted rows by index, or raise `CodebreakerError`."""
        reader = MoveReader(notation)
        guesses = list[int]()
        answers = list[int]()
        left_out = list[tuple[int, str]]()
        for self._at, row in rows:
            turn = max(len(guesses), len(answers)) + 1
            read = reader.row(row, turn)
            guesses += read.guesses
            answers += read.feedback
            left_out += [(self._at, notation.text(move)) for move in read.left_out]
        moves = paired(notation, guesses, answers, secret)
        checked = _checked(notation, moves, secret)
        self.left_out += left_out
        return checked

    def _in_any_dialect(
        self,
        line: int,
        notation: Notation,
        typed: Sequence[Given],
        secret: str | None,
        read: Callable[[Notation], tuple[Move, ...]],
    ) -> tuple[Move, ...]:
        """Return typed moves as they are read in a notation, or else in a dialect, which is noted.

        Raises `CodebreakerError` if they can be read in neither.
        """

        def codes(spoken: Notation) -> list[int]:
            """Return the indices of all guesses, and of the secret."""
            guesses = self._read_all(spoken, typed)
            return guesses if secret is None else [*guesses, spoken.guess(secret)]

        try:
            return read(notation)
        except CodebreakerError:
            spoken = in_dialect(notation, codes)
            if spoken is None:
                if isinstance(notation.rules, WordRules):
                    self.unread += [text if isinstance(text, str) else text[0] for text in typed]
                raise
        moves = read(spoken)
        assert spoken.dialect is not None
        self.readings.append((line, spoken.dialect.about(spoken.rules)))
        return moves

    def _with_rarer(
        self, line: int, notation: Notation, moves: tuple[Move, ...]
    ) -> tuple[str, tuple[Move, ...]]:
        """Return a game's name and moves, with rarer words as secrets if no other word fits."""
        game = notation.game
        rules = notation.rules
        is_ours = self._given is None or isinstance(self._given, str)
        if not is_ours or not isinstance(rules, WordRules) or self._word_lists != BUNDLED:
            return game.name, moves
        if rules.rarer_name is None or len(candidates_after(game, moves)):
            return game.name, moves
        wider = self._notation(rules.rarer_name)
        moves_there = tuple((wider.guess(game.guesses[guess]), answer) for guess, answer in moves)
        if not len(candidates_after(wider.game, moves_there)):
            return game.name, moves
        why = f"no secret of {game.name} fits: judged as {wider.game.name}, which has rarer ones"
        self.readings.append((line, why))
        return wider.game.name, moves_there

    def _json(self, lines: Iterable[tuple[int, bytes | None]]) -> Iterator[Transcript]:
        """Yield the games of JSON lines."""
        for number, line in lines:
            try:
                transcript = self._transcript(number, line)
            except CodebreakerError as error:
                self.faults.append(SkippedLine(number, " ".join(str(error).split())))
            else:
                if transcript is not None:
                    yield transcript

    def _transcript(self, number: int, line: bytes | None) -> Transcript | None:
        """Return the game of a JSON line, None for an empty one, or raise `CodebreakerError`."""
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
        stated = _parse(parsed)
        name = self._name_of(stated)
        notation = self._notation(name)
        read: Callable[[], object] = partial(_read_codes, notation, stated.moves)
        if stated.typed is not None:
            read = partial(self._read_all, notation, stated.typed)
        if _has_repeats(notation, read):
            name = self._with_any_guess(notation)
            notation = self._notation(name)
        secret = None if stated.secret is None else _code_text(notation, stated.secret)
        if stated.typed is None:
            moves = _checked(notation, self._indices(notation, stated.moves), secret)
        else:
            typed = partial(self._typed, number, typed=stated.typed, secret=secret)
            moves = self._in_any_dialect(number, notation, stated.typed, secret, typed)
        name, moves = self._with_rarer(number, notation, moves)
        return Transcript(number, stated.player or self.player or SOMEBODY, name, moves)

    def _indices(self, notation: Notation, moves: Sequence[tuple[Code, Answer]]) -> list[Move]:
        """Return moves by index; raise `CodebreakerError` for the first that can't be read."""
        read = list[Move]()
        for number, (guess, answer) in enumerate(moves, start=1):
            try:
                index = notation.guess(_code_text(notation, guess))
                read.append((index, self._feedback_id(notation, answer)))
            except CodebreakerError as error:
                raise CodebreakerError(f"move {number}: {error}") from None
        return read

    def _typed(
        self, line: int, notation: Notation, typed: Sequence[Given], secret: str | None
    ) -> tuple[Move, ...]:
        """Return typed moves of a line by index; those marked as uncertain are left out.

        Raises `CodebreakerError` for the first that can't be read.
        """
        reader = MoveReader(notation)
        guesses = list[int]()
        answers = list[int]()
        left_out = list[tuple[int, str]]()
        for number, move in enumerate(typed, start=1):
            try:
                read = self._read(reader, move, number)
                if not any(read):
                    raise CodebreakerError(f"{quoted(move)} has neither a guess nor feedback")
            except CodebreakerError as error:
                raise CodebreakerError(f"move {number}: {error}") from None
            guesses += read.guesses
            answers += read.feedback
            left_out += [(line, notation.text(doubted)) for doubted in read.left_out]
        checked = _checked(notation, paired(notation, guesses, answers, secret), secret)
        self.left_out += left_out
        return checked

    def _read(self, reader: MoveReader, move: Given, turn: int) -> Row:
        """Return what a typed move says, or raise `CodebreakerError`."""
        if isinstance(move, str):
            return reader.row(move, turn)
        for text in move:
            typed_text(text)  # raises for what is not text
        guess, feedback = move
        index = reader.guess(_code_text(reader.notation, guess))
        return Row([index], [self._feedback_id(reader.notation, feedback)], [])

    def _read_all(self, notation: Notation, moves: Sequence[Given]) -> list[int]:
        """Return the guesses of moves; raise `CodebreakerError` for the first unreadable one."""
        guesses = list[int]()
        for turn, move in enumerate(moves, start=1):
            guesses += self._read(MoveReader(notation), move, turn).guesses
        return guesses

    def _feedback_id(self, notation: Notation, answer: Answer) -> int:
        """Return the id of an answer, read once per game."""
        key = notation.game.name, answer
        if key not in self._feedback:
            text = answer if isinstance(answer, str) else f"{answer[0]},{answer[1]}"
            if len(text) > LONGEST_ANSWER:
                raise CodebreakerError("the feedback is too long to be read")
            self._feedback[key] = notation.feedback(text)
        return self._feedback[key]

    def _titled(self, title: str | None) -> str | None:
        """Return the game that a title names; titles of Wordle leave the words to `game`."""
        is_of_marks = self.game is not None and self.notations[self.game].kind is MARKS
        if is_of_marks and title in (GRID_NAME, RARE_NAME, UNNAMED_WORDS):
            return self.game
        if title == UNNAMED_WORDS:
            raise CodebreakerError(
                "the title does not say which words the game has: save them in a file, and give "
                f"it with --game {UNNAMED_WORDS} --words FILE"
            )
        return title

    def _name_of(self, stated: _Line) -> str:
        """Return the game's name; `-distinct` and `-any-guess` count as the same as without."""
        if self.game is None:
            if stated.game is not None:
                return usual_name(stated.game)
            if stated.typed is None:
                raise CodebreakerError("the line doesn't say the game: give it with --game")
            return _usual_game(
                move if isinstance(move, str) else " ".join(map(str, move)) for move in stated.typed
            )
        named = usual_name(stated.game or self.game)
        sizes = {name.removesuffix(DISTINCT).removesuffix(ANY_GUESS) for name in (named, self.game)}
        if len(sizes) > 1:
            raise CodebreakerError(f"the game is {stated.game}, and not {self.game}")
        return self.game

    def _with_any_guess(self, notation: Notation) -> str:
        """Return the name of Bulls and Cows whose guesses may repeat symbols, and prepare it."""
        assert isinstance(notation.rules, BullsAndCows)
        rules = BullsAndCowsAnyGuess.of(notation.rules)
        if rules.name not in self.notations:
            check_size(rules, TABLE_LIMIT_MIB)
            self.notations[rules.name] = Notation(rules, build_game(rules))
        return rules.name

    def _notation(self, name: str) -> Notation:
        """Return a game's notation, built once; raise `CodebreakerError` for too large games."""
        if name not in self.notations:
            if len(name) > LONGEST_GAME:
                raise CodebreakerError("the name of the game is too long")
            if len(self.notations) == MOST_GAMES:
                raise CodebreakerError(f"more than {MOST_GAMES} different games in one file")
            rules = rules_of(name, self._word_lists)
            _check_secrets(name, rules.table_shape[1])
            if self._typed_text and isinstance(rules, WordRules) and self._word_lists == BUNDLED:
                rules, others = rules.with_typed([self._typed_text])
                self.others |= {*others}
            check_size(rules, self._table_mib)
            self.notations[name] = Notation(rules, build_game(rules, self._table_mib))
        return self.notations[name]


def _check_secrets(name: str, n_secrets: int) -> None:
    """Raise `CodebreakerError` for a game with too many secrets to be judged."""
    if n_secrets > MOST_SECRETS:
        raise CodebreakerError(
            f"{name} has {n_secrets:,} secrets: at most {MOST_SECRETS:,} are possible"
        )


def _has_repeats(notation: Notation, read: Callable[[], object]) -> bool:
    """Return whether reading a game of Bulls and Cows fails as a guess repeats a symbol."""
    if not isinstance(notation.rules, BullsAndCows):
        return False
    try:
        read()
    except RepeatedSymbolError:
        return True
    except CodebreakerError:
        pass  # reported when the game is read
    return False


def _usual_game(rows: Iterable[str]) -> str:
    """Return the game of typed moves that name none: Wordle, if they look so, or MM(4,6)."""
    return recognised(rows) or PAPERS_GAME


def _read_codes(notation: Notation, moves: Sequence[tuple[Code, Answer]]) -> None:
    """Read the guesses of moves; raise `CodebreakerError` for the first wrong one."""
    for guess, _ in moves:
        notation.guess(_code_text(notation, guess))


def _checked(notation: Notation, moves: Sequence[Move], secret: str | None) -> tuple[Move, ...]:
    """Return a game's moves; raise `CodebreakerError` if there are none, or they break the rules.

    No move follows the winning one, and all feedback is that of the secret, if it is stated.
    """
    game = notation.game
    if not moves:
        raise CodebreakerError("the game has no moves")
    for number, (_, feedback) in enumerate(moves[:-1], start=1):
        if feedback == game.solved:
            raise CodebreakerError(f"move {number + 1}: move {number} already found the secret")
    if secret is not None:
        index = np.array([notation.secret(secret)], dtype=np.int32)
        for number, move in enumerate(moves, start=1):
            given = int(game.feedback(move[0], index)[0])
            if given != move[1]:
                raise CodebreakerError(
                    f"move {number}, {notation.text(move)}: the secret {game.secrets[index[0]]} "
                    f"gives {notation.short(given)}"
                )
    return tuple(moves)


def _code_text(notation: Notation, code: Code) -> str:
    """Return the label of a code, or raise `CodebreakerError` if it has other pegs or colours."""
    rules = notation.rules
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


def games_in(text: str) -> Path | IO[bytes]:
    """Return a path, or moves such as `1122:1,0 1344 3,0` as a file.

    A text with spaces or signs between moves that names no file is moves, unless it has a folder or
    ends like a file.
    """
    is_named = "/" in text or re.search(r"\.[A-Za-z]\w*$", text)
    is_separated = re.search(r"[ ,;=|→]|->", text)
    is_moves = ":" in text or "\n" in text or (is_separated and not is_named)
    with suppress(OSError):  # a text that is too long for a path
        if not is_moves or Path(text).exists():
            return Path(text)
    return BytesIO(text.encode())


def _lines(file: Lines) -> Iterator[bytes | None]:
    """Yield a file's lines in UTF-8, None for too long ones. A file in UTF-16 is read at once."""
    line = file.readline(LONGEST_LINE + 1)
    if line.startswith(UTF_16):
        file = BytesIO(in_utf8(line + file.read(ENDLESS_LINE)))
        line = file.readline(LONGEST_LINE + 1)
    while line:
        if len(line) <= LONGEST_LINE:
            yield line
        else:
            _skip_line(file, line)
            yield None
        line = file.readline(LONGEST_LINE + 1)


def _skip_line(file: Lines, line: bytes) -> None:
    """Read the rest of a long line; raise `CodebreakerError` if it is endless."""
    length = len(line)
    while line and not line.endswith(b"\n"):
        line = file.readline(LONGEST_LINE)
        length += len(line)
        if length > ENDLESS_LINE:
            raise CodebreakerError("a line is longer than 1 GiB: this is not a file of games")
