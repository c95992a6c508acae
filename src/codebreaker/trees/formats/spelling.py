"""How a format spells guesses and feedback, and where in a text an error stands."""

from collections.abc import Callable, Sequence
from functools import cached_property

from codebreaker.errors import CodebreakerError
from codebreaker.games.codes import CodeRules
from codebreaker.games.feedback import BLACK_AND_WHITE
from codebreaker.games.notation import Notation

LONGEST_SHOWN = 24
"""The most characters of a file that a message repeats."""


class Spelling:
    """The texts of a game's guesses and feedback in one format, by index."""

    def __init__(self, notation: Notation, guesses: Sequence[str], feedback: Sequence[str]) -> None:
        self.game = notation.game
        self.guesses, self.feedback = guesses, feedback

    @cached_property
    def _guess_ids(self) -> dict[str, int]:
        return {text: index for index, text in enumerate(self.guesses)}

    @cached_property
    def _feedback_ids(self) -> dict[str, int]:
        return {text: index for index, text in enumerate(self.feedback)}

    def guess(self, text: str) -> int:
        """Return the index of a guess; raise `CodebreakerError` if the game doesn't have it."""
        index = self._guess_ids.get(text)
        if index is None:
            raise CodebreakerError(
                f"{self.game.name} has no guess {shown(text)}: "
                f"its guesses are {self.guesses[0]} to {self.guesses[-1]}"
            )
        return index

    def feedback_id(self, text: str) -> int:
        """Return the id of a feedback; raise `CodebreakerError` if the game doesn't give it."""
        index = self._feedback_ids.get(text)
        if index is None:
            raise CodebreakerError(
                f"{self.game.name} has no feedback {shown(text)}: "
                f"it is written {self.feedback[0]} to {self.feedback[-1]}"
            )
        return index


def labels(notation: Notation) -> Spelling:
    """Return the project's own spelling: the labels."""
    return Spelling(notation, notation.game.guesses, notation.game.feedback_labels)


def pegs(
    notation: Notation, title: str, symbols: str, feedback: Callable[[int, int], str]
) -> Spelling:
    """Return the spelling of codes by other symbols and of feedback by black and white pegs.

    Raises `CodebreakerError` if the game has other feedback or more colours than symbols.
    """
    rules, game = notation.rules, notation.game
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
    pairs = map(black_and_white, game.feedback_labels)
    texts = [feedback(black, white) for black, white in pairs]
    return Spelling(notation, [label.translate(spelled) for label in game.guesses], texts)


def black_and_white(label: str) -> tuple[int, int]:
    """Return the black and white pegs of a feedback's label."""
    black, white = label.removesuffix("C").split("B-")
    return int(black), int(white)


def shown(text: str) -> str:
    """Return a text from a file as a message shows it: quoted, on one line and not too long."""
    short = text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."
    return repr(short)


def at(text: str, offset: int, error: object) -> CodebreakerError:
    """Return an error with its line and column in a text, counted from 1."""
    line, column = text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
    return CodebreakerError(f"line {line}, column {column}: {error}")


def decoded(content: bytes) -> str:
    """Return a file's text; raise `CodebreakerError` if it is not UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as why:
        line = content.count(b"\n", 0, why.start) + 1
        raise CodebreakerError(
            f"line {line}: not UTF-8 text: save the file as UTF-8, or name its format"
        ) from None
