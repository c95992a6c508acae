"""The candidates after some moves of a game of any size: all of them, or a sample.

Three ways are tried in turn:

1. *listed*: all candidates, by constraints. Their number is exact.
2. *drawn*: codes drawn uniformly, of which candidates are kept. The sample is uniform by
   construction, and the share that is kept gives the number with a binomial interval.
3. *walked*: multilevel splitting in independent groups. The sample is uniform in the limit of long
   walks, and the groups' estimates give the number with Student's interval.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import exp, sqrt
from typing import NamedTuple

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.codes import BlackPegs, CodeRules
from codebreaker.games.feedback import colour_counts
from codebreaker.sampling.kernels import drawing, listing
from codebreaker.sampling.kernels.space import History, Space, Symbols
from codebreaker.statistics import critical
from codebreaker.types import Hashes

LISTED_NODES = 1 << 23
"""Partial codes that are tried to list all candidates, about 0.2 s."""

LISTED_MOST = 1 << 17
"""Maximum number of candidates listed."""

DRAWS_PER_SAMPLE = 512
"""Codes that are drawn for each candidate of the sample, about 0.1 ms."""

LEAST_FOUND = 1024
"""Minimum number of candidates that are drawn or walked, however small the sample.

With 16, the intervals held the true number of candidates in 5 of 100 small sets.
"""

GROUPS = 8
"""Independent groups of codes that walk, whose estimates are compared."""

STEPS = 48
"""Random steps of each code at a level."""

LEVEL = 0.95
"""The level of intervals."""


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


class Interval(NamedTuple):
    """A number with its 95% interval, whose ends are the number itself if it is exact."""

    value: float
    low: float
    high: float

    @property
    def is_exact(self) -> bool:
        """Whether the number is exact."""
        return self.low == self.high


def exactly(value: float) -> Interval:
    """Return an exact number."""
    return Interval(value, value, value)


@dataclass(frozen=True, eq=False)
class Candidates:
    """Candidates, (n, pegs), and their number: all of them if listed, otherwise a sample.

    A guess that is chosen by `codes` looks better by them than it is, so that it is judged by
    `others`: all listed candidates, or a sample that is independent of the first.
    """

    codes: Symbols
    others: Symbols
    how: How
    number: Interval


def space_of(rules: CodeRules) -> Space:
    """Return the secrets of a game."""
    return Space(
        pegs=rules.pegs,
        n_colours=rules.colours,
        is_unique=rules.unique or rules.distinct,
        has_whites=not isinstance(rules, BlackPegs),
    )


def number_of_secrets(rules: CodeRules) -> int:
    """Return the number of secrets of a game."""
    _, secrets = rules.table_shape
    return secrets


def history_of(rules: CodeRules, moves: Sequence[tuple[Sequence[int], tuple[int, int]]]) -> History:
    """Return moves, each a guess's colours from 0 and its black and white pegs, for the kernels."""
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

    A sample has as many as `samples`, or `LEAST_FOUND` if these are more, and fewer where walks end
    at the same codes. Raises `NoCandidateError` if no secret agrees with the moves, and
    `CodebreakerError` if none was found.
    """
    # 1. List them.
    listed = list_candidates(rules, history)
    if listed is not None:
        return listed
    # 2. Draw them.
    space = space_of(rules)
    secrets = number_of_secrets(rules)
    size = max(samples, LEAST_FOUND)
    room = np.empty((size, rules.pegs), np.uint8)
    n, draws = drawing.draw_candidates(space, history, room, DRAWS_PER_SAMPLE * size, state)
    if n == size:
        share = n / draws
        spread = critical(LEVEL, n) * sqrt((1 - share) / n)
        number = secrets * share
        estimate = Interval(number, number * (1 - spread), min(number * (1 + spread), secrets))
        first = size - size // GROUPS
        return Candidates(room[:first], room[first:], How.DRAWN, estimate)
    # 3. Walk to them.
    return _walk(space, history, secrets, room, state)


def list_candidates(rules: CodeRules, history: History) -> Candidates | None:
    """Return all candidates, or None if they are too many or take too long to list.

    Raises `NoCandidateError` if no secret agrees with the moves.
    """
    secrets = number_of_secrets(rules)
    if not len(history.blacks) and secrets > LISTED_MOST:
        return None
    room = np.empty((min(LISTED_MOST, secrets), rules.pegs), np.uint8)
    ended, n = listing.list_candidates(space_of(rules), history, room, LISTED_NODES)
    if ended != listing.COMPLETE:
        return None
    if n == 0:
        raise NoCandidateError
    listed = room[:n].copy()
    return Candidates(listed, listed, How.LISTED, exactly(n))


def _walk(space: Space, history: History, secrets: int, room: Symbols, state: Hashes) -> Candidates:
    """Return candidates found by walks, in groups that fill `room`, (samples, pegs)."""
    numbers = list[float]()
    ends = list[Symbols]()
    for group in np.array_split(room, GROUPS):
        n, log_share = drawing.draw_by_levels(space, history, group, STEPS, state)
        numbers.append(secrets * exp(log_share) if n else 0.0)
        ends.append(group[:n])
    # A small set is found again and again: each candidate counts once.
    codes = np.unique(np.concatenate(ends[:-1]), axis=0)
    others = np.unique(ends[-1], axis=0)
    if not len(codes):
        codes = others
    if not len(codes):
        raise CodebreakerError(
            "no secret was found that agrees with these moves, and whether one does is undecided"
        )
    if not len(others):
        others = codes
    # There are as many as were found, at least. One more can't be excluded: what is estimated is
    # never exact, unless all secrets were found.
    least = float(len(np.unique(np.concatenate(ends), axis=0)))
    mean = float(np.mean(numbers))
    spread = critical(LEVEL, GROUPS - 1) * float(np.std(numbers, ddof=1)) / sqrt(GROUPS)
    low = max(mean - spread, least)
    high = min(max(mean + spread, least + 1), secrets)
    return Candidates(codes, others, How.WALKED, Interval(max(mean, low), low, high))
