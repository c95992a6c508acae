"""Numbers of results: floats that know the fraction they stand for."""

from fractions import Fraction


class Exact(float):
    """A number that is known exactly: the nearest float, and in `exact` its fraction.

    It is counted with, compared, formatted and written as JSON like any float, so what is computed
    from it is rounded; compute with `exact` what must not be.

    >>> mean = cb.grow("mm-4-6", "entropy", opening="1123").mean
    >>> print(f"{mean:.4f}", mean.exact)
    4.3827 355/81
    """

    __slots__ = ("exact",)

    exact: Fraction

    def __new__(cls, exact: Fraction | int) -> "Exact":
        """Return the number of a fraction."""
        number = super().__new__(cls, exact)
        number.exact = Fraction(exact)
        return number

    def __reduce__(self) -> tuple[type["Exact"], tuple[Fraction]]:
        """Return what is pickled and copied: the fraction."""
        return Exact, (self.exact,)
