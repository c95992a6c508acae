"""Criteria: a guess scores the fold of weight[turn, feedback] · cell(count, total) over cells."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import floor
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from codebreaker.errors import LONGEST_REASON, CodebreakerError, shortened
from codebreaker.games.model import GameModel
from codebreaker.types import Fold, GuessPool, Offsets, Scores, TieBreak

Cell = Callable[[NDArray[np.float64], float], NDArray[np.float64]]

FINEST_SCALE = 2.0**20
FINEST_POWER = 2.0**40
"""Largest scales of terms: for entropies in bits, and for powers and mixtures."""

EXACT_BELOW = 2.0**53

TIE_TOLERANCE_BITS = 1e-6
"""Entropies closer than this tie, as in the program published with Gür 2025."""

TIE_TOLERANCE_FLOAT = 2.0**-40  # unrounded scores tie within this relative difference of the best

Ties = Literal["equal", "bits", "rounding", "float"]
"""When scores tie: if equal, or within TIE_TOLERANCE_BITS, rounding errors, TIE_TOLERANCE_FLOAT."""

Measure = Literal["weight", "number", "mean number"]
"""A cell's argument with a prior: its weight, size, or weighted mean of sizes."""

MEASURES: tuple[Measure, ...] = get_args(Measure)

LARGEST_MEASURED = 2**22
"""Largest sum of weights that criteria measure, as a term is cached for every sum."""


def information(count: NDArray[np.float64], total: float) -> NDArray[np.float64]:
    """Return a cell's term of Shannon's entropy in bits, times the number of candidates."""
    return count * np.log2(total / count)


def largest(count: NDArray[np.float64], total: float) -> NDArray[np.float64]:
    """Return a cell's negative size."""
    return -count


class Scales(NamedTuple):
    """The factors of terms and weights before both are rounded to integers."""

    term: float
    weight: float


@dataclass(frozen=True)
class Criterion:
    """A named rule; `per_log_parts` divides scores by log2 of the number of parts."""

    name: str
    cell: Cell = field(repr=False)
    citation: str
    fold: Fold = "sum"
    ties: Ties = "equal"
    finest: float = 1.0
    per_log_parts: bool = False
    measure: Measure = "weight"
    guess_pool: GuessPool = "all"
    tie_break: TieBreak = "consistent then lexicographic"

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def scores_are_equal(self) -> bool:
        """Return whether all guesses that split a set score 0, so that the first one is played."""
        return not self.values(np.arange(1.0, 9.0), 9.0).any()

    def values(self, count: NDArray[np.float64], total: float) -> NDArray[np.float64]:
        """Return the cell's values at `count`, (n,), which are 1 to n of `total` candidates.

        Raises `CodebreakerError` unless the cell, which may be a user's, has a finite number for
        each count.
        """
        counts = f"the counts 1 to {len(count):,} of {total:,.0f} candidates"
        try:
            values = np.asarray(self.cell(count, total), dtype=np.float64)
        except Exception as why:
            raise CodebreakerError(
                f"the cell of criterion {self.name!r} fails for {counts} "
                f"({shortened(str(why), LONGEST_REASON)}): it takes an array of counts and their "
                "total, and returns a number for each count, with np.log and np.where instead of "
                "math.log and if"
            ) from why
        if values.shape != count.shape or not np.isfinite(values).all():
            raise CodebreakerError(
                f"the cell of criterion {self.name!r} must return one finite number for each of "
                f"{counts}"
            )
        return values

    def scales(self, total: int, n_feedback: int, weighted: bool) -> Scales:
        """Return powers of two that make sums of terms exact; the terms' is reduced first."""
        term = self.finest
        weight = FINEST_SCALE if weighted else 1.0
        bound = self.largest_sum(total, n_feedback)
        lowest = 0.0 if self.ties == "rounding" else 1.0
        while weight * (term * bound + max(term, 1.0) * n_feedback) >= EXACT_BELOW:
            if term > lowest:
                term /= 2
            elif weight > 1:
                weight /= 2
            else:
                break
        return Scales(term, weight)

    def largest_sum(self, total: int, n_feedback: int) -> float:
        """Bound the sum of |cell| over any partition of `total`."""
        # For any slope s the sum is at most s·total + n_feedback·max(|cell(c)| − s·c); the slope at
        # equal sizes makes this tight for concave cells.
        sizes = np.arange(1.0, total + 1)
        values = np.abs(self.values(sizes, float(total)))
        slopes = [0.0]
        if total > 1:
            middle = min(max(total // n_feedback, 1), total - 1)
            slopes.append(max(float(values[middle] - values[middle - 1]), 0.0))
        return min(
            slope * total + n_feedback * max(float((values - slope * sizes).max()), 0.0)
            for slope in slopes
        )

    def terms(self, total: int, scale: float) -> Scores:
        """Return a cell's value by its size, (total + 1,); −inf for all in one cell.

        So no guess that leaves a set whole is ever chosen, and a tree has at most as many turns as
        candidates, whatever the cell.
        """
        terms = np.full(total + 1, np.inf if self.fold == "min" else 0.0)
        terms[1:] = scale * self.values(np.arange(1.0, total + 1), float(total))
        if self.ties != "float":
            terms = np.round(terms)
        if total > 1:
            terms[total] = -np.inf
        return terms

    def tolerance(self, total: int, n_feedback: int, scales: Scales) -> float:
        """Return how far below the best score a guess still ties."""
        if self.ties == "bits":
            return float(floor(TIE_TOLERANCE_BITS * total * scales.term) * scales.weight)
        return n_feedback * scales.weight if self.ties == "rounding" else 0.0

    @property
    def tolerance_part(self) -> float:
        """Return the tolerance relative to the best score."""
        return TIE_TOLERANCE_FLOAT if self.ties == "float" else 0.0


@lru_cache(maxsize=8192)
def scored_set(rule: Criterion, total: int, n_feedback: int, weight: float) -> tuple[Scores, float]:
    """Return the terms and the tolerance for sets of a size."""
    scales = rule.scales(total, n_feedback, weight > 1)._replace(weight=weight)
    return rule.terms(total, scales.term), rule.tolerance(total, n_feedback, scales)


def term_tables(
    game: GameModel, criteria: Sequence[tuple[Criterion, float]], pairs: Iterable[tuple[int, int]]
) -> tuple[Scores, Offsets, Scores]:
    """Return the terms, their starts by criterion and set size, and the tolerances."""
    shape = (len(criteria), game.n_secrets + 1)
    terms_at = np.zeros(shape, dtype=np.int64)
    tolerances = np.zeros(shape)
    rows = [np.zeros(1)]
    filled = 1
    for k, size in pairs:
        rule, weight = criteria[k]
        row, tolerances[k, size] = scored_set(rule, size, game.n_feedback, weight)
        terms_at[k, size] = filled
        rows.append(row)
        filled += len(row)
    return np.concatenate(rows), terms_at, tolerances
