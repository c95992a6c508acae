"""Which strategies none dominates."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def undominated(means: Sequence[float], maxima: Sequence[int]) -> NDArray[np.bool_]:
    """Return whether each strategy is on the frontier of mean against maximum, (n,) bool.

    One dominates another that is no better in either and worse in one. Equals stand together.
    """
    mean, most = np.asarray(means, dtype=np.float64), np.asarray(maxima, dtype=np.int64)
    found = np.zeros(len(mean), dtype=bool)
    least = np.inf
    for maximum in np.unique(most).tolist():
        here = most == maximum
        best = float(mean[here].min())
        if best < least:
            found[here] = mean[here] == best
            least = best
    return found
