"""Choosing guesses by rules that need more than the sizes of one partition's cells.

With a prior, the value of a cell depends on the sum of the weights in it, on its size, or on both.
After two guesses, the score is the number of parts if each cell is divided into as many as possible
(Kooi 2005, Table 12). As `table.choose`, all replace the guesses of −1.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.sets.compile import njit
from codebreaker.sets.primitives import ScoringRule, Sets, bit_count, fold_cell, tie_threshold
from codebreaker.trees.kernels.table import TILE, Table, score_set, select
from codebreaker.types import Counts, FeedbackIds, Indices, Offsets, Scores

BY_WEIGHT, _BY_NUMBER, BY_MEAN_NUMBER = range(3)
"""Indices of `policies.criterion.MEASURES`."""

BITS = 32
"""Feedback ids per word of a mask."""


@njit
def choose_by_prior(
    labels: FeedbackIds,
    table: Table,
    sets: Sets,
    prior: Offsets,
    measure: int,
    rule: ScoringRule,
    guesses: Indices,
) -> None:
    """Choose guesses by a prior; of the candidates that tie, if preferred, the likeliest wins.

    `labels` are the feedback ids, (n_guesses, n_secrets).
    """
    scores = np.empty(len(labels), dtype=np.float64)
    sums, counts = np.zeros((2, len(rule.weights)), dtype=np.int64)
    for node in range(len(guesses)):
        if guesses[node] >= 0:
            continue
        members = sets.members[sets.offsets[node] : sets.offsets[node + 1]]
        terms = rule.terms[rule.terms_at[node] :]
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
        if rule.prefers_consistent:
            prefer_likely(table.guess_of_secret[members], prior[members], node, rule, scores)
        guesses[node] = select(table, members, scores, rule.tolerances[node], rule)


@njit
def prefer_likely(
    own: Indices, weights: Offsets, node: int, rule: ScoringRule, scores: Scores
) -> None:
    """Give the likeliest of the candidates that tie the best score, and the others the lowest."""
    best = scores[own].max() if rule.consistent_only else scores.max()
    least = tie_threshold(best, rule.tolerances[node], rule.tolerance_part)
    tied = scores[own] >= least
    if best == -np.inf or not tied.any():
        return
    most = weights[tied].max()
    for i in range(len(own)):
        if tied[i]:
            scores[own[i]] = best if weights[i] == most else -np.inf


@njit
def choose_jointly(
    table: Table, sets: Sets, rule: ScoringRule, parts: ScoringRule, then: bool, guesses: Indices
) -> None:
    """Choose guesses among the best by a rule and by the number of parts, or else by either.

    If `then`, the number of parts ranks the best by the rule.
    """
    counts = np.empty((len(rule.weights), TILE), dtype=np.uint16)
    scores, n_parts = np.empty((2, table.by_secret.shape[1]), dtype=np.float64)
    for node in range(len(guesses)):
        if guesses[node] >= 0:
            continue
        members = sets.members[sets.offsets[node] : sets.offsets[node + 1]]
        score_set(table.by_secret, members, node, rule, counts, scores)
        score_set(table.by_secret, members, node, parts, counts, n_parts)
        own = table.guess_of_secret[members]
        best = scores[own].max() if rule.consistent_only else scores.max()
        most = n_parts[own].max() if rule.consistent_only else n_parts.max()
        if best > -np.inf:
            least = tie_threshold(best, rule.tolerances[node], rule.tolerance_part)
            for guess in range(len(scores)):
                is_best, has_most = scores[guess] >= least, n_parts[guess] == most
                if then:
                    scores[guess] = n_parts[guess] if is_best else 0.0
                else:
                    scores[guess] = is_best + has_most
        guesses[node] = select(table, members, scores, 0.0, rule)


class Workspace(NamedTuple):
    """Working memory: a guess's cells; for each guess the parts of a cell, as bits and in number.

    `sizes` and `fill` are (n_feedback,), `cells` (n_secrets,), the others (n_guesses,).
    """

    sizes: Counts
    fill: Counts
    cells: Indices
    seen: NDArray[np.uint32]
    parts: NDArray[np.int32]


@njit
def choose_two_steps(
    table: Table, sets: Sets, rule: ScoringRule, then_one: bool, orbits: Indices, guesses: Indices
) -> None:
    """Choose guesses by the number of parts after two guesses; if `then_one`, then after one.

    `orbits`, (n_guesses,), are the first guesses that the game's symmetries map to each guess.
    """
    n_secrets, n_guesses = table.by_secret.shape
    scores, n_feedback = np.empty(n_guesses, np.float64), len(rule.weights)
    work = Workspace(
        np.empty(n_feedback, np.int64),
        np.empty(n_feedback, np.int64),
        np.empty(n_secrets, np.int32),
        np.empty(n_guesses, np.uint32),
        np.empty(n_guesses, np.int32),
    )
    for node in range(len(guesses)):
        if guesses[node] >= 0:
            continue
        members = sets.members[sets.offsets[node] : sets.offsets[node + 1]]
        score_two_steps(table, members, rule.consistent_only, then_one, orbits, work, scores)
        guesses[node] = select(table, members, scores, 0.0, rule)


@njit
def score_two_steps(
    table: Table,
    members: Indices,
    consistent_only: bool,
    then_one: bool,
    orbits: Indices,
    work: Workspace,
    scores: Scores,
) -> None:
    """Score the guesses for a set; those that can't be among the best get −inf."""
    n, n_feedback, best = len(members), len(work.sizes), 0
    scores[:] = -np.inf
    for i in range(n if consistent_only else len(scores)):
        guess = table.guess_of_secret[members[i]] if consistent_only else i
        if n == len(table.by_secret) and orbits[guess] != guess:
            scores[guess] = scores[orbits[guess]]
            continue
        work.sizes[:] = 0
        for member in members:
            work.sizes[table.by_secret[member, guess]] += 1
        bound, start = 0, 0
        for f in range(n_feedback):
            bound += min(work.sizes[f], n_feedback)
            work.fill[f] = start
            start += work.sizes[f]
        if work.sizes.max() == n or bound < best:
            continue
        for member in members:
            f = table.by_secret[member, guess]
            work.cells[work.fill[f]] = member
            work.fill[f] += 1
        for f in range(n_feedback):
            size = work.sizes[f]
            if size > 2 and bound >= best:
                cell = work.cells[work.fill[f] - size : work.fill[f]]
                bound += most_parts(table, cell, consistent_only, work) - min(size, n_feedback)
        if bound >= best:
            best = bound
            scores[guess] = bound * (n_feedback + 1) + then_one * np.count_nonzero(work.sizes)


@njit
def most_parts(table: Table, cell: Indices, consistent_only: bool, work: Workspace) -> int:
    """Return the largest number of parts into which a guess divides a cell."""
    seen, parts = work.seen, work.parts
    parts[:] = 0
    for word in range(-(-len(work.sizes) // BITS)):
        seen[:] = 0
        for member in cell:
            row = table.by_secret[member]
            for guess in range(len(seen)):
                here = np.uint32(row[guess] // BITS == word)
                seen[guess] |= here << np.uint32(row[guess] % BITS)
        for guess in range(len(seen)):
            parts[guess] += np.int32(bit_count(seen[guess]))
    if not consistent_only:
        return int(parts.max())
    most = 0
    for member in cell:
        most = max(most, parts[table.guess_of_secret[member]])
    return most
