"""The best guesses of a set by a policy's score, one for each partition."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.search.kernels.rollout_rules import Room, Rules, key_of_cells, label_all, score_all
from codebreaker.sets.codes import find_leaders, list_pool
from codebreaker.sets.compile import inner, njit
from codebreaker.sets.primitives import ScoringRule, Sets, in_tie_order, tie_threshold
from codebreaker.types import Hashes, Indices, Scores

Flags = NDArray[np.bool_]


class Ranked(NamedTuple):
    """The best guesses of a set, best first, in arrays of the width of the list.

    `scores` are those of the guesses, `preferred` says whether each is a candidate and comes first
    among ties as such, and `keys` stand for their partitions.
    """

    guesses: Indices
    scores: Scores
    preferred: Flags
    keys: Hashes


@njit(nogil=True)
def new_ranked(width: int) -> Ranked:
    """Allocate a list of the best guesses."""
    return Ranked(
        np.empty(width, np.int32),
        np.empty(width, np.float64),
        np.empty(width, np.bool_),
        np.empty(width, np.uint64),
    )


@njit(nogil=True)
def rank(rules: Rules, rule: ScoringRule, members: Indices, room: Room, ranked: Ranked) -> int:
    """List the best guesses of a set, one for each partition; return how many there are.

    They are in the order of the policy: by score, those that tie with the best first among them
    candidates, and so on by the tie-break. Guesses that split nothing are not listed, nor are those
    that differ only by equivalent colours.
    """
    n, scores, node_of, pool = len(members), room.scores, room.node_of, rules.every
    labels, in_order = room.labels[:n], len(rules.by_secret) == 0
    node_of[rules.guess_of_secret[members]] = 0
    if in_order and rule.consistent_only:
        pool = members[::-1].copy() if rule.reverses else members
    elif in_order:
        sets, node = Sets(members, np.array([0, n])), np.zeros(1, np.int64)
        find_leaders(rules.grid, sets, node, node_of, rule.reverses, room.leaders)
        pool = list_pool(rules.grid, room.leaders[0], rule.reverses)
    score_all(rules, rule, pool, members, room)
    best = -np.inf
    for at in range(len(pool)):
        if scores[at] > best and (node_of[pool[at]] == 0 or not rule.consistent_only):
            best = scores[at]
    found, width = 0, len(ranked.guesses)
    least = tie_threshold(best, rule.tolerances[n], rule.tolerance_part)
    for place in range(len(pool)):
        at = place if in_order else in_tie_order(place, len(pool), rule.reverses)
        guess = pool[at]
        score = best if scores[at] >= least else scores[at]
        if score == -np.inf or (rule.consistent_only and node_of[guess] < 0):
            continue
        preferred = rule.prefers_consistent and node_of[guess] == 0
        if found == width and not _beats(score, preferred, ranked, found - 1):
            continue
        label_all(rules, np.int32(guess), members, labels)
        found = _insert(
            ranked, found, guess, score, preferred, key_of_cells(rules, labels, room.numbers)
        )
    node_of[rules.guess_of_secret[members]] = -1
    return found


@inner
def _insert(
    ranked: Ranked, found: int, guess: int, score: float, preferred: bool, key: np.uint64
) -> int:
    """Insert a guess that beats the last of a full list; return how many are listed then.

    It replaces one with the same partition, unless that comes before it.
    """
    at = found
    for k in range(found):
        if ranked.keys[k] == key:
            at = k
    if at < found and not _beats(score, preferred, ranked, at):
        return found
    grown = at == found and found < len(ranked.guesses)
    at -= at == found and not grown
    while at > 0 and _beats(score, preferred, ranked, at - 1):
        ranked.guesses[at], ranked.scores[at] = ranked.guesses[at - 1], ranked.scores[at - 1]
        ranked.preferred[at], ranked.keys[at] = ranked.preferred[at - 1], ranked.keys[at - 1]
        at -= 1
    ranked.guesses[at], ranked.scores[at] = guess, score
    ranked.preferred[at], ranked.keys[at] = preferred, key
    return found + grown


@inner
def _beats(score: float, preferred: bool, ranked: Ranked, k: int) -> bool:
    """Return whether a guess comes before the one that is listed at k."""
    if score != ranked.scores[k]:
        return score > ranked.scores[k]
    return preferred and not ranked.preferred[k]
