"""Settings of searches; imports no compiled code."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from codebreaker.constants import LARGEST_GUESS_LIMIT, OPTIMAL, STRICT, setting
from codebreaker.errors import CodebreakerError, counted
from codebreaker.policies.strategy import Strategy
from codebreaker.types import AnyPool, GuessPool, Offsets

Objective = Literal["total", "maximum", "rounds", "lexicographic"]


@dataclass(frozen=True)
class Charges:
    """The charge for each guess, and for each secret not solved within `rounds`, if any."""

    guess: int = 1
    late: int = 0
    rounds: int | None = None

    def cost(self, profile: list[int]) -> int:
        """Return the cost of a tree by its profile, the number of secrets solved at each turn."""
        on_time = len(profile) if self.rounds is None else self.rounds
        total = sum(turn * solved for turn, solved in enumerate(profile, start=1))
        return self.guess * total + self.late * sum(profile[on_time:])


GUESSES = Charges()


@dataclass(frozen=True)
class Target:
    """An optimum to find; `{}` is the minimum total without restrictions."""

    __pydantic_config__: ClassVar = STRICT

    guess_pool: GuessPool = "all"
    guess_limit: int | None = setting(None, ge=1, le=LARGEST_GUESS_LIMIT)
    """Maximum number of guesses for any secret."""
    objective: Objective = "total"
    """`total`: minimise the total. `maximum`: the maximum, then the total. `rounds`: maximise the
    secrets solved within `rounds` guesses, then minimise the total. `lexicographic`: minimise the
    total, then the maximum, then the number of secrets that need the maximum."""
    rounds: int | None = setting(None, ge=1, le=LARGEST_GUESS_LIMIT)
    """Guesses for the objective `rounds`."""
    opening: str | None = setting(None, coerce_numbers_to_str=True)
    """A forced first guess."""
    time_limit_s: float | None = setting(None, gt=0, le=10**7)
    """Seconds for this optimum, instead of `exact.time_limit_s`."""
    from_best_known: bool = False
    """Whether the search begins with the best known tree; only for the minimum total."""

    def __post_init__(self) -> None:
        """Raise ValueError for settings that contradict each other."""
        if self.guess_limit is not None and self.objective in ("maximum", "lexicographic"):
            raise ValueError(f"objective {self.objective} finds guess_limit itself: remove it")
        if (self.objective == "rounds") != (self.rounds is not None):
            raise ValueError("objective rounds and the key rounds belong together: give both")
        if self.rounds is not None and (self.guess_limit is not None or self.guess_pool != "all"):
            raise ValueError(
                "objective rounds is for all codes and any number of guesses: remove "
                "guess_limit and guess_pool"
            )
        if self.from_best_known and self.slug != OPTIMAL:
            raise ValueError("from_best_known is for the minimum total over all trees")

    @property
    def slug(self) -> str:
        """Return a short name for files."""
        names = {
            "total": OPTIMAL,
            "maximum": "optimal-lowest-maximum",
            "lexicographic": "optimal-lexicographic",
        }
        first = names.get(self.objective, f"optimal-within-{self.rounds}")
        return name_within_limits(first, self.guess_limit, self.guess_pool, self.opening)


def name_within_limits(
    first: str, guess_limit: int | None, guess_pool: AnyPool, opening: str | None
) -> str:
    """Return the name of a tree within limits: what it is, then the limits."""
    parts = [first]
    if guess_limit is not None:
        parts.append(f"max-{guess_limit}")
    if guess_pool != "all":
        parts.append(f"pool-{guess_pool}")
    if opening is not None:
        parts.append(f"from-{opening}")
    return "_".join(parts)


def no_tree(
    game: str, guess_limit: int | None, opening: str | None, where: str = ""
) -> CodebreakerError:
    """Return the error that a complete search found no tree within its limits."""
    begins = "" if opening is None else f" that begins with {opening}"
    within = "" if guess_limit is None else f" within {counted(guess_limit, 'guess', 'es')}"
    return CodebreakerError(
        f"it is proven that {where}no tree of {game}{begins} solves every secret{within}: "
        "allow more guesses"
    )


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
