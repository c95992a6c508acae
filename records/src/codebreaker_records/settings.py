"""Settings of rollouts; imports no compiled code."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from codebreaker.constants import LARGEST_GUESS_LIMIT, STRICT, setting
from codebreaker.errors import CodebreakerError
from codebreaker.policies.strategy import Strategy
from codebreaker.types import Offsets

NAME = "rollout-"  # prefix of names of improved policies and their files


@dataclass(frozen=True)
class Beam:
    """A search of a tree's candidate sets that tries few guesses at large ones."""

    __pydantic_config__: ClassVar = STRICT

    turn: int = setting(3, ge=2, le=LARGEST_GUESS_LIMIT)
    """The first turn whose sets are searched."""
    exact: int = setting(120, ge=2, le=10**6)
    """Maximum size of the sets at which all guesses are tried."""
    width: int = setting(40, ge=1, le=1000)
    """Guesses to try at larger sets."""


@dataclass(frozen=True)
class Rollout:
    """How a base policy is improved: `widths` guesses are compared at turn 2, 3 and so on.

    `ahead` guesses are tried below, from turn 3 on; 1 means the base policy. The last number serves
    later turns. Sets of up to `exact` candidates are valued exactly. A `beam` searches sets of the
    tree again. Without `table` the game's table is not used. With `like_smaller`,
    large sets are played as after the same moves in the recorded tree with one colour less.
    """

    base: Strategy
    widths: tuple[int, ...]
    ahead: tuple[int, ...] = (1,)
    exact: int = 24
    beam: Beam | None = None
    table: bool = True
    like_smaller: bool = False

    def __post_init__(self) -> None:
        base = self.base
        if not base.is_single_score or (base.weights is not None and base.weights.criteria):
            raise CodebreakerError(
                f"policy {base.slug} can't be rolled out: choose one with a single criterion"
            )
        if base.reverses_others and not base.reverses:
            raise CodebreakerError(
                f"policy {base.slug} can't be rolled out: choose another tie-break"
            )
        if not 2 <= self.exact <= base.endgames:
            raise CodebreakerError(
                f"sets of up to {self.exact} candidates can't be valued exactly: give at least 2, "
                f"and at most the policy's endgames, {base.endgames}"
            )
        if base.exact_from is not None:
            raise CodebreakerError(f"policy {base.slug} plays exactly from a turn on: use endgames")
        if not self.widths or not self.ahead or min(*self.widths, *self.ahead) < 1:
            raise CodebreakerError("rollout compares at least one guess at each turn")

    @property
    def settings(self) -> dict[str, Any]:
        """Return the settings as dictionaries and numbers, for a rule of the workflow."""
        beam = self.beam and vars(self.beam)
        return {**vars(self), "base": self.base.settings, "beam": beam}

    @classmethod
    def of_settings(cls, settings: dict[str, Any]) -> "Rollout":
        """Return the rollout that has some settings."""
        beam = settings["beam"] and Beam(**settings["beam"])
        return cls(**{**settings, "base": Strategy(**settings["base"]), "beam": beam})

    @property
    def tried(self) -> Offsets:
        """Return how many guesses are tried ahead, by turn."""
        return np.array([1, 1, *self.ahead], np.int64)

    @property
    def method(self) -> str:
        """Return the method in words."""
        widths = " ".join(map(str, self.widths))
        like = ", large sets as with one colour less" if self.like_smaller else ""
        then = "" if self.beam is None else ", then beam search"
        return f"rollout of {self.base.policy}, {widths} guesses at turn 2 and later{like}{then}"

    def width(self, turn: int) -> int:
        """Return how many guesses are compared at a turn."""
        ahead = self.tried[min(turn, len(self.tried)) - 1]
        return max(self.widths[min(turn - 2, len(self.widths) - 1)], int(ahead))
