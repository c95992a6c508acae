"""Trees as Graphviz draws them: a node for each guess, an edge for each feedback.

What is read back is what is written here, a node or an edge on each line, not all of DOT.
"""

import re

from codebreaker.errors import CodebreakerError
from codebreaker.games.notation import Notation
from codebreaker.trees.formats.spelling import decoded, labels, shown
from codebreaker.trees.replay import Outline, check_depth
from codebreaker.trees.tree import GameTree

_TEXT = r'(?:[^"\\]|\\.){0,200}'
_QUOTED = rf'"({_TEXT})"'
_FIRST = re.compile(rf"digraph {_QUOTED} {{")
_STYLE = re.compile(r"(?:node|edge|graph) \[[^\]]*\];")
_NODE = re.compile(rf'(\d{{1,9}}) \[label="({_TEXT}) \((\d{{1,9}})\)"\];')
_EDGE = re.compile(rf"(\d{{1,9}}) -> (\d{{1,9}}) \[label={_QUOTED}\];")


def game(content: bytes) -> str | None:
    """Return the name of the game, which is that of the graph."""
    first = _FIRST.match(decoded(content).lstrip())
    return _plain(first[1]) if first else None


def read(content: bytes, notation: Notation) -> Outline:
    """Read a tree; raise `CodebreakerError` with the line of the first error."""
    reader = _Reader(notation)
    number = 0
    lines = decoded(content).rstrip().splitlines()
    try:
        for number, line in enumerate(lines, start=1):
            reader.line(line.strip(), number == 1, number == len(lines))
        if not reader.outline.guess:
            raise CodebreakerError("the graph has no nodes")
    except CodebreakerError as error:
        raise CodebreakerError(f"line {max(number, 1)}: {error}") from None
    return reader.outline


class _Reader:
    """Reads line by line; `nodes` have a guess and a number of candidates, `turns` an edge too."""

    def __init__(self, notation: Notation) -> None:
        self.spelling, self.outline = labels(notation), Outline()
        self.nodes: dict[str, tuple[int, int]] = {}
        self.places: dict[str, tuple[int, int]] = {}

    def line(self, line: str, first: bool, last: bool) -> None:
        """Read a line."""
        if first or last:
            if not (_FIRST.fullmatch(line) if first else line == "}"):
                wanted = 'digraph "GAME" {' if first else "}"
                raise CodebreakerError(f"expected {wanted!r}, found {shown(line)}")
        elif match := _NODE.fullmatch(line):
            self._node(match[1], _plain(match[2]), int(match[3]))
        elif match := _EDGE.fullmatch(line):
            self._edge(match[1], match[2], _plain(match[3]))
        elif line and not _STYLE.fullmatch(line):
            raise CodebreakerError(f"neither a node nor an edge as they are written: {shown(line)}")

    def _node(self, name: str, guess: str, count: int) -> None:
        if name in self.nodes:
            raise CodebreakerError(f"node {name} is there already: remove one")
        self.nodes[name] = self.spelling.guess(guess), count
        if not self.places:
            self._place(name, None, -1, 1)

    def _edge(self, start: str, end: str, label: str) -> None:
        for name in (start, end):
            if name not in self.nodes:
                raise CodebreakerError(f"node {name} is in no line above")
        if start not in self.places:
            raise CodebreakerError(f"node {start} has no edge above that leads to it")
        if end in self.places:
            raise CodebreakerError(f"an edge leads to node {end} already: remove one")
        parent, turn = self.places[start]
        self._place(end, parent, self.spelling.feedback_id(label), turn + 1)

    def _place(self, name: str, parent: int | None, feedback: int, turn: int) -> None:
        check_depth(turn)
        guess, count = self.nodes[name]
        self.places[name] = self.outline.add(parent, feedback, guess, count), turn


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def write(notation: Notation, tree: GameTree) -> bytes:
    """Write a tree as a directed graph; the numbers are the candidates left."""
    tree_game = notation.game
    lines = [f"digraph {_quoted(tree_game.name)} {{", "  node [shape=box];"]
    columns = (tree.parent, tree.feedback, tree.guess, tree.n_candidates)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for node, (parent, feedback, guess, count) in enumerate(rows):
        lines.append(f"  {node} [label={_quoted(f'{tree_game.guesses[guess]} ({count})')}];")
        if parent >= 0:
            label = _quoted(tree_game.feedback_labels[feedback])
            lines.append(f"  {parent} -> {node} [label={label}];")
    return ("\n".join([*lines, "}"]) + "\n").encode()
