"""Inputs of the compiled loops: candidate sets, and the rule that scores guesses."""

from typing import NamedTuple

from codebreaker.types import Indices, Offsets, Scores


class Sets(NamedTuple):
    """Candidate sets: node i has members[offsets[i]:offsets[i + 1]], in ascending order."""

    members: Indices
    offsets: Offsets


class ScoringRule(NamedTuple):
    """How guesses are scored and chosen at the nodes of one turn.

    From terms_at[i] on, `terms` holds the value of a cell of each size at node i; `weights` is
    (n_feedback,); `log_parts` is empty, or the divisor for each number of parts, (n_feedback + 1,).
    A guess ties with the best of node i within tolerances[i] plus `tolerance_part` of the best
    score's magnitude.
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
