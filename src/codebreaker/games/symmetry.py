"""Symmetries of games of codes: permuting positions and renaming colours changes no feedback."""

from collections.abc import Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from codebreaker.games.model import GameModel, Symmetry, TableGame
from codebreaker.types import Counts, Indices, Positions, Prior, SymbolMatrix

MOST_PERMUTED = 7  # groups of positions
LARGEST_KEY = 2**63 - 1  # number that represents a row


def representatives_of_guesses(game: GameModel, history: Sequence[int] = ()) -> Indices:
    """Return each guess's representative after some guesses, (n_guesses,) int32.

    It is the first guess of the same class: those that symmetries which fix `history` exchange.
    """
    if game.symmetry is None:
        return np.arange(game.n_guesses, dtype=np.int32)
    return _representatives_of_codes(game.symmetry, history)


def class_representatives(game: GameModel, history: Sequence[int] = ()) -> Indices:
    """Return the representatives of all classes after some guesses, ascending, (n_classes,)."""
    return np.unique(representatives_of_guesses(game, history))


def respects_symmetry(game: TableGame, weights: Prior) -> bool:
    """Return whether equivalent secrets have equal weights."""
    weight_of_guess = np.zeros(game.n_guesses, dtype=np.int64)
    weight_of_guess[game.guess_of_secret] = weights
    representative = representatives_of_guesses(game)
    return bool((weight_of_guess == weight_of_guess[representative]).all())


def _representatives_of_codes(symmetry: Symmetry, history: Sequence[int]) -> Indices:
    """Return the smallest index in each code's class if `history` is fixed, (n_codes,) int32."""
    codes = symmetry.codes.astype(np.int64)
    played = codes[list(history)]
    if symmetry.alphabets.any():
        classes = _classes_by_matches(codes, played)
    else:
        classes = _classes_by_counts(codes, played, symmetry.n_colours)
    first, which = _distinct_rows(classes)
    return first[which].astype(np.int32)


def _distinct_rows(rows: NDArray[np.int64]) -> tuple[Positions, Positions]:
    """Return the first index of each distinct row of integers ≥ 0, and each row's number."""
    # A row's key has its columns as digits in a base. Before keys overflow, they are numbered anew.
    base = int(rows.max()) + 1
    bound = 1  # keys are below it
    keys = np.zeros(len(rows), dtype=np.int64)
    for column in rows.T:
        if bound * base > LARGEST_KEY:
            distinct, keys = np.unique(keys, return_inverse=True)
            bound = len(distinct)
        bound *= base
        keys = keys * base + column
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    return first, which


def _classes_by_matches(codes: NDArray[np.int64], played: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a row per code, equal within a class, if each position has its own colours."""
    # 1. Positions may be exchanged within groups: where the same played codes agree.
    n_played = len(played)
    agree = (played[:, None] == played[None, :]).reshape(-1, codes.shape[1])
    groups = [tuple(column) for column in agree.T.tolist()]
    position = np.array([groups.index(column) for column in groups])
    # 2. For each position of a code, the first played code with the same colour there, if any.
    #    Colours that no played code has at a position can be renamed there.
    matches = np.full(codes.shape, n_played)
    for k in range(n_played - 1, -1, -1):
        matches[codes == played[k]] = k
    classes: NDArray[np.int64] = np.sort(position * (n_played + 1) + matches, axis=1)
    return classes


def _classes_by_counts(
    codes: NDArray[np.int64], played: NDArray[np.int64], n_colours: int
) -> NDArray[np.int64]:
    """Return a row per code, equal within a class, if positions share their colours."""
    columns = [tuple(column) for column in played.T.tolist()]
    groups = sorted(set(columns))
    group_of = np.array([groups.index(column) for column in columns])  # where played codes agree
    sizes = np.bincount(group_of)
    of_group = np.array(groups).T

    def classes(rows: NDArray[np.int64], order: list[int], names: dict[int, int]) -> Counts:
        """Return the counts by colour after permuting groups and renaming colours."""
        # A count has a digit for each group: how many of its positions have the colour.
        place_values = (codes.shape[1] + 1) ** np.argsort(order)[group_of]
        counts = np.zeros((len(rows), n_colours), dtype=np.int64)
        for position in range(codes.shape[1]):
            counts[np.arange(len(rows)), rows[:, position]] += place_values[position]
        free = [colour for colour in range(n_colours) if colour not in names]
        old = sorted(names, key=names.__getitem__)
        return np.hstack([counts[:, old], np.sort(counts[:, free], axis=1)])

    # Permutations of groups of positions that, with a renaming, leave the played codes unchanged.
    every = range(len(groups))
    orders = map(list, permutations(every) if len(groups) <= MOST_PERMUTED else [every])
    changes = [
        (order, names)
        for order in orders
        if np.array_equal(sizes[order], sizes)
        and (names := _renaming(of_group, of_group[:, order])) is not None
    ]
    # Codes that are equal in the first order, which changes no position, stay equal.
    unchanged = classes(codes, *changes[0])
    first, which = _distinct_rows(unchanged)
    lowest = unchanged[first]
    for change in changes[1:]:
        changed = classes(codes[first], *change)
        lowest = np.where(precedes(changed, lowest)[:, None], changed, lowest)
    return lowest[which]


def _renaming(symbols: SymbolMatrix, moved: SymbolMatrix) -> dict[int, int] | None:
    """Return the renaming of colours that makes moved codes the old ones; None if there is none."""
    names: dict[int, int] = {}
    for old, new in zip(moved.ravel().tolist(), symbols.ravel().tolist(), strict=True):
        if names.setdefault(old, new) != new:
            return None
    return names if len(set(names.values())) == len(names) else None


def precedes(rows: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return whether each row precedes that of `others` lexicographically, (n_rows,)."""
    first_difference = (rows != others).argmax(axis=1)
    every = np.arange(len(rows))
    less: NDArray[np.bool_] = rows[every, first_difference] < others[every, first_difference]
    return less
