"""Lower bounds on the total guesses of a candidate set, by its size alone."""

import numpy as np

from codebreaker.exact.kernels.search import INFEASIBLE
from codebreaker.types import Indices


def size_bounds(n_feedback: int, n_secrets: int, guess_limit: int) -> Indices:
    """Return lower bounds for n secrets in k guesses, (guess_limit + 2, n_secrets + 1) int32.

    A guess solves at most one secret and leads to at most n_feedback − 1 other sets, so at most
    (n_feedback − 1)^(t−1) secrets are solved at turn t; filling the turns in order gives the least
    total. It is INFEASIBLE if k turns are too few; the last row allows any number of turns.
    """
    bounds = np.full((guess_limit + 2, n_secrets + 1), INFEASIBLE, dtype=np.int32)
    for guesses in range(guess_limit + 2):
        unlimited = guesses == guess_limit + 1
        bounds[guesses, 0] = total = filled = 0
        turn, room = 1, 1
        while filled < n_secrets and room > 0 and (unlimited or turn <= guesses):
            for _ in range(min(room, n_secrets - filled)):
                filled, total = filled + 1, total + turn
                bounds[guesses, filled] = total
            turn, room = turn + 1, room * (n_feedback - 1)
    return bounds
