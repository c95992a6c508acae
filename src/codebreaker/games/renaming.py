"""Histories under other names: brought to one form by a game's symmetry, and found in a tree.

A symmetry permutes the positions of all codes and renames their colours, which keeps feedback. So
after `1234:0,1` the same play is best as after `0123:0,1`, under other names. The order of moves
changes nothing either.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, groupby, permutations, product
from math import factorial, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.games.model import GameModel, Symmetry
from codebreaker.games.symmetry import MOST_PERMUTED
from codebreaker.types import Indices, Move

MOST_ORDERS = 120
"""Maximum number of orders of moves that are compared: five with the same feedback."""

UNNAMED = -1
"""Stands for the name of a colour that has none yet."""


class Renamed(NamedTuple):
    """Moves under other names, and the code that each of their codes stands for, (n_guesses,)."""

    moves: tuple[Move, ...]
    meaning: Indices


def canonical(game: GameModel, moves: Sequence[Move]) -> Renamed:
    """Return a history's canonical form, which is the same for all that symmetries make equal.

    Moves are ordered by feedback. Of all orders that this allows, of all orders of positions and of
    all names of colours, the one with the lowest codes is taken. Without a known symmetry only the
    order of moves may change, and with more than seven pegs positions keep theirs.
    """
    symmetry = game.symmetry
    if symmetry is None or not moves:
        every = np.arange(game.n_guesses, dtype=np.int32)
        return Renamed(tuple(sorted(moves, key=lambda move: (move[1], move[0]))), every)
    orders = _orders_of_positions(symmetry)
    best = None
    for ordered in _orders_of_moves(moves):
        played = symmetry.codes[[guess for guess, _ in ordered]].astype(np.int64)
        moved = played[:, orders].transpose(1, 0, 2)  # (n_orders, n_moves, pegs)
        named = _named_by_appearance(symmetry, moved)
        rows = named.reshape(len(orders), -1)
        at = int(np.lexsort(rows.T[::-1])[0])
        if best is None or rows[at].tolist() < best[0]:
            best = rows[at].tolist(), ordered, orders[at], named[at]
    assert best is not None, "moves have an order"
    _, ordered, order, codes = best
    names = _empty_names(symmetry)
    for (guess, _), code in zip(ordered, codes, strict=True):
        names[symmetry.alphabets, symmetry.codes[guess][order]] = code
    meaning = _meaning(symmetry, order, names)
    played_as = np.empty_like(meaning)
    played_as[meaning] = np.arange(len(meaning), dtype=np.int32)
    renamed = tuple((int(played_as[guess]), feedback) for guess, feedback in ordered)
    return Renamed(renamed, meaning)


class Match(NamedTuple):
    """A node of a tree, and the code that each of the tree's codes stands for, (n_guesses,)."""

    node: int
    meaning: Indices


def matches(
    game: GameModel,
    guesses: Indices,
    children: Sequence[dict[int, int]],
    moves: Sequence[Move],
) -> Iterator[Match]:
    """Yield the nodes of a tree that moves lead to, in any order and under any names.

    Args:
        game: The tree's game; without a known symmetry, only the order may differ.
        guesses: The tree's guess at each node, (n_nodes,).
        children: The nodes below each node, by feedback id.
        moves: The moves, from the root on.
    """
    symmetry = game.symmetry
    if symmetry is None:
        every = np.arange(game.n_guesses, dtype=np.int32)
        yield from (
            Match(node, every) for node in _unrenamed(guesses, children, 0, frozenset(moves))
        )
        return
    orders = _orders_of_positions(symmetry)
    names = np.broadcast_to(_empty_names(symmetry), (len(orders), *_empty_names(symmetry).shape))
    found = _renamed(symmetry, guesses, children, 0, tuple(moves), orders, names)
    for node, order, chosen in found:
        yield Match(node, _meaning(symmetry, order, chosen))


def _unrenamed(
    guesses: Indices, children: Sequence[dict[int, int]], node: int, left: frozenset[Move]
) -> Iterator[int]:
    """Yield the nodes that moves lead to in any order."""
    if not left:
        yield node
    for move in left:
        guess, feedback = move
        below = children[node].get(feedback)
        if guesses[node] == guess and below is not None:
            yield from _unrenamed(guesses, children, below, left - {move})


def _renamed(
    symmetry: Symmetry,
    guesses: Indices,
    children: Sequence[dict[int, int]],
    node: int,
    left: tuple[Move, ...],
    orders: NDArray[np.int64],
    names: NDArray[np.int64],
) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.int64]]]:
    """Yield the nodes that the moves `left` lead to from a node, each with an order and names.

    `orders` are the orders of positions, (n, pegs), under which the moves before agree with the
    tree, each with its `names` of colours so far, (n, alphabets, colours).
    """
    if not left:
        yield node, orders[0], names[0]
        return
    code = symmetry.codes[guesses[node]].astype(np.int64)
    for number, (guess, feedback) in enumerate(left):
        below = children[node].get(feedback)
        if below is None:
            continue
        moved = symmetry.codes[guess].astype(np.int64)[orders]
        fits, more = _named_as(symmetry, moved, code, names)
        if fits.any():
            rest = left[:number] + left[number + 1 :]
            yield from _renamed(symmetry, guesses, children, below, rest, orders[fits], more[fits])


def _named_as(
    symmetry: Symmetry, moved: NDArray[np.int64], code: NDArray[np.int64], names: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Return which moved codes, (n, pegs), can be named as a code, and the names with its ones.

    Different colours of an alphabet have different names.
    """
    names = names.copy()
    every = np.arange(len(moved))
    fits = np.ones(len(moved), dtype=np.bool_)
    for position, name in enumerate(code.tolist()):
        alphabet = int(symmetry.alphabets[position])
        colours = moved[:, position]
        known = names[every, alphabet, colours]
        is_taken = (names[:, alphabet] == name).any(axis=1)
        fits &= (known == name) | ((known == UNNAMED) & ~is_taken)
        names[every, alphabet, colours] = np.where(known == UNNAMED, name, known)
    return fits, names


def _orders_of_positions(symmetry: Symmetry) -> NDArray[np.int64]:
    """Return the orders of positions to try, (n_orders, pegs), the usual one first."""
    pegs = symmetry.codes.shape[1]
    if pegs > MOST_PERMUTED:
        return np.arange(pegs)[None]
    return np.array(list(permutations(range(pegs))))


def _orders_of_moves(moves: Sequence[Move]) -> Iterator[tuple[Move, ...]]:
    """Yield the orders of moves in which feedback ascends; one of them if they are many."""
    ascending = sorted(moves, key=lambda move: move[1])
    groups = [tuple(group) for _, group in groupby(ascending, key=lambda move: move[1])]
    if prod(factorial(len(group)) for group in groups) > MOST_ORDERS:
        yield tuple(ascending)
        return
    for chosen in product(*map(permutations, groups)):
        yield tuple(chain.from_iterable(chosen))


def _named_by_appearance(symmetry: Symmetry, moved: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return codes, (n, n_moves, pegs), with each alphabet's colours named 0, 1, ... in order."""
    n = len(moved)
    named = np.empty_like(moved)
    for alphabet in np.unique(symmetry.alphabets).tolist():
        at = np.flatnonzero(symmetry.alphabets == alphabet)
        rows = moved[:, :, at].reshape(n, -1)
        named[:, :, at] = by_appearance(rows, symmetry.n_colours).reshape(n, -1, len(at))
    return named


def by_appearance(rows: NDArray[np.int64], n_colours: int) -> NDArray[np.int64]:
    """Return rows of colours, (n, n_symbols), each with 0, 1, ... as they first appear."""
    # `names` has each row's names of colours; `used` counts them.
    every = np.arange(len(rows))
    names = np.full((len(rows), n_colours), UNNAMED, dtype=np.int64)
    used = np.zeros(len(rows), dtype=np.int64)
    renamed = np.empty_like(rows)
    for column in range(rows.shape[1]):
        colours = rows[:, column]
        name = names[every, colours]
        new = name == UNNAMED
        name[new] = used[new]
        names[every, colours] = name
        used += new
        renamed[:, column] = name
    return renamed


def _empty_names(symmetry: Symmetry) -> NDArray[np.int64]:
    """Return no names yet, (alphabets, colours)."""
    n_alphabets = int(symmetry.alphabets.max()) + 1
    return np.full((n_alphabets, symmetry.n_colours), UNNAMED, dtype=np.int64)


def _meaning(symmetry: Symmetry, order: NDArray[np.int64], names: NDArray[np.int64]) -> Indices:
    """Return the code that each renamed code stands for, (n_codes,) int32.

    Colours without a name get the free names in their order.
    """
    names = names.copy()
    for row in names:
        free = np.setdiff1d(np.arange(symmetry.n_colours), row)
        row[row == UNNAMED] = free
    codes = symmetry.codes.astype(np.int64)
    renamed = names[symmetry.alphabets, codes[:, order]]
    # Both have the same rows, so that their sorted orders put equal rows side by side.
    meaning = np.empty(len(codes), dtype=np.int32)
    meaning[np.lexsort(codes.T[::-1])] = np.lexsort(renamed.T[::-1])
    return meaning
