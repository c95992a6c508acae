"""Symmetries of code games: permuting positions and colours changes no feedback."""

from collections.abc import Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from codebreaker.types import Codes

Rows = NDArray[np.integer]


def representatives(codes: Rows, n_colours: int, history: Sequence[int]) -> Codes:
    """Return the least code of each code's orbit under the symmetries that keep some codes.

    `codes` is (n_codes, pegs) in lexicographic order, with colours from 0; `history` are indices
    of codes that every symmetry must map to themselves. Returns (n_codes,) int32 indices.

    For each permutation of the positions, a colour that the history holds must go where the
    history says; the others are interchangeable, and go to the least free ones as they come.
    """
    pegs = codes.shape[1]
    place = n_colours ** np.arange(pegs - 1, -1, -1, dtype=np.int64)
    least = np.arange(len(codes), dtype=np.int64)
    for positions in permutations(range(pegs)):
        moved = codes[:, positions]
        forced = _forced_colours(codes, moved, history)
        if forced is not None:
            least = np.minimum(least, _relabelled(moved, n_colours, forced) @ place)
    return least.astype(np.int32)


def _forced_colours(codes: Rows, moved: Rows, history: Sequence[int]) -> dict[int, int] | None:
    """Return where colours must go for each code of the history to stay; None if they can't."""
    forced: dict[int, int] = {}
    for code in history:
        for old, new in zip(moved[code].tolist(), codes[code].tolist(), strict=True):
            if forced.setdefault(old, new) != new:
                return None
    return forced if len(set(forced.values())) == len(forced) else None


def _relabelled(moved: Rows, n_colours: int, forced: dict[int, int]) -> NDArray[np.int64]:
    """Rename colours: the forced ones as told, others to the least free ones in order."""
    free = np.array([c for c in range(n_colours) if c not in forced.values()] + [0])
    names = np.full((len(moved), n_colours), -1, dtype=np.int64)
    names[:, list(forced)] = list(forced.values())
    used = np.zeros(len(moved), dtype=np.int64)
    rows, renamed = np.arange(len(moved)), np.empty(moved.shape, dtype=np.int64)
    for position in range(moved.shape[1]):
        colours = moved[:, position]
        new = names[rows, colours] < 0
        names[rows[new], colours[new]] = free[used[new]]
        used += new
        renamed[:, position] = names[rows, colours]
    return renamed
