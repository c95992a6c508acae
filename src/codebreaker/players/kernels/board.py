"""The board, working memory, random numbers and code variations of the players' kernels.

README.md in this folder draws the arrays.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.compiling.cpu import inner, njit
from codebreaker.sets.partition import n_log2_n
from codebreaker.sets.primitives import bit_count, draw
from codebreaker.types import Bits, Counts, FeedbackIds, Hashes, Indices, Scores, SymbolMatrix

MOST_LOGS = 4096
"""Largest count c whose c · log2(c) is in a table, `PlayerWorkspace.logs`."""

Choice = tuple[int, int, int]
"""The guess, the number of codes evaluated for it, and the number of codes known from now on."""


class Board(NamedTuple):
    """A game in progress, as a player sees it. Players change only `state`."""

    n_colours: int
    codes: SymbolMatrix
    """Every code's colours, (n_codes, pegs), in lexicographic order."""

    places: Bits
    """Codes as bits, one for each peg and its colour: common bits are pegs in place."""

    copies: Bits
    """Codes as bits, of each colour as many as it has pegs: common bits are colours in common."""

    place_values: Counts
    """A code's index is the dot product of its colours and these, (pegs,)."""

    ids: FeedbackIds
    """The feedback id by pegs in place and colours in common, (pegs + 1, pegs + 1)."""

    blacks: Counts
    """Black pegs of each feedback id, (n_feedback,)."""

    whites: Counts
    """White pegs of each feedback id, (n_feedback,)."""

    guesses: Indices
    """The codes played so far, (n_turns,); at least one when a player chooses."""

    feedback: Indices
    """Their feedback ids, (n_turns,)."""

    state: Hashes
    """The state of the random numbers, (1,)."""


SCORED_OPENING, N_TRACKED, GENERATION = range(3)
"""Positions in `PlayerWorkspace.numbers`: the opening that `scores` belong to, −1 for none; the
number of candidates in `tracked`; the number of generations of the player `Berghman` in all its
games, which is never cleared."""


class PlayerWorkspace(NamedTuple):
    """A player's working memory, which one player uses in all of its games, one after another.

    What must survive from one choice to the next is said so; the rest is overwritten at each
    choice. `population` is 0 for players without one.
    """

    codes: Indices
    """The population: indices of codes, (population,)."""

    children: Indices
    """The next generation, (population,); `set_fitness` also lists consistent codes here."""

    distances: Indices
    """Each individual's distance from consistency, in pegs, (population,)."""

    fitness: Scores
    """Each individual's fitness, (population,); or, for a roulette, its running sums."""

    marks: Indices
    """Where to start looking on the roulette, (population,): see `evolving.mark_wheel`."""

    candidates: Indices
    """Consistent codes, (n_codes,). The first ones, as many as the last Choice says, survive."""

    seen_at: Indices
    """The turn at which a code was last put into `candidates`, (n_codes,); 0 for never.

    Survives from turn to turn; cleared at the first choice of a game.
    """

    counts: Indices
    """Sizes of the cells of one partition, by feedback id, (n_feedback,)."""

    scores: Scores
    """Cached scores of the second guess, (n_feedback or 1, n_codes); UNKNOWN where missing.

    Survive from game to game while the opening stays the same: see `choosing.best_guess`.
    """

    tracked: Indices
    """All candidates, (n_codes,), if the player plays endgames; the first N_TRACKED survive."""

    born_in: Indices
    """The generation in which a code was last a child, (n_codes,), of the player `Berghman`."""

    numbers: Indices
    """Single numbers that survive, (3,), by SCORED_OPENING, N_TRACKED and GENERATION.

    They share an array: each one costs a microsecond when Python calls a kernel.
    """

    logs: Scores
    """c · log2(c) for counts c up to MOST_LOGS; a constant table."""


def make_workspace(board: Board, population: int = 0, all_codes: int = 0) -> PlayerWorkspace:
    """Allocate a player's working memory, with room to score all codes if `all_codes`.

    A guess that isn't a candidate may follow any feedback, so that it has a score for each. A
    candidate follows only the feedback that it would have given itself, so that one row is enough.
    """
    n_codes = len(board.codes)
    n_feedback = len(board.blacks)
    sizes = np.arange(min(n_codes, MOST_LOGS) + 1, dtype=np.float64)
    return PlayerWorkspace(
        codes=np.zeros(population, np.int32),
        children=np.zeros(population, np.int32),
        distances=np.zeros(population, np.int32),
        fitness=np.zeros(population),
        marks=np.zeros(population, np.int32),
        candidates=np.zeros(n_codes, np.int32),
        seen_at=np.zeros(n_codes, np.int32),
        counts=np.zeros(n_feedback, np.int32),
        scores=np.zeros((n_feedback if all_codes else 1, n_codes)),
        tracked=np.zeros(n_codes, np.int32),
        born_in=np.zeros(n_codes, np.int32),
        numbers=np.array([-1, 0, 0], np.int32),
        logs=n_log2_n(sizes),
    )


@njit(nogil=True, forceinline=True)
def feedback_between(board: Board, guess: int, secret: int) -> int:
    """Return the feedback id of a guess to a secret."""
    return feedback_by_bits(board.places, board.copies, board.ids, guess, secret)


@inner(forceinline=True)
def feedback_by_bits(places: Bits, copies: Bits, ids: FeedbackIds, guess: int, secret: int) -> int:
    """Return the feedback id of a guess to a secret, from a board's arrays.

    Loops read the arrays from the board once and call this, instead of `feedback_between`.
    """
    black = 0
    common = 0
    for word in range(places.shape[1]):
        black += _count_bits(places[guess, word] & places[secret, word])
        common += _count_bits(copies[guess, word] & copies[secret, word])
    return int(ids[black, common])


@inner(forceinline=True)
def _count_bits(word: np.uint64) -> int:
    """Return the number of ones in a word, as a signed integer."""
    return int(np.int64(bit_count(word)))


@njit(nogil=True, forceinline=True)
def distance(board: Board, code: int) -> int:
    """Return the summed differences in pegs, 0 for a candidate (Cotta et al. 2010, section 3)."""
    total = 0
    places = board.places
    copies = board.copies
    ids = board.ids
    blacks = board.blacks
    whites = board.whites
    guesses = board.guesses
    feedback = board.feedback
    for i in range(len(guesses)):
        # A candidate would have given each guess the feedback that was observed.
        expected = feedback_by_bits(places, copies, ids, code, guesses[i])
        observed = feedback[i]
        total += abs(blacks[expected] - blacks[observed])
        total += abs(whites[expected] - whites[observed])
    return total


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


# A call passes each field of the board's arrays, which takes longer than the pegs of a code.
@inner(forceinline=True)
def cross(board: Board, head: int, tail: int, cut: int) -> int:
    """Return the one-point crossover: the first `cut` pegs of `head`, the others of `tail`."""
    code = head
    for peg in range(cut, board.codes.shape[1]):
        code = with_peg(board, code, peg, int(board.codes[tail, peg]))
    return int(code)


@inner(forceinline=True)
def redraw_peg(board: Board, code: int) -> int:
    """Return a code with a random peg redrawn, perhaps in its old colour."""
    peg = draw(board.state, board.codes.shape[1])
    return with_peg(board, code, peg, draw(board.state, board.n_colours))


@inner(forceinline=True)
def swap_pegs(board: Board, code: int) -> int:
    """Return a code with two random pegs swapped, which may be the same peg."""
    pegs = board.codes.shape[1]
    return with_swap(board, code, draw(board.state, pegs), draw(board.state, pegs))


@inner
def draw_population(board: Board, codes: Indices) -> None:
    """Fill `codes` with random codes, drawn with replacement."""
    for i in range(len(codes)):
        codes[i] = draw(board.state, len(board.codes))


@inner
def partition(board: Board, counts: Indices, code: int, others: Indices) -> None:
    """Count `others` by their feedback to a guess, into `counts`, (n_feedback,)."""
    counts[:] = 0
    places = board.places
    copies = board.copies
    ids = board.ids
    if places.shape[1] == 1:  # the guess's bits stay in two registers
        places_of_code = places[code, 0]
        copies_of_code = copies[code, 0]
        for other in others:
            black = _count_bits(places_of_code & places[other, 0])
            common = _count_bits(copies_of_code & copies[other, 0])
            counts[ids[black, common]] += 1
    else:
        for other in others:
            counts[feedback_by_bits(places, copies, ids, code, other)] += 1


@inner
def entropy_of(counts: Indices, n: int) -> float:
    """Return a partition's entropy in bits.

    Evolutionary players compare these numbers without a tolerance: the form of `choosing.score_of`
    rounds otherwise, and changes their games.
    """
    entropy = 0.0
    for count in counts:
        if count > 0:
            entropy -= count / n * np.log2(count / n)
    return entropy


@inner(forceinline=True)
def tournament(board: Board, work: PlayerWorkspace, start: int, size: int) -> int:
    """Return the fitter of two codes drawn from the `size` codes from `start` on."""
    first = start + draw(board.state, size)
    second = start + draw(board.state, size)
    return int(work.codes[first if work.fitness[first] >= work.fitness[second] else second])
