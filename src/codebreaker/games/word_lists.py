"""Word lists, one word per line, and priors, one secret and its weight per line."""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from string import ascii_lowercase
from typing import Protocol

from codebreaker.errors import CodebreakerError, counted
from codebreaker.files import DATA

COMMENT = "#"

LARGEST_MIB = 64
"""The largest word list."""

MOST_DIGITS = 18
"""The longest weight."""

PACKAGED = DATA / "words"


@dataclass(frozen=True)
class WordFiles:
    """The files of a word list, or their names in the package (`find_words`).

    Without `guesses`, only the secrets may be guessed; without a `prior` all are equally likely.
    """

    secrets: str
    guesses: str | None = None
    alphabet: str = ascii_lowercase
    prior: str | None = None

    @property
    def paths(self) -> tuple[str, ...]:
        """Return the paths of the files with words."""
        return (self.secrets,) if self.guesses is None else (self.secrets, self.guesses)


BUNDLED = {
    "five": WordFiles("five-secrets", "five-guesses"),
    "common": WordFiles("common-secrets", "common-guesses"),
    "example": WordFiles("no-strategy-is-best"),
}
"""The word lists of games that need no files, by name."""


def find_words(name: str, folder: str | Path = "") -> str:
    """Return the path of a word list, which is a file or one that comes with the package.

    A name such as `english` is that of a packaged list, if there is one; a path is relative to the
    working folder or, if the file is not there, to `folder`.
    """
    if name in packaged_lists():
        return str(PACKAGED / f"{name}.txt")
    return name if Path(name).exists() else str(Path(folder, name))


def packaged_lists() -> list[str]:
    """Return the names of the word lists that come with the package."""
    return sorted(path.stem for path in PACKAGED.glob("[a-z]*.txt"))


@dataclass(frozen=True)
class Word:
    """A word and its place in a file."""

    text: str
    path: str
    line: int

    @property
    def place(self) -> str:
        """Return the file and the line, for errors."""
        return f"{self.path}, line {self.line}"


def read_words(name: str, alphabet: str = ascii_lowercase) -> list[Word]:
    """Read the words of a file or of a packaged list (`find_words`), in lower case.

    Blank lines and lines that start with # are skipped.
    Raises `CodebreakerError` that names the line if a word is repeated, is not UTF-8 or has a
    letter outside the alphabet, and that names the file if it can't be read or has no words.
    """
    _check_alphabet(alphabet)
    path = find_words(name)
    words: dict[str, Word] = {}
    known = f"name a file, or one of {', '.join(packaged_lists())}"
    for word in _read_lines(path, "word list", known):
        _check_letters(word, alphabet)
        if word.text in words:
            first = words[word.text].line
            raise CodebreakerError(
                f"{word.place}: {word.text!r} is already in line {first}: remove one"
            )
        words[word.text] = word
    if not words:
        raise CodebreakerError(f"word list {path} has no words: write one per line")
    return list(words.values())


class HasSecrets(Protocol):
    """A game, or the rules of one on words."""

    @property
    def name(self) -> str:
        """Return the name."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """Return the labels of all secrets."""


def read_prior(path: str, game: HasSecrets) -> dict[str, int]:
    """Read the weights of a game's secrets: a secret and a whole number from 0 in each line.

    Blank lines and lines that start with # are skipped. Raises `CodebreakerError` that names the
    line if it is not like that, or names a secret again, and for a file that can't be read.
    """
    weights: dict[str, int] = {}
    secrets = set(game.secrets)
    for line in _read_lines(path, "prior", "name a file"):
        label, *rest = line.text.replace(",", " ").split()
        number = " ".join(rest)
        if not number.isascii() or not number.isdecimal() or len(number) > MOST_DIGITS:
            raise CodebreakerError(
                f"{line.place}: {line.text!r} is not a secret and its weight, a whole number"
            )
        if label not in secrets:
            raise CodebreakerError(f"{line.place}: {label!r} is not a secret of {game.name}")
        if label in weights:
            raise CodebreakerError(f"{line.place}: {label!r} already has a weight: remove one")
        weights[label] = int(number)
    return weights


def _read_lines(path: str, kind: str, remedy: str) -> Iterator[Word]:
    """Yield the lines of a text file, in lower case, but for blank ones and comments."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(LARGEST_MIB * 2**20 + 1)
    except OSError as why:
        reason = why.strerror or type(why).__name__
        raise CodebreakerError(f"{kind} {path} can't be read ({reason}): {remedy}") from None
    if len(content) > LARGEST_MIB * 2**20:
        raise CodebreakerError(
            f"{kind} {path} is larger than {LARGEST_MIB} MiB: name a shorter one"
        )
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").splitlines(), start=1):
        word = Word(_decoded(line, path, number), path, number)
        if word.text and not word.text.startswith(COMMENT):
            yield word


def check_lengths(words: Iterable[Word]) -> None:
    """Raise `CodebreakerError` unless all words have the same number of letters."""
    first, *others = words
    for word in others:
        if len(word.text) != len(first.text):
            raise CodebreakerError(
                f"{word.place}: {word.text!r} has {counted(len(word.text), 'letter')}, but "
                f"{first.text!r} ({first.place}) has {len(first.text)}: "
                "all words of a game have the same length"
            )


def by_length(path: str) -> dict[int, tuple[str, ...]]:
    """Return a file's words by their number of letters, in lexicographic order."""
    words: dict[int, list[str]] = {}
    for text in sorted(word.text for word in read_words(path)):
        words.setdefault(len(text), []).append(text)
    return {length: tuple(group) for length, group in words.items()}


def _decoded(line: bytes, path: str, number: int) -> str:
    try:
        return unicodedata.normalize("NFC", line.decode("utf-8").strip().lower())
    except UnicodeDecodeError:
        raise CodebreakerError(
            f"{path}, line {number}: not UTF-8 text: save the file as UTF-8"
        ) from None


def _check_alphabet(alphabet: str) -> None:
    for letter in alphabet:
        if letter != letter.lower() or letter.isspace() or letter == COMMENT:
            raise CodebreakerError(
                f"alphabet {alphabet!r} has {letter!r}: use lower-case letters, no space or #"
            )
        if alphabet.count(letter) > 1:
            raise CodebreakerError(f"alphabet {alphabet!r} has {letter!r} twice: remove one")


def _check_letters(word: Word, alphabet: str) -> None:
    for letter in word.text:
        if letter not in alphabet:
            raise CodebreakerError(
                f"{word.place}: the letter {letter!r} of {word.text!r} is not in the alphabet "
                f"{alphabet!r}: correct the word, or use another alphabet"
            )
