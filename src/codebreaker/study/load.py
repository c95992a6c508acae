"""A study: its checked configuration, and what the rules of the workflow ask of it."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from codebreaker.errors import CodebreakerError, has_driver, has_extra
from codebreaker.games.words import find_words
from codebreaker.policies.strategy import Strategy
from codebreaker.search.settings import Target
from codebreaker.study.config import Config, read_config, read_games
from codebreaker.study.config.games import StudyGames


@dataclass(frozen=True)
class Study:
    """A checked configuration with its games, and its entries by the names of their files."""

    config: Config
    games: StudyGames

    @cached_property
    def strategies(self) -> dict[str, dict[str, Strategy]]:
        """Return the strategies of each game."""
        by_game = {}
        for game, entries in self.config.strategies.items():
            strategies = [entry.strategy for entry in entries]
            by_game[game] = {strategy.slug: strategy for strategy in strategies}
        return by_game

    @cached_property
    def targets(self) -> dict[str, dict[str, Target]]:
        """Return the optima to find of each game."""
        by_game = self.config.exact.games.items()
        return {game: {target.slug: target for target in targets} for game, targets in by_game}

    @cached_property
    def without_table(self) -> list[str]:
        """Return the games of strategies and models that have no table."""
        played = dict.fromkeys((*self.config.strategies, *self.config.optimise.models))
        return [game for game in played if not self.games.game(game).has_table]

    @property
    def terminal_words(self) -> str:
        """Return the path of the words of terminals."""
        return find_words(self.config.terminals.words, self.games.folder)

    @property
    def agent_logs(self) -> dict[str, str]:
        """Return the paths of agents' logs by agent."""
        return self.config.agents.files(self.games.folder)

    def requests_gpu(self, runs_here: bool) -> bool:
        """Return whether searches request a GPU: for `cuda`, and for `auto` if one can be used.

        Where jobs run on this machine, that takes a driver; of a cluster's machines nothing is
        known.
        """
        backend = self.config.optimise.backend
        can_be_used = has_extra("cuda") and (has_driver() or not runs_here)
        return backend == "cuda" or (backend == "auto" and can_be_used)

    def time_limit_s(self, game: str, slug: str) -> float:
        """Return how long to search for an optimum, in seconds."""
        return self.targets[game][slug].time_limit_s or self.config.exact.time_limit_s


def load_study(data: dict[str, Any], folder: str | Path = "") -> Study:
    """Return the study of a configuration read from YAML; raise `CodebreakerError` for a wrong key.

    Paths are relative to the working folder or, if no such file is there, to `folder`.
    """
    games = read_games(data, folder)
    config = read_config(data, games)
    if not config.strategies:
        raise CodebreakerError("config key strategies is empty: name a game and its policies there")
    return Study(config, games)
