"""The configuration: the typed source of all keys, their defaults, their checks and the schema.

A section checks what it holds: its fields by their types, fields against each other and against the
study's games by validators, which get these games as pydantic's context (`games.StudyGames`).
Here are the checks between sections.
"""

from dataclasses import fields, is_dataclass
from pathlib import Path
from types import UnionType
from typing import Any, Self, TypeVar, get_args, get_type_hints

from pydantic import Field, ValidationError, ValidationInfo, field_validator, model_validator

from codebreaker.errors import LONGEST_KEY, CodebreakerError, nearest, shortened, unknown
from codebreaker.study.config.games import Limits, ListName, StudyGames, Words, games_of
from codebreaker.study.config.play import Agents, Codemaker, Players, Terminals
from codebreaker.study.config.sections import REFUSED, Section, at_key
from codebreaker.study.config.strategies import (
    BestKnown,
    Exact,
    Scaling,
    Strategies,
    Sweeps,
)
from codebreaker.study.config.weights import Guided, Optimise, Transfer


class Figures(Section):
    """How charts are drawn."""

    png_scale: float = Field(default=2.0, gt=0, le=8)
    """Pixels per point in PNG files."""


class Config(Section):
    """The configuration of a study."""

    strategies: Strategies = Field(default={})
    """Strategies whose trees are grown: policies with the settings that differ from their defaults.
    These name the files of a tree, as in `entropy_from-1123` and `entropy_pool-consistent`."""
    optimise: Optimise = Optimise()
    exact: Exact = Exact()
    guided: Guided = Guided()
    word_lists: dict[ListName, Words] = Field(default={})
    """Text files, or names of lists that come with the package. Paths are relative to the working
    folder or, if no such file is there, to the Snakefile's. LIST has lower-case letters, digits and
    hyphens."""
    players: Players = Players()
    terminals: Terminals = Terminals()
    pareto: Sweeps = Field(default={})
    """Families of policies whose mean and maximum are compared. All strategies of the game and
    individuals of its searches are added."""
    scaling: Scaling = Scaling()
    best_known: BestKnown = BestKnown()
    transfer: Transfer = Transfer()
    codemaker: Codemaker = Codemaker()
    agents: Agents = Agents()
    limits: Limits = Limits()
    figures: Figures = Figures()

    @field_validator("terminals")
    @classmethod
    def _check_words_of_terminals(cls, terminals: Terminals, info: ValidationInfo) -> Terminals:
        """Check that there are enough words; the defaults, which need no check, have no context."""
        with at_key("words"):
            terminals.check_words(games_of(info).folder)
        return terminals

    @field_validator("agents")
    @classmethod
    def _check_logs_of_agents(cls, agents: Agents, info: ValidationInfo) -> Agents:
        """Check that there are logs, and that the game of lines without one exists."""
        games = games_of(info)
        with at_key("logs"):
            agents.files(games.folder)
        if agents.game is not None:
            with at_key("game"):
                games.game(agents.game)
        return agents

    @model_validator(mode="after")
    def _check_names_of_models(self) -> Self:
        """Check that no two models of a game have the same name, which names their files."""
        for game, models in self.guided.models.items():
            for name in models:
                with at_key("guided", "models", game, name):
                    if name in self.optimise.models.get(game, {}):
                        raise CodebreakerError(
                            "optimise.models has a model of this name: choose another"
                        )
        return self

    @model_validator(mode="after")
    def _check_presets_of_transfer(self) -> Self:
        """Check that the presets of models for several games exist."""
        for name, model in self.transfer.models.items():
            with at_key("transfer", "models", name):
                self.optimise.check_preset(model.preset)
        return self

    @model_validator(mode="after")
    def _check_contest_of_codemaker(self, info: ValidationInfo) -> Self:
        """Check that the contest that is played deviously exists, and that its game has a table."""
        contest = self.codemaker.devious.contest
        if contest is not None:
            with at_key("codemaker", "devious", "contest"):
                if contest not in self.players.contests:
                    raise unknown("contest", contest, self.players.contests)
                game = self.players.contests[contest].game
                games_of(info).game(game).check_table()
        return self

    @model_validator(mode="after")
    def _check_best_known_are_solved(self) -> Self:
        """Check that games whose best tree is selected have trees to select from."""
        for index, game in enumerate(self.best_known.games):
            with at_key("best_known", "games", index):
                if not self.exact.solves(game):
                    raise CodebreakerError(f"game {game} is not solved: add it to exact")
        return self


OF_GAMES = ("limits", "word_lists")
"""The sections that say which games there are."""


def read_games(data: dict[str, Any], folder: str | Path = "") -> StudyGames:
    """Return the games that a configuration may name; raise `CodebreakerError` for a wrong key.

    Paths are relative to the working folder or, if no such file is there, to `folder`.
    """
    config = validated(Config, {key: data[key] for key in OF_GAMES if key in data}, None)
    return StudyGames(config.limits, config.word_lists, folder)


def read_config(data: dict[str, Any], games: StudyGames | None = None) -> Config:
    """Check a configuration read from YAML; raise `CodebreakerError` that names a wrong key.

    `games` is what `read_games` returns for it, in the working folder by default.
    """
    return validated(Config, data, games or read_games(data))


Keys = TypeVar("Keys", bound=Section)


def validated(kind: type[Keys], data: dict[str, Any], games: StudyGames | None) -> Keys:
    """Return a configuration whose sections are checked against some games.

    Workflows that use this one as a module can check keys of their own with it.
    Raises `CodebreakerError` that names a wrong key.
    """
    try:
        return kind.model_validate(data, context=games)
    except ValidationError as error:
        raise _explained(kind, error) from None


def _explained(kind: type[Section], error: ValidationError) -> CodebreakerError:
    """Return the first of pydantic's errors in one line that names its key."""
    first = error.errors(include_url=False)[0]
    location = [part for part in first["loc"] if part != "[key]"]  # the key of a mapping is wrong
    key = shortened(".".join(map(str, location)), LONGEST_KEY)
    context = first.get("ctx", {})
    if first["type"] == REFUSED:
        return CodebreakerError(f"config key {key}: {context['message']}", context["setting"])
    if first["type"] == "value_error":
        return CodebreakerError(f"config key {key}: {context['error']}")
    if first["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
        *section, name = location
        known = _keys_of_section(kind, section)
        near = nearest(str(name), known)
        hint = f"known are {', '.join(known)}" if near is None else f"did you mean {near!r}?"
        return CodebreakerError(f"unknown config key {key}: {hint}")
    return CodebreakerError(f"config key {key}: {first['msg']} (found {first['input']!r:.200})")


def _keys_of_section(kind: type[Section], location: list[int | str]) -> list[str]:
    """Return the keys of the section to which a location leads, through mappings and lists."""
    section: Any = kind
    for part in location:
        inner = get_args(section)
        section = inner[-1] if inner else get_type_hints(section)[str(part)]
        if isinstance(section, UnionType):  # a section or None
            section = get_args(section)[0]
    if is_dataclass(section):
        return [field.name for field in fields(section)]
    return list(section.model_fields)


def schema() -> dict[str, Any]:
    """Return the JSON schema of the configuration."""
    return Config.model_json_schema()
