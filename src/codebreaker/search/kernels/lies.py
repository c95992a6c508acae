"""Whether a number of guesses suffices against a codemaker who may lie once.

A state is two sets of secrets, as bits (n_words,) uint64: those that fit all answers, and those
that fit all but one. The codebreaker doesn't learn which answer was wrong, if any.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.sets.compile import njit
from codebreaker.sets.primitives import GOLDEN, bit_count
from codebreaker.types import Hashes, Indices, Offsets

Words = NDArray[np.uint64]


class LieSearch(NamedTuple):
    """A game, the bounds of a search, a memo and working memory.

    A memo's `bounds` are the most guesses known not to suffice, and the fewest known to.
    """

    cells: Words  # (n_guesses, n_answers, n_words): secrets by answer, except the winning one
    own: Words  # (n_guesses, n_words): the guess itself
    capacity: Offsets  # (n_depths,): maximum number of nodes of a tree by its turns
    needed: Offsets  # (n_secrets + 1,): nodes for n secrets that fit all answers
    lies: bool
    keys: Hashes  # both sets by slot of the memo
    bounds: NDArray[np.int8]
    used: Offsets
    states: Words  # both sets by depth
    guesses: Indices  # their order by depth


@njit(nogil=True)
def _count(words: Words) -> int:
    total = np.int64(0)
    for word in words:
        total += np.int64(bit_count(word))
    return int(total)


@njit(nogil=True)
def _slot(search: LieSearch, state: Words) -> int:
    """Return the memo slot of a state, or the empty slot for it."""
    mask = np.uint64(len(search.bounds) - 1)
    mixed = np.uint64(GOLDEN)
    for part in range(2):
        for word in range(state.shape[1]):
            mixed ^= state[part, word]
            mixed *= np.uint64(0xBF58476D1CE4E5B9)
            mixed ^= mixed >> np.uint64(29)
    slot = np.int64(mixed & mask)
    while search.bounds[slot, 1] != 0:
        if (search.keys[slot] == state).all():
            break
        slot = np.int64((np.uint64(slot) + np.uint64(1)) & mask)
    return int(slot)


@njit(nogil=True)
def _answer(search: LieSearch, state: Words, guess: int, answer: int, after: Words) -> int:
    """Write the state after an answer; return the minimum number of nodes it needs."""
    for word in range(state.shape[1]):
        cell = search.cells[guess, answer, word]
        honest = state[0, word] & ~search.own[guess, word]
        after[0, word] = honest & cell
        after[1, word] = state[1, word] & cell
        if search.lies:
            after[1, word] |= honest & ~cell
    return int(search.needed[_count(after[0])] + _count(after[1]))


@njit(nogil=True)
def suffices(search: LieSearch, depth: int, left: int, pool: Indices) -> bool:
    """Return whether `left` guesses, the first one of a pool, suffice at a depth."""
    state, after = search.states[depth], search.states[depth + 1]
    honest, lied = _count(state[0]), _count(state[1])
    if honest + lied == 0:
        return True
    if search.needed[honest] + lied > search.capacity[left]:
        return False
    if left == 1:
        return True
    slot = _slot(search, state)
    known = search.bounds[slot, 1] != 0
    if known and left <= search.bounds[slot, 0]:
        return False
    if known and left >= search.bounds[slot, 1]:
        return True
    order = search.guesses[depth]
    scores = np.empty(len(pool), np.int64)
    n_options = 0
    for guess in pool:
        worst, total = np.int64(0), np.int64(0)
        for answer in range(search.cells.shape[1]):
            needs = _answer(search, state, guess, answer, after)
            worst = max(worst, needs)
            total += needs * needs
        if worst <= search.capacity[left - 1]:
            order[n_options], scores[n_options] = guess, total
            n_options += 1
    enough = False
    for guess in order[:n_options][np.argsort(scores[:n_options], kind="mergesort")]:
        for answer in range(search.cells.shape[1]):
            _answer(search, state, guess, answer, after)
            enough = suffices(search, depth + 1, left - 1, search.guesses[-1])
            if not enough:
                break
        if enough:
            break
    slot = _slot(search, state)
    if search.bounds[slot, 1] == 0:
        if 4 * search.used[0] >= 3 * len(search.bounds):
            return enough
        search.used[0] += 1
        search.keys[slot] = state
        search.bounds[slot, 0], search.bounds[slot, 1] = 0, 127
    if enough:
        search.bounds[slot, 1] = min(search.bounds[slot, 1], left)
    elif len(pool) == len(search.guesses[-1]):
        search.bounds[slot, 0] = max(search.bounds[slot, 0], left)
    return enough
