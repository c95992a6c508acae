"""Codes with feedback computed on demand, and random numbers, for players."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.arithmetic.codes import feedback_id
from codebreaker.arithmetic.compile import njit
from codebreaker.types import FeedbackIds, Indices, Offsets

CERTAIN = 1 << 20
"""The probability 1: probabilities in settings are integers in units of 2^-20."""

Random = NDArray[np.uint64]
"""The state of a random number generator, (1,) uint64."""


class Board(NamedTuple):
    """A game of codes: `codes` (n_codes, pegs) and `counts` (n_codes, n_colours), both uint8.

    Codes are in lexicographic order: a code's index is the dot product of its colours and
    `place_values`, (pegs,) int64. `blacks` and `whites` (n_feedback,) int64 are the pegs of each
    feedback id; `ids` (pegs + 1, pegs + 1) is the id by pegs in place and colours in common.
    """

    codes: FeedbackIds
    counts: FeedbackIds
    place_values: Offsets
    ids: FeedbackIds
    blacks: Offsets
    whites: Offsets


@njit(nogil=True)
def feedback_between(board: Board, guess: int, secret: int) -> int:
    """Return the feedback id of a guess to a secret."""
    return feedback_id(board.codes, board.counts, board.ids, guess, secret)


@njit(nogil=True)
def distance(board: Board, code: int, guesses: Indices, feedback: Indices) -> int:
    """Return a code's distance from consistency with the game so far, 0 for a candidate.

    It is the sum over all guesses of the differences in black and in white pegs (Cotta et al.
    2010, section 3).
    """
    total = 0
    for turn in range(len(guesses)):
        own, observed = feedback_between(board, code, guesses[turn]), feedback[turn]
        total += abs(board.blacks[own] - board.blacks[observed])
        total += abs(board.whites[own] - board.whites[observed])
    return total


@njit(nogil=True)
def draw(state: Random, below: int) -> int:
    """Return a random integer from 0 to below − 1 (splitmix64, its upper 32 bits)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = state[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return int(np.int64(((mixed >> np.uint64(32)) * np.uint64(below)) >> np.uint64(32)))


@njit(nogil=True)
def with_peg(board: Board, code: int, peg: int, colour: int) -> int:
    """Return a code with the colour of one peg changed."""
    return int(code + (colour - int(board.codes[code, peg])) * board.place_values[peg])


@njit(nogil=True)
def with_swap(board: Board, code: int, peg: int, other: int) -> int:
    """Return a code with two pegs swapped."""
    first, second = int(board.codes[code, peg]), int(board.codes[code, other])
    return with_peg(board, with_peg(board, code, peg, second), other, first)


@njit(nogil=True)
def cross(board: Board, head: int, tail: int, cut: int) -> int:
    """Return the one-point crossover: `head` before the cut, `tail` from the cut on."""
    code = head
    for peg in range(cut, board.codes.shape[1]):
        code = with_peg(board, code, peg, int(board.codes[tail, peg]))
    return int(code)
