"""Trees in the notation of Knuth 1977, Irving 1979, and Koyama and Lai 1993 (docs/formats.md).

`1296 (1122: 1, 16 (1213: ...), ...; ...)` is the number of candidates, the guess, and the number
after each feedback: a row for each number of black pegs, from most white pegs to none.
"""

from string import ascii_uppercase, digits

from codebreaker.errors import CodebreakerError
from codebreaker.games.codes import CodeRules
from codebreaker.games.notation import Notation
from codebreaker.trees.formats.reading import (
    Node,
    Outline,
    Tokens,
    check_depth,
    pegs,
    shown,
    tokens_of,
)

MOST_DIGITS = 9


def read(content: bytes, notation: Notation) -> Outline:
    """Read a tree; raise `CodebreakerError` with the line and column of the first error."""
    first = 0 if getattr(notation.rules, "ordered_symbols", "1").startswith("0") else 1
    title = "the notation of Koyama and Lai"
    spelling = pegs(notation, title, digits[first:], lambda black, white: f"{black},{white}")
    assert isinstance(notation.rules, CodeRules)
    n = notation.rules.pegs
    # Each place of a list with the separator after it; n−1 black pegs and a white one can't occur.
    places = [
        (f"{black},{white}", "," if white else ")" if black == n else ";")
        for black in range(n + 1)
        for white in range(n - black, -1, -1)
        if (black, white) != (n - 1, 1)
    ]
    outline = Outline()
    awaited: dict[str, tuple[Node, int]] = {}  # nodes whose definitions must follow, their turns
    defined: set[str] = set()

    def read_node(node: Node, turn: int) -> None:
        """Read what follows a number of candidates."""
        check_depth(turn)
        if tokens.next and tokens.next in ascii_uppercase:
            letter = tokens.take()
            if letter in awaited or letter in defined:
                raise CodebreakerError(f"{letter} stands for another set already: use a new letter")
            awaited[letter] = node, turn
            node.implied = False
        elif tokens.next == "(":
            read_list(node, turn)

    def read_list(node: Node, turn: int) -> None:
        tokens.expect("(")
        node.guess = spelling.guess(tokens.next)
        tokens.take()
        if tokens.next in ("*", "x"):
            tokens.take()
        node.implied = tokens.expect(":", ")") == ")"
        if node.implied:
            return
        for text, separator in places:
            count = number(tokens)
            if text == places[-2][0] and not count and tokens.next == ",":
                # Knuth also writes the number for n−1 black pegs and a white one, always 0.
                tokens.take()
                count = number(tokens)
            if text == places[-1][0]:
                if count > 1:
                    why = f"{count} candidates can't all be the guess: write 0 or 1"
                    raise CodebreakerError(why)
            elif count:
                child = Node(claimed=count, implied=True)
                read_node(outline.add(node, spelling.feedback_id(text), child), turn + 1)
            tokens.expect(separator)

    with tokens_of(content, r"[0-9]+") as tokens:
        read_node(outline.add(None, -1, Node(claimed=number(tokens), implied=True)), 1)
        while tokens.next:
            letter = tokens.next
            if letter not in awaited:
                why = "is defined already" if letter in defined else "stands for no set above"
                why = f"{shown(letter)} {why}: a definition such as A = belongs here"
                raise CodebreakerError(why)
            tokens.take()
            tokens.expect("=")
            defined.add(letter)
            read_list(*awaited.pop(letter))
        if awaited:
            raise CodebreakerError(f"no definition of {min(awaited)} follows: add it")
    return outline


def number(tokens: Tokens) -> int:
    """Return the next token, which is a number of candidates."""
    if not tokens.next.isascii() or not tokens.next.isdecimal() or len(tokens.next) > MOST_DIGITS:
        raise tokens.unexpected("a number of candidates")
    return int(tokens.take())
