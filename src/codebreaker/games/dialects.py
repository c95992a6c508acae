"""Other ways to write colours, which are taken where a game's own ways have no reading.

Puzzles count colours from 0, and the classic board has black and white among its colours. Both
would be misread among a game's usual codes, so a dialect is tried for all moves of a game at once,
when they can't be read without it; whoever reads them says which was taken.
"""

import re
from dataclasses import dataclass

from codebreaker.games.codes import COLOURS, TEN_SYMBOLS, CodeRules, words_of

FROM_0 = str.maketrans("0123456789", "1234567890")
FROM_1 = str.maketrans("123456789", "012345678")

DIGITS = re.compile(r"[0-9\s,]+")
"""A code in digits, with or without signs between them."""

CLASSIC = {
    6: ("red", "blue", "green", "yellow", "white", "black"),
    8: ("red", "blue", "green", "yellow", "white", "black", "orange", "brown"),
}
"""The colours of the classic boards by their number."""


@dataclass(frozen=True)
class Dialect:
    """A way to write codes: colours `from_0`, or by names that stand for those of the game.

    `stands_for` has the game's colour by the typed one, both as single words.
    """

    from_0: bool = False
    stands_for: tuple[tuple[str, str], ...] = ()

    def usual(self, typed: str) -> str:
        """Return a typed code as the game writes it, or else a text that it refuses."""
        if self.from_0:
            # Letters and names of colours don't count from 0. A digit that is too large becomes 0
            # or the next one.
            return typed.translate(FROM_0) if DIGITS.fullmatch(typed) else "?"
        names = dict(self.stands_for)
        words = words_of(typed)
        if all(word in names for word in words):
            return " ".join(names[word] for word in words)
        return "?"

    def shown(self, rules: CodeRules, label: str) -> str:
        """Return a label as the dialect writes it."""
        if self.from_0:
            return label.translate(FROM_1)
        typed = {usual: name for name, usual in self.stands_for}
        return " ".join(typed[_word(colour)] for colour in rules.colours_of(label))

    def about(self, rules: object) -> str:
        """Return what was taken, in words; only codes have dialects."""
        assert isinstance(rules, CodeRules), "only codes have dialects"
        symbols = rules.symbols()
        if self.from_0:
            return f"colours are counted from 0: 0 is taken as {symbols[0]}"
        names = [_word(colour) for colour in range(rules.colours)]
        pairs = [
            f"{name} as {symbols[names.index(usual)]}"
            for name, usual in self.stands_for
            if name != usual
        ]
        return f"colours are those of the classic board: {' and '.join(pairs)}"

    def is_seen_in(self, rules: CodeRules, label: str) -> bool:
        """Return whether a code in this dialect can't be written in the game's own way."""
        if self.from_0:
            return rules.symbols()[0] in label
        return self.shown(rules, label) != " ".join(map(_word, rules.colours_of(label)))


def dialects_of(rules: object) -> list[Dialect]:
    """Return the dialects of a game's codes."""
    dialects: list[Dialect] = []
    if not isinstance(rules, CodeRules):
        return dialects
    symbols = rules.symbols()
    if len(symbols) < len(TEN_SYMBOLS) and symbols == TEN_SYMBOLS[: len(symbols)]:
        dialects.append(Dialect(from_0=True))
    if rules.has_names and rules.colours in CLASSIC:
        classic = CLASSIC[rules.colours]
        usual = [_word(colour) for colour in range(rules.colours)]
        free = iter(name for name in usual if name not in classic)
        pairs = [(name, name if name in usual else next(free)) for name in classic]
        dialects.append(Dialect(stands_for=tuple(pairs)))
    return dialects


def _word(colour: int) -> str:
    """Return a colour's name as a single word."""
    return re.sub(" ", "-", COLOURS[colour].name)
