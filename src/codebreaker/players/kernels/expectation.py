"""Random consistent play: its expected profile, and its length against a devious codemaker.

A profile is the expected number of secrets solved at each turn. The codemaker's value is cached as
a profile of one turn.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.sets.compile import njit
from codebreaker.sets.memo import find, key_of
from codebreaker.types import FeedbackIds, Hashes, Indices, Offsets, Scores

TOO_DEEP = -1
SMALLEST = 4
"""Smaller sets are not looked up: computing their values is faster."""

ENTRIES, VALUES = range(2)
"""Positions in `ExpectationWorkspace.used`: the numbers of slots and values in use."""


class ExpectationWorkspace(NamedTuple):
    """A game, a memo, and working memory by depth; for shapes see `make_workspace`.

    A slot's third word (`sets.memo`) is 2^16 · its profile's start in `values`, plus its length.
    """

    by_secret: FeedbackIds
    guess_of_secret: Indices
    solved: int
    words: Hashes
    slots: Hashes
    values: Scores
    used: Offsets
    members: Indices
    offsets: Offsets
    profiles: Scores


@njit(nogil=True)
def expect(work: ExpectationWorkspace, depth: int, members: Indices) -> int:
    """Compute a set's profile in profiles[depth]; return its length, or TOO_DEEP."""
    profile = work.profiles[depth]
    n = len(members)
    if n <= 2:
        profile[:n] = 1.0
        return n
    if n == 3:
        return _expect_three(work, profile, members)
    if depth >= len(work.members):
        return TOO_DEEP
    key = key_of(work.words, members, 0)
    kept = _kept(work, key)
    if len(kept) > 0:
        for i in range(len(kept)):
            profile[i] = kept[i]
        return len(kept)
    profile[:] = 0.0
    length = 1
    for candidate in members:
        turns = add_profile(work, depth, members, work.guess_of_secret[candidate], 1.0 / n)
        if turns < 0:
            return turns
        length = max(length, turns)
    _store(work, key, profile[:length])
    return length


@njit(nogil=True)
def _expect_three(work: ExpectationWorkspace, profile: Scores, members: Indices) -> int:
    share = 1.0 / 3
    length = 2
    profile[:3] = 0.0
    for i in range(3):
        guess = work.guess_of_secret[members[i]]
        one = members[i - 2]
        other = members[i - 1]
        last = 2 if work.by_secret[one, guess] == work.by_secret[other, guess] else 1
        for turn in (0, 1, last):
            profile[turn] += share
        length = max(length, last + 1)
    return length


@njit(nogil=True, inline="always")
def add_profile(
    work: ExpectationWorkspace, depth: int, members: Indices, guess: int, share: float
) -> int:
    """Add a share of a set's profile after a guess; return as `expect`."""
    profile = work.profiles[depth]
    below = work.profiles[depth + 1]
    cells = work.members[depth]
    offsets = work.offsets[depth]
    length = 1
    _split(work, depth, members, guess)
    for f in range(len(offsets) - 1):
        n = offsets[f + 1] - offsets[f]
        if f == work.solved:
            profile[0] += share * n
        elif n > 0 and n <= 2:
            for i in range(1, n + 1):
                profile[i] += share
            length = max(length, n + 1)
        elif n > 2:
            turns = expect(work, depth + 1, cells[offsets[f] : offsets[f + 1]])
            if not 0 <= turns < len(profile):
                return TOO_DEEP
            for turn in range(turns):
                profile[turn + 1] += share * below[turn]
            length = max(length, turns + 1)
    return length


@njit(nogil=True)
def _split(work: ExpectationWorkspace, depth: int, members: Indices, guess: int) -> None:
    cells = work.members[depth]
    offsets = work.offsets[depth]
    offsets[:] = 0
    for member in members:
        offsets[work.by_secret[member, guess]] += 1
    filled = 0
    for f in range(len(offsets) - 1):
        filled += offsets[f]
        offsets[f] = filled
    offsets[-1] = filled
    for i in range(len(members) - 1, -1, -1):
        f = work.by_secret[members[i], guess]
        offsets[f] -= 1
        cells[offsets[f]] = members[i]


@njit(nogil=True)
def _kept(work: ExpectationWorkspace, key: tuple[np.uint64, np.uint64]) -> Scores:
    place = np.int64(work.slots[find(work.slots, len(work.slots), key), 2])
    return work.values[place >> 16 : (place >> 16) + (place & 0xFFFF)]


@njit(nogil=True)
def _store(work: ExpectationWorkspace, key: tuple[np.uint64, np.uint64], profile: Scores) -> None:
    used = work.used
    start = work.used[VALUES]
    if 4 * used[ENTRIES] >= 3 * len(work.slots) or start + len(profile) > len(work.values):
        return
    slot = find(work.slots, len(work.slots), key)
    work.slots[slot, 0], work.slots[slot, 1] = key
    work.slots[slot, 2] = np.uint64((start << 16) + len(profile))
    for i in range(len(profile)):
        work.values[start + i] = profile[i]
    used[ENTRIES] += 1
    used[VALUES] += len(profile)


@njit(nogil=True)
def value_of(work: ExpectationWorkspace, depth: int, members: Indices) -> float:
    """Return a set's expected guesses, infinite if it is too deep."""
    n = len(members)
    if n <= 2:
        return float(n)
    if depth >= len(work.members):
        return np.inf
    key = key_of(work.words, members, 0)
    if n >= SMALLEST:
        kept = _kept(work, key)
        if len(kept) > 0:
            return float(kept[0])
    total = 0.0
    for candidate in members:
        guess = work.guess_of_secret[candidate]
        _split(work, depth, members, guess)
        offsets = work.offsets[depth]
        largest = 0.0
        for f in range(len(offsets) - 1):
            size = offsets[f + 1] - offsets[f]
            # A cell's value is at most its size: each guess rules itself out.
            if f != work.solved and size > largest:
                cell = work.members[depth][offsets[f] : offsets[f + 1]]
                largest = max(largest, value_of(work, depth + 1, cell))
        total += largest
    value = 1.0 + total / n
    if n >= SMALLEST:
        profile = work.profiles[depth]
        profile[0] = value
        _store(work, key, profile[:1])
    return value
