"""The expected profile of guessing a random candidate, by recursion over candidate sets.

A set's profile is how many of its members are solved at each turn from its own first one on, in
expectation: the mean over all members as the guess, each solved at once and followed by the
profiles of its cells a turn later. A memo, found by two random words for each member, keeps
profiles while there is room.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.arithmetic.compile import njit
from codebreaker.types import FeedbackIds, Hashes, Indices, Offsets, Scores

TOO_DEEP = -1
"""Returned where the working memory has no room for the depth."""

SMALLEST = 4
"""Smaller sets are quicker to compute than to find in the memo."""

ENTRIES, VALUES = range(2)
"""Positions in `Walk.used`: what is filled of the memo's slots and of its values."""


class Walk(NamedTuple):
    """A game, a memo, and working memory by depth.

    `zobrist` is (n_secrets, 2). Of the memo's slots: `first` and `second` words of the key,
    and the profile of `length` turns from `start` on in `values`; length 0 where nothing is held.
    By depth: `members` (n_depths, n_secrets) of the cells, which start `at`
    (n_depths, n_feedback + 1), and `profiles` (n_depths + 1, n_depths + 1).
    """

    by_secret: FeedbackIds
    guess_of_secret: Indices
    solved: int
    zobrist: Hashes
    first: Hashes
    second: Hashes
    start: Offsets
    length: Indices
    values: Scores
    used: Offsets
    members: Indices
    at: Offsets
    profiles: Scores


@njit(nogil=True)
def expect(walk: Walk, depth: int, members: Indices) -> int:
    """Put a set's expected profile into profiles[depth]; return its length, or TOO_DEEP."""
    profile, n = walk.profiles[depth], len(members)
    if n <= 2:
        profile[:n] = 1.0
        return n
    if n == 3:
        return _expect_three(walk, profile, members)
    if depth >= len(walk.members):
        return TOO_DEEP
    first, second = np.uint64(n), np.uint64(n)
    slot = -1
    if n >= SMALLEST:
        for member in members:
            first ^= walk.zobrist[member, 0]
            second ^= walk.zobrist[member, 1]
        slot = _find(walk, first, second)
        length = walk.length[slot]
        if length > 0:
            profile[:length] = walk.values[walk.start[slot] : walk.start[slot] + length]
            return length
    profile[:] = 0.0
    length = 1
    for candidate in members:
        below = follow(walk, depth, members, walk.guess_of_secret[candidate], 1.0 / n)
        if below < 0:
            return below
        length = max(length, below)
    if slot >= 0:
        _store(walk, first, second, profile[:length])
    return length


@njit(nogil=True)
def _expect_three(walk: Walk, profile: Scores, members: Indices) -> int:
    """Put the expected profile of three candidates into an array; return its length."""
    share, length = 1.0 / 3, 2
    profile[:3] = 0.0
    for i in range(3):
        guess = walk.guess_of_secret[members[i]]
        one, other = members[i - 2], members[i - 1]
        profile[0] += share
        profile[1] += share
        if walk.by_secret[one, guess] == walk.by_secret[other, guess]:
            profile[2] += share
            length = 3
        else:
            profile[1] += share
    return length


@njit(nogil=True, inline="always")
def follow(walk: Walk, depth: int, members: Indices, guess: int, share: float) -> int:
    """Add a share of a set's profile, if a guess is played, to profiles[depth].

    Returns the profile's length, or TOO_DEEP.
    """
    profile, below = walk.profiles[depth], walk.profiles[depth + 1]
    cells, at, length = walk.members[depth], walk.at[depth], 1
    _split(walk, depth, members, guess)
    for f in range(len(at) - 1):
        n = at[f + 1] - at[f]
        if f == walk.solved:
            profile[0] += share * n
        elif n > 0 and n <= 2:
            profile[1 : n + 1] += share
            length = max(length, n + 1)
        elif n > 2:
            turns = expect(walk, depth + 1, cells[at[f] : at[f + 1]])
            if not 0 <= turns < len(profile):
                return TOO_DEEP
            for turn in range(turns):
                profile[turn + 1] += share * below[turn]
            length = max(length, turns + 1)
    return length


@njit(nogil=True)
def _split(walk: Walk, depth: int, members: Indices, guess: int) -> None:
    """Lay out the cells of a guess."""
    cells, at = walk.members[depth], walk.at[depth]
    at[:] = 0
    for member in members:
        at[walk.by_secret[member, guess]] += 1
    filled = 0
    for f in range(len(at) - 1):
        filled += at[f]
        at[f] = filled
    at[-1] = filled
    for i in range(len(members) - 1, -1, -1):
        f = walk.by_secret[members[i], guess]
        at[f] -= 1
        cells[at[f]] = members[i]


@njit(nogil=True)
def _find(walk: Walk, first: np.uint64, second: np.uint64) -> int:
    """Return the slot of a key, or the one where it would stand."""
    mask = len(walk.length) - 1
    slot = np.int64(first & np.uint64(mask))
    while walk.length[slot] > 0 and (walk.first[slot] != first or walk.second[slot] != second):
        slot = (slot + 1) & mask
    return int(slot)


@njit(nogil=True)
def _store(walk: Walk, first: np.uint64, second: np.uint64, profile: Scores) -> None:
    """Remember a profile, if there is room."""
    used, start = walk.used, walk.used[VALUES]
    if 4 * used[ENTRIES] >= 3 * len(walk.length) or start + len(profile) > len(walk.values):
        return
    slot = _find(walk, first, second)
    walk.first[slot], walk.second[slot] = first, second
    walk.start[slot], walk.length[slot] = start, len(profile)
    walk.values[start : start + len(profile)] = profile
    used[ENTRIES] += 1
    used[VALUES] += len(profile)
