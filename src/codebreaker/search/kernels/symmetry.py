"""Symmetries of candidate sets: exchanges of positions and of colours that map a set onto itself.

A guess need not be tried if such an exchange maps it to one that is tried. Exchanges of one pair of
positions, or of two, are combined with exchanges of one pair of colours.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.sets.compile import inner, njit
from codebreaker.types import FeedbackIds, Indices, Offsets, SymbolMatrix


class Exchanges(NamedTuple):
    """Exchanges in a game of codes; none if its symmetries are unknown.

    `codes` is (n_guesses, pegs); `index_of` gives the index of a code from its digits, each with
    the factor in `places` (pegs,). `positions` is (n_orders, pegs): where each peg comes from;
    `colours` is (n_renamings, n_colours), the new name of each colour. The first of each changes
    nothing.
    """

    codes: SymbolMatrix
    index_of: Indices
    places: Offsets
    positions: SymbolMatrix
    colours: SymbolMatrix


@njit(nogil=True)
def exchanged(exchanges: Exchanges, order: int, renaming: int, guess: int) -> int:
    """Return the image of a guess."""
    value, code = 0, exchanges.codes[guess]
    for peg in range(len(code)):
        colour = code[exchanges.positions[order, peg]]
        value += exchanges.places[peg] * exchanges.colours[renaming, colour]
    return exchanges.index_of[value]


@njit(nogil=True)
def find_exchanges(
    exchanges: Exchanges,
    members: Indices,
    guess_of_secret: Indices,
    marks: Offsets,
    mark: int,
    found: Indices,
) -> int:
    """Write the exchanges that map a set onto itself into `found`, (n, 2); return their number.

    `marks` holds the mark for the guesses with the members' labels, and for no other guess.
    """
    n_found = 0
    for order in range(len(exchanges.positions)):
        for renaming in range(len(exchanges.colours)):
            if order == renaming == 0 or n_found == len(found):
                continue
            fits = True
            for member in members:
                image = exchanged(exchanges, order, renaming, guess_of_secret[member])
                if marks[image] != mark:
                    fits = False
                    break
            if fits:
                found[n_found, 0], found[n_found, 1] = order, renaming
                n_found += 1
    return n_found


@inner
def _has_image(
    exchanges: Exchanges,
    found: Indices,
    column_of: Indices,
    guess: int,
    column: int,
    allowed: FeedbackIds,
) -> bool:
    """Return whether an exchange of a set maps a guess to an earlier column that is allowed.

    Without `allowed` all are.
    """
    for entry in range(len(found)):
        order, renaming = np.int64(found[entry, 0]), np.int64(found[entry, 1])
        image = column_of[exchanged(exchanges, order, renaming, guess)]
        if image < column and (len(allowed) == 0 or allowed[image]):
            return True
    return False
