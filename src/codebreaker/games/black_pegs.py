"""Mastermind with black pegs only, `black-{pegs}-{colours}`."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from codebreaker.games.codes import CodeRules
from codebreaker.games.feedback import BLACK, FeedbackKind
from codebreaker.types import FeedbackIds, SymbolMatrix


@dataclass(frozen=True)
class BlackPegs(CodeRules):
    """The rules of the black-peg game: the feedback is the number of pegs in place."""

    family: ClassVar[str] = "black"
    title: ClassVar[str] = "the black-peg game"
    description: ClassVar[str] = "Mastermind with black pegs only"
    name_form: ClassVar[str] = "black-PEGS-COLOURS"
    example: ClassVar[str] = "black-4-6"
    feedback_kind: ClassVar[FeedbackKind] = BLACK

    def feedback_labels(self) -> tuple[str, ...]:
        """Return the labels 0B, 1B, ... nB."""
        return tuple(f"{black}B" for black in range(self.pegs + 1))

    def _ids(self) -> FeedbackIds:
        return np.repeat(np.arange(self.pegs + 1, dtype=np.uint8)[:, None], self.pegs + 1, axis=1)

    def _alphabets(self) -> SymbolMatrix:
        """Return a different alphabet for each position: each may rename its colours freely."""
        return np.arange(self.pegs)
