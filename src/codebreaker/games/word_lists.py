"""Word lists: text files with one word per line."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from string import ascii_lowercase

from codebreaker.errors import CodebreakerError, counted
from codebreaker.files import DATA

COMMENT = "#"

LARGEST_MIB = 64
"""The largest word list."""

PACKAGED = DATA / "words"


@dataclass(frozen=True)
class WordFiles:
    """The files of a word list, or their names in the package (`find_words`).

    Without `guesses`, only the secrets may be guessed.
    """

    secrets: str
    guesses: str | None = None
    alphabet: str = ascii_lowercase

    @property
    def paths(self) -> tuple[str, ...]:
        """Return the paths of the files."""
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
    try:
        with Path(path).open("rb") as file:
            content = file.read(LARGEST_MIB * 2**20 + 1)
    except OSError as why:
        reason = why.strerror or type(why).__name__
        known = ", ".join(packaged_lists())
        raise CodebreakerError(
            f"word list {path} can't be read ({reason}): name a file, or one of {known}"
        ) from None
    if len(content) > LARGEST_MIB * 2**20:
        raise CodebreakerError(
            f"word list {path} is larger than {LARGEST_MIB} MiB: name a shorter one"
        )
    words: dict[str, Word] = {}
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").splitlines(), start=1):
        word = Word(_decoded(line, path, number), path, number)
        if not word.text or word.text.startswith(COMMENT):
            continue
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
