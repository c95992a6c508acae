"""The guesses of sets that a search has solved."""

import numpy as np

from codebreaker.search.kernels.cost_bounds import _look
from codebreaker.search.kernels.options import Search
from codebreaker.sets.compile import inner, njit
from codebreaker.sets.memo import EXACT, find, key_of, read
from codebreaker.types import Indices, Offsets


@inner
def _guess_for(search: Search, members: Indices, left: int) -> int:
    """Return an optimal guess of a solved set, or −1 if the memo has none."""
    if len(members) <= 2:
        return search.guess_of_secret[members[0]]
    guess, _ = _look(
        search.frame, search.guess_of_secret, search.n_feedback, search.charges, members, left
    )
    if guess >= 0:
        return guess
    key = key_of(search.memo.words, members, left)
    state, _, guess = read(search.memo.slots, find(search.memo.slots, key))
    return guess if state == EXACT else -1


@njit(nogil=True)
def guesses_for(search: Search, members: Indices, offsets: Offsets, left: int) -> Indices:
    """Return an optimal guess of each set; set i has members[offsets[i]:offsets[i + 1]].

    It is −1 if the memo has none.
    """
    guesses = np.empty(len(offsets) - 1, np.int32)
    for node in range(len(guesses)):
        guesses[node] = _guess_for(search, members[offsets[node] : offsets[node + 1]], left)
    return guesses
