"""Symmetries of games of codes: permuting positions and renaming colours changes no feedback."""

from collections.abc import Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from codebreaker.games.model import CodeGame, Game, Symmetry, TableGame
from codebreaker.types import Indices, Offsets, SymbolMatrix

MOST_PERMUTED = 7
"""Positions of longer codes are not permuted: it would take too long."""


def orbits(game: TableGame, history: Sequence[int]) -> Indices:
    """Return the representative of each guess's orbit, the smallest index, (n_guesses,) int32.

    The symmetries are those that fix the guesses of the history. Without known symmetries every
    guess is its own representative.
    """
    if game.symmetry is None:
        return np.arange(game.n_guesses, dtype=np.int32)
    return representatives(game.symmetry, history)


def are_alike(game: TableGame, weights: Offsets) -> bool:
    """Return whether the secrets that symmetries map to each other have equal weights.

    `weights` is (n_secrets,) int64; secrets of an orbit that the game doesn't have weigh 0.
    """
    own = orbits(game, [])
    by_guess = np.zeros(game.n_guesses, dtype=np.int64)
    by_guess[game.guess_of_secret] = weights
    return bool((by_guess == by_guess[own]).all())


def symmetry_of(game: Game) -> Symmetry | None:
    """Return the symmetries of a game, with or without a table; None if none are known."""
    if isinstance(game, CodeGame):
        return Symmetry(game.codes, game.n_colours, np.zeros(game.codes.shape[1], np.int64))
    assert isinstance(game, TableGame)
    return game.symmetry


def first_guesses(game: Game) -> Indices:
    """Return one first guess of each kind: the smallest index, ascending."""
    symmetry = symmetry_of(game)
    every = np.arange(game.n_guesses, dtype=np.int32)
    return every if symmetry is None else np.unique(representatives(symmetry, ()))


def representatives(symmetry: Symmetry, history: Sequence[int]) -> Indices:
    """Return the smallest index in each code's orbit, (n_codes,) int32.

    `history` holds indices of codes that every symmetry must map to themselves. For each
    permutation of the positions they determine the images of their colours; the other colours are
    interchangeable, and are renamed to the smallest free ones in order of appearance.
    """
    codes, n_colours = symmetry.codes, symmetry.n_colours
    pegs = codes.shape[1]
    # Number the colours of different alphabets differently, so one renaming serves all games.
    shift = n_colours * symmetry.alphabets
    n_alphabets = len(np.unique(symmetry.alphabets))
    place = n_colours ** np.arange(pegs - 1, -1, -1, dtype=np.int64)
    played = codes[list(history)].astype(np.int64)

    def images(rows: SymbolMatrix, positions: tuple[int, ...]) -> NDArray[np.int64] | None:
        """Return the least images of codes if the positions are permuted so; None if they can't."""
        forced = _forced(played + shift, played[:, positions] + shift)
        if forced is None:
            return None
        names = _renamed(rows[:, positions] + shift, n_colours, n_alphabets, forced)
        values: NDArray[np.int64] = names % n_colours @ place
        return values

    orders = list(permutations(range(pegs))) if pegs <= MOST_PERMUTED else [tuple(range(pegs))]
    # Codes that differ by a renaming alone have the same orbit: one of each is permuted.
    renamed = images(codes, orders[0])
    assert renamed is not None  # the identity keeps every history
    least, first, which = np.unique(renamed, return_index=True, return_inverse=True)
    for positions in orders[1:]:
        permuted = images(codes[first], positions)
        if permuted is not None:
            least = np.minimum(least, permuted)
    indices: Indices = np.searchsorted(codes @ place, least[which]).astype(np.int32)
    return indices


def _forced(symbols: SymbolMatrix, moved: SymbolMatrix) -> dict[int, int] | None:
    """Return the images of symbols that map moved codes to what they were; None if impossible."""
    forced: dict[int, int] = {}
    for old, new in zip(moved.ravel().tolist(), symbols.ravel().tolist(), strict=True):
        if forced.setdefault(old, new) != new:
            return None
    return forced if len(set(forced.values())) == len(forced) else None


def _renamed(
    moved: SymbolMatrix, n_colours: int, n_alphabets: int, forced: dict[int, int]
) -> NDArray[np.int64]:
    """Rename symbols: the forced ones as given, others to the smallest free of their alphabet."""
    taken = set(forced.values())
    free = np.zeros((n_alphabets, n_colours + 1), dtype=np.int64)
    for alphabet in range(n_alphabets):
        own = range(alphabet * n_colours, (alphabet + 1) * n_colours)
        unused = [symbol for symbol in own if symbol not in taken]
        free[alphabet, : len(unused)] = unused
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
