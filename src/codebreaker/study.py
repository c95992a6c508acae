"""A study: the configuration checked against the registries, before anything is computed."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from codebreaker.config import Config, Guide, Model, read_config
from codebreaker.errors import CodebreakerError, unknown
from codebreaker.exact.target import Target
from codebreaker.games import Rules, check_table, rules_of
from codebreaker.policy import Policy, check_fits, make_policy


@dataclass(frozen=True)
class Study:
    """A checked configuration; the policies and the optima of each game by their slugs."""

    config: Config
    policies: dict[str, dict[str, Policy]]
    targets: dict[str, dict[str, Target]]


def load_study(data: dict[str, Any]) -> Study:
    """Check a configuration against all registries.

    Raises `CodebreakerError` that names the key and what is wrong with it.
    """
    config = read_config(data)
    if not config.strategies:
        raise CodebreakerError("config key strategies is empty: name a game and its policies there")
    _check_models(config)
    for game, sweep in config.pareto.items():
        with _under(f"pareto.{game}"):
            rules = _game_rules(game, config)
            for opening in sweep.openings:
                rules.check_guess(opening)
    return Study(
        config,
        {game: _policies(game, config) for game in config.strategies},
        {game: _targets(game, config) for game in config.exact.games},
    )


@contextmanager
def _under(key: str) -> Iterator[None]:
    """Name the config key in errors."""
    try:
        yield
    except CodebreakerError as error:
        raise CodebreakerError(f"config key {key}: {error}") from None


def _game_rules(game: str, config: Config) -> Rules:
    """Return a game's rules, if its table is not too large."""
    rules = rules_of(game)
    check_table(rules, config.limits.table_mib)
    return rules


def _targets(game: str, config: Config) -> dict[str, Target]:
    targets: dict[str, Target] = {}
    with _under(f"exact.games.{game}"):
        _game_rules(game, config)
        for entry in config.exact.games[game]:
            target = Target(entry.guess_pool, entry.max_guesses, entry.objective)
            if target.objective == "maximum" and target.max_guesses is not None:
                raise CodebreakerError("objective maximum finds max_guesses itself: remove it")
            if target.slug in targets:
                raise CodebreakerError(f"optimum {target.slug!r} is listed twice: remove one")
            targets[target.slug] = target
    return targets


def _check_models(config: Config) -> None:
    for section, games in (("optimise", config.optimise.models), ("guided", config.guided.models)):
        for game, models in games.items():
            for name, model in models.items():
                with _under(f"{section}.models.{game}.{name}"):
                    _check_model(config, game, name, model)


def _check_model(config: Config, game: str, name: str, model: Model | Guide) -> None:
    rules = _game_rules(game, config)
    if model.opening is not None:
        rules.check_guess(model.opening)
    if isinstance(model, Model) and model.preset not in config.optimise.presets:
        raise unknown("preset", model.preset, config.optimise.presets)
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        raise CodebreakerError("a model's name is small letters, digits and hyphens")
    if isinstance(model, Guide) and name in config.optimise.models.get(game, {}):
        raise CodebreakerError("optimise.models has a model of this name: choose another")


def _policies(game: str, config: Config) -> dict[str, Policy]:
    policies: dict[str, Policy] = {}
    with _under(f"strategies.{game}"):
        rules = _game_rules(game, config)
    for index, entry in enumerate(config.strategies[game]):
        with _under(f"strategies.{game}.{index}"):
            policy = make_policy(entry.policy, entry.opening, entry.guess_pool, entry.tie_break)
            if policy.opening is not None:
                rules.check_guess(policy.opening)
            check_fits(policy, game, rules.feedback_labels())
            if policy.slug in policies:
                raise CodebreakerError(f"strategy {policy.slug!r} is listed twice: remove one")
            policies[policy.slug] = policy
    return policies


def wants_gpu(backend: str) -> bool:
    """Return whether optimising jobs ask for a GPU: `cuda` does, `auto` where it could use one."""
    return backend == "cuda" or (backend == "auto" and find_spec("numba_cuda") is not None)
