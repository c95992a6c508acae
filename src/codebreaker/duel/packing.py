"""Totals by class, packed into one number each."""

import numpy as np

from codebreaker.duel.value import Classes
from codebreaker.errors import CodebreakerError
from codebreaker.types import Offsets

LARGEST = 62
"""The bits of packed totals."""


class Packing:
    """Totals by class as one number, a field for each class.

    The first bit of a field is 0 within the budget, so that sums of two don't run into the next.
    """

    def __init__(self, classes: Classes, budgets: tuple[int, ...]) -> None:
        self._widths = np.array([1 + budget.bit_length() for budget in budgets])
        if self._widths.sum() > LARGEST:
            raise CodebreakerError(f"{len(classes.sizes)} classes of secrets are too many")
        self._starts = np.cumsum([0, *self._widths[:-1]])
        self._beyond = int((1 << (self._starts + self._widths - 1)).sum())
        self.of_secret: Offsets = (1 << self._starts)[classes.of_secret]

    def within(self, packed: Offsets) -> Offsets:
        """Return packed totals without those that are far beyond a budget."""
        kept: Offsets = packed[packed & self._beyond == 0]
        return kept

    def unpack(self, packed: Offsets) -> Offsets:
        """Return totals by class, (n, n_classes)."""
        masks = (1 << self._widths) - 1
        totals: Offsets = (packed[:, None] >> self._starts) & masks
        return totals


def has(ascending: Offsets, packed: int) -> bool:
    """Return whether packed totals are among others, which ascend."""
    at = int(np.searchsorted(ascending, packed))
    return at < len(ascending) and int(ascending[at]) == packed
