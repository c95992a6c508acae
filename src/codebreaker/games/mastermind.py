"""Mastermind with any number of pegs and colours, `mm-{pegs}-{colours}`."""

from dataclasses import dataclass
from typing import ClassVar

from codebreaker.games.codes import CodeRules
from codebreaker.games.feedback import BLACK_AND_WHITE, FeedbackKind


@dataclass(frozen=True)
class Mastermind(CodeRules):
    """The rules of MM(pegs, colours): black pegs in place, white pegs right but misplaced."""

    family: ClassVar[str] = "mm"
    title: ClassVar[str] = "Mastermind"
    description: ClassVar[str] = "Mastermind"
    name_form: ClassVar[str] = "mm-PEGS-COLOURS"
    example: ClassVar[str] = "mm-4-6"
    feedback_kind: ClassVar[FeedbackKind] = BLACK_AND_WHITE
