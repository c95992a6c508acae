"""Equal games up to the game's symmetries, so that each is priced once."""

from collections.abc import Iterator
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from codebreaker.games.model import CodeGame, Game, TableGame
from codebreaker.games.symmetry import MOST_PERMUTED, precedes
from codebreaker.types import Indices, SymbolMatrix

NO_GUESS = -1
"""Stands for the turns after a game's last guess."""

CELLS_AT_ONCE = 1 << 20


def canonical(game: Game, guesses: Indices, only_opening: bool = False) -> Indices:
    """Return each game's guesses under the symmetry that makes them least, (n_games, n_turns).

    `guesses` are padded with NO_GUESS. Positions are permuted and colours renamed in the order of
    their appearance; games that are images of each other become equal, and so do equal beginnings.
    With `only_opening` the least opening decides, colours that it lacks keep their order, and a
    game whose opening is least stays as it is. A game without known symmetries, or whose
    positions have colours of their own, returns the guesses as they are.
    """
    symbols = _symbols(game)
    if symbols is None:
        return guesses
    codes, n_colours = symbols
    result = guesses.copy()
    lengths = (guesses != NO_GUESS).sum(axis=1)
    for length in np.unique(lengths[lengths > 0]).tolist():
        group = np.flatnonzero(lengths == length)
        step = max(CELLS_AT_ONCE // (length * codes.shape[1]), 1)
        for first in range(0, len(group), step):
            some = group[first : first + step]
            played = guesses[some, :length]
            result[some, :length] = _least(codes, n_colours, played, only_opening)
    return result


def _symbols(game: Game) -> tuple[SymbolMatrix, int] | None:
    """Return the codes of a game and the number of their colours, if all positions share them."""
    if isinstance(game, CodeGame):
        return game.codes, game.n_colours
    assert isinstance(game, TableGame)
    if game.symmetry is None or game.symmetry.alphabets.any():
        return None
    return game.symmetry.codes, game.symmetry.n_colours


def _least(codes: SymbolMatrix, n_colours: int, played: Indices, only_opening: bool) -> Indices:
    """Return the least image of each game, for games of one length, (n_games, length)."""
    n_games, length = played.shape
    pegs = codes.shape[1]
    place = n_colours ** np.arange(pegs - 1, -1, -1, dtype=np.int64)
    rows = codes[played].astype(np.int64)
    decisive = 1 if only_opening else length
    least: NDArray[np.int64] | None = None
    for positions in _orders(pegs):
        moved = rows[:, :, positions].reshape(n_games, -1)
        if only_opening:
            every = np.broadcast_to(np.arange(n_colours), (n_games, n_colours))
            moved = np.hstack([moved[:, :pegs], every, moved[:, pegs:]])
        renamed = _by_appearance(moved, n_colours)
        if only_opening:
            renamed = np.hstack([renamed[:, :pegs], renamed[:, pegs + n_colours :]])
        values = renamed.reshape(n_games, length, pegs) @ place
        if least is None:
            least = values
            continue
        lower = precedes(values[:, :decisive], least[:, :decisive])
        least = np.where(lower[:, None], values, least)
    assert least is not None
    indices: Indices = np.searchsorted(codes @ place, least).astype(np.int32)
    return indices


def _orders(pegs: int) -> Iterator[list[int]]:
    """Yield the permutations of the positions, that of no change first."""
    every = permutations(range(pegs)) if pegs <= MOST_PERMUTED else [tuple(range(pegs))]
    return map(list, every)


def _by_appearance(rows: NDArray[np.int64], n_colours: int) -> NDArray[np.int64]:
    """Rename the colours of each row to 0, 1, ... in the order of their appearance."""
    games = np.arange(len(rows))
    names = np.full((len(rows), n_colours), -1, dtype=np.int64)
    used = np.zeros(len(rows), dtype=np.int64)
    renamed = np.empty_like(rows)
    for column in range(rows.shape[1]):
        colours = rows[:, column]
        name = names[games, colours]
        new = name < 0
        name[new] = used[new]
        names[games, colours] = name
        used += new
        renamed[:, column] = name
    return renamed
