"""The arithmetic of scores, as plain functions that every backend compiles for itself.

All values are exact integers held in float64 (`policies.criteria.Criterion.terms`), so no order of
summation, fused multiply-add or vector width can change a result.
"""


def fold_cell(score: float, weight: float, term: float, takes_min: bool) -> float:
    """Fold one cell's weighted value into a score."""
    value = weight * term
    if takes_min:
        return min(score, value)
    return score + value


def wins_tie(guess: int, holder: int, reverses: bool) -> bool:
    """Return whether a tied guess replaces the one held so far, -1 for none."""
    return holder < 0 or (guess > holder) == reverses
