"""The registered criteria; jobs depend only on the entries that they use."""

import numpy as np
from numpy.typing import NDArray

from codebreaker.policies.criterion import FINEST_SCALE, Criterion, information, largest

Floats = NDArray[np.float64]


# A cell's term by its size `count` and the set's size `total`; arrays of floats go in and out.
# Functions and not lambdas: a strategy goes from the workflow to its jobs by pickle.
def _nothing(count: Floats, total: float) -> Floats:
    return np.zeros_like(count)


def _square(count: Floats, total: float) -> Floats:
    return -count * count


def _count_part(count: Floats, total: float) -> Floats:
    return np.ones_like(count)


_REGISTERED = (
    Criterion(
        "first-consistent",
        _nothing,
        "Shapiro 1983, the 'Simple' strategy of Kooi 2005, section 2.1",
        measure="number",
        guess_pool="consistent",
        tie_break="lexicographic",
    ),
    Criterion(
        "worst-case", largest, "Knuth 1977; Kooi 2005, section 2.3", fold="min", measure="number"
    ),
    Criterion(
        "expected-size", _square, "Irving 1979; Kooi 2005, section 2.4", measure="mean number"
    ),
    Criterion(
        "entropy",
        information,
        "Neuwirth 1982; Kooi 2005, section 2.5",
        ties="bits",
        finest=FINEST_SCALE,
    ),
    Criterion("most-parts", _count_part, "Kooi 2005, section 3", measure="number"),
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
