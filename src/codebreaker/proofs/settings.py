"""Settings of the search for weights guided by the exact cost; nothing here needs compiled code."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from codebreaker.constants import LARGEST_GUESS_LIMIT, STRICT, setting

BEHIND_BITS = 9e-6
"""How far below the best score, in bits, an option may be and still be played, in a proof.

A strategy plays the first guess in tie order within TIE_TOLERANCE_BITS of the best, by rounded
numbers. Together they stay below 6e-6 bits:

- the tolerance itself: 1e-6;
- weights are multiples of 2^-20. This changes the difference of two scores by at most 2^-21 of
  both entropies, which have at most log2(14) bits: 3.7e-6 (Mastermind with four pegs);
- the terms of n candidates are multiples of 2^-20/n, in at most n cells: at most 2^-21 for each of
  two scores: 1e-6.
"""


@dataclass(frozen=True)
class GuidedWeights:
    """A model whose weights are found turn by turn, from regrets."""

    __pydantic_config__: ClassVar = STRICT

    opening: str = setting(coerce_numbers_to_str=True)
    """A forced first guess."""
    by: Literal["turn", "turn and feedback"] = "turn"
    """A row for each turn, or also for each feedback to the previous guess."""
    guess_limit: int | None = setting(None, ge=1, le=LARGEST_GUESS_LIMIT)
    """Maximum number of guesses for any secret."""
    low: float = setting(0.1, gt=0, le=1)
    """Minimum weight."""
    high: float = setting(1.0, gt=0, le=1)
    """Maximum weight."""
    budget: int = setting(4, ge=0, le=1000)
    """Maximum regret of turn 2; all patterns within it are enumerated."""
    patterns: int = setting(2, ge=1, le=10**6)
    """Patterns that random walks follow first."""
    walks: int = setting(2, ge=1, le=10**6)
    """Random walks per row."""
    steps: int = setting(20000, ge=1, le=10**9)
    """Steps of each walk."""
    seconds: float = setting(150.0, gt=0, le=10**7)
    """Time limit of the linear programmes; at the limit the result depends on the machine."""
