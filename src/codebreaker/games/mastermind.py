"""Mastermind with any number of pegs and colours, `mm-{pegs}-{colours}`.

With `-distinct` after the size no colour repeats in the secret, but guesses are still all codes.
"""

from dataclasses import dataclass, replace
from math import perm
from typing import ClassVar, Self

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.codes import CodeRules
from codebreaker.games.feedback import BLACK_AND_WHITE, FeedbackKind
from codebreaker.types import Indices, SymbolMatrix

DISTINCT = "-distinct"
"""The end of the name of a game in whose secrets no colour repeats."""


@dataclass(frozen=True)
class Mastermind(CodeRules):
    """The rules of MM(pegs, colours): black pegs in place, white pegs right but misplaced.

    With `distinct` the secrets are the codes without repeated colours; all codes are guesses.
    """

    family: ClassVar[str] = "mm"
    title: ClassVar[str] = "Mastermind"
    description: ClassVar[str] = "Mastermind; with -distinct no colour repeats in the secret"
    name_form: ClassVar[str] = "mm-PEGS-COLOURS[-distinct]"
    example: ClassVar[str] = "mm-4-6"
    feedback_kind: ClassVar[FeedbackKind] = BLACK_AND_WHITE

    distinct: bool = False

    @classmethod
    def parse(cls, name: str) -> Self:
        """Read `mm-4-6` as 4 pegs and 6 colours, `mm-4-6-distinct` as the same with `distinct`."""
        rules = super().parse(name.removesuffix(DISTINCT))
        if not name.endswith(DISTINCT):
            return rules
        if rules.colours < rules.pegs:
            raise CodebreakerError(
                f"game {name!r} has fewer colours than pegs, and none may repeat in a secret: "
                f"at least mm-{rules.pegs}-{rules.pegs}{DISTINCT} is possible"
            )
        return replace(rules, distinct=True)

    @property
    def name(self) -> str:
        """Return the game's name, such as `mm-4-6` or `mm-4-6-distinct`."""
        return super().name + (DISTINCT if self.distinct else "")

    @property
    def table_shape(self) -> tuple[int, int]:
        """Return the numbers of guesses and of secrets."""
        guesses, secrets = super().table_shape
        return guesses, perm(self.colours, self.pegs) if self.distinct else secrets

    def secret_indices(self, codes: SymbolMatrix) -> Indices:
        """Return the codes that may be the secret, ascending."""
        if not self.distinct:
            return super().secret_indices(codes)
        ordered = np.sort(codes, axis=1)
        repeats = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
        return np.flatnonzero(~repeats).astype(np.int32)

    def check_on_demand(self) -> None:
        """Raise `CodebreakerError` if the game is too large even without a table."""
        if self.distinct:
            raise CodebreakerError(
                f"game {self.name!r} needs a feedback table, and its table is too large: "
                "raise the limit or choose a smaller game",
                "table_mib",
            )
        super().check_on_demand()
