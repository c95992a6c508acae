"""Shared parts of the readers of tree formats: outlines and spellings."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from codebreaker.errors import CodebreakerError
from codebreaker.games.notation import Notation
from codebreaker.trees.tree import MOST_NESTED

LONGEST_SHOWN = 24  # characters of a file that a message repeats


@dataclass(slots=True)
class Node:
    """An unchecked guess and claimed number of candidates; if `implied`, children may lack."""

    guess: int | None = None
    claimed: int | None = None
    implied: bool = False
    children: dict[int, "Node"] = field(default_factory=dict)


@dataclass
class Outline:
    """A tree as a file gives it, the root first, and the file's figures."""

    nodes: list[Node] = field(default_factory=list)
    stated: dict[str, int] = field(default_factory=dict)

    def add(self, parent: Node | None, feedback: int, node: Node) -> Node:
        """Add a node and return it; raise `CodebreakerError` if the feedback has one already."""
        if parent is not None and parent.children.setdefault(feedback, node) is not node:
            raise CodebreakerError("this feedback has a guess already: remove one")
        self.nodes.append(node)
        return node


def check_depth(turn: int, most: int = MOST_NESTED) -> None:
    """Raise `CodebreakerError` if a turn is beyond the maximum."""
    if turn > most:
        raise CodebreakerError(
            f"the tree goes beyond turn {most:,}: trees of at most {most:,} turns are read"
        )


class Spelling:
    """The texts of a game's guesses and feedback in one format, by index."""

    def __init__(self, notation: Notation, guesses: Sequence[str], feedback: Sequence[str]) -> None:
        self.game = notation.game
        self.guesses = guesses
        self.feedback = feedback
        self._guess_ids, self._feedback_ids = (
            {text: index for index, text in enumerate(texts)} for texts in (guesses, feedback)
        )

    def guess(self, text: str) -> int:
        """Return a guess's index, or raise `CodebreakerError`."""
        return self._find(text, self._guess_ids, "guess", "its guesses are")

    def feedback_id(self, text: str) -> int:
        """Return a feedback's id, or raise `CodebreakerError`."""
        return self._find(text, self._feedback_ids, "feedback", "it is written")

    def _find(self, text: str, ids: dict[str, int], what: str, range_is: str) -> int:
        """Return the id of a text, or raise `CodebreakerError` with the first and last text."""
        if text not in ids:
            first, *_, last = ids if len(ids) > 1 else [*ids, *ids]
            why = f"{self.game.name} has no {what} {quoted(text)}: {range_is} {first} to {last}"
            raise CodebreakerError(why)
        return ids[text]


def quoted(text: str) -> str:
    """Return a text as a message shows it: quoted and not too long."""
    return repr(text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}...")


def decoded(content: bytes) -> str:
    """Return a file's text, or raise `CodebreakerError`."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        why = f"line {line}: not UTF-8 text: save the file as UTF-8, or name its format"
        raise CodebreakerError(why) from None
