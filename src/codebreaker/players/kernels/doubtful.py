"""The information of guesses whose answers may be wrong."""

from math import log2

import numpy as np

from codebreaker.sets.compile import njit
from codebreaker.types import FeedbackIds, Scores

NOISELESS = 1e-15


@njit(nogil=True)
def _bits(probability: float) -> float:
    return -probability * log2(probability) if probability > NOISELESS else 0.0


@njit(nogil=True)
def tell_information(
    by_secret: FeedbackIds, solved: int, prior: Scores, error: float, information: Scores
) -> None:
    """Write the information that each guess's answer gives about the secret, in bits.

    `prior` (2, n_secrets) sums to 1; only in the first row may the next answer be wrong.
    """
    n_secrets, n_guesses = by_secret.shape
    n_answers = int(by_secret.max()) + 1
    others = max(n_answers - 2, 1)
    noise = _bits(1 - error) + others * _bits(error / others)
    sums = np.zeros((2, n_guesses, n_answers))
    for secret in range(n_secrets):
        for kind in range(2):
            probability = prior[kind, secret]
            if probability > 0:
                for guess in range(n_guesses):
                    sums[kind, guess, by_secret[secret, guess]] += probability
    for guess in range(n_guesses):
        doubtful = 0.0
        for answer in range(n_answers):
            if answer != solved:
                doubtful += sums[0, guess, answer]
        bits = _bits(sums[0, guess, solved] + sums[1, guess, solved])
        for answer in range(n_answers):
            if answer != solved:
                right = sums[0, guess, answer]
                wrong = (doubtful - right) * error / others
                bits += _bits((1 - error) * right + wrong + sums[1, guess, answer])
        information[guess] = bits - doubtful * noise
