"""One record of advice, whatever gives it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING

from codebreaker.sampling.interval import Interval, rounded
from codebreaker.trees.tree import GameTree
from codebreaker.types import Indices, Move

if TYPE_CHECKING:
    from codebreaker.sampling.choice import SampledGuess


MOST_SHOWN = 10
"""Maximum number of candidates that advice gives as examples."""


class Source(StrEnum):
    """How a guess was found."""

    TREE = "tree"
    SEARCH = "search"
    POLICY = "policy"
    SAMPLES = "samples"


@dataclass(frozen=True, eq=False)
class Outlook:
    """What follows where all candidates are listed: their indices, and the tree that is played.

    `expected_guesses` is its mean, which includes the guess.
    """

    candidates: Indices
    tree: GameTree
    expected_guesses: Fraction

    @property
    def most_guesses(self) -> int:
        """The maximum number of remaining guesses, including this one."""
        return len(self.tree.profile)


@dataclass(frozen=True, eq=False)
class Advice:
    """A guess after some moves, how it was found, and what is known of what follows.

    The guess is an index. `basis` says in words how it was found. `number` is that of the
    candidates, and `left` how many of them are expected after the guess's feedback; both are exact
    or estimated. Where all candidates are listed there is an `outlook`; otherwise `sampled` says
    what was compared.
    """

    moves: tuple[Move, ...]
    guess: int
    is_candidate: bool
    source: Source
    basis: str
    number: Interval
    left: Interval
    some_candidates: Sequence[str]
    outlook: Outlook | None = None
    sampled: "SampledGuess | None" = None

    @property
    def n_candidates(self) -> int:
        """The number of candidates, rounded if it is estimated."""
        return round(self.number.value)

    @property
    def number_in_words(self) -> str:
        """The number of candidates as text, with its interval if it is estimated."""
        return f"{self.n_candidates:,}" if self.number.is_exact else f"about {self.number.in_words}"

    @property
    def candidates_in_words(self) -> str:
        """How many candidates there are, as text."""
        if not self.number.is_exact:
            return f"about {rounded(self.number.value)} candidates"
        n = self.n_candidates
        return "the only candidate" if n == 1 else f"{n:,} candidates"

    def examples(self, limit: int) -> list[str]:
        """Return the labels of some candidates, at most `limit`."""
        return list(self.some_candidates[:limit])


def role_of(is_candidate: bool) -> str:
    """Return whether a guess may be the secret, in words."""
    return "may be the secret" if is_candidate else "can't be the secret"
