"""Mastermind with any number of pegs and colours, `mm-{pegs}-{colours}`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from string import ascii_lowercase, digits

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.game import Game
from codebreaker.games.symmetry import representatives
from codebreaker.types import Codes, Ids

MAX_PEGS = 21
"""Feedback ids are uint8, and 21 pegs have 252 of them."""

SYMBOLS = digits[1:] + ascii_lowercase
ROWS_AT_ONCE = 256


@dataclass(frozen=True)
class Mastermind:
    """The rules of MM(pegs, colours): black pegs in place, white pegs right but misplaced."""

    pegs: int
    colours: int

    @classmethod
    def parse(cls, name: str) -> "Mastermind":
        """Read `mm-4-6` as 4 pegs and 6 colours."""
        match = re.fullmatch(r"mm-([1-9]\d*)-([1-9]\d*)", name)
        if match is None:
            raise CodebreakerError(
                f"game {name!r} is no size of Mastermind: write mm-PEGS-COLOURS, as in 'mm-4-6'"
            )
        pegs, colours = int(match[1]), int(match[2])
        if pegs > MAX_PEGS:
            raise CodebreakerError(
                f"game {name!r} has {pegs} pegs: at most {MAX_PEGS} are possible"
            )
        return cls(pegs, colours)

    @property
    def name(self) -> str:
        """Return the game's name, such as `mm-4-6`."""
        return f"mm-{self.pegs}-{self.colours}"

    @property
    def table_shape(self) -> tuple[int, int]:
        """Return the numbers of guesses and of secrets: each code is both."""
        return (self.colours**self.pegs,) * 2

    def symbols(self) -> list[str]:
        """Return the colours' symbols: 1 to 9, then a to z, or numbers where these run out."""
        if self.colours <= len(SYMBOLS):
            return list(SYMBOLS[: self.colours])
        return [str(colour) for colour in range(1, self.colours + 1)]

    @property
    def separator(self) -> str:
        """Return what stands between the pegs of a label: nothing, or a dot between numbers."""
        return "" if self.colours <= len(SYMBOLS) else "."

    def feedback_labels(self) -> tuple[str, ...]:
        """Return the labels 0B-0C, 0B-1C, ... in the papers' order; n(n+3)/2 for n pegs."""
        return tuple(f"{black}B-{white}C" for black, white in self._feedback_pairs())

    def _feedback_pairs(self) -> list[tuple[int, int]]:
        impossible = (self.pegs - 1, 1)
        return [
            (black, white)
            for black in range(self.pegs + 1)
            for white in range(self.pegs - black + 1)
            if (black, white) != impossible
        ]

    def check_guess(self, label: str) -> None:
        """Raise `CodebreakerError` unless `label` has the right length and known colours."""
        symbols = self.symbols()
        pegs = label.split(self.separator) if self.separator else list(label)
        if len(pegs) != self.pegs:
            raise CodebreakerError(
                f"code {label!r} has {len(pegs)} pegs: the codes of {self.name} have {self.pegs}"
            )
        for position, peg in enumerate(pegs, start=1):
            if peg not in symbols:
                raise CodebreakerError(
                    f"code {label!r} has the peg {peg!r} at position {position}: "
                    f"the colours of {self.name} are {symbols[0]} to {symbols[-1]}"
                )

    def codes(self) -> Ids:
        """Return every code in lexicographic order, (colours**pegs, pegs) uint16."""
        grid = np.indices((self.colours,) * self.pegs, dtype=np.uint16)
        return np.ascontiguousarray(grid.reshape(self.pegs, -1).T)

    def orbits(self, history: Sequence[int]) -> Codes:
        """Return the least guess of each one's orbit under the symmetries that keep a history."""
        return representatives(self.codes(), self.colours, history)

    def build(self) -> Game:
        """Compute the feedback of every guess to every secret."""
        labels = tuple(
            self.separator.join(code) for code in product(self.symbols(), repeat=self.pegs)
        )
        return Game(
            name=self.name,
            guesses=labels,
            secrets=labels,
            feedback=self._table(),
            feedback_labels=self.feedback_labels(),
            solved=len(self._feedback_pairs()) - 1,
            guess_of_secret=np.arange(len(labels), dtype=np.int32),
        )

    def _table(self) -> Ids:
        codes = self.codes()
        colour_counts = np.stack([(codes == c).sum(axis=1) for c in range(self.colours)])
        colour_counts = colour_counts.astype(np.uint8)
        ids = np.zeros((self.pegs + 1, self.pegs + 1), dtype=np.uint8)
        for index, (blacks, whites) in enumerate(self._feedback_pairs()):
            ids[blacks, blacks + whites] = index
        table = np.empty(self.table_shape, dtype=np.uint8)
        for start in range(0, len(codes), ROWS_AT_ONCE):
            rows = slice(start, start + ROWS_AT_ONCE)
            black: Ids = np.zeros(table[rows].shape, dtype=np.uint8)
            for peg in range(self.pegs):
                black += codes[rows, None, peg] == codes[None, :, peg]
            common: Ids = np.zeros_like(black)
            for counts in colour_counts:
                common += np.minimum(counts[rows, None], counts[None, :])
            table[rows] = ids[black, common]
        return table
