"""The registry of tree formats: recognising, reading and writing files."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from codebreaker.errors import CodebreakerError, unknown
from codebreaker.games.notation import Notation
from codebreaker.trees.formats import (
    contest,
    dot,
    koyama_lai,
    nested_json,
    parquet,
    yaml,
)
from codebreaker.trees.replay import Outline
from codebreaker.trees.tree import GameTree

MOST_MIB = 64
"""The largest file that is read, in MiB; a tree of MM(5,8) takes about one."""

LONGEST_NAME = 80
"""The most characters of a game's name."""


def _nameless(content: bytes) -> str | None:
    return None


@dataclass(frozen=True)
class TreeFormat:
    """A format of trees.

    `start` matches the beginning of its files. `read` and `write` raise `CodebreakerError` if the
    file is malformed or the game doesn't fit; formats that only others read, or only others write,
    lack the one or the other. `game` is the game's name if a file has it.
    """

    title: str
    start: re.Pattern[bytes]
    read: Callable[[bytes, Notation], Outline] | None = None
    write: Callable[[Notation, GameTree], bytes] | None = None
    game: Callable[[bytes], str | None] = _nameless


FORMATS: dict[str, TreeFormat] = {
    "parquet": TreeFormat(
        "the table of nodes that the study stores",
        re.compile(rb"PAR1"),
        parquet.read,
        parquet.write,
        parquet.game,
    ),
    "json": TreeFormat(
        "nested JSON; certificates too",
        re.compile(rb'\s*\{\s*"'),
        nested_json.read,
        nested_json.write,
        nested_json.game,
    ),
    "dot": TreeFormat("a graph for Graphviz", re.compile(rb"\s*digraph\b"), write=dot.write),
    "koyama-lai": TreeFormat(
        "the notation of Koyama and Lai, as in fancidev/mastermind",
        re.compile(rb"\s*\d+\s*(\(|$)"),
        koyama_lai.read,
    ),
    "yaml": TreeFormat("the YAML of arfst23/Mastermind", re.compile(rb"---|- \d"), yaml.read),
    "contest": TreeFormat(
        "the grammar of the MM(5,8) contest",
        re.compile(rb"\s*(\{\s*[A-Z]|[A-Z]+\s*$)"),
        contest.read,
        contest.write,
    ),
}
"""The formats by name; a file is of the first one whose start it has."""

READ = tuple(name for name, form in FORMATS.items() if form.read)
"""The formats that are read."""

WRITTEN = tuple(name for name, form in FORMATS.items() if form.write)
"""The formats that are written."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class TreeFile:
    """A file with a tree: its path, the name of its format, and its content."""

    path: str
    format: str
    content: bytes

    def game(self) -> str | None:
        """Return the name of the game, if the file has it; raise `CodebreakerError` if damaged."""
        with self._named():
            name = FORMATS[self.format].game(self.content)
            if name is not None and (len(name) > LONGEST_NAME or not name.isprintable()):
                raise CodebreakerError("the name of its game is none: correct it")
            return name

    def outline(self, notation: Notation) -> Outline:
        """Read the tree; raise `CodebreakerError` that names the file and the first error."""
        read = FORMATS[self.format].read
        assert read is not None, "open_tree opens formats that are read"
        with self._named():
            return read(self.content, notation)

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Put the file's name before the message of an error."""
        try:
            yield
        except CodebreakerError as error:
            raise CodebreakerError(f"{self.path} ({self.format}): {error}") from None


def open_tree(path: str | Path, form: str | None = None) -> TreeFile:
    """Read a file whose format is recognised, or given by name.

    Raises `CodebreakerError` if the file can't be read, is too large, or is of no known format.
    """
    if form is not None and form not in READ:
        raise unknown("tree format", form, READ)
    try:
        with Path(path).open("rb") as file:
            content = file.read(MOST_MIB * 2**20 + 1)
    except OSError as why:
        reason = why.strerror or type(why).__name__
        raise CodebreakerError(f"{path} can't be read ({reason}): name a file") from None
    if len(content) > MOST_MIB * 2**20:
        raise CodebreakerError(f"{path} is too large: files of at most {MOST_MIB} MiB are read")
    return TreeFile(str(path), form or _recognised(path, content), content)


def _recognised(path: str | Path, content: bytes) -> str:
    for name in READ:
        if FORMATS[name].start.match(content.removeprefix(BYTE_ORDER_MARK)):
            return name
    raise CodebreakerError(f"{path} starts like none of the formats of trees: {', '.join(READ)}")


def encode(form: str, notation: Notation, tree: GameTree) -> bytes:
    """Return a tree in a format; raise `CodebreakerError` if the game doesn't fit it."""
    write = FORMATS[form].write if form in FORMATS else None
    if write is None:
        raise unknown("tree format", form, WRITTEN)
    return write(notation, tree)
