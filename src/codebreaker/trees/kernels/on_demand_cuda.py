"""The choice of guesses in games without a table, on CUDA.

Blocks find a node's equivalent colours (`sets.codes`), threads score one guess at a node each.
Scores equal the CPU's bit for bit; `tolerance_part` is not supported. README.md draws the arrays.
"""

from math import inf
from typing import Any, NamedTuple

from numba import cuda, float64, int32, int64, uint64

from codebreaker.compiling.cpu import compiled
from codebreaker.sets import arithmetic
from codebreaker.sets.primitives import ScoringRule, Sets

THREADS = 128
"""Threads of a block. Shared arrays have a column or an entry for each."""

FEEDBACKS = 56
"""Maximum number of feedback ids; bounds the counts in a block's shared memory."""

MOST_PEGS = 7
"""Maximum number of pegs."""

MOST_COLOURS = 15
"""Maximum number of colours: MOST_PEGS * MOST_COLOURS bits then fit two words of 64 bits."""

PLACES = 0
"""Position in `DeviceCodes.words` of the words with a bit for each peg and its colour."""

COPIES = 1
"""Position in `DeviceCodes.words` of the words with as many bits of a colour as it has pegs."""

FIRST = -1
"""Predecessor of the first colour of a class of equivalent colours."""

UNUSED = -2
"""Predecessor of a colour that another one stands for: no guess needs it."""

index = uint64  # marks an index as not negative, which spares a test for wraparound

Array = Any

_scores = compiled(arithmetic, lambda function: cuda.jit(device=True)(function))
fold_cell = _scores.fold_cell
tie_threshold = _scores.tie_threshold
in_tie_order = _scores.in_tie_order
tie_rank = _scores.tie_rank
exchange_colours = _scores.exchange_colours


class DeviceCodes(NamedTuple):
    """A game's codes, also as bits in `words` (n_codes, 2, 1 or 2).

    PLACES have a bit for each peg and colour, COPIES as many as the code has of each colour.
    """

    colours: Array  # (n_codes, pegs)
    place_values: Array
    index_of: Array
    words: Array
    ids: Array  # flat: the feedback id at black pegs · (pegs + 1) + colours in common
    n_colours: int
    repeats: bool


@cuda.jit(device=True)
def holds(sets: Sets, node: int, code: int) -> bool:
    """Return whether a code is a candidate at a node."""
    # Binary search: the node's members ascend.
    low = sets.offsets[node]
    high = sets.offsets[node + 1]
    end = high
    while low < high:
        middle = (low + high) // 2
        if sets.members[middle] < code:
            low = middle + 1
        else:
            high = middle
    return low < end and sets.members[low] == code


@cuda.jit
def find_equivalent(codes: DeviceCodes, sets: Sets, reverses: bool, before: Array) -> None:
    """Find each colour's predecessor in its class, FIRST or UNUSED; one block per node.

    Two colours are equivalent at a node if exchanging them maps its candidates onto themselves.
    `before` is (n_nodes, n_colours) int8. All threads of a block take the same way through the
    loops over colours, so that each of them reaches every barrier.
    """
    places = cuda.shared.array((MOST_COLOURS, MOST_PEGS), int32)
    representative = cuda.shared.array(MOST_COLOURS, int32)
    last = cuda.shared.array(MOST_COLOURS, int32)
    node = cuda.blockIdx.x
    thread = cuda.threadIdx.x
    pegs = codes.colours.shape[1]
    start = sets.offsets[node]
    stop = sets.offsets[node + 1]
    # 1. Candidates with each colour at each peg. Equivalent colours have equal rows.
    for entry in range(thread, MOST_COLOURS * MOST_PEGS, cuda.blockDim.x):
        places[entry // MOST_PEGS, entry % MOST_PEGS] = 0
    cuda.syncthreads()
    for i in range(start + thread, stop, cuda.blockDim.x):
        for peg in range(pegs):
            cuda.atomic.add(places, (int(codes.colours[sets.members[i], peg]), peg), 1)
    cuda.syncthreads()
    # 2. In tie order, look for the class of each colour among the classes of those before it.
    for k in range(codes.n_colours):
        colour = in_tie_order(k, codes.n_colours, reverses)
        class_representative = -1
        absent = True
        for peg in range(pegs):
            absent &= places[colour, peg] == 0
        for j in range(k):
            other = in_tie_order(j, codes.n_colours, reverses)
            equal = True
            for peg in range(pegs):
                equal &= places[colour, peg] == places[other, peg]
            if representative[other] != other or not equal:
                continue
            if absent:  # colours that no candidate has can always be exchanged
                class_representative = other
                break
            for i in range(start + thread, stop, cuda.blockDim.x):
                image = exchange_colours(
                    codes.colours,
                    codes.place_values,
                    codes.index_of,
                    sets.members[i],
                    colour,
                    other,
                )
                equal &= holds(sets, node, image)
            # Equal if each thread's share of the candidates has its images among them.
            if cuda.syncthreads_and(int32(equal)):
                class_representative = other
                break
        # 3. One thread writes; the barrier makes it visible to the others.
        if thread == 0 and class_representative < 0:
            representative[colour] = colour
            last[colour] = colour
            before[node, colour] = FIRST
        elif thread == 0:
            before[node, colour] = (
                UNUSED if absent and codes.repeats else last[class_representative]
            )
            representative[colour] = class_representative
            last[class_representative] = colour
        cuda.syncthreads()


@cuda.jit(device=True)
def represents_class(codes: DeviceCodes, code: int, before: Array, node: int) -> bool:
    """Return whether equivalent colours first appear in a code in tie order."""
    seen = 0  # bit c: colour c was at an earlier peg
    for peg in range(codes.colours.shape[1]):
        colour = codes.colours[code, peg]
        needed = before[node, colour]
        if needed == UNUSED or (needed >= 0 and not (seen >> needed) & 1):
            return False
        seen |= 1 << colour
    return True


@cuda.jit(device=True)
def feedback(codes: DeviceCodes, guess: int, secret: int) -> int:
    """Return the feedback id of a guess to a secret, by the bits that they share."""
    of_guess = codes.words[index(guess)]
    of_secret = codes.words[index(secret)]
    pegs = codes.colours.shape[1]
    black = cuda.popc(of_guess[PLACES, 0] & of_secret[PLACES, 0])
    common = cuda.popc(of_guess[COPIES, 0] & of_secret[COPIES, 0])
    if codes.words.shape[2] > 1:
        black += cuda.popc(of_guess[PLACES, 1] & of_secret[PLACES, 1])
        common += cuda.popc(of_guess[COPIES, 1] & of_secret[COPIES, 1])
    return int(codes.ids[index(black * (pegs + 1) + common)])


@cuda.jit
def score(
    codes: DeviceCodes, sets: Sets, before: Array, rule: ScoringRule, row_of: Array, scores: Array
) -> None:
    """Score guesses, (n_nodes, n_codes) float64, with weights[row_of[node]].

    A guess that stands for no class scores −inf.

    Blocks are (n_nodes, any number); a thread scores every guess that is a grid's width from its
    first one, and has a column of `counts` for itself. It needs no barrier.
    """
    counts = cuda.shared.array((FEEDBACKS, THREADS), int32)
    node = cuda.blockIdx.x
    thread = cuda.threadIdx.x
    start = sets.offsets[node]
    stop = sets.offsets[node + 1]
    at = rule.terms_at[node]
    weights = rule.weights[row_of[node]]
    first = cuda.blockIdx.y * cuda.blockDim.x + thread
    for guess in range(first, scores.shape[1], cuda.gridDim.y * cuda.blockDim.x):
        if rule.consistent_only:
            possible = holds(sets, node, guess)
        else:
            possible = represents_class(codes, guess, before, node)
        if not possible:
            scores[node, guess] = -inf
            continue
        # 1. Cells of the guess, by feedback id.
        for f in range(len(weights)):
            counts[f, thread] = 0
        for i in range(start, stop):
            counts[feedback(codes, guess, sets.members[i]), thread] += 1
        # 2. The fold of their values: exact integers, so that any order gives the same sum.
        total = inf if rule.takes_min else 0.0
        parts = 0
        for f in range(len(weights)):
            count = counts[f, thread]
            total = fold_cell(total, weights[f], rule.terms[at + count], rule.takes_min)
            parts += count > 0
        if len(rule.log_parts) > 1:
            total /= rule.log_parts[parts]
        scores[node, guess] = total


@cuda.jit
def pick(sets: Sets, rule: ScoringRule, scores: Array, guesses: Array) -> None:
    """Pick each node's guess by score, then by tie rank; −1 if none splits. One block per node."""
    best = cuda.shared.array(THREADS, int64)
    node = cuda.blockIdx.x
    thread = cuda.threadIdx.x
    n = scores.shape[1]
    # 1. The highest score: of each thread's guesses, then of all. After the barrier, every thread
    #    reads all of `tops` and gets the same maximum.
    high = -inf
    for guess in range(thread, n, cuda.blockDim.x):
        high = max(high, scores[node, guess])
    tops = cuda.shared.array(THREADS, float64)
    tops[thread] = high
    cuda.syncthreads()
    for other in range(cuda.blockDim.x):
        high = max(high, tops[other])
    # 2. The lowest tie rank of the guesses that tie: of each thread's, then, by one thread, of all.
    #    Ranks are below 2 n, which stands for no guess.
    rank = 2 * n
    if high > -inf:
        lowest = tie_threshold(high, rule.tolerances[node], 0.0)
        for guess in range(thread, n, cuda.blockDim.x):
            if scores[node, guess] >= lowest:
                behind = rule.prefers_consistent and not holds(sets, node, guess)
                rank = min(rank, tie_rank(guess, n, behind, rule.reverses))
    best[thread] = rank
    cuda.syncthreads()
    if thread == 0:
        for other in range(cuda.blockDim.x):
            rank = min(rank, best[other])
        guess = in_tie_order(rank % n, n, rule.reverses)
        guesses[node] = -1 if rank == 2 * n else guess
