"""Array aliases and the words of the games; no logic."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.uint8]
"""Feedback ids, 0 to 255."""

Codes = NDArray[np.int32]
"""Indices of guesses or of secrets."""

Offsets = NDArray[np.int64]
"""Where each part of a flat array starts; the last entry is its length."""

Counts = NDArray[np.int64]
"""Sizes of the cells of partitions, the feedback id along the last axis."""

Scores = NDArray[np.float64]
"""Scores of guesses: exact integers held in float64, more is better."""

Fold = Literal["sum", "min"]
"""How the values of a partition's cells become a guess's score."""

GuessPool = Literal["all", "consistent"]
"""Which guesses a policy may play: every code, or only candidates."""

TieBreak = Literal[
    "consistent then lexicographic", "consistent then reversed lexicographic", "lexicographic"
]
"""Which guess is played among those whose scores tie."""
