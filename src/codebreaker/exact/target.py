"""Targets of the exact search."""

from dataclasses import dataclass
from typing import Literal

from codebreaker.types import GuessPool

Objective = Literal["total", "maximum"]
"""The least total; or the least maximum, and then the least total."""


@dataclass(frozen=True)
class Target:
    """Which optimum to find: by which objective, over trees within the pool and `guess_limit`."""

    guess_pool: GuessPool = "all"
    guess_limit: int | None = None
    objective: Objective = "total"

    @property
    def slug(self) -> str:
        """Return a short name for files."""
        parts = ["optimal" if self.objective == "total" else "optimal-least-maximum"]
        if self.guess_limit is not None:
            parts.append(f"max-{self.guess_limit}")
        if self.guess_pool == "consistent":
            parts.append("pool-consistent")
        return "_".join(parts)
