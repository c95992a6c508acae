"""Targets of the exact search, and what it charges for them."""

from dataclasses import dataclass
from typing import Literal

from codebreaker.types import GuessPool

Objective = Literal["total", "maximum", "rounds", "lexicographic"]
"""The least total; the least maximum, then the least total; the most secrets solved within some
rounds, then the least total; or the least total, then the least maximum, then the fewest secrets
that need the maximum."""


@dataclass(frozen=True)
class Charges:
    """What a strategy is charged for each guess, and for each secret not solved within `rounds`.

    Without rounds there is no such charge.
    """

    guess: int = 1
    late: int = 0
    rounds: int | None = None

    def cost(self, profile: list[int]) -> int:
        """Return the cost of a tree by its profile, the number of secrets solved at each turn."""
        on_time = len(profile) if self.rounds is None else self.rounds
        total = sum(turn * solved for turn, solved in enumerate(profile, start=1))
        return self.guess * total + self.late * sum(profile[on_time:])


GUESSES = Charges()
"""The cost is the total number of guesses."""


@dataclass(frozen=True)
class Target:
    """Which optimum to find: by which objective, over trees within the pool and `guess_limit`.

    `rounds` belongs to the objective of that name. All trees begin with the `opening`, if given.
    """

    guess_pool: GuessPool = "all"
    guess_limit: int | None = None
    objective: Objective = "total"
    rounds: int | None = None
    opening: str | None = None

    @property
    def slug(self) -> str:
        """Return a short name for files."""
        names = {
            "total": "optimal",
            "maximum": "optimal-least-maximum",
            "lexicographic": "optimal-lexicographic",
        }
        parts = [names.get(self.objective, f"optimal-within-{self.rounds}")]
        if self.guess_limit is not None:
            parts.append(f"max-{self.guess_limit}")
        if self.guess_pool == "consistent":
            parts.append("pool-consistent")
        if self.opening is not None:
            parts.append(f"from-{self.opening}")
        return "_".join(parts)
