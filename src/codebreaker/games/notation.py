"""How people write moves, such as `1123:1,1`."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from codebreaker.errors import CodebreakerError, counted
from codebreaker.games.codes import COLOURS, TEN_SYMBOLS, CodeRules
from codebreaker.games.dialects import Dialect
from codebreaker.games.feedback import MARKS, OTHER_MARKS, FeedbackKind
from codebreaker.games.model import GameModel
from codebreaker.games.reading import BRACKETS, MoveReader, typed_text
from codebreaker.games.registry import Rules
from codebreaker.games.tables import TableRules
from codebreaker.games.unlisted import CodeLabels
from codebreaker.games.words import Marks
from codebreaker.types import Move


class Index(Protocol):
    """Finds labels: a dictionary, or codes that are computed."""

    def get(self, label: str, /) -> int | None:
        """Return a label's index, or None if there is no such label."""

    def __contains__(self, label: object, /) -> bool:
        """Return whether there is such a label."""


def index_of(labels: Sequence[str]) -> Index:
    """Return what finds labels by text: a dictionary, unless the labels find themselves."""
    if isinstance(labels, CodeLabels):
        return labels
    return {label: index for index, label in enumerate(labels)}


@dataclass(frozen=True, eq=False)
class Notation:
    """Reads and writes the moves of a game, in which codes may be typed in a dialect."""

    rules: Rules | TableRules
    game: GameModel
    dialect: Dialect | None = None

    @cached_property
    def _guesses(self) -> Index:
        return index_of(self.game.guesses)

    @cached_property
    def _secrets(self) -> Index:
        return index_of(self.game.secrets)

    @cached_property
    def _feedback(self) -> dict[str, int]:
        return {label: index for index, label in enumerate(self.game.feedback_labels)}

    @cached_property
    def _letters_of_marks(self) -> set[str]:
        """The digits and signs of marks that some words of the game have, too."""
        return (set(OTHER_MARKS) - {"x"}) & set("".join(self.game.guesses))

    @cached_property
    def signs(self) -> list[str]:
        """The signs that separate a guess and its feedback, as neither has them in this game.

        A colon always separates.
        """
        rules = self.rules
        if isinstance(rules, CodeRules):
            written = " ".join(rules.symbols())
        else:
            written = " ".join([*self.game.guesses, *self.game.feedback_labels])
        return [":", *(sign for sign in ("->", "→", "=", "|") if sign not in written)]

    @property
    def kind(self) -> FeedbackKind:
        """The kind of feedback."""
        return self.rules.feedback_kind

    @property
    def code_form(self) -> str:
        """Return the pegs and colours of a code, or a word's length."""
        if not isinstance(rules := self.rules, CodeRules):
            return rules.guess_form
        symbols = rules.symbols()
        pegs = counted(rules.pegs, "peg")
        repeats = ", none twice" * rules.unique + ", none twice in the secret" * rules.distinct
        zero = ", 0 for a" * (symbols == TEN_SYMBOLS)
        if not rules.has_names:
            return f"{pegs} from {symbols[0]} to {symbols[-1]}{repeats}{zero}"
        named = [
            f"{symbol} {colour.name}" for symbol, colour in zip(symbols, COLOURS, strict=False)
        ]
        colours = f"{counted(len(named), 'colour')}{repeats}: {', '.join(named)}"
        short = f", or {rules.letters} for short" * bool(rules.letters)
        return f"{pegs} in {colours}{zero}{short}"

    @property
    def legend(self) -> str:
        """Return how feedback is written, and what it means."""
        return f"{self.kind.form}, as in {self.kind.example}: {self.kind.meaning}"

    def moves(self, texts: list[str]) -> list[Move]:
        """Read the moves of a game; raise `CodebreakerError` that names the first bad one."""
        return MoveReader(self).moves(texts)

    def move(self, text: str) -> Move:
        """Read a move, such as `1123:1,1`; raise `CodebreakerError` if it can't be read."""
        return MoveReader(self).move(text)

    def guess(self, text: str) -> int:
        """Return a guess's index, or raise `CodebreakerError`."""
        index = self.guess_or_none(text)
        if index is None:
            label = self._label(text)
            if isinstance(self.rules, CodeRules):
                self.rules.check_typed(typed_text(text).translate(BRACKETS).strip())
            self.rules.check_guess(label)
            raise CodebreakerError(f"{label!r} is not a guess of {self.game.name}")
        return index

    def guess_or_none(self, text: str) -> int | None:
        """Return a guess's index, or None if the text is not a guess."""
        return self._guesses.get(self._label(text))

    def usual(self, text: str) -> str:
        """Return a typed code without brackets, as the game writes it."""
        typed = typed_text(text).translate(BRACKETS).strip()
        return typed if self.dialect is None else self.dialect.usual(typed)

    def _label(self, text: str) -> str:
        """Return the label that a text stands for, which may not be a guess."""
        typed = typed_text(text)
        if isinstance(self.rules, CodeRules):
            return self.rules.meanings(self.usual(typed))[0]
        # A table's labels may have spaces of their own. Words may be typed with spaces, and with
        # accents as characters of their own.
        joined = "".join(typed.split())
        for label in (typed, joined):
            if label in self._guesses:
                return label
        return unicodedata.normalize("NFC", joined)

    def secret(self, text: str) -> int:
        """Return a secret's index, or raise `CodebreakerError`."""
        label = self.game.guesses[self.guess(text)]
        index = self._secrets.get(label)
        if index is None:
            raise CodebreakerError(f"{label!r} is a guess of {self.game.name}, but not a secret")
        return index

    def feedback(self, text: str) -> int:
        """Return a feedback's id, or raise `CodebreakerError`."""
        label = self._feedback_label(text)
        if label is None:
            raise CodebreakerError(
                f"feedback {text.strip()!r} can't be read: "
                f"write {self.kind.form}, as in {self.kind.example}"
            )
        if label not in self.game.feedback_labels:
            answer = self.kind.in_prose(label)
            if isinstance(self.rules, Marks) and self.rules.never_occurs(label):
                raise CodebreakerError(
                    f"feedback of {answer} doesn't occur in {self.game.name}: no secret gives it "
                    "to any guess"
                )
            why = f"feedback of {answer} can't be given to {self.rules.guess_form}"
            raise CodebreakerError(why)
        return self.game.feedback_labels.index(label)

    def feedback_or_none(self, text: str) -> int | None:
        """Return a feedback's id, or None if the text is not feedback of the game."""
        label = self._feedback_label(text)
        return None if label is None else self._feedback.get(label)

    def _feedback_label(self, text: str) -> str | None:
        """Return the label of feedback, with or without brackets, or None.

        Marks in other letters and signs than b, y and g are not read from what may be a word.
        """
        typed = typed_text(text)
        if self.kind is MARKS and not self._letters_of_marks.isdisjoint(typed):
            return None
        if self.kind is MARKS and "x" in typed and self.guess_or_none(typed) is not None:
            return None
        return self.kind.label(typed) or self.kind.label(typed.translate(BRACKETS).strip())

    def short(self, feedback: int) -> str:
        """Return a feedback as people type it."""
        return self.kind.short(self.game.feedback_labels[feedback])

    def said(self, feedback: int) -> str:
        """Return a feedback in words."""
        return self.kind.in_prose(self.game.feedback_labels[feedback])

    def misread(self, feedback: int, other: int) -> int:
        """Return how many pegs or marks must be misread to take one feedback for the other."""
        labels = self.game.feedback_labels
        return self.kind.misread(labels[feedback], labels[other])

    def objects(self, moves: Iterable[Move]) -> list[dict[str, str]]:
        """Return moves as objects for JSON, with the feedback as people type it."""
        return [
            {"guess": self.game.guesses[guess], "feedback": self.short(feedback)}
            for guess, feedback in moves
        ]

    def text(self, move: Move) -> str:
        """Return a move as people type it."""
        return f"{self.game.guesses[move[0]]}:{self.short(move[1])}"
