"""Candidate sets and what every loop over them does, compiled for the CPU."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numba.extending import intrinsic, overload

from codebreaker.compiling.cpu import compiled, inner, njit
from codebreaker.sets import arithmetic
from codebreaker.types import Hashes, Indices, Offsets, Scores

GOLDEN = 0x9E3779B97F4A7C15
"""The multiplier of hashes, 2**64 over the golden ratio."""

Source = TypeVar("Source")

_compiled = compiled(arithmetic, njit(inline="always"))
pack_cell = _compiled.pack_cell
unpack_cell = _compiled.unpack_cell
fold_cell = _compiled.fold_cell
tie_threshold = _compiled.tie_threshold
in_tie_order = _compiled.in_tie_order
tie_rank = _compiled.tie_rank
exchange_colours = _compiled.exchange_colours
find_slot = _compiled.find_slot
steps_between = _compiled.steps_between
insert_leader = _compiled.insert_leader


@inner
def sort_positions(keys: Offsets, positions: Indices) -> None:
    """Write the positions of keys, (n,), by ascending key, equal keys by position.

    This is Shell's sort: `np.argsort` takes longer to compile than the rest of a caller.
    """
    n = len(positions)
    for k in range(n):
        positions[k] = k
    gap = 1
    while gap < n:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(gap, n):
            position = positions[k]
            key = keys[position]
            to = k
            while to >= gap:
                other = positions[to - gap]
                if keys[other] < key or (keys[other] == key and other < position):
                    break
                positions[to] = other
                to -= gap
            positions[to] = position
        gap //= 3


class Sets(NamedTuple):
    """Candidate sets: node i has members[offsets[i]:offsets[i + 1]], in ascending order."""

    members: Indices
    offsets: Offsets


class ScoringRule(NamedTuple):
    """How guesses are scored and chosen at a turn's nodes.

    From terms_at[i] on, `terms` holds the value of a cell of each size at node i. Guesses tie
    within tolerances[i] plus `tolerance_part` of the best score's magnitude.
    """

    terms: Scores
    terms_at: Offsets
    tolerances: Scores
    tolerance_part: float
    weights: Scores  # (n_feedback,)
    log_parts: Scores  # the divisor by number of parts, (n_feedback + 1,), or empty
    takes_min: bool
    consistent_only: bool
    prefers_consistent: bool
    reverses: bool


def bit_count(word: np.integer[Any]) -> int:
    """Count a word's ones; compiled, in its type."""
    return int(word).bit_count()


# In Python `bit_count` is the method of int; Numba compiles it to the processor's instruction.
@intrinsic
def _bit_count(context, word):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    return word(word), lambda _, builder, __, arguments: builder.ctpop(arguments[0])


overload(bit_count)(lambda word: lambda word: _bit_count(word))


@njit(inline="always")
def find_separator(
    label: Callable[[Source, int, int], int],
    source: Source,
    members: Indices,
    most: int,
    reverses: bool,
    stamps: Indices,
) -> tuple[int, int]:
    """Return the index of the first candidate in tie order that separates all members, and 0.

    If none does and `most` is 1, return the first that leaves one pair in a cell, and 1; else −1
    and 2. The index is one of `members`. `label(source, candidate, member)` is a member's cell;
    `stamps` (n_labels,) is working memory. The exact search has a faster version for few labels
    (MM(4,7): 1.8 s, not 2.0 s).
    """
    n = len(members)
    nearly = -1
    # stamps[label] is the last candidate that had a member there, so it needs no clearing.
    stamps[:] = -1
    for i in range(n):
        candidate = n - 1 - i if reverses else i
        repeats = 0
        for j in range(n):
            cell = label(source, members[candidate], members[j])
            repeats += stamps[cell] == i
            stamps[cell] = i
            if repeats > most:
                break
        if repeats == 0:
            return candidate, 0
        if repeats <= most and nearly < 0:
            nearly = candidate
    return nearly, 1 if nearly >= 0 else 2


@njit(nogil=True, forceinline=True)
def mix(word: np.uint64) -> np.uint64:
    """Return the hash of a word: the finaliser of splitmix64, which maps words one to one."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@njit(nogil=True, forceinline=True)
def draw(state: Hashes, below: int) -> int:
    """Return a random integer from 0 to below − 1 (splitmix64, its upper 32 bits)."""
    # splitmix64: Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators".
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = mix(state[0])
    # Scaling 32 random bits needs no division; its bias is below `below` / 2^32.
    return int(np.int64(((mixed >> np.uint64(32)) * np.uint64(below)) >> np.uint64(32)))
