"""Loading a study: the configuration is checked against all registries before anything runs."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codebreaker.errors import CodebreakerError, has_extra
from codebreaker.games.registry import WORDS, without_table
from codebreaker.games.words import LIST_NAME, WordFiles, find_words
from codebreaker.policies.strategy import Strategy, check_fits, check_without_table
from codebreaker.search.settings import NAME as ROLLOUT
from codebreaker.search.settings import Rollout, Target
from codebreaker.study import checks
from codebreaker.study.checks import GameRules, config_key
from codebreaker.study.config import Config, read_config
from codebreaker.study.config.play import Words
from codebreaker.study.jobs import check_paths


@dataclass(frozen=True)
class Study:
    """A checked configuration, with the strategies and targets of each game by their slugs."""

    config: Config
    strategies: dict[str, dict[str, Strategy]]
    targets: dict[str, dict[str, Target]]
    rollouts: dict[str, dict[str, Rollout]]
    word_lists: dict[str, WordFiles]
    terminal_words: str
    without_table: list[str]

    def lists_of(self, game: str) -> dict[str, WordFiles]:
        """Return a game's word list by its name; nothing for a game of codes."""
        family, _, name = game.partition("-")
        is_listed = family in WORDS and name in self.word_lists
        return {name: self.word_lists[name]} if is_listed else {}

    def prior_of(self, game: str) -> list[str]:
        """Return the file of a game's prior, or nothing."""
        return [files.prior for files in self.lists_of(game).values() if files.prior is not None]

    def time_limit_s(self, game: str, slug: str) -> float:
        """Return how long to search for an optimum, in seconds."""
        return self.targets[game][slug].time_limit_s or self.config.exact.time_limit_s


def load_study(data: dict[str, Any], folder: str | Path = "") -> Study:
    """Check a configuration with paths in `folder` or the working one; raise `CodebreakerError`."""
    config = read_config(data)
    folder = Path(folder)
    if not config.strategies:
        raise CodebreakerError("config key strategies is empty: name a game and its policies there")
    lists = {name: _files(name, config.word_lists[name], folder) for name in config.word_lists}
    rules = GameRules(config, lists)
    checks.check_sections(rules)
    terminals = config.terminals
    words = find_words(config.terminals.words, folder)
    with config_key("terminals.words"):
        check_paths([words])
        checks.check_terminals(words, terminals.lengths, max(terminals.sizes))
    played = (*config.strategies, *config.optimise.models, *config.rollout)
    return Study(
        config,
        {game: _strategies(game, rules) for game in config.strategies},
        {game: _targets(game, rules) for game in config.exact.games},
        {game: _rollouts(game, rules) for game in config.rollout},
        lists,
        words,
        [game for game in dict.fromkeys(played) if not rules.has_table(game)],
    )


def _files(name: str, words: Words, folder: Path) -> WordFiles:
    if not LIST_NAME.fullmatch(name):
        raise CodebreakerError(
            f"config key word_lists.{name}: a list's name consists of lower-case letters, digits "
            "and hyphens"
        )
    guesses, prior = (name and find_words(name, folder) for name in (words.guesses, words.prior))
    files = WordFiles(find_words(words.secrets, folder), guesses, words.alphabet, prior)
    with config_key(f"word_lists.{name}"):
        check_paths([*files.paths, *([prior] if prior else [])])
    return files


def _targets(game: str, rules: GameRules) -> dict[str, Target]:
    targets: dict[str, Target] = {}
    with config_key(f"exact.games.{game}"):
        rules.of(game)
        for target in rules.config.exact.games[game]:
            if target.guess_limit is not None and target.objective in ("maximum", "lexicographic"):
                why = f"objective {target.objective} finds guess_limit itself: remove it"
                raise CodebreakerError(why)
            if (target.objective == "rounds") != (target.rounds is not None):
                why = "objective rounds and the key rounds belong together: give both"
                raise CodebreakerError(why)
            if target.rounds and (target.guess_limit is not None or target.guess_pool != "all"):
                raise CodebreakerError(
                    "objective rounds is for all codes and any number of guesses: remove "
                    "guess_limit and guess_pool"
                )
            if target.opening is not None:
                checks.check_forced_opening(rules.of(game), target.opening, target.guess_pool)
            if target.from_best_known:
                checks.check_recorded(game, "from_best_known")
                if target.slug != Target().slug:
                    raise CodebreakerError(
                        "from_best_known is for the minimum total over all trees"
                    )
            if target.slug in targets:
                raise CodebreakerError(f"optimum {target.slug!r} is listed twice: remove one")
            targets[target.slug] = target
    return targets


def _strategies(game: str, rules: GameRules) -> dict[str, Strategy]:
    strategies: dict[str, Strategy] = {}
    with config_key(f"strategies.{game}"):
        played = rules.playable(game)
        rules.check_prior(game)
    for index, entry in enumerate(rules.config.strategies[game]):
        with config_key(f"strategies.{game}.{index}"):
            strategy = Strategy(**entry.model_dump())
            if not rules.has_table(game):
                check_without_table(strategy, game)
            if strategy.plays.joined is not None:
                rules.refuse_prior(game)
            if strategy.opening is not None:
                checks.check_forced_opening(played, strategy.opening, strategy.guess_pool)
            check_fits(strategy, game, played.feedback_labels())
            if strategy.slug in strategies:
                raise CodebreakerError(f"strategy {strategy.slug!r} is listed twice: remove one")
            strategies[strategy.slug] = strategy
    return strategies


def _rollouts(game: str, rules: GameRules) -> dict[str, Rollout]:
    rollouts = {}
    for name, entry in rules.config.rollout[game].items():
        with config_key(f"rollout.{game}.{name}"):
            checks.check_name(name, "rollout")
            base = Strategy(entry.policy, entry.opening, entry.guess_pool, endgames=entry.endgames)
            rules.refuse_prior(game)
            played = rules.playable(game)
            if base.opening is not None:
                checks.check_forced_opening(played, base.opening, base.guess_pool)
            check_fits(base, game, played.feedback_labels())
            if entry.like_smaller or not entry.table:
                without_table(played).check_on_demand()
            if entry.like_smaller:
                checks.check_recorded(without_table(played).one_colour_less, "like_smaller")
            widths = tuple(entry.widths)
            ahead = tuple(entry.ahead)
            rest = entry.exact, entry.beam, entry.table, entry.like_smaller
            rollout = Rollout(base, widths, ahead, *rest)
            rollouts[f"{ROLLOUT}{name}"] = rollout
    return rollouts


def requests_gpu(backend: str) -> bool:
    """Return whether optimisation jobs request a GPU: for `cuda`, and for `auto` if supported."""
    return backend == "cuda" or (backend == "auto" and has_extra("cuda"))
