"""Settings of the searches for weights; nothing here needs compiled code."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from codebreaker.constants import LARGEST_GUESS_LIMIT, STRICT, setting


@dataclass(frozen=True)
class Params:
    """Settings of the genetic algorithm.

    Gür 2025 leaves open the mutation, the tournament size and what a restart keeps; the defaults
    of these come from experiments.
    """

    __pydantic_config__: ClassVar = STRICT

    population: int = setting(64, ge=2, le=1024)
    """Individuals per generation."""
    elite: int = setting(10, ge=0, le=1024)
    """The number of best individuals that survive unchanged."""
    selection: Literal["tournament", "uniform"] = "tournament"
    """How parents are drawn: by `tournament`, the best of several random individuals, or
    uniformly."""
    tournament_size: int = setting(2, ge=1, le=16)
    """The number of individuals in a tournament."""
    crossover: Literal["uniform", "blend", "line"] = "uniform"
    """A child's gene comes from one parent (`uniform`) or is a random mixture of both, with a share
    per gene (`blend`) or per child (`line`)."""
    mutation_rate: float = setting(0.03, ge=0, le=1)
    """The probability that a gene mutates."""
    mutation_step: float = setting(0.1, ge=0, le=1)
    """The standard deviation of a mutation's step, in units of a weight."""
    reset_rate: float = setting(0.1, ge=0, le=1)
    """The probability that a mutation redraws the gene instead of taking a step."""
    row_share: float = setting(0.5, ge=0, le=1)
    """The share of children whose mutations all fall on one row."""
    low: float = setting(0.1, gt=0, le=1)
    """The minimum weight."""
    high: float = setting(1.0, gt=0, le=1)
    """The maximum weight."""
    draw_high: float = setting(1.0, gt=0, le=1)
    """The maximum of randomly drawn weights, if `high` is not lower."""
    restart_after: int = setting(250, ge=1, le=10**9)
    """The number of generations without a better total before a restart."""
    restart_redraw: float = setting(0.5, ge=0, le=1)
    """The probability that a restart redraws a gene; otherwise the gene comes from a good
    individual."""
    restart_slack: int = setting(4, ge=0, le=10**9)
    """That individual is the best since the last restart if it is at most this many guesses above
    the best ever, otherwise the best ever."""
    scratch_every: int = setting(3, ge=0, le=10**9)
    """How often a restart redraws all genes: 3 for every third restart, 0 for never."""
    first_redraw: float = setting(1.0, ge=0, le=1)
    """The probability that a gene starts at a random value; otherwise it starts midway between
    `low` and `high`. 0 starts the search at entropy."""

    stagnant_after: int = setting(0, ge=0, le=10**9)
    """The number of generations without a better total before genes mutate with `stagnant_rate`; 0
    for never."""
    stagnant_rate: float = setting(1.0, ge=0, le=1)
    """That probability."""
    renew_every: int = setting(0, ge=0, le=10**9)
    """The number of generations without a better total after which, each time, children outside the
    elite are drawn at random with probability `renew_share`; 0 for never."""
    renew_share: float = setting(0.0, ge=0, le=1)
    """That probability."""

    def __post_init__(self) -> None:
        if self.elite >= self.population:
            raise ValueError(f"elite {self.elite} must be below population {self.population}")
        if self.low > min(self.high, self.draw_high):
            highest = f"high {self.high:g} and draw_high {self.draw_high:g}"
            raise ValueError(f"low {self.low:g} must not be above {highest}")


@dataclass(frozen=True)
class GuidedWeights:
    """A model whose weights are found turn by turn, from the regret of choices."""

    __pydantic_config__: ClassVar = STRICT

    opening: str = setting(coerce_numbers_to_str=True)
    """The forced first guess."""
    by: Literal["turn", "turn and feedback"] = "turn"
    """A row of weights for each `turn`, or for each `turn and feedback` to the previous guess."""
    guess_limit: int | None = setting(None, ge=1, le=LARGEST_GUESS_LIMIT)
    """The maximum number of guesses for any secret; by default any number."""
    low: float = setting(0.1, gt=0, le=1)
    """The minimum weight."""
    high: float = setting(1.0, gt=0, le=1)
    """The maximum weight."""
    budget: int = setting(4, ge=0, le=1000)
    """The maximum regret of turn 2; all patterns within it are enumerated."""
    patterns: int = setting(2, ge=1, le=10**6)
    """The number of patterns that random walks follow first."""
    walks: int = setting(2, ge=1, le=10**6)
    """The number of random walks per row."""
    steps: int = setting(20000, ge=1, le=10**9)
    """The number of steps of each walk."""
    seconds: float = setting(150.0, gt=0, le=10**7)
    """Time limit of the linear programmes; if it is reached, the result depends on the machine's
    speed."""
