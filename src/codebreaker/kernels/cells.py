"""The arithmetic of scores, as plain functions that every backend compiles for itself.

All values are exact integers held in float64 (`criteria.Criterion.terms`), so no order of
summation, fused multiply-add or vector width can change a result.
"""

from typing import NamedTuple

from codebreaker.types import Codes, Ids, Offsets, Scores


class Table(NamedTuple):
    """A game: feedback (n_secrets, n_guesses) uint8, and the guess that names each secret."""

    by_secret: Ids
    guess_of_secret: Codes


class Sets(NamedTuple):
    """Candidate sets: node i holds members[offsets[i]:offsets[i + 1]], in ascending order."""

    members: Codes
    offsets: Offsets


class Rule(NamedTuple):
    """How the guesses for one turn's nodes are scored and chosen.

    `terms` holds, from terms_at[i] on, the value of a cell of each size for node i; `weights` is
    (n_feedback,); `log_parts` is empty, or (n_feedback + 1,) divisors by the number of parts;
    a guess ties within tolerances[i] of node i's best, and within `tolerance_part` of its amount.
    """

    terms: Scores
    terms_at: Offsets
    tolerances: Scores
    tolerance_part: float
    weights: Scores
    log_parts: Scores
    takes_min: bool
    consistent_only: bool
    prefers_consistent: bool
    reverses: bool


def fold_cell(score: float, weight: float, term: float, takes_min: bool) -> float:
    """Fold one cell's weighted value into a score."""
    value = weight * term
    if takes_min:
        return min(score, value)
    return score + value


def wins_tie(guess: int, holder: int, reverses: bool) -> bool:
    """Return whether a tied guess takes the place of the one held, which is -1 for none."""
    return holder < 0 or (guess > holder) == reverses
