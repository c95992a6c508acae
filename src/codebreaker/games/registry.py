"""The registry of games: the rules and the game for a name."""

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import TypeGuard
from weakref import WeakKeyDictionary

from codebreaker.errors import CodebreakerError, nearest, quoted
from codebreaker.games.codes import (
    ANY_GUESS,
    MOST_CODES,
    BlackPegs,
    BullsAndCows,
    BullsAndCowsAnyGuess,
    CodeRules,
    Mastermind,
)
from codebreaker.games.model import GameModel
from codebreaker.games.unlisted import UnlistedGame
from codebreaker.games.words import BUNDLED, Marks, Matches, Pegs, WordFiles, WordRules

TABLE_LIMIT_MIB = 64

OWN_WORDS_MIB = 1024
"""The table's limit of games with a user's own words, which can't be played without a table."""

MOST_SECRETS = 2**16 - 1  # the kernels hold cell sizes in 16 bits

Rules = CodeRules | WordRules

CODES: dict[str, type[CodeRules]] = {
    rules.family: rules for rules in (Mastermind, BullsAndCows, BlackPegs)
}

WORDS: dict[str, type[WordRules]] = {rules.family: rules for rules in (Matches, Marks, Pegs)}

FAMILIES: dict[str, type[Rules]] = {**CODES, **WORDS}

EXAMPLES: tuple[str, ...] = (
    *("mm-1-3", "mm-2-3", "mm-3-3", "mm-2-6", "mm-3-4", "mm-4-3"),
    *("bc-1-3", "bc-2-4", "bc-3-3", "bc-3-5"),
    *("black-1-3", "black-2-3", "black-3-3"),
)
"""Small games of every family of codes, for tests."""


def usual_games() -> list[str]:
    """Return the names of usual games, with all packaged word lists."""
    usual = ["mm-4-6", "mm-5-8", "mm-4-6-distinct", "bc-4-10", "black-4-6"]
    return usual + [f"{family}-{name}" for family in WORDS for name in BUNDLED]


WORDLE = "marks-common"
"""The game that people call Wordle."""

NICKNAMES = {
    "mastermind": "mm-4-6",
    "superhirn": "mm-4-6",
    "bullsandcows": "bc-4-10",
    "blackpegs": "black-4-6",
    "wordle": WORDLE,
    "fallout": "matches-five",
}
"""What people call games, in letters alone, and the usual game that they mean."""

LIKE_A_GAME = 0.7
"""Minimum likeness of an unknown name and the one that it is taken for, from 0 to 1."""

AS_IN_PAPERS = re.compile(r"([a-z]+(?: [a-z]+)*) ?\( ?([0-9]+) ?, ?([0-9]+) ?\)(-[a-z-]+)?")
"""The size of a game as papers write it, such as MM(4,6), in lower case."""

NO_LISTS: Mapping[str, WordFiles] = {}


def rules_of(name: str, word_lists: Mapping[str, WordFiles] = NO_LISTS) -> Rules:
    """Return a game's rules, or raise `CodebreakerError`."""
    family = name.split("-")[0]
    if family == BullsAndCows.family and name.endswith(ANY_GUESS):
        return BullsAndCowsAnyGuess.of(BullsAndCows.parse(name.removesuffix(ANY_GUESS)))
    if family in CODES:
        return CODES[family].parse(name)
    if family in WORDS:
        return WORDS[family].parse(name, word_lists)
    if meant := _meant_by(name):
        raise CodebreakerError(f"unknown game {quoted(name)}: did you mean {meant!r}?")
    raise CodebreakerError(
        f"unknown game {quoted(name)}: its name starts with none of {', '.join(FAMILIES)} "
        "(Mastermind with 4 pegs and 6 colours is 'mm-4-6')"
    )


def usual_name(text: str) -> str:
    """Return the name of a game as the registry has it, in lower case.

    A size may be written as in papers, and the family by its title; what people call a game stands
    for the usual one.

    >>> usual_name("MM(4, 6)"), usual_name("Mastermind(4,6)-distinct"), usual_name("Bulls and Cows")
    ('mm-4-6', 'mm-4-6-distinct', 'bc-4-10')
    """
    name = text.strip().lower()
    if called := NICKNAMES.get(re.sub(r"[\s_-]", "", name)):
        return called
    if match := AS_IN_PAPERS.fullmatch(name):
        family, pegs, colours, restriction = match.groups("")
        name = f"{family}-{pegs}-{colours}{restriction}"
    for family, rules in CODES.items():
        title = f"{rules.title.lower()}-"
        if name.startswith(title):
            return f"{family}-{name.removeprefix(title)}"
    return name


def _meant_by(name: str) -> str | None:
    """Return the game that an unknown name may mean, or None."""
    letters = re.sub(r"[\W\d_]+", "", name)
    sizes = re.findall(r"\d+", name)
    if len(sizes) == 1:
        sizes = list(sizes[0])
    if len(sizes) == 2:
        near = nearest(letters, [*CODES, *NICKNAMES], LIKE_A_GAME)
        family = NICKNAMES.get(near or "mm", near or "mm").split("-")[0]
        with suppress(CodebreakerError):
            return CODES[family].parse("-".join((family, *sizes))).name
    near = nearest(letters, NICKNAMES, LIKE_A_GAME)
    return nearest(name, usual_games(), LIKE_A_GAME) if near is None else NICKNAMES[near]


def make_game(
    name: str,
    table_limit_mib: float = TABLE_LIMIT_MIB,
    word_lists: Mapping[str, WordFiles] = NO_LISTS,
) -> GameModel:
    """Return the game called `name`: see `build_game`.

    >>> game = make_game("mm-4-6")
    >>> len(game.secrets), game.feedback_labels[:3]
    (1296, ('0B-0C', '0B-1C', '0B-2C'))
    """
    return build_game(rules_of(name, word_lists), table_limit_mib)


def is_as_named(game: GameModel) -> bool:
    """Return whether a game is the one that its name stands for.

    Recorded trees, totals and defaults are found by name. They belong to that game alone, and not
    to one with a prior, other words, or a table of its own, whatever it is called.
    """
    if game not in _AS_NAMED:
        _AS_NAMED[game] = _equals_its_namesake(game)
    return _AS_NAMED[game]


_AS_NAMED: WeakKeyDictionary[GameModel, bool] = WeakKeyDictionary()


def _equals_its_namesake(game: GameModel) -> bool:
    """Return whether a game equals the one that is built from its name; compares their digests."""
    try:
        rules = rules_of(game.name, BUNDLED)
    except CodebreakerError:
        return False
    if game.prior is not None or rules.table_shape != (game.n_guesses, game.n_secrets):
        return False
    if game.has_table:
        return rules.build().digest == game.digest
    return isinstance(rules, CodeRules) and rules.on_demand().digest == game.digest


def build_game(rules: Rules, table_limit_mib: float = TABLE_LIMIT_MIB) -> GameModel:
    """Return a game, with a table if within the limit; raise `CodebreakerError` if too large."""
    if _is_on_demand(rules, table_limit_mib):
        return rules.on_demand()
    check_table(rules, table_limit_mib)
    return rules.build()


def playable(
    rules: Rules, table_limit_mib: float = TABLE_LIMIT_MIB, most_listed: int = MOST_CODES
) -> GameModel:
    """Return a game as `build_game` does, or unlisted if it has more than `most_listed` codes."""
    if isinstance(rules, CodeRules) and rules.table_shape[0] > most_listed:
        if type(rules).codes is not CodeRules.codes:
            raise CodebreakerError(
                f"game {rules.name!r} has {rules.table_shape[0]:,} combinations of symbols, and a "
                f"family that lists them itself has at most {most_listed:,}: choose a smaller game"
            )
        return UnlistedGame.of(rules)
    return build_game(rules, table_limit_mib)


def check_size(rules: Rules, table_limit_mib: float) -> None:
    """Raise `CodebreakerError` if `build_game` would refuse the game."""
    if _is_on_demand(rules, table_limit_mib):
        rules.check_on_demand()
    else:
        check_table(rules, table_limit_mib)


def _is_on_demand(rules: Rules, table_limit_mib: float) -> TypeGuard[CodeRules]:
    """Return whether a game has no table within the limit, and can be played without one."""
    can_be = isinstance(rules, CodeRules) and not rules.distinct
    return can_be and not has_table(rules, table_limit_mib)


def has_table(rules: Rules, table_limit_mib: float) -> bool:
    """Return whether the table is within the limit in MiB."""
    _, secrets = rules.table_shape
    return secrets <= MOST_SECRETS and _table_mib(rules) <= table_limit_mib


def _table_mib(rules: Rules) -> float:
    """Return the size of the feedback table in MiB."""
    guesses, secrets = rules.table_shape
    return guesses * secrets * rules.bytes_per_id / 2**20


def without_table(rules: Rules) -> CodeRules:
    """Return rules that need no table, or raise `CodebreakerError`."""
    if not isinstance(rules, CodeRules) or len(set(rules.table_shape)) > 1:
        raise CodebreakerError(f"game {rules.name!r} needs its table: leave out table: false")
    return rules


def check_table(rules: Rules, table_limit_mib: float) -> None:
    """Raise `CodebreakerError` for a table above the limit in MiB."""
    guesses, secrets = rules.table_shape
    if secrets > MOST_SECRETS:
        raise CodebreakerError(
            f"game {rules.name!r} has {secrets:,} secrets: a table has at most {MOST_SECRETS:,}, "
            "so choose a smaller game"
        )
    needed = _table_mib(rules)
    if needed > table_limit_mib:
        # Nobody sets the limit of a user's own words.
        are_own_words = isinstance(rules, WordRules) and table_limit_mib >= OWN_WORDS_MIB
        remedy = "use fewer words" if are_own_words else "raise the limit or choose a smaller game"
        raise CodebreakerError(
            f"game {rules.name!r} needs a feedback table of {needed:,.1f} MiB "
            f"({guesses:,} guesses by {secrets:,} secrets), more than the limit of "
            f"{table_limit_mib:,g} MiB: {remedy}",
            "table_mib",
        )
