"""Mastermind with any number of pegs and colours, `mm-{pegs}-{colours}`."""

from dataclasses import dataclass
from typing import ClassVar

from codebreaker.games.codes import CodeRules, black_and_white, feedback_in_order, ids_of
from codebreaker.games.feedback import BLACK_AND_WHITE, FeedbackKind
from codebreaker.types import FeedbackIds


@dataclass(frozen=True)
class Mastermind(CodeRules):
    """The rules of MM(pegs, colours): black pegs in place, white pegs right but misplaced."""

    family: ClassVar[str] = "mm"
    title: ClassVar[str] = "Mastermind"
    description: ClassVar[str] = "Mastermind"
    name_form: ClassVar[str] = "mm-PEGS-COLOURS"
    example: ClassVar[str] = "mm-4-6"
    feedback_kind: ClassVar[FeedbackKind] = BLACK_AND_WHITE

    def feedback_labels(self) -> tuple[str, ...]:
        """Return the labels 0B-0C, 0B-1C, ... in the papers' order; n(n+3)/2 for n pegs."""
        return black_and_white(feedback_in_order(self.pegs))

    def _ids(self) -> FeedbackIds:
        return ids_of(feedback_in_order(self.pegs), self.pegs)
