"""Sections of the configuration: searches for trees and for weights, sweeps over families."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, Field, model_validator

from codebreaker.constants import LARGEST_ENDGAME, LARGEST_GUESS_LIMIT, STRICT
from codebreaker.optimise.settings import Params
from codebreaker.proofs.settings import GuidedWeights
from codebreaker.search.settings import Beam, Target
from codebreaker.types import GuessPool

Game = Annotated[str, Field(description="game")]
"""A game's name as a key, `{game}` in the table of keys in config/README.md."""

Model = Annotated[str, Field(description="model")]


Count = Annotated[int, Field(ge=1, le=10**6)]

Width = Annotated[int, Field(ge=1, le=1000)]

Seed = Annotated[int, Field(ge=0, lt=2**63)]

Seconds = Annotated[float, Field(gt=0, le=10**7)]


class Section(BaseModel):
    """A section of the configuration; unknown keys, infinity and NaN are refused."""

    model_config = STRICT


class Exact(Section):
    """Optimal trees, with proofs."""

    time_limit_s: Seconds = 600.0
    """Seconds per optimum; then the best tree so far is reported as not proven."""
    games: dict[Game, list[Target]] = Field(default={})
    rounds: list[str] = Field(default=[])
    """Games for which to maximise the secrets solved within each number of guesses."""
    frontiers: list[str] = Field(default=[])
    """Games of `rounds` whose frontier of total and secrets solved in time is found too."""
    values: list[str] = Field(default=[])
    """Games whose value and optimal mixed strategies are found."""


class RolloutEntry(Section):
    """A policy whose best guesses are compared by the totals that follow."""

    policy: str = "entropy"
    """A policy with a single criterion."""
    opening: str | None = Field(default=None, coerce_numbers_to_str=True)
    """A forced first guess."""
    guess_pool: GuessPool = "all"
    endgames: int = Field(default=LARGEST_ENDGAME, ge=2, le=LARGEST_ENDGAME)
    """The largest sets that are played optimally."""
    widths: list[Width] = Field(min_length=1, max_length=LARGEST_GUESS_LIMIT)
    """Guesses to compare at turns 2, 3, ...; the last number serves later turns."""
    ahead: list[Width] = Field(default=[1], min_length=1, max_length=LARGEST_GUESS_LIMIT)
    """Guesses to try below them at turns 3, 4, ...; 1 is the policy itself."""
    exact: int = Field(default=24, ge=2, le=LARGEST_ENDGAME)
    """The largest sets that are valued exactly in the comparison."""
    beam: Beam | None = None
    """A search of the sets of the resulting tree; by default none."""
    table: bool = True
    """Whether to use the game's table, if any. Many colours are faster without."""
    like_smaller: bool = False
    """Whether large sets are played as after the same moves in the best known tree of the game with
    one colour less."""


class Steps(Section):
    """Equally spaced numbers."""

    low: float = Field(default=0.0, ge=0, le=8)
    high: float = Field(default=4.0, ge=0, le=8)
    step: float = Field(default=0.1, ge=0.001, le=8)

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
    """A model to optimise: weights, orders of entropies, or both."""

    turns: int = Field(ge=1, le=LARGEST_GUESS_LIMIT)
    """Rows of genes, one per turn; the last serves later turns."""
    opening: str | None = Field(default=None, coerce_numbers_to_str=True)
    """A forced first guess, so that turn 1 of several rows has no genes."""
    genes: Literal["weights", "orders", "orders and weights"] = "weights"
    """Weights of Shannon's entropy, the order of the turn's entropy, or both."""
    family: Literal["renyi", "tsallis"] = "tsallis"
    """The family of entropies with orders."""
    orders: Steps = Steps()
    """The orders to choose from."""
    endgames: int = Field(default=0, ge=0, le=LARGEST_ENDGAME)
    """In games without a table, the largest sets to play optimally."""
    preset: str = "paper"
    """A name in `presets`."""
    generations: int = Field(ge=1, le=10**9)
    """Generations per seed."""
    seeds: list[Seed] = Field(min_length=1, max_length=1000)
    """Each a separate run."""

    @property
    def criteria(self) -> list[str]:
        """Return the names of the criteria that a turn may use."""
        if self.genes == "weights":
            return ["entropy"]
        return [f"{self.family}-{order:g}" for order in self.orders.numbers]

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        if len(set(self.seeds)) < len(self.seeds):
            raise ValueError("a seed is listed twice: remove one")
        if self.genes == "orders" and len(self.criteria) == 1:
            raise ValueError("there is one order to choose from: widen orders, or add weights")
        return self


class Optimise(Section):
    """The search for weights by a genetic algorithm."""

    backend: Literal["auto", "cpu", "cuda"] = "auto"
    """Where fitness is computed; `auto` is CUDA if there is a device."""
    presets: dict[Annotated[str, Field(description="preset")], Params] = Field(
        default={"paper": Params()}
    )
    models: dict[Game, dict[Model, WeightModel]] = Field(default={})


class FixedBound(Section):
    """A lower bound for one row of weights that serves all turns."""

    opening: str = Field(coerce_numbers_to_str=True)
    """A forced first guess."""
    low: float = Field(default=0.1, gt=0, le=1)
    """Minimum weight."""
    high: float = Field(default=1.0, gt=0, le=1)
    """Maximum weight."""
    budget: int = Field(ge=0, le=1000)
    """The regret to rule out; each further guess doubles the time."""


class Guided(Section):
    """The search for weights from the exact cost-to-go."""

    bounds: dict[Game, dict[Model, FixedBound]] = Field(default={})
    models: dict[Game, dict[Model, GuidedWeights]] = Field(default={})


class Sweep(Section):
    """Families of policies whose trees are grown in one batch."""

    openings: list[Annotated[str, Field(coerce_numbers_to_str=True)]] = Field(min_length=1)
    orders: Steps = Steps(step=0.02)
    """Orders of entropies; infinity is added."""
    shares: Steps = Steps(low=0.02, high=0.98, step=0.02)
    """The second criterion's share in a mixture of two."""
    guess_pools: list[GuessPool] = Field(default=["all", "consistent"], min_length=1)
    individuals: int = Field(default=2000, ge=0, le=10**6)
    """Maximum number of individuals from each run."""


class JointModel(Section):
    """Weights found for all but one of several games, each left out in turn."""

    games: list[str] = Field(min_length=2)
    """Games with tables and the same feedback."""
    turns: int = Field(ge=1, le=LARGEST_GUESS_LIMIT)
    """Rows of weights."""
    opening: str = Field(coerce_numbers_to_str=True)
    """A forced first guess."""
    preset: str = "paper"
    """A name in `optimise.presets`."""
    generations: int = Field(ge=1, le=10**9)
    seed: Seed = 0


class Transfer(Section):
    """Weights played on games that they were not found for."""

    games: list[str] = Field(default=[])
    """Games with tables and the feedback of MM(4,6)."""
    openings: list[Annotated[str, Field(coerce_numbers_to_str=True)]] = Field(
        default=["1123", "1234"], min_length=1
    )
    """Each is the same for all policies."""
    models: dict[Model, JointModel] = Field(default={})
