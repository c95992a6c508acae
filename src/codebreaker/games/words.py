"""Games with lists of words: exact matches (`matches-{list}`), marks (`marks-{list}`) or pegs.

In `matches` the feedback is the number of letters in place, as in the terminals of Fallout 3. In
`marks` it is a mark for each letter of the guess, as in Wordle: g if the letter is in place, y if
it is elsewhere in the secret, b if it is absent. Each letter of the secret accounts for one mark:
greens first, then yellows from the left. In `pegs-{list}` it is Mastermind's: black pegs for
letters in place, white pegs for others that both words have. A list may have codes, such as `1122`,
so that any subset of Mastermind's codes makes a game.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import ClassVar, Self

import numpy as np

from codebreaker.errors import CodebreakerError, counted, unknown
from codebreaker.games.feedback import BLACK_AND_WHITE, MARKS, MATCHES, FeedbackKind
from codebreaker.games.feedback_table import ids_by_pegs, peg_pairs
from codebreaker.games.model import TableGame
from codebreaker.games.word_lists import Word, WordFiles, check_lengths, read_words
from codebreaker.types import FeedbackIds, SymbolMatrix

LIST_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
"""Valid names of word lists."""

MARK_LETTERS = "byg"
"""The marks in the order of their numbers: absent, elsewhere, in place."""

ROWS_AT_ONCE = 256


@dataclass(frozen=True)
class WordRules(ABC):
    """The rules of a game with words; guesses and secrets in lexicographic order."""

    family: ClassVar[str]
    description: ClassVar[str]
    name_form: ClassVar[str]
    example: ClassVar[str]
    feedback_kind: ClassVar[FeedbackKind]
    most_letters: ClassVar[int]

    name: str
    guesses: tuple[str, ...]
    secrets: tuple[str, ...]

    @classmethod
    def parse(cls, name: str, word_lists: Mapping[str, WordFiles]) -> Self:
        """Read the word list that a game names; raise `CodebreakerError` if it is invalid."""
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
        others = [] if files.guesses is None else read_words(files.guesses, files.alphabet)
        check_lengths([*secrets, *others])
        return cls.of(name, secrets, others)

    @classmethod
    def of(cls, name: str, secrets: list[Word], others: list[Word]) -> Self:
        """Return the rules of a game with these secrets; secrets and `others` may be guessed."""
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
        """Return the number of letters in each word."""
        return len(self.secrets[0])

    @property
    def table_shape(self) -> tuple[int, int]:
        """Return the numbers of guesses and of secrets."""
        return len(self.guesses), len(self.secrets)

    @property
    def guess_form(self) -> str:
        """Return what a guess consists of."""
        return f"a word of {counted(self.letters, 'letter')}"

    @abstractmethod
    def feedback_labels(self) -> tuple[str, ...]:
        """Return the label of each feedback id; the last one means solved."""

    @abstractmethod
    def _feedback(self, guesses: SymbolMatrix, secrets: SymbolMatrix) -> FeedbackIds:
        """Return the feedback ids of words as rows of letters, (n_guesses, n_secrets) uint8."""

    def check_guess(self, label: str) -> None:
        """Raise `CodebreakerError` unless `label` is a word that may be guessed."""
        if label not in self.guesses:
            raise CodebreakerError(
                f"{label!r} is not among the {len(self.guesses)} words that "
                f"may be guessed in {self.name}: choose one of them"
            )

    def build(self) -> TableGame:
        """Return the game with its feedback table."""
        guesses, secrets = _letters(self.guesses), _letters(self.secrets)
        table = np.empty(self.table_shape, dtype=np.uint8)
        for start in range(0, len(guesses), ROWS_AT_ONCE):
            rows = slice(start, start + ROWS_AT_ONCE)
            table[rows] = self._feedback(guesses[rows], secrets)
        labels = self.feedback_labels()
        return TableGame(
            name=self.name,
            guesses=self.guesses,
            secrets=self.secrets,
            table=table,
            feedback_labels=labels,
            solved=len(labels) - 1,
            guess_of_secret=np.searchsorted(self.guesses, self.secrets).astype(np.int32),
        )


class Matches(WordRules):
    """The feedback is the number of letters in place."""

    family: ClassVar[str] = "matches"
    description: ClassVar[str] = "words, as in the terminals of Fallout 3"
    name_form: ClassVar[str] = "matches-LIST"
    example: ClassVar[str] = "matches-example"
    feedback_kind: ClassVar[FeedbackKind] = MATCHES
    most_letters: ClassVar[int] = 254

    def feedback_labels(self) -> tuple[str, ...]:
        """Return the labels 0, 1, ... n."""
        return tuple(str(matches) for matches in range(self.letters + 1))

    def _feedback(self, guesses: SymbolMatrix, secrets: SymbolMatrix) -> FeedbackIds:
        matches: FeedbackIds = (guesses[:, None, :] == secrets[None, :, :]).sum(
            axis=2, dtype=np.uint8
        )
        return matches


class Marks(WordRules):
    """The feedback is a mark for each letter."""

    family: ClassVar[str] = "marks"
    description: ClassVar[str] = "words, as in Wordle"
    name_form: ClassVar[str] = "marks-LIST"
    example: ClassVar[str] = "marks-five"
    feedback_kind: ClassVar[FeedbackKind] = MARKS
    most_letters: ClassVar[int] = 5

    def feedback_labels(self) -> tuple[str, ...]:
        """Return the labels that can occur, such as bygbb; the last one is all g."""
        every = map("".join, product(MARK_LETTERS, repeat=self.letters))
        return tuple(marks for marks in every if _possible(marks))

    def _feedback(self, guesses: SymbolMatrix, secrets: SymbolMatrix) -> FeedbackIds:
        numbers = _marks(guesses, secrets) @ 3 ** np.arange(self.letters - 1, -1, -1)
        every = map("".join, product(MARK_LETTERS, repeat=self.letters))
        possible = np.array([_possible(marks) for marks in every])
        ids: FeedbackIds = (np.cumsum(possible) - 1).astype(np.uint8)[numbers]
        return ids


class Pegs(WordRules):
    """The feedback is the numbers of black and white pegs, as in Mastermind."""

    family: ClassVar[str] = "pegs"
    description: ClassVar[str] = "words, or some of Mastermind's codes, with Mastermind's feedback"
    name_form: ClassVar[str] = "pegs-LIST"
    example: ClassVar[str] = "pegs-example"
    feedback_kind: ClassVar[FeedbackKind] = BLACK_AND_WHITE
    most_letters: ClassVar[int] = 21

    def feedback_labels(self) -> tuple[str, ...]:
        """Return the labels that can occur, such as 1B-2C; the last one is all black."""
        return tuple(f"{black}B-{white}C" for black, white in peg_pairs(self.letters))

    def _feedback(self, guesses: SymbolMatrix, secrets: SymbolMatrix) -> FeedbackIds:
        black = (guesses[:, None, :] == secrets[None, :, :]).sum(axis=2)
        common = np.zeros_like(black)
        for letter in np.unique(guesses):
            amounts = ((words == letter).sum(axis=1) for words in (guesses, secrets))
            common += np.minimum.outer(*amounts)
        ids: FeedbackIds = ids_by_pegs(self.letters, peg_pairs(self.letters))[black, common]
        return ids


def _possible(marks: str) -> bool:
    """Return whether marks can occur: with all other letters in place, none can be elsewhere."""
    return not (marks.count("y") == 1 and marks.count("g") == len(marks) - 1)


def _marks(guesses: SymbolMatrix, secrets: SymbolMatrix) -> SymbolMatrix:
    """Return the marks of guesses as numbers 0 to 2, (n_guesses, n_secrets, letters)."""
    guess, secret = guesses[:, None, :], secrets[None, :, :]
    green = guess == secret
    marks = np.where(green, 2, 0)
    unused = ~green  # the secret's letters that account for no mark yet
    for position in range(guesses.shape[1]):
        elsewhere = unused & (guess[:, :, position, None] == secret) & ~green[:, :, position, None]
        yellow = elsewhere.any(axis=2)
        marks[:, :, position] += yellow
        first = elsewhere.argmax(axis=2)[:, :, None]
        still_unused = np.take_along_axis(unused, first, 2) & ~yellow[:, :, None]
        np.put_along_axis(unused, first, still_unused, 2)
    return marks


def _letters(words: tuple[str, ...]) -> SymbolMatrix:
    """Return words as rows of code points, (n_words, letters) uint32."""
    return np.array([[ord(letter) for letter in word] for word in words], dtype=np.uint32)
