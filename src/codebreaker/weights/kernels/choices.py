"""Hash table from a candidate set and a row of weights to the chosen guess."""

from typing import NamedTuple

import numpy as np

from codebreaker.sets.compile import njit
from codebreaker.sets.primitives import Sets
from codebreaker.types import Hashes, Indices, Offsets

EMPTY = -2


class ChoiceCache(NamedTuple):
    """A hash table with open addressing and a power of two slots.

    `guess` (n_slots,) is EMPTY in a free slot; `zobrist` (n_secrets,) holds each secret's random
    word; `filled` (1,) counts the slots in use.
    """

    zobrist: Hashes
    key: Hashes
    guess: Indices
    filled: Offsets


@njit(nogil=True)
def keys_of(cache: ChoiceCache, sets: Sets, row_hashes: Hashes) -> Hashes:
    """Return the key of each node's set under its row of weights, (n_nodes,)."""
    keys = np.empty(len(sets.offsets) - 1, np.uint64)
    for node in range(len(keys)):
        key = row_hashes[node]
        for i in range(sets.offsets[node], sets.offsets[node + 1]):
            key ^= cache.zobrist[sets.members[i]]
        keys[node] = key
    return keys


@njit(nogil=True)
def look_up(cache: ChoiceCache, keys: Hashes, guesses: Indices) -> None:
    """Fill in cached guesses where a guess is −1."""
    mask = len(cache.key) - 1
    for node in range(len(keys)):
        slot = np.int64(keys[node] >> np.uint64(20)) & mask
        while guesses[node] == -1 and cache.guess[slot] != EMPTY:
            if cache.key[slot] == keys[node]:
                guesses[node] = cache.guess[slot]
            slot = (slot + 1) & mask


@njit(nogil=True)
def insert(cache: ChoiceCache, keys: Hashes, guesses: Indices) -> None:
    """Insert guesses by their keys; empty the table whenever it is half full."""
    mask = len(cache.key) - 1
    for node in range(len(keys)):
        if 2 * cache.filled[0] >= mask:
            cache.guess[:] = EMPTY
            cache.filled[0] = 0
        slot = np.int64(keys[node] >> np.uint64(20)) & mask
        while cache.guess[slot] != EMPTY:
            slot = (slot + 1) & mask
        cache.key[slot], cache.guess[slot] = keys[node], guesses[node]
        cache.filled[0] += 1
