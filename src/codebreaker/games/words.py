"""Games with lists of words: letters in place, marks as in Wordle, or pegs."""

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import groupby
from pathlib import Path
from string import ascii_lowercase
from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from codebreaker.errors import CodebreakerError, counted, nearest, unknown
from codebreaker.files import DATA, in_utf8, read_given
from codebreaker.games import feedback as kinds
from codebreaker.games.model import GameModel, TableGame
from codebreaker.types import FeedbackIds, SymbolMatrix

COMMENT = "#"
SEPARATOR = ":"
BETWEEN_WORDS = ' ,;\t"'
LIKE_A_WORD = 0.7
"""Minimum likeness of an unknown word and the one that it is taken for, from 0 to 1."""
LARGEST_MIB = 64
MOST_DIGITS = 18

PACKAGED = DATA / "words"
LIST_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MARK_LETTERS = "byg"  # absent, elsewhere, in place
ROWS_AT_ONCE = 256

LISTED_LETTERS = 10
"""Maximum length of words all of whose 3^n rows of marks have ids: 59,049 with ten letters.

Games of longer words have ids for the rows that occur.
"""

Feedback = Callable[[SymbolMatrix], FeedbackIds]
"""Returns the feedback ids of guesses to some secrets, (n_guesses, n_secrets)."""

MarkNumbers = NDArray[np.unsignedinteger]
"""Rows of marks as numbers in base 3: b is 0, y 1 and g 2."""


@dataclass(frozen=True)
class WordFiles:
    """A word list's files or packaged names; without `guesses` only secrets may be guessed.

    The words of `rare` may be the secret, too.
    """

    secrets: str
    guesses: str | None = None
    alphabet: str = ascii_lowercase
    prior: str | None = None
    rare: str | None = None

    @property
    def paths(self) -> tuple[str, ...]:
        """Return the lists' files or packaged names."""
        paths = (self.secrets, self.guesses, self.rare)
        return tuple(path for path in paths if path is not None)


BUNDLED = {
    "five": WordFiles("five-secrets", "five-guesses"),
    "common": WordFiles("common-secrets", "common-guesses"),
    "rare": WordFiles("common-guesses", rare="further-guesses"),
    "example": WordFiles("no-strategy-is-best"),
}


RARER = {"common": "rare"}
"""The bundled lists with rarer secrets, too, by the usual ones."""


def find_words(name: str, folder: str | Path = "") -> str:
    """Return the path of a packaged list, or of a file in the working folder or in `folder`."""
    if name in packaged_lists():
        return str(PACKAGED / f"{name}.txt")
    with suppress(OSError):  # a name that is too long for a file
        if Path(name).exists():
            return name
    return str(Path(folder, name))


def packaged_lists() -> list[str]:
    """Return the packaged lists' names."""
    return sorted(path.stem for path in PACKAGED.glob("[a-z]*.txt"))


class Word(NamedTuple):
    """A word and its place in a file."""

    text: str
    path: str
    line: int

    @property
    def place(self) -> str:
        """Return the file and line for errors."""
        return f"{self.path}, line {self.line}"


def read_words(name: str, alphabet: str = ascii_lowercase) -> list[Word]:
    """Read a word list in lower case; # begins comments; `CodebreakerError` names a faulty line."""
    letters = checked_alphabet(alphabet)
    path = find_words(name)
    words: dict[str, Word] = {}
    known = f"name a file, or one of {', '.join(packaged_lists())}"
    for word in _read_lines(path, "word list ", known):
        check_letters(word, letters)
        if word.text in words:
            first = words[word.text].line
            why = f"{word.place}: {word.text!r} is already in line {first}: remove one"
            raise CodebreakerError(why)
        words[word.text] = word
    if not words:
        raise CodebreakerError(f"word list {path} has no words: write one per line")
    return list(words.values())


def checked_alphabet(alphabet: str) -> str:
    """Return an alphabet whose accents are part of their letters, as in NFC.

    Raises `CodebreakerError` for capitals, spaces, #, : and letters that are given twice.
    """
    letters = unicodedata.normalize("NFC", alphabet)
    for letter in letters:
        if letter == SEPARATOR:
            raise CodebreakerError(
                f"alphabet {alphabet!r} has {letter!r}, which separates a guess and its feedback: "
                "use another sign for it",
                "alphabet",
            )
        if letter != letter.lower() or letter.isspace() or letter == COMMENT:
            raise CodebreakerError(
                f"alphabet {alphabet!r} has {letter!r}: use lower-case letters, no space or #",
                "alphabet",
            )
        if letters.count(letter) > 1:
            why = f"alphabet {alphabet!r} has {letter!r} twice: remove one"
            raise CodebreakerError(why, "alphabet")
    return letters


def check_letters(word: Word, alphabet: str) -> None:
    """Raise `CodebreakerError` that names the first letter of a word outside the alphabet."""
    for letter in word.text:
        if letter in BETWEEN_WORDS and letter not in alphabet:
            raise CodebreakerError(
                f"{word.place}: {word.text!r} is not one word: write each word in a line of its own"
            )
        if letter not in alphabet:
            raise CodebreakerError(
                f"{word.place}: the letter {letter!r} of {word.text!r} is not in the alphabet "
                f"{alphabet!r}: correct the word, or use another alphabet",
                "alphabet",
            )


def read_prior(path: str, game: "GameModel | WordRules") -> dict[str, int]:
    """Read a secret and its integer weight per line; `CodebreakerError` names a faulty line."""
    weights: dict[str, int] = {}
    secrets = set(game.secrets)
    for line in _read_lines(path, "prior ", "name a file"):
        label, _, number = " ".join(line.text.replace(",", " ").split()).partition(" ")
        if not number.isascii() or not number.isdecimal() or len(number) > MOST_DIGITS:
            why = f"{line.place}: {line.text!r} is not a secret and its integer weight"
            raise CodebreakerError(why)
        if label not in secrets:
            raise CodebreakerError(f"{line.place}: {label!r} is not a secret of {game.name}")
        if label in weights:
            raise CodebreakerError(f"{line.place}: {label!r} already has a weight: remove one")
        weights[label] = int(number)
    return weights


def _read_lines(path: str, kind: str, remedy: str) -> Iterator[Word]:
    """Yield a file's lines in lower case, without comments; errors as for `read_given`."""
    content = in_utf8(read_given(path, LARGEST_MIB, kind, remedy)).removeprefix(b"\xef\xbb\xbf")
    try:
        lines = re.split("\r\n?|\n", unicodedata.normalize("NFC", content.decode("utf-8").lower()))
    except UnicodeDecodeError as error:
        number = len((content[: error.start] + b".").splitlines())
        why = f"{path}, line {number}: not UTF-8 text: save the file as UTF-8"
        raise CodebreakerError(why) from None
    for number, line in enumerate(lines, start=1):
        if (text := line.strip()) and not text.startswith(COMMENT):
            yield Word(text, path, number)


def by_length(path: str) -> dict[int, tuple[str, ...]]:
    """Return a file's words by length, in lexicographic order."""
    words = sorted((word.text for word in read_words(path)), key=lambda text: (len(text), text))
    return {length: tuple(group) for length, group in groupby(words, len)}


@dataclass(frozen=True)
class WordRules(ABC):
    """The rules of a game with words, which are in lexicographic order."""

    family: ClassVar[str]
    description: ClassVar[str]
    name_form: ClassVar[str]
    example: ClassVar[str]
    feedback_kind: ClassVar[kinds.FeedbackKind]
    most_letters: ClassVar[int]

    name: str
    guesses: tuple[str, ...]
    secrets: tuple[str, ...]

    @classmethod
    def parse(cls, name: str, word_lists: Mapping[str, WordFiles]) -> Self:
        """Read the word list that a game names, or raise `CodebreakerError`."""
        listed = name.removeprefix(f"{cls.family}-")
        if not LIST_NAME.fullmatch(listed) or not word_lists:
            raise CodebreakerError(
                f"game {name!r} names no word list: write {cls.name_form}, with the name of a list",
                "word_lists",
            )
        if listed not in word_lists:
            raise unknown("word list", listed, word_lists)
        files = word_lists[listed]
        secrets = read_words(files.secrets, files.alphabet)
        if files.rare is not None:
            secrets += read_words(files.rare, files.alphabet)
        others = [] if files.guesses is None else read_words(files.guesses, files.alphabet)
        words = secrets + others
        first = words[0]
        for word in words:
            if len(word.text) != len(first.text):
                raise CodebreakerError(
                    f"{word.place}: {word.text!r} has {counted(len(word.text), 'letter')}, but "
                    f"{first.text!r} ({first.place}) has {len(first.text)}: "
                    "all words of a game have the same length"
                )
        return cls.of(name, secrets, others)

    @classmethod
    def of(cls, name: str, secrets: list[Word], others: list[Word]) -> Self:
        """Return the rules for words; `others` may be guessed, too."""
        first = secrets[0]
        if len(first.text) > cls.most_letters:
            raise CodebreakerError(
                f"{first.place}: {first.text!r} has {counted(len(first.text), 'letter')}: "
                f"{cls.family} games have at most {cls.most_letters}"
            )
        texts = [word.text for word in secrets]
        guesses = {*texts, *(word.text for word in others)}
        return cls(name, tuple(sorted(guesses)), tuple(sorted(texts)))

    @property
    def letters(self) -> int:
        """Return the words' length."""
        return len(self.secrets[0])

    @property
    def table_shape(self) -> tuple[int, int]:
        """Return the numbers of guesses and secrets."""
        return len(self.guesses), len(self.secrets)

    @cached_property
    def bytes_per_id(self) -> int:
        """Return the bytes of a feedback id in the table."""
        return kinds.id_type(len(self.feedback_labels())).itemsize

    @property
    def guess_form(self) -> str:
        """Return what a guess consists of."""
        return f"a word of {counted(self.letters, 'letter')}"

    @abstractmethod
    def feedback_labels(self) -> tuple[str, ...]:
        """Return each feedback id's label; the last means solved."""

    @abstractmethod
    def _feedback_to(self, secrets: SymbolMatrix) -> Feedback:
        """Return a function that computes feedback to the secrets, (n_secrets, n_letters)."""

    def check_guess(self, label: str) -> None:
        """Raise `CodebreakerError` unless `label` may be guessed."""
        if label not in self.guesses:
            near = nearest(label, self.guesses, LIKE_A_WORD)
            remedy = "choose one of them" if near is None else f"did you mean {near!r}?"
            raise CodebreakerError(
                f"{label!r} is not among the {counted(len(self.guesses), 'word')} that may be "
                f"guessed in {self.name}: {remedy}"
            )

    def with_typed(self, texts: Iterable[str]) -> tuple[Self, tuple[str, ...]]:
        """Return rules that allow words of typed moves, too, and these words.

        Feedback needs a word's letters alone, and somebody else's game may have other words. Texts
        that are made of marks are not taken for words.
        """
        tokens = {token for text in texts for token in re.findall("[a-z]+", text.lower())}
        marks = set(kinds.OTHER_MARKS + MARK_LETTERS)
        others = tuple(
            token
            for token in sorted(tokens.difference(self.guesses))
            if len(token) == self.letters and not set(token) <= marks
        )
        return replace(self, guesses=tuple(sorted({*self.guesses, *others}))), others

    @property
    def rarer_name(self) -> str | None:
        """The name of the game in which rarer words are secrets, too; None without one."""
        listed = self.name.removeprefix(f"{self.family}-")
        return f"{self.family}-{RARER[listed]}" if listed in RARER else None

    def with_rarer(self, moves: Iterable[tuple[str, int]]) -> Self | None:
        """Return rules whose secrets are the rarer words that moves allow; None without any.

        They are the secrets that only the list with rarer words has. Moves are guesses and feedback
        ids.
        """
        listed = self.name.removeprefix(f"{self.family}-")
        if listed not in RARER:
            return None
        paths = BUNDLED[RARER[listed]].paths
        words = {word.text for path in paths for word in read_words(path)}
        left = tuple(sorted(words.difference(self.secrets)))
        for guess, feedback in moves:
            ids = self._feedback_to(_letters(left))(_letters((guess,)))[0]
            answers = zip(left, ids.tolist(), strict=True)
            left = tuple(word for word, answer in answers if answer == feedback)
            if not left:
                return None
        return replace(self, guesses=tuple(sorted({*self.guesses, *left})), secrets=left)

    def is_secret(self, label: str) -> bool:
        """Return whether a word may be the secret."""
        return label in self.secrets

    def build(self) -> TableGame:
        """Return the game with its feedback table."""
        guesses = _letters(self.guesses)
        secrets = _letters(self.secrets)
        labels = self.feedback_labels()
        table = np.empty(self.table_shape, dtype=kinds.id_type(len(labels)))
        feedback = self._feedback_to(secrets)
        for start in range(0, len(guesses), ROWS_AT_ONCE):
            rows = slice(start, start + ROWS_AT_ONCE)
            table[rows] = feedback(guesses[rows])
        return TableGame(
            name=self.name,
            guesses=self.guesses,
            secrets=self.secrets,
            table=table,
            feedback_labels=labels,
            solved=len(labels) - 1,
            guess_of_secret=np.searchsorted(self.guesses, self.secrets).astype(np.int32),
        )


def about_other(word: str, known: Iterable[str]) -> str:
    """Return what is said of a guess that is in no list, and the known word that is like it."""
    near = nearest(word, known, LIKE_A_WORD)
    meant = "" if near is None else f" (did you mean {near!r}?)"
    return f"{word!r} is not in the word list{meant}: taken as a guess"


class Matches(WordRules):
    """The number of letters in place, as in the terminals of Fallout 3."""

    family = "matches"
    description = "words, as in the terminals of Fallout 3"
    name_form = "matches-LIST"
    example = "matches-example"
    feedback_kind = kinds.MATCHES
    most_letters = 254

    def feedback_labels(self) -> tuple[str, ...]:
        """Return the labels 0, 1, ... n."""
        return tuple(str(matches) for matches in range(self.letters + 1))

    def _feedback_to(self, secrets: SymbolMatrix) -> Feedback:
        return lambda guesses: _in_place(guesses, secrets)


class Marks(WordRules):
    """A mark per letter: g in place, y elsewhere (greens first, then from the left), b absent."""

    family = "marks"
    description = "words, as in Wordle"
    name_form = "marks-LIST"
    example = "marks-five"
    feedback_kind = kinds.MARKS
    most_letters = 15

    def feedback_labels(self) -> tuple[str, ...]:
        """Return the possible labels, such as bygbb; of longer words those alone that occur.

        Raises `CodebreakerError` if more occur than a game can have.
        """
        labels: list[str] = _rows_of_marks(self._numbers, self.letters).tolist()
        return tuple(labels)

    @cached_property
    def bytes_per_id(self) -> int:
        """Return the bytes of a feedback id in the table."""
        return kinds.id_type(min(3**self.letters, kinds.MOST_FEEDBACK)).itemsize

    def never_occurs(self, label: str) -> bool:
        """Return whether marks are possible, but no secret gives them to any guess."""
        is_possible = len(label) == self.letters and _is_possible(label)
        return is_possible and label not in self.feedback_labels()

    @cached_property
    def _numbers(self) -> NDArray[np.int64]:
        """The numbers of the rows of marks that have feedback ids, ascending, (n_feedback,)."""
        if self.letters > LISTED_LETTERS:
            return self._numbers_that_occur()
        rows = _rows_of_marks(np.arange(3**self.letters), self.letters)
        return np.flatnonzero([_is_possible(row) for row in rows.tolist()])

    def _numbers_that_occur(self) -> NDArray[np.int64]:
        """Return the numbers of the rows of marks of any guess to any secret, ascending."""
        occurs = np.zeros(3**self.letters, dtype=np.bool_)
        guesses = _letters(self.guesses)
        numbers_to = self._numbers_to(_letters(self.secrets))
        for start in range(0, len(guesses), ROWS_AT_ONCE):
            occurs[numbers_to(guesses[start : start + ROWS_AT_ONCE])] = True
            # Checked each time, since far too many words would take minutes.
            if np.count_nonzero(occurs) > kinds.MOST_FEEDBACK:
                raise CodebreakerError(
                    f"game {self.name!r}: its {counted(len(self.guesses), 'word')} of "
                    f"{self.letters} letters have more than {kinds.MOST_FEEDBACK:,} different rows "
                    f"of marks, which is the limit: use fewer words, or at most {LISTED_LETTERS} "
                    "letters"
                )
        return np.flatnonzero(occurs)

    def _numbers_to(self, secrets: SymbolMatrix) -> Callable[[SymbolMatrix], MarkNumbers]:
        """Return a function that computes guesses' marks as numbers, (n_guesses, n_secrets)."""
        number_type = np.min_scalar_type(3**self.letters - 1)
        powers = (3 ** np.arange(self.letters - 1, -1, -1)).astype(number_type)

        @cache
        def marks_of(letter: int, *positions: int) -> MarkNumbers:
            """Return a letter's part of the numbers, (n_secrets,), at its positions in a guess."""
            green = secrets[:, positions] == letter
            unused = (secrets == letter).sum(axis=1) - green.sum(axis=1)
            total = np.zeros(len(secrets), dtype=number_type)
            for position, is_green in zip(positions, green.T, strict=True):
                yellow = ~is_green & (unused > 0)
                unused -= yellow
                total += (powers[position] * (2 * is_green + yellow)).astype(number_type)
            return total

        def numbers(guesses: SymbolMatrix) -> MarkNumbers:
            marks = np.zeros((len(guesses), len(secrets)), dtype=number_type)
            for row, word in zip(marks, guesses.tolist(), strict=True):
                for letter in set(word):
                    positions = (i for i in range(len(word)) if word[i] == letter)
                    row += marks_of(letter, *positions)
            return marks

        return numbers

    def _feedback_to(self, secrets: SymbolMatrix) -> Feedback:
        """Return a function that computes marks as numbers, and looks up their ids."""
        numbers = self._numbers
        id_of = np.zeros(max(3**self.letters, kinds.BYTE), dtype=kinds.id_type(len(numbers)))
        id_of[numbers] = np.arange(len(numbers))
        numbers_to = self._numbers_to(secrets)

        def feedback(guesses: SymbolMatrix) -> FeedbackIds:
            marks = numbers_to(guesses)
            if marks.itemsize > 1:
                return id_of[marks]
            # Translating bytes is faster than indexing.
            ids = marks.tobytes().translate(id_of.tobytes())
            return np.frombuffer(ids, np.uint8).reshape(marks.shape)

        return feedback


def _is_possible(marks: str) -> bool:
    """Return whether a row of marks can be feedback: not if only its one y is not in place."""
    return "b" in marks or marks.count("y") != 1


def _rows_of_marks(numbers: NDArray[np.int64], letters: int) -> NDArray[np.str_]:
    """Return the rows of marks of numbers in base 3, (n,)."""
    powers = 3 ** np.arange(letters - 1, -1, -1)
    marks = np.array([*MARK_LETTERS])[numbers[:, None] // powers % 3]
    rows: NDArray[np.str_] = marks.view(f"<U{letters}")[:, 0]
    return rows


class Pegs(WordRules):
    """The numbers of black and white pegs; words may be codes such as `1122`."""

    family = "pegs"
    description = "words, or some of Mastermind's codes, with Mastermind's feedback"
    name_form = "pegs-LIST"
    example = "pegs-example"
    feedback_kind = kinds.BLACK_AND_WHITE
    most_letters = 21

    def feedback_labels(self) -> tuple[str, ...]:
        """Return the possible labels, such as 1B-2C."""
        return tuple(f"{black}B-{white}C" for black, white in kinds.peg_pairs(self.letters))

    def _feedback_to(self, secrets: SymbolMatrix) -> Feedback:
        def feedback(guesses: SymbolMatrix) -> FeedbackIds:
            black = _in_place(guesses, secrets)
            common = np.zeros_like(black)
            for letter in np.unique(guesses):
                amounts = [
                    (words == letter).sum(axis=1, dtype=np.uint8) for words in (guesses, secrets)
                ]
                common += np.minimum.outer(*amounts)
            ids: FeedbackIds = ids_of_pegs[black, common]
            return ids

        ids_of_pegs = kinds.ids_by_pegs(self.letters, kinds.peg_pairs(self.letters))
        return feedback


def _in_place(guesses: SymbolMatrix, secrets: SymbolMatrix) -> FeedbackIds:
    """Return the number of letters in equal places, (n_guesses, n_secrets) uint8."""
    same: FeedbackIds = (guesses[:, None, :] == secrets[None, :, :]).sum(axis=2, dtype=np.uint8)
    return same


def _letters(words: tuple[str, ...]) -> SymbolMatrix:
    """Return words of equal length as rows of code points, (n_words, n_letters) uint32."""
    return np.array(words).view(np.uint32).reshape(len(words), -1)
