"""The codes of a game of any size, and what a history of moves demands of them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.compiling.cpu import inner, njit
from codebreaker.sets.primitives import draw
from codebreaker.types import Counts, Hashes

Symbols = NDArray[np.uint8]
"""The colours of a code, (pegs,), or of codes, (n, pegs), from 0."""


class Space(NamedTuple):
    """The secrets of a game of codes, none of which is listed."""

    pegs: int
    n_colours: int
    is_unique: bool
    """Whether no colour repeats in a secret."""

    has_whites: bool
    """Whether feedback has white pegs."""


class History(NamedTuple):
    """The moves of a game, as conditions on the secret; loops over the moves read rows."""

    guesses: Symbols
    """The codes played so far, (pegs, n_moves)."""

    copies: Symbols
    """The pegs of each colour that they have, (n_colours, n_moves)."""

    blacks: Counts
    """Pegs in place by the feedback, (n_moves,)."""

    commons: Counts
    """Colours in common, black and white pegs together, (n_moves,); not read without whites."""


@inner
def draw_code(space: Space, state: Hashes, code: Symbols) -> None:
    """Draw a secret uniformly, into `code`, (pegs,)."""
    for peg in range(space.pegs):
        if space.is_unique:
            # Each peg has one of the colours that the pegs before it don't have, with equal
            # probabilities: a colour that they have is drawn again.
            is_new = False
            while not is_new:
                code[peg] = draw(state, space.n_colours)
                is_new = True
                for other in range(peg):
                    is_new = is_new and code[other] != code[peg]
        else:
            code[peg] = draw(state, space.n_colours)


@inner(forceinline=True)
def add_peg(
    history: History, peg: int, colour: int, copies: Counts, black: Counts, common: Counts
) -> None:
    """Count a peg that a code gets, in counts that have its other pegs.

    `copies`, (n_colours,), are the code's pegs of each colour; `black` and `common`, (n_moves,),
    are the pegs in place and the colours in common with each guess. The k-th peg of a colour is in
    common with a guess that has k pegs of it, too, in whatever order the pegs come.
    """
    for move in range(len(black)):
        black[move] += int(history.guesses[peg, move] == colour)
        common[move] += int(copies[colour] < history.copies[colour, move])
    copies[colour] += 1


@inner(forceinline=True)
def take_peg(
    history: History, peg: int, colour: int, copies: Counts, black: Counts, common: Counts
) -> None:
    """Undo `add_peg`, in any order of the pegs."""
    copies[colour] -= 1
    for move in range(len(black)):
        black[move] -= int(history.guesses[peg, move] == colour)
        common[move] -= int(copies[colour] < history.copies[colour, move])


@njit(nogil=True)
def is_consistent(space: Space, history: History, code: Symbols) -> bool:
    """Return whether a code is a secret that agrees with all moves."""
    if space.is_unique:
        for peg in range(space.pegs):
            for other in range(peg):
                if code[peg] == code[other]:
                    return False
    for move in range(len(history.blacks)):
        black = 0
        for peg in range(space.pegs):
            black += int(code[peg] == history.guesses[peg, move])
        if black != history.blacks[move]:
            return False
        if space.has_whites and count_common(space, history, move, code) != history.commons[move]:
            return False
    return True


@inner
def count_common(space: Space, history: History, move: int, code: Symbols) -> int:
    """Return the number of colours that a code has in common with the guess of a move."""
    common = 0
    for peg in range(space.pegs):
        # The k-th peg of a colour is in common if the guess has k pegs of it, too.
        colour = code[peg]
        copies = 1
        for other in range(peg):
            copies += int(code[other] == colour)
        common += int(copies <= history.copies[colour, move])
    return common
