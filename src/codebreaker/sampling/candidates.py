"""The candidates after some moves of a game of any size: all of them, or a sample.

Three ways are tried in turn:

1. *listed*: all candidates, by constraints. Their number is exact.
2. *drawn*: codes drawn uniformly, of which candidates are kept. The sample is uniform by
   construction, and the share that is kept gives the number with a binomial interval.
3. *walked*: multilevel splitting in independent groups. The sample is uniform in the limit of long
   walks, and the groups' estimates give the number with Student's interval.

Each way is a function that returns `Candidates`, or None if it is not for these moves; the last one
raises an error instead. `find_candidates` has their order, `How` a name for each, and
`advice.sampled.WAYS` the words for users. Limits are in `settings`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import exp, sqrt

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.codes import BlackPegs, CodeRules
from codebreaker.games.feedback import colour_counts
from codebreaker.sampling.interval import Interval, exactly
from codebreaker.sampling.kernels import drawing, listing
from codebreaker.sampling.kernels.space import History, Space, Symbols
from codebreaker.sampling.settings import (
    DRAWS_PER_SAMPLE,
    GROUPS,
    LEAST_FOUND,
    LISTED_NODES,
    MOST_LISTED,
    STEPS_AT_LEVEL,
)
from codebreaker.statistics import critical
from codebreaker.types import Hashes

CONFIDENCE = 0.95
"""The level of intervals."""

Pegs = tuple[int, int]
"""Black and white pegs. In the black-peg game the second number is ignored."""

PlayedCode = tuple[Sequence[int], Pegs]
"""A move: the colours of a guess, from 0, and its feedback."""


class NoCandidateError(CodebreakerError):
    """Moves contradict each other: no secret agrees with all of them."""

    def __init__(self) -> None:
        super().__init__("no secret agrees with these moves")


class How(StrEnum):
    """How candidates were found; those before the first move are only counted."""

    COUNTED = "counted"
    LISTED = "listed"
    DRAWN = "drawn"
    WALKED = "walked"


@dataclass(frozen=True, eq=False)
class Candidates:
    """Candidates by which a guess is chosen, (n, pegs), others that judge it, and their number.

    A guess that is chosen by `codes` looks better by them than it is. So a part of each sample is
    `held_out`: it has no part in the choice, and tells what the guess is expected to leave. Where
    all candidates are listed, both arrays have all of them; where they are only counted, none.
    `number` is that of all candidates, found or not.
    """

    codes: Symbols
    held_out: Symbols
    how: How
    number: Interval

    @property
    def are_all(self) -> bool:
        """Whether `codes` are all candidates, and not a sample."""
        return self.how is How.LISTED


def space_of(rules: CodeRules) -> Space:
    """Return the secrets of a game."""
    return Space(
        pegs=rules.pegs,
        n_colours=rules.colours,
        is_unique=rules.unique or rules.distinct,
        has_whites=not isinstance(rules, BlackPegs),
    )


def number_of_codes(rules: CodeRules) -> int:
    """Return the number of codes that may be guessed."""
    codes, _ = rules.table_shape
    return codes


def number_of_secrets(rules: CodeRules) -> int:
    """Return the number of secrets of a game."""
    _, secrets = rules.table_shape
    return secrets


def history_of(rules: CodeRules, moves: Sequence[PlayedCode]) -> History:
    """Return moves as the kernels read them."""
    guesses = np.array([guess for guess, _ in moves], np.uint8).reshape(-1, rules.pegs)
    pegs = np.array([feedback for _, feedback in moves], np.int64).reshape(-1, 2)
    copies = colour_counts(guesses, rules.colours)
    return History(
        guesses=np.ascontiguousarray(guesses.T),
        copies=np.ascontiguousarray(copies.T),
        blacks=np.ascontiguousarray(pegs[:, 0]),
        commons=pegs.sum(axis=1),
    )


def find_candidates(rules: CodeRules, history: History, samples: int, state: Hashes) -> Candidates:
    """Return all candidates, or a sample of them.

    A sample has `samples` codes, with those held out, or `LEAST_FOUND` if these are more; listed
    candidates may be more, and distinct walked ones fewer. `state` (1,) is the state of the random
    numbers, which this changes. Raises `NoCandidateError` if no secret agrees with the moves, and
    `CodebreakerError` if none was found.
    """
    listed = list_candidates(rules, history)
    if listed is not None:
        return listed
    size = max(samples, LEAST_FOUND)
    drawn = _draw_candidates(rules, history, size, state)
    if drawn is not None:
        return drawn
    return _walk_to_candidates(rules, history, size, state)


def list_candidates(rules: CodeRules, history: History) -> Candidates | None:
    """Return all candidates, or None if they are too many or take too long.

    Raises `NoCandidateError` if no secret agrees with the moves.
    """
    secrets = number_of_secrets(rules)
    has_moves = len(history.blacks) > 0
    if not has_moves and secrets > MOST_LISTED:
        return None
    room = np.empty((min(MOST_LISTED, secrets), rules.pegs), np.uint8)
    ended, n = listing.list_candidates(space_of(rules), history, room, LISTED_NODES)
    if ended != listing.COMPLETE:
        return None
    if n == 0:
        raise NoCandidateError
    codes = room[:n].copy()  # without the room that was not needed
    return Candidates(codes, codes, How.LISTED, exactly(n))


def _draw_candidates(
    rules: CodeRules, history: History, samples: int, state: Hashes
) -> Candidates | None:
    """Return candidates among codes drawn uniformly, or None if they are too rare for a sample.

    The interval of their number is the normal one of a share, with Student's score.
    """
    secrets = number_of_secrets(rules)
    room = np.empty((samples, rules.pegs), np.uint8)
    most_draws = DRAWS_PER_SAMPLE * samples
    n, draws = drawing.draw_candidates(space_of(rules), history, room, most_draws, state)
    if n < samples:
        return None
    share = n / draws
    spread = critical(CONFIDENCE, n) * sqrt((1 - share) / n)  # relative to the number
    number = secrets * share
    interval = Interval(number, number * (1 - spread), min(number * (1 + spread), secrets))
    n_choosing = samples - samples // GROUPS
    return Candidates(room[:n_choosing], room[n_choosing:], How.DRAWN, interval)


def _walk_to_candidates(
    rules: CodeRules, history: History, samples: int, state: Hashes
) -> Candidates:
    """Return candidates found by walks in independent groups, of which the last is held out.

    Raises `CodebreakerError` if no group found one.
    """
    space = space_of(rules)
    secrets = number_of_secrets(rules)
    room = np.empty((samples, rules.pegs), np.uint8)
    # 1. Each group has codes, and an estimate of the number of candidates.
    estimates = list[float]()
    found_by_group = list[Symbols]()
    for group in np.array_split(room, GROUPS):
        n, log_share = drawing.draw_by_levels(space, history, group, STEPS_AT_LEVEL, state)
        estimates.append(secrets * exp(log_share) if n else 0.0)
        found_by_group.append(group[:n])
    # 2. A small set is found again and again: each candidate counts once.
    codes = np.unique(np.concatenate(found_by_group[:-1]), axis=0)
    held_out = np.unique(found_by_group[-1], axis=0)
    if not len(codes):
        codes = held_out
    if not len(codes):
        raise CodebreakerError(
            "no secret was found that agrees with these moves, and whether one does is undecided"
        )
    if not len(held_out):
        held_out = codes
    # 3. The number by all groups. It can't be less than the codes found, and may be one more: an
    #    estimate is never exact, unless all secrets of the game were found.
    least = float(len(np.unique(np.concatenate(found_by_group), axis=0)))
    mean = float(np.mean(estimates))
    deviation = float(np.std(estimates, ddof=1))
    spread = critical(CONFIDENCE, GROUPS - 1) * deviation / sqrt(GROUPS)
    low = max(mean - spread, least)
    high = min(max(mean + spread, least + 1), secrets)
    return Candidates(codes, held_out, How.WALKED, Interval(max(mean, low), low, high))
