"""Feedback: its forms, its meaning, and its table in games of codes."""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from codebreaker.errors import counted
from codebreaker.types import FeedbackIds, Indices, SymbolMatrix

SQUARES = str.maketrans("🟩🟧🟨🟦⬛⬜", "ggyybb")

_PAIR = re.compile(r"([0-9]{1,9})(?: ?b ?[,-]? ?| ?[,-] ?| +)([0-9]{1,9}) ?[wc]?")
_TWO_DIGITS = re.compile(r"([0-9])([0-9])")
_ONE_COLOUR = re.compile(r"([0-9]{1,9}) ?([bwc])")


class FeedbackKind(NamedTuple):
    """A kind of feedback: its form, an example, its meaning, and conversions."""

    form: str
    example: str
    meaning: str
    label: Callable[[str], str | None]  # parses text; None if it can't be read
    short: Callable[[str], str]  # formats a label for typing
    said: Callable[[str], str]  # formats a label for prose
    letters: str = "BW"  # of the first and second number


def _pair_label(text: str) -> str | None:
    if match := _PAIR.fullmatch(text) or _TWO_DIGITS.fullmatch(text):
        return f"{int(match[1])}B-{int(match[2])}C"
    if match := _ONE_COLOUR.fullmatch(text):
        number = int(match[1])
        return f"{number}B-0C" if match[2] == "b" else f"0B-{number}C"
    return None


def _pair(label: str) -> list[str]:
    return label.removesuffix("C").split("B-")


def _reader(pattern: str, label: Callable[[re.Match[str]], str]) -> Callable[[str], str | None]:
    known = re.compile(pattern)
    return lambda text: label(match) if (match := known.fullmatch(text)) else None


BLACK_AND_WHITE = FeedbackKind(
    "BLACK,WHITE",
    "1,2",
    "black pegs are right in colour and place; white pegs are right in colour, in another place",
    _pair_label,
    lambda label: ",".join(_pair(label)),
    lambda label: "{} black and {} white".format(*_pair(label)),
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
    _reader(r"([0-9]{1,9}) ?b?", lambda match: f"{int(match[1])}B"),
    lambda label: label.removesuffix("B"),
    lambda label: f"{label.removesuffix('B')} black",
)
MATCHES = FeedbackKind(
    "MATCHES",
    "2",
    "matches are letters in their place",
    _reader(r"[0-9]{1,9}", lambda match: str(int(match[0]))),
    lambda label: label,
    lambda label: f"{counted(int(label), 'letter')} in place",
    "M",
)
MARKS = FeedbackKind(
    "MARKS",
    "bygbb",
    "a mark for each letter: g in its place, y elsewhere in the secret, b absent",
    _reader("[byg🟩🟧🟨🟦⬛⬜]+", lambda match: match[0].translate(SQUARES)),
    lambda label: label,
    lambda label: f"marks {label}",
)


CELLS_AT_ONCE = 1 << 16  # table entries that fit the CPU's cache
BYTE = 256


def peg_pairs(pegs: int) -> list[tuple[int, int]]:
    """Return the possible black and white pegs in the papers' order."""
    every = ((black, white) for black in range(pegs + 1) for white in range(pegs - black + 1))
    return [pair for pair in every if pair != (pegs - 1, 1)]


def ids_by_pegs(pegs: int, pairs: list[tuple[int, int]]) -> FeedbackIds:
    """Return ids by pegs in place and colours in common, (pegs + 1, pegs + 1) uint8."""
    ids = np.zeros((pegs + 1, pegs + 1), dtype=np.uint8)
    for index, (black, white) in enumerate(pairs):
        ids[black, black + white] = index
    return ids


def colour_counts(codes: SymbolMatrix, n_colours: int) -> FeedbackIds:
    """Return each code's number of pegs of each colour, (n_codes, n_colours) uint8."""
    counts = np.zeros((len(codes), n_colours), dtype=np.uint8)
    for peg in codes.T:
        counts += peg[:, None] == np.arange(n_colours, dtype=codes.dtype)
    return counts


def feedback_table(
    codes: SymbolMatrix, secret_indices: Indices, n_colours: int, ids: FeedbackIds
) -> FeedbackIds:
    """Return the feedback id of every code to every secret, (n_codes, n_secrets) uint8."""
    # Pegs in place are computed per half of a code, and colours per multiset.
    pegs, middle, secrets = codes.shape[1], (codes.shape[1] + 1) // 2, codes[secret_indices]
    place = n_colours ** np.arange(pegs - 1, -1, -1, dtype=np.int64)
    counts = colour_counts(codes, n_colours)
    (first, which), (second, which_second) = [
        _shared_rows(codes[:, half] @ place[half], codes[:, half], secrets[:, half], np.equal)
        for half in (slice(0, middle), slice(middle, pegs))
    ]
    selections = np.sort(codes, axis=1) @ place
    common, which_common = _shared_rows(selections, counts, counts[secret_indices], np.minimum)
    first_of = _first_ids(ids)
    to_add = None if first_of is None else (first_of[first], first_of[second])
    table = np.empty((len(codes), len(secrets)), dtype=np.uint8)
    halves = [0, *(np.flatnonzero(np.diff(which)) + 1).tolist(), len(codes)]
    at_once = max(CELLS_AT_ONCE // len(secrets), 1)
    starts = [start for of_half in pairwise(halves) for start in range(*of_half, at_once)]
    for start, stop in pairwise([*starts, len(codes)]):
        rows, half = table[start:stop], which[start]
        seconds = which_second[start:stop]
        every = len(seconds) == len(second)
        common.take(which_common[start:stop], 0, out=rows, mode="clip")
        black = second if every else second.take(seconds, 0)
        if to_add is None:
            rows[:] = _translated(black + first[half], rows, ids)
        else:
            rows -= black * first[half]
            rows += to_add[0][half]
            rows += to_add[1] if every else to_add[1].take(seconds, 0)
    table[secret_indices, np.arange(len(secrets))] = ids[pegs, pegs]
    return table


def _first_ids(ids: FeedbackIds) -> FeedbackIds | None:
    """Return f by pegs in place: f + colours in common is the id, except for solved.

    f(b + b') = f(b) + f(b') - bb', modulo 256, so halves suffice. None if a feedback has no id.
    """
    n = len(ids) - 1
    black = np.arange(n + 1)
    first = (black * n - black * (black - 1) // 2).astype(np.uint8)
    every = first[:, None] + np.arange(n + 1, dtype=np.uint8)
    possible = np.triu(np.ones_like(ids, dtype=np.bool_))
    possible[n - 1 :, n] = False
    return first if (ids == every)[possible].all() else None


def _shared_rows(
    keys: Indices, codes: SymbolMatrix, secrets: SymbolMatrix, compare: np.ufunc
) -> tuple[FeedbackIds, Indices]:
    """Return sums of `compare` with all secrets by key, and each code's row in them."""
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    rows: FeedbackIds = np.zeros((len(first), len(secrets)), dtype=np.uint8)
    for own, other in zip(codes[first].T, np.ascontiguousarray(secrets.T), strict=True):
        rows += compare(own[:, None], other[None, :])
    return rows, which.astype(np.int32)


def _translated(black: FeedbackIds, common: FeedbackIds, ids: FeedbackIds) -> FeedbackIds:
    width = len(ids)
    if width * width > BYTE:
        return ids[black, common]
    raw = common * np.uint8(width)
    raw += black
    by_raw = ids.T.tobytes().ljust(BYTE, b"\0")
    return np.frombuffer(raw.tobytes().translate(by_raw), np.uint8).reshape(raw.shape)
