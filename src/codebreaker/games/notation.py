"""How people write moves, `1123:1,1`, and what each game's feedback means."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from codebreaker.errors import CodebreakerError
from codebreaker.games.bulls_and_cows import BullsAndCows
from codebreaker.games.codes import CodeRules
from codebreaker.games.model import Game
from codebreaker.games.registry import Rules
from codebreaker.games.words import WordRules
from codebreaker.types import Move

SQUARES = str.maketrans("🟩🟨⬛⬜", "gybb")

_PAIR = re.compile(r"(\d+) ?(?:b ?[,-]? ?|[,-] ?)(\d+) ?[wc]?")
_ONE_KIND = re.compile(r"(\d+) ?([bwc])")
_NUMBER = re.compile(r"(\d+) ?b?")
_MARKS = re.compile(r"[byg]+")


class Kind(NamedTuple):
    """A kind of feedback: its form, an example and its meaning; then what reads and writes it.

    `label` turns what was typed into a label, or None where it can't be read; `short` writes a
    label as it is typed, and `said` as it is spoken.
    """

    form: str
    example: str
    meaning: str
    label: Callable[[str], str | None]
    short: Callable[[str], str]
    said: Callable[[str], str]


def _pair_label(text: str) -> str | None:
    if match := _PAIR.fullmatch(text):
        return f"{int(match[1])}B-{int(match[2])}C"
    if match := _ONE_KIND.fullmatch(text):
        number = int(match[1])
        return f"{number}B-0C" if match[2] == "b" else f"0B-{number}C"
    return None


def _pair(label: str) -> tuple[str, str]:
    black, white = label.removesuffix("C").split("B-")
    return black, white


def _pair_said(label: str) -> str:
    black, white = _pair(label)
    return f"{black} black and {white} white"


def _black_label(text: str) -> str | None:
    match = _NUMBER.fullmatch(text)
    return f"{int(match[1])}B" if match else None


def _match_label(text: str) -> str | None:
    return str(int(text)) if text.isdecimal() else None


def _marks_label(text: str) -> str | None:
    marks = text.translate(SQUARES)
    return marks if _MARKS.fullmatch(marks) else None


_BLACK_AND_WHITE = Kind(
    "BLACK,WHITE",
    "1,2",
    "black pegs are right in colour and place; white pegs are right in colour, in another place",
    _pair_label,
    lambda label: ",".join(_pair(label)),
    _pair_said,
)
KINDS: dict[str, Kind] = {
    "mm": _BLACK_AND_WHITE,
    "bc": _BLACK_AND_WHITE._replace(
        form="BULLS,COWS",
        meaning="bulls (black) are symbols in their place; cows (white) stand in another place",
    ),
    "black": Kind(
        "BLACK",
        "2",
        "black pegs are right in colour and place",
        _black_label,
        lambda label: label.removesuffix("B"),
        lambda label: f"{label.removesuffix('B')} black",
    ),
    "matches": Kind(
        "MATCHES",
        "2",
        "matches are letters in their place",
        _match_label,
        lambda label: label,
        lambda label: f"{label} letters in place",
    ),
    "marks": Kind(
        "MARKS",
        "bygbb",
        "a mark for each letter: g in its place, y elsewhere in the secret, b absent",
        _marks_label,
        lambda label: label,
        lambda label: f"marks {label}",
    ),
}
"""The feedback of each family of games, by the first part of their names."""


@dataclass(frozen=True, eq=False)
class Notation:
    """The notation of a game's moves."""

    rules: Rules
    game: Game

    @property
    def kind(self) -> Kind:
        """Return the kind of feedback."""
        return KINDS[self.rules.name.split("-")[0]]

    @property
    def legend(self) -> str:
        """Return how feedback is written, and what it means."""
        return f"{self.kind.form}, as in {self.kind.example}: {self.kind.meaning}"

    def moves(self, texts: list[str]) -> list[Move]:
        """Read moves; raise `CodebreakerError` that names the first bad one by number and text."""
        found = []
        for number, text in enumerate(texts, start=1):
            try:
                found.append(self.move(text))
            except CodebreakerError as error:
                raise CodebreakerError(f"move {number}, {text}: {error}") from None
        return found

    def move(self, text: str) -> Move:
        """Read a move, such as `1123:1,1`."""
        guess, colon, feedback = text.partition(":")
        if not colon:
            raise CodebreakerError(
                f"a move is GUESS:{self.kind.form}, "
                f"as in {self.game.guesses[0]}:{self.kind.example}"
            )
        return self.guess(guess), self.feedback(feedback)

    def guess(self, text: str) -> int:
        """Return the index of a guess; raise `CodebreakerError` where it is none of the game."""
        label = text.strip().lower()
        self.rules.check_guess(label)
        return self.game.guesses.index(label)

    def secret(self, text: str) -> int:
        """Return the index of a secret; raise `CodebreakerError` where it is none of the game."""
        guess = self.guess(text)
        if self.game.secrets is self.game.guesses:
            return guess
        label = self.game.guesses[guess]
        if label not in self.game.secrets:
            raise CodebreakerError(f"{label!r} is a guess of {self.game.name}, but no secret")
        return self.game.secrets.index(label)

    def feedback(self, text: str) -> int:
        """Return the id of a feedback; raise `CodebreakerError` where the game can't give it."""
        label = self.kind.label(text.strip().lower())
        if label is None:
            raise CodebreakerError(
                f"feedback {text.strip()!r} can't be read: "
                f"write {self.kind.form}, as in {self.kind.example}"
            )
        if label not in self.game.feedback_labels:
            raise CodebreakerError(
                f"feedback of {self.kind.said(label)} can't be given to {self._codes()}"
            )
        return self.game.feedback_labels.index(label)

    def _codes(self) -> str:
        rules = self.rules
        if isinstance(rules, BullsAndCows):
            return f"a code of {rules.pegs} out of {rules.colours} symbols, none twice"
        if isinstance(rules, CodeRules):
            return f"a code of {rules.pegs} pegs"
        assert isinstance(rules, WordRules)
        return f"a word of {rules.letters} letters"

    def short(self, feedback: int) -> str:
        """Return a feedback as it is typed."""
        return self.kind.short(self.game.feedback_labels[feedback])

    def said(self, feedback: int) -> str:
        """Return a feedback as it is spoken."""
        return self.kind.said(self.game.feedback_labels[feedback])

    def objects(self, moves: Iterable[Move]) -> list[dict[str, str]]:
        """Return moves as objects for JSON: the guess, and the feedback as it is typed."""
        return [
            {"guess": self.game.guesses[guess], "feedback": self.short(feedback)}
            for guess, feedback in moves
        ]

    def text(self, move: Move) -> str:
        """Return a move as it is typed."""
        return f"{self.game.guesses[move[0]]}:{self.short(move[1])}"
