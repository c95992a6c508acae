"""The second guess of a game of codes: one of each class that is equivalent after the first."""

from collections.abc import Iterator
from itertools import pairwise, permutations
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from codebreaker.sampling.kernels.space import Symbols
from codebreaker.sampling.settings import MOST_EXCHANGES, MOST_FIRST_CODES

Keys = NDArray[np.int64]
"""Numbers that are equal for equivalent codes, (n, n_colours)."""


def second_guesses(first: Symbols, codes: Symbols, n_colours: int) -> Symbols | None:
    """Return a code of each class after a first guess, (pegs,), in the order of `codes`.

    Returns None if more than `MOST_FIRST_CODES` may be the first of their class.

    A block is the pegs to which the first guess gave one colour. Nothing tells apart the pegs of a
    block, the colours that the first guess lacks, and blocks of the same size with their colours:
    two codes that differ by exchanges of these have parts of the same sizes, and both are
    candidates or neither is. With more than `MOST_EXCHANGES` exchanges of blocks (in games without
    repeats) some classes have several codes. `codes` are (n, pegs).
    """
    # 1. Sort each block and number the colours that the first guess lacks: most codes fall away.
    blocks = [np.flatnonzero(first == colour) for colour in np.unique(first)]
    played = [int(first[block[0]]) for block in blocks]
    others = [colour for colour in range(n_colours) if colour not in played]
    reduced = codes[_may_come_first(codes, blocks, others, n_colours)]
    if len(reduced) > MOST_FIRST_CODES:
        return None
    # 2. How many pegs of each colour a code has in each block tells its class, but for exchanges of
    #    blocks of the same size: of the keys after each exchange the lowest stands for the class.
    amounts = np.zeros((len(reduced), len(blocks), n_colours), np.int64)
    for number, block in enumerate(blocks):
        for peg in block:
            amounts[np.arange(len(reduced)), number, reduced[:, peg]] += 1
    lowest = _keys(amounts, played, others, len(first))
    for order in _exchanges([len(block) for block in blocks]):
        keys = _keys(amounts[:, order], [played[block] for block in order], others, len(first))
        lowest = np.where(_is_below(keys, lowest)[:, None], keys, lowest)
    # 3. The first code of each class.
    _, kept = np.unique(lowest, axis=0, return_index=True)
    classes: Symbols = reduced[np.sort(kept)]
    return classes


def _may_come_first(
    codes: Symbols, blocks: list[NDArray[np.intp]], others: list[int], n_colours: int
) -> NDArray[np.bool_]:
    """Return which codes, (n, pegs), may be the first of their class in lexicographic order.

    The first code of a class has its colours in ascending order within each block, and colours
    that the first guess lacks come in the order of their numbers: sorting a block or exchanging
    two such colours would give an earlier code.
    """
    may_come_first = np.ones(len(codes), bool)
    for block in blocks:
        for peg, following in pairwise(block):
            may_come_first &= codes[:, peg] <= codes[:, following]
    # Of the colours that the first guess lacks: their order, and how many have come so far.
    order = np.full(n_colours, -1)
    order[others] = np.arange(len(others))
    n_seen = np.zeros(len(codes), np.int64)
    for peg in range(codes.shape[1]):
        rank = order[codes[:, peg]]
        may_come_first &= rank <= n_seen
        n_seen = np.maximum(n_seen, rank + 1)
    return may_come_first


def _exchanges(sizes: list[int]) -> Iterator[list[int]]:
    """Yield the orders of blocks that leave their sizes as they are, the given one among them.

    If they are more than `MOST_EXCHANGES`, only the given order is.
    """
    n_orders = prod(factorial(sizes.count(size)) for size in set(sizes))
    if n_orders > MOST_EXCHANGES:
        yield [*range(len(sizes))]
        return
    for order in permutations(range(len(sizes))):
        if all(sizes[block] == size for block, size in zip(order, sizes, strict=True)):
            yield list(order)


def _keys(amounts: NDArray[np.int64], played: list[int], others: list[int], pegs: int) -> Keys:
    """Return a row of numbers of each code, from its pegs by block and colour, as in `amounts`.

    A colour's number is its pegs in each block as digits. Colours of the first guess stay in
    order; the numbers of the others are sorted, as nothing tells these colours apart.
    """
    digits = (pegs + 1) ** np.arange(amounts.shape[1], dtype=np.int64)
    numbers = np.einsum("cbk,b->ck", amounts, digits)
    return np.concatenate([numbers[:, played], np.sort(numbers[:, others], axis=1)], axis=1)


def _is_below(keys: Keys, others: Keys) -> NDArray[np.bool_]:
    """Return which rows come before the others' rows in lexicographic order."""
    rows = np.arange(len(keys))
    column = (keys != others).argmax(axis=1)
    is_below: NDArray[np.bool_] = keys[rows, column] < others[rows, column]
    return is_below
