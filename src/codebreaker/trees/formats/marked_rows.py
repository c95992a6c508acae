"""Trees of Wordle in the rows of alex1770/wordle (docs/formats.md).

A row leads to one secret: `salet BBBBY1 nerdy GGGGG2` has each guess, and its marks with the turn.
By default a row has blanks where it would repeat the one above, and begins with marks; otherwise
it repeats them.
"""

import re

from codebreaker.errors import CodebreakerError
from codebreaker.games.feedback import MARKS
from codebreaker.games.notation import Notation
from codebreaker.trees.formats.reading import Node, Outline, Spelling, check_depth, decoded, quoted

MARKED = re.compile(r"([BYG]+)([1-9][0-9]{0,4})")


def read(content: bytes, notation: Notation) -> Outline:
    """Read a tree in rows; `CodebreakerError` gives the first error's line."""
    game = notation.game
    if notation.kind is not MARKS:
        raise CodebreakerError(
            f"rows of marked words hold trees of marks games, which {game.name} is not: use json "
            "or parquet"
        )
    labels = [label.upper() for label in game.feedback_labels]
    reader = _Reader(Spelling(notation, game.guesses, labels))
    for number, row in enumerate(decoded(content).splitlines(), start=1):
        try:
            reader.read_row(row.split())
        except CodebreakerError as error:
            raise CodebreakerError(f"line {number}: {error}") from None
    if not reader.outline.nodes:
        raise CodebreakerError("the file has no rows: use a complete one")
    return reader.outline


class _Reader:
    """A reader of rows; `path` has the nodes of the last row, by turn."""

    def __init__(self, spelling: Spelling) -> None:
        self.outline = Outline()
        self._spelling = spelling
        self._path: list[Node] = []
        self._won: set[int] = set()  # identities of the nodes whose guess was the secret

    def read_row(self, words: list[str]) -> None:
        """Read the guesses and marks of a row, or those that the row above doesn't have."""
        if not words:
            return
        solved = self._spelling.game.solved
        # 1. Find the guess that the row's first marks belong to.
        turn = 1
        if match := MARKED.fullmatch(words[0]):
            turn = int(match[2])
            if turn > len(self._path):
                raise CodebreakerError(f"no row above has guess {turn}: {quoted(words[0])}")
        else:
            self._enter(1, -1, words.pop(0))
        if len(words) % 2 == 0:
            raise CodebreakerError("a row has marks after each guess, such as GGGGG4 at its end")
        # 2. Follow the marks, each with the next guess and its marks.
        feedback = self._marks(turn, words[0])
        for guess, marks in zip(words[1::2], words[2::2], strict=True):
            if feedback == solved:
                raise CodebreakerError(f"nothing follows the secret: remove {quoted(guess)}")
            turn += 1
            self._enter(turn, feedback, guess)
            feedback = self._marks(turn, marks)
        # 3. The last marks say that the guess is the secret.
        if feedback != solved:
            raise CodebreakerError(f"no guess follows {quoted(words[-1])}: use a complete file")
        won = id(self._path[turn - 1])
        if won in self._won:
            raise CodebreakerError("a row above has the same secret: remove one")
        self._won.add(won)

    def _enter(self, turn: int, feedback: int, word: str) -> None:
        """Go to the guess of a turn, which follows feedback to the guess before."""
        check_depth(turn)
        guess = self._spelling.guess(word.lower())
        parent = None if turn == 1 else self._path[turn - 2]
        if parent is None:
            node = self.outline.nodes[0] if self.outline.nodes else None
        else:
            node = parent.children.get(feedback)
        if node is None:
            node = self.outline.add(parent, feedback, Node(guess))
        if node.guess != guess:
            raise CodebreakerError(f"a row above has another guess than {quoted(word)} here")
        self._path[turn - 1 :] = [node]

    def _marks(self, turn: int, word: str) -> int:
        """Return the feedback id of marks that end with the turn."""
        match = MARKED.fullmatch(word)
        if match is None or int(match[2]) != turn:
            raise CodebreakerError(f"expected marks and the turn {turn}, found {quoted(word)}")
        return self._spelling.feedback_id(match[1])
