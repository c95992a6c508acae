"""Symmetries of code games: permuting positions and renaming colours changes no feedback."""

from collections.abc import Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from codebreaker.games.model import Symmetry, TableGame
from codebreaker.types import Indices, SymbolMatrix

MOST_PERMUTED = 7
"""Positions of longer codes are left where they are: their permutations would take too long."""


def orbits(game: TableGame, history: Sequence[int]) -> Indices:
    """Return for each guess the least one that is its image under a symmetry of the game.

    The symmetries keep the guesses of the history; (n_guesses,) int32 indices. Each guess is its
    own where nothing is known of symmetries.
    """
    if game.symmetry is None:
        return np.arange(game.n_guesses, dtype=np.int32)
    return representatives(game.symmetry, history)


def representatives(symmetry: Symmetry, history: Sequence[int]) -> Indices:
    """Return the least code of each code's orbit under the symmetries that keep some codes.

    `history` are indices of codes that every symmetry must map to themselves. Returns
    (n_codes,) int32 indices.

    For each permutation of the positions, a colour that the history holds must go where the
    history says; the others are interchangeable, and go to the least free ones as they come.
    """
    # A colour at a position is told apart by its alphabet, so that one table serves all games.
    symbols = symmetry.codes.astype(np.int64) + symmetry.n_colours * symmetry.alphabets
    shifts = np.unique(symmetry.alphabets) * symmetry.n_colours
    pegs = symbols.shape[1]
    place = symmetry.n_colours ** np.arange(pegs - 1, -1, -1, dtype=np.int64)
    values = symmetry.codes @ place
    least = values.copy()
    orders = permutations(range(pegs)) if pegs <= MOST_PERMUTED else [tuple(range(pegs))]
    for positions in orders:
        moved = symmetry.codes[:, positions] + symmetry.n_colours * symmetry.alphabets
        forced = _forced(symbols, moved, history)
        if forced is not None:
            renamed = _renamed(moved, symmetry.n_colours, len(shifts), forced)
            least = np.minimum(least, renamed % symmetry.n_colours @ place)
    found: Indices = np.searchsorted(values, least).astype(np.int32)
    return found


def _forced(
    symbols: SymbolMatrix, moved: SymbolMatrix, history: Sequence[int]
) -> dict[int, int] | None:
    """Return where symbols must go for each code of the history to stay; None if they can't."""
    forced: dict[int, int] = {}
    for code in history:
        for old, new in zip(moved[code].tolist(), symbols[code].tolist(), strict=True):
            if forced.setdefault(old, new) != new:
                return None
    return forced if len(set(forced.values())) == len(forced) else None


def _renamed(
    moved: SymbolMatrix, n_colours: int, n_alphabets: int, forced: dict[int, int]
) -> NDArray[np.int64]:
    """Rename symbols: the forced ones as told, others to the least free of their alphabet."""
    kept = set(forced.values())
    free = np.zeros((n_alphabets, n_colours + 1), dtype=np.int64)
    for alphabet in range(n_alphabets):
        own = range(alphabet * n_colours, (alphabet + 1) * n_colours)
        names_left = [symbol for symbol in own if symbol not in kept]
        free[alphabet, : len(names_left)] = names_left
    names = np.full((len(moved), n_alphabets * n_colours), -1, dtype=np.int64)
    names[:, list(forced)] = list(forced.values())
    used = np.zeros((len(moved), n_alphabets), dtype=np.int64)
    rows, renamed = np.arange(len(moved)), np.empty(moved.shape, dtype=np.int64)
    for position in range(moved.shape[1]):
        symbols = moved[:, position]
        alphabet = int(symbols[0]) // n_colours
        new = names[rows, symbols] < 0
        names[rows[new], symbols[new]] = free[alphabet, used[new, alphabet]]
        used[:, alphabet] += new
        renamed[:, position] = names[rows, symbols]
    return renamed
