"""What an exact search is asked for."""

from dataclasses import dataclass
from typing import Literal

from codebreaker.types import GuessPool

Objective = Literal["total", "maximum"]
"""The least total; or the fewest guesses that are enough for all, then the least total."""


@dataclass(frozen=True)
class Target:
    """An optimum: of which trees, and by what; `max_guesses` forbids deeper ones."""

    guess_pool: GuessPool = "all"
    max_guesses: int | None = None
    objective: Objective = "total"

    @property
    def slug(self) -> str:
        """Return a short name for files."""
        parts = ["optimal" if self.objective == "total" else "optimal-least-maximum"]
        if self.max_guesses is not None:
            parts.append(f"max-{self.max_guesses}")
        if self.guess_pool == "consistent":
            parts.append("pool-consistent")
        return "_".join(parts)
