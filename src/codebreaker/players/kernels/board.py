"""The board, working memory, random numbers and code variations of the players' kernels."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.sets.compile import njit
from codebreaker.sets.primitives import bit_count
from codebreaker.types import FeedbackIds, Hashes, Indices, Offsets, Scores, SymbolMatrix

CERTAIN = 1 << 20
"""The probability 1: probabilities are integers in units of 2^-20."""

Bits = NDArray[np.uint64]
MOST_LOGS = 4096
"""Logarithms of numbers up to this are in a table."""
Choice = tuple[int, int, int]
"""The guess, the number of codes evaluated for it, and the number of codes known from now on."""


class Board(NamedTuple):
    """A game in progress, as a player sees it.

    `codes` (n_codes, pegs) are in lexicographic order: an index is the dot product of colours and
    `place_values`, (pegs,). `places` and `amounts` (n_codes, n_words) hold codes as bits: one for
    each peg and its colour, and for each colour as many as it has pegs. `ids` (pegs + 1, pegs + 1):
    the feedback id by pegs in place and colours in common. `blacks` and `whites` (n_feedback,): the
    pegs of each id. `guesses` and `feedback` (n_turns,) have at least one entry when a player
    chooses. `state` (1,) is of the random numbers.
    """

    n_colours: int
    codes: SymbolMatrix
    places: Bits
    amounts: Bits
    place_values: Offsets
    ids: FeedbackIds
    blacks: Offsets
    whites: Offsets
    guesses: Indices
    feedback: Indices
    state: Hashes


class Workspace(NamedTuple):
    """A player's working memory; for shapes see `make_workspace`.

    `seen_at` is the turn at which a code was last in `candidates`. `scores` are cached for
    `opening`. The first `n_tracked` of `tracked` are all candidates. `logs` is c · log2(c).
    """

    codes: Indices
    children: Indices
    distances: Indices
    fitness: Scores
    marks: Indices
    candidates: Indices
    seen_at: Indices
    counts: Indices
    scores: Scores
    opening: Indices
    tracked: Indices
    n_tracked: Indices
    logs: Scores


def make_workspace(board: Board, population: int = 0, all_codes: int = 0) -> Workspace:
    """Allocate a player's working memory, with room to score all codes if `all_codes`."""
    n_codes = len(board.codes)
    n_feedback = len(board.blacks)
    sizes = np.arange(min(n_codes, MOST_LOGS) + 1, dtype=np.float64)
    return Workspace(
        codes=np.zeros(population, np.int32),
        children=np.zeros(population, np.int32),
        distances=np.zeros(population, np.int32),
        fitness=np.zeros(population),
        marks=np.zeros(population, np.int32),
        candidates=np.zeros(n_codes, np.int32),
        seen_at=np.zeros(n_codes, np.int32),
        counts=np.zeros(n_feedback, np.int32),
        scores=np.zeros((n_feedback if all_codes else 1, n_codes)),
        opening=np.full(1, -1, np.int32),
        tracked=np.zeros(n_codes, np.int32),
        n_tracked=np.zeros(1, np.int32),
        logs=sizes * np.log2(np.maximum(sizes, 1)),
    )


@njit(nogil=True, forceinline=True)
def feedback_between(board: Board, guess: int, secret: int) -> int:
    """Return the feedback id of a guess to a secret."""
    return feedback_by_bits(board.places, board.amounts, board.ids, guess, secret)


@njit(nogil=True, forceinline=True)
def feedback_by_bits(places: Bits, amounts: Bits, ids: FeedbackIds, guess: int, secret: int) -> int:
    """Return the feedback id from arrays that a loop reads once."""
    black = 0
    common = 0
    for word in range(places.shape[1]):
        black += _count_bits(places[guess, word] & places[secret, word])
        common += _count_bits(amounts[guess, word] & amounts[secret, word])
    return int(ids[black, common])


@njit(nogil=True, forceinline=True)
def _count_bits(word: np.uint64) -> int:
    return int(np.int64(bit_count(word)))


@njit(nogil=True, forceinline=True)
def distance(board: Board, code: int) -> int:
    """Return the summed differences in pegs, 0 for a candidate (Cotta et al. 2010, section 3)."""
    total = 0
    places = board.places
    amounts = board.amounts
    ids = board.ids
    blacks = board.blacks
    whites = board.whites
    guesses = board.guesses
    feedback = board.feedback
    for i in range(len(guesses)):
        own = feedback_by_bits(places, amounts, ids, code, guesses[i])
        observed = feedback[i]
        total += abs(blacks[own] - blacks[observed])
        total += abs(whites[own] - whites[observed])
    return total


@njit(nogil=True, forceinline=True)
def draw(state: Hashes, below: int) -> int:
    """Return a random integer from 0 to below − 1 (splitmix64, its upper 32 bits)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = state[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return int(np.int64(((mixed >> np.uint64(32)) * np.uint64(below)) >> np.uint64(32)))


@njit(nogil=True, forceinline=True)
def with_peg(board: Board, code: int, peg: int, colour: int) -> int:
    """Return a code with one peg recoloured."""
    return int(code + (colour - int(board.codes[code, peg])) * board.place_values[peg])


@njit(nogil=True, forceinline=True)
def with_swap(board: Board, code: int, peg: int, other: int) -> int:
    """Return a code with two pegs swapped."""
    first = int(board.codes[code, peg])
    second = int(board.codes[code, other])
    return with_peg(board, with_peg(board, code, peg, second), other, first)


@njit(nogil=True)
def cross(board: Board, head: int, tail: int, cut: int) -> int:
    """Return the one-point crossover."""
    code = head
    for peg in range(cut, board.codes.shape[1]):
        code = with_peg(board, code, peg, int(board.codes[tail, peg]))
    return int(code)


@njit(nogil=True, forceinline=True)
def redraw_peg(board: Board, code: int) -> int:
    """Redraw a random peg."""
    peg = draw(board.state, board.codes.shape[1])
    return with_peg(board, code, peg, draw(board.state, board.n_colours))


@njit(nogil=True, forceinline=True)
def swap_pegs(board: Board, code: int) -> int:
    """Swap two random pegs."""
    pegs = board.codes.shape[1]
    return with_swap(board, code, draw(board.state, pegs), draw(board.state, pegs))


@njit(nogil=True)
def draw_population(board: Board, codes: Indices) -> None:
    """Draw a random population."""
    for i in range(len(codes)):
        codes[i] = draw(board.state, len(board.codes))


@njit(nogil=True)
def partition(board: Board, counts: Indices, code: int, others: Indices) -> None:
    """Count codes by their feedback."""
    counts[:] = 0
    places = board.places
    amounts = board.amounts
    ids = board.ids
    if places.shape[1] == 1:
        place = places[code, 0]
        amount = amounts[code, 0]
        for other in others:
            black = _count_bits(place & places[other, 0])
            counts[ids[black, _count_bits(amount & amounts[other, 0])]] += 1
    else:
        for other in others:
            counts[feedback_by_bits(places, amounts, ids, code, other)] += 1


@njit(nogil=True)
def entropy_of(counts: Indices, n: int) -> float:
    """Return a partition's entropy in bits."""
    entropy = 0.0
    for count in counts:
        if count > 0:
            entropy -= count / n * np.log2(count / n)
    return entropy


@njit(nogil=True, forceinline=True)
def tournament(board: Board, work: Workspace, start: int, size: int) -> int:
    """Return the fitter of two codes drawn from the `size` codes from `start` on."""
    one = start + draw(board.state, size)
    other = start + draw(board.state, size)
    return int(work.codes[one if work.fitness[one] >= work.fitness[other] else other])
