"""Cells of the Rényi and Tsallis entropies, in monotone forms that rank guesses identically.

In a set of n candidates, a cell of c has the share p = c/n. Both entropies of order a depend only
on the sum of p^a, so without weights they rank guesses identically: order 0 by the number of parts,
1 by Shannon's entropy, 2 by the expected size, and infinity by the largest cell. They differ with
weights w: Rényi's is log(sum of w p^a)/(1 - a); Tsallis' is the sum of w (p - p^a)/(a - 1), which
is continuous with Shannon's weighted entropy at order 1.
"""

from collections.abc import Callable
from math import inf

import numpy as np
from numpy.typing import NDArray

Cell = Callable[[NDArray[np.float64], float], NDArray[np.float64]]
"""Maps the sizes of cells and the number of candidates to the cells' values."""

HIGHEST_ROUNDED = 8.0
"""The highest order whose cells differ as exact integers."""


def information(count: NDArray[np.float64], total: float) -> NDArray[np.float64]:
    """Return a cell's term of Shannon's entropy in bits, times the number of candidates."""
    return count * np.log2(total / count)


def largest(count: NDArray[np.float64], total: float) -> NDArray[np.float64]:
    """Return the negative size of a cell."""
    return -count


def renyi(order: float) -> Cell:
    """Return the cell of Rényi's entropy: the power of the size, negative above order 1.

    Above HIGHEST_ROUNDED it is the power of the share, which stays finite.
    """
    if order == 1:
        return information
    if order == inf:
        return largest
    if order > HIGHEST_ROUNDED:
        return lambda count, total: -((count / total) ** order)
    sign = 1.0 if order < 1 else -1.0
    return lambda count, total: sign * count**order


def tsallis(order: float) -> Cell:
    """Return the cell of Tsallis' entropy, times a power of the number of candidates.

    Above HIGHEST_ROUNDED, where p^a vanishes against p, it is Rényi's.
    """
    if order == 1 or order > HIGHEST_ROUNDED:
        return renyi(order)
    if order.is_integer() and order >= 2:
        return lambda count, total: total ** (order - 1) * count - count**order
    if order == 0:
        return lambda count, total: total - count
    return lambda count, total: np.abs(count * np.expm1((order - 1) * np.log(count / total)))


def mixture(first: float, second: float, share: float) -> Cell:
    """Return the cell of a mixture of two Tsallis entropies of order 0, 1 or 2.

    `share` is the weight of the second one. The entropies are in their own units: parts minus one,
    nats, and the probability that two candidates are in different cells.
    """
    plain: dict[float, Cell] = {
        0.0: lambda count, total: total - count,
        1.0: lambda count, total: count * np.log(total / count),
        2.0: lambda count, total: count - count * count / total,
    }
    one, other = plain[first], plain[second]
    return lambda count, total: (1 - share) * one(count, total) + share * other(count, total)
