"""Games with lists of words: exact matches (`matches-{list}`) or marks (`marks-{list}`).

In `matches` the answer is the number of letters in place, as in the terminals of Fallout 3. In
`marks` each position of the guess has a mark, as in Wordle: g for a letter in place, y for one that
stands elsewhere, b for one that doesn't. A secret's letter accounts for one mark: greens
first, then yellows from the left.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import ClassVar, Self

import numpy as np

from codebreaker.errors import CodebreakerError, unknown
from codebreaker.games.model import TableGame
from codebreaker.games.word_lists import Word, WordFiles, check_lengths, read_words
from codebreaker.types import FeedbackIds, SymbolMatrix

LIST_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
"""What a word list may be called."""

MARKS = "byg"
"""The marks in the order of their ids' digits: absent, elsewhere, in place."""

ROWS_AT_ONCE = 256


@dataclass(frozen=True)
class WordRules(ABC):
    """The rules of a game with words; guesses and secrets in lexicographic order."""

    family: ClassVar[str]
    most_letters: ClassVar[int]

    name: str
    guesses: tuple[str, ...]
    secrets: tuple[str, ...]

    @classmethod
    def parse(cls, name: str, word_lists: Mapping[str, WordFiles]) -> Self:
        """Read the words of the list that a game names; raise `CodebreakerError` if bad."""
        listed = name.removeprefix(f"{cls.family}-")
        if not LIST_NAME.fullmatch(listed) or not word_lists:
            raise CodebreakerError(
                f"game {name!r} names no word list: write {cls.family}-LIST, "
                "with a list of the config key word_lists"
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
        """Return the rules with secrets, which may be guessed, and other guesses."""
        first = secrets[0]
        if len(first.text) > cls.most_letters:
            raise CodebreakerError(
                f"{first.place}: {first.text!r} has {len(first.text)} letters: "
                f"{cls.family} games have at most {cls.most_letters}"
            )
        texts = [word.text for word in secrets]
        guesses = {*texts, *(word.text for word in others)}
        return cls(name, tuple(sorted(guesses)), tuple(sorted(texts)))

    @property
    def letters(self) -> int:
        """Return how many letters each word has."""
        return len(self.secrets[0])

    @property
    def table_shape(self) -> tuple[int, int]:
        """Return the numbers of guesses and of secrets."""
        return len(self.guesses), len(self.secrets)

    @abstractmethod
    def feedback_labels(self) -> tuple[str, ...]:
        """Return the label of each feedback id; the last one means solved."""

    @abstractmethod
    def _answers(self, guesses: SymbolMatrix, secrets: SymbolMatrix) -> FeedbackIds:
        """Return the feedback ids of rows of letters, (n_guesses, n_secrets)."""

    def check_guess(self, label: str) -> None:
        """Raise `CodebreakerError` unless `label` is a word that may be guessed."""
        if label not in self.guesses:
            raise CodebreakerError(
                f"{label!r} is not among the {len(self.guesses)} words that "
                f"may be guessed in {self.name}: choose one of these"
            )

    def build(self) -> TableGame:
        """Compute the feedback of every guess to every secret."""
        guesses, secrets = _letters(self.guesses), _letters(self.secrets)
        table = np.empty(self.table_shape, dtype=np.uint8)
        for start in range(0, len(guesses), ROWS_AT_ONCE):
            rows = slice(start, start + ROWS_AT_ONCE)
            table[rows] = self._answers(guesses[rows], secrets)
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
    """The answer is the number of letters in place."""

    family: ClassVar[str] = "matches"
    most_letters: ClassVar[int] = 254

    def feedback_labels(self) -> tuple[str, ...]:
        """Return the labels 0, 1, ... n."""
        return tuple(str(matches) for matches in range(self.letters + 1))

    def _answers(self, guesses: SymbolMatrix, secrets: SymbolMatrix) -> FeedbackIds:
        matches: FeedbackIds = (guesses[:, None, :] == secrets[None, :, :]).sum(
            axis=2, dtype=np.uint8
        )
        return matches


class Marks(WordRules):
    """The answer is a mark for each position."""

    family: ClassVar[str] = "marks"
    most_letters: ClassVar[int] = 5

    def feedback_labels(self) -> tuple[str, ...]:
        """Return the labels such as bygbb that can occur; the last is all g."""
        every = ("".join(marks) for marks in product(MARKS, repeat=self.letters))
        return tuple(marks for marks in every if _possible(marks))

    def _answers(self, guesses: SymbolMatrix, secrets: SymbolMatrix) -> FeedbackIds:
        marks = _marks(guesses, secrets)
        place = 3 ** np.arange(self.letters - 1, -1, -1)
        every = ["".join(one) for one in product(MARKS, repeat=self.letters)]
        possible = np.array([_possible(one) for one in every])
        ids: FeedbackIds = (np.cumsum(possible) - 1).astype(np.uint8)[marks @ place]
        return ids


def _possible(marks: str) -> bool:
    """Return whether marks can occur: a single letter that is not in place has nowhere to be."""
    return not (marks.count("y") == 1 and marks.count("g") == len(marks) - 1)


def _marks(guesses: SymbolMatrix, secrets: SymbolMatrix) -> SymbolMatrix:
    """Return the mark of each position of guesses, (n_guesses, n_secrets, letters), 0 to 2."""
    guess, secret = guesses[:, None, :], secrets[None, :, :]
    green = guess == secret
    marks = np.where(green, 2, 0)
    left = ~green  # the secret's letters that account for no mark yet
    for position in range(guesses.shape[1]):
        elsewhere = left & (guess[:, :, position, None] == secret) & ~green[:, :, position, None]
        found = elsewhere.any(axis=2)
        marks[:, :, position] += found
        taken = elsewhere.argmax(axis=2)[:, :, None]
        np.put_along_axis(left, taken, np.take_along_axis(left, taken, 2) & ~found[:, :, None], 2)
    return marks


def _letters(words: tuple[str, ...]) -> SymbolMatrix:
    """Return words as rows of code points, (n_words, letters)."""
    return np.array([[ord(letter) for letter in word] for word in words], dtype=np.uint32)
