"""Array aliases and literal types; no logic."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

FeedbackIds = NDArray[np.uint8]

SymbolMatrix = NDArray[np.integer]  # colours or code points, by row

Indices = NDArray[np.int32]

Offsets = NDArray[np.int64]  # starts of parts, and the end

Totals = NDArray[np.int64]  # of trees

Counts = NDArray[np.int64]
CellSizes = NDArray[np.uint16]  # cell sizes by feedback id; in compiled loops

Scores = NDArray[np.float64]  # scores of guesses: exact integers; the highest wins

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
