"""Checks of a study's sections against the games and policies that they name."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from codebreaker.constants import PAPERS_GAME
from codebreaker.errors import CodebreakerError, unknown
from codebreaker.files import DATA
from codebreaker.games import registry
from codebreaker.games.codes import CodeRules
from codebreaker.games.words import WordFiles, WordRules, by_length, read_prior
from codebreaker.players.board import code_index, mastermind_rules
from codebreaker.players.registry import player_spec
from codebreaker.policies import strategy
from codebreaker.policies.strategy import Strategy, check_fits, check_without_table
from codebreaker.search.settings import Target
from codebreaker.study.config import Config
from codebreaker.study.config.play import Players
from codebreaker.types import AnyPool


@contextmanager
def config_key(key: str) -> Iterator[None]:
    """Prefix errors with a config key."""
    try:
        yield
    except CodebreakerError as error:
        raise CodebreakerError(f"config key {key}: {error}", error.setting) from None


class GameRules:
    """The rules of a configuration's games, each built once."""

    def __init__(self, config: Config, lists: dict[str, WordFiles]) -> None:
        self.config = config
        self._lists = lists
        self._limit = config.limits.table_mib
        self._by_game: dict[str, registry.Rules] = {}

    def playable(self, game: str) -> registry.Rules:
        """Return a game's rules; raise `CodebreakerError` if even its codes are too many."""
        if game not in self._by_game:
            rules = registry.rules_of(game, self._lists)
            registry.check_size(rules, self._limit)
            self._by_game[game] = rules
        return self._by_game[game]

    def _prior_of(self, game: str) -> str | None:
        family, _, name = game.partition("-")
        return self._lists[name].prior if family in registry.WORDS and name in self._lists else None

    def check_prior(self, game: str) -> None:
        """Raise `CodebreakerError` for a prior with unknown secrets."""
        rules = self.playable(game)
        path = self._prior_of(game)
        if path and isinstance(rules, WordRules) and not any(read_prior(path, rules).values()):
            raise CodebreakerError(f"prior {path} has no weight above 0")

    def refuse_prior(self, game: str) -> None:
        """Raise `CodebreakerError` if the game has a prior."""
        if self._prior_of(game) is not None:
            raise CodebreakerError(
                f"the secrets of {game} are not equally likely, which only the "
                "key strategies allows"
            )

    def of(self, game: str) -> registry.Rules:
        """Return a game's rules; raise `CodebreakerError` for too large a table or a prior."""
        self.refuse_prior(game)
        registry.check_table(self.playable(game), self._limit)
        return self.playable(game)

    def has_table(self, game: str) -> bool:
        """Return whether a game has a table."""
        return registry.has_table(self.playable(game), self._limit)


def check_forced_opening(rules: registry.Rules, opening: str, guess_pool: AnyPool | None) -> None:
    """Raise `CodebreakerError` unless a game and a guess pool allow a forced opening."""
    rules.check_guess(opening)
    strategy.check_opening(opening, guess_pool, rules.name, rules.is_secret(opening))


def check_sections(rules: GameRules) -> None:
    """Check the sections that name games, policies and players, except what `load_study` checks."""
    config = rules.config
    players = rules.config.players
    best_known = rules.config.best_known
    codemaker = config.codemaker
    _check_models(rules)
    _check_players(players)
    for key, games in (
        ("players.random_consistent", players.random_consistent),
        ("exact.rounds", config.exact.rounds),
        ("exact.values", config.exact.values),
    ):
        with config_key(key):
            for game in games:
                rules.of(game)
    for game in config.exact.frontiers:
        if game not in config.exact.rounds:
            raise CodebreakerError(f"config key exact.frontiers: add {game} to exact.rounds too")
    if codemaker.devious.contest is not None:
        with config_key("codemaker.devious.contest"):
            if codemaker.devious.contest not in players.contests:
                raise unknown("contest", codemaker.devious.contest, players.contests)
            rules.of(players.contests[codemaker.devious.contest].game)
    for game, sweep in config.pareto.items():
        with config_key(f"pareto.{game}"):
            for opening in sweep.openings:
                rules.of(game).check_guess(opening)
    for key, games, policies in (
        ("scaling.games", config.scaling.games, config.scaling.policies),
        ("best_known.first_guesses", best_known.first_guesses, best_known.policies),
    ):
        with config_key(key):
            for game in games:
                labels = playable_on_demand(game).feedback_labels()
                for strategy in map(Strategy, policies):
                    check_fits(strategy, game, labels)
                    check_without_table(strategy, game)
    with config_key("best_known.games"):
        for game in best_known.games:
            playable_on_demand(game)
            solved = Target().slug in [target.slug for target in config.exact.games.get(game, [])]
            if not solved and game not in config.rollout:
                raise CodebreakerError(f"game {game} is not solved: add it to exact or rollout")
    if config.transfer.games:
        with config_key("transfer.games"):
            games = [PAPERS_GAME, *config.transfer.games]
            _check_alike(rules, games, config.transfer.openings)
    for name, model in config.transfer.models.items():
        with config_key(f"transfer.models.{name}"):
            check_name(name, "model")
            _check_alike(rules, model.games, [model.opening])
            _check_preset(config, model.preset)


def _check_players(players: Players) -> None:
    for name, contest in players.contests.items():
        with config_key(f"players.contests.{name}"):
            check_name(name, "contest")
            code_index(contest.game, contest.opening)
            n_codes = mastermind_rules(contest.game).table_shape[0]
            if contest.secrets is not None and contest.secrets > n_codes:
                raise CodebreakerError(
                    f"{contest.secrets:,} secrets are more than the {n_codes:,} codes of "
                    f"{contest.game}: choose fewer, or more repetitions"
                )
            for player in contest.players:
                player_spec(player)
            for player, options in contest.options.items():
                player_spec(player).check(options)
    for name, methods in players.methods.items():
        with config_key(f"players.methods.{name}"):
            check_name(name, "table")
            for method in methods.players:
                code_index(methods.game, method.opening or methods.opening)
                player_spec(method.player).check(method.options)


def _check_models(rules: GameRules) -> None:
    config = rules.config
    for game, models in config.optimise.models.items():
        for name, model in models.items():
            with config_key(f"optimise.models.{game}.{name}"):
                rules.refuse_prior(game)
                played = rules.playable(game)
                has_table = rules.has_table(game)
                if model.endgames and has_table:
                    raise CodebreakerError(
                        "endgames are for games without a table: "
                        f"solve {game} itself, under exact.games"
                    )
                if model.genes != "weights" and not has_table:
                    why = f"game {game} has no table: only weights can be optimised there"
                    raise CodebreakerError(why)
                if model.opening is not None:
                    played.check_guess(model.opening)
                _check_preset(config, model.preset)
                check_name(name, "model")
    for game, guided in config.guided.models.items():
        for name, guided_model in guided.items():
            with config_key(f"guided.models.{game}.{name}"):
                rules.of(game).check_guess(guided_model.opening)
                check_name(name, "model")
                if name in config.optimise.models.get(game, {}):
                    why = "optimise.models has a model of this name: choose another"
                    raise CodebreakerError(why)
    for game, bounds in config.guided.bounds.items():
        for name, bound in bounds.items():
            with config_key(f"guided.bounds.{game}.{name}"):
                check_name(name, "bound")
                rules.of(game).check_guess(bound.opening)


def _check_preset(config: Config, preset: str) -> None:
    if preset not in config.optimise.presets:
        raise unknown("preset", preset, config.optimise.presets)


def check_name(name: str, kind: str) -> None:
    """Raise `CodebreakerError` unless a name can be part of file names and rule names."""
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        why = f"a {kind}'s name consists of lower-case letters, digits and hyphens"
        raise CodebreakerError(why)


def check_recorded(game: str, key: str) -> None:
    """Raise `CodebreakerError` unless a game has a best known tree."""
    if not (DATA / "trees" / f"{game}.parquet").exists():
        raise CodebreakerError(f"game {game} has no best known tree: leave out {key}")


def playable_on_demand(game: str) -> CodeRules:
    """Return a code game's rules; raise `CodebreakerError` if it is not one, or too large."""
    played = registry.rules_of(game)
    if not isinstance(played, CodeRules):
        raise CodebreakerError(f"game {game} is not a game of codes: choose one")
    played.check_on_demand()
    return played


def _check_alike(rules: GameRules, games: list[str], openings: list[str]) -> None:
    first = rules.of(games[0])
    for game in games[1:]:
        played = rules.of(game)
        if played.feedback_labels() != first.feedback_labels():
            raise CodebreakerError(f"games {games[0]} and {game} have different feedback")
    for opening in openings:
        for game in games:
            rules.of(game).check_guess(opening)


def check_terminals(path: str, lengths: Sequence[int], most_words: int) -> None:
    """Raise `CodebreakerError` unless a file has at least `most_words` words of each length."""
    words = by_length(path)
    for length in lengths:
        n_words = len(words.get(length, ()))
        if n_words < most_words:
            raise CodebreakerError(
                f"{path} has {n_words} words of {length} letters, fewer than a terminal of "
                f"{most_words}: add words, or choose other lengths or smaller terminals"
            )
