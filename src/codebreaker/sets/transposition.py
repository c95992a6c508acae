"""The transposition table: minimum totals and lower bounds of candidate sets by their keys.

It is a hash table with open addressing.

A set's key is two words of 64 bits, so different sets share one with probability 2⁻¹²⁸.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.compiling.cpu import inner, njit
from codebreaker.sets.primitives import GOLDEN
from codebreaker.types import Counts, Hashes, Indices

UNSEEN, LOWER, EXACT = range(3)
"""States of a slot: empty, a lower bound, a minimum total with its guess."""

NONE = np.int64(-1)
"""No guess; typed, so that `store` is compiled once."""


class TranspositionTable(NamedTuple):
    """The slots of a table, and the words of its keys.

    A slot has the two words of a key and a packed result (`_pack_result`), or 0 in all three. The
    table grows within its memory: it begins with a part of the slots and doubles.
    """

    words: Hashes  # (n_secrets, 2): random words, of which a set's key is the exclusive or
    slots: Hashes  # (n_slots, 3 or more), n_slots a power of two
    used: Counts  # (2,): filled slots; slots of the table, a power of two


@njit(nogil=True, inline="always")
def _pack_result(state: int, guess: int, total: int) -> np.uint64:
    """Return a result as one word: 2 bits of state, 31 of guess + 1 and 31 of total."""
    return (
        (np.uint64(state) << np.uint64(62))
        | (np.uint64(guess + 1) << np.uint64(31))
        | np.uint64(total)
    )


@njit(nogil=True, inline="always")
def _unpack_result(word: np.uint64) -> tuple[int, int, int]:
    """Return the state, the total and the guess."""
    total = int(np.int64(word & np.uint64(0x7FFFFFFF)))
    guess = int(np.int64((word >> np.uint64(31)) & np.uint64(0x7FFFFFFF))) - 1
    return int(np.int64(word >> np.uint64(62))), total, guess


@inner
def key_of(words: Hashes, members: Indices, left: int) -> tuple[np.uint64, np.uint64]:
    """Return the two words of a set's key; `left` tells apart searches of one set.

    For example, it is the number of guesses left, or a hash of weights.
    """
    first = np.uint64(left) * np.uint64(GOLDEN)
    second = np.uint64(left)
    for member in members:
        first ^= words[member, 0]
        second ^= words[member, 1]
    return first, second


@inner
def find(slots: Hashes, size: int, key: tuple[np.uint64, np.uint64]) -> int:
    """Return the slot of a key among the first `size`, or the free slot for it."""
    mask = np.uint64(size - 1)
    slot = key[0] & mask
    while slots[slot, 2] != 0 and (slots[slot, 0] != key[0] or slots[slot, 1] != key[1]):
        slot = (slot + np.uint64(1)) & mask
    return int(np.int64(slot))


@inner
def add(memo: TranspositionTable, key: tuple[np.uint64, np.uint64]) -> int:
    """Return the slot of a key, added if it was missing, or −1 if there is no room."""
    slots = memo.slots
    used = memo.used
    slot = find(slots, used[1], key)
    if slots[slot, 2] != 0:
        return slot
    # At three quarters full, double the table and insert all entries again.
    if 4 * used[0] >= 3 * used[1]:
        if used[1] == len(slots):
            return -1
        entries = slots[: used[1]].copy()
        slots[: used[1]] = 0
        used[1] *= 2
        for old in range(len(entries)):
            if entries[old, 2] != 0:
                slot = find(slots, used[1], (entries[old, 0], entries[old, 1]))
                # Word by word, as the assignment of a row takes seconds to compile.
                for word in range(slots.shape[1]):
                    slots[slot, word] = entries[old, word]
        slot = find(slots, used[1], key)
    used[0] += 1
    slots[slot, 0] = key[0]
    slots[slot, 1] = key[1]
    return slot


@inner
def read(slots: Hashes, slot: int) -> tuple[int, int, int]:
    """Return a slot's state, total and guess."""
    return _unpack_result(slots[slot, 2])


@inner
def store(
    memo: TranspositionTable, key: tuple[np.uint64, np.uint64], total: int, guess: int
) -> int:
    """Store a minimum total with its guess, or a lower bound with NONE; return it.

    If there is no room, nothing is stored, which costs time but changes no result.
    """
    slot = add(memo, key)
    if slot >= 0:
        memo.slots[slot, 2] = _pack_result(LOWER if guess < 0 else EXACT, guess, total)
    return total
