"""Lower bounds on the cost of candidate sets by their size alone."""

import numpy as np

from codebreaker.search.kernels.costs import INFEASIBLE
from codebreaker.search.settings import GUESSES, Charges
from codebreaker.types import Indices, Offsets


def size_bounds(
    n_feedback: int, n_secrets: int, guess_limit: int, charges: Charges = GUESSES, after: int = 0
) -> Indices:
    """Return lower bounds for n secrets in k guesses, (guess_limit + 2, n_secrets + 1) int32.

    Turn t solves at most (n_feedback − 1)^(t−1) secrets. A bound is INFEASIBLE if k is too small;
    the last row has no limit. Late secrets are charged at the last `after` of k guesses or, if it
    is 0, after all of them.
    """
    bounds = np.full((guess_limit + 2, n_secrets + 1), INFEASIBLE, dtype=np.int32)
    for guesses in range(guess_limit + 2):
        unlimited = guesses == guess_limit + 1
        bounds[guesses, 0] = cost = filled = 0
        turn = 1
        room = 1  # secrets that can be solved at this turn
        while filled < n_secrets and room > 0:
            if not unlimited and turn > guesses and (after or not charges.late):
                break
            late = not unlimited and turn > guesses - after >= 0
            charge = turn * charges.guess + late * charges.late
            solved = min(room, n_secrets - filled)
            bounds[guesses, filled + 1 :][:solved] = cost + charge * np.arange(1, solved + 1)
            filled += solved
            cost += charge * solved
            turn += 1
            room *= n_feedback - 1
    return bounds


def charges_by_row(guess_limit: int, charges: Charges = GUESSES, after: int = 0) -> Offsets:
    """Return what a guess costs each candidate, (guess_limit + 2,), by row of `size_bounds`."""
    by_row = np.full(guess_limit + 2, charges.guess, dtype=np.int64)
    by_row[0] = INFEASIBLE
    if charges.late:
        by_row[after] = charges.guess + charges.late
    return by_row
