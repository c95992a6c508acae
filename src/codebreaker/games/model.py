"""Deduction games: a table of feedback ids, or codes whose feedback is computed, with labels."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from codebreaker.types import FeedbackIds, Indices, SymbolMatrix


@dataclass(frozen=True, eq=False)
class Symmetry:
    """The renamings that change no feedback, of a game whose guesses are its secrets.

    `codes` is (n_guesses, pegs) in lexicographic order, with colours from 0. Positions may be
    permuted; then colours may be renamed, in the same way at all positions of the same number in
    `alphabets`, which is (pegs,).
    """

    codes: SymbolMatrix
    n_colours: int
    alphabets: SymbolMatrix


@dataclass(frozen=True, eq=False)
class TableGame:
    """A deduction game as a table.

    `guesses` and `secrets` are labels in index order, which is lexicographic. `table` holds the
    feedback ids, (n_guesses, n_secrets) uint8, which index `feedback_labels`; `solved` is the id of
    the winning feedback. `guess_of_secret`, (n_secrets,) int32, is the guess that names each
    secret. `symmetry` is None where no symmetry is known.
    """

    name: str
    guesses: tuple[str, ...]
    secrets: tuple[str, ...]
    table: FeedbackIds
    feedback_labels: tuple[str, ...]
    solved: int
    guess_of_secret: Indices
    symmetry: Symmetry | None = None

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
    def by_secret(self) -> FeedbackIds:
        """The feedback table with the secret along the rows, (n_secrets, n_guesses) uint8."""
        return np.ascontiguousarray(self.table.T)

    def feedback(self, guess: int, secrets: Indices) -> FeedbackIds:
        """Return the feedback ids of a guess to some secrets, (len(secrets),) uint8."""
        ids: FeedbackIds = self.table[guess, secrets]
        return ids


@dataclass(frozen=True, eq=False)
class CodeGame:
    """A game of codes too large for a table: feedback is computed when it is asked for.

    `codes` is (n_codes, pegs) uint8 in lexicographic order, with colours from 0 to
    n_colours − 1; every code may be the secret and may be guessed. `ids` (pegs + 1, pegs + 1) uint8
    is the feedback id by pegs in place and colours in common; the rest is as in `TableGame`.
    """

    name: str
    codes: FeedbackIds
    n_colours: int
    ids: FeedbackIds
    feedback_labels: tuple[str, ...]
    solved: int
    guesses: tuple[str, ...]

    @property
    def secrets(self) -> tuple[str, ...]:
        """Return the labels of the secrets, which are the guesses'."""
        return self.guesses

    @property
    def n_guesses(self) -> int:
        """Return the number of codes that may be guessed."""
        return len(self.codes)

    @property
    def n_secrets(self) -> int:
        """Return the number of codes that may be the secret."""
        return len(self.codes)

    @property
    def n_feedback(self) -> int:
        """Return the number of feedback ids."""
        return len(self.feedback_labels)

    @cached_property
    def counts(self) -> FeedbackIds:
        """How often each code has each colour, (n_codes, n_colours) uint8."""
        colours = range(self.n_colours)
        return np.stack([(self.codes == c).sum(axis=1, dtype=np.uint8) for c in colours], axis=1)

    def feedback(self, guess: int, secrets: Indices) -> FeedbackIds:
        """Return the feedback ids of a guess to some secrets, (len(secrets),) uint8."""
        black = (self.codes[secrets] == self.codes[guess]).sum(axis=1)
        ids: FeedbackIds = self.ids[
            black, np.minimum(self.counts[secrets], self.counts[guess]).sum(axis=1)
        ]
        return ids


Game = TableGame | CodeGame
"""A game, with a table or without."""
