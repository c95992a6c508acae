"""The fitness of weight vectors on the CPU: the total guesses of the trees that they grow.

A generation is evaluated a turn at a time, and within a turn a candidate set at a time for all
individuals that reach it. Each set keeps the options that lead for the reference, a good
individual. Others of its order that are near it are decided by these alone: no option's score
exceeds its reference score by more than `sum over f of the largest (weight − reference) · term`.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.arithmetic.compile import njit
from codebreaker.trees.kernels.memo import (
    EXACT_SUMS,
    FULL,
    LEADERS,
    UNKNOWN,
    Memo,
    ScoredGame,
    Scratch,
    find_options,
    follow_option,
    score_all,
    spread_terms,
)
from codebreaker.types import Indices, Offsets, Scores


class Individuals(NamedTuple):
    """Individuals: weights (n, n_turns, n_feedback) and orders (n, n_turns).

    The weights are exact integers, padded with zeros to the width of `memo.largest`; the orders are
    rows of `ScoredGame.terms_at`.
    """

    weights: Scores
    orders: Indices


@njit(nogil=True)
def totals(
    rules: ScoredGame,
    memo: Memo,
    scratch: Scratch,
    start: Indices,
    individuals: Individuals,
    reference: Individuals,
    version: int,
    found_totals: Offsets,
) -> bool:
    """Add each individual's guesses from the start sets on to its total.

    `start` are sets of the first weighted turn; the reference is one individual. Returns False
    where the memo is full.
    """
    n, n_active = len(individuals.weights), len(start)
    for a in range(n_active):
        scratch.active[a] = start[a]
        for i in range(n):
            scratch.here[a * n + i] = i
        scratch.first[a] = a * n
    scratch.first[n_active] = n_active * n
    while n_active > 0:
        if not _prepare(rules, memo, scratch, n_active, reference, version):
            return False
        _choose(rules, memo, scratch, n_active, individuals, reference)
        n_active = _advance(rules, memo, scratch, n_active, found_totals)
    return n_active == 0


@njit(nogil=True)
def _prepare(
    rules: ScoredGame,
    memo: Memo,
    scratch: Scratch,
    n_active: int,
    reference: Individuals,
    version: int,
) -> bool:
    """Find and rank the options of this turn's sets where needed; return False where it's full."""
    active, option_at, versions = scratch.active, memo.option_at, memo.version
    for a in range(n_active):
        found = active[a]
        if option_at[found] == UNKNOWN and find_options(rules, memo, scratch, found) == FULL:
            return False
        if versions[found] != version:
            _rank(rules, memo, found, reference)
            versions[found] = version
    return True


@njit(nogil=True)
def _rank(rules: ScoredGame, memo: Memo, found: int, reference: Individuals) -> None:
    """Find the options of a set that lead for the reference, and bounds on its terms."""
    leaders, best = memo.leaders[found], memo.leader_scores[found]
    largest, smallest = memo.largest[found], memo.smallest[found]
    counts, terms, row = memo.counts, rules.terms, memo.turn[found] - 1
    at = rules.terms_at[reference.orders[0, row], memo.size[found]]
    first, weights = memo.option_at[found], reference.weights[0, row]
    kept, rest = 0, -np.inf
    for f in range(counts.shape[1]):
        largest[f], smallest[f] = -np.inf, np.inf
    for k in range(memo.option_count[found]):
        score = 0.0
        for f in range(counts.shape[1]):
            term = terms[at + counts[first + k, f]]
            score += weights[f] * term
            largest[f], smallest[f] = max(largest[f], term), min(smallest[f], term)
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


@njit(nogil=True, fastmath=EXACT_SUMS)
def _choose(
    rules: ScoredGame,
    memo: Memo,
    scratch: Scratch,
    n_active: int,
    individuals: Individuals,
    reference: Individuals,
) -> None:
    """Choose the winning option of each set for each individual there: score, then tie order."""
    terms, counts, rests = rules.terms, memo.counts, memo.rest
    largest, smallest = memo.largest, memo.smallest
    leaders, bounds, option_at = memo.leaders, memo.leader_scores, memo.option_at
    sizes, turns, option_count = memo.size, memo.turn, memo.option_count
    front, scores, firsts, chosen = scratch.front, scratch.scores, scratch.first, scratch.chosen
    active, here, terms_at, tolerances = (
        scratch.active, scratch.here, rules.terms_at, rules.tolerances,
    )  # fmt: skip
    weights, orders = individuals.weights, individuals.orders
    middle, middle_orders = reference.weights, reference.orders
    width = front.shape[1]
    for a in range(n_active):
        found = active[a]
        first, count, row = option_at[found], option_count[found], turns[found] - 1
        n_leaders, shown, spread_order = min(count, LEADERS), 0, -1
        for entry in range(firsts[a], firsts[a + 1]):
            i = here[entry]
            order = orders[i, row]
            at, tolerance = terms_at[order, sizes[found]], tolerances[order, sizes[found]]
            near, slack = order == middle_orders[0, row], 0.0
            best, tried, winner = -np.inf, 0, count
            if near:
                for f in range(width):
                    step = weights[i, row, f] - middle[0, row, f]
                    slack += max(step * largest[found, f], step * smallest[found, f])
                while tried < n_leaders and bounds[found, tried] + slack >= best - tolerance:
                    if tried == shown:
                        for f in range(counts.shape[1]):
                            front[shown, f] = terms[at + counts[first + leaders[found, shown], f]]
                        shown += 1
                    score = 0.0
                    for f in range(width):
                        score += weights[i, row, f] * front[tried, f]
                    scores[tried] = score
                    best = max(best, score)
                    tried += 1
            if near and (tried < n_leaders or rests[found] + slack < best - tolerance):
                for j in range(tried):
                    if scores[j] >= best - tolerance:
                        winner = min(winner, leaders[found, j])
            else:
                if spread_order != order:
                    spread_terms(counts, first, count, terms, at, scratch.spread)
                    spread_order = order
                best = score_all(scratch.spread, count, weights[i, row], scores)
                winner = 0
                while scores[winner] < best - tolerance:
                    winner += 1
            chosen[entry] = first + winner


@njit(nogil=True)
def _advance(
    rules: ScoredGame, memo: Memo, scratch: Scratch, n_active: int, found_totals: Offsets
) -> int:
    """Send each individual to the children of what it chose; return their number, or FULL."""
    heads, nexts, who = scratch.heads, scratch.nexts, scratch.who
    active, coming, here = scratch.active, scratch.coming, scratch.here
    firsts, chosen, link_at, links = scratch.first, scratch.chosen, memo.link_at, memo.links
    sizes = memo.size
    n_coming, entries = 0, 0
    for a in range(n_active):
        found = active[a]
        for entry in range(firsts[a], firsts[a + 1]):
            i, link = here[entry], link_at[chosen[entry]]
            if link == UNKNOWN:
                link = follow_option(rules, memo, memo, scratch, found, chosen[entry])
                if link == FULL:
                    return FULL
            found_totals[i] += sizes[found] + links[link]
            for c in range(links[link + 1]):
                child = links[link + 2 + c]
                if heads[child] < 0:
                    coming[n_coming] = child
                    n_coming += 1
                nexts[entries], who[entries], heads[child] = heads[child], i, entries
                entries += 1
    filled = 0
    for a in range(n_coming):
        active[a], firsts[a] = coming[a], filled
        entry, heads[coming[a]] = heads[coming[a]], -1
        while entry >= 0:
            here[filled] = who[entry]
            filled += 1
            entry = nexts[entry]
    firsts[n_coming] = filled
    return n_coming
