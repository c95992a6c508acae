"""Criteria by name: the registered ones, and members of families such as `renyi-0.5`.

The name of a criterion with a parameter includes it.
"""

import re
from functools import lru_cache
from math import inf

from codebreaker.errors import CodebreakerError, unknown
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.criterion import FINEST_POWER, FINEST_SCALE, Criterion
from codebreaker.policies.entropies import HIGHEST_ROUNDED, mixture, renyi, tsallis

ORDERED = ("renyi", "tsallis")
"""Families whose members are named by an order, such as `renyi-0.5` or `renyi-inf`."""

MIXED = {"most-parts": 0.0, "entropy": 1.0, "expected-size": 2.0}
"""Criteria that can be mixed, as in `mix-entropy-most-parts-0.25`, and their entropies' orders."""

EXAMPLES = (
    "renyi-0.5",
    "renyi-1.3",
    "renyi-3",
    "renyi-20",
    "renyi-inf",
    "tsallis-0",
    "tsallis-0.5",
    "tsallis-1.3",
    "tsallis-3",
    "mix-most-parts-entropy-0.4",
    "mix-entropy-expected-size-0.75",
)
"""Members of the families, for tests of every invariant."""

HIGHEST_ORDER = 200.0
"""Above it powers of shares underflow in float64; only an infinite order is possible."""

_NUMBER = r"(\d{1,9}(?:\.\d{1,9})?)"
_MIXTURE = re.compile(rf"mix-({'|'.join(MIXED)})-({'|'.join(MIXED)})-{_NUMBER}")
_ORDERED = re.compile(rf"({'|'.join(ORDERED)})-(?:{_NUMBER}|inf)")


@lru_cache(maxsize=4096)
def criterion(name: str) -> Criterion:
    """Return the criterion called `name`; raise `CodebreakerError` if there is none."""
    if name in CRITERIA:
        return CRITERIA[name]
    if match := _ORDERED.fullmatch(name):
        return _of_order(name, match[1], inf if match[2] is None else float(match[2]))
    if match := _MIXTURE.fullmatch(name):
        return _mixture(name, match[1], match[2], float(match[3]))
    if name.startswith((*ORDERED, "mix")):
        raise CodebreakerError(
            f"unknown criterion {name!r}: write FAMILY-ORDER, as in 'renyi-0.5', 'tsallis-2' or "
            "'renyi-inf', or a mixture as in 'mix-most-parts-entropy-0.4'"
        )
    raise unknown("criterion", name, CRITERIA)


def _of_order(name: str, family: str, order: float) -> Criterion:
    if HIGHEST_ORDER < order < inf:
        raise CodebreakerError(
            f"the order of criterion {name!r} is too high: use at most {HIGHEST_ORDER:g}, or inf"
        )
    cell = renyi(order) if family == "renyi" else tsallis(order)
    cited = {"renyi": "Rényi 1961", "tsallis": "Tsallis 1988"}[family]
    citation = f"{cited}, of order {order:g}; proposed in Gür 2025, section 7.2"
    if order == inf:
        return Criterion(name, cell, citation, fold="min")
    if order == 1:
        return Criterion(name, cell, citation, ties="bits", finest=FINEST_SCALE)
    if order in (0, 2):
        return Criterion(name, cell, citation)
    if order > HIGHEST_ROUNDED:
        return Criterion(name, cell, citation, ties="float")
    return Criterion(name, cell, citation, ties="rounding", finest=FINEST_POWER)


def _mixture(name: str, first: str, second: str, share: float) -> Criterion:
    if share > 1 or first == second:
        raise CodebreakerError(
            f"criterion {name!r} is not a mixture: name two criteria and the second's share, 0 to 1"
        )
    return Criterion(
        name,
        mixture(MIXED[first], MIXED[second], share),
        f"{first} and {second}, mixed as Tsallis entropies",
        ties="rounding",
        finest=FINEST_POWER,
    )
