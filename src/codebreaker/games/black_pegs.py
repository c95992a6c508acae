"""Mastermind whose answers are black pegs alone, `black-{pegs}-{colours}`."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from codebreaker.games.codes import CodeRules
from codebreaker.types import FeedbackIds, SymbolMatrix


@dataclass(frozen=True)
class BlackPegs(CodeRules):
    """The rules of the black-peg game: the answer is the number of pegs in place."""

    family: ClassVar[str] = "black"
    title: ClassVar[str] = "the black-peg game"

    def feedback_labels(self) -> tuple[str, ...]:
        """Return the labels 0B, 1B, ... nB."""
        return tuple(f"{black}B" for black in range(self.pegs + 1))

    def _ids(self) -> FeedbackIds:
        return np.repeat(np.arange(self.pegs + 1, dtype=np.uint8)[:, None], self.pegs + 1, axis=1)

    def _alphabets(self) -> SymbolMatrix:
        """Return that each position's colours may be renamed on their own."""
        return np.arange(self.pegs)
