"""Upper bounds on the scores of partitions, so that few guesses need a score in small sets."""

from functools import lru_cache

import numpy as np

from codebreaker.sets.primitives import ScoringRule
from codebreaker.trees.kernels import bounds as kernel
from codebreaker.trees.kernels.bounds import ScoreBounds
from codebreaker.types import Offsets, Scores

LARGEST_BOUNDED = 64
"""The largest candidate set whose scores are bounded by the pairs in one cell."""


def score_bounds(rule: ScoringRule, sizes: Offsets, n_feedback: int) -> ScoreBounds:
    """Return upper bounds on the scores at the nodes of a turn, by the sizes of their sets."""
    low, high = float(rule.weights.min()), float(rule.weights.max())
    limits = ScoreBounds(
        highest=np.full(len(sizes), np.inf),
        bounds=np.empty(0),
        at=np.full(len(sizes), -1, np.int64),
        decides=np.zeros(len(sizes), np.bool_),
    )
    flat, filled = [limits.bounds], 0
    for size in np.unique(sizes[sizes > 1]).tolist():
        nodes = np.flatnonzero(sizes == size)
        start = rule.terms_at[nodes[0]]
        terms = rule.terms[start : start + size + 1]
        if not terms[:size].any():
            limits.highest[nodes] = 0.0
        if size > LARGEST_BOUNDED or len(rule.log_parts):
            continue
        bounds = _best_by_pairs(terms.tobytes(), rule.takes_min)
        bounds = np.where(bounds > 0, high, low) * bounds
        best, rest = bounds.max(), bounds[1:].max()
        tolerance = rule.tolerances[nodes[0]] + rule.tolerance_part * abs(best)
        limits.highest[nodes], limits.at[nodes] = best, filled
        limits.decides[nodes] = low == high and size <= n_feedback and rest < best - tolerance
        flat.append(bounds)
        filled += len(bounds)
    return limits._replace(bounds=np.concatenate(flat))


@lru_cache(maxsize=4096)
def _best_by_pairs(terms: bytes, takes_min: bool) -> Scores:
    bounds: Scores = kernel.best_by_pairs(np.frombuffer(terms), takes_min)
    return bounds
