"""Checks of a study's sections against the games and policies that they name."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from codebreaker.constants import PAPERS_GAME
from codebreaker.errors import CodebreakerError, unknown
from codebreaker.games.codes import CodeRules
from codebreaker.games.registry import (
    TABLE_LIMIT_MIB,
    WORDS,
    Rules,
    check_size,
    check_table,
    has_table,
    rules_of,
)
from codebreaker.games.words import WordFiles, WordRules, by_length, read_prior
from codebreaker.policies.strategy import Strategy, check_fits, check_without_table
from codebreaker.search.settings import Target
from codebreaker.study.config import Config
from codebreaker.study.config.searches import WeightModel
from codebreaker.weights.settings import GuidedWeights


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
        self.config, self._lists = config, lists
        self._by_game: dict[str, Rules] = {}

    def playable(self, game: str) -> Rules:
        """Return a game's rules; raise `CodebreakerError` if even its codes are too many."""
        if game not in self._by_game:
            rules = rules_of(game, self._lists)
            check_size(rules, self.config.limits.table_mib)
            self._by_game[game] = rules
        return self._by_game[game]

    def prior_of(self, game: str) -> str | None:
        """Return the file of a game's prior."""
        files = self._lists.get(game.split("-", 1)[-1]) if game.split("-")[0] in WORDS else None
        return None if files is None else files.prior

    def check_prior(self, game: str) -> None:
        """Raise `CodebreakerError` for a prior that is none of the game's secrets."""
        rules, path = self.playable(game), self.prior_of(game)
        if path is not None and isinstance(rules, WordRules):
            weights = read_prior(path, rules)
            if not any(weights.values()):
                raise CodebreakerError(f"prior {path} has no weight above 0")

    def check_equal_chances(self, game: str) -> None:
        """Raise `CodebreakerError` if the game has a prior."""
        if self.prior_of(game) is not None:
            raise CodebreakerError(
                f"the secrets of {game} are not equally likely: this is possible only for the "
                "usual strategies"
            )

    def of(self, game: str) -> Rules:
        """Return a game's rules; raise `CodebreakerError` for too large a table or a prior."""
        rules = self.playable(game)
        self.check_equal_chances(game)
        check_table(rules, self.config.limits.table_mib)
        return rules

    def has_table(self, game: str) -> bool:
        """Return whether a game has a table."""
        return has_table(self.playable(game), self.config.limits.table_mib)


def check_codemaker(rules: GameRules) -> None:
    """Check the games of other codemakers and of guesses at once."""
    codemaker, contests = rules.config.codemaker, rules.config.players.contests
    with config_key("codemaker.static"):
        for game in codemaker.static:
            check_table(playable_on_demand(game), TABLE_LIMIT_MIB)
    name = codemaker.devious.contest
    if name is not None:
        with config_key("codemaker.devious.contest"):
            if name not in contests:
                raise unknown("contest", name, contests)
            rules.of(contests[name].game)
    wrong = codemaker.wrong_answers
    with config_key("codemaker.wrong_answers"):
        for game in (*wrong.games, wrong.played):
            check_table(playable_on_demand(game), TABLE_LIMIT_MIB)
    with config_key("codemaker.wrong_answers.opening"):
        rules_of(wrong.played).check_guess(wrong.opening)


def check_models(rules: GameRules) -> None:
    """Check the models of weights, under `optimise` and `guided`."""
    config = rules.config
    for section, games in (("optimise", config.optimise.models), ("guided", config.guided.models)):
        for game, models in games.items():
            for name, model in models.items():
                with config_key(f"{section}.models.{game}.{name}"):
                    _check_model(rules, game, name, model)


def check_bounds(rules: GameRules) -> None:
    """Check the bounds on weights."""
    for game, bounds in rules.config.guided.bounds.items():
        for name, bound in bounds.items():
            with config_key(f"guided.bounds.{game}.{name}"):
                check_name(name, "bound")
                rules.of(game).check_guess(bound.opening)


def check_name(name: str, kind: str) -> None:
    """Raise `CodebreakerError` unless a name can be part of file names and rule names."""
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        raise CodebreakerError(
            f"a {kind}'s name consists of lower-case letters, digits and hyphens"
        )


def _check_model(
    rules: GameRules, game: str, name: str, model: WeightModel | GuidedWeights
) -> None:
    config = rules.config
    rules.check_equal_chances(game)
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
    check_name(name, "model")
    if isinstance(model, GuidedWeights) and name in config.optimise.models.get(game, {}):
        raise CodebreakerError("optimise.models has a model of this name: choose another")


def check_scaling(config: Config) -> None:
    """Check the games and policies whose growth is measured."""
    for game in config.scaling.games:
        with config_key("scaling.games"):
            played = playable_on_demand(game)
            for name in config.scaling.policies:
                check_fits(Strategy(name), game, played.feedback_labels())
                check_without_table(Strategy(name), game)


def playable_on_demand(game: str) -> CodeRules:
    """Return the rules of a game of codes; raise `CodebreakerError` if it is none, or too large."""
    played = rules_of(game)
    if not isinstance(played, CodeRules):
        raise CodebreakerError(f"game {game} is not a game of codes: choose one")
    played.check_on_demand()
    return played


def check_best_known(config: Config) -> None:
    """Check that games of records are solved or rolled out, and can be played without a table."""
    best_known = config.best_known
    with config_key("best_known.games"):
        for game in best_known.games:
            playable_on_demand(game)
            targets = [entry.slug for entry in config.exact.games.get(game, [])]
            if Target().slug not in targets and game not in config.rollout:
                raise CodebreakerError(f"game {game} is not solved: add it to exact or rollout")
    with config_key("best_known.first_guesses"):
        for game in best_known.first_guesses:
            played = playable_on_demand(game)
            for name in best_known.policies:
                check_fits(Strategy(name), game, played.feedback_labels())
                check_without_table(Strategy(name), game)


def check_transfer(rules: GameRules) -> None:
    """Check the games on which weights are played, or found for several at once."""
    transfer = rules.config.transfer
    if transfer.games:
        with config_key("transfer.games"):
            _check_alike(rules, [PAPERS_GAME, *transfer.games], transfer.openings)
    for name, model in transfer.models.items():
        with config_key(f"transfer.models.{name}"):
            check_name(name, "model")
            _check_alike(rules, model.games, [model.opening])
            if model.preset not in rules.config.optimise.presets:
                raise unknown("preset", model.preset, rules.config.optimise.presets)


def _check_alike(rules: GameRules, games: list[str], openings: list[str]) -> None:
    """Raise `CodebreakerError` unless games have tables, one kind of feedback and the openings."""
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
