"""How people write the feedback of each family of games, and what it means."""

import re
from collections.abc import Callable
from typing import NamedTuple

from codebreaker.errors import counted

SQUARES = str.maketrans("🟩🟨⬛⬜", "gybb")

_PAIR = re.compile(r"(\d{1,9})(?: ?b ?[,-]? ?| ?[,-] ?| +)(\d{1,9}) ?[wc]?")
_TWO_DIGITS = re.compile(r"(\d)(\d)")
_ONE_COLOUR = re.compile(r"(\d{1,9}) ?([bwc])")
_NUMBER = re.compile(r"(\d{1,9}) ?b?")
_NUMBER_ALONE = re.compile(r"\d{1,9}")
_MARKS = re.compile(r"[byg]+")


class FeedbackKind(NamedTuple):
    """A kind of feedback: its form, an example and its meaning.

    `label` parses typed text into a feedback label, None if it can't be read; `short` formats a
    label for typing, and `said` for prose. `letters` stand for the first and the second number.
    """

    form: str
    example: str
    meaning: str
    label: Callable[[str], str | None]
    short: Callable[[str], str]
    said: Callable[[str], str]
    letters: str = "BW"


def _pair_label(text: str) -> str | None:
    if match := _PAIR.fullmatch(text) or _TWO_DIGITS.fullmatch(text):
        return f"{int(match[1])}B-{int(match[2])}C"
    if match := _ONE_COLOUR.fullmatch(text):
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
    match = _NUMBER_ALONE.fullmatch(text)
    return str(int(text)) if match else None


def _marks_label(text: str) -> str | None:
    marks = text.translate(SQUARES)
    return marks if _MARKS.fullmatch(marks) else None


BLACK_AND_WHITE = FeedbackKind(
    "BLACK,WHITE",
    "1,2",
    "black pegs are right in colour and place; white pegs are right in colour, in another place",
    _pair_label,
    lambda label: ",".join(_pair(label)),
    _pair_said,
)
BULLS_AND_COWS = BLACK_AND_WHITE._replace(
    form="BULLS,COWS",
    letters="BC",
    meaning="bulls (black) are symbols in their place; cows (white) belong in another place",
)
BLACK = FeedbackKind(
    "BLACK",
    "2",
    "black pegs are right in colour and place",
    _black_label,
    lambda label: label.removesuffix("B"),
    lambda label: f"{label.removesuffix('B')} black",
)
MATCHES = FeedbackKind(
    "MATCHES",
    "2",
    "matches are letters in their place",
    _match_label,
    lambda label: label,
    lambda label: f"{counted(int(label), 'letter')} in place",
    "M",
)
MARKS = FeedbackKind(
    "MARKS",
    "bygbb",
    "a mark for each letter: g in its place, y elsewhere in the secret, b absent",
    _marks_label,
    lambda label: label,
    lambda label: f"marks {label}",
)
