"""Symmetry reduction in games of codes: one guess of each equivalence class at a candidate set.

Two colours are equivalent at a set if exchanging them maps the set onto itself; colours that no
guess has used are, and some others. Colours that no candidate holds are interchangeable peg by peg.
Of the guesses that differ only by equivalent colours, the first in the tie order is listed: all of
them have the same partition, feedback id by feedback id.

A class of colours is named by its leader, the first of the class in the tie order. A colour that
no candidate holds, if another such colour replaces it, has the leader n_colours, which is none.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.sets.compile import inner, njit
from codebreaker.sets.cpu import exchange_colours, in_tie_order
from codebreaker.trees.kernels.sets import Sets
from codebreaker.types import FeedbackIds, Indices, Offsets, SymbolMatrix


class CodeGrid(NamedTuple):
    """The codes of a game with feedback on demand.

    `codes` is (n_codes, pegs), in lexicographic order, of a type for 0 to n_colours; `counts` is
    (n_codes, n_colours) uint8, how often each code has each colour. `place` (pegs,) are the place
    values of the pegs, and `index_of` (n_colours ** pegs,) is the index of the code of a value, or
    −1. `raws` are the possible values of c(c + 1)/2 + b, for c colours in common and b black pegs,
    at most n_feedback; `id_of_raw` are their feedback ids, and `ids` (pegs + 1, pegs + 1) is the
    feedback id by b and c. `repeats`: a code may have a colour twice.
    """

    codes: SymbolMatrix
    counts: FeedbackIds
    place: Offsets
    index_of: Indices
    raws: FeedbackIds
    id_of_raw: Offsets
    ids: FeedbackIds
    n_colours: int
    n_feedback: int
    repeats: bool


@njit(nogil=True)
def find_leaders(
    grid: CodeGrid,
    sets: Sets,
    nodes: Offsets,
    node_of: Indices,
    reverses: bool,
    leaders: SymbolMatrix,
) -> None:
    """Find each colour's leader at some nodes, into leaders, (n_nodes, n_colours).

    `node_of` (n_codes,) is the node at which a code is a candidate, or −1.
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
            colour = in_tie_order(k, n_colours, reverses)
            leaders[node, colour] = colour
            absent = not places[colour].any()
            for j in range(k):
                other = in_tie_order(j, n_colours, reverses)
                if leaders[node, other] != other or (places[colour] != places[other]).any():
                    continue
                if absent and grid.repeats:
                    leaders[node, colour] = n_colours
                    break
                if absent or _equivalent(grid, members, node_of, node, colour, other):
                    leaders[node, colour] = other
                    break


@inner
def _equivalent(
    grid: CodeGrid, members: Indices, node_of: Indices, node: int, colour: int, other: int
) -> bool:
    """Return whether exchanging two colours maps a set onto itself."""
    for member in members:
        code = exchange_colours(grid.codes, grid.place, grid.index_of, member, colour, other)
        if node_of[code] != node:
            return False
    return True


@njit(nogil=True)
def list_pool(grid: CodeGrid, leaders: SymbolMatrix, reverses: bool) -> Indices:
    """List the guesses in which equivalent colours first appear in tie order, in tie order."""
    pegs, n_colours = grid.codes.shape[1], grid.n_colours
    rank, size = np.zeros(n_colours, np.int64), np.zeros(n_colours, np.int64)
    for k in range(n_colours):
        colour = in_tie_order(k, n_colours, reverses)
        if leaders[colour] != n_colours:
            rank[colour] = size[leaders[colour]]
            size[leaders[colour]] += 1
    pool, n = np.empty(len(grid.codes), np.int32), 0
    used, opens = np.zeros(n_colours, np.int64), np.zeros(pegs, np.int64)
    at, value = np.full(pegs, -1, np.int64), np.zeros(pegs + 1, np.int64)
    peg = 0
    while peg >= 0:
        if opens[peg]:
            used[leaders[in_tie_order(at[peg], n_colours, reverses)]] -= 1
            opens[peg] = 0
        at[peg] += 1
        if at[peg] == n_colours:
            at[peg] = -1
            peg -= 1
            continue
        colour = in_tie_order(at[peg], n_colours, reverses)
        leader = leaders[colour]
        if leader == n_colours or rank[colour] > used[leader]:
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
def find_absent(grid: CodeGrid, members: Indices, leaders: SymbolMatrix) -> None:
    """Find the leaders of a set's colours by absence alone, (n_colours,).

    Each colour that a candidate holds is its own leader, so the pool serves all subsets too.
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
                leaders[colour] = grid.n_colours
            first = colour
