"""Games as people paste them: moves, what `play` prints, the page's text, words with squares."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from codebreaker.errors import CodebreakerError, counted
from codebreaker.games.codes import ANY_GUESS, DISTINCT, BullsAndCows
from codebreaker.games.feedback import EMOJI_STYLE, with_emoji
from codebreaker.games.notation import Notation
from codebreaker.games.registry import CODES, FAMILIES, WORDLE
from codebreaker.games.words import Marks, Matches
from codebreaker.types import Move

MARKS = r" *[ :=] *(?P<marks>[🟩🟧🟨🟦⬛⬜]{5}|[bygx._-]{5}|[012]{5})"
"""Wordle's marks after a word, as squares, letters, signs or digits."""

MARKED = re.compile(
    rf"(?:\d+[.)] +)?(?:(?P<before>[🟩🟧🟨🟦⬛⬜]{{5}}) *)?(?:[a-z]{{5}})?(?:{MARKS})?",
    re.IGNORECASE,
)
"""A row of Wordle: its squares, its word, or both."""

MANY_MARKED = re.compile(rf"(?:[a-z]{{5}}{MARKS}(?: +|$)){{2,}}", re.IGNORECASE)
"""Several words of Wordle in a row, each with its marks."""

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
NAMED = re.compile(rf"((?:{'|'.join(FAMILIES)})-[\w-]+)(?=[,:]|$)")
TITLED = re.compile(r"(.+), (\d+) pegs? and (\d+) (?:colours|symbols)\b(, none twice)?")
LISTED = re.compile(r"Words(.*?)(?:: the list '([\w-]+)'|, an example)")
CODES_AS_WORDS = re.compile(r"Codes of (\d+) pegs and (\d+) colours, each peg marked")
GRID = re.compile(r"Wordle [\d.,]+ [\dX]/\d(\*)?|Wordle: common five-letter words")
"""The title of Wordle, with a star in hard mode, or of the page's game with the same words."""

RARE_WORDS = re.compile(r"Wordle: rare words too")
"""The title of the page's game of Wordle with all words of the package."""

OWN_WORDS = re.compile(r"Wordle: my own words")
"""The title of the page's game of Wordle with words that have no name here."""

UNNAMED_WORDS = Marks.family
"""Stands for the game of Wordle's marks with words that a title does not name."""

RARE_NAME = f"{Marks.family}-rare"
"""The game of Wordle's marks with all words of the package."""

GRID_NAME = "wordle"
"""Stands for Wordle's usual words, unless the reader's game has others."""

SECRET = re.compile(r"\bsecret(?: was| is|:| =) *(\S.*)|solved in \d+ guess\w*: (.+)")
ENDED = re.compile(r"(solved in|ended after)\b")
REMARK = re.compile(
    r"(guess \d+|feedback)>|(guess \d+|next guess|hint|candidates|feedback|expected|policy|code"
    "|error): |took back|Best play needs|https?:|#|[$]"
)
"""Lines of a program that are not moves."""

_TITLE = "(?:move|turn|guess|code|feedback|answer|black|white|bulls|cows|matches|marks)"
TITLES = re.compile(rf'"?{_TITLE}"?(?:[,;\t]"?{_TITLE}"?)+', re.IGNORECASE)
"""The first line of a table of moves."""

Row = tuple[int, str]


class PastedGame(NamedTuple):
    """A game's name and secret, if given, its rows, and whether its title says Wordle's hard mode.

    The name may be GRID_NAME or UNNAMED_WORDS, where the reader knows the words.
    """

    name: str | None
    secret: str | None
    rows: list[Row]
    is_hard: bool = False


def pasted_games(lines: Iterable[Row]) -> Iterator[PastedGame]:
    """Yield the games of a text; a title or blank line begins one."""
    name = None
    secret = None
    is_hard = False
    rows = list[Row]()
    ended = False
    for number, line in lines:
        text = with_emoji(ESCAPES.sub("", line)).strip()
        title = _name(text)
        if rows and (title or not (text or _only_feedback(name, rows))):
            yield PastedGame(name, secret, rows, is_hard)
            name = None
            secret = None
            is_hard = False
            rows = []
        if title or not text:
            name = title or name
            grid = GRID.match(text)
            is_hard = is_hard or bool(grid and grid[1])
            ended = False
            continue
        if revealed := SECRET.search(text):
            secret = "".join((revealed[1] or revealed[2]).split())
        if text.startswith("took back move"):
            del rows[-1:]
        ended = ended or bool(ENDED.match(text))
        row = text if revealed is None else text[: revealed.start()].strip()
        if row and not ended and not REMARK.match(row) and not TITLES.fullmatch(row):
            rows.append((number, row))
    if rows:
        yield PastedGame(name, secret, rows, is_hard)


def _only_feedback(name: str | None, rows: Iterable[Row]) -> bool:
    """Return whether rows have no guess: only squares or pegs, or numbers of matching letters."""
    if name is not None and name.startswith(f"{Matches.family}-"):
        return all(re.fullmatch("[0-9]{1,2}", row) for _, row in rows)
    return not any(letter.isalnum() for _, row in rows for letter in row)


def _name(text: str) -> str | None:
    """Return the name of the game that a line announces, or None if it announces none."""
    if match := NAMED.match(text):
        return match[1]
    if match := TITLED.match(text):
        title = match[1].lower()
        families = [name for name, rules in CODES.items() if rules.title.lower().endswith(title)]
        restriction = ANY_GUESS if families == [BullsAndCows.family] else DISTINCT
        return "-".join((*families, match[2], match[3])) + restriction * bool(match[4])
    if match := LISTED.match(text):
        kind = "marks" if "marks" in match[1] else "pegs" if "pegs" in match[1] else "matches"
        return f"{kind}-{match[2] or 'example'}"
    if match := CODES_AS_WORDS.match(text):
        return f"{Marks.family}-codes-{match[1]}-{match[2]}"
    if RARE_WORDS.match(text):
        return RARE_NAME
    if OWN_WORDS.match(text):
        return UNNAMED_WORDS
    return GRID_NAME if GRID.match(text) else None


def recognised(rows: Iterable[str]) -> str | None:
    """Return Wordle's game for rows of five letters with marks, or for its grid and words."""
    has_marks = False
    for row in rows:
        plain = row.replace(EMOJI_STYLE, "")
        if MANY_MARKED.fullmatch(plain):
            has_marks = True
        elif match := MARKED.fullmatch(plain):
            has_marks = has_marks or any(match.group("marks", "before"))
        else:
            return None
    return WORDLE if has_marks else None


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
            f"the game has {counted(len(guesses), 'guess', 'es')} and "
            f"{counted(len(feedback), 'answer')}: write each guess before its answer, as in "
            f"{notation.game.guesses[0]} {notation.kind.example}"
        )
    return [*zip(guesses, feedback, strict=True)]
