"""Numbers, names and settings that several layers share; quick to import for the command line."""

from dataclasses import MISSING, field
from typing import Any

PAPERS_GAME = "mm-4-6"  # the game of Kooi 2005 and Gür 2025
LARGEST_ENDGAME = 62  # maximum size of sets played exactly without a table, a bit each
LARGEST_GUESS_LIMIT = 14
NO_LIMIT = 1 << 62  # table look-ups of a search without a limit
MAX_DEPTH = 64  # turns of a compiled search; deeper trees are refused
LARGEST_SUM = 2**62 // MAX_DEPTH  # of weights: totals over so many turns fit 64 bits
OPTIMAL = "optimal"
BEST_KNOWN = "best-known"
"""Policies that play optimally, and as the tree with the lowest known total."""

SAMPLED = "sampled"
"""The strategy that plays games of any size, by samples of their candidates."""

NARROW = "-narrow.svg"
"""The end of the names of charts for phones."""

VERSION = "0.1.0"

STRICT: Any = {
    "extra": "forbid",
    "frozen": True,
    "use_attribute_docstrings": True,
    "allow_inf_nan": False,
}
"""Pydantic's settings for sections of the configuration: no unknown keys, infinity or NaN."""


def setting(default: Any = MISSING, **limits: object) -> Any:  # noqa: ANN401 (of any type)
    """Return a field with its default, if any, and limits in pydantic's names."""
    return field(default=default, metadata=limits)
