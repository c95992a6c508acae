"""Loading a study: the configuration is checked against all registries before anything runs."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codebreaker.analysis.terminals import check_terminals
from codebreaker.constants import PAPERS_GAME
from codebreaker.errors import CodebreakerError, unknown
from codebreaker.exact.target import Target
from codebreaker.extras import has_extra
from codebreaker.games.codes import CodeRules
from codebreaker.games.registry import (
    TABLE_LIMIT_MIB,
    Rules,
    check_size,
    check_table,
    has_table,
    rules_of,
)
from codebreaker.games.word_lists import WordFiles, find_words
from codebreaker.games.words import LIST_NAME
from codebreaker.players.board import code_index, mastermind_rules
from codebreaker.players.registry import player_spec
from codebreaker.policies.policy import Policy, check_fits, check_without_table, make_policy
from codebreaker.rollout.settings import NAME as ROLLOUT
from codebreaker.rollout.settings import Rollout
from codebreaker.study.config import Config, read_config
from codebreaker.study.config.play import Words
from codebreaker.study.config.searches import GuidedWeights, WeightModel


@dataclass(frozen=True)
class Study:
    """A checked configuration, with the policies and targets of each game by their slugs.

    `rollouts` are what is improved, by game and the name of the new policy. `word_lists` and
    `terminal_words` have the paths that were found; `without_table` are the games that are too
    large for a table.
    """

    config: Config
    policies: dict[str, dict[str, Policy]]
    targets: dict[str, dict[str, Target]]
    rollouts: dict[str, dict[str, Rollout]]
    word_lists: dict[str, WordFiles]
    terminal_words: str
    without_table: list[str]

    def lists_of(self, game: str) -> dict[str, WordFiles]:
        """Return a game's word list by its name; nothing for a game of codes."""
        name = game.split("-", 1)[-1]
        return {name: self.word_lists[name]} if name in self.word_lists else {}

    def time_limit_s(self, game: str, slug: str) -> float:
        """Return how long to search for an optimum, in seconds."""
        exact = self.config.exact
        limits = {entry.target.slug: entry.time_limit_s for entry in exact.games[game]}
        return limits[slug] or exact.time_limit_s


def load_study(data: dict[str, Any], folder: str | Path = "") -> Study:
    """Check a configuration against all registries.

    Its paths are relative to the working folder or, for files that are not there, to `folder`.
    Raises `CodebreakerError` with the config key and what is wrong.
    """
    config, folder = read_config(data), Path(folder)
    if not config.strategies:
        raise CodebreakerError("config key strategies is empty: name a game and its policies there")
    lists = {name: _files(name, config.word_lists[name], folder) for name in config.word_lists}
    rules = _GameRules(config, lists)
    _check_models(rules)
    _check_bounds(rules)
    for contest_name, contest in config.players.contests.items():
        with _config_key(f"players.contests.{contest_name}"):
            _check_name(contest_name, "contest")
            code_index(contest.game, contest.opening)
            n_codes = mastermind_rules(contest.game).table_shape[0]
            if contest.secrets is not None and contest.secrets > n_codes:
                raise CodebreakerError(
                    f"{contest.secrets:,} secrets are more than the {n_codes:,} codes of "
                    f"{contest.game}: choose fewer, or more rounds"
                )
            for name in contest.players:
                player_spec(name)
            for name, options in contest.options.items():
                player_spec(name).check(options)
    for table_name, methods in config.players.methods.items():
        with _config_key(f"players.methods.{table_name}"):
            _check_name(table_name, "table")
            for method in methods.players:
                code_index(methods.game, method.opening or methods.opening)
                player_spec(method.player).check(method.options)
    for game in config.players.random_consistent:
        with _config_key("players.random_consistent"):
            rules.of(game)
    for game in config.exact.rounds:
        with _config_key("exact.rounds"):
            rules.of(game)
    with _config_key("exact.values"):
        for game in config.exact.values:
            rules.of(game)
    for game in config.exact.frontiers:
        if game not in config.exact.rounds:
            raise CodebreakerError(f"config key exact.frontiers: add {game} to exact.rounds too")
    for game in config.codemaker.static:
        with _config_key("codemaker.static"):
            check_table(_playable_on_demand(game), TABLE_LIMIT_MIB)
    _check_devious(config, rules)
    wrong = config.codemaker.wrong_answers
    for game in (*wrong.games, wrong.played):
        with _config_key("codemaker.wrong_answers"):
            check_table(_playable_on_demand(game), TABLE_LIMIT_MIB)
    with _config_key("codemaker.wrong_answers.opening"):
        rules_of(wrong.played).check_guess(wrong.opening)
    terminals, words = config.terminals, find_words(config.terminals.words, folder)
    with _config_key("terminals.words"):
        check_terminals(words, terminals.lengths, max(terminals.sizes))
    for game, sweep in config.pareto.items():
        with _config_key(f"pareto.{game}"):
            played = rules.of(game)
            for opening in sweep.openings:
                played.check_guess(opening)
    _check_scaling(config)
    _check_best_known(config)
    _check_transfer(rules)
    return Study(
        config,
        {game: _policies(game, rules) for game in config.strategies},
        {game: _targets(game, rules) for game in config.exact.games},
        {game: _rollouts(game, rules) for game in config.rollout},
        lists,
        words,
        [
            game
            for game in dict.fromkeys(
                (*config.strategies, *config.optimise.models, *config.rollout)
            )
            if not rules.has_table(game)
        ],
    )


def _check_devious(config: Config, rules: "_GameRules") -> None:
    name, contests = config.codemaker.devious.contest, config.players.contests
    if name is not None:
        with _config_key("codemaker.devious.contest"):
            if name not in contests:
                raise unknown("contest", name, contests)
            rules.of(contests[name].game)


def _files(name: str, words: Words, folder: Path) -> WordFiles:
    """Return the files of a word list, as `find_words` finds them."""
    if not LIST_NAME.fullmatch(name):
        raise CodebreakerError(
            f"config key word_lists.{name}: a list's name consists of lower-case letters, digits "
            "and hyphens"
        )
    guesses = None if words.guesses is None else find_words(words.guesses, folder)
    return WordFiles(find_words(words.secrets, folder), guesses, words.alphabet)


@contextmanager
def _config_key(key: str) -> Iterator[None]:
    """Prefix errors with a config key."""
    try:
        yield
    except CodebreakerError as error:
        raise CodebreakerError(f"config key {key}: {error}", error.setting) from None


class _GameRules:
    """The rules of a configuration's games, each built once."""

    def __init__(self, config: Config, lists: dict[str, WordFiles]) -> None:
        self.config, self._lists = config, lists
        self._by_game: dict[str, Rules] = {}

    def playable(self, game: str) -> Rules:
        """Return a game's rules; raise `CodebreakerError` if even its codes are too many."""
        if game not in self._by_game:
            rules = rules_of(game, self._lists)
            check_size(rules, self.config.limits.table_mib)
            self._by_game[game] = rules
        return self._by_game[game]

    def of(self, game: str) -> Rules:
        """Return a game's rules; raise `CodebreakerError` if its table is too large."""
        rules = self.playable(game)
        check_table(rules, self.config.limits.table_mib)
        return rules

    def has_table(self, game: str) -> bool:
        """Return whether a game has a table."""
        return has_table(self.playable(game), self.config.limits.table_mib)


def _targets(game: str, rules: _GameRules) -> dict[str, Target]:
    targets: dict[str, Target] = {}
    with _config_key(f"exact.games.{game}"):
        rules.of(game)
        for entry in rules.config.exact.games[game]:
            target = entry.target
            finds_limit = target.objective in ("maximum", "lexicographic")
            if finds_limit and target.guess_limit is not None:
                raise CodebreakerError(
                    f"objective {target.objective} finds guess_limit itself: remove it"
                )
            _check_rounds(target)
            if target.opening is not None:
                rules.of(game).check_guess(target.opening)
            if target.slug in targets:
                raise CodebreakerError(f"optimum {target.slug!r} is listed twice: remove one")
            targets[target.slug] = target
    return targets


def _check_rounds(target: Target) -> None:
    """Raise `CodebreakerError` unless a target has rounds if and only if its objective is that."""
    if (target.objective == "rounds") != (target.rounds is not None):
        raise CodebreakerError("objective rounds and the key rounds belong together: give both")
    if target.rounds and (target.guess_limit is not None or target.guess_pool != "all"):
        raise CodebreakerError(
            "objective rounds is for all codes and any number of guesses: remove guess_limit and "
            "guess_pool"
        )


def _check_models(rules: _GameRules) -> None:
    config = rules.config
    for section, games in (("optimise", config.optimise.models), ("guided", config.guided.models)):
        for game, models in games.items():
            for name, model in models.items():
                with _config_key(f"{section}.models.{game}.{name}"):
                    _check_model(rules, game, name, model)


def _check_bounds(rules: _GameRules) -> None:
    for game, bounds in rules.config.guided.bounds.items():
        for name, bound in bounds.items():
            with _config_key(f"guided.bounds.{game}.{name}"):
                _check_name(name, "bound")
                rules.of(game).check_guess(bound.opening)


def _check_name(name: str, kind: str) -> None:
    """Raise `CodebreakerError` unless a name can be part of file names and rule names."""
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        raise CodebreakerError(
            f"a {kind}'s name consists of lower-case letters, digits and hyphens"
        )


def _check_model(
    rules: _GameRules, game: str, name: str, model: WeightModel | GuidedWeights
) -> None:
    config = rules.config
    played = rules.playable(game) if isinstance(model, WeightModel) else rules.of(game)
    if isinstance(model, WeightModel):
        if model.endgames and rules.has_table(game):
            raise CodebreakerError(
                f"endgames are for games without a table: solve {game} itself, under exact.games"
            )
        if model.genes != "weights" and not rules.has_table(game):
            raise CodebreakerError(f"game {game} has no table: only weights can be optimised there")
    if model.opening is not None:
        played.check_guess(model.opening)
    if isinstance(model, WeightModel) and model.preset not in config.optimise.presets:
        raise unknown("preset", model.preset, config.optimise.presets)
    _check_name(name, "model")
    if isinstance(model, GuidedWeights) and name in config.optimise.models.get(game, {}):
        raise CodebreakerError("optimise.models has a model of this name: choose another")


def _check_scaling(config: Config) -> None:
    for game in config.scaling.games:
        with _config_key("scaling.games"):
            played = _playable_on_demand(game)
            for name in config.scaling.policies:
                check_fits(make_policy(name), game, played.feedback_labels())
                check_without_table(make_policy(name), game)


def _playable_on_demand(game: str) -> CodeRules:
    """Return the rules of a game of codes; raise `CodebreakerError` if it is none, or too large."""
    played = rules_of(game)
    if not isinstance(played, CodeRules):
        raise CodebreakerError(f"game {game} is not a game of codes: choose one")
    played.check_on_demand()
    return played


def _check_best_known(config: Config) -> None:
    best_known = config.best_known
    with _config_key("best_known.games"):
        for game in best_known.games:
            _playable_on_demand(game)
            targets = [entry.target.slug for entry in config.exact.games.get(game, [])]
            if Target().slug not in targets and game not in config.rollout:
                raise CodebreakerError(f"game {game} is not solved: add it to exact or rollout")
    with _config_key("best_known.first_guesses"):
        for game in best_known.first_guesses:
            played = _playable_on_demand(game)
            for name in best_known.policies:
                check_fits(make_policy(name), game, played.feedback_labels())
                check_without_table(make_policy(name), game)


def _check_transfer(rules: _GameRules) -> None:
    transfer = rules.config.transfer
    if transfer.games:
        with _config_key("transfer.games"):
            _check_alike(rules, [PAPERS_GAME, *transfer.games], transfer.openings)
    for name, model in transfer.models.items():
        with _config_key(f"transfer.models.{name}"):
            _check_name(name, "model")
            _check_alike(rules, model.games, [model.opening])
            if model.preset not in rules.config.optimise.presets:
                raise unknown("preset", model.preset, rules.config.optimise.presets)


def _check_alike(rules: _GameRules, games: list[str], openings: list[str]) -> None:
    """Raise `CodebreakerError` unless games have tables, one kind of feedback and the openings."""
    first = rules.of(games[0])
    for game in games[1:]:
        played = rules.of(game)
        if played.feedback_labels() != first.feedback_labels():
            raise CodebreakerError(f"games {games[0]} and {game} have different feedback")
    for opening in openings:
        for game in games:
            rules.of(game).check_guess(opening)


def _policies(game: str, rules: _GameRules) -> dict[str, Policy]:
    policies: dict[str, Policy] = {}
    with _config_key(f"strategies.{game}"):
        played = rules.playable(game)
    for index, entry in enumerate(rules.config.strategies[game]):
        with _config_key(f"strategies.{game}.{index}"):
            policy = make_policy(**entry.model_dump())
            if not rules.has_table(game):
                check_without_table(policy, game)
            if policy.opening is not None:
                played.check_guess(policy.opening)
            check_fits(policy, game, played.feedback_labels())
            if policy.slug in policies:
                raise CodebreakerError(f"strategy {policy.slug!r} is listed twice: remove one")
            policies[policy.slug] = policy
    return policies


def _rollouts(game: str, rules: _GameRules) -> dict[str, Rollout]:
    rollouts = {}
    for name, entry in rules.config.rollout[game].items():
        with _config_key(f"rollout.{game}.{name}"):
            _check_name(name, "rollout")
            base = make_policy(entry.policy, entry.opening, endgames=entry.endgames)
            played = rules.playable(game)
            if base.opening is not None:
                played.check_guess(base.opening)
            check_fits(base, game, played.feedback_labels())
            rollouts[f"{ROLLOUT}{name}"] = Rollout(
                base, tuple(entry.widths), tuple(entry.ahead), entry.exact
            )
    return rollouts


def requests_gpu(backend: str) -> bool:
    """Return whether optimisation jobs request a GPU: for `cuda`, and for `auto` if supported."""
    return backend == "cuda" or (backend == "auto" and has_extra("cuda"))
