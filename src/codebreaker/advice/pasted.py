"""Games as people paste them: moves, what `play` prints, the page's text, words with squares."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.codes import CodeRules
from codebreaker.games.notation import Notation
from codebreaker.games.registry import CODES, FAMILIES
from codebreaker.types import Move

DISCS = "🔵🟠🟢🔴🟣🟡"
"""The first colours in the page's shared text."""

WORDLE = "marks-common"
"""The game of a grid that Wordle shares."""

LONGEST_ROW = 1000
SENTENCE = 3
"""A row with as many words is a sentence."""

Read = TypeVar("Read")
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
NAMED = re.compile(rf"((?:{'|'.join(FAMILIES)})-[\w-]+)(?=[,:]|$)")
TITLED = re.compile(r"(.+), (\d+) pegs and (\d+) (?:colours|symbols)\b(, none twice)?")
LISTED = re.compile(r"Words(.*): the list '([\w-]+)'")
GRID = re.compile(r"Wordle [\d.,]+ [\dX]/\d")
SECRET = re.compile(r"\bsecret(?: was| is|:| =) *(\S.*)|solved in \d+ guess\w*: (.+)")
ENDED = re.compile(r"(solved in|ended after)\b")
REMARK = re.compile(
    r"(guess \d+|feedback)>|(guess \d+|next guess|hint|candidates|feedback|expected|policy|code"
    "|error): |took back|Best play needs|https?:|#|[$]"
)
PEGS = re.compile(r" ?\b([bwc])(?:lack|hite|ull|ow)s?(?: pegs?)?\b")
LETTERS = re.compile(r"^(?:[BCW] +)+(?=\d)")
CIRCLES = re.compile(r"[⚫⚪]+|–")
ARROWS = {"-", "->", "→", "=", "|"}
Row = tuple[int, str]


def pasted_games(lines: Iterable[Row]) -> Iterator[tuple[str | None, str | None, list[Row]]]:
    """Yield each game's name and secret, if given, and rows; a title or blank line begins one."""
    name = None
    secret = None
    rows = list[Row]()
    ended = False
    for number, line in lines:
        text = ESCAPES.sub("", line).strip()
        title = _name(text)
        only_feedback = not any(letter.isalnum() for _, row in rows for letter in row)
        if rows and (title or not (text or only_feedback)):
            yield name, secret, rows
            name = None
            secret = None
            rows = []
        if title or not text:
            name = title or name
            ended = False
            continue
        if revealed := SECRET.search(text):
            secret = "".join((revealed[1] or revealed[2]).split())
        if text.startswith("took back move"):
            del rows[-1:]
        ended = ended or bool(ENDED.match(text))
        row = text if revealed is None else text[: revealed.start()].strip()
        if row and not ended and not REMARK.match(row):
            rows.append((number, row))
    if rows:
        yield name, secret, rows


def _name(text: str) -> str | None:
    """Return the name of the game that a line announces, or None if it announces none."""
    if match := NAMED.match(text):
        return match[1]
    if match := TITLED.match(text):
        title = match[1].lower()
        families = [name for name, rules in CODES.items() if rules.title.lower().endswith(title)]
        return "-".join((*families, match[2], match[3])) + "-distinct" * bool(match[4])
    if match := LISTED.match(text):
        kind = "marks" if "marks" in match[1] else "pegs" if "pegs" in match[1] else "matches"
        return f"{kind}-{match[2]}"
    return WORDLE if GRID.match(text) else None


def read_row(notation: Notation, text: str, turn: int) -> tuple[list[int], list[int]]:
    """Return the ids of a row's guesses and feedback: as many of each, or only one kind.

    The row may begin with its `turn`; a sentence has neither. Raises `CodebreakerError` if the row
    can't be read.
    """
    if len(text) > LONGEST_ROW:
        raise CodebreakerError("the line is too long for a move")
    if isinstance(notation.rules, CodeRules):
        text = text.translate(dict(zip(map(ord, DISCS), notation.rules.symbols(), strict=False)))
    tokens = [token for token in text.split() if token not in ARROWS] or [text]
    numbered = len(tokens) > 1 and re.fullmatch(rf"#?{turn}[.):]?", tokens[0])
    # A first token that is the turn may be the number of the row, or a guess.
    for part in (tokens[1:], tokens) if numbered else (tokens,):
        # The guess may end at any token; the rest is its feedback. Or the feedback comes first.
        guess_first = [
            f"{''.join(part[:end]).rstrip(':')}:{_feedback(notation, part[end:])}"
            for end in range(1, len(part))
        ]
        answer_first = f"{part[-1]}:{_feedback(notation, part[:-1])}"
        for moves in (part, *([move] for move in (*guess_first, answer_first))):
            if read := _all(notation.move, moves):
                return [guess for guess, _ in read], [feedback for _, feedback in read]
        if guesses := _all(notation.guess, part) or _all(notation.guess, ["".join(part)]):
            return guesses, []
        if feedback := _all(notation.feedback, [_feedback(notation, part)]):
            return [], feedback
    if sum(token.isalpha() for token in tokens) >= SENTENCE:
        return [], []
    first, *rest = tokens[1:] if numbered else tokens
    notation.guess(first.rstrip(":"))
    notation.feedback(" ".join(rest))
    raise CodebreakerError(f"write a move as in {notation.game.guesses[0]} {notation.kind.example}")


def _all(read: Callable[[str], Read], texts: Sequence[str]) -> list[Read]:
    """Return what texts mean, or an empty list unless all can be read."""
    try:
        return [read(text) for text in texts]
    except CodebreakerError:
        return []


def _feedback(notation: Notation, tokens: Sequence[str]) -> str:
    """Return feedback without words and signs for pegs: `1 black and 2 whites` as `1 2`."""
    text = LETTERS.sub("", " ".join(tokens))
    if CIRCLES.fullmatch(text):
        numbers = [text.count("⚫"), text.count("⚪")]
        return ",".join(map(str, numbers[: len(notation.kind.form.split(","))]))
    return PEGS.sub(lambda peg: peg[1], text).replace(" and ", " ")


def paired(
    notation: Notation, guesses: Sequence[int], feedback: Sequence[int], secret: str | None
) -> list[Move]:
    """Return a game's moves; missing feedback follows from the secret."""
    if guesses and not feedback:
        if secret is None:
            raise CodebreakerError(
                "no guess has its feedback: add a line with the secret, as in "
                f"'secret: {notation.game.secrets[0]}'"
            )
        index = np.array([notation.secret(secret)], dtype=np.int32)
        feedback = [int(notation.game.feedback(guess, index)[0]) for guess in guesses]
    if len(guesses) != len(feedback):
        raise CodebreakerError(
            f"there are {len(guesses)} guesses and {len(feedback)} answers: write each guess "
            f"before its answer, as in {notation.game.guesses[0]} {notation.kind.example}"
        )
    return [*zip(guesses, feedback, strict=True)]
