"""What a thread needs to value sets: a game, what is rolled out, a memo, and working memory."""

from typing import NamedTuple

from codebreaker.search.kernels.rollout_rules import Room, Rules
from codebreaker.sets.primitives import ScoringRule
from codebreaker.types import FeedbackIds, Hashes, Indices, Offsets, Scores


class Plan(NamedTuple):
    """What is rolled out: the rule's terms, tolerances and order, indexed by the sizes of sets.

    Its `terms_at` is −1 for sizes without terms.

    `weights` (n_turns, n_previous, n_feedback) replace the rule's; the last turn serves all later
    ones. `widths` (n_turns,) are the numbers of guesses to try by turn, from 1 on, likewise.
    `bounds` (n_secrets + 1,) are lower bounds of totals by size; sets of up to `exact` are valued
    exactly.
    """

    rule: ScoringRule
    weights: Scores
    widths: Offsets
    bounds: Indices
    exact: int


class Memo(NamedTuple):
    """Totals of sets under two words, open addressing; `filled` (1,) counts the slots in use."""

    zobrist: Hashes
    first: Hashes
    second: Hashes
    total: Indices
    state: FeedbackIds
    filled: Offsets


class Frames(NamedTuple):
    """Working memory by depth.

    The cells of the guess that is tried, `members` (n_depths, n_secrets) and `at` (n_depths,
    n_feedback + 1), with their `values` and whether these are `exact`, (n_depths, n_feedback); the
    guesses to try, `options` (n_depths, n_guesses); by each its number of `parts`; the keys of the
    partitions that were `seen`, (n_depths, SEEN). `winner` (1,) is the best of the given guesses,
    `missing` (1,) the size of a set whose terms the plan lacks; `none` is empty.
    """

    members: Indices
    at: Offsets
    values: Offsets
    exact: FeedbackIds
    options: Indices
    parts: FeedbackIds
    seen: Hashes
    winner: Indices
    missing: Indices
    none: Indices


class Workshop(NamedTuple):
    """All that a thread needs to value sets."""

    rules: Rules
    plan: Plan
    memo: Memo
    frames: Frames
    room: Room
