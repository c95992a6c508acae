"""Criteria: the rules that score a guess by the sizes of its partition's cells.

A criterion is a cell and a fold: `score = fold of weight[turn, feedback] · cell(count, total)` over
the non-empty cells, and the guess with the highest score is played. To add a criterion, write its
cell and register it here: it becomes a policy of that name, and every invariant test covers it. The
name of a criterion with a parameter includes it, as in `renyi-0.5`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from math import floor, inf
from typing import Literal, NamedTuple

import numpy as np

from codebreaker.errors import CodebreakerError, unknown
from codebreaker.policies.entropies import (
    HIGHEST_ROUNDED,
    Cell,
    information,
    largest,
    mixture,
    renyi,
    tsallis,
)
from codebreaker.types import Fold, GuessPool, Scores, TieBreak

FINEST_SCALE, FINEST_POWER = 2.0**20, 2.0**40
"""The largest scales of terms: of entropies in bits, and of powers and mixtures."""

EXACT_BELOW = 2.0**53
"""Sums of integers below this are exact in float64, in any order."""

TIE_TOLERANCE_BITS = 1e-6
"""Entropies closer than this tie, as in the program published with Gür 2025."""

TIE_TOLERANCE_FLOAT = 2.0**-40
"""Unrounded scores tie within this relative difference of the best one."""

Ties = Literal["equal", "bits", "rounding", "float"]
"""When scores tie: if they are equal; within TIE_TOLERANCE_BITS; within the rounding errors of a
sum's terms; or, if terms are not rounded, within TIE_TOLERANCE_FLOAT."""


class Scales(NamedTuple):
    """The factors of terms and weights before both are rounded to integers."""

    term: float
    weight: float


@dataclass(frozen=True)
class Criterion:
    """A named rule: its cell, fold and citation, and a policy's defaults for it.

    `ties` says when scores tie. `finest` is the largest scale of terms; `per_log_parts` divides
    the folded score by the logarithm of the number of parts.
    """

    name: str
    cell: Cell = field(repr=False)
    citation: str
    fold: Fold = "sum"
    ties: Ties = "equal"
    finest: float = 1.0
    per_log_parts: bool = False
    guess_pool: GuessPool = "all"
    tie_break: TieBreak = "consistent then lexicographic"

    def __reduce__(self) -> tuple[Callable[[str], "Criterion"], tuple[str]]:
        """Pickle a criterion by its name, as its cell may be a lambda."""
        return criterion, (self.name,)

    def scales(self, total: int, n_feedback: int, weighted: bool) -> Scales:
        """Return the powers of two at which sums of weighted terms are exact integers.

        The weights' scale is 1 without weights. If the sums would grow too large, scales are
        reduced: the terms' first, then, once the terms would no longer be integers, the weights'.
        """
        term, weight = self.finest, FINEST_SCALE if weighted else 1.0
        bound = self.largest_sum(total, n_feedback)
        least = 0.0 if self.ties == "rounding" else 1.0
        while weight * (term * bound + max(term, 1.0) * n_feedback) >= EXACT_BELOW:
            if term > least:
                term /= 2
            elif weight > 1:
                weight /= 2
            else:
                break
        return Scales(term, weight)

    def largest_sum(self, total: int, n_feedback: int) -> float:
        """Bound the sum of |cell| over any partition of `total` into `n_feedback` cells.

        For every slope s the sum is at most s·total + n_feedback·max(|cell(c)| − s·c), since the
        sizes add up to the total; the slope at equal sizes makes this tight for a concave cell.
        """
        sizes = np.arange(1.0, total + 1)
        values = np.abs(self.cell(sizes, float(total)))
        middle = min(max(total // n_feedback, 1), total - 1) if total > 1 else 1
        slopes = [0.0]
        if total > 1:
            slopes.append(max(float(values[middle] - values[middle - 1]), 0.0))
        return min(
            slope * total + n_feedback * max(float((values - slope * sizes).max()), 0.0)
            for slope in slopes
        )

    def terms(self, total: int, scale: float) -> Scores:
        """Return the value of a cell of each size from 0 to `total`, (total + 1,) exact integers.

        An empty cell changes no score: its value is 0 for sums, infinity for minima. A cell with
        all of several candidates has the value −inf, so a guess that splits nothing is never played
        if another one splits.
        """
        terms = np.full(total + 1, np.inf if self.fold == "min" else 0.0)
        terms[1:] = scale * self.cell(np.arange(1.0, total + 1), float(total))
        if self.ties != "float":
            terms = np.round(terms)
        if total > 1:
            terms[total] = -np.inf
        return terms

    def tolerance(self, total: int, n_feedback: int, scales: Scales) -> float:
        """Return the largest distance from the best score at which a guess ties."""
        if self.ties == "bits":
            return float(floor(TIE_TOLERANCE_BITS * total * scales.term) * scales.weight)
        return n_feedback * scales.weight if self.ties == "rounding" else 0.0

    @property
    def tolerance_part(self) -> float:
        """Return the tolerance relative to the best score's magnitude."""
        return TIE_TOLERANCE_FLOAT if self.ties == "float" else 0.0


@lru_cache(maxsize=8192)
def scored_set(rule: Criterion, total: int, n_feedback: int, weight: float) -> tuple[Scores, float]:
    """Return the terms and the tolerance for sets of a size, with weights scaled by `weight`."""
    scales = rule.scales(total, n_feedback, weight > 1)._replace(weight=weight)
    return rule.terms(total, scales.term), rule.tolerance(total, n_feedback, scales)


_REGISTERED = (
    Criterion(
        "first-consistent",
        lambda count, total: np.zeros_like(count),
        "Shapiro 1983, the 'Simple' strategy of Kooi 2005, section 2.1",
        guess_pool="consistent",
        tie_break="lexicographic",
    ),
    Criterion("worst-case", largest, "Knuth 1977; Kooi 2005, section 2.3", fold="min"),
    Criterion(
        "expected-size", lambda count, total: -count * count, "Irving 1979; Kooi 2005, section 2.4"
    ),
    Criterion(
        "entropy",
        information,
        "Neuwirth 1982; Kooi 2005, section 2.5",
        ties="bits",
        finest=FINEST_SCALE,
    ),
    Criterion("most-parts", lambda count, total: np.ones_like(count), "Kooi 2005, section 3"),
    Criterion(
        "entropy-base-parts",
        information,
        "Kooi 2005, section 5: the logarithm's base is the number of parts",
        ties="bits",
        finest=FINEST_SCALE,
        per_log_parts=True,
    ),
)

CRITERIA: dict[str, Criterion] = {criterion.name: criterion for criterion in _REGISTERED}
"""Every criterion by its name."""

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

_NUMBER = r"(\d+(?:\.\d+)?)"
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
