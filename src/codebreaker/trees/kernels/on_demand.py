"""Choosing guesses without a table; pairs in a cell bound scores, so few are computed.

README.md in this folder draws the arrays.
"""

import numpy as np

from codebreaker.compiling.cpu import inner, njit
from codebreaker.sets import codes
from codebreaker.sets.primitives import ScoringRule, Sets, fold_cell, tie_threshold
from codebreaker.trees.kernels import table
from codebreaker.trees.kernels.table import ScoreBounds
from codebreaker.types import FeedbackIds, Indices, Positions, Scores

# One compiled function per type of counts: a cached function with two signatures is unsafe.
score_tile = inner(table.score_tile.py_func)
score_byte_counts = inner(table.score_tile.py_func)


@inner
def _score_promising(
    cells: FeedbackIds, terms: Scores, rule: ScoringRule, bounds: Scores, low: float, scores: Scores
) -> None:
    """Score the guesses of a tile whose bound by pairs reaches `low`; others get −inf.

    `cells` (n_feedback, TILE) uint8 are counts of a set of n, `terms` (n + 1,) the values of cells,
    `bounds` the highest scores of partitions by their number of pairs, `scores` (width,).
    """
    # 1. The sum of squared cells, with integers of 16 bits: at most 255^2, as counts are bytes.
    width = len(scores)
    n = len(terms) - 1
    squares = np.zeros(codes.TILE, np.uint16)
    for f in range(len(cells)):
        cell = cells[f]
        for g in range(width):
            squares[g] = np.uint16(squares[g] + np.uint16(cell[g]) * np.uint16(cell[g]))
    # 2. A cell of c candidates has c (c - 1) / 2 pairs: the sum of squares is n plus twice the
    #    pairs. A guess whose bound is below `low` can't tie with the best: it needs no score.
    for g in range(width):
        scores[g] = -np.inf
        if bounds[(squares[g] - n) // 2] < low:
            continue
        score = np.inf if rule.takes_min else 0.0
        for f in range(len(cells)):
            value = terms[cells[f, g]]
            score = fold_cell(score, rule.weights[f], value, rule.takes_min)
        scores[g] = score


@inner
def _choose_node(
    grid: codes.CodeGrid,
    node: int,
    members: Indices,
    pool: Indices,
    planes: codes.Planes,
    rule: ScoringRule,
    limits: ScoreBounds,
    tile: codes.TileWorkspace,
    scores: Scores,
    node_of: Indices,
) -> int:
    """Return the guess of a pool in tie order that wins at a node, or −1 if none splits its set."""
    n = len(members)
    decides = limits.decides[node]
    terms = rule.terms[rule.terms_at[node] : rule.terms_at[node] + n + 1]
    at = limits.at[node]
    best = -np.inf
    lowest = -np.inf
    scored = 0
    # 1. Scores, tile by tile. A guess with the highest possible score, `limits.highest`, ends the
    #    loop, if no later guess could win the tie:
    #    - the pool is in tie order, so that later ones lose ties where candidates aren't preferred,
    #      or are the whole pool;
    #    - where separating all candidates decides, `separate` found no candidate that does.
    may_stop = decides or rule.consistent_only or not rule.prefers_consistent
    for start in range(0, len(pool), codes.TILE):
        if may_stop and best >= limits.highest[node]:
            break
        codes.count_tile(grid, planes, members, start, tile)
        scored = min(start + codes.TILE, len(pool))
        here = scores[start:scored]
        if at >= 0 and n <= codes.LARGEST_IN_BYTES:
            _score_promising(tile.byte_counts, terms, rule, limits.bounds[at:], lowest, here)
        elif n <= codes.LARGEST_IN_BYTES:
            score_byte_counts(tile.byte_counts, terms, rule, here)
        else:
            score_tile(tile.counts, terms, rule, here)
        # `best` only rises, so that what was below `lowest` in an earlier tile stays below it.
        for score in here:
            best = max(best, score)
        lowest = tie_threshold(best, rule.tolerances[node], rule.tolerance_part)
    if best == -np.inf:
        return -1
    # 2. The first guess in tie order that ties, or the first candidate if these are preferred.
    first = -1
    for g in range(scored):
        if scores[g] >= lowest:
            if not rule.prefers_consistent or rule.consistent_only or node_of[pool[g]] == node:
                return pool[g]
            first = pool[g] if first < 0 else first
    return first


@njit(nogil=True)
def separate(
    grid: codes.CodeGrid, sets: Sets, nodes: Positions, rule: ScoringRule, guesses: Indices
) -> None:
    """Where separating all candidates decides, choose the first one that does, if any."""
    if rule.prefers_consistent or rule.consistent_only:
        stamps = np.empty(grid.n_feedback, np.int32)
        for node in nodes:
            members = sets.members[sets.offsets[node] : sets.offsets[node + 1]]
            guesses[node], _ = codes.separator(grid, members, 0, rule.reverses, stamps)


@njit(nogil=True)
def choose_nodes(
    grid: codes.CodeGrid,
    sets: Sets,
    nodes: Positions,
    pool: Indices,
    rule: ScoringRule,
    limits: ScoreBounds,
    node_of: Indices,
    guesses: Indices,
) -> None:
    """Choose guesses at `nodes` that are −1, from a shared pool or from each node's candidates.

    `guesses` (n_all_nodes,) is written at these nodes alone: threads call this with disjoint nodes.
    `node_of` (n_codes,) is the node whose candidate a code is, or −1.
    """
    tile = codes.make_tile(grid)
    planes = codes.unfold(grid, pool)
    scores = np.empty(len(pool), np.float64)
    separate(grid, sets, nodes[limits.decides[nodes]], rule, guesses)
    for node in nodes:
        if guesses[node] >= 0:
            continue
        members = sets.members[sets.offsets[node] : sets.offsets[node + 1]]
        # Members ascend: backwards, they are in the reversed tie order.
        if rule.consistent_only:
            pool = members[::-1].copy() if rule.reverses else members
            planes = codes.unfold(grid, pool)
            scores = np.empty(len(pool), np.float64)
        guesses[node] = _choose_node(
            grid, node, members, pool, planes, rule, limits, tile, scores, node_of
        )
