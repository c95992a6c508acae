"""Criteria by name: registered ones, and members of families such as `renyi-0.5`.

With cell shares p, weights w (1 without weights) and order a, Rényi's entropy is log(sum of w
p^a)/(1 - a), and Tsallis' entropy the sum of w (p - p^a)/(a - 1). Order 0 ranks by the number of
parts, 1 is Shannon's entropy, 2 ranks by the expected size, infinity by the largest cell. Cells are
monotone transforms of these, which rank guesses equally.

A family is an entry of FAMILIES, at the end.
"""

import re
from collections.abc import Callable
from functools import lru_cache, partial
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.errors import CodebreakerError, quoted, unknown
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.criterion import (
    FINEST_POWER,
    FINEST_SCALE,
    Cell,
    Criterion,
    information,
    largest,
)

Floats = NDArray[np.float64]

HIGHEST_ORDER = 200.0  # above it powers of shares underflow
HIGHEST_ROUNDED = 8.0  # above it rounded cells are equal


def renyi(order: float) -> Cell:
    """Return the cell of Rényi's entropy; above HIGHEST_ROUNDED by shares, which stay finite."""
    if order == 1:
        return information
    if order == inf:
        return largest
    if order > HIGHEST_ROUNDED:
        return partial(_power_of_share, order)
    return partial(_power, order, 1.0 if order < 1 else -1.0)


def tsallis(order: float) -> Cell:
    """Return the cell of Tsallis' entropy; above HIGHEST_ROUNDED, where p^a vanishes, Rényi's."""
    if order == 1 or order > HIGHEST_ROUNDED:
        return renyi(order)
    if order.is_integer() and order >= 2:
        return partial(_integer_tsallis, order)
    return _rest if order == 0 else partial(_tsallis, order)


# Cells, with p = count / total and the order a. Only the order of guesses matters, so that a factor
# that depends on the total alone is left in.
# Functions and not lambdas: a strategy goes from the workflow to its jobs by pickle.
def _power_of_share(order: float, count: Floats, total: float) -> Floats:
    """Return −p^a, for orders above 1."""
    return -((count / total) ** order)


def _power(order: float, sign: float, count: Floats, total: float) -> Floats:
    """Return ±c^a, a multiple of p^a in each set."""
    return sign * count**order


def _integer_tsallis(order: float, count: Floats, total: float) -> Floats:
    """Return (p − p^a) times total^a, which is an integer for integer orders."""
    values: Floats = total ** (order - 1) * count - count**order
    return values


def _tsallis(order: float, count: Floats, total: float) -> Floats:
    """Return |p − p^a| times total: p |p^(a − 1) − 1|, without cancellation near order 1."""
    return np.abs(count * np.expm1((order - 1) * np.log(count / total)))


def _rest(count: Floats, total: float) -> Floats:
    """Return (1 − p) times total: the number of parts minus one, times total, over all cells."""
    return total - count


def _nats(count: Floats, total: float) -> Floats:
    """Return −p ln p times total."""
    return count * np.log(total / count)


def _separated(count: Floats, total: float) -> Floats:
    """Return (p − p²) times total."""
    return count - count * count / total


def _mixed(first: Cell, second: Cell, share: float, count: Floats, total: float) -> Floats:
    """Return the mean of two cells, of which the second has a share."""
    return (1 - share) * first(count, total) + share * second(count, total)


MIXED: dict[str, Cell] = {"most-parts": _rest, "entropy": _nats, "expected-size": _separated}
"""Tsallis entropies that can be mixed: parts minus one, nats, and probability of separation."""


class Family(NamedTuple):
    """Criteria that have numbers, or names of other criteria, in their names.

    `form` is how such a name is written, as `policies` lists it. `make` gets the name and the
    groups of `pattern`, and may raise `CodebreakerError`. The first example is shown to users, and
    tests try all. `title` is a member's display name, a format of these groups.
    """

    form: str
    about: str
    examples: tuple[str, ...]
    pattern: re.Pattern[str]
    make: Callable[..., Criterion]
    title: str = ""


@lru_cache(maxsize=4096)
def criterion(name: str) -> Criterion:
    """Return the criterion called `name`, or raise `CodebreakerError`."""
    if name in CRITERIA:
        return CRITERIA[name]
    family = family_of(name)
    if family is None:
        raise unknown("criterion", name, CRITERIA)
    match = family.pattern.fullmatch(name)
    if match is None:
        raise CodebreakerError(
            f"unknown criterion {quoted(name)}: write {family.form}, as in {family.examples[0]!r}"
        )
    return family.make(name, *match.groups())


def family_of(name: str) -> Family | None:
    """Return the family that a name begins with, even if it is not the name of a member."""
    for prefix, family in FAMILIES.items():
        if name.startswith(prefix):
            return family
    return None


def title_of_member(name: str) -> str | None:
    """Return the display name of a member of a family, or None if it has none.

    >>> title_of_member("renyi-0.5")
    'Rényi entropy of order 0.5'
    """
    family = family_of(name)
    match = None if family is None else family.pattern.fullmatch(name)
    if family is None or match is None or not family.title:
        return None
    return family.title.format(*match.groups())


def _of_order(family: str, name: str, written: str) -> Criterion:
    """Return the member of a family with an order, or raise `CodebreakerError`."""
    order = float(written)
    if HIGHEST_ORDER < order < inf:
        why = f"the order of criterion {name!r} is too high: use at most {HIGHEST_ORDER:g}, or inf"
        raise CodebreakerError(why)
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


def _mixture(name: str, first: str, second: str, written: str) -> Criterion:
    """Return the mixture of two of MIXED, or raise `CodebreakerError`."""
    share = float(written)
    if share > 1 or first == second:
        raise CodebreakerError(
            f"criterion {name!r} is not a mixture: name two criteria and the second's share, 0 to 1"
        )
    return Criterion(
        name,
        partial(_mixed, MIXED[first], MIXED[second], share),
        f"{first} and {second}, mixed as Tsallis entropies",
        ties="rounding",
        finest=FINEST_POWER,
    )


_NUMBER = r"[0-9]{1,9}(?:\.[0-9]{1,9})?"
_MIXED = "|".join(MIXED)

FAMILIES = {
    "renyi": Family(
        "renyi-ORDER",
        "Rényi's entropy of an order, 0 to 200 or inf",
        ("renyi-0.5", "renyi-1.3", "renyi-3", "renyi-20", "renyi-inf"),
        re.compile(rf"renyi-({_NUMBER}|inf)"),
        partial(_of_order, "renyi"),
        "Rényi entropy of order {}",
    ),
    "tsallis": Family(
        "tsallis-ORDER",
        "Tsallis's entropy of an order, 0 to 200",
        ("tsallis-1.3", "tsallis-0", "tsallis-0.5", "tsallis-3"),
        re.compile(rf"tsallis-({_NUMBER}|inf)"),
        partial(_of_order, "tsallis"),
        "Tsallis entropy of order {}",
    ),
    "mix": Family(
        "mix-FIRST-SECOND-SHARE",
        "two of most-parts, entropy and expected-size, with the share of the second",
        ("mix-most-parts-entropy-0.4", "mix-entropy-expected-size-0.75"),
        re.compile(rf"mix-({_MIXED})-({_MIXED})-({_NUMBER})"),
        _mixture,
        "Mixture of {} and {} with the share {}",
    ),
}
"""The families by what the names of their members begin with."""

EXAMPLES = tuple(name for family in FAMILIES.values() for name in family.examples)
