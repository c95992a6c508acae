"""Random consistent play against a devious codemaker, by recursion over candidate sets.

The codemaker answers each guess so that as many guesses as possible are expected to follow. The
value of a set is one guess, plus the mean over its members as the guess of the largest value of its
cells. Values are kept in the memo of expected profiles, as profiles of one turn.
"""

import numpy as np

from codebreaker.players.kernels.random_consistent import (
    SMALLEST,
    ExpectationWorkspace,
    _find,
    _split,
    _store,
)
from codebreaker.sets.compile import njit
from codebreaker.types import Indices


@njit(nogil=True)
def value_of(work: ExpectationWorkspace, depth: int, members: Indices) -> float:
    """Return the expected guesses of random consistent play until a set's secret is found.

    They are infinite for a set that is deeper than the working memory.
    """
    n = len(members)
    if n <= 2:
        return float(n)
    if depth >= len(work.members):
        return np.inf
    first, second = work.zobrist[members[0], 0], work.zobrist[members[0], 1]
    slot = -1
    if n >= SMALLEST:
        for i in range(1, n):
            first ^= work.zobrist[members[i], 0]
            second ^= work.zobrist[members[i], 1]
        slot = _find(work, first, second)
        if work.length[slot] > 0:
            return float(work.values[work.start[slot]])
    total = 0.0
    for candidate in members:
        guess = work.guess_of_secret[candidate]
        _split(work, depth, members, guess)
        offsets = work.offsets[depth]
        largest = 0.0
        for f in range(len(offsets) - 1):
            size = offsets[f + 1] - offsets[f]
            if f == work.solved or size == 0:
                continue
            # A cell's value is at most its size: each guess rules itself out.
            if size > largest:
                cell = work.members[depth][offsets[f] : offsets[f + 1]]
                largest = max(largest, value_of(work, depth + 1, cell))
        total += largest
    value = 1.0 + total / n
    if slot >= 0:
        profile = work.profiles[depth]
        profile[0] = value
        _store(work, first, second, profile[:1])
    return value
