"""The choice of guesses in games without a table: counts on demand, and scores only where needed.

The number of pairs that a partition leaves together bounds its score, so that in small sets few
guesses are scored; a candidate that tells a small set apart is played without a look at others.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.arithmetic.compile import njit
from codebreaker.trees.kernels import table as cpu
from codebreaker.trees.kernels.colours import CodeGrid
from codebreaker.trees.kernels.rows import (
    TILE,
    Planes,
    Tile,
    count_tile,
    feedback,
    make_tile,
    unfold,
)
from codebreaker.trees.kernels.sets import ScoringRule, Sets
from codebreaker.types import FeedbackIds, Indices, Offsets, Scores

score_tile = njit(cpu.score_tile.py_func, nogil=True)
score_few = njit(cpu.score_tile.py_func, nogil=True)


Flags = NDArray[np.bool_]


class Ceilings(NamedTuple):
    """The highest scores of a turn's nodes.

    For node i no score is above `highest[i]`; where `at[i]` is not −1, no guess that leaves e pairs
    together scores above bounds[at[i] + e]. `decides[i]`: telling all candidates apart beats any
    other partition.
    """

    highest: Scores
    bounds: Scores
    at: Offsets
    decides: Flags


@njit(nogil=True)
def _tells_apart(grid: CodeGrid, members: Indices, guess: int) -> bool:
    """Return whether the feedback to a guess differs for all members."""
    seen = np.uint64(0)
    for member in members:
        bit = np.uint64(1) << np.uint64(feedback(grid, guess, member))
        if seen & bit:
            return False
        seen |= bit
    return True


@njit(nogil=True)
def _score_some(
    counts: FeedbackIds,
    terms: Scores,
    rule: ScoringRule,
    bounds: Scores,
    least: float,
    scores: Scores,
) -> None:
    """Score the guesses of a tile whose bound by the pairs left together is not below `least`."""
    width, n = len(scores), len(terms) - 1
    pairs = np.zeros(TILE, np.uint16)
    for f in range(len(counts)):
        cell = counts[f]
        for g in range(width):
            pairs[g] = np.uint16(pairs[g] + np.uint16(cell[g]) * np.uint16(cell[g]))
    for g in range(width):
        scores[g] = -np.inf
        if bounds[(pairs[g] - n) // 2] < least:
            continue
        score = np.inf if rule.takes_min else 0.0
        for f in range(len(counts)):
            value = terms[counts[f, g]]
            score = cpu.fold_cell(score, rule.weights[f], value, rule.takes_min)
        scores[g] = score


@njit(nogil=True)
def _choose_node(
    grid: CodeGrid,
    node: int,
    members: Indices,
    pool: Indices,
    planes: Planes,
    rule: ScoringRule,
    ceilings: Ceilings,
    tile: Tile,
    scores: Scores,
    node_of: Indices,
) -> int:
    """Return the guess of a pool that wins at a node, or −1 where none splits its set."""
    n, decides = len(members), ceilings.decides[node]
    candidates_first = rule.prefers_consistent or rule.consistent_only
    if decides and candidates_first:
        for i in range(n):
            guess = members[n - 1 - i] if rule.reverses else members[i]
            if _tells_apart(grid, members, guess):
                return guess
    terms = rule.terms[rule.terms_at[node] : rule.terms_at[node] + n + 1]
    at, best, least, scored = ceilings.at[node], -np.inf, -np.inf, 0
    may_stop = decides or rule.consistent_only or not rule.prefers_consistent
    while scored < len(pool) and not (may_stop and best >= ceilings.highest[node]):
        stop = min(scored + TILE, len(pool))
        count_tile(grid, planes, members, scored, tile)
        here = scores[scored:stop]
        if at >= 0 and n <= grid.most_few:
            _score_some(tile.few, terms, rule, ceilings.bounds[at:], least, here)
        elif n <= grid.most_few:
            score_few(tile.few, terms, rule, here)
        else:
            score_tile(tile.counts, terms, rule, here)
        best = max(best, here.max())
        least = best - rule.tolerances[node] - rule.tolerance_part * abs(best)
        scored = stop
    if best == -np.inf:
        return -1
    first = -1
    for g in range(scored):
        if scores[g] >= least:
            if not rule.prefers_consistent or rule.consistent_only or node_of[pool[g]] == node:
                return pool[g]
            first = pool[g] if first < 0 else first
    return first


@njit(nogil=True)
def choose_nodes(
    grid: CodeGrid,
    sets: Sets,
    nodes: Offsets,
    pool: Indices,
    rule: ScoringRule,
    ceilings: Ceilings,
    node_of: Indices,
    guesses: Indices,
) -> None:
    """Choose a guess for some nodes with the same pool into guesses, (n_nodes,) int32.

    With consistent guesses only the pool is each node's own candidates.
    """
    tile, planes, scores = make_tile(grid), unfold(grid, pool), np.empty(len(pool), np.float64)
    for node in nodes:
        members = sets.members[sets.offsets[node] : sets.offsets[node + 1]]
        if rule.consistent_only:
            pool = members[::-1].copy() if rule.reverses else members
            planes, scores = unfold(grid, pool), np.empty(len(pool), np.float64)
        guesses[node] = _choose_node(
            grid, node, members, pool, planes, rule, ceilings, tile, scores, node_of
        )


@njit
def best_by_pairs(terms: Scores, takes_min: bool) -> Scores:
    """Return the best score without weights of partitions that leave e pairs together.

    `terms` is (n + 1,) for a set of n; returns (n (n − 1) / 2 + 1,), −inf where e can't be. The
    best of k candidates is the best of k − c with a cell of c more.
    """
    n = len(terms) - 1
    best = np.full((n + 1, n * (n - 1) // 2 + 1), -np.inf)
    best[0, 0] = np.inf if takes_min else 0.0
    for k in range(1, n + 1):
        for c in range(1, k + 1):
            left, pairs = k - c, c * (c - 1) // 2
            for e in range(left * (left - 1) // 2 + 1):
                score = cpu.fold_cell(best[left, e], 1.0, terms[c], takes_min)
                best[k, e + pairs] = max(best[k, e + pairs], score)
    return best[n]
