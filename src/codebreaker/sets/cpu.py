"""The shared arithmetic, compiled for the CPU's loops."""

from codebreaker.sets import codes, scores
from codebreaker.sets.compile import njit
from codebreaker.sets.wrap import compiled

GOLDEN = 0x9E3779B97F4A7C15
"""The multiplier of hashes, 2**64 over the golden ratio."""

_scores = compiled(scores, njit(inline="always"))
fold_cell, tie_threshold = _scores.fold_cell, _scores.tie_threshold
in_tie_order, tie_rank = _scores.in_tie_order, _scores.tie_rank
exchange_colours = njit(nogil=True)(codes.exchange_colours)
