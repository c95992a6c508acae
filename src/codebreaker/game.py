"""A deduction game: a table of feedback ids, with labels."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from codebreaker.types import Codes, Ids


@dataclass(frozen=True, eq=False)
class Game:
    """A deduction game as a table.

    `guesses` and `secrets` are labels in index order, which is the lexicographic order.
    `feedback` is (n_guesses, n_secrets) uint8; its ids index `feedback_labels`, and `solved`
    is the id of the winning feedback. `guess_of_secret` is (n_secrets,) int32: the guess that
    names each secret.
    """

    name: str
    guesses: tuple[str, ...]
    secrets: tuple[str, ...]
    feedback: Ids
    feedback_labels: tuple[str, ...]
    solved: int
    guess_of_secret: Codes

    @property
    def n_guesses(self) -> int:
        """Return the number of codes that may be guessed."""
        return len(self.guesses)

    @property
    def n_secrets(self) -> int:
        """Return the number of codes that may be the secret."""
        return len(self.secrets)

    @property
    def n_feedback(self) -> int:
        """Return the number of feedback ids."""
        return len(self.feedback_labels)

    @cached_property
    def by_secret(self) -> Ids:
        """The feedback table with the secret along the rows, (n_secrets, n_guesses) uint8."""
        return np.ascontiguousarray(self.feedback.T)
