"""Read moves in the forms in which people write them: for all commands, and the library."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from codebreaker.errors import CodebreakerError, quoted
from codebreaker.games.codes import CodeRules
from codebreaker.games.dialects import dialects_of
from codebreaker.games.feedback import EMOJI_STYLE, with_emoji
from codebreaker.types import Move

if TYPE_CHECKING:
    from codebreaker.games.notation import Notation

LONGEST_ROW = 1000
"""Maximum characters of a row of moves."""

SKY_BLUE = re.compile(r"\bsky\s+blue\b", re.IGNORECASE)
"""The colour whose name has two words."""

SENTENCE = 3
"""A row with as many words is a sentence."""

MOST_READINGS = 2
"""Ways to read a row that are kept: a second one makes it ambiguous."""

JOINED = re.compile(r"([^,;/-]+)[,;/-](.+)")
"""A guess and its feedback with a sign between them that feedback has, too, as in tables."""

ARROWS = {"-", "->", "→", "=", "|"}
UNCERTAIN = "?"
BRACKETS = str.maketrans("()[]{}\"'", "        ")
DRAWN_BEFORE_NUMBERS = re.compile(r"^(?:[bcw] +)+(?=[0-9])")
"""The pegs that a board shows before the same feedback in numbers."""

MOVE_KEYS = ("guess", "feedback", "black", "white", "bulls", "cows")
"""Keys of a move as a mapping."""

Given = str | tuple[str, str]
"""Moves as a program gives them: a text with moves, or a guess and its feedback."""


class Row(NamedTuple):
    """What a row of text says: as many guesses as feedback, or only one kind.

    `left_out` are the moves that are marked as uncertain.
    """

    guesses: list[int]
    feedback: list[int]
    left_out: list[Move]


class _Reading(NamedTuple):
    """A move of a row, and where the next one begins."""

    move: Move
    is_certain: bool
    end: int


class MoveReader:
    """Reads the moves of one game, whose letters mean the same in all of them.

    A code such as bbbb is blue, unless another code of the game, such as abcd, numbers the colours
    by letters: then neither reading is chosen, and `CodebreakerError` says so.
    """

    def __init__(self, notation: "Notation") -> None:
        """Begin a game."""
        self.notation = notation
        self.left_out: list[Move] = []
        self.in_letters = False
        """Whether a code was in letters or names of colours."""

        self._numbered = ""  # the first code that can only be in letters from a
        self._doubtful = ""  # the first code that is in letters of colours or from a

    def copy(self) -> "MoveReader":
        """Return a reader for another continuation of the game."""
        copied = MoveReader(self.notation)
        copied.left_out = list(self.left_out)
        copied.in_letters = self.in_letters
        copied._numbered = self._numbered
        copied._doubtful = self._doubtful
        return copied

    def guess(self, text: str) -> int:
        """Return a guess's index, or raise `CodebreakerError`."""
        index = self.notation.guess(text)
        if self.notation.game.guesses[index] != text:  # a label has one meaning
            self._agree([text])
        return index

    def move(self, text: str) -> Move:
        """Return the move of a text, or raise `CodebreakerError`, also for several moves."""
        moves = self.moves([text])
        if len(moves) != 1:
            raise CodebreakerError(f"{text!r} is not one move")
        return moves[0]

    def moves(self, texts: Sequence[str]) -> list[Move]:
        """Return the moves of texts; uncertain ones are added to `left_out`.

        A text has one move or more; or all texts together are words of moves, as a shell splits
        them. Raises `CodebreakerError` that names the first text that can't be read.
        """
        for text in texts:
            typed_text(text)  # raises for what is not text
        rows = [row for text in texts for row in text.strip().splitlines() or [""]]
        try:
            read = [*self._complete(rows)]
        except CodebreakerError as error:
            if len(rows) == 1:
                raise
            try:
                read = [*self._complete([" ".join(rows)])]
            except CodebreakerError:
                if any(":" in row for row in rows):
                    raise error from None
                raise
        for row in read:
            self.left_out += row.left_out
        return [move for row in read for move in zip(row.guesses, row.feedback, strict=True)]

    def _complete(self, rows: Iterable[str]) -> Iterator[Row]:
        """Yield rows that have guesses with their feedback, or raise `CodebreakerError`."""
        for number, text in enumerate(rows, start=1):
            try:
                row = self.row(text, number)
                if len(row.guesses) != len(row.feedback) or not (row.guesses or row.left_out):
                    self._check_colours(self._tokens(text))
                    raise self._incomplete(row)
            except CodebreakerError as error:
                raise CodebreakerError(f"move {number}, {text.strip()}: {error}") from None
            yield row

    def _incomplete(self, row: Row) -> CodebreakerError:
        """Return the error for a row that lacks feedback, a guess, or both."""
        notation = self.notation
        example = notation.game.guesses[0]
        lacks = ""
        if row.guesses and not row.feedback:
            lacks = "it lacks its feedback: "
            example = notation.game.guesses[row.guesses[0]]
        elif row.feedback and not row.guesses:
            lacks = "it lacks its guess: "
        return CodebreakerError(
            f"{lacks}a move is GUESS:{notation.kind.form}, as in {example}:{notation.kind.example}"
        )

    def _check_colours(self, tokens: Sequence[str]) -> None:
        """Raise `CodebreakerError` for a row that begins with colours, one of them unknown."""
        rules = self.notation.rules
        if isinstance(rules, CodeRules):
            rules.check_names(" ".join(tokens[: rules.pegs]))

    def _colours(self, tokens: Sequence[str]) -> int:
        """Return how many tokens name colours, from the first on, at most as many as a code has."""
        rules = self.notation.rules
        if not isinstance(rules, CodeRules):
            return 0
        pegs = map(self.notation.usual, tokens[: rules.pegs])
        return len([*takewhile(lambda peg: rules.by_names(peg) is not None, pegs)])

    def _is_sentence(self, text: str, tokens: Sequence[str]) -> bool:
        """Return whether a row without a readable move is a sentence.

        Colours and feedback are a move that can't be read, as a colour is unknown or missing.
        """
        words = [token for token in tokens if token.isalpha()]
        if ":" in text or len(words) < SENTENCE or max(map(len, words)) == 1:
            return False
        rules = self.notation.rules
        if not isinstance(rules, CodeRules):
            return True
        has_colour = any(rules.by_names(token) for token in tokens[: rules.pegs])
        ends = (self._colours(tokens), rules.pegs)
        has_feedback = any(_feedback(self.notation, tokens[end:]) is not None for end in ends)
        return not (has_colour and has_feedback)

    def row(self, text: str, turn: int) -> Row:
        """Return what a row says, which may begin with its `turn`; a sentence says nothing.

        Raises `CodebreakerError` if the row can't be read, or has two readings.
        """
        if len(text) > LONGEST_ROW:
            raise CodebreakerError("the line is too long for a move")
        text = with_emoji(text)  # their names have colons
        notation = self.notation
        if not isinstance(notation.rules, CodeRules) and ":" in text:
            # Labels of tables may be any text.
            guess, _, feedback = text.partition(":")
            index = notation.guess_or_none(guess)
            answer = notation.feedback_or_none(feedback)
            if index is not None and answer is not None:
                return Row([index], [answer], [])
        tokens = self._tokens(text)
        if not tokens:
            return Row([], [], [])
        numbered = len(tokens) > 1 and re.fullmatch(rf"#?{turn}[.)]?", tokens[0])
        # A first token that is the turn may be the number of the row, or begin a guess.
        parts = [tokens[1:], tokens] if numbered else [tokens]
        readings = [reading for part in parts for reading in self._readings(part)]
        if not readings:
            readings = [reading for part in parts for reading in self._feedback_first(part)]
        bare = [guesses for part in parts if (guesses := self._bare(part))]
        if not readings and not bare:
            parts = [self._split(part, turn) for part in parts]
            readings = [reading for part in parts for reading in self._readings(part)]
        if readings:
            distinct = {tuple(move[:2] for move in reading): reading for reading in readings}
            is_in_letters = bare and all(token.isalpha() for token in tokens)
            if len(distinct) > 1 or is_in_letters:
                raise CodebreakerError(self._two_readings(text, [*distinct], bare))
            ((_, reading),) = distinct.items()
            self._agree([*_codes_in(notation, tokens), *tokens[: self._colours(tokens)]])
            certain = [made.move for made in reading if made.is_certain]
            left_out = [made.move for made in reading if not made.is_certain]
            return Row([guess for guess, _ in certain], [answer for _, answer in certain], left_out)
        if bare:
            self._agree([*_codes_in(notation, tokens), *tokens[: self._colours(tokens)]])
            return Row(bare[0], [], [])
        for part in parts:
            if (joined := _feedback(notation, part)) is not None:
                return Row([], [joined], [])
            answers = [notation.feedback_or_none(token) for token in part]
            if answers and None not in answers:
                return Row([], [answer for answer in answers if answer is not None], [])
        if all(self._is_sentence(text, part) for part in parts):
            return Row([], [], [])
        has_turn = numbered and (not tokens[0].isdigit() or self._colours(tokens[1:]) > 0)
        raise self._error(text, tokens[1:] if has_turn else tokens)

    def _tokens(self, text: str) -> list[str]:
        """Return the words of a row; each colour of a code is a single one."""
        if isinstance(self.notation.rules, CodeRules):
            text = SKY_BLUE.sub("sky-blue", text)
        return _tokens(text, self.notation.signs)

    def _readings(self, tokens: Sequence[str]) -> list[list[_Reading]]:
        """Return up to two ways to read all tokens as moves, each a guess and its feedback."""
        # From each token on, the ways to read the rest; known from the last token back.
        ways: list[list[list[_Reading]]] = [[] for _ in tokens] + [[[]]]
        for start in reversed(range(len(tokens))):
            for made in self._moves_at(tokens, start):
                ways[start] += [[made, *rest] for rest in ways[made.end]]
            del ways[start][MOST_READINGS:]
        return [way for way in ways[0] if way]

    def _moves_at(self, tokens: Sequence[str], start: int) -> Iterator[_Reading]:
        """Yield the moves that may begin at a token, which may be its number or a mark of doubt."""
        is_certain = True
        if tokens[start] == UNCERTAIN:
            is_certain = False
            start += 1
        elif re.fullmatch(r"#?[0-9]+[.)]", tokens[start]):
            start += 1
        longest_guess = self._most_pegs
        for middle in range(start + 1, min(start + longest_guess, len(tokens)) + 1):
            guess = self.notation.guess_or_none(" ".join(tokens[start:middle]))
            if guess is None:
                continue
            for end in range(middle + 1, min(middle + 2 * longest_guess + 6, len(tokens)) + 1):
                feedback = _feedback(self.notation, tokens[middle:end])
                if feedback is None:
                    continue
                yield _Reading((guess, feedback), is_certain, end)
                # A mark between two moves may belong to either: these are two readings.
                if end < len(tokens) and tokens[end] == UNCERTAIN:
                    yield _Reading((guess, feedback), False, end + 1)

    @property
    def _most_pegs(self) -> int:
        """The number of pegs or letters of a guess."""
        rules = self.notation.rules
        return rules.pegs if isinstance(rules, CodeRules) else len(self.notation.game.guesses[0])

    def _split(self, tokens: Sequence[str], turn: int) -> list[str]:
        """Return tokens that are guesses with their feedback, such as `1123,1,1`, in two.

        A row of a table may begin with the turn.
        """
        split = list[str]()
        for token in tokens:
            match = JOINED.fullmatch(re.sub(rf"^{turn}[,;]", "", token))
            if match and self.notation.guess_or_none(match[1]) is not None:
                split += match.groups()
            else:
                split.append(token)
        return split

    def _feedback_first(self, tokens: Sequence[str]) -> list[list[_Reading]]:
        """Return the way to read tokens as feedback before its guess, as under Wordle's squares."""
        if len(tokens) < 2:
            return []
        guess = self.notation.guess_or_none(tokens[-1])
        feedback = _feedback(self.notation, tokens[:-1])
        if guess is None or feedback is None:
            return []
        return [[_Reading((guess, feedback), True, len(tokens))]]

    def _bare(self, tokens: Sequence[str]) -> list[int]:
        """Return the guesses of tokens that are guesses alone, or of one that is spaced."""
        joined = self.notation.guess_or_none(" ".join(tokens))
        if joined is not None:
            return [joined]
        guesses = [self.notation.guess_or_none(token) for token in tokens]
        return [guess for guess in guesses if guess is not None] if None not in guesses else []

    def _agree(self, codes: Iterable[str]) -> None:
        """Note how codes are written; raise `CodebreakerError` for letters used in two ways."""
        rules = self.notation.rules
        if not isinstance(rules, CodeRules) or not rules.letters:
            return
        for code in codes:
            typed = self.notation.usual(code)
            if rules.by_names(typed) is not None:
                self.in_letters = True
                continue
            meanings = rules.meanings(typed)
            pegs = set(re.sub(r"[\s,]+", "", typed))
            self.in_letters = self.in_letters or pegs <= {*rules.letters}
            if len(meanings) > 1:
                self._doubtful = self._doubtful or typed
            elif not pegs <= rules.colour_pegs:
                self._numbered = self._numbered or typed
        if self._doubtful and self._numbered:
            colours, numbered = rules.meanings(self._doubtful)
            raise CodebreakerError(
                f"{self._doubtful!r} may be {colours}, by the letters of the colours, or "
                f"{numbered}, as letters are numbers in {self._numbered!r}: write the numbers"
            )

    def _two_readings(
        self, text: str, readings: Sequence[tuple[tuple[Move, bool], ...]], bare: Sequence[object]
    ) -> str:
        """Return why a row is not read: it may mean two things."""
        ways = [
            " ".join(self.notation.text(move) + UNCERTAIN * (not certain) for move, certain in way)
            for way in readings
        ]
        if bare:
            ways.append("guesses alone")
        return (
            f"{text.strip()!r} may be {' or '.join(ways)}: write a move as in "
            f"{self.notation.game.guesses[0]}:{self.notation.kind.example}"
        )

    def _error(self, text: str, tokens: Sequence[str]) -> CodebreakerError:
        """Return why a row can't be read: its guess, its feedback, or both."""
        notation = self.notation
        pegs = self._most_pegs
        try:
            self._check_colours(tokens)
        except CodebreakerError as error:
            return error
        is_spaced = all(len(token) == 1 for token in tokens[:pegs])
        before, colon, _ = text.partition(":")
        left_out = len(self._tokens(text)) - len(tokens)  # the number of the row
        is_before_colon = bool(colon) and len(self._tokens(before)) - left_out == pegs
        middle = max(self._colours(tokens), 1)
        if len(tokens) > pegs and (is_spaced or is_before_colon):
            middle = pegs
        end = middle + 1  # any feedback has one token or more
        while end < len(tokens) and notation.guess_or_none(tokens[end]) is None:
            end += 1
        first = " ".join(tokens[:middle])
        rest = " ".join(tokens[middle:end])
        if not isinstance(notation.rules, CodeRules) and text.count(":") == 1:
            first, _, rest = text.partition(":")
        try:
            notation.guess(first)
            notation.feedback(rest)
        except CodebreakerError as error:
            return error
        example = f"{notation.game.guesses[0]} {notation.kind.example}"
        return CodebreakerError(f"write a move as in {example}")


def in_dialect(
    notation: "Notation", read: Callable[["Notation"], Iterable[int]]
) -> "Notation | None":
    """Return a game's notation in the dialect in which all of its codes can be read, if any.

    It is for codes that can't be read in the usual way. `read` returns the indices of all guesses
    that it reads, or raises `CodebreakerError`. At least one of them needs the dialect.
    """
    rules = notation.rules
    for dialect in dialects_of(rules):
        assert isinstance(rules, CodeRules), "only codes have dialects"
        spoken = replace(notation, dialect=dialect)
        try:
            labels = [notation.game.guesses[guess] for guess in read(spoken)]
        except CodebreakerError:
            continue
        if any(dialect.is_seen_in(rules, label) for label in labels):
            return spoken
    return None


def read_moves(
    notation: "Notation", read: Callable[[MoveReader], list[Move]]
) -> tuple[list[Move], MoveReader]:
    """Return what `read` reads with a reader of a game, which may have a dialect, and the reader.

    Who asks says which dialect was taken. Raises `CodebreakerError` as `read` does.
    """
    reader = MoveReader(notation)
    try:
        return read(reader), reader
    except CodebreakerError:
        spoken = in_dialect(
            notation, lambda spoken: [guess for guess, _ in read(MoveReader(spoken))]
        )
        if spoken is None:
            raise
    reader = MoveReader(spoken)
    return read(reader), reader


def given_moves(moves: Any) -> list[Given]:  # noqa: ANN401 (whatever a program gives)
    """Return moves that a program gives, each as a text, or as a pair of texts.

    They are a text, a mapping with the feedback by guess, or listed. In a list a move is a text, a
    pair, a triple with both numbers of pegs, or a mapping with `guess` and `feedback`, or with the
    numbers as `black` and `white`, or `bulls` and `cows`. Feedback is text or numbers of pegs.
    Raises `CodebreakerError` for anything else.
    """
    if isinstance(moves, str):
        return [moves]
    listed = moves.items() if isinstance(moves, Mapping) else moves
    if not isinstance(listed, Iterable):
        raise CodebreakerError(f"the moves are {quoted(moves)}: list them, as in [['1122', '1,0']]")
    return [_given_move(number, move) for number, move in enumerate(listed, start=1)]


def _given_move(number: int, move: Any) -> Given:  # noqa: ANN401 (whatever a program gives)
    """Return a move of a list as a text or as a pair of texts."""
    if isinstance(move, str):
        return move
    if isinstance(move, Mapping):
        parts = [move[key] for key in MOVE_KEYS if key in move]
    else:
        parts = [*move] if isinstance(move, Iterable) else []
    match parts:
        case [str(text)] if not isinstance(move, Mapping):
            return text
        case [guess, feedback]:
            return guess, feedback_text(feedback)
        case [guess, int() | np.integer() as first, second]:
            return guess, feedback_text([first, second])
    raise CodebreakerError(
        f"move {number}, {quoted(move)}, is not a guess and its feedback, as in ['1122', '1,0']"
    )


def feedback_text(feedback: Any) -> Any:  # noqa: ANN401 (whatever a program gives)
    """Return feedback as text; numbers are joined, and other things are left for the reader."""
    numbers = feedback.tolist() if isinstance(feedback, np.ndarray) else feedback
    numbers = [numbers] if isinstance(numbers, int | np.integer) else numbers
    if isinstance(numbers, str) or not isinstance(numbers, Sequence):
        return numbers
    return ",".join(map(str, numbers))


def typed_text(text: object) -> str:
    """Return text as it is compared; codes as numbers would lose their first 0."""
    if not isinstance(text, str):
        why = f"{text!r} is not text: write codes and feedback as '1122' and '1,0'"
        raise CodebreakerError(why)
    return with_emoji(text.replace(EMOJI_STYLE, "")).strip().lower()


def _tokens(text: str, signs: Iterable[str]) -> list[str]:
    """Return the words of a row, without brackets, and without signs and arrows between them."""
    plain = typed_text(text).translate(BRACKETS).replace(UNCERTAIN, f" {UNCERTAIN} ")
    for sign in signs:
        plain = plain.replace(sign, " ")
    words = [word.strip(",;") for word in plain.split() if word.strip(",;")]
    # A dash at the end is feedback without pegs.
    return [word for word in words[:-1] if word not in ARROWS] + words[-1:]


def _codes_in(notation: "Notation", tokens: Sequence[str]) -> list[str]:
    """Return the tokens that are codes; the letters of a spaced code are looked up together."""
    codes = [token for token in tokens if notation.guess_or_none(token) is not None]
    spaced = "".join(token for token in tokens if len(token) == 1 and token.isalnum())
    return codes or ([spaced] if notation.guess_or_none(spaced) is not None else [])


def _feedback(notation: "Notation", tokens: Sequence[str]) -> int | None:
    """Return the id of feedback in words, numbers or pegs, or None."""
    text = " ".join(tokens)
    feedback = notation.feedback_or_none(text)
    if feedback is None:
        return notation.feedback_or_none(DRAWN_BEFORE_NUMBERS.sub("", text))
    return feedback
