"""Bounds on scores by the number of pairs of candidates that stay in one cell."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.sets.compile import njit
from codebreaker.sets.primitives import fold_cell
from codebreaker.types import Offsets, Scores

Flags = NDArray[np.bool_]


class ScoreBounds(NamedTuple):
    """Upper bounds on the scores at a turn's nodes.

    No score at node i exceeds `highest[i]`. Unless `at[i]` is −1, no partition with e pairs in one
    cell scores above bounds[at[i] + e]. `decides[i]`: separating all candidates beats any other
    partition.
    """

    highest: Scores
    bounds: Scores
    at: Offsets
    decides: Flags


@njit
def best_by_pairs(terms: Scores, takes_min: bool) -> Scores:
    """Return the best unweighted score of the partitions with e pairs in one cell, for each e.

    `terms` is (n + 1,) for a set of n; returns (n (n − 1) / 2 + 1,), −inf where e is impossible.
    Dynamic programme: the best of k candidates is the best of k − c, plus a cell of c.
    """
    n = len(terms) - 1
    best = np.full((n + 1, n * (n - 1) // 2 + 1), -np.inf)
    best[0, 0] = np.inf if takes_min else 0.0
    for k in range(1, n + 1):
        for c in range(1, k + 1):
            left, pairs = k - c, c * (c - 1) // 2
            for e in range(left * (left - 1) // 2 + 1):
                score = fold_cell(best[left, e], 1.0, terms[c], takes_min)
                best[k, e + pairs] = max(best[k, e + pairs], score)
    return best[n]
