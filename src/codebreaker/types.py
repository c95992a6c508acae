"""Array aliases and literal types; no logic."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

FeedbackIds = NDArray[np.uint8 | np.uint16]  # uint8 if all ids fit: see `games.feedback.id_type`
SymbolMatrix = NDArray[np.integer]  # codes or words, one per row: colours from 0, or code points
Indices = NDArray[np.int32]
Offsets = NDArray[np.int64]  # start of each part of a flat array; the last is its length
Positions = NDArray[np.int64]  # indices into an array, as NumPy returns them: nodes, rows, digits
Prior = NDArray[np.int64]  # the secrets' weights, positive and without a common factor
Totals = NDArray[np.int64]  # total guesses over all secrets, one entry per tree
Counts = NDArray[np.int64]
CellSizes = NDArray[np.uint16]  # cell sizes, by feedback id along the last axis; in compiled loops
Scores = NDArray[np.float64]  # scores of guesses: exact integers in float64; the highest wins
Bits = NDArray[np.uint64]  # of codes, (n_codes, n_words): bit i is bit i % 64 of word i // 64
Hashes = NDArray[np.uint64]

Move = tuple[int, int]

Fold = Literal["sum", "min"]

GuessPool = Literal["all", "consistent"]

AnyPool = Literal[GuessPool, "hard"]
"""Also Wordle's hard mode, in which the allowed guesses depend on the moves before."""

TieBreak = Literal[
    "consistent then lexicographic",
    "consistent then reversed lexicographic",
    "first consistent then last",
    "lexicographic",
]

Joined = Literal["with", "then"]
"""How a second criterion joins the first: for guesses best by both, or to break its ties."""
