"""Feedback: its forms, its meaning, and its table in games of codes."""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from codebreaker.errors import CodebreakerError, counted
from codebreaker.types import FeedbackIds, Indices, SymbolMatrix

SQUARES = str.maketrans("🟩🟧🟨🟦⬛⬜", "ggyybb")

OTHER_MARKS = "012x._-"
"""Marks as programs write them, with y and g or as numbers: 0 absent, 1 elsewhere, 2 in place."""

_TO_MARKS = str.maketrans(OTHER_MARKS, "bygbbbb")

ABSENT_MARKS = "bx._-"
"""Marks of an absent letter besides 0; different programs use different ones."""

TICKS = "✓✔"
_WITH_TICKS = str.maketrans(f"{TICKS}-x", "ggyb")
"""Marks of programs that tick a letter in place: there - means elsewhere, and x absent."""

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBER = re.compile(rf"\b(?:none|zero|{'|'.join(_NUMBERS)})\b")
_NO_PEGS = re.compile(r"none|nothing|(?:no|0|zero) pegs?")

_PAIR = re.compile(r"([0-9]{1,9})(?: ?b ?[,-]? ?| ?[,;/.+-] ?| +)([0-9]{1,9}) ?[wc]?")
_TWO_DIGITS = re.compile(r"([0-9])([0-9])")
_COUNTED = (
    re.compile(r"(?P<number>[0-9]{1,9}) ?(?P<colour>[bwcr])"),
    re.compile(r"(?P<colour>[bwcr]) ?(?P<number>[0-9]{1,9})"),
)
"""Pegs with their number before or after the colour; red pegs are black ones of another maker."""

_BULLS_A = re.compile(r"([0-9]{1,9}) ?a ?([0-9]{1,9}) ?b")
_WORDS = re.compile(r"([bwcr])(?:lack|hite|ull|ow|ed)s?(?: pegs?)?\b")
_BETWEEN_COUNTS = re.compile(r" and |[,;&+:=]")
_PEGS = re.compile(r"[bwc.–-]+|[xo.–-]+|[⚫⚪.–-]+|[●○.–-]+")
_IN_PLACE = frozenset("bx⚫●")
_ELSEWHERE = frozenset("wco⚪○")
EMOJI_STYLE = "\ufe0f"
"""The invisible sign that makes an emoji of the character before it."""

EMOJI_NAME = re.compile(r":(?:large_)?([a-z]+)_(?:large_)?(square|circle):", re.IGNORECASE)
"""An emoji's name, as Slack and Discord copy it."""

_EMOJI_COLOURS = (
    "red", "orange", "yellow", "green", "blue", "purple", "brown", "black", "white",
)  # fmt: skip
_EMOJI = {"square": "🟥🟧🟨🟩🟦🟪🟫⬛⬜", "circle": "🔴🟠🟡🟢🔵🟣🟤⚫⚪"}


def with_emoji(text: str) -> str:
    """Return text with squares and circles in place of their names.

    >>> with_emoji("crane :large_green_square::black_large_square:")
    'crane 🟩⬛'
    """

    def emoji(match: re.Match[str]) -> str:
        """Return the emoji of a name, or the text itself if its colour is unknown."""
        colour = match[1].lower()
        if colour not in _EMOJI_COLOURS:
            return match[0]
        return _EMOJI[match[2].lower()][_EMOJI_COLOURS.index(colour)]

    return EMOJI_NAME.sub(emoji, text)


def _are_different(label: str, other: str) -> int:
    """Return 1 for two labels that differ, where nothing else is known of them."""
    return int(label != other)


class FeedbackKind(NamedTuple):
    """A kind of feedback: its form, an example, its meaning, and conversions."""

    form: str
    example: str
    meaning: str
    label: Callable[[str], str | None]  # parses text; None if it can't be read
    short: Callable[[str], str]  # formats a label for typing
    in_prose: Callable[[str], str]  # formats a label for prose
    letters: str = "BW"  # of the first and second number
    misread: Callable[[str, str], int] = _are_different  # pegs or marks that differ in two labels


def _in_digits(text: str) -> str:
    """Return text with digits for the words of numbers up to ten; `no` and `none` are 0."""

    def digits(word: re.Match[str]) -> str:
        """Return a number's digits."""
        return str(_NUMBERS.index(word[0])) if word[0] in _NUMBERS else "0"

    return _NUMBER.sub(digits, text)


def _pegs(text: str) -> tuple[int, int] | None:
    """Return the black and white pegs of text that counts or draws them, or None.

    Counted as in `1b2w`, `2 white and one black`, `black 1, white 2` or `3b`; drawn as in `bww` or
    `xoo-`, where x is a peg in place and o one elsewhere, or with emoji.
    """
    drawn = "".join(text.split())
    if _PEGS.fullmatch(drawn):
        return sum(peg in _IN_PLACE for peg in drawn), sum(peg in _ELSEWHERE for peg in drawn)
    counts = " ".join(_BETWEEN_COUNTS.sub(" ", _WORDS.sub(r"\1", text)).split())
    for form in _COUNTED:
        if form.search(counts) and not form.sub("", counts).strip():
            break
    else:
        return None
    pegs = [(int(match["number"]), match["colour"]) for match in form.finditer(counts)]
    black = [number for number, colour in pegs if colour in "br"]
    white = [number for number, colour in pegs if colour in "wc"]
    if len(black) > 1 or len(white) > 1:
        return None
    return sum(black), sum(white)


def _pair_label(text: str) -> str | None:
    """Return the label of black and white pegs as people type them, such as 1,2, 1b2w or none."""
    if _NO_PEGS.fullmatch(text):
        return "0B-0C"
    text = _in_digits(text)
    if match := _PAIR.fullmatch(text) or _TWO_DIGITS.fullmatch(text) or _BULLS_A.fullmatch(text):
        return f"{int(match[1])}B-{int(match[2])}C"
    pegs = _pegs(text)
    return None if pegs is None else f"{pegs[0]}B-{pegs[1]}C"


def _black_label(text: str) -> str | None:
    """Return the label of black pegs as people type them, such as 2, 2b, bb, xx-- or none."""
    if _NO_PEGS.fullmatch(text):
        return "0B"
    text = _in_digits(text)
    if re.fullmatch(r"[0-9]{1,9}", text):
        return f"{int(text)}B"
    pegs = _pegs(text)
    return None if pegs is None or pegs[1] else f"{pegs[0]}B"


def _marks_label(text: str) -> str | None:
    """Return the label of marks, such as bygbb, a row of squares, 01200, -yg-- or x-✓xx.

    Raises `CodebreakerError` for two different signs of an absent letter: one of them may mean
    elsewhere.
    """
    marks = "".join(text.replace(EMOJI_STYLE, "").split()).translate(SQUARES)
    if set(marks) & set(TICKS):
        return marks.translate(_WITH_TICKS) if set(marks) <= {*TICKS, "-", "x"} else None
    absent = sorted(set(marks) & set(ABSENT_MARKS))
    if re.fullmatch("[bygx._-]+", marks) and len(absent) > 1:
        first, second = absent[:2]
        raise CodebreakerError(
            f"the marks {text!r} have {first!r} and {second!r}, which both mean absent here; where "
            f"one of them means elsewhere, it is another answer: write b for absent, y for "
            "elsewhere and g for in place"
        )
    if re.fullmatch("[012]+|[bygx._-]+", marks):
        marks = marks.translate(_TO_MARKS)
    return marks if re.fullmatch("[byg]+", marks) else None


def _pair(label: str) -> list[str]:
    """Return the numbers of black and white pegs of a label, such as 1B-2C."""
    return label.removesuffix("C").split("B-")


def _pegs_that_differ(label: str, other: str) -> int:
    """Return the fewest pegs that must be misread: as black, as white or as none."""
    numbers = [tuple(map(int, _pair(each))) for each in (label, other)]
    more_black = numbers[1][0] - numbers[0][0]
    more_white = numbers[1][1] - numbers[0][1]
    more_of_none = -more_black - more_white
    return (abs(more_black) + abs(more_white) + abs(more_of_none)) // 2


def _number_that_differs(label: str, other: str) -> int:
    """Return how far apart two numbers are, of black pegs or of matches."""
    return abs(int(label.removesuffix("B")) - int(other.removesuffix("B")))


def _marks_that_differ(label: str, other: str) -> int:
    """Return how many marks differ."""
    return sum(mark != another for mark, another in zip(label, other, strict=True))


def _matches_label(text: str) -> str | None:
    """Return the label of a number of matches."""
    return str(int(text)) if re.fullmatch(r"[0-9]{1,9}", text) else None


BLACK_AND_WHITE = FeedbackKind(
    "BLACK,WHITE",
    "1,2",
    "black pegs are in place; white pegs belong elsewhere",
    _pair_label,
    lambda label: ",".join(_pair(label)),
    lambda label: "{} black and {} white".format(*_pair(label)),
    misread=_pegs_that_differ,
)
BULLS_AND_COWS = BLACK_AND_WHITE._replace(
    form="BULLS,COWS",
    letters="BC",
    meaning="bulls are in place; cows belong elsewhere",
)
BLACK = FeedbackKind(
    "BLACK",
    "2",
    "black pegs are in place",
    _black_label,
    lambda label: label.removesuffix("B"),
    lambda label: f"{label.removesuffix('B')} black",
    misread=_number_that_differs,
)
MATCHES = FeedbackKind(
    "MATCHES",
    "2",
    "matches are letters in their place",
    _matches_label,
    lambda label: label,
    lambda label: f"{counted(int(label), 'letter')} in place",
    "M",
    _number_that_differs,
)
MARKS = FeedbackKind(
    "MARKS",
    "bygbb",
    "g is in place, y elsewhere in the secret, b absent",
    _marks_label,
    lambda label: label,
    lambda label: f"marks {label}",
    misread=_marks_that_differ,
)


MOST_FEEDBACK = 1 << 16
"""Maximum number of feedback ids of a game: those that two bytes can tell apart."""

ENTRIES_AT_ONCE = 1 << 16
"""Number of table entries, of one byte each, that are filled at a time: they fit a CPU's cache."""

BYTE = 256
"""Number of values of a byte."""


def id_type(n_feedback: int) -> np.dtype[np.uint8 | np.uint16]:
    """Return the smallest type of that many feedback ids: uint8 for up to 256, otherwise uint16.

    Compiled loops are compiled for the type of their game. Games of codes always have uint8.
    """
    return np.dtype(np.uint8 if n_feedback <= BYTE else np.uint16)


def peg_pairs(pegs: int) -> list[tuple[int, int]]:
    """Return the possible black and white pegs in the papers' order."""
    every = ((black, white) for black in range(pegs + 1) for white in range(pegs - black + 1))
    return [pair for pair in every if pair != (pegs - 1, 1)]


def ids_by_pegs(pegs: int, pairs: list[tuple[int, int]]) -> FeedbackIds:
    """Return ids by pegs in place and colours in common, (pegs + 1, pegs + 1) uint8.

    Colours in common are black plus white pegs. Combinations that are not in `pairs` have the id 0.
    """
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
    """Return the feedback id of every code to every secret, (n_codes, n_secrets) uint8.

    `codes` (n_codes, pegs) are all codes in lexicographic order, `secret_indices` (n_secrets,) the
    rows of the possible secrets. `ids` (pegs + 1, pegs + 1) has the feedback id by pegs in
    place and colours in common, as from `ids_by_pegs`.

    This is the fast form of `ids[black, common]`, where `black` is the number of pegs in place, and
    `common` the sum over colours of the smaller of the two numbers of pegs. Tests compare it with
    this definition.
    """
    # Few distinct rows have to be computed, as codes share them:
    # - black = b1 + b2, the pegs in place in the first and in the second half of the code. Codes
    #   with the same half have the same row of b1 or of b2.
    # - Codes with the same multiset of colours have the same row of `common`.
    # MM(4,6) has 1,296 codes, but 36 halves and 126 multisets.
    pegs = codes.shape[1]
    middle = (pegs + 1) // 2
    secrets = codes[secret_indices]
    place_values = n_colours ** np.arange(pegs - 1, -1, -1, dtype=np.int64)
    b1_rows, first_half = _shared_rows(
        codes[:, :middle] @ place_values[:middle], codes[:, :middle], secrets[:, :middle], np.equal
    )
    b2_rows, second_half = _shared_rows(
        codes[:, middle:] @ place_values[middle:], codes[:, middle:], secrets[:, middle:], np.equal
    )
    counts = colour_counts(codes, n_colours)
    multisets = np.sort(codes, axis=1) @ place_values
    common_rows, multiset = _shared_rows(multisets, counts, counts[secret_indices], np.minimum)
    id_less_common = _id_less_common(ids)
    if id_less_common is not None:
        f1_rows = id_less_common[b1_rows]
        f2_rows = id_less_common[b2_rows]
    table = np.empty((len(codes), len(secrets)), dtype=np.uint8)
    for start, stop in pairwise(_block_bounds(first_half, len(secrets))):
        # The block's codes share their first half, so that one row of b1 serves all of them. Their
        # second halves are distinct and ascending: if there are as many as halves, they are all.
        block = table[start:stop]
        b1 = b1_rows[first_half[start]]
        second = second_half[start:stop]
        has_all = len(second) == len(b2_rows)
        b2 = b2_rows if has_all else b2_rows.take(second, 0)
        # The block holds colours in common first, and then the ids that replace them.
        common_rows.take(multiset[start:stop], 0, out=block, mode="clip")
        if id_less_common is None:
            block[:] = _looked_up(b1 + b2, block, ids)
        else:
            # id = common + f(b1 + b2) = common - b1 b2 + f(b1) + f(b2): see `_id_less_common`.
            block -= b2 * b1
            block += f1_rows[first_half[start]]
            block += f2_rows if has_all else f2_rows.take(second, 0)
    # Solved is the only feedback whose id the sum above misses (by one, if (pegs - 1, 1) has none).
    table[secret_indices, np.arange(len(secrets))] = ids[pegs, pegs]
    return table


def _block_bounds(first_half: Indices, n_secrets: int) -> list[int]:
    """Return where blocks of codes start, and the number of codes.

    `first_half` (n_codes,) numbers each code's first half. A block's codes have the same first
    half, and at most ENTRIES_AT_ONCE table entries, or one row.
    """
    rows_at_once = max(ENTRIES_AT_ONCE // n_secrets, 1)
    changes = np.flatnonzero(np.diff(first_half)) + 1
    bounds: list[int] = []
    for start, stop in pairwise([0, *changes.tolist(), len(first_half)]):
        bounds.extend(range(start, stop, rows_at_once))
    return [*bounds, len(first_half)]


def _id_less_common(ids: FeedbackIds) -> FeedbackIds | None:
    """Return f, (pegs + 1,) uint8, by pegs in place: f[black] + common is the id, except if solved.

    None if `ids` are not of this form: if some black and white pegs have no id, or whites don't
    count.
    """
    # With n pegs, the papers' order has n - k + 1 feedbacks of k black pegs: 0 to n - k white ones.
    # The id of b black and w white pegs is the number of feedbacks before it:
    #   id = sum over k < b of (n - k + 1) + w = b (n + 1) - b (b - 1) / 2 + w.
    # With common = b + w,
    #   id = f(b) + common, where f(b) = b n - b (b - 1) / 2.
    # As (b1 + b2) (b1 + b2 - 1) = b1 (b1 - 1) + b2 (b2 - 1) + 2 b1 b2,
    #   f(b1 + b2) = f(b1) + f(b2) - b1 b2,
    # so that f of a code follows from its halves. All ids are below 256, so that sums of bytes,
    # which are modulo 256, are exact.
    # The impossible (n - 1, 1) has no id; only solved, (n, 0), comes after it, and is set apart.
    n = len(ids) - 1
    black = np.arange(n + 1)
    f = (black * n - black * (black - 1) // 2).astype(np.uint8)
    expected = f[:, None] + np.arange(n + 1, dtype=np.uint8)
    # Pegs in place are colours in common, so black <= common; with n - 1 black pegs, common < n.
    possible = np.triu(np.ones_like(ids, dtype=np.bool_))
    possible[n - 1 :, n] = False
    return f if (ids == expected)[possible].all() else None


def _shared_rows(
    keys: Indices, codes: SymbolMatrix, secrets: SymbolMatrix, compare: np.ufunc
) -> tuple[FeedbackIds, Indices]:
    """Return one row for each distinct key, (n_keys, n_secrets) uint8, and each code's row.

    Codes with equal `keys` (n_codes,) have equal `codes`. `codes` (n_codes, n_columns) and
    `secrets` (n_secrets, n_columns) have a column for each peg, or for each colour. A row is the
    sum over columns of `compare` of a code's and each secret's value.
    """
    _, first, row_of_code = np.unique(keys, return_index=True, return_inverse=True)
    rows: FeedbackIds = np.zeros((len(first), len(secrets)), dtype=np.uint8)
    columns = zip(codes[first].T, np.ascontiguousarray(secrets.T), strict=True)
    for of_codes, of_secrets in columns:
        rows += compare(of_codes[:, None], of_secrets[None, :])
    return rows, row_of_code.astype(np.int32)


def _looked_up(black: FeedbackIds, common: FeedbackIds, ids: FeedbackIds) -> FeedbackIds:
    """Return ids[black, common]; all arrays are uint8."""
    width = len(ids)
    if width * width > BYTE:
        return ids[black, common]
    # A byte holds both: common * width + black. Translating bytes is faster than indexing.
    packed = common * np.uint8(width)
    packed += black
    by_packed = ids.T.tobytes().ljust(BYTE, b"\0")
    return np.frombuffer(packed.tobytes().translate(by_packed), np.uint8).reshape(packed.shape)
