"""What the compiled loops of trees take: candidate sets, and the rule that scores guesses."""

from typing import NamedTuple

from codebreaker.types import Indices, Offsets, Scores


class Sets(NamedTuple):
    """Candidate sets: node i holds members[offsets[i]:offsets[i + 1]], in ascending order."""

    members: Indices
    offsets: Offsets


class ScoringRule(NamedTuple):
    """How the guesses for one turn's nodes are scored and chosen.

    `terms` holds, from terms_at[i] on, the value of a cell of each size for node i; `weights` is
    (n_feedback,); `log_parts` is empty, or (n_feedback + 1,) divisors by the number of parts.
    A guess ties when its score is within tolerances[i] of node i's best, or within
    `tolerance_part` of the best score's magnitude.
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
