"""Sections of searches for weights: genetic, guided by the exact cost, and for several games."""

from typing import Annotated, Literal, Self

from pydantic import Field, ValidationInfo, model_validator

from codebreaker.constants import LARGEST_ENDGAME, LARGEST_GUESS_LIMIT, PAPERS_GAME
from codebreaker.errors import CodebreakerError, unknown
from codebreaker.optimise.settings import Params
from codebreaker.proofs.settings import GuidedWeights
from codebreaker.study.config.games import Game, StudyGame, TableGame, check_alike, games_of
from codebreaker.study.config.sections import Model, Opening, Section, Seed, Steps, at_key


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
    def _check_choices(self) -> Self:
        """Raise ValueError for a seed that occurs twice, or orders without a choice."""
        if len(set(self.seeds)) < len(self.seeds):
            raise ValueError("a seed is listed twice: remove one")
        if self.genes == "orders" and len(self.criteria) == 1:
            raise ValueError("there is one order to choose from: widen orders, or add weights")
        return self

    def check_for(self, game: StudyGame) -> None:
        """Raise `CodebreakerError` unless the model is for a game."""
        if self.endgames and game.has_table:
            raise CodebreakerError(
                "endgames are for games without a table: "
                f"solve {game.name} itself, under exact.games"
            )
        if self.genes != "weights" and not game.has_table:
            raise CodebreakerError(
                f"game {game.name} has no table: only weights can be optimised there"
            )
        if self.opening is not None:
            game.check_opening(self.opening)


class Optimise(Section):
    """The search for weights by a genetic algorithm."""

    backend: Literal["auto", "cpu", "cuda"] = "auto"
    """Where fitness is computed; `auto` is CUDA if there is a device."""
    presets: dict[Annotated[str, Field(description="preset")], Params] = Field(
        default={"paper": Params()}
    )
    models: dict[Game, dict[Model, WeightModel]] = Field(default={})

    def check_preset(self, preset: str) -> None:
        """Raise `CodebreakerError` for an unknown preset."""
        if preset not in self.presets:
            raise unknown("preset", preset, self.presets)

    @model_validator(mode="after")
    def _check_models(self, info: ValidationInfo) -> Self:
        """Check each model against its game and the presets."""
        for game, models in self.models.items():
            for name, model in models.items():
                with at_key("models", game, name):
                    model.check_for(games_of(info).game(game))
                    self.check_preset(model.preset)
        return self


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

    bounds: dict[TableGame, dict[Model, FixedBound]] = Field(default={})
    models: dict[TableGame, dict[Model, GuidedWeights]] = Field(default={})

    @model_validator(mode="after")
    def _check_openings(self, info: ValidationInfo) -> Self:
        """Check that games allow the openings of their models and bounds."""
        for key, by_game in (("bounds", self.bounds), ("models", self.models)):
            for game, entries in by_game.items():
                for name, entry in entries.items():
                    with at_key(key, game, name):
                        games_of(info).game(game).check_opening(entry.opening)
        return self


class JointModel(Section):
    """Weights found for all but one of several games, each left out in turn."""

    games: list[TableGame] = Field(min_length=2)
    """Games with tables and the same feedback."""
    turns: int = Field(ge=1, le=LARGEST_GUESS_LIMIT)
    """Rows of weights."""
    opening: str = Field(coerce_numbers_to_str=True)
    """A forced first guess."""
    preset: str = "paper"
    """A name in `optimise.presets`."""
    generations: int = Field(ge=1, le=10**9)
    seed: Seed = 0

    @model_validator(mode="after")
    def _check_games(self, info: ValidationInfo) -> Self:
        """Check that the games have the same feedback, and allow the opening."""
        with at_key():
            check_alike([games_of(info).game(name) for name in self.games], [self.opening])
        return self


class Transfer(Section):
    """Weights played on games that they were not found for."""

    games: list[TableGame] = Field(default=[])
    """Games with tables and the feedback of MM(4,6)."""
    openings: list[Opening] = Field(default=["1123", "1234"], min_length=1)
    """Each is the same for all policies."""
    models: dict[Model, JointModel] = Field(default={})

    @model_validator(mode="after")
    def _check_games(self, info: ValidationInfo) -> Self:
        """Check that the games have the feedback of the papers' game, and allow the openings."""
        if self.games:
            papers_game, *games = map(games_of(info).game, [PAPERS_GAME, *self.games])
            with at_key("games"):
                papers_game.check_table()
                check_alike([papers_game, *games], self.openings)
        return self
