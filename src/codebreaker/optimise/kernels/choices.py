"""Known choices: the guess of a candidate set under a row of weights, by a hash of both."""

from typing import NamedTuple

import numpy as np

from codebreaker.arithmetic.compile import njit
from codebreaker.trees.kernels.sets import Sets
from codebreaker.types import Hashes, Indices, Offsets

EMPTY = -2


class ChoiceMemo(NamedTuple):
    """An open table of a power of two slots; `guess` is EMPTY where a slot is free.

    `zobrist` (n_secrets,) are the secrets' parts of a key; `filled` (1,) counts the slots in use.
    """

    zobrist: Hashes
    key: Hashes
    guess: Indices
    filled: Offsets


@njit(nogil=True)
def keys_of(known: ChoiceMemo, sets: Sets, rows: Hashes) -> Hashes:
    """Return the key of each node's set under a row of weights, whose hash is (n_nodes,)."""
    keys = np.empty(len(sets.offsets) - 1, np.uint64)
    for node in range(len(keys)):
        key = rows[node]
        for i in range(sets.offsets[node], sets.offsets[node + 1]):
            key ^= known.zobrist[sets.members[i]]
        keys[node] = key
    return keys


@njit(nogil=True)
def recall(known: ChoiceMemo, keys: Hashes, guesses: Indices) -> None:
    """Put the guesses that are known where the guess is −1."""
    mask = len(known.key) - 1
    for node in range(len(keys)):
        slot = np.int64(keys[node] >> np.uint64(20)) & mask
        while guesses[node] == -1 and known.guess[slot] != EMPTY:
            if known.key[slot] == keys[node]:
                guesses[node] = known.guess[slot]
            slot = (slot + 1) & mask


@njit(nogil=True)
def remember(known: ChoiceMemo, keys: Hashes, guesses: Indices) -> None:
    """Keep guesses by their keys; where half of the slots are in use, forget all first."""
    mask = len(known.key) - 1
    for node in range(len(keys)):
        if 2 * known.filled[0] >= mask:
            known.guess[:] = EMPTY
            known.filled[0] = 0
        slot = np.int64(keys[node] >> np.uint64(20)) & mask
        while known.guess[slot] != EMPTY:
            slot = (slot + 1) & mask
        known.key[slot], known.guess[slot] = keys[node], guesses[node]
        known.filled[0] += 1
