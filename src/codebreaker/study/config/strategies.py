"""Sections whose entries become trees: strategies, families of policies, optima."""

from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, ValidationInfo, field_validator, model_validator

from codebreaker.constants import OPTIMAL
from codebreaker.errors import CodebreakerError
from codebreaker.files import DATA
from codebreaker.policies.registry import policy_names
from codebreaker.policies.strategy import (
    BETWEEN_GUESSES,
    SETTINGS,
    Strategy,
    check_fits,
    check_fixed,
    check_has_choice,
    check_without_table,
)
from codebreaker.search.settings import Target
from codebreaker.study.config.games import (
    AnyGame,
    CodeGame,
    StudyGame,
    TableGame,
    games_of,
)
from codebreaker.study.config.sections import (
    Opening,
    Seconds,
    Section,
    Steps,
    at_key,
)
from codebreaker.types import AnyPool, TieBreak


def _setting(name: str, **options: Any) -> Any:  # noqa: ANN401 (a field of any type)
    """Return a key with the default, the description and the limits of a `Strategy`'s field."""
    _, about, *limits = SETTINGS[name]
    for bounds in limits:
        options |= bounds
    return Field(getattr(Strategy, name, ...), description=about, **options)


class StrategyEntry(Section):
    """A policy with its settings."""

    policy: str = _setting("policy", examples=policy_names())
    opening: str | None = _setting("opening", coerce_numbers_to_str=True)
    guess_pool: AnyPool | None = _setting("guess_pool")
    tie_break: TieBreak | None = _setting("tie_break")
    endgames: int = _setting("endgames")
    exact_from: int | None = _setting("exact_from")

    @cached_property
    def strategy(self) -> Strategy:
        """Return the entry as a record; raise `CodebreakerError` for an unknown policy."""
        return Strategy(**self.model_dump())

    def check_for(self, game: StudyGame) -> None:
        """Raise `CodebreakerError` unless the strategy exists and can play a game."""
        strategy = self.strategy
        if strategy.plays.joined is not None:
            game.refuse_prior()
        if strategy.opening is not None:
            fixed = strategy.opening.split(BETWEEN_GUESSES)
            if len(fixed) > 1:
                check_fixed(strategy.opening, strategy.guess_pool)
            for guess in fixed:
                game.check_opening(guess, strategy.guess_pool)
        if not game.has_table:
            check_without_table(strategy, game.name)
        check_fits(strategy, game.name, game.rules.feedback_labels())
        check_has_choice(strategy)


def _check_strategies(
    by_game: dict[str, list[StrategyEntry]], info: ValidationInfo
) -> dict[str, list[StrategyEntry]]:
    """Check that the strategies of each game differ and can play it."""
    for name, entries in by_game.items():
        game = games_of(info).game(name)
        with at_key(name):
            game.check_prior()
        slugs = set[str]()
        for index, entry in enumerate(entries):
            with at_key(name, index):
                entry.check_for(game)
                slug = entry.strategy.slug
                if slug in slugs:
                    raise CodebreakerError(f"strategy {slug!r} is listed twice: remove one")
                slugs.add(slug)
    return by_game


Strategies = Annotated[dict[AnyGame, list[StrategyEntry]], AfterValidator(_check_strategies)]


class Sweep(Section):
    """Families of policies whose trees are grown and compared."""

    openings: list[Opening] = Field(min_length=1)
    orders: Steps = Steps(step=0.02)
    """Orders of entropies; infinity is added."""
    shares: Steps = Steps(low=0.02, high=0.98, step=0.02)
    """The second criterion's share in a mixture of two."""
    individuals: int = Field(default=2000, ge=0, le=10**6)
    """Maximum number of individuals from each run."""


def _check_sweeps(by_game: dict[str, Sweep], info: ValidationInfo) -> dict[str, Sweep]:
    """Check that each game allows the openings of its sweep."""
    for name, sweep in by_game.items():
        game = games_of(info).game(name)
        for index, opening in enumerate(sweep.openings):
            with at_key(name, "openings", index):
                game.check_opening(opening)
    return by_game


Sweeps = Annotated[dict[TableGame, Sweep], AfterValidator(_check_sweeps)]


def check_recorded(game: str, key: str) -> None:
    """Raise `CodebreakerError` unless a game has a best known tree, which `key` needs."""
    if not (DATA / "trees" / f"{game}.parquet").exists():
        raise CodebreakerError(f"game {game} has no best known tree: leave out {key}")


class Exact(Section):
    """Optimal trees, with proofs."""

    time_limit_s: Seconds = 600.0
    """Seconds per optimum; then the best tree so far is reported as not proven."""
    games: dict[TableGame, list[Target]] = Field(default={})
    rounds: list[TableGame] = Field(default=[])
    """Games for which to maximise the secrets solved within each number of guesses."""
    frontiers: list[str] = Field(default=[])
    """Games of `rounds` whose frontier of total and secrets solved in time is found too."""
    values: list[TableGame] = Field(default=[])
    """Games whose value and optimal mixed strategies are found."""

    @field_validator("games")
    @classmethod
    def _check_targets(
        cls, by_game: dict[str, list[Target]], info: ValidationInfo
    ) -> dict[str, list[Target]]:
        """Check that the optima of each game differ, and that the game allows their openings."""
        for name, targets in by_game.items():
            game = games_of(info).game(name)
            slugs = set[str]()
            for index, target in enumerate(targets):
                with at_key(name, index):
                    if target.opening is not None:
                        game.check_opening(target.opening, target.guess_pool)
                    if target.from_best_known:
                        check_recorded(name, "from_best_known")
                    if target.slug in slugs:
                        raise CodebreakerError(
                            f"optimum {target.slug!r} is listed twice: remove one"
                        )
                    slugs.add(target.slug)
        return by_game

    @model_validator(mode="after")
    def _check_frontiers(self) -> Self:
        """Check that frontiers are of games in `rounds`, from whose results they are found."""
        for index, game in enumerate(self.frontiers):
            with at_key("frontiers", index):
                if game not in self.rounds:
                    raise CodebreakerError(f"add {game} to exact.rounds too")
        return self

    def solves(self, game: str) -> bool:
        """Return whether the minimum total over all trees of a game is searched."""
        return OPTIMAL in [target.slug for target in self.games.get(game, [])]


def _check_without_tables(game: StudyGame, policies: list[str]) -> None:
    """Raise `CodebreakerError` unless all policies can play a game without its table."""
    labels = game.rules.feedback_labels()
    for policy in policies:
        strategy = Strategy(policy)
        check_fits(strategy, game.name, labels)
        check_without_table(strategy, game.name)


class Scaling(Section):
    """Time and memory of trees by the number of codes, without tables."""

    games: list[CodeGame] = Field(default=[])
    """Games of codes."""
    policies: list[str] = Field(
        default=["first-consistent", "worst-case", "expected-size", "entropy", "most-parts"],
        min_length=1,
    )
    """Policies without weights."""

    @model_validator(mode="after")
    def _check_policies(self, info: ValidationInfo) -> Self:
        """Check that the policies can play each of the games without a table."""
        for index, name in enumerate(self.games):
            with at_key("games", index):
                _check_without_tables(games_of(info).game(name), self.policies)
        return self


class BestKnown(Section):
    """The lowest totals known, with proven bounds."""

    games: list[CodeGame] = Field(default=[])
    """Games of codes, each with `[{}]` in `exact.games`."""
    first_guesses: list[CodeGame] = Field(default=[])
    """Games whose first guesses are compared, one of each class."""
    policies: list[str] = Field(
        default=["worst-case", "expected-size", "entropy", "most-parts"], min_length=1
    )
    """Policies that play on after these guesses, without weights."""

    @model_validator(mode="after")
    def _check_policies(self, info: ValidationInfo) -> Self:
        """Check that the policies can play on without a table."""
        for index, name in enumerate(self.first_guesses):
            with at_key("first_guesses", index):
                _check_without_tables(games_of(info).game(name), self.policies)
        return self
