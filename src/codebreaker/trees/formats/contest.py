"""Trees in the grammar of the MM(5,8) contest, such as `{AB:{00:CC,10:{AC:{10:AA}}}}`.

A guess of letters from A, its branches by two digits (black and white pegs), and a lone code where
one candidate is left; the reply to the right guess is implied. Source: the question "Mastermind
strategy" of 2014 at Code Golf, number 31926.
"""

import re
from string import ascii_uppercase

from codebreaker.errors import CodebreakerError
from codebreaker.games.notation import Notation
from codebreaker.trees.formats.spelling import Spelling, at, decoded, pegs, shown
from codebreaker.trees.replay import Outline, check_depth
from codebreaker.trees.tree import GameTree, children_of

TITLE = "the contest's format"

_TOKEN = re.compile(r"\s*([{}:,]|[A-Za-z]+|\d+|.|\Z)", re.DOTALL)


def _spelling(notation: Notation) -> Spelling:
    return pegs(notation, TITLE, ascii_uppercase, lambda black, white: f"{black}{white}")


class _Reader:
    """Reads tokens; `place` is the start of the last one, for errors."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = self._end = 0

    def token(self) -> str:
        match = _TOKEN.match(self.text, self._end)
        assert match is not None
        self.place, self._end = match.start(1), match.end()
        return match[1]

    def expect(self, *wanted: str) -> str:
        found = self.token()
        if found not in wanted:
            named = " or ".join(map(repr, wanted))
            raise CodebreakerError(
                f"expected {named}, found {shown(found) if found else 'the end'}"
            )
        return found


def read(content: bytes, notation: Notation) -> Outline:
    """Read a tree; raise `CodebreakerError` with the line and column of the first error."""
    reader = _Reader(decoded(content))
    try:
        return _read(reader, _spelling(notation))
    except CodebreakerError as error:
        raise at(reader.text, reader.place, error) from None


def _read(reader: _Reader, spelling: Spelling) -> Outline:
    outline = Outline()
    above: list[int] = []
    feedback = -1
    while True:
        token = reader.token()
        opens = token == "{"
        guess = spelling.guess(reader.token() if opens else token)
        node = outline.add(above[-1] if above else None, feedback, guess)
        if opens:
            reader.expect(":")
            reader.expect("{")
            above.append(node)
            check_depth(len(above))
        else:
            while above and reader.expect(",", "}") == "}":
                reader.expect("}")
                above.pop()
        if not above:
            if reader.token():
                raise CodebreakerError("the tree has ended: remove what follows it")
            return outline
        feedback = spelling.feedback_id(reader.token())
        if feedback == spelling.game.solved:
            raise CodebreakerError("the reply to the right guess is implied: remove this branch")
        reader.expect(":")


def write(notation: Notation, tree: GameTree) -> bytes:
    """Write a tree on one line."""
    spelling, children = _spelling(notation), children_of(tree)
    parts: list[str] = []
    pending: list[int | str] = [0]
    while pending:
        node = pending.pop()
        if isinstance(node, str):
            parts.append(node)
            continue
        guess = spelling.guesses[tree.guess[node]]
        if not children[node]:
            parts.append(guess)
            continue
        parts.append(f"{{{guess}:{{")
        pending.append("}}")
        branches = [(spelling.feedback[f], child) for f, child in children[node].items()]
        for place, (reply, child) in reversed(list(enumerate(branches))):
            pending += [child, f"{',' if place else ''}{reply}:"]
    return ("".join(parts) + "\n").encode()
