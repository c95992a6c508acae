"""Trees in the notation of Knuth, Irving, and Koyama and Lai, as fancidev/mastermind keeps them.

`1296 (1122: 1, 16 (1213: ...), ...; ...)` is the number of candidates, the guess, and the number
after each feedback: a row for each number of black pegs, from most white pegs to none. A number
alone means that its one or two candidates are guessed in turn; `6 (3412)` that 3412 leaves one
candidate after each feedback, with * if it is not a candidate itself, and with x at most two; and
`44A` that the definition `A = (...)` follows. Sources: Knuth 1977; Irving 1979;
Koyama and Lai 1993.
"""

import re
from dataclasses import dataclass
from string import ascii_uppercase, digits

from codebreaker.errors import CodebreakerError
from codebreaker.games.codes import CodeRules
from codebreaker.games.notation import Notation
from codebreaker.trees.formats.spelling import Spelling, at, decoded, pegs, shown
from codebreaker.trees.replay import Outline, check_depth

TITLE = "the notation of Koyama and Lai"
MOST_DIGITS = 9
NO_NODE = -1

_TOKEN = re.compile(r"\s*(\d+|.|\Z)", re.DOTALL)


def _spelling(notation: Notation) -> Spelling:
    first = 0 if getattr(notation.rules, "ordered_symbols", "1").startswith("0") else 1
    return pegs(notation, TITLE, digits[first:], lambda black, white: f"{black},{white}")


@dataclass(frozen=True)
class Cell:
    """A place in the list after a guess: its pegs, and the separator that follows it."""

    black: int
    white: int
    separator: str

    @property
    def text(self) -> str:
        """Return the feedback's spelling."""
        return f"{self.black},{self.white}"


def _cells(notation: Notation) -> list[Cell]:
    # n−1 black pegs and a white one can't occur.
    assert isinstance(notation.rules, CodeRules)
    n = notation.rules.pegs
    return [
        Cell(black, white, "," if white else ")" if black == n else ";")
        for black in range(n + 1)
        for white in range(n - black, -1, -1)
        if (black, white) != (n - 1, 1)
    ]


def read(content: bytes, notation: Notation) -> Outline:
    """Read a tree; raise `CodebreakerError` with the line and column of the first error."""
    text, spelling = decoded(content), _spelling(notation)
    reader = _Reader(text, spelling, _cells(notation))
    try:
        reader.file()
    except CodebreakerError as error:
        raise at(text, reader.place, error) from None
    return reader.outline


class _Reader:
    """Reads tokens one ahead; `place` is where the next one starts, for errors.

    `awaited` are the nodes whose definitions must follow, by letter, with their turns; `defined`
    are the letters already defined.
    """

    def __init__(self, text: str, spelling: Spelling, cells: list[Cell]) -> None:
        self.text, self.spelling, self.cells = text, spelling, cells
        self.outline = Outline()
        self.awaited: dict[str, tuple[int, int]] = {}
        self.defined: set[str] = set()
        self.place = self._end = 0
        self.next = ""
        self._advance()

    def _advance(self) -> str:
        """Return the token that was next, and read one more."""
        token, match = self.next, _TOKEN.match(self.text, self._end)
        assert match is not None
        self.place, self._end, self.next = match.start(1), match.end(), match[1]
        return token

    def _expect(self, wanted: str) -> None:
        if self.next != wanted:
            raise self._unexpected(repr(wanted))
        self._advance()

    def _unexpected(self, wanted: str) -> CodebreakerError:
        found = shown(self.next) if self.next else "the end"
        return CodebreakerError(f"expected {wanted}, found {found}")

    def _number(self) -> int:
        if not self.next.isascii() or not self.next.isdecimal() or len(self.next) > MOST_DIGITS:
            raise self._unexpected("a number of candidates")
        return int(self._advance())

    def file(self) -> None:
        """Read the root and all definitions."""
        root = self.outline.add(None, -1, claimed=self._number(), implied=True)
        self._situation(root, 1)
        while self.next:
            letter = self.next
            if letter not in self.awaited:
                why = "is defined already" if letter in self.defined else "stands for no set above"
                raise CodebreakerError(
                    f"{shown(letter)} {why}: a definition such as A = belongs here"
                )
            self._advance()
            self._expect("=")
            node, turn = self.awaited.pop(letter)
            self.defined.add(letter)
            if self.next != "(":
                raise self._unexpected("'('")
            self._situation(node, turn)
        if self.awaited:
            raise CodebreakerError(f"no definition of {min(self.awaited)} follows: add it")

    def _situation(self, node: int, turn: int) -> None:
        """Read what follows a number of candidates, with all lists inside it."""
        lists: list[_List] = []
        while True:
            if node != NO_NODE and self._opens(node, turn + len(lists)):
                lists.append(_List(node))
            else:
                self._close(lists)
            if not lists:
                return
            node = self._cell(lists[-1].node, self.cells[lists[-1].place])

    def _close(self, lists: list["_List"]) -> None:
        """Read the separator after a place, and those of all lists that end with it."""
        while lists:
            separator = self.cells[lists[-1].place].separator
            self._expect(separator)
            lists[-1].place += 1
            if separator != ")":
                return
            lists.pop()

    def _cell(self, above: int, cell: Cell) -> int:
        """Read a number of candidates; return its node, or `NO_NODE` if nothing follows it."""
        count = self._number()
        if cell == self.cells[-2] and not count and self.next == ",":
            # Knuth also writes the number for n−1 black pegs and a white one, always 0.
            self._advance()
            count = self._number()
        if cell == self.cells[-1]:
            if count > 1:
                raise CodebreakerError(f"{count} candidates can't all be the guess: write 0 or 1")
            return NO_NODE
        if not count:
            return NO_NODE
        feedback = self.spelling.feedback_id(cell.text)
        return self.outline.add(above, feedback, claimed=count, implied=True)

    def _opens(self, node: int, turn: int) -> bool:
        """Read a node's guess, if there is one; return whether a list of numbers follows."""
        check_depth(turn)
        if self.next in ascii_uppercase and self.next:
            letter = self._advance()
            if letter in self.awaited or letter in self.defined:
                raise CodebreakerError(f"{letter} stands for another set already: use a new letter")
            self.awaited[letter] = node, turn
            self.outline.implied[node] = False
            return False
        if self.next != "(":
            return False
        self._advance()
        self.outline.guess[node] = self.spelling.guess(self.next)
        self._advance()
        if self.next in ("*", "x"):
            self._advance()
        self.outline.implied[node] = self.next == ")"
        if self.next != ")":
            self._expect(":")
            return True
        self._advance()
        return False


@dataclass
class _List:
    """A list that is being read: the node that it belongs to, and the next place."""

    node: int
    place: int = 0
