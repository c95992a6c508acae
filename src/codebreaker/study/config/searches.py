"""The configuration of searches: for weights, for optimal trees, and over policy families."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from codebreaker.constants import LARGEST_ENDGAME, LARGEST_GUESS_LIMIT
from codebreaker.exact.target import Target
from codebreaker.study.config.section import Section
from codebreaker.types import GuessPool


class Preset(Section):
    """The settings of a genetic algorithm."""

    population: int = Field(default=64, ge=2, le=1024)
    """Individuals per generation."""
    elite: int = Field(default=10, ge=0)
    """The number of best individuals that survive unchanged."""
    selection: Literal["tournament", "uniform"] = "tournament"
    """How parents are chosen: the best of several drawn at random, or uniformly."""
    tournament_size: int = Field(default=2, ge=1, le=16)
    """Individuals drawn for a tournament."""
    crossover: Literal["uniform", "blend"] = "uniform"
    """A child's gene is one parent's, or a random mixture of both parents'."""
    mutation_rate: float = Field(default=0.03, ge=0, le=1)
    """The probability that a gene mutates."""
    mutation_step: float = Field(default=0.1, ge=0, le=1)
    """The standard deviation of a mutation's step, in units of a weight."""
    reset_rate: float = Field(default=0.1, ge=0, le=1)
    """The probability that a mutation redraws the gene instead of taking a step."""
    row_share: float = Field(default=0.5, ge=0, le=1)
    """The share of children whose mutations, equally many, all fall on one row of weights."""
    low: float = Field(default=0.1, gt=0, le=1)
    """The least weight."""
    high: float = Field(default=1.0, gt=0, le=1)
    """The largest weight."""
    restart_after: int = Field(default=250, ge=1)
    """Generations without a better total before a restart."""
    restart_redraw: float = Field(default=0.5, ge=0, le=1)
    """The probability that a restart redraws a gene instead of copying a good individual's."""
    restart_slack: int = Field(default=4, ge=0)
    """A restart copies this start's best if it is within this of the best total ever."""
    scratch_every: int = Field(default=3, ge=0)
    """All genes are redrawn at every n-th start; 0 for never."""
    first_redraw: float = Field(default=1.0, ge=0, le=1)
    """The probability that the first start draws a gene; else it is midway from `low` to `high`."""

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        if self.elite >= self.population:
            raise ValueError(f"elite {self.elite} must be below population {self.population}")
        if self.low > self.high:
            raise ValueError(f"low {self.low:g} must not be above high {self.high:g}")
        return self


class Steps(Section):
    """Equally spaced numbers."""

    low: float = Field(default=0.0, ge=0, le=8)
    """The lowest number."""
    high: float = Field(default=4.0, ge=0, le=8)
    """The highest number."""
    step: float = Field(default=0.1, gt=0)
    """The distance from one to the next."""

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        if self.low > self.high:
            raise ValueError(f"low {self.low:g} must not be above high {self.high:g}")
        return self

    @property
    def numbers(self) -> list[float]:
        """Return the numbers in ascending order."""
        steps = int((self.high - self.low) / self.step + 1e-9)
        return [round(self.low + i * self.step, 6) for i in range(steps + 1)]


class WeightModel(Section):
    """A model to optimise for a game: weights, orders of entropies, or both."""

    turns: int = Field(ge=1)
    """Rows of genes, one per turn; the last also applies to all later turns."""
    opening: str | None = Field(default=None, coerce_numbers_to_str=True)
    """A forced first guess; with several rows the first then has no genes."""
    genes: Literal["weights", "orders", "orders and weights"] = "weights"
    """What a row of genes encodes: weights, the order of its turn's entropy, or both."""
    family: Literal["renyi", "tsallis"] = "tsallis"
    """The family of entropies."""
    orders: Steps = Steps()
    """The orders to choose from, if genes encode orders."""
    endgames: int = Field(default=0, ge=0, le=LARGEST_ENDGAME)
    """The largest candidate set that is played exactly; for games without a table."""
    preset: str = "paper"
    """The genetic algorithm's settings, one of `optimise.presets`."""
    generations: int = Field(ge=1)
    """Generations per seed."""
    seeds: list[Annotated[int, Field(ge=0)]] = Field(min_length=1)
    """The seeds, each a run of its own."""

    @property
    def criteria(self) -> list[str]:
        """Return the names of the criteria that a turn may use."""
        if self.genes == "weights":
            return ["entropy"]
        return [f"{self.family}-{order:g}" for order in self.orders.numbers]

    @model_validator(mode="after")
    def _has_genes(self) -> Self:
        if self.genes == "orders" and len(self.criteria) == 1:
            raise ValueError("there is one order to choose from: widen orders, or add weights")
        return self


class Optimise(Section):
    """The optimisation of weights."""

    backend: Literal["auto", "cpu", "cuda"] = "auto"
    """Where fitness is computed; `auto` uses CUDA if there is a device, and logs its choice."""
    threads: int = Field(default=1, ge=1)
    """Threads per job; a seed's search uses at most one for each cell of the opening."""
    presets: dict[str, Preset] = Field(default_factory=lambda: {"paper": Preset()})
    """Settings of the genetic algorithm by name."""
    models: dict[str, dict[str, WeightModel]] = Field(default_factory=dict)
    """The models to optimise, by game and name."""


class GuidedWeights(Section):
    """Weights to seek by the exact cost-to-go."""

    opening: str = Field(coerce_numbers_to_str=True)
    """The forced first guess."""
    by: Literal["turn", "turn and feedback"] = "turn"
    """A row of weights for each turn, or for each turn and feedback of the guess before."""
    guess_limit: int | None = Field(default=None, ge=1, le=LARGEST_GUESS_LIMIT)
    """The most guesses that any secret may take; without it any number."""
    low: float = Field(default=0.1, gt=0, le=1)
    """The least weight."""
    high: float = Field(default=1.0, gt=0, le=1)
    """The largest weight."""
    budget: int = Field(default=4, ge=0)
    """The most that turn 2 may cost above the optimum; patterns up to it are all found."""
    patterns: int = Field(default=2, ge=1)
    """How many of these are followed by random walks first."""
    walks: int = Field(default=2, ge=1)
    """Random walks for each row."""
    steps: int = Field(default=20000, ge=1)
    """Steps of a walk."""
    seconds: float = Field(default=150.0, gt=0)
    """When the linear programmes stop, if not all is proven before."""


class Guided(Section):
    """The search for weights guided by the exact cost-to-go."""

    models: dict[str, dict[str, GuidedWeights]] = Field(default_factory=dict)
    """The models to search, by game and name."""


class Sweep(Section):
    """Families of policies whose trees are all grown."""

    openings: list[Annotated[str, Field(coerce_numbers_to_str=True)]] = Field(min_length=1)
    """The first guesses."""
    orders: Steps = Steps(step=0.02)
    """The orders of entropies; infinity is added."""
    shares: Steps = Steps(low=0.02, high=0.98, step=0.02)
    """The weight of the second criterion in a mixture of two."""
    guess_pools: list[GuessPool] = Field(default=["all", "consistent"], min_length=1)
    """Which guesses may be played."""
    individuals: int = Field(default=2000, ge=0)
    """The largest number of individuals to take from each search for weights."""


class ExactTarget(Section):
    """An optimal tree to find."""

    guess_pool: GuessPool = "all"
    """`all` codes, or only `consistent` guesses."""
    guess_limit: int | None = Field(default=None, ge=1, le=LARGEST_GUESS_LIMIT)
    """The limit on guesses for any secret; by default there is none."""
    objective: Literal["total", "maximum"] = "total"
    """The least total; or the least maximum, and then the least total."""
    time_limit_s: float | None = Field(default=None, gt=0)
    """Seconds for this optimum, instead of `exact.time_limit_s`."""

    @property
    def target(self) -> Target:
        """Return what the search is to find."""
        return Target(self.guess_pool, self.guess_limit, self.objective)


class Exact(Section):
    """The exact search."""

    time_limit_s: float = Field(default=600.0, gt=0)
    """Seconds per optimum; afterwards the best tree so far is used, marked as not proven."""
    games: dict[str, list[ExactTarget]] = Field(default_factory=dict)
    """The optimal trees to find, by game."""
