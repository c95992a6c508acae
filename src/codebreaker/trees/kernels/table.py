"""Choosing guesses and splitting sets with a feedback table, in tiles that fit the cache.

README.md in this folder draws the arrays.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.compiling.cpu import inner, njit
from codebreaker.sets import primitives
from codebreaker.sets.primitives import ScoringRule, Sets, bit_count, find_separator
from codebreaker.types import FeedbackIds, Indices, Offsets, Scores

TILE = 1024
"""Number of guesses whose cells are counted together, so that the counts stay in the cache."""

SMALL_SET_FEEDBACK = 4
"""Feedback ids per member from which a set's cells are counted guess by guess."""

MOST_TILED = 256
"""Maximum number of feedback ids whose cells are counted together; of more, most are empty."""

BITS = 32
"""Feedback ids that a word of `count_parts` has a bit for."""

Words = NDArray[np.uint32]


class Table(NamedTuple):
    """A game's feedback ids, (n_secrets, n_guesses), and each secret's guess, (n_secrets,)."""

    by_secret: FeedbackIds
    guess_of_secret: Indices


class ScoreBounds(NamedTuple):
    """Upper bounds on the scores at a turn's nodes.

    A pair of a partition is two candidates in one cell.
    """

    highest: Scores
    """No partition of node i's set scores above highest[i], (n_nodes,)."""

    bounds: Scores
    """None with e pairs scores above bounds[at[i] + e], unless at[i] is −1."""

    at: Offsets
    """Where the bounds of each node start, (n_nodes,); −1 for none."""

    decides: NDArray[np.bool_]
    """Whether separating all candidates beats any other partition of the set, (n_nodes,)."""


@njit
def best_by_pairs(terms: Scores, takes_min: bool) -> Scores:
    """Return the best unweighted score of partitions of n with e pairs in cells, for each e.

    `terms` is (n + 1,); returns (n (n − 1) / 2 + 1,), −inf where e is impossible.
    """
    # Dynamic programme: the best of k candidates is the best of k − c, plus a cell of c.
    n = len(terms) - 1
    best = np.full((n + 1, n * (n - 1) // 2 + 1), -np.inf)
    best[0, 0] = np.inf if takes_min else 0.0
    for k in range(1, n + 1):
        for c in range(1, k + 1):
            left = k - c
            pairs = c * (c - 1) // 2
            for e in range(left * (left - 1) // 2 + 1):
                score = primitives.fold_cell(best[left, e], 1.0, terms[c], takes_min)
                best[k, e + pairs] = max(best[k, e + pairs], score)
    return best[n]


@inner
def count_tile(
    by_secret: FeedbackIds, members: Indices, start: int, stop: int, counts: FeedbackIds
) -> None:
    """Count the cells of guesses start to stop into counts, (n_feedback, TILE) uint16.

    The inner loops compare a row of feedback ids with one id: the compiler makes them SIMD
    instructions, and sums of comparisons need no jumps.
    """
    n_feedback = counts.shape[0]
    width = stop - start
    counts[:] = 0
    # Four members at a time, so that each count is read and written once for four comparisons.
    in_fours = len(members) - len(members) % 4
    for i in range(0, in_fours, 4):
        a = by_secret[members[i], start:stop]
        b = by_secret[members[i + 1], start:stop]
        c = by_secret[members[i + 2], start:stop]
        d = by_secret[members[i + 3], start:stop]
        for f in range(n_feedback):
            cell = counts[f]
            wanted = by_secret.dtype.type(f)
            for g in range(width):
                both = np.uint16(a[g] == wanted) + np.uint16(b[g] == wanted)
                cell[g] += both + np.uint16(c[g] == wanted) + np.uint16(d[g] == wanted)
    for i in range(in_fours, len(members)):
        a = by_secret[members[i], start:stop]
        for f in range(n_feedback):
            cell = counts[f]
            wanted = by_secret.dtype.type(f)
            for g in range(width):
                cell[g] += np.uint16(a[g] == wanted)


@inner
def count_parts(
    by_secret: FeedbackIds,
    members: Indices,
    start: int,
    stop: int,
    n_feedback: int,
    seen: Words,
    parts: Words,
) -> None:
    """Count the parts into which guesses start to stop split members, into parts, (width,).

    A guess has a word in `seen`, (width,), with a bit for each feedback id that some member gives,
    BITS ids at a time. The inner loops are SIMD instructions, as in `count_tile`.
    """
    width = stop - start
    parts[:] = 0
    in_one_word = n_feedback <= BITS
    # Four members at a time, so that each word is read and written once for four bits.
    in_fours = len(members) - len(members) % 4
    for word in range(-(-n_feedback // BITS)):
        seen[:] = 0
        for i in range(0, in_fours, 4):
            a = by_secret[members[i], start:stop]
            b = by_secret[members[i + 1], start:stop]
            c = by_secret[members[i + 2], start:stop]
            d = by_secret[members[i + 3], start:stop]
            for g in range(width):
                both = _bit_of(a[g], word, in_one_word) | _bit_of(b[g], word, in_one_word)
                two_more = _bit_of(c[g], word, in_one_word) | _bit_of(d[g], word, in_one_word)
                seen[g] |= both | two_more
        for i in range(in_fours, len(members)):
            a = by_secret[members[i], start:stop]
            for g in range(width):
                seen[g] |= _bit_of(a[g], word, in_one_word)
        for g in range(width):
            parts[g] += bit_count(seen[g])


@inner(inline="always")
def _bit_of(feedback: int, word: int, in_one_word: bool) -> np.uint32:
    """Return the bit of a feedback id in a word, 0 if another word has it."""
    # The compiler makes a separate loop for games of one word, which takes half the time.
    if in_one_word:
        return np.uint32(1) << np.uint32(feedback)
    is_here = np.uint32(feedback // BITS == word)
    return is_here << np.uint32(feedback % BITS)


@inner
def _is_of_largest(terms: Scores, rule: ScoringRule) -> bool:
    """Return whether the score is the value of the largest cell, as under worst-case.

    True if the score is the minimum, and values fall with a cell's size, whatever its feedback.
    """
    if not rule.takes_min or rule.weights[0] <= 0:
        return False
    for weight in rule.weights:
        if weight != rule.weights[0]:
            return False
    for size in range(1, len(terms)):  # noqa: SIM110 (compiled)
        if terms[size] > terms[size - 1]:
            return False
    return True


@inner
def _is_of_squares(terms: Scores, rule: ScoringRule) -> bool:
    """Return whether the score is a multiple of the sum of squared sizes, as under expected-size.

    The term of the whole set, terms[n], may be −inf instead: such a guess splits nothing.
    """
    if rule.takes_min or rule.tolerance_part > 0:
        return False
    for weight in rule.weights:
        if weight != rule.weights[0]:
            return False
    for size in range(len(terms) - 1):  # noqa: SIM110 (compiled)
        if terms[size] != terms[1] * size * size:
            return False
    return True


@inner
def _is_of_parts(terms: Scores, rule: ScoringRule) -> bool:
    """Return whether the score is a multiple of the number of parts, as under most-parts.

    The term of the whole set, terms[n], may differ: such a guess splits nothing.
    """
    if rule.takes_min or rule.tolerance_part > 0 or len(rule.log_parts) > 0:
        return False
    for weight in rule.weights:
        if weight != rule.weights[0]:
            return False
    for size in range(1, len(terms) - 1):  # noqa: SIM110 (compiled)
        if terms[size] != terms[1]:
            return False
    return True


@inner
def score_tile(counts: FeedbackIds, terms: Scores, rule: ScoringRule, scores: Scores) -> None:
    """Score a tile's guesses by their counts, (n_feedback, TILE); scores is (width,) float64.

    `terms` (n + 1,) has the value of a cell of each size in a set of n candidates.
    """
    width = len(scores)
    n = len(terms) - 1
    # 1. The score is the value of the largest cell: look one term up for a guess.
    if _is_of_largest(terms, rule):
        largest = counts[0, :width].copy()
        for f in range(1, counts.shape[0]):
            cell = counts[f]
            for g in range(width):
                largest[g] = max(largest[g], cell[g])
        for g in range(width):
            scores[g] = rule.weights[0] * terms[largest[g]]
        return
    # 2. The score is a sum of squares, which integers compute. It is at most n^2: fits 32 bits.
    if n < 1 << 16 and _is_of_squares(terms, rule):
        squares = np.zeros(width, np.uint32)
        for f in range(counts.shape[0]):
            cell = counts[f]
            for g in range(width):
                squares[g] += np.uint32(cell[g]) * np.uint32(cell[g])
        for g in range(width):
            splits = n < 2 or squares[g] < n * n
            scores[g] = rule.weights[0] * terms[1] * squares[g] if splits else -np.inf
        return
    # 3. Any other: fold the values of all cells. An empty cell's changes nothing.
    scores[:] = np.inf if rule.takes_min else 0.0
    for f in range(counts.shape[0]):
        cell = counts[f]
        weight = rule.weights[f]
        for g in range(width):
            scores[g] = primitives.fold_cell(scores[g], weight, terms[cell[g]], rule.takes_min)
    if len(rule.log_parts) > 0:
        for g in range(width):
            parts = 0
            for f in range(counts.shape[0]):
                parts += counts[f, g] > 0
            scores[g] /= rule.log_parts[parts]


@inner
def score_small(
    by_secret: FeedbackIds, members: Indices, terms: Scores, rule: ScoringRule, scores: Scores
) -> None:
    """Score all guesses for a small set; scores is (n_guesses,) float64.

    Only the cells that members are in are visited, in the order of the members. `score_tile` adds
    in the order of feedback ids: the sums are the same, as terms are exact integers.
    """
    counts = np.zeros(len(rule.weights), dtype=np.uint16)
    for guess in range(len(scores)):
        for member in members:
            counts[by_secret[member, guess]] += 1
        score = np.inf if rule.takes_min else 0.0
        parts = 0
        for member in members:
            f = by_secret[member, guess]
            if counts[f] > 0:  # its first member; a cleared count marks the others
                value = terms[counts[f]]
                score = primitives.fold_cell(score, rule.weights[f], value, rule.takes_min)
                parts += 1
                counts[f] = 0
        scores[guess] = score / rule.log_parts[parts] if len(rule.log_parts) > 0 else score


@inner
def _largest(scores: Scores) -> float:
    """Return the largest score, −inf of none."""
    # Four maxima side by side, as each waits for its last comparison.
    n = len(scores)
    in_fours = n - n % 4
    a = b = c = d = -np.inf
    for i in range(0, in_fours, 4):
        a = max(a, scores[i])
        b = max(b, scores[i + 1])
        c = max(c, scores[i + 2])
        d = max(d, scores[i + 3])
    for i in range(in_fours, n):
        a = max(a, scores[i])
    return max(max(a, b), max(c, d))


@inner
def select(
    table: Table, members: Indices, scores: Scores, tolerance: float, rule: ScoringRule
) -> int:
    """Return the guess that wins by score, then by the tie-break; -1 if no guess splits the set.

    `scores` (n_guesses,) are −inf for guesses that don't split the set.
    """
    # 1. The best score of the guesses that may be played.
    best = -np.inf
    if rule.consistent_only:
        for member in members:
            best = max(best, scores[table.guess_of_secret[member]])
    else:
        best = _largest(scores)
    if best == -np.inf:
        return -1
    # 2. The lowest tie rank of the guesses that tie with it: candidates first, if the rule says so.
    n = len(scores)
    lowest = primitives.tie_threshold(best, tolerance, rule.tolerance_part)
    unranked = rank = 2 * n
    if rule.consistent_only or rule.prefers_consistent:
        for member in members:
            guess = table.guess_of_secret[member]
            if scores[guess] >= lowest:
                rank = min(rank, primitives.tie_rank(guess, n, False, rule.reverses))
    if rank == unranked:
        for guess in range(n):
            if scores[guess] >= lowest:
                rank = min(rank, primitives.tie_rank(guess, n, False, rule.reverses))
    return primitives.in_tie_order(rank, n, rule.reverses)


@inner
def _feedback(table: Table, candidate: int, member: int) -> int:
    """Return a member's feedback id to the guess that is a candidate."""
    return int(table.by_secret[member, table.guess_of_secret[candidate]])


@njit
def choose(
    table: Table, sets: Sets, rule: ScoringRule, decides: NDArray[np.bool_], guesses: Indices
) -> None:
    """Choose each node's guess into guesses, (n_nodes,) int32; −1 if no guess splits its set.

    `decides` (n_nodes,) says whether separating all candidates beats any other partition.
    A guess depends on its node's set alone, so that the order of nodes changes nothing.
    """
    candidates_first = rule.prefers_consistent or rule.consistent_only
    counts = np.empty((len(rule.weights), TILE), dtype=np.uint16)
    scores = np.empty(table.by_secret.shape[1], dtype=np.float64)
    stamps = np.empty(len(rule.weights), np.int32)
    for node in range(len(guesses)):
        members = sets.members[sets.offsets[node] : sets.offsets[node + 1]]
        # 1. The only candidate is always guessed.
        if len(members) == 1:
            guesses[node] = table.guess_of_secret[members[0]]
            continue
        # 2. If separating all members has the best score, and candidates win ties, the first
        #    candidate that does so is the guess. Without one, scores decide.
        if decides[node] and candidates_first:
            index, _ = find_separator(_feedback, table, members, 0, rule.reverses, stamps)
            if index >= 0:
                guesses[node] = table.guess_of_secret[members[index]]
                continue
        # 3. The best score wins. Only guesses that may be played are scored.
        if rule.consistent_only:
            _score_candidates(table, members, node, rule, counts, scores)
        else:
            _score_set(table.by_secret, members, node, rule, counts, scores)
        guesses[node] = select(table, members, scores, rule.tolerances[node], rule)


@inner
def _score_candidates(
    table: Table,
    members: Indices,
    node: int,
    rule: ScoringRule,
    counts: FeedbackIds,
    scores: Scores,
) -> None:
    """Score the candidates of a node's set as guesses; scores is (n_guesses,) float64."""
    # Their columns alone are copied, so that the same loops run over a small table.
    n = len(members)
    among = np.empty((n, n), table.by_secret.dtype)
    for i in range(n):
        row = table.by_secret[members[i]]
        for j in range(n):
            among[i, j] = row[table.guess_of_secret[members[j]]]
    by_member = np.empty(n, np.float64)
    _score_set(among, np.arange(n, dtype=members.dtype), node, rule, counts, by_member)
    for i in range(n):
        scores[table.guess_of_secret[members[i]]] = by_member[i]


@inner
def _score_set(
    by_secret: FeedbackIds,
    members: Indices,
    node: int,
    rule: ScoringRule,
    counts: FeedbackIds,
    scores: Scores,
) -> None:
    """Score all guesses for a node's set; counts is (n_feedback, TILE), scores (n_guesses,)."""
    terms = rule.terms[rule.terms_at[node] : rule.terms_at[node] + len(members) + 1]
    n_feedback = len(rule.weights)
    if n_feedback <= MOST_TILED and _is_of_parts(terms, rule):
        _score_by_parts(by_secret, members, terms, rule, scores)
        return
    if SMALL_SET_FEEDBACK * len(members) <= n_feedback or n_feedback > MOST_TILED:
        score_small(by_secret, members, terms, rule, scores)
        return
    for start in range(0, len(scores), TILE):
        stop = min(start + TILE, len(scores))
        count_tile(by_secret, members, start, stop, counts)
        score_tile(counts, terms, rule, scores[start:stop])


@inner
def _score_by_parts(
    by_secret: FeedbackIds, members: Indices, terms: Scores, rule: ScoringRule, scores: Scores
) -> None:
    """Score all guesses by their number of parts; scores is (n_guesses,) float64."""
    n_feedback = len(rule.weights)
    seen = np.empty(TILE, np.uint32)
    parts = np.empty(TILE, np.uint32)
    for start in range(0, len(scores), TILE):
        stop = min(start + TILE, len(scores))
        width = stop - start
        count_parts(by_secret, members, start, stop, n_feedback, seen[:width], parts[:width])
        for g in range(width):
            n_parts = np.int32(parts[g])  # signed integers are quicker to make floats of
            value = terms[1] * n_parts if n_parts > 1 else terms[len(members)]
            scores[start + g] = rule.weights[0] * value


@njit
def score_set(
    by_secret: FeedbackIds,
    members: Indices,
    node: int,
    rule: ScoringRule,
    counts: FeedbackIds,
    scores: Scores,
) -> None:
    """Score all guesses for a node's set, for a caller from Python."""
    _score_set(by_secret, members, node, rule, counts, scores)
