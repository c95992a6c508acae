"""The fitness of weight vectors on the CPU: the total guesses of the trees that they grow.

A generation is evaluated a turn at a time, and within a turn a candidate set at a time for all
individuals that reach it. Each set keeps the options that lead under reference weights (those of
a good individual); an individual near the reference is decided by these alone: no option's score
exceeds its reference score by more than `sum over f of max(0, weight − reference) · largest term`.
"""

import numpy as np
from numba import njit

from codebreaker.kernels.memo import (
    FULL,
    LEADERS,
    UNKNOWN,
    Memo,
    Rules,
    Scratch,
    Sizes,
    find_options,
    follow_option,
)
from codebreaker.types import Codes, Offsets, Scores

EXACT = {"reassoc", "nnan", "nsz"}
"""Sums are of exact integers, so that the compiler may take them in any order."""


@njit(nogil=True, inline="always")
def score_option(
    counts: Sizes, option: int, terms: Scores, at: int, weights: Scores, i: int, row: int
) -> float:
    """Return an option's score under the weights of individual i at a row."""
    score = 0.0
    for f in range(counts.shape[1]):
        score += weights[i, row, f] * terms[at + counts[option, f]]
    return score


@njit(nogil=True)
def rank(rules: Rules, memo: Memo, found: int, reference: Scores, row: int) -> None:
    """Find the options of a set that lead under the reference weights, (1, n_turns, n_feedback)."""
    first, count = memo.option_at[found], memo.option_count[found]
    at, terms, counts = rules.terms_at[memo.size[found]], rules.terms, memo.counts
    leaders, best = memo.leaders[found], memo.leader_scores[found]
    kept, rest = 0, -np.inf
    for k in range(count):
        score = score_option(counts, first + k, terms, at, reference, 0, row)
        if kept == LEADERS and score <= best[kept - 1]:
            rest = max(rest, score)
            continue
        if kept == LEADERS:
            rest = max(rest, best[kept - 1])
        else:
            kept += 1
        place = kept - 1
        while place > 0 and best[place - 1] < score:
            best[place], leaders[place] = best[place - 1], leaders[place - 1]
            place -= 1
        best[place], leaders[place] = score, k
    memo.rest[found] = rest


@njit(nogil=True)
def totals(
    rules: Rules,
    memo: Memo,
    scratch: Scratch,
    start: Codes,
    weights: Scores,
    reference: Scores,
    version: int,
    found_totals: Offsets,
) -> bool:
    """Add each individual's guesses from the start sets on to its total.

    `start` are sets of the first weighted turn; `weights` is (n_individuals, n_turns, n_feedback),
    `reference` (1, n_turns, n_feedback). Returns False where the memo is full.
    """
    heads, nexts, who = scratch.heads, scratch.nexts, scratch.who
    active, coming, chosen = scratch.active, scratch.coming, scratch.chosen
    n_active, entries = len(start), 0
    for a in range(len(start)):
        active[a] = start[a]
        for i in range(len(weights)):
            nexts[entries], who[entries], heads[start[a]] = heads[start[a]], i, entries
            entries += 1
    while n_active > 0:
        n_coming = 0
        for a in range(n_active):
            found = active[a]
            if not _prepare(rules, memo, scratch, found, reference, version):
                return False
            n_here = 0
            entry, heads[found] = heads[found], -1
            while entry >= 0:
                scratch.here[n_here] = who[entry]
                entry = nexts[entry]
                n_here += 1
            _choose_options(rules, memo, scratch, found, n_here, weights, reference)
            for h in range(n_here):
                i = scratch.here[h]
                link = memo.link_at[chosen[h]]
                if link == UNKNOWN:
                    link = follow_option(rules, memo, scratch, found, chosen[h])
                    if link == FULL:
                        return False
                found_totals[i] += memo.size[found] + memo.links[link]
                for c in range(memo.links[link + 1]):
                    child = memo.links[link + 2 + c]
                    if heads[child] < 0:
                        coming[n_coming] = child
                        n_coming += 1
                    nexts[entries], who[entries], heads[child] = heads[child], i, entries
                    entries += 1
        active, coming = coming, active
        n_active = n_coming
    return True


@njit(nogil=True)
def _prepare(
    rules: Rules, memo: Memo, scratch: Scratch, found: int, reference: Scores, version: int
) -> bool:
    """Find and rank a set's options where that is not done yet; return False where it's full."""
    if memo.option_at[found] == UNKNOWN and find_options(rules, memo, scratch, found) == FULL:
        return False
    if memo.version[found] != version:
        rank(rules, memo, found, reference, memo.turn[found] - 1)
        memo.version[found] = version
    return True


@njit(nogil=True, fastmath=EXACT)
def _choose_options(
    rules: Rules,
    memo: Memo,
    scratch: Scratch,
    found: int,
    n_here: int,
    weights: Scores,
    reference: Scores,
) -> None:
    """Choose the winning option of a set for each individual here: score, then the tie order."""
    first, count = memo.option_at[found], memo.option_count[found]
    size, row, rest = memo.size[found], memo.turn[found] - 1, memo.rest[found]
    at, tolerance = rules.terms_at[size], rules.tolerances[size]
    terms, counts, largest = rules.terms, memo.counts, memo.largest
    leaders, bounds, scores = memo.leaders, memo.leader_scores, scratch.scores
    n_feedback, n_leaders = weights.shape[2], min(count, LEADERS)
    spread = False
    for h in range(n_here):
        i = scratch.here[h]
        slack = 0.0
        for f in range(n_feedback):
            slack += max(weights[i, row, f] - reference[0, row, f], 0.0) * largest[found, f]
        best, tried = -np.inf, 0
        while tried < n_leaders and bounds[found, tried] + slack >= best - tolerance:
            option = first + leaders[found, tried]
            scores[tried] = score_option(counts, option, terms, at, weights, i, row)
            best = max(best, scores[tried])
            tried += 1
        winner = count
        if tried < n_leaders or rest + slack < best - tolerance:
            for j in range(tried):
                if scores[j] >= best - tolerance:
                    winner = min(winner, leaders[found, j])
        else:
            if not spread:
                _spread(memo, first, count, terms[at:], scratch.spread)
                spread = True
            best = _score_all(scratch.spread, count, weights[i, row], scores)
            winner = 0
            while scores[winner] < best - tolerance:
                winner += 1
        scratch.chosen[h] = first + winner


@njit(nogil=True)
def _spread(memo: Memo, first: int, count: int, terms: Scores, spread: Scores) -> None:
    """Look up all terms of a set's options, (n_feedback, at least count)."""
    counts = memo.counts
    for k in range(count):
        for f in range(counts.shape[1]):
            spread[f, k] = terms[counts[first + k, f]]


@njit(nogil=True, fastmath=EXACT)
def _score_all(spread: Scores, count: int, weights: Scores, scores: Scores) -> float:
    """Score all options of a set, and return the best score."""
    scores[:count] = 0.0
    for f in range(len(weights)):
        weight, row = weights[f], spread[f]
        for k in range(count):
            scores[k] += weight * row[k]
    best = -np.inf
    for k in range(count):
        best = max(best, scores[k])
    return best
