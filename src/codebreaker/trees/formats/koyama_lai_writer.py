"""Writing trees in the notation of Koyama and Lai: see `koyama_lai`."""

from collections.abc import Iterable
from string import ascii_uppercase

from codebreaker.games.notation import Notation
from codebreaker.trees.formats.koyama_lai import cells_of, spelling_of
from codebreaker.trees.tree import GameTree, children_of

WIDTH = 100
"""The most characters of a line."""


def write(notation: Notation, tree: GameTree) -> bytes:
    """Write a tree; the large sets after the first guess have definitions of their own."""
    writer = _Writer(notation, tree)
    blocks = [writer.block(0, "")]
    for letter, node in zip(ascii_uppercase, writer.defined, strict=False):
        blocks.append(writer.block(node, f"{letter} ="))
    return ("\n\n".join(map(_wrapped, blocks)) + "\n").encode()


class _Writer:
    """Writes a tree's blocks; `defined` are the nodes that have a definition, by letter."""

    def __init__(self, notation: Notation, tree: GameTree) -> None:
        self.tree, self.children = tree, children_of(tree)
        self.spelling, self.cells = spelling_of(notation), cells_of(notation)
        self.won = self.cells[-1]
        self.sizes = tree.n_candidates.tolist()
        below = self.children[0].values()
        large = [child for child in below if self.sizes[child] >= len(self.cells)]
        self.defined = [child for child in large if not self._is_short(child)]
        self.defined = self.defined[: len(ascii_uppercase)]
        self.letters = dict(zip(self.defined, ascii_uppercase, strict=False))

    def _solves(self, node: int) -> bool:
        below = sum(self.sizes[child] for child in self.children[node].values())
        return bool(self.sizes[node] > below)

    def _is_short(self, node: int) -> bool:
        """Return whether each feedback to a node's guess leaves at most one candidate."""
        return not any(self.children[child] for child in self.children[node].values())

    def block(self, node: int, start: str) -> str:
        """Return a node's text with all below it, except the definitions of others."""
        parts: list[str] = [start]
        pending: list[str | int] = [node]
        while pending:
            item = pending.pop()
            if isinstance(item, str):
                parts.append(item)
                continue
            if not (item == node and start):
                parts.append(str(self.sizes[item]))
            if item in self.letters and item != node:
                parts.append(self.letters[item])
            elif self.children[item]:
                parts.append(" " if parts[-1] else "")
                guess = self.spelling.guesses[self.tree.guess[item]]
                if self._is_short(item):
                    parts.append(f"({guess}{'' if self._solves(item) else '*'})")
                else:
                    parts.append(f"({guess}:")
                    pending += reversed(list(self._list(item)))
        return "".join(parts)

    def _list(self, node: int) -> Iterable[str | int]:
        children = {self.spelling.feedback[f]: child for f, child in self.children[node].items()}
        for cell in self.cells:
            child = children.get(cell.text)
            yield " "
            if cell == self.won:
                yield "1" if self._solves(node) else "0"
            else:
                yield "0" if child is None else child
            yield cell.separator


def _wrapped(text: str) -> str:
    """Return a text with line breaks in place of some spaces; its other lines are indented."""
    lines = [""]
    for word in text.split(" "):
        if lines[-1].strip() and len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append("   ")
        lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join(lines)
