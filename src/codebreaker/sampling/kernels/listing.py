"""All candidates of a set that is small enough, by constraints instead of a scan of all codes."""

import numpy as np

from codebreaker.compiling.cpu import inner, njit
from codebreaker.sampling.kernels.space import History, Space, Symbols, add_peg, take_peg
from codebreaker.types import Counts

COMPLETE, TOO_MANY, TOO_LONG = range(3)
"""How a listing ended: with all candidates, without room, or at the limit of its nodes."""

NO_COLOUR = -1


@njit(nogil=True)
def list_candidates(
    space: Space, history: History, room: Symbols, most_nodes: int
) -> tuple[int, int]:
    """List the candidates in lexicographic order into `room`, (n, pegs); return how it ended.

    The second number is that of the candidates listed. This is a depth-first search of the codes
    peg by peg, which leaves out partial codes that can't begin a candidate. At most `most_nodes`
    partial codes are tried.
    """
    pegs = space.pegs
    n_moves = len(history.blacks)
    # Of the partial code, which has the pegs up to `peg`: its colours, and what `add_peg` counts.
    colours = np.full(pegs, NO_COLOUR, np.int64)
    copies = np.zeros(space.n_colours, np.int64)
    black = np.zeros(n_moves, np.int64)
    common = np.zeros(n_moves, np.int64)
    most_black, most_common = most_gained(space, history)
    all_black = np.sum(history.blacks)
    all_common = np.sum(history.commons)
    n_listed = 0
    nodes = 0
    peg = 0
    while peg >= 0:
        # 1. Take the last colour of this peg away, and try the next one.
        old = colours[peg]
        if old != NO_COLOUR:
            take_peg(history, peg, old, copies, black, common)
        colour = old + 1
        if colour == space.n_colours:
            colours[peg] = NO_COLOUR
            peg -= 1
            continue
        colours[peg] = colour
        nodes += 1
        if nodes > most_nodes:
            return TOO_LONG, n_listed
        repeats = copies[colour] > 0
        add_peg(history, peg, colour, copies, black, common)
        # 2. Each open peg adds at most one to either count, and nothing is ever lost: a count
        #    that is too high stays so, and one that the open pegs can't complete stays too low.
        #    Over all guesses the open pegs add at most `most_black` and `most_common`.
        if space.is_unique and repeats:
            continue
        n_open = pegs - peg - 1
        is_open = all_black - np.sum(black) <= most_black[n_open]
        if space.has_whites and all_common - np.sum(common) > most_common[n_open]:
            is_open = False
        for move in range(n_moves):
            missing_black = history.blacks[move] - black[move]
            if missing_black < 0 or missing_black > n_open:
                is_open = False
                break
            missing_common = history.commons[move] - common[move]
            if space.has_whites and (missing_common < 0 or missing_common > n_open):
                is_open = False
                break
        if not is_open:
            continue
        # 3. A complete code has nothing missing, and is a candidate.
        if peg == pegs - 1:
            if n_listed == len(room):
                return TOO_MANY, n_listed
            for position in range(pegs):
                room[n_listed, position] = colours[position]
            n_listed += 1
            continue
        peg += 1
    return COMPLETE, n_listed


@inner
def most_gained(space: Space, history: History) -> tuple[Counts, Counts]:
    """Return bounds of what the last n pegs add to the counts of all guesses, (pegs + 1,) each.

    In place, a peg counts in the guesses that have its colour there: at most as many as share a
    colour. In common, the k-th peg of a colour counts in the guesses that have k pegs of it.
    """
    n_moves = len(history.blacks)
    most_black = np.zeros(space.pegs + 1, np.int64)
    gains = np.zeros(space.n_colours * space.pegs, np.int64)
    for peg in range(space.pegs):
        shared = np.zeros(space.n_colours, np.int64)
        for move in range(n_moves):
            shared[history.guesses[peg, move]] += 1
        for colour in range(space.n_colours):
            most_black[space.pegs - peg] = max(most_black[space.pegs - peg], shared[colour])
    for move in range(n_moves):
        for colour in range(space.n_colours):
            for copy in range(history.copies[colour, move]):
                gains[colour * space.pegs + copy] += 1
    most_common = np.zeros(space.pegs + 1, np.int64)
    for n in range(1, space.pegs + 1):
        # The largest gains, one after the other. (A sort would be most of what is compiled here.)
        largest = 0
        for i in range(len(gains)):
            if gains[i] > gains[largest]:
                largest = i
        most_black[n] += most_black[n - 1]
        most_common[n] = most_common[n - 1] + gains[largest]
        gains[largest] = 0
    return most_black, most_common
