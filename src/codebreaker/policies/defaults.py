"""The policy that plays a game if none is named: at a terminal, in the library and on the page."""

from typing import NamedTuple

from codebreaker.constants import PAPERS_GAME


class Default(NamedTuple):
    """A policy and its opening; without an opening the policy chooses one."""

    policy: str
    opening: str | None = None


DEFAULTS = {
    PAPERS_GAME: Default("context-weighted-5625", "1123"),
    "mm-5-8": Default("stage-weighted-179273", "11223"),
}
"""The best policies known that can go on from any guesses.

The first attains the least total; after the opening 1234, it takes 37 guesses more for all secrets
than `stage-weighted-5630`. Endgames would be better still for the second, and much slower.
"""


def default_of(game: str) -> Default:
    """Return the default policy and opening of a game, by its name.

    >>> default_of("mm-4-6")
    Default(policy='context-weighted-5625', opening='1123')
    """
    return DEFAULTS.get(game, Default("entropy"))
