"""What several layers share; quick to import for the command line."""

from dataclasses import MISSING, field
from typing import Any

PAPERS_GAME = "mm-4-6"  # the game of Kooi 2005 and Gür 2025
LARGEST_ENDGAME = 62
"""Largest set that is played exactly without a table; its members are bits of a word."""

LARGEST_GUESS_LIMIT = 14
NO_LIMIT = 1 << 62  # table look-ups without a limit
OPTIMAL, BEST_KNOWN = "optimal", "best-known"
"""Policies that play optimally, and as the best known tree."""

VERSION = "0.1.0"

STRICT: Any = {
    "extra": "forbid",
    "frozen": True,
    "use_attribute_docstrings": True,
    "allow_inf_nan": False,
}
"""Pydantic's settings for sections of the configuration."""


def setting(default: Any = MISSING, **limits: object) -> Any:  # noqa: ANN401 (of any type)
    """Return a field with its default, if any, and limits in pydantic's names."""
    return field(default=default, metadata=limits)
