"""Texts of trees with black and white pegs: two formats (docs/formats.md).

The MM(5,8) contest (Code Golf 31926, 2014) has `{AB:{00:CC,10:{AC:{10:AA}}}}`. In the notation of
Knuth 1977, Irving 1979, and Koyama and Lai 1993, `1296 (1122: 1, 16 (1213: ...), ...; ...)` is the
number of candidates, the guess, and the number after each feedback: a row for each number of black
pegs, from most white pegs to none.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from string import ascii_uppercase, digits

from codebreaker.errors import CodebreakerError
from codebreaker.games.codes import CodeRules
from codebreaker.games.feedback import BLACK_AND_WHITE
from codebreaker.games.notation import Notation
from codebreaker.trees.formats.reading import Node, Outline, Spelling, check_depth, decoded, quoted
from codebreaker.trees.tree import GameTree, check_nesting, children_of

MOST_DIGITS = 9


def spelling_of(
    notation: Notation, title: str, symbols: str, feedback: Callable[[int, int], str]
) -> Spelling:
    """Return the spelling of a game with black and white pegs, or raise `CodebreakerError`."""
    rules = notation.rules
    game = notation.game
    if not isinstance(rules, CodeRules) or rules.feedback_kind.label is not BLACK_AND_WHITE.label:
        raise CodebreakerError(
            f"{title} holds trees of games with black and white pegs, which {game.name} is not: "
            "use json or parquet"
        )
    if rules.colours > len(symbols) or rules.pegs > len("123456789"):
        raise CodebreakerError(
            f"{title} holds codes of at most 9 pegs and {len(symbols)} colours, too few for "
            f"{game.name}: use json or parquet"
        )
    spelled = dict(zip(map(ord, rules.symbols()), symbols, strict=False))
    counts = (label.removesuffix("C").split("B-") for label in game.feedback_labels)
    texts = [feedback(int(black), int(white)) for black, white in counts]
    return Spelling(notation, [label.translate(spelled) for label in game.guesses], texts)


class Tokens:
    """The tokens of a text; `next`, which starts at `position`, is empty at the end."""

    def __init__(self, text: str, pattern: str) -> None:
        self._text = text
        self._pattern = re.compile(rf"\s*({pattern}|.|\Z)", re.DOTALL)
        self.next = ""
        self.position = 0
        self._end = 0
        self.take()

    def take(self) -> str:
        """Return the next token, and read one more."""
        token = self.next
        match = self._pattern.match(self._text, self._end)
        assert match is not None
        self.next = match[1]
        self.position = match.start(1)
        self._end = match.end()
        return token

    def expect(self, *wanted: str) -> str:
        """Return the next token, or raise `CodebreakerError`."""
        if self.next not in wanted:
            raise self.unexpected(" or ".join(map(repr, wanted)))
        return self.take()

    def unexpected(self, wanted: str) -> CodebreakerError:
        """Return the error for an unexpected next token."""
        next_text = quoted(self.next) if self.next else "the end"
        return CodebreakerError(f"expected {wanted}, found {next_text}")


@contextmanager
def tokens_of(content: bytes, pattern: str) -> Iterator[Tokens]:
    """Yield a file's tokens; errors get the next one's line and column, from 1."""
    text = decoded(content)
    tokens = Tokens(text, pattern)
    try:
        yield tokens
    except CodebreakerError as error:
        line = text.count("\n", 0, tokens.position) + 1
        column = tokens.position - text.rfind("\n", 0, tokens.position)
        raise CodebreakerError(f"line {line}, column {column}: {error}") from None


def _contest_spelling(notation: Notation) -> Spelling:
    """Return how the contest writes codes, as letters, and feedback, as two digits."""
    title = "the contest's format"
    return spelling_of(notation, title, ascii_uppercase, lambda black, white: f"{black}{white}")


def read_contest(content: bytes, notation: Notation) -> Outline:
    """Read a tree of the contest; `CodebreakerError` gives the first error's place."""
    spelling = _contest_spelling(notation)
    outline = Outline()

    def read_node(parent: Node | None, feedback: int, turn: int) -> None:
        """Read GUESS, or {GUESS:{REPLY:node,...}}, as a node below its parent."""
        check_depth(turn)
        opens = tokens.next == "{"
        if opens:
            tokens.take()
        node = outline.add(parent, feedback, Node(spelling.guess(tokens.next)))
        tokens.take()
        if not opens:
            return
        tokens.expect(":")
        separator = tokens.expect("{")
        while separator != "}":
            branch = spelling.feedback_id(tokens.next)
            if branch == spelling.game.solved:
                why = "the reply to the right guess is implied: remove this branch"
                raise CodebreakerError(why)
            tokens.take()
            tokens.expect(":")
            read_node(node, branch, turn + 1)
            separator = tokens.expect(",", "}")
        tokens.expect("}")

    with tokens_of(content, r"[A-Za-z]+|[0-9]+") as tokens:
        read_node(None, -1, 1)
        if tokens.next:
            raise CodebreakerError("the tree has ended: remove what follows it")
    return outline


def write_contest(notation: Notation, tree: GameTree) -> bytes:
    """Write a tree for the contest, on one line."""
    spelling = _contest_spelling(notation)
    children = children_of(tree)
    check_nesting(len(tree.profile))
    texts = [spelling.guesses[guess] for guess in tree.guess.tolist()]
    # Children come after their parents, so that theirs are complete.
    for node in reversed(range(len(texts))):
        if children[node]:
            branches = (
                f"{spelling.feedback[f]}:{texts[child]}" for f, child in children[node].items()
            )
            texts[node] = f"{{{texts[node]}:{{{','.join(branches)}}}}}"
    whole: str = texts[0]
    return (whole + "\n").encode()


def read_koyama_lai(content: bytes, notation: Notation) -> Outline:
    """Read a tree in their notation; `CodebreakerError` gives the first error's place."""
    first = 0 if getattr(notation.rules, "ordered_symbols", "1").startswith("0") else 1
    title = "the notation of Koyama and Lai"
    spelling = spelling_of(notation, title, digits[first:], lambda black, white: f"{black},{white}")
    assert isinstance(notation.rules, CodeRules)
    n = notation.rules.pegs
    # Places of a list, with separators; n−1 black pegs and a white one can't occur.
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
        """Read a guess in parentheses and, after a colon, the candidates for each feedback."""
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
                why = f"{quoted(letter)} {why}: a definition such as A = belongs here"
                raise CodebreakerError(why)
            tokens.take()
            tokens.expect("=")
            defined.add(letter)
            read_list(*awaited.pop(letter))
        if awaited:
            raise CodebreakerError(f"no definition of {min(awaited)} follows: add it")
    return outline


def number(tokens: Tokens) -> int:
    """Return the next number of candidates, or raise `CodebreakerError`."""
    if not tokens.next.isascii() or not tokens.next.isdecimal() or len(tokens.next) > MOST_DIGITS:
        raise tokens.unexpected("a number of candidates")
    return int(tokens.take())
