"""The choice of guesses in games without a table, on CUDA.

A block finds the colours that are alike at a node (`kernels.pools` says which those are); then a
thread scores a guess at a node, whose code and colours lie in a word each, four bits a peg or a
colour; then a block picks a node's guess. The scores are those of the CPU, bit for bit.
"""

from math import inf
from typing import Any, NamedTuple

from numba import cuda, float64, int32, int64

from codebreaker.arithmetic import scores
from codebreaker.trees.kernels.sets import Sets

THREADS, FEEDBACKS = 128, 56
"""Threads of a block, and the most kinds of feedback."""

MOST_PEGS, MOST_COLOURS = 7, 15
"""Codes and colours must fit four bits a peg or a colour, the counts three, in a signed word."""

FIRST, NEEDLESS = -1, -2
"""What comes before a colour that is the first alike, and before one that is of no use."""

NOTHING = -1

Array = Any
"""A device array, or the simulator's."""

fold_cell = cuda.jit(device=True)(scores.fold_cell)


class DeviceCodes(NamedTuple):
    """The codes of a game: colours by peg, (n_codes, pegs), and packed by peg and colour.

    `ids` is flat: the feedback id at black pegs times (pegs + 1) plus colours in common.
    """

    colours: Array
    place: Array
    index_of: Array
    by_peg: Array
    by_colour: Array
    ids: Array
    n_colours: int
    repeats: bool


class DeviceRule(NamedTuple):
    """A `ScoringRule` on the device, with many rows of weights: row_of[i] is that of node i."""

    terms: Array
    terms_at: Array
    tolerances: Array
    weights: Array
    row_of: Array
    log_parts: Array
    per_log_parts: bool
    takes_min: bool
    consistent_only: bool
    prefers_consistent: bool
    reverses: bool


@cuda.jit(device=True)
def holds(sets: Sets, node: int, code: int) -> bool:
    """Return whether a code is a candidate of a node, whose members are in ascending order."""
    low, high = sets.offsets[node], sets.offsets[node + 1]
    end = high
    while low < high:
        middle = (low + high) // 2
        if sets.members[middle] < code:
            low = middle + 1
        else:
            high = middle
    return low < end and sets.members[low] == code


@cuda.jit
def find_alike(codes: DeviceCodes, sets: Sets, reverses: bool, before: Array) -> None:
    """Find the colour alike that comes before each, or FIRST or NEEDLESS, (n_nodes, n_colours).

    A block a node.
    """
    places = cuda.shared.array((MOST_COLOURS, MOST_PEGS), int32)
    leader = cuda.shared.array(MOST_COLOURS, int32)
    last = cuda.shared.array(MOST_COLOURS, int32)
    told = cuda.shared.array(2, int32)  # whether the colour has a leader; whether two are alike
    node, thread, pegs = cuda.blockIdx.x, cuda.threadIdx.x, codes.colours.shape[1]
    start, stop = sets.offsets[node], sets.offsets[node + 1]
    for entry in range(thread, MOST_COLOURS * MOST_PEGS, cuda.blockDim.x):
        places[entry // MOST_PEGS, entry % MOST_PEGS] = 0
    cuda.syncthreads()
    for i in range(start + thread, stop, cuda.blockDim.x):
        for peg in range(pegs):
            cuda.atomic.add(places, (int(codes.colours[sets.members[i], peg]), peg), 1)
    cuda.syncthreads()
    for k in range(codes.n_colours):
        colour = codes.n_colours - 1 - k if reverses else k
        if thread == 0:
            leader[colour], last[colour], told[0] = colour, colour, 0
            before[node, colour] = FIRST
        for j in range(k):
            other = codes.n_colours - 1 - j if reverses else j
            cuda.syncthreads()
            if told[0] or leader[other] != other:
                continue
            equal, absent = True, True
            for peg in range(pegs):
                equal &= places[colour, peg] == places[other, peg]
                absent &= places[colour, peg] == 0
            if not equal:
                continue
            cuda.syncthreads()
            if thread == 0:
                told[1] = 1
            cuda.syncthreads()
            for i in range(start + thread, stop, cuda.blockDim.x):
                value = 0
                for peg in range(pegs):
                    here = int(codes.colours[sets.members[i], peg])
                    if here == colour:
                        here = other
                    elif here == other:
                        here = colour
                    value += here * codes.place[peg]
                if not holds(sets, node, codes.index_of[value]):
                    told[1] = 0
            cuda.syncthreads()
            if thread == 0 and told[1]:
                needless = absent and codes.repeats
                before[node, colour] = NEEDLESS if needless else last[other]
                leader[colour], last[other], told[0] = other, colour, 1
        cuda.syncthreads()


@cuda.jit(device=True)
def first_alike(by_peg: int, pegs: int, before: Array, node: int) -> bool:
    """Return whether a code's colours alike come in order, from the first peg on."""
    seen = 0
    for peg in range(pegs):
        colour = (by_peg >> (4 * (pegs - 1 - peg))) & 15
        needed = before[node, colour]
        if needed == NEEDLESS or (needed >= 0 and not (seen >> needed) & 1):
            return False
        seen |= 1 << colour
    return True


@cuda.jit(device=True)
def feedback(codes: DeviceCodes, guess: int, secret: int) -> int:
    """Return the feedback id of a guess to a secret, bit-parallel."""
    pegs = codes.colours.shape[1]
    differ = codes.by_peg[guess] ^ codes.by_peg[secret]
    differ |= differ >> 1
    differ = (differ | differ >> 2) & 0x111111111111111
    black = pegs - cuda.popc(differ)
    one, other = codes.by_colour[guess], codes.by_colour[secret]
    not_less = (((one | 0x888888888888888) - other) & 0x888888888888888) >> 3
    whole = (not_less << 4) - not_less
    least = (other & whole) | (one & ~whole)
    least = (least & 0xF0F0F0F0F0F0F0F) + ((least >> 4) & 0xF0F0F0F0F0F0F0F)
    least += least >> 8
    least += least >> 16
    least += least >> 32
    return int(codes.ids[black * (pegs + 1) + (least & 15)])


@cuda.jit
def score(codes: DeviceCodes, sets: Sets, before: Array, rule: DeviceRule, scores: Array) -> None:
    """Score all guesses at the nodes, (n_nodes, n_codes) float64.

    Guesses that others are like get minus infinity. A row of blocks a node.
    """
    counts = cuda.shared.array((FEEDBACKS, THREADS), int32)
    node, thread, pegs = cuda.blockIdx.x, cuda.threadIdx.x, codes.colours.shape[1]
    start, stop, at = sets.offsets[node], sets.offsets[node + 1], rule.terms_at[node]
    weights = rule.weights[rule.row_of[node]]
    first = cuda.blockIdx.y * cuda.blockDim.x + thread
    for guess in range(first, scores.shape[1], cuda.gridDim.y * cuda.blockDim.x):
        if rule.consistent_only and not holds(sets, node, guess):
            scores[node, guess] = -inf
            continue
        if not rule.consistent_only and not first_alike(codes.by_peg[guess], pegs, before, node):
            scores[node, guess] = -inf
            continue
        for f in range(len(weights)):
            counts[f, thread] = 0
        for i in range(start, stop):
            counts[feedback(codes, guess, sets.members[i]), thread] += 1
        total, parts = inf if rule.takes_min else 0.0, 0
        for f in range(len(weights)):
            count = counts[f, thread]
            total = fold_cell(total, weights[f], rule.terms[at + count], rule.takes_min)
            parts += count > 0
        if rule.per_log_parts:
            total /= rule.log_parts[parts]
        scores[node, guess] = total


@cuda.jit
def pick(sets: Sets, rule: DeviceRule, scores: Array, guesses: Array) -> None:
    """Pick the guess of each node by score, then by the tie-break, or NOTHING; a block a node.

    The rank of a guess in the tie order has the candidates first, where they are preferred.
    """
    best = cuda.shared.array(THREADS, int64)
    node, thread, n = cuda.blockIdx.x, cuda.threadIdx.x, scores.shape[1]
    high = -inf
    for guess in range(thread, n, cuda.blockDim.x):
        high = max(high, scores[node, guess])
    tops = cuda.shared.array(THREADS, float64)
    tops[thread] = high
    cuda.syncthreads()
    for other in range(cuda.blockDim.x):
        high = max(high, tops[other])
    rank = 2 * n
    if high > -inf:
        least = high - rule.tolerances[node]
        for guess in range(thread, n, cuda.blockDim.x):
            if scores[node, guess] >= least:
                behind = rule.prefers_consistent and not holds(sets, node, guess)
                place = n - 1 - guess if rule.reverses else guess
                rank = min(rank, place + n if behind else place)
    best[thread] = rank
    cuda.syncthreads()
    if thread == 0:
        for other in range(cuda.blockDim.x):
            rank = min(rank, best[other])
        place = rank - n if rank >= n else rank
        guess = n - 1 - place if rule.reverses else place
        guesses[node] = NOTHING if rank == 2 * n else guess
