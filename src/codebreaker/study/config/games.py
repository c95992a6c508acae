"""The games of a study: the sections that define them, and the types of values that name them.

`limits` and `word_lists` are validated first. They make a `StudyGames`, which the validators of all
other sections get as pydantic's context.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import ascii_lowercase
from typing import Annotated

from pydantic import AfterValidator, Field, ValidationInfo

from codebreaker.errors import CodebreakerError
from codebreaker.games import registry
from codebreaker.games.codes import CodeRules
from codebreaker.games.words import LIST_NAME, WordFiles, WordRules, find_words, read_prior
from codebreaker.policies.strategy import check_one_guess, check_opening
from codebreaker.study.config.sections import Section, at_key
from codebreaker.study.jobs import check_paths
from codebreaker.types import AnyPool


class Limits(Section):
    """Which games have a feedback table."""

    table_mib: float = Field(default=64.0, gt=0, le=2**20)
    """The largest feedback table, in MiB. Larger games of codes are played without one where
    possible; other games are refused."""


def _check_list_name(name: str) -> str:
    """Return the name of a word list that names of games can contain."""
    with at_key():
        if not LIST_NAME.fullmatch(name):
            raise CodebreakerError(
                "a list's name consists of lower-case letters, digits and hyphens"
            )
    return name


def _check_path(path: str) -> str:
    """Return a path that Snakemake takes as it is."""
    with at_key():
        check_paths([path])
    return path


ListName = Annotated[str, Field(description="list"), AfterValidator(_check_list_name)]

WordsPath = Annotated[str, AfterValidator(_check_path)]
"""A file of words, or the name of a list that comes with the package."""


class Words(Section):
    """The files of a word list, or names of lists that come with the package."""

    secrets: WordsPath
    """A text file with the possible secrets, one per line, all of the same length."""
    guesses: WordsPath | None = None
    """Further words that may be guessed."""
    alphabet: str = ascii_lowercase
    """The letters of words, in lower case; digits, signs and letters with accents may be among
    them."""
    prior: WordsPath | None = None
    """A file with a secret and its integer weight per line; other words are then not secrets. Such
    games may have strategies only."""

    def files(self, folder: str | Path) -> WordFiles:
        """Return the list with the paths of its files, which are in `folder` or the working one."""
        return WordFiles(
            find_words(self.secrets, folder),
            self.guesses and find_words(self.guesses, folder),
            self.alphabet,
            self.prior and find_words(self.prior, folder),
        )


@dataclass(frozen=True)
class StudyGame:
    """A game that a study names: its rules, its prior's file if any, and the limit of its table."""

    name: str
    rules: registry.Rules
    prior: str | None
    table_mib: float

    @property
    def has_table(self) -> bool:
        """Return whether the game's feedback table is within the study's limit."""
        return registry.has_table(self.rules, self.table_mib)

    def check_size(self) -> None:
        """Raise `CodebreakerError` if the game is too large even without a table."""
        registry.check_size(self.rules, self.table_mib)

    def check_table(self) -> None:
        """Raise `CodebreakerError` if the game's feedback table is above the study's limit."""
        registry.check_table(self.rules, self.table_mib)

    def check_on_demand(self) -> None:
        """Raise `CodebreakerError` unless this is a game of codes that needs no table."""
        if not isinstance(self.rules, CodeRules):
            raise CodebreakerError(f"game {self.name} is not a game of codes: choose one")
        self.rules.check_on_demand()

    def check_prior(self) -> None:
        """Raise `CodebreakerError` for a prior with unknown secrets, or without weight."""
        if self.prior is None or not isinstance(self.rules, WordRules):
            return
        if not any(read_prior(self.prior, self.rules).values()):
            raise CodebreakerError(f"prior {self.prior} has no weight above 0")

    def refuse_prior(self) -> None:
        """Raise `CodebreakerError` if the game has a prior."""
        if self.prior is not None:
            raise CodebreakerError(
                f"the secrets of {self.name} are not equally likely, which only the "
                "key strategies allows"
            )

    def check_opening(self, opening: str, guess_pool: AnyPool | None = "all") -> None:
        """Raise `CodebreakerError` unless the game and a guess pool allow a forced opening.

        It is part of the names of files, which Snakemake reads as patterns.
        """
        check_one_guess(opening, self.rules.check_guess, f"a search of {self.name}")
        if unsafe := [letter for letter in opening if letter in NOT_IN_NAMES]:
            raise CodebreakerError(
                f"the opening {opening!r} has {unsafe[0]!r}, which can't be in the names of files: "
                "force another one, or choose another alphabet for the words"
            )
        check_opening(opening, guess_pool, self.name, self.rules.is_secret(opening))


NOT_IN_NAMES = frozenset("/\\{}<>*?\":|%#'& \t")
"""Characters that an opening can't have in a study: names of files have it."""


class StudyGames:
    """The games that a study may name.

    `word_lists` has the files of word lists by their names; other paths are relative to the working
    folder or, if no such file is there, to `folder`.
    """

    def __init__(
        self, limits: Limits, word_lists: Mapping[str, Words], folder: str | Path = ""
    ) -> None:
        self.folder = folder
        self.word_lists = {name: words.files(folder) for name, words in word_lists.items()}
        self._table_mib = limits.table_mib
        self._games: dict[str, StudyGame] = {}

    def lists_of(self, game: str) -> dict[str, WordFiles]:
        """Return a game's word list by its name; nothing for a game of codes."""
        family, _, name = game.partition("-")
        is_listed = family in registry.WORDS and name in self.word_lists
        return {name: self.word_lists[name]} if is_listed else {}

    def prior_of(self, game: str) -> list[str]:
        """Return the file of a game's prior, or nothing."""
        return [files.prior for files in self.lists_of(game).values() if files.prior is not None]

    def game(self, name: str) -> StudyGame:
        """Return a game of any size; raise `CodebreakerError` for an unknown one."""
        if name not in self._games:
            rules = registry.rules_of(name, self.word_lists)
            prior = next(iter(self.prior_of(name)), None)
            self._games[name] = StudyGame(name, rules, prior, self._table_mib)
        return self._games[name]


def check_alike(games: Sequence[StudyGame], openings: Iterable[str]) -> None:
    """Raise `CodebreakerError` unless games have the same feedback and all of the openings."""
    first, *others = games
    labels = first.rules.feedback_labels()
    for game in others:
        if game.rules.feedback_labels() != labels:
            raise CodebreakerError(f"games {first.name} and {game.name} have different feedback")
    for opening in openings:
        for game in games:
            game.check_opening(opening)


def games_of(info: ValidationInfo) -> StudyGames:
    """Return the study's games in a validator."""
    games = info.context
    assert isinstance(games, StudyGames), "configurations are validated by read_config"
    return games


def _checked(*checks: Callable[[StudyGame], None]) -> AfterValidator:
    """Return the validator of a game's name that calls `checks`, which raise `CodebreakerError`."""

    def validate(name: str, info: ValidationInfo) -> str:
        with at_key():
            game = games_of(info).game(name)
            for check in checks:
                check(game)
        return name

    return AfterValidator(validate)


GameName = Annotated[str, Field(description="game")]

AnyGame = Annotated[GameName, _checked(StudyGame.check_size)]
"""A game with a table, or a game of codes that can be played without one."""

Game = Annotated[GameName, _checked(StudyGame.refuse_prior, StudyGame.check_size)]
"""The same without a prior."""

TableGame = Annotated[GameName, _checked(StudyGame.refuse_prior, StudyGame.check_table)]
"""A game with a table and without a prior."""

CodeGame = Annotated[GameName, _checked(StudyGame.check_on_demand)]
"""A game of codes that can be played without a table."""
