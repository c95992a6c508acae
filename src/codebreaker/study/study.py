"""A study: the configuration checked against the registries, before anything is computed."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from codebreaker.analysis.terminals import check_terminals
from codebreaker.errors import CodebreakerError, unknown
from codebreaker.exact.target import Target
from codebreaker.games.codes import CodeRules
from codebreaker.games.registry import Rules, check_size, check_table, has_table, rules_of
from codebreaker.games.word_lists import WordFiles
from codebreaker.games.words import LIST_NAME
from codebreaker.players.board import code_of
from codebreaker.players.registry import player
from codebreaker.policies.policy import Policy, check_fits, make_policy
from codebreaker.study.config import Config, read_config
from codebreaker.study.config.play import Words
from codebreaker.study.config.searches import GuidedWeights, WeightModel


@dataclass(frozen=True)
class Study:
    """A checked configuration; the policies and the optima of each game by their slugs.

    `word_lists` and `terminal_words` have the paths of files as they are to be opened; `untabled`
    are the games that are played without a table.
    """

    config: Config
    policies: dict[str, dict[str, Policy]]
    targets: dict[str, dict[str, Target]]
    word_lists: dict[str, WordFiles]
    terminal_words: str
    untabled: list[str]

    def lists_of(self, game: str) -> dict[str, WordFiles]:
        """Return the word list that a game names, by its name; nothing for a game of codes."""
        name = game.split("-", 1)[-1]
        return {name: self.word_lists[name]} if name in self.word_lists else {}


def load_study(data: dict[str, Any], folder: str | Path = "") -> Study:
    """Check a configuration, with paths from a folder, against all registries.

    Raises `CodebreakerError` that names the key and what is wrong with it.
    """
    config, folder = read_config(data), Path(folder)
    if not config.strategies:
        raise CodebreakerError("config key strategies is empty: name a game and its policies there")
    lists = {name: _files(name, config.word_lists[name], folder) for name in config.word_lists}
    rules = _Rules(config, lists)
    _check_models(rules)
    for name, contest in config.players.contests.items():
        with _under(f"players.contests.{name}"):
            check_name(name, "contest")
            code_of(contest.game, contest.opening)
            for one in contest.players:
                player(one)
            for one, options in contest.options.items():
                player(one).check(options)
    for game in config.players.random_consistent:
        with _under("players.random_consistent"):
            rules.of(game)
    terminals, words = config.terminals, str(folder / config.terminals.words)
    with _under("terminals.words"):
        check_terminals(words, terminals.lengths, max(terminals.sizes))
    for game, sweep in config.pareto.items():
        with _under(f"pareto.{game}"):
            played = rules.of(game)
            for opening in sweep.openings:
                played.check_guess(opening)
    _check_scaling(config)
    return Study(
        config,
        {game: _policies(game, rules) for game in config.strategies},
        {game: _targets(game, rules) for game in config.exact.games},
        lists,
        words,
        [
            game
            for game in dict.fromkeys((*config.strategies, *config.optimise.models))
            if not rules.tabled(game)
        ],
    )


def _files(name: str, words: Words, folder: Path) -> WordFiles:
    """Return the files of a list, found from a folder."""
    if not LIST_NAME.fullmatch(name):
        raise CodebreakerError(
            f"config key word_lists.{name}: a list's name is small letters, digits and hyphens"
        )
    guesses = None if words.guesses is None else str(folder / words.guesses)
    return WordFiles(str(folder / words.secrets), guesses, words.alphabet)


@contextmanager
def _under(key: str) -> Iterator[None]:
    """Name the config key in errors."""
    try:
        yield
    except CodebreakerError as error:
        raise CodebreakerError(f"config key {key}: {error}", error.setting) from None


class _Rules:
    """The rules of a configuration's games, each read once."""

    def __init__(self, config: Config, lists: dict[str, WordFiles]) -> None:
        self.config, self._lists = config, lists
        self._known: dict[str, Rules] = {}

    def playable(self, game: str) -> Rules:
        """Return a game's rules, if it is not too large even without a table."""
        if game not in self._known:
            rules = rules_of(game, self._lists)
            check_size(rules, self.config.limits.table_mib)
            self._known[game] = rules
        return self._known[game]

    def of(self, game: str) -> Rules:
        """Return a game's rules, if its table is not too large."""
        rules = self.playable(game)
        check_table(rules, self.config.limits.table_mib)
        return rules

    def tabled(self, game: str) -> bool:
        """Return whether a game has a table."""
        return has_table(self.playable(game), self.config.limits.table_mib)


def _targets(game: str, rules: _Rules) -> dict[str, Target]:
    targets: dict[str, Target] = {}
    with _under(f"exact.games.{game}"):
        rules.of(game)
        for entry in rules.config.exact.games[game]:
            target = Target(entry.guess_pool, entry.guess_limit, entry.objective)
            if target.objective == "maximum" and target.guess_limit is not None:
                raise CodebreakerError("objective maximum finds guess_limit itself: remove it")
            if target.slug in targets:
                raise CodebreakerError(f"optimum {target.slug!r} is listed twice: remove one")
            targets[target.slug] = target
    return targets


def _check_models(rules: _Rules) -> None:
    config = rules.config
    for section, games in (("optimise", config.optimise.models), ("guided", config.guided.models)):
        for game, models in games.items():
            for name, model in models.items():
                with _under(f"{section}.models.{game}.{name}"):
                    _check_model(rules, game, name, model)


def check_name(name: str, kind: str) -> None:
    """Raise `CodebreakerError` unless a name can stand in the names of files and rules."""
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        raise CodebreakerError(f"a {kind}'s name is small letters, digits and hyphens")


def _check_model(rules: _Rules, game: str, name: str, model: WeightModel | GuidedWeights) -> None:
    config = rules.config
    played = rules.playable(game) if isinstance(model, WeightModel) else rules.of(game)
    if isinstance(model, WeightModel):
        _check_endgames(rules, game, model.endgames)
        if model.genes != "weights" and not rules.tabled(game):
            raise CodebreakerError(f"game {game} has no table: only weights can be sought there")
    if model.opening is not None:
        played.check_guess(model.opening)
    if isinstance(model, WeightModel) and model.preset not in config.optimise.presets:
        raise unknown("preset", model.preset, config.optimise.presets)
    check_name(name, "model")
    if isinstance(model, GuidedWeights) and name in config.optimise.models.get(game, {}):
        raise CodebreakerError("optimise.models has a model of this name: choose another")


def _check_scaling(config: Config) -> None:
    for game in config.scaling.games:
        with _under("scaling.games"):
            played = rules_of(game)
            if not isinstance(played, CodeRules):
                raise CodebreakerError(f"game {game} is no game of codes: choose one")
            played.check_on_demand()
            for name in config.scaling.policies:
                check_fits(make_policy(name), game, played.feedback_labels())


def _check_endgames(rules: _Rules, game: str, endgames: int) -> None:
    if endgames and rules.tabled(game):
        raise CodebreakerError(
            f"endgames are for games without a table: solve {game} itself, under exact.games"
        )


def _policies(game: str, rules: _Rules) -> dict[str, Policy]:
    policies: dict[str, Policy] = {}
    with _under(f"strategies.{game}"):
        played = rules.playable(game)
    for index, entry in enumerate(rules.config.strategies[game]):
        with _under(f"strategies.{game}.{index}"):
            policy = make_policy(**entry.model_dump())
            _check_endgames(rules, game, policy.endgames)
            if policy.opening is not None:
                played.check_guess(policy.opening)
            check_fits(policy, game, played.feedback_labels())
            if policy.slug in policies:
                raise CodebreakerError(f"strategy {policy.slug!r} is listed twice: remove one")
            policies[policy.slug] = policy
    return policies


def wants_gpu(backend: str) -> bool:
    """Return whether optimising jobs ask for a GPU: `cuda` does, `auto` where it could use one."""
    return backend == "cuda" or (backend == "auto" and find_spec("numba_cuda") is not None)
