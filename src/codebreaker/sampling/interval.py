"""A number that is known exactly, or estimated with an interval."""

from typing import NamedTuple


class Interval(NamedTuple):
    """A number with its 95% interval, whose ends are the number itself if it is exact."""

    value: float
    low: float
    high: float

    @property
    def is_exact(self) -> bool:
        """Whether the number is exact."""
        return self.low == self.high

    @property
    def in_words(self) -> str:
        """The number as text, with its interval if it is estimated."""
        if self.is_exact:
            return f"{self.value:,.4g}"
        return f"{rounded(self.value)} ({rounded(self.low)} to {rounded(self.high)})"


def exactly(value: float) -> Interval:
    """Return an exact number."""
    return Interval(value, value, value)


def rounded(value: float) -> str:
    """Return a number in three digits: with commas below a billion, otherwise as a power of ten."""
    if value >= 1e9:
        return f"{value:.2e}"
    return f"{float(f'{value:.3g}'):,.0f}" if value >= 100 else f"{value:.3g}"
