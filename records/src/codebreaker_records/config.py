"""The configuration of a hunt: a study of `codebreaker`, and keys for what it has no rules for."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field, ValidationInfo

from codebreaker.constants import LARGEST_ENDGAME, LARGEST_GUESS_LIMIT, OPTIMAL
from codebreaker.errors import CodebreakerError
from codebreaker.games.registry import without_table
from codebreaker.policies.strategy import Strategy, check_fits
from codebreaker.study.config import validated
from codebreaker.study.config.games import CodeGame, Game, StudyGame, TableGame, games_of
from codebreaker.study.config.sections import Count, Model, Section, at_key
from codebreaker.study.config.strategies import check_recorded
from codebreaker.study.load import Study, load_study
from codebreaker.types import GuessPool
from codebreaker_records.settings import NAME, Beam, Rollout

STUDY = "study"
"""The key of the study, which is passed on to the module."""

Width = Annotated[int, Field(ge=1, le=1000)]


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

    @cached_property
    def rollout(self) -> Rollout:
        """Return the entry as a record; raise `CodebreakerError` if the policy can't be used."""
        return Rollout(
            Strategy(self.policy, self.opening, self.guess_pool, endgames=self.endgames),
            tuple(self.widths),
            tuple(self.ahead),
            exact=self.exact,
            beam=self.beam,
            table=self.table,
            like_smaller=self.like_smaller,
        )

    def check_for(self, game: StudyGame) -> None:
        """Raise `CodebreakerError` unless the policy and the settings are for a game."""
        base = self.rollout.base
        if base.opening is not None:
            game.check_opening(base.opening, base.guess_pool)
        check_fits(base, game.name, game.rules.feedback_labels())
        if self.table and not self.like_smaller:
            return
        rules = without_table(game.rules)
        rules.check_on_demand()
        if self.like_smaller:
            check_recorded(rules.one_colour_less, "like_smaller")


def _check_rollouts(
    by_game: dict[str, dict[str, RolloutEntry]], info: ValidationInfo
) -> dict[str, dict[str, RolloutEntry]]:
    """Check that each game can be played by its rollouts."""
    for game, rollouts in by_game.items():
        for name, entry in rollouts.items():
            with at_key(game, name):
                entry.check_for(games_of(info).game(game))
    return by_game


Rollouts = Annotated[dict[Game, dict[Model, RolloutEntry]], AfterValidator(_check_rollouts)]


class HuntConfig(Section):
    """The keys of a hunt beside its study."""

    rollout: Rollouts = Field(default={})
    """Policies whose best guesses are compared by the totals that follow. The result is the policy
    `rollout-MODEL`."""
    games: list[CodeGame] = Field(default=[])
    """Games whose best tree is selected, each with `[{}]` in the study's `exact.games` or an entry
    in `rollout`."""
    bound_goals: dict[TableGame, Count] = Field(default={})
    """Totals up to which an exact search raises the bounds after all first guesses, by game."""


@dataclass(frozen=True)
class Hunt:
    """A checked hunt, and what the rules of its workflow ask of it."""

    study: Study
    config: HuntConfig

    @cached_property
    def rollouts(self) -> dict[str, dict[str, Rollout]]:
        """Return the rollouts of each game by their names."""
        by_game = self.config.rollout.items()
        return {
            game: {f"{NAME}{name}": entry.rollout for name, entry in entries.items()}
            for game, entries in by_game
        }

    @cached_property
    def trees(self) -> dict[str, list[str]]:
        """Return the trees among which each game's best is selected."""
        return {
            game: [
                *(name for name in self.study.targets.get(game, {}) if name == OPTIMAL),
                *self.rollouts.get(game, {}),
            ]
            for game in self.config.games
        }


def load_hunt(data: dict[str, Any], folder: str | Path = "") -> Hunt:
    """Return the hunt of a configuration read from YAML; raise `CodebreakerError` for a wrong key.

    Paths are relative to the working folder or, if no such file is there, to `folder`.
    """
    study = load_study(data.get(STUDY, {}), folder)
    own = {key: value for key, value in data.items() if key != STUDY}
    hunt = Hunt(study, validated(HuntConfig, own, study.games))
    for index, game in enumerate(hunt.config.games):
        if not hunt.trees[game]:
            raise CodebreakerError(
                f"config key games.{index}: game {game} is not solved: add it to study.exact.games "
                "or rollout"
            )
    for game in hunt.config.bound_goals:
        if game not in hunt.trees or game not in hunt.rollouts:
            raise CodebreakerError(
                f"config key bound_goals.{game}: game {game} has no bound: add it to games and to "
                "rollout"
            )
    return hunt
