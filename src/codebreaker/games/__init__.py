"""The registry of games: from a name such as `mm-4-6` to its rules, and to its table."""

from collections.abc import Sequence
from typing import Protocol

from codebreaker.errors import CodebreakerError
from codebreaker.game import Game
from codebreaker.games.mastermind import Mastermind
from codebreaker.types import Codes

TABLE_LIMIT_MIB = 64
"""The largest feedback table that is built unasked, in MiB; the config may set another."""

MOST_SECRETS = 2**16 - 1
"""The kernels count the cells of partitions in 16 bits."""


class Rules(Protocol):
    """What a game is before its table is computed: cheap to make, and to ask."""

    @classmethod
    def parse(cls, name: str) -> "Rules":
        """Read the rules from a game's name; raise `CodebreakerError` where it has none."""

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

    def orbits(self, history: Sequence[int]) -> Codes:
        """Return for each guess the least one that is its image under a symmetry of the game.

        The symmetries keep the guesses of the history; (n_guesses,) int32 indices.
        """

    def build(self) -> Game:
        """Compute the table."""


FAMILIES: dict[str, type[Rules]] = {"mm": Mastermind}
"""The families of games by the first part of their names."""

EXAMPLES: tuple[str, ...] = ("mm-1-3", "mm-2-3", "mm-3-3", "mm-2-6", "mm-3-4", "mm-4-3")
"""Small games of every family, on which every criterion is tested."""


def rules_of(name: str) -> Rules:
    """Return the rules of the game called `name`; raise `CodebreakerError` if there is none."""
    family = FAMILIES.get(name.split("-")[0])
    if family is None:
        raise CodebreakerError(
            f"unknown game {name!r}: its name starts with none of {', '.join(FAMILIES)} "
            "(Mastermind with 4 pegs and 6 colours is 'mm-4-6')"
        )
    return family.parse(name)


def make_game(name: str, table_limit_mib: float = TABLE_LIMIT_MIB) -> Game:
    """Build the game called `name`, unless its table would be larger than the limit in MiB."""
    rules = rules_of(name)
    check_table(rules, table_limit_mib)
    return rules.build()


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
