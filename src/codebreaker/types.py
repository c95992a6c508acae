"""Array aliases and the words of the games; no logic."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

FeedbackIds = NDArray[np.uint8]
"""Feedback ids, 0 to 255."""

SymbolMatrix = NDArray[np.integer]
"""Codes or words, one per row: colours counted from 0, or letters as code points."""

Indices = NDArray[np.int32]
"""Indices of guesses, of secrets or of nodes."""

Offsets = NDArray[np.int64]
"""Where each part of a flat array starts; the last entry is its length."""

Totals = NDArray[np.int64]
"""Total guesses over all secrets, one entry for each tree."""

Counts = NDArray[np.int64]
"""Sizes of the cells of partitions, with the feedback id along the last axis."""

CellSizes = NDArray[np.uint16]
"""The same as the compiled loops keep them."""

Scores = NDArray[np.float64]
"""Scores of guesses: exact integers held in float64; the highest wins."""

Hashes = NDArray[np.uint64]
"""Hash keys, and the random words that they are made from."""

Move = tuple[int, int]
"""The index of a guess, and the id of the feedback to it."""

Fold = Literal["sum", "min"]
"""How the values of a partition's cells become a guess's score."""

GuessPool = Literal["all", "consistent"]
"""Which guesses a policy may play: every code, or only candidates."""

TieBreak = Literal[
    "consistent then lexicographic", "consistent then reversed lexicographic", "lexicographic"
]
"""Which guess is played among those whose scores tie."""
