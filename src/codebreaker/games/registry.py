"""The registry of games: from a name such as `mm-4-6` to its rules, and to its table."""

from collections.abc import Mapping
from typing import Protocol

from codebreaker.errors import CodebreakerError
from codebreaker.games.black_pegs import BlackPegs
from codebreaker.games.bulls_and_cows import BullsAndCows
from codebreaker.games.codes import CodeRules
from codebreaker.games.mastermind import Mastermind
from codebreaker.games.model import Game, TableGame
from codebreaker.games.word_lists import WordFiles
from codebreaker.games.words import Marks, Matches, WordRules

PAPERS_GAME = "mm-4-6"
"""The game of Kooi 2005 and Gür 2025."""

TABLE_LIMIT_MIB = 64
"""The largest feedback table that is built unasked, in MiB; the config may set another."""

MOST_SECRETS = 2**16 - 1
"""The kernels count the cells of partitions in 16 bits."""


class Rules(Protocol):
    """What a game is before its table is computed: cheap to make, and to ask."""

    @property
    def name(self) -> str:
        """Return the game's name."""

    @property
    def table_shape(self) -> tuple[int, int]:
        """Return the numbers of guesses and of secrets."""

    def feedback_labels(self) -> tuple[str, ...]:
        """Return the label of each feedback id."""

    def check_guess(self, label: str) -> None:
        """Raise `CodebreakerError` unless `label` is a guess of the game."""

    def build(self) -> TableGame:
        """Compute the table."""


CODES: dict[str, type[CodeRules]] = {
    rules.family: rules for rules in (Mastermind, BullsAndCows, BlackPegs)
}
"""The families of games whose names give their sizes, by the first part of the name."""

WORDS: dict[str, type[WordRules]] = {rules.family: rules for rules in (Matches, Marks)}
"""The families of games whose names end in a word list's."""

EXAMPLES: tuple[str, ...] = (
    *("mm-1-3", "mm-2-3", "mm-3-3", "mm-2-6", "mm-3-4", "mm-4-3"),
    *("bc-1-3", "bc-2-4", "bc-3-3", "bc-3-5"),
    *("black-1-3", "black-2-3", "black-3-3"),
)
"""Small games of every family of codes, on which every criterion is tested."""

NO_LISTS: Mapping[str, WordFiles] = {}


def rules_of(name: str, word_lists: Mapping[str, WordFiles] = NO_LISTS) -> Rules:
    """Return the rules of the game called `name`, which may name one of the word lists.

    Raises `CodebreakerError` if there is none, or where its word list is bad.
    """
    family = name.split("-")[0]
    if family in CODES:
        return CODES[family].parse(name)
    if family in WORDS:
        return WORDS[family].parse(name, word_lists)
    raise CodebreakerError(
        f"unknown game {name!r}: its name starts with none of {', '.join((*CODES, *WORDS))} "
        "(Mastermind with 4 pegs and 6 colours is 'mm-4-6')"
    )


def make_game(
    name: str,
    table_limit_mib: float = TABLE_LIMIT_MIB,
    word_lists: Mapping[str, WordFiles] = NO_LISTS,
) -> TableGame:
    """Build the game called `name`, unless its table would be larger than the limit in MiB."""
    rules = rules_of(name, word_lists)
    check_table(rules, table_limit_mib)
    return rules.build()


def open_game(
    name: str,
    table_limit_mib: float = TABLE_LIMIT_MIB,
    word_lists: Mapping[str, WordFiles] = NO_LISTS,
) -> Game:
    """Return the game called `name`, with a table where that is within the limit in MiB."""
    return open_rules(rules_of(name, word_lists), table_limit_mib)


def open_rules(rules: Rules, table_limit_mib: float = TABLE_LIMIT_MIB) -> Game:
    """Return the game of rules, with a table where that is within the limit in MiB."""
    if isinstance(rules, CodeRules) and not has_table(rules, table_limit_mib):
        return rules.on_demand()
    check_table(rules, table_limit_mib)
    return rules.build()


def check_playable(rules: Rules, table_limit_mib: float) -> None:
    """Raise `CodebreakerError` where a game is too large even without a table."""
    if isinstance(rules, CodeRules) and not has_table(rules, table_limit_mib):
        rules.check_on_demand()
    else:
        check_table(rules, table_limit_mib)


def has_table(rules: Rules, table_limit_mib: float) -> bool:
    """Return whether a game's table is within the limit in MiB."""
    guesses, secrets = rules.table_shape
    return secrets <= MOST_SECRETS and guesses * secrets <= table_limit_mib * 2**20


def check_table(rules: Rules, table_limit_mib: float) -> None:
    """Raise `CodebreakerError` where a game is too large, for the limit in MiB or at all."""
    guesses, secrets = rules.table_shape
    if secrets > MOST_SECRETS:
        raise CodebreakerError(
            f"game {rules.name!r} has {secrets:,} secrets: at most {MOST_SECRETS:,} can be counted"
        )
    needed = guesses * secrets / 2**20
    if needed > table_limit_mib:
        raise CodebreakerError(
            f"game {rules.name!r} needs a feedback table of {needed:,.1f} MiB "
            f"({guesses:,} guesses by {secrets:,} secrets), more than the limit of "
            f"{table_limit_mib:g} MiB: raise the config key limits.table_mib "
            "or choose a smaller game"
        )
