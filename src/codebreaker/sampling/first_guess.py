"""The first guess of a game of any size: exact sizes of the parts of each class of guesses."""

from collections.abc import Iterator
from math import comb, factorial

import numpy as np
from numpy.typing import NDArray

from codebreaker.games.codes import CodeRules
from codebreaker.sampling.kernels.space import Symbols

Terms = NDArray[np.float64]
"""A polynomial in x, y and z, by the powers of each, (pegs + 1, pegs + 1, pegs + 1)."""


def first_guesses(rules: CodeRules) -> Symbols:
    """Return a guess of each class under permutations of pegs and of colours, (n, pegs).

    A class is known by how many pegs have its first colour, its second colour and so on; a guess
    that may not repeat colours has one class.
    """
    if rules.unique:
        return np.arange(rules.pegs, dtype=np.uint8)[None]
    classes = [
        np.repeat(np.arange(len(sizes), dtype=np.uint8), sizes)
        for sizes in _descending(rules.pegs, rules.pegs, rules.colours)
    ]
    return np.array(classes)


def _descending(total: int, most: int, parts: int) -> Iterator[list[int]]:
    """Yield the ways to write a total as up to `parts` descending numbers, none above `most`."""
    if total == 0:
        yield []
        return
    if parts == 0:
        return
    for first in range(min(total, most), 0, -1):
        for others in _descending(total - first, first, parts - 1):
            yield [first, *others]


def part_sizes(rules: CodeRules, guess: Symbols) -> NDArray[np.float64]:
    """Return the sizes of a first guess's parts, by feedback id, as float64 (relative error 1e-9).

    Fix a of the pegs in place: in the block of the g pegs of a colour, C(g, a) ways. The other pegs
    go anywhere, so that the secrets with at least these pegs in place are counted by exponential
    generating functions, one for each colour: x counts fixed pegs, y colours in common, and z free
    pegs. Inclusion and exclusion of a gives the secrets with exactly b pegs in place.
    """
    pegs = rules.pegs
    is_unique = rules.unique or rules.distinct
    most = 1 if is_unique else pegs
    # 1. The colours that the guess lacks: their pegs are all free, and none is in common.
    terms: Terms = np.zeros((pegs + 1,) * 3)
    blocks = np.bincount(guess)
    others = rules.colours - len(blocks)
    for free in range(pegs + 1):
        terms[0, 0, free] = comb(others, free) if is_unique else others**free / factorial(free)
    # 2. Each colour of the guess, with n pegs in the secret, of which a are fixed.
    for block in blocks.tolist():
        product = np.zeros_like(terms)
        for copies in range(most + 1):
            common = min(block, copies)
            for fixed in range(common + 1):
                free = copies - fixed
                ways = comb(block, fixed) / factorial(free)
                product[fixed:, common:, free:] += (
                    ways * terms[: pegs + 1 - fixed, : pegs + 1 - common, : pegs + 1 - free]
                )
        terms = product
    # 3. The free pegs are all pegs that are not fixed: secrets by fixed pegs and colours in common.
    at_least = np.array([terms[a, :, pegs - a] * factorial(pegs - a) for a in range(pegs + 1)])
    # 4. Exactly b pegs in place, by black pegs and colours in common.
    secrets = np.zeros((pegs + 1, pegs + 1))
    for black in range(pegs + 1):
        for fixed in range(black, pegs + 1):
            secrets[black] += (-1) ** (fixed - black) * comb(fixed, black) * at_least[fixed]
    ids = rules.ids_by_pegs()
    sizes = np.zeros(len(rules.feedback_labels()))
    np.add.at(sizes, ids, np.maximum(np.rint(secrets), 0.0))
    return sizes
