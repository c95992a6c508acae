"""The choice of guesses if secrets have weights, in games with a feedback table.

The value of a cell depends on the sum of the weights in it, on its size, or on both. Terms are
exact integers, and so are the weights: the order of summation changes nothing.
"""

import numpy as np

from codebreaker.sets.compile import njit
from codebreaker.sets.primitives import ScoringRule, Sets, fold_cell, tie_threshold
from codebreaker.trees.kernels.table import Table, select
from codebreaker.types import FeedbackIds, Indices, Offsets, Scores

BY_WEIGHT, _BY_NUMBER, BY_MEAN_NUMBER = range(3)
"""What a cell is measured by, as in `policies.criterion.MEASURES`."""


@njit
def choose(
    labels: FeedbackIds,
    table: Table,
    sets: Sets,
    prior: Offsets,
    measure: int,
    rule: ScoringRule,
    guesses: Indices,
) -> None:
    """Choose each node's guess into guesses, (n_nodes,) int32; -1 if no guess splits its set.

    `labels` are the feedback ids, (n_guesses, n_secrets). Of the candidates that tie, the likeliest
    are preferred, unless candidates are not preferred at all.
    """
    scores = np.empty(len(labels), dtype=np.float64)
    for node in range(len(guesses)):
        members = sets.members[sets.offsets[node] : sets.offsets[node + 1]]
        if len(members) == 1:
            guesses[node] = table.guess_of_secret[members[0]]
            continue
        terms = rule.terms[rule.terms_at[node] :]
        score_set(labels, members, prior, measure, terms, rule, scores)
        if rule.prefers_consistent:
            prefer_likely(table.guess_of_secret[members], prior[members], node, rule, scores)
        guesses[node] = select(table, members, scores, rule.tolerances[node], rule)


@njit
def score_set(
    labels: FeedbackIds,
    members: Indices,
    prior: Offsets,
    measure: int,
    terms: Scores,
    rule: ScoringRule,
    scores: Scores,
) -> None:
    """Score all guesses for a set; scores is (n_guesses,) float64."""
    sums, counts = np.zeros((2, len(rule.weights)), dtype=np.int64)
    for guess in range(len(scores)):
        row = labels[guess]
        for member in members:
            sums[row[member]] += prior[member]
            counts[row[member]] += 1
        score, parts = np.inf if rule.takes_min else 0.0, 0
        for member in members:
            f = row[member]
            if counts[f] > 0:
                value = terms[sums[f] if measure == BY_WEIGHT else counts[f]]
                if measure == BY_MEAN_NUMBER:
                    value = value / counts[f] * sums[f]
                score = fold_cell(score, rule.weights[f], value, rule.takes_min)
                sums[f], counts[f], parts = 0, 0, parts + 1
        scores[guess] = score / rule.log_parts[parts] if len(rule.log_parts) > 0 else score


@njit
def prefer_likely(
    own: Indices, weights: Offsets, node: int, rule: ScoringRule, scores: Scores
) -> None:
    """Give the heaviest of the candidates that tie the best score, and the others the lowest."""
    best = scores[own].max() if rule.consistent_only else scores.max()
    least = tie_threshold(best, rule.tolerances[node], rule.tolerance_part)
    tied = scores[own] >= least
    if best == -np.inf or not tied.any():
        return
    most = weights[tied].max()
    for i in range(len(own)):
        if tied[i]:
            scores[own[i]] = best if weights[i] == most else -np.inf
