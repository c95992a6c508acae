"""Titles that say which of several is best, as far as the figures show it."""

from collections.abc import Sequence
from math import hypot

Score = tuple[str, float, float]
"""A name, its mean, and the standard error of the mean: 0 if the figure is exact."""

FEW = 4
"""The most names that a title lists; of more, it gives the number."""


SURE = 2
"""Means differ if they are more than this many standard errors of the difference apart."""


def leaders(scores: Sequence[Score]) -> list[Score]:
    """Return the scores that can't be told from the lowest, the lowest first.

    They exceed it by at most twice the standard error of the difference, which is the root of the
    sum of both squared errors.
    """
    ranked = sorted(scores, key=lambda score: score[1])
    _, least, error = ranked[0]
    return [one for one in ranked if one[1] - least <= SURE * hypot(one[2], error)]


def listed(names: Sequence[str]) -> str:
    """Return names as text: `a, b and c`."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def fewest(scores: Sequence[Score], what: str, style: str = ",.0f") -> str:
    """Return who needs the fewest of something: one name, those that tie, or those that are close.

    `style` is the format of a mean.
    """
    first = leaders(scores)
    value, names = format(first[0][1], style), [name for name, _, _ in first]
    if len(scores) == 1:
        return f"{names[0]} needs {value} {what}"
    if len(first) == 1:
        return f"{names[0]} needs the fewest {what}: {value}"
    everyone = len(first) == len(scores)
    who = listed(names) if len(names) <= FEW else f"{len(names)} of {len(scores)}"
    if everyone and len(names) > FEW:
        who = f"All {len(names)}"
    if all(mean == first[0][1] for _, mean, _ in first):
        if everyone:
            return f"{who} need {value} {what} each"
        return f"{who} need the fewest {what}: {value} each"
    if everyone:
        return f"{who} differ in {what} by less than two standard errors"
    return f"{who} need the fewest {what}, and differ by less than two standard errors"
