"""Totals of guesses by class of secrets, packed into one integer each."""

import numpy as np

from codebreaker.duel.matrix import Classes
from codebreaker.errors import CodebreakerError
from codebreaker.types import Offsets

LARGEST = 62
"""Maximum bits of packed totals: their sums fit 64 bits with a sign."""


class Packing:
    """Packs totals by class into integers that can be added.

    Each class has a field of bits that is one bit wider than its budget. Totals below 2^bits of the
    budget leave the top bit of their field free. The sum of two such totals fits the field, so that
    no class's total spills into the next one's, as long as `within` is applied after each addition.
    """

    def __init__(self, classes: Classes, budgets: tuple[int, ...]) -> None:
        """Raise `CodebreakerError` if there are too many classes for one integer."""
        self._widths = np.array([1 + budget.bit_length() for budget in budgets])
        if self._widths.sum() > LARGEST:
            raise CodebreakerError(f"{len(classes.sizes)} classes of secrets are too many")
        self._starts = np.cumsum([0, *self._widths[:-1]])
        self._top_bits = int((1 << (self._starts + self._widths - 1)).sum())
        self.of_secret: Offsets = (1 << self._starts)[classes.of_secret]
        """One guess for each secret, packed, (n_secrets,) int64."""

    def within(self, packed: Offsets) -> Offsets:
        """Return the packed totals without those whose top bit says that they exceed a budget.

        Some totals above a budget remain: compare unpacked ones to be sure.
        """
        kept: Offsets = packed[packed & self._top_bits == 0]
        return kept

    def unpack(self, packed: Offsets) -> Offsets:
        """Return totals by class, (n, n_classes), of packed ones, (n,)."""
        totals: Offsets = (packed[:, None] >> self._starts) & ((1 << self._widths) - 1)
        return totals


def holds(ascending: Offsets, packed: int) -> bool:
    """Return whether packed totals are in an ascending list."""
    at = int(np.searchsorted(ascending, packed))
    return at < len(ascending) and int(ascending[at]) == packed
