"""Random consistent play: its expected profile, and its length against a devious codemaker.

A profile is the expected number of secrets solved at each turn. The codemaker's value is cached as
a profile of one turn.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.compiling.cpu import inner, njit
from codebreaker.sets.transposition import find, key_of
from codebreaker.types import Counts, FeedbackIds, Hashes, Indices, Offsets, Scores

TOO_DEEP = -1
"""The length of a profile that needs more depths than the workspace has."""

SMALLEST = 4
"""Smaller sets are not looked up: computing their values is faster."""

LENGTH_BITS = 16
"""Bits of a packed profile that hold its length: see `pack_profile`."""

ENTRIES, VALUES = range(2)
"""Positions in `ExpectationWorkspace.used`: the numbers of slots and values in use."""


class ExpectationWorkspace(NamedTuple):
    """A game, a memo of sets' profiles, and working memory by depth.

    The memo survives all calls; the working memory of a depth is overwritten by each call at it.
    """

    by_secret: FeedbackIds
    """The game's feedback ids, (n_secrets, n_guesses)."""

    guess_of_secret: Indices
    """Each secret's guess, (n_secrets,)."""

    solved: int
    """The feedback id of solved."""

    words: Hashes
    """Random words for the keys of sets."""

    slots: Hashes
    """The memo's hash table, (n_slots, 3): the two words of a set's key, and a packed profile."""

    values: Scores
    """The memo's profiles, one after another."""

    used: Counts
    """The numbers of slots and of values in use, (2,): ENTRIES and VALUES."""

    members: Indices
    """A set's members by feedback to the guess at hand, (n_depths, n_secrets)."""

    offsets: Offsets
    """Where the members of each feedback id start, (n_depths, n_feedback + 1)."""

    profiles: Scores
    """Expected secrets solved at each turn from the depth on, (n_depths + 1, n_depths + 1)."""


@njit(nogil=True, inline="always")
def pack_profile(start: int, length: int) -> np.uint64:
    """Return where a profile starts in `values`, and its length, in one word."""
    return np.uint64((start << LENGTH_BITS) + length)


@njit(nogil=True, inline="always")
def unpack_profile(word: np.uint64) -> tuple[int, int]:
    """Return where a profile starts in `values`, and its length; (0, 0) for an empty slot."""
    packed = np.int64(word)
    return int(packed >> LENGTH_BITS), int(packed & ((1 << LENGTH_BITS) - 1))


@inner
def expect(work: ExpectationWorkspace, depth: int, members: Indices) -> int:
    """Compute a set's profile in profiles[depth]; return its length, or TOO_DEEP.

    The profile is of random consistent play: each candidate is the next guess with probability 1/n.
    """
    profile = work.profiles[depth]
    n = len(members)
    # 1. Sets whose profile is known without a table: of two, each turn solves one.
    if n <= 2:
        profile[:n] = 1.0
        return n
    if n == 3:
        return _expect_three(work, profile, members)
    if depth >= len(work.members):
        return TOO_DEEP
    # 2. Sets that are in the memo.
    key = key_of(work.words, members, 0)
    known = _known_profile(work, key)
    if len(known) > 0:
        for i in range(len(known)):
            profile[i] = known[i]
        return len(known)
    # 3. The mean over all candidates.
    profile[:] = 0.0
    length = 1
    for candidate in members:
        turns = add_profile(work, depth, members, work.guess_of_secret[candidate], 1.0 / n)
        if turns < 0:
            return turns
        length = max(length, turns)
    _store(work, key, profile[:length])
    return length


@inner
def _expect_three(work: ExpectationWorkspace, profile: Scores, members: Indices) -> int:
    """Compute the profile of three candidates; return its length.

    A guess solves itself. If it separates the other two, both are solved at the second turn; else
    one at the second and one at the third.
    """
    share = 1.0 / 3
    length = 2
    profile[:3] = 0.0
    for i in range(3):
        guess = work.guess_of_secret[members[i]]
        # Negative indices wrap around: these are the other two members.
        second = members[i - 2]
        third = members[i - 1]
        last = 2 if work.by_secret[second, guess] == work.by_secret[third, guess] else 1
        for turn in (0, 1, last):
            profile[turn] += share
        length = max(length, last + 1)
    return length


@njit(nogil=True, inline="always")
def add_profile(
    work: ExpectationWorkspace, depth: int, members: Indices, guess: int, share: float
) -> int:
    """Add a share of a set's profile after a guess to profiles[depth]; return as `expect`."""
    profile = work.profiles[depth]
    below = work.profiles[depth + 1]
    cells = work.members[depth]
    offsets = work.offsets[depth]
    length = 1
    _split(work, depth, members, guess)
    for f in range(len(offsets) - 1):
        n = offsets[f + 1] - offsets[f]
        # A cell's profile starts one turn later.
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


@inner
def _split(work: ExpectationWorkspace, depth: int, members: Indices, guess: int) -> None:
    """Sort members by their feedback to a guess into members[depth], with offsets[depth].

    A counting sort: the members of each feedback id stay in ascending order.
    """
    cells = work.members[depth]
    offsets = work.offsets[depth]
    offsets[:] = 0
    for member in members:
        offsets[work.by_secret[member, guess]] += 1
    # Each cell's end, and then, filling cells from their ends, its start.
    filled = 0
    for f in range(len(offsets) - 1):
        filled += offsets[f]
        offsets[f] = filled
    offsets[-1] = filled
    for i in range(len(members) - 1, -1, -1):
        f = work.by_secret[members[i], guess]
        offsets[f] -= 1
        cells[offsets[f]] = members[i]


@inner
def _known_profile(work: ExpectationWorkspace, key: tuple[np.uint64, np.uint64]) -> Scores:
    """Return a set's profile from the memo, empty if it is not there."""
    slot = find(work.slots, len(work.slots), key)
    start, length = unpack_profile(work.slots[slot, 2])
    return work.values[start : start + length]


@inner
def _store(work: ExpectationWorkspace, key: tuple[np.uint64, np.uint64], profile: Scores) -> None:
    """Add a set's profile to the memo, unless it is full: sets left out are computed again."""
    used = work.used
    start = work.used[VALUES]
    # A table that is at most three quarters full has short searches, and an empty slot for each.
    if 4 * used[ENTRIES] >= 3 * len(work.slots) or start + len(profile) > len(work.values):
        return
    slot = find(work.slots, len(work.slots), key)
    work.slots[slot, 0], work.slots[slot, 1] = key
    work.slots[slot, 2] = pack_profile(start, len(profile))
    for i in range(len(profile)):
        work.values[start + i] = profile[i]
    used[ENTRIES] += 1
    used[VALUES] += len(profile)


@njit(nogil=True)
def value_of(work: ExpectationWorkspace, depth: int, members: Indices) -> float:
    """Return a set's expected guesses against the devious codemaker, infinite if it is too deep.

    One guess, plus the mean over candidates, as guesses, of the largest value of a cell.
    """
    n = len(members)
    if n <= 2:
        return float(n)
    if depth >= len(work.members):
        return np.inf
    key = key_of(work.words, members, 0)
    if n >= SMALLEST:
        known = _known_profile(work, key)
        if len(known) > 0:
            return float(known[0])
    total = 0.0
    for candidate in members:
        guess = work.guess_of_secret[candidate]
        _split(work, depth, members, guess)
        offsets = work.offsets[depth]
        largest = 0.0
        for f in range(len(offsets) - 1):
            size = offsets[f + 1] - offsets[f]
            # A cell's value is at most its size, as each guess rules itself out: a cell that is no
            # larger than the largest value so far can be left out.
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
