"""The configuration of searches for trees: optimal ones, and those of rollout."""

from typing import Annotated

from pydantic import Field

from codebreaker.constants import LARGEST_ENDGAME, LARGEST_GUESS_LIMIT
from codebreaker.search.settings import Objective, Target
from codebreaker.study.config.section import Game, Seconds, Section, Width
from codebreaker.types import GuessPool


class ExactTarget(Section):
    """An optimum to find; `{}` is the least total without restrictions."""

    guess_pool: GuessPool = "all"
    """`all` codes, or `consistent` guesses only."""
    guess_limit: int | None = Field(default=None, ge=1, le=LARGEST_GUESS_LIMIT)
    """The largest number of guesses that any secret may take; by default any number."""
    objective: Objective = "total"
    """What is best. `total`: the least total. `maximum`: the least maximum, then the least total.
    `rounds`: the most secrets solved within that number of guesses, then the least total.
    `lexicographic`: the least total, then the least maximum, then the fewest secrets that need the
    maximum."""
    rounds: int | None = Field(default=None, ge=1, le=LARGEST_GUESS_LIMIT)
    """The number of guesses for the objective `rounds`."""
    opening: Annotated[str, Field(coerce_numbers_to_str=True)] | None = None
    """The first guess of all trees that are considered; by default any."""
    time_limit_s: Seconds | None = None
    """Seconds for this optimum, instead of `exact.time_limit_s`."""

    @property
    def target(self) -> Target:
        """Return what the search is to find."""
        return Target(self.guess_pool, self.guess_limit, self.objective, self.rounds, self.opening)


class Exact(Section):
    """Optimal trees, with proofs."""

    time_limit_s: Seconds = 600.0
    """Time limit per optimum in seconds; if it is reached, the best tree so far is reported as not
    proven."""
    games: dict[Game, list[ExactTarget]] = Field(default={})
    """The optima to find, by game."""
    rounds: list[str] = Field(default=[])
    """Games for which to count how many secrets can be solved within each number of guesses."""
    frontiers: list[str] = Field(default=[])
    """Those of them whose frontier of total guesses and secrets solved in time is found too."""
    values: list[str] = Field(default=[])
    """Games whose value is found: the mean guesses that neither codemaker nor codebreaker can
    better, with the play of both."""


class BeamSearch(Section):
    """A search from the second guess on that tries few guesses at large candidate sets."""

    finalists: Width = 8
    """The number of second guesses, the best by rollout, that it compares."""
    exact: int = Field(default=120, ge=2, le=10**6)
    """The size of the candidate sets at which all guesses are tried."""
    compare: Width = 40
    """The number of guesses to try at larger sets in the comparison."""
    play: Width = 40
    """The number of guesses to try at larger sets to find those that are played."""


class RolledOut(Section):
    """A policy to improve by rollout: its best guesses are compared by all that follows them."""

    policy: str = "entropy"
    """The policy, by a single criterion."""
    opening: str | None = Field(default=None, coerce_numbers_to_str=True)
    """A forced first guess; by default the policy chooses."""
    guess_pool: GuessPool = "all"
    """`all` codes, or `consistent` guesses only."""
    endgames: int = Field(default=LARGEST_ENDGAME, ge=2, le=LARGEST_ENDGAME)
    """The size of the candidate sets that are played optimally."""
    widths: list[Width] = Field(min_length=1, max_length=LARGEST_GUESS_LIMIT)
    """The numbers of guesses to compare at turns 2, 3 and so on; the last serves later turns."""
    ahead: list[Width] = Field(default=[1], min_length=1, max_length=LARGEST_GUESS_LIMIT)
    """The numbers of guesses to try at turns 3, 4 and so on of what follows them: with 1 the
    policy itself follows."""
    exact: int = Field(default=24, ge=2, le=LARGEST_ENDGAME)
    """The size of the candidate sets that are valued exactly in the comparison."""
    beam: BeamSearch | None = None
    """A search that decides from the second guess on, in games with a table."""
    table: bool = True
    """Whether the game's table is used, if it has one. With many colours it is faster without:
    guesses that differ only by equivalent colours then count once."""
