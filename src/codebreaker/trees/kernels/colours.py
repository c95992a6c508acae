"""Guesses worth trying in games of codes: one of each class that a candidate set can't tell apart.

Colours that no candidate holds are all alike, and stand for each other even within a guess.
Other colours are alike in a set where exchanging them maps the set onto itself: those that no
guess has used, and some more. Of guesses that differ by colours alike only the first in the tie
order is listed: it has the same partition as the others, feedback by feedback.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.arithmetic.compile import njit
from codebreaker.trees.kernels.sets import Sets
from codebreaker.types import FeedbackIds, Indices, Offsets

NEEDLESS = 255
"""The leader of a colour that no candidate holds, and that another such colour stands for."""


class CodeGrid(NamedTuple):
    """The codes of a game with feedback on demand.

    `codes` is (n_codes, pegs) uint8, in lexicographic order, `counts` (n_codes, n_colours) uint8.
    `index_of` (n_colours ** pegs,) is the index of the code whose colours have that value by
    `place`, or −1. `raws` are the sums of black pegs and (pegs + 1) times the colours in common
    that can occur, `id_of_raw` their feedback ids, in ascending order; `ids` (pegs + 1, pegs + 1)
    is by the two. The cells of sets of up to `most_few` are counted in bytes, by raws. `repeats`:
    a colour may stand twice.
    """

    codes: FeedbackIds
    counts: FeedbackIds
    place: Offsets
    index_of: Indices
    raws: FeedbackIds
    id_of_raw: Offsets
    ids: FeedbackIds
    n_colours: int
    n_feedback: int
    most_few: int
    repeats: bool


@njit(nogil=True, inline="always")
def colour_at(k: int, n_colours: int, reverses: bool) -> int:
    """Return the colour that comes k-th in the tie order."""
    return n_colours - 1 - k if reverses else k


@njit(nogil=True)
def find_leaders(
    grid: CodeGrid,
    sets: Sets,
    nodes: Offsets,
    node_of: Indices,
    reverses: bool,
    leaders: FeedbackIds,
) -> None:
    """Find each colour's leader at some nodes, the first colour alike, (n_nodes, n_colours) uint8.

    `node_of` (n_codes,) is the node whose candidate a code is, or −1.
    """
    pegs, n_colours = grid.codes.shape[1], grid.n_colours
    places = np.zeros((n_colours, pegs), np.int64)
    for node in nodes:
        members = sets.members[sets.offsets[node] : sets.offsets[node + 1]]
        places[:] = 0
        for member in members:
            for peg in range(pegs):
                places[grid.codes[member, peg], peg] += 1
        for k in range(n_colours):
            colour = colour_at(k, n_colours, reverses)
            leaders[node, colour] = colour
            absent = not places[colour].any()
            for j in range(k):
                other = colour_at(j, n_colours, reverses)
                if leaders[node, other] != other or (places[colour] != places[other]).any():
                    continue
                if absent and grid.repeats:
                    leaders[node, colour] = NEEDLESS
                    break
                if absent or _alike(grid, members, node_of, node, colour, other):
                    leaders[node, colour] = other
                    break


@njit(nogil=True)
def _alike(
    grid: CodeGrid, members: Indices, node_of: Indices, node: int, colour: int, other: int
) -> bool:
    """Return whether exchanging two colours maps a set onto itself."""
    for member in members:
        value = 0
        for peg in range(grid.codes.shape[1]):
            here = int(grid.codes[member, peg])
            if here == colour:
                here = other
            elif here == other:
                here = colour
            value += here * grid.place[peg]
        if node_of[grid.index_of[value]] != node:
            return False
    return True


@njit(nogil=True)
def list_pool(grid: CodeGrid, leaders: FeedbackIds, reverses: bool) -> Indices:
    """List the guesses whose colours alike come in order, in the tie order."""
    pegs, n_colours = grid.codes.shape[1], grid.n_colours
    rank, size = np.zeros(n_colours, np.int64), np.zeros(n_colours, np.int64)
    for k in range(n_colours):
        colour = colour_at(k, n_colours, reverses)
        if leaders[colour] != NEEDLESS:
            rank[colour] = size[leaders[colour]]
            size[leaders[colour]] += 1
    pool, n = np.empty(len(grid.codes), np.int32), 0
    used, opens = np.zeros(n_colours, np.int64), np.zeros(pegs, np.int64)
    at, value = np.full(pegs, -1, np.int64), np.zeros(pegs + 1, np.int64)
    peg = 0
    while peg >= 0:
        if opens[peg]:
            used[leaders[colour_at(at[peg], n_colours, reverses)]] -= 1
            opens[peg] = 0
        at[peg] += 1
        if at[peg] == n_colours:
            at[peg] = -1
            peg -= 1
            continue
        colour = colour_at(at[peg], n_colours, reverses)
        leader = leaders[colour]
        if leader == NEEDLESS or rank[colour] > used[leader]:
            continue
        value[peg + 1] = value[peg] + colour * grid.place[peg]
        if peg < pegs - 1:
            opens[peg] = rank[colour] == used[leader]
            used[leader] += opens[peg]
            peg += 1
        elif grid.index_of[value[pegs]] >= 0:
            pool[n] = grid.index_of[value[pegs]]
            n += 1
    return pool[:n].copy()


@njit(nogil=True)
def find_absent(grid: CodeGrid, members: Indices, leaders: FeedbackIds) -> None:
    """Find the colours that no candidate of a set holds, (n_colours,) uint8.

    Other colours lead themselves, so that the pool serves all subsets too.
    """
    present = np.zeros(grid.n_colours, np.bool_)
    for member in members:
        for peg in range(grid.codes.shape[1]):
            present[grid.codes[member, peg]] = True
    first = -1
    for colour in range(grid.n_colours):
        leaders[colour] = colour
        if not present[colour] and grid.repeats:
            if first >= 0:
                leaders[colour] = NEEDLESS
            first = colour
