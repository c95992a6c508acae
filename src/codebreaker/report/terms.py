"""Terms of criteria in JavaScript, for the page: what `Criterion.cell` computes, as an expression.

A cell is called with symbols instead of arrays, which write down what NumPy is asked for.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from itertools import groupby
from typing import Any

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.policies.criterion import Criterion

JAVASCRIPT = {
    "add": "({} + {})",
    "subtract": "({} - {})",
    "multiply": "({} * {})",
    "divide": "({} / {})",
    "power": "({} ** {})",
    "negative": "(-{})",
    "absolute": "Math.abs({})",
    "maximum": "Math.max({}, {})",
    "minimum": "Math.min({}, {})",
    "sqrt": "Math.sqrt({})",
    "exp": "Math.exp({})",
    "expm1": "Math.expm1({})",
    "log": "Math.log({})",
    "log2": "Math.log2({})",
    "log1p": "Math.log1p({})",
}
"""How the page writes a function of NumPy: the name of a ufunc, and a format of its arguments."""


class Symbol(np.lib.mixins.NDArrayOperatorsMixin):
    """A number that is not known yet, as text in JavaScript."""

    def __init__(self, text: str) -> None:
        """Take the text of an expression that can stand as an operand."""
        self.text = text

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: object) -> "Symbol":
        """Return what a ufunc makes of some symbols and numbers."""
        if ufunc.__name__ not in JAVASCRIPT:
            raise CodebreakerError(
                f"the page can't compute numpy.{ufunc.__name__}: add it to JAVASCRIPT"
            )
        texts = [one.text if isinstance(one, Symbol) else f"{one!s}" for one in inputs]
        return Symbol(JAVASCRIPT[ufunc.__name__].format(*texts))

    def __array_function__(
        self, function: Callable[..., Any], _types: object, _args: object, _kwargs: object
    ) -> "Symbol":
        """Return the constant that fills an array."""
        constants = {np.zeros_like: "0", np.ones_like: "1"}
        if function not in constants:
            raise CodebreakerError(
                f"the page can't compute numpy.{function.__name__}: use functions of JAVASCRIPT, "
                "such as numpy.maximum"
            )
        return Symbol(constants[function])


def term_of(criterion: Criterion) -> str:
    """Return a criterion's term of a cell in JavaScript, by the numbers `count` and `total`.

    >>> from codebreaker.policies.families import criterion
    >>> term_of(criterion("expected-size"))
    '((-count) * count)'
    """
    count: Any = Symbol("count")
    total: Any = Symbol("total")
    term: Any = criterion.cell(count, total)
    return str(term.text)


def script_of(criteria: list[Criterion]) -> str:
    """Return the module that defines `CELLS`, the terms of criteria by name."""
    lines = [f'  "{rule.name}": (count, total) => {term_of(rule)},\n' for rule in criteria]
    return f"export const CELLS = {{\n{''.join(lines)}}};\n"


@lru_cache(maxsize=256)
def scales_by_size(
    criterion: Criterion, n_secrets: int, n_feedback: int, weighted: bool
) -> list[list[float]]:
    """Return the scales of terms: each smallest size of sets with another scale, and this scale."""
    scale = partial(criterion.scales, n_feedback=n_feedback, weighted=weighted)
    sizes = groupby(range(1, n_secrets + 1), lambda size: scale(size).term)
    return [[next(group), term] for term, group in sizes]
