"""Trees in the YAML of arfst23/Mastermind (docs/formats.md).

A node is a list of the guess and a mapping from feedback to a guess or to another node. The events
of PyYAML's parser are read one by one, not the objects that `yaml.safe_load` makes of them: for it
the code 0011 is the octal number 9, the last of equal keys counts, and aliases repeat what they
stand for. So a file costs no more than its length, and an error has a line.
"""

from collections.abc import Iterator
from string import digits

import yaml

from codebreaker.errors import CodebreakerError
from codebreaker.games.codes import CodeRules
from codebreaker.games.notation import Notation
from codebreaker.trees.formats.pegs import spelling_of
from codebreaker.trees.formats.reading import Node, Outline, Spelling, check_depth, decoded, quoted

LOADER: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The parser in C if PyYAML has it, which is about 18 times as fast."""

KINDS: dict[type[yaml.Event], str] = {
    yaml.ScalarEvent: "a text",
    yaml.SequenceStartEvent: "a list",
    yaml.SequenceEndEvent: "the end of the list",
    yaml.MappingStartEvent: "a mapping",
    yaml.MappingEndEvent: "the end of the mapping",
    yaml.DocumentStartEvent: "another document",
}


def read(content: bytes, notation: Notation) -> Outline:
    """Read a tree in YAML; `CodebreakerError` gives the first error's line."""
    n_pegs = notation.rules.pegs if isinstance(notation.rules, CodeRules) else 0

    def marks(black: int, white: int) -> str:
        return ("X" * black + "O" * white).ljust(n_pegs, "-")

    spelling = spelling_of(notation, "the YAML of marks", digits, marks)
    reader = _Reader(decoded(content), spelling)
    try:
        return reader.read_document()
    except CodebreakerError as error:
        raise CodebreakerError(f"line {reader.line}: {error}") from None


class _Reader:
    """A reader of a text's events; `line`, from 1, is that of the last event or error."""

    def __init__(self, text: str, spelling: Spelling) -> None:
        self._events: Iterator[yaml.Event] = yaml.parse(text, Loader=LOADER)
        self._spelling = spelling
        self._outline = Outline()
        self.line = 1

    def read_document(self) -> Outline:
        """Return the tree of the only document."""
        self._expect(yaml.StreamStartEvent, "YAML")
        self._expect(yaml.DocumentStartEvent, "a tree")
        self._expect(yaml.SequenceStartEvent, "a list with a guess")
        self._read_node(None, -1, 1)
        self._expect(yaml.DocumentEndEvent, "the end of the file")
        self._expect(yaml.StreamEndEvent, "the end of the file")
        return self._outline

    def _read_node(self, parent: Node | None, feedback: int, turn: int) -> None:
        """Read a node after the start of its list, up to the list's end."""
        check_depth(turn)
        guess = self._spelling.guess(self._expect(yaml.ScalarEvent, "a guess"))
        node = self._outline.add(parent, feedback, Node(guess))
        self._expect(yaml.MappingStartEvent, "a mapping from feedback to guesses")
        key = self._take()
        while not isinstance(key, yaml.MappingEndEvent):
            self._read_branch(node, key, turn)
            key = self._take()
        self._expect(yaml.SequenceEndEvent, "the end of the list after its mapping")

    def _read_branch(self, node: Node, key: yaml.Event, turn: int) -> None:
        """Read what follows a feedback: the last guess, or a node."""
        feedback = self._spelling.feedback_id(self._text(key, "a feedback"))
        below = self._take()
        if feedback == self._spelling.game.solved:
            # The guess itself follows, to show that it was a candidate.
            if self._spelling.guess(self._text(below, "a guess")) != node.guess:
                solved = self._spelling.feedback[feedback]
                raise CodebreakerError(f"{solved} follows another guess than this")
        elif isinstance(below, yaml.SequenceStartEvent):
            self._read_node(node, feedback, turn + 1)
        else:
            guess = self._spelling.guess(self._text(below, "a guess or a list"))
            self._outline.add(node, feedback, Node(guess))

    def _take(self) -> yaml.Event:
        """Return the next event, or raise `CodebreakerError` for anything but plain YAML."""
        try:
            event = next(self._events)
        except yaml.MarkedYAMLError as error:
            if error.problem_mark is not None:
                self.line = error.problem_mark.line + 1
            raise CodebreakerError(f"not YAML: {error.problem or error.context}") from None
        except yaml.YAMLError as error:
            raise CodebreakerError(f"not YAML: {' '.join(str(error).split())}") from None
        if event.start_mark is not None:
            self.line = event.start_mark.line + 1
        if getattr(event, "anchor", None) or getattr(event, "tag", None):
            raise CodebreakerError("anchors, aliases and tags are not read: write the tree out")
        return event

    def _expect(self, kind: type[yaml.Event], wanted: str) -> str:
        """Take an event of a kind, and return its text ('' unless it is a scalar)."""
        return self._checked(self._take(), kind, wanted)

    def _text(self, event: yaml.Event, wanted: str) -> str:
        """Return a scalar's text; for another event, raise the error that `wanted` was expected."""
        return self._checked(event, yaml.ScalarEvent, wanted)

    def _checked(self, event: yaml.Event, kind: type[yaml.Event], wanted: str) -> str:
        """Return the text of an event of a kind ('' unless it is a scalar), or raise that error."""
        text: str = getattr(event, "value", "")
        if not isinstance(event, kind):
            what_stands_there = (
                quoted(text) if text else KINDS.get(type(event), "the end of the file")
            )
            raise CodebreakerError(f"expected {wanted}, found {what_stands_there}")
        return text
