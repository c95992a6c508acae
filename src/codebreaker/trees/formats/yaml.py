"""Trees as YAML lists of a guess and a mapping from marks, as arfst23/Mastermind publishes them.

Colours are digits from 0; feedback is an X for a black peg, an O for a white peg, and dashes up to
the number of pegs. A mapping's value is the last guess, or a list of the same kind. Only this form,
with its indentation of four spaces, is read: it is not a reader of YAML.
"""

import re
from string import digits

from codebreaker.errors import CodebreakerError
from codebreaker.games.codes import CodeRules
from codebreaker.games.notation import Notation
from codebreaker.trees.formats.reading import (
    Node,
    Outline,
    Spelling,
    check_depth,
    decoded,
    pegs,
    shown,
)

INDENT = 4

_GUESS = re.compile(r"( *)- (\d+)")
_BRANCH = re.compile(r"( *)(- |  )([XO-]+):(?: (\d+))?")


def read(content: bytes, notation: Notation) -> Outline:
    """Read a tree; raise `CodebreakerError` with the line of the first error."""
    n_pegs = notation.rules.pegs if isinstance(notation.rules, CodeRules) else 0

    def marks(black: int, white: int) -> str:
        return ("X" * black + "O" * white).ljust(n_pegs, "-")

    reader = _Reader(pegs(notation, "the YAML of marks", digits, marks))
    number = 0
    try:
        for number, line in enumerate(decoded(content).splitlines(), start=1):
            if line.strip() and not (number == 1 and line.rstrip() == "---"):
                reader.line(line.rstrip())
        number += 1
        if not reader.above or reader.feedback is not None or reader.empty:
            raise CodebreakerError("the file ends in the middle of the tree: use a complete file")
    except CodebreakerError as error:
        raise CodebreakerError(f"line {number}: {error}") from None
    return reader.outline


class _Reader:
    """Reads line by line.

    `above` are the nodes from the root to the open list; `feedback` is the branch whose list must
    follow, and `empty` says that the open list still lacks its mapping.
    """

    def __init__(self, spelling: Spelling) -> None:
        self.spelling, self.outline = spelling, Outline()
        self.above: list[Node] = []
        self.feedback: int | None = -1
        self.empty = False

    def line(self, line: str) -> None:
        if self.feedback is None:
            self._branch(line)
            return
        depth = len(self.above)
        check_depth(depth + 1)
        match = _GUESS.fullmatch(line)
        if match is None or len(match[1]) != INDENT * depth:
            raise CodebreakerError(
                f"expected '- GUESS' after {INDENT * depth} spaces, found {shown(line)}"
            )
        parent, node = self.above[-1] if self.above else None, Node(self.spelling.guess(match[2]))
        self.above.append(self.outline.add(parent, self.feedback, node))
        self.feedback, self.empty = None, True

    def _branch(self, line: str) -> None:
        match = _BRANCH.fullmatch(line)
        if match is None or len(match[1]) % INDENT or (match[2] == "- ") != self.empty:
            wanted = "- FEEDBACK:" if self.empty else "FEEDBACK: GUESS"
            raise CodebreakerError(f"expected '{wanted}', found {shown(line)}")
        depth = len(match[1]) // INDENT + 1
        if depth > len(self.above) or (self.empty and depth != len(self.above)):
            raise CodebreakerError(f"{len(match[1])} spaces are too many or too few here")
        del self.above[depth:]
        self.empty = False
        node, feedback = self.above[-1], self.spelling.feedback_id(match[3])
        guess = None if match[4] is None else self.spelling.guess(match[4])
        if feedback == self.spelling.game.solved:
            if guess != node.guess:
                raise CodebreakerError(f"{match[3]} follows another guess than this")
        elif guess is None:
            self.feedback = feedback
        else:
            self.outline.add(node, feedback, Node(guess))
