"""Choosing guesses by a prior, by two criteria, or by the parts after two guesses.

README.md in this folder draws the arrays.
"""

import numpy as np

from codebreaker.compiling.cpu import inner, njit
from codebreaker.sets.primitives import ScoringRule, Sets, fold_cell, tie_threshold
from codebreaker.trees.kernels.table import TILE, Table, Words, count_parts, score_set, select
from codebreaker.types import FeedbackIds, Indices, Prior, Scores

BY_WEIGHT, _BY_NUMBER, BY_MEAN_NUMBER = range(3)  # indices of `policies.criterion.MEASURES`


@njit
def choose_by_prior(
    labels: FeedbackIds,
    table: Table,
    sets: Sets,
    prior: Prior,
    measure: int,
    rule: ScoringRule,
    guesses: Indices,
) -> None:
    """Choose guesses by a prior; likely candidates win ties.

    `labels` (n_guesses, n_secrets) are feedback ids, `prior` (n_secrets,) integer weights. By
    `measure`, a cell's size is its weight or its number of candidates. `guesses` is (n_nodes,).
    """
    # Sums and counts by feedback id; all are 0 between guesses.
    scores = np.empty(len(labels), dtype=np.float64)
    sums, counts = np.zeros((2, len(rule.weights)), dtype=np.int64)
    for node in range(len(guesses)):
        members = sets.members[sets.offsets[node] : sets.offsets[node + 1]]
        if len(members) == 1:
            guesses[node] = table.guess_of_secret[members[0]]
            continue
        terms = rule.terms[rule.terms_at[node] :]
        for guess in range(len(scores)):
            row = labels[guess]
            for member in members:
                sums[row[member]] += prior[member]
                counts[row[member]] += 1
            # Each cell at its first member; clearing it marks the others.
            score = np.inf if rule.takes_min else 0.0
            parts = 0
            for member in members:
                f = row[member]
                if counts[f] > 0:
                    value = terms[sums[f] if measure == BY_WEIGHT else counts[f]]
                    # The term is of the number of candidates: per candidate, times the weight.
                    if measure == BY_MEAN_NUMBER:
                        value = value / counts[f] * sums[f]
                    score = fold_cell(score, rule.weights[f], value, rule.takes_min)
                    sums[f] = 0
                    counts[f] = 0
                    parts += 1
            scores[guess] = score / rule.log_parts[parts] if len(rule.log_parts) > 0 else score
        if rule.prefers_consistent:
            prefer_likely(table.guess_of_secret[members], prior[members], node, rule, scores)
        guesses[node] = select(table, members, scores, rule.tolerances[node], rule)


@inner
def prefer_likely(
    candidates: Indices, weights: Prior, node: int, rule: ScoringRule, scores: Scores
) -> None:
    """Give the likeliest tying candidates the best score, and the other tying ones the lowest.

    `candidates` (n,) are guesses, `weights` (n,) their weights by the prior. After it, `select`
    takes the first of the likeliest.
    """
    best = scores[candidates].max() if rule.consistent_only else scores.max()
    lowest = tie_threshold(best, rule.tolerances[node], rule.tolerance_part)
    tied = scores[candidates] >= lowest
    if best == -np.inf or not tied.any():
        return
    most = weights[tied].max()
    for i in range(len(candidates)):
        if tied[i]:
            scores[candidates[i]] = best if weights[i] == most else -np.inf


@njit
def choose_jointly(
    table: Table, sets: Sets, rule: ScoringRule, parts: ScoringRule, then: bool, guesses: Indices
) -> None:
    """Choose guesses that are best by a rule, `then` by parts; else best by both, or by either."""
    counts = np.empty((len(rule.weights), TILE), dtype=np.uint16)
    scores, n_parts = np.empty((2, table.by_secret.shape[1]), dtype=np.float64)
    for node in range(len(guesses)):
        members = sets.members[sets.offsets[node] : sets.offsets[node + 1]]
        if len(members) == 1:
            guesses[node] = table.guess_of_secret[members[0]]
            continue
        score_set(table.by_secret, members, node, rule, counts, scores)
        score_set(table.by_secret, members, node, parts, counts, n_parts)
        candidates = table.guess_of_secret[members]
        best = scores[candidates].max() if rule.consistent_only else scores.max()
        most = n_parts[candidates].max() if rule.consistent_only else n_parts.max()
        # New scores: the parts of guesses that are best by the rule, or the number of maxima.
        if best > -np.inf:
            lowest = tie_threshold(best, rule.tolerances[node], rule.tolerance_part)
            for guess in range(len(scores)):
                is_best = scores[guess] >= lowest
                has_most = n_parts[guess] == most
                if then:
                    scores[guess] = n_parts[guess] if is_best else 0.0
                else:
                    scores[guess] = is_best + has_most
        guesses[node] = select(table, members, scores, 0.0, rule)


@njit
def choose_two_steps(
    table: Table,
    sets: Sets,
    prior: Prior,
    rule: ScoringRule,
    then_one: bool,
    representatives: Indices,
    guesses: Indices,
) -> None:
    """Choose by the parts after two guesses (Kooi 2005, Table 12) and, if `then_one`, after one.

    With a prior, (n_secrets,) or empty, likely candidates win ties. `representatives` (n_guesses,)
    are the first guesses of the classes that the game's symmetries make, before any guess.

    The parts after two guesses are the sum over the first guess's cells of the most parts that any
    guess splits the cell into. This is expensive: guesses whose bound is too low are left out.
    """
    n_secrets, n_guesses = table.by_secret.shape
    scores = np.empty(n_guesses, np.float64)
    n_feedback = len(rule.weights)
    sizes, fill = np.empty((2, n_feedback), np.int64)
    cells = np.empty(n_secrets, np.int32)
    work = np.empty((2, n_guesses), np.uint32)
    for node in range(len(guesses)):
        members = sets.members[sets.offsets[node] : sets.offsets[node + 1]]
        if len(members) == 1:
            guesses[node] = table.guess_of_secret[members[0]]
            continue
        n = len(members)
        best = 0
        scores[:] = -np.inf  # final for guesses that can't be among the best
        for i in range(n if rule.consistent_only else n_guesses):
            guess = table.guess_of_secret[members[i]] if rule.consistent_only else i
            # 1. Before any guess, a guess is as good as the first of its class.
            if n == n_secrets and representatives[guess] != guess:
                scores[guess] = scores[representatives[guess]]
                continue
            # 2. The bound: a cell has no more parts than members, nor than feedback ids.
            sizes[:] = 0
            for member in members:
                sizes[table.by_secret[member, guess]] += 1
            bound = 0
            start = 0
            for f in range(n_feedback):
                bound += min(sizes[f], n_feedback)
                fill[f] = start
                start += sizes[f]
            if sizes.max() == n or bound < best:
                continue
            # 3. The members by cell; afterwards fill[f] is the end of cell f.
            for member in members:
                f = table.by_secret[member, guess]
                cells[fill[f]] = member
                fill[f] += 1
            # 4. Replace the bound of each cell by its most parts, until the sum is below the best.
            #    A cell of two is separated by its own members: its bound is exact.
            for f in range(n_feedback):
                if sizes[f] > 2 and bound >= best:
                    cell = cells[fill[f] - sizes[f] : fill[f]]
                    most = most_parts(table, cell, rule.consistent_only, n_feedback, work)
                    bound += most - min(sizes[f], n_feedback)
            # 5. A guess has at most n_feedback parts, so that they only break ties.
            if bound >= best:
                best = bound
                scores[guess] = bound * (n_feedback + 1) + then_one * np.count_nonzero(sizes)
        if rule.prefers_consistent and len(prior) > 0:
            prefer_likely(table.guess_of_secret[members], prior[members], node, rule, scores)
        guesses[node] = select(table, members, scores, 0.0, rule)


@inner
def most_parts(
    table: Table, cell: Indices, consistent_only: bool, n_feedback: int, work: Words
) -> int:
    """Return the maximum number of parts of a cell; `work` is working memory, (2, n_guesses)."""
    parts = work[1]
    count_parts(table.by_secret, cell, 0, len(parts), n_feedback, work[0], parts)
    if not consistent_only:
        return int(parts.max())
    return int(parts[table.guess_of_secret[cell]].max())
