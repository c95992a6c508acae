"""Ranking and choosing a set's options, as plain functions that every backend compiles.

Scores are sums of exact integers, so that no order of summation can change a choice.
"""

from math import inf

from codebreaker.kernels.memo import LEADERS, Sizes
from codebreaker.types import Codes, Scores


def score_option(
    counts: Sizes, option: int, terms: Scores, at: int, weights: Scores, i: int, row: int
) -> float:
    """Return an option's score under the weights of individual i at a row."""
    score = 0.0
    for f in range(counts.shape[1]):
        score += weights[i, row, f] * terms[at + counts[option, f]]
    return score


def rank_options(
    counts: Sizes,
    first: int,
    count: int,
    terms: Scores,
    at: int,
    reference: Scores,
    row: int,
    found: int,
    leaders: Codes,
    best: Scores,
    rest: Scores,
) -> None:
    """Find the options of a set that lead under the reference weights, (1, n_turns, n_feedback)."""
    kept = 0
    rest[found] = -inf
    for k in range(count):
        score = score_option(counts, first + k, terms, at, reference, 0, row)
        if kept == LEADERS and score <= best[found, kept - 1]:
            rest[found] = max(rest[found], score)
            continue
        if kept == LEADERS:
            rest[found] = max(rest[found], best[found, kept - 1])
        else:
            kept += 1
        place = kept - 1
        while place > 0 and best[found, place - 1] < score:
            best[found, place] = best[found, place - 1]
            leaders[found, place] = leaders[found, place - 1]
            place -= 1
        best[found, place] = score
        leaders[found, place] = k


def slack_of(
    weights: Scores, i: int, row: int, reference: Scores, largest: Scores, found: int
) -> float:
    """Bound how far any option's score exceeds its reference score."""
    slack = 0.0
    for f in range(weights.shape[2]):
        slack += max(weights[i, row, f] - reference[0, row, f], 0.0) * largest[found, f]
    return slack


def winner_of_leaders(
    counts: Sizes,
    first: int,
    count: int,
    terms: Scores,
    at: int,
    tolerance: float,
    weights: Scores,
    i: int,
    row: int,
    slack: float,
    found: int,
    leaders: Codes,
    bounds: Scores,
    rest: Scores,
) -> int:
    """Return the option that wins by score, then tie order; −1 where the leaders can't tell."""
    n_leaders = min(count, LEADERS)
    best = -inf
    tried = 0
    while tried < n_leaders and bounds[found, tried] + slack >= best - tolerance:
        option = first + leaders[found, tried]
        best = max(best, score_option(counts, option, terms, at, weights, i, row))
        tried += 1
    if tried == n_leaders and rest[found] + slack >= best - tolerance:
        return -1
    winner = count
    for j in range(tried):
        option = first + leaders[found, j]
        if score_option(counts, option, terms, at, weights, i, row) >= best - tolerance:
            winner = min(winner, leaders[found, j])
    return first + winner


def winner_of_all(
    counts: Sizes,
    first: int,
    count: int,
    terms: Scores,
    at: int,
    tolerance: float,
    weights: Scores,
    i: int,
    row: int,
) -> int:
    """Return the option that wins by score, then by the tie order."""
    best = -inf
    for k in range(count):
        best = max(best, score_option(counts, first + k, terms, at, weights, i, row))
    for k in range(count):
        if score_option(counts, first + k, terms, at, weights, i, row) >= best - tolerance:
            return first + k
    return -1
