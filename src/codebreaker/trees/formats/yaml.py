"""Trees as arfst23/Mastermind publishes them: YAML in one form only (docs/formats.md)."""

import re
from string import digits

from codebreaker.errors import CodebreakerError
from codebreaker.games.codes import CodeRules
from codebreaker.games.notation import Notation
from codebreaker.trees.formats.reading import Node, Outline, check_depth, decoded, pegs, shown

INDENT = 4

_GUESS = re.compile(r"( *)- ([0-9]+)")
_BRANCH = re.compile(r"( *)(- |  )([XO-]+):(?: ([0-9]+))?")


def read(content: bytes, notation: Notation) -> Outline:
    """Read a tree; raise `CodebreakerError` with the line of the first error."""
    n_pegs = notation.rules.pegs if isinstance(notation.rules, CodeRules) else 0

    def marks(black: int, white: int) -> str:
        return ("X" * black + "O" * white).ljust(n_pegs, "-")

    spelling, outline = pegs(notation, "the YAML of marks", digits, marks), Outline()
    above: list[Node] = []  # from the root to the open list
    awaited: int | None = -1  # the feedback whose list must follow
    empty = False  # whether the open list lacks its mapping

    def read_guess(line: str) -> None:
        nonlocal awaited, empty
        depth = len(above)
        check_depth(depth + 1)
        match = _GUESS.fullmatch(line)
        if match is None or len(match[1]) != INDENT * depth:
            why = f"expected '- GUESS' after {INDENT * depth} spaces, found {shown(line)}"
            raise CodebreakerError(why)
        assert awaited is not None
        node = Node(spelling.guess(match[2]))
        above.append(outline.add(above[-1] if above else None, awaited, node))
        awaited, empty = None, True

    def read_branch(line: str) -> None:
        nonlocal awaited, empty
        match = _BRANCH.fullmatch(line)
        if match is None or len(match[1]) % INDENT or (match[2] == "- ") != empty:
            wanted = "- FEEDBACK:" if empty else "FEEDBACK: GUESS"
            raise CodebreakerError(f"expected '{wanted}', found {shown(line)}")
        depth = len(match[1]) // INDENT + 1
        if depth > len(above) or (empty and depth != len(above)):
            raise CodebreakerError(f"{len(match[1])} spaces are too many or too few here")
        del above[depth:]
        empty = False
        feedback = spelling.feedback_id(match[3])
        guess = None if match[4] is None else spelling.guess(match[4])
        if feedback == spelling.game.solved:
            if guess != above[-1].guess:
                raise CodebreakerError(f"{match[3]} follows another guess than this")
        elif guess is None:
            awaited = feedback
        else:
            outline.add(above[-1], feedback, Node(guess))

    number = 0
    try:
        for number, line in enumerate(map(str.rstrip, decoded(content).splitlines()), start=1):
            if line and not (number == 1 and line == "---"):
                read_line = read_branch if awaited is None else read_guess
                read_line(line)
        number += 1
        if not above or awaited is not None or empty:
            raise CodebreakerError("the file ends in the middle of the tree: use a complete file")
    except CodebreakerError as error:
        raise CodebreakerError(f"line {number}: {error}") from None
    return outline
