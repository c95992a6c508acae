"""Settings of searches; imports no compiled code."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from codebreaker.constants import LARGEST_GUESS_LIMIT, OPTIMAL, STRICT, setting
from codebreaker.errors import CodebreakerError, counted
from codebreaker.types import AnyPool, GuessPool

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
    def settings(self) -> dict[str, Any]:
        """Return what determines the optimum: all settings but how long it is searched for."""
        return {name: value for name, value in vars(self).items() if name != "time_limit_s"}

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
