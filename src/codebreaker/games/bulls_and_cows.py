"""Bulls and Cows: Mastermind without repetition, `bc-{pegs}-{symbols}`."""

from dataclasses import dataclass
from itertools import permutations
from math import perm
from string import ascii_lowercase, digits
from typing import ClassVar, Self

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.codes import CodeRules
from codebreaker.games.feedback import BULLS_AND_COWS, FeedbackKind
from codebreaker.types import SymbolMatrix


@dataclass(frozen=True)
class BullsAndCows(CodeRules):
    """The rules of Bulls and Cows: no symbol repeats in a code; feedback as in Mastermind."""

    family: ClassVar[str] = "bc"
    title: ClassVar[str] = "Bulls and Cows"
    description: ClassVar[str] = "Bulls and Cows: no symbol repeats"
    name_form: ClassVar[str] = "bc-PEGS-SYMBOLS"
    example: ClassVar[str] = "bc-4-10"
    feedback_kind: ClassVar[FeedbackKind] = BULLS_AND_COWS
    ordered_symbols: ClassVar[str] = digits + ascii_lowercase
    has_colours: ClassVar[bool] = False

    @classmethod
    def parse(cls, name: str) -> Self:
        """Read `bc-4-10` as 4 pegs and 10 symbols."""
        rules = super().parse(name)
        if rules.colours < rules.pegs:
            raise CodebreakerError(
                f"game {name!r} has fewer symbols than pegs, and none may repeat: "
                f"at least {cls.family}-{rules.pegs}-{rules.pegs} is possible"
            )
        return rules

    @property
    def table_shape(self) -> tuple[int, int]:
        """Return the numbers of guesses and of secrets: each code is both."""
        return (perm(self.colours, self.pegs),) * 2

    @property
    def guess_form(self) -> str:
        """Return what a guess consists of."""
        return f"a code of {self.pegs} out of {self.colours} symbols, none twice"

    def feedback_pairs(self) -> list[tuple[int, int]]:
        """Return Mastermind's feedback, without pairs of too few symbols in common."""
        least = 2 * self.pegs - self.colours
        return [pair for pair in super().feedback_pairs() if sum(pair) >= least]

    def check_guess(self, label: str) -> None:
        """Raise `CodebreakerError` unless `label` is a code in which no symbol repeats."""
        super().check_guess(label)
        pegs = self.symbols_of(label)
        for peg in pegs:
            if pegs.count(peg) > 1:
                raise CodebreakerError(
                    f"code {label!r} has {peg!r} twice: no symbol of {self.name} may repeat"
                )

    def codes(self) -> SymbolMatrix:
        """Return every code in lexicographic order, (n_codes, pegs) uint16."""
        return np.array(list(permutations(range(self.colours), self.pegs)), dtype=np.uint16)

    def labels(self) -> tuple[str, ...]:
        """Return the label of every code."""
        every = permutations(self.symbols(), self.pegs)
        return tuple(self.separator.join(code) for code in every)
