"""Settings of the genetic algorithm; nothing here needs compiled code."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from codebreaker.constants import STRICT, setting


@dataclass(frozen=True)
class Params:
    """Settings of the genetic algorithm.

    Gür 2025 leaves open the mutation, the tournament size and what a restart keeps; the defaults of
    these come from experiments.
    """

    __pydantic_config__: ClassVar = STRICT

    population: int = setting(64, ge=2, le=1024)
    """Individuals per generation."""
    elite: int = setting(10, ge=0, le=1024)
    """Number of best individuals that survive unchanged."""
    selection: Literal["tournament", "uniform"] = "tournament"
    """How parents are drawn: by `tournament`, as the best of several random individuals, or
    uniformly."""
    tournament_size: int = setting(2, ge=1, le=16)
    """Individuals in a tournament."""
    crossover: Literal["uniform", "line"] = "uniform"
    """A gene comes from one parent (`uniform`), or is a mixture of both, with a random share for
    each child (`line`)."""
    mutation_rate: float = setting(0.03, ge=0, le=1)
    """Probability that a gene mutates."""
    mutation_step: float = setting(0.1, ge=0, le=1)
    """Standard deviation of a mutation's step, in units of a weight."""
    mutation_scales: int = setting(1, ge=1, le=16)
    """Number of scales of a step: its deviation is halved up to this number minus one times, at
    random. Small steps keep most choices of a good vector of weights."""
    reset_rate: float = setting(0.1, ge=0, le=1)
    """Probability that a mutation redraws the gene instead of taking a step."""
    row_share: float = setting(0.5, ge=0, le=1)
    """Share of children whose mutations all fall on one row."""
    low: float = setting(0.1, ge=0.0001, le=1)  # a gene is in units of 2^-20, and never 0
    """Minimum weight."""
    high: float = setting(1.0, gt=0, le=1)
    """Maximum weight."""
    draw_high: float = setting(1.0, gt=0, le=1)
    """Maximum of drawn weights, if `high` is not lower."""
    restart_after: int = setting(250, ge=1, le=10**9)
    """Generations without a better total before a restart."""
    restart_redraw: float = setting(0.5, ge=0, le=1)
    """Probability that a restart redraws a gene instead of copying a good individual's."""
    restart_slack: int = setting(4, ge=0, le=10**9)
    """A restart copies the best individual since the last restart, or the best ever if that is
    better by more guesses than this."""
    scratch_every: int = setting(3, ge=0, le=10**9)
    """How often a restart redraws all genes: 3 for every third restart, 0 for never."""
    first_redraw: float = setting(1.0, ge=0, le=1)
    """Probability that a gene starts at a random value, not midway between `low` and `high`; 0
    starts at entropy."""

    stagnant_after: int = setting(0, ge=0, le=10**9)
    """Generations without a better total before genes mutate at `stagnant_rate`; 0 for never."""
    stagnant_rate: float = setting(1.0, ge=0, le=1)
    """Probability that a gene mutates after `stagnant_after` generations."""
    renew_every: int = setting(0, ge=0, le=10**9)
    """Some children are drawn at random each time that this many generations bring no better total;
    0 for never."""
    renew_share: float = setting(0.0, ge=0, le=1)
    """Probability that a child outside the elite is then drawn at random."""

    def __post_init__(self) -> None:
        """Raise ValueError for settings that contradict each other."""
        if self.elite >= self.population:
            raise ValueError(f"elite {self.elite} must be below population {self.population}")
        if self.low > min(self.high, self.draw_high):
            highest = f"high {self.high:g} and draw_high {self.draw_high:g}"
            raise ValueError(f"low {self.low:g} must not be above {highest}")
