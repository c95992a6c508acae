"""One turn of many policies: the guesses at every candidate set, for all policies that reach it.

A set's distinct partitions are found once, whatever the number of policies that reach it; policies
that choose alike there, by the same terms and weights, are served together.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.arithmetic.compile import njit
from codebreaker.trees.kernels.memo import (
    FULL,
    LINKS,
    OPTIONS,
    Memo,
    ScoredGame,
    Scratch,
    find_options,
    follow_option,
    score_all,
    spread_terms,
)
from codebreaker.types import Hashes, Indices, Offsets, Scores

MIXER = 0x9E3779B97F4A7C15


class Choosers(NamedTuple):
    """Ways to choose at a turn: terms, weights, fold and pool.

    `kind` (n_choosers,) are rows of `ScoredGame.terms_at`, ascending; `weights` (n_choosers,
    n_feedback) exact integers; `takes_min` and `consistent_only` (n_choosers,) are 0 or 1; a guess
    ties within `tolerance_part` of the best score's amount beside the rules' tolerance.
    """

    kind: Indices
    weights: Scores
    takes_min: Indices
    consistent_only: Indices
    tolerance_part: Scores


class Entries(NamedTuple):
    """Which policies are at which sets: set s has the policies who[first[s]] to who[first[s + 1]].

    Within a set they stand in the order of their choosers, `chooser` (n_policies,).
    """

    first: Offsets
    who: Indices
    chooser: Indices


class TurnResult(NamedTuple):
    """What a turn leaves: each policy's candidates at nodes of the next turn and its tree's key.

    `reached` and `key` are (n_policies,); `child` and `policy` list who is where next, `used` (1,)
    of them.
    """

    reached: Offsets
    key: Hashes
    child: Indices
    policy: Indices
    used: Offsets


@njit(nogil=True)
def play_turn(
    rules: ScoredGame,
    now: Memo,
    coming: Memo,
    scratch: Scratch,
    choosers: Choosers,
    entries: Entries,
    told: TurnResult,
) -> bool:
    """Play a turn of all policies at all sets of `now`; return False where `coming` is full."""
    for found in range(len(entries.first) - 1):
        now.used[OPTIONS], now.used[LINKS] = 0, 0
        count = find_options(rules, now, scratch, found)
        if count == FULL:
            return False
        consistent = 0
        while consistent < count and now.counts[consistent, rules.solved] > 0:
            consistent += 1
        before, kind, option = -1, -1, 0
        for entry in range(entries.first[found], entries.first[found + 1]):
            policy = entries.who[entry]
            chooser = entries.chooser[policy]
            if chooser != before:
                before = chooser
                if choosers.kind[chooser] != kind:
                    kind = choosers.kind[chooser]
                    at = rules.terms_at[kind, now.size[found]]
                    spread_terms(now.counts, 0, count, rules.terms, at, scratch.spread)
                pool = consistent if choosers.consistent_only[chooser] else count
                tolerance = rules.tolerances[kind, now.size[found]]
                option = _winner(choosers, chooser, pool, tolerance, scratch)
                if follow_option(rules, now, coming, scratch, found, option) == FULL:
                    return False
            _enter(now, found, option, policy, told)
    return True


@njit(nogil=True)
def _winner(choosers: Choosers, chooser: int, pool: int, tolerance: float, scratch: Scratch) -> int:
    """Return the first option that ties for the best score."""
    weights, scores = choosers.weights[chooser], scratch.scores
    if choosers.takes_min[chooser]:
        best = -np.inf
        for k in range(pool):
            scores[k] = np.inf
            for f in range(len(scratch.spread)):
                scores[k] = min(scores[k], weights[f] * scratch.spread[f, k])
            best = max(best, scores[k])
    else:
        best = score_all(scratch.spread, pool, weights, scores)
    least, winner = best - tolerance - choosers.tolerance_part[chooser] * abs(best), 0
    while scores[winner] < least:
        winner += 1
    return winner


@njit(nogil=True)
def _enter(now: Memo, found: int, option: int, policy: int, told: TurnResult) -> None:
    """Send a policy to the children of an option."""
    guess, link = np.uint64(now.guess[option] + 1), now.link_at[option]
    mixed = (now.key[found] ^ (guess * np.uint64(MIXER))) * np.uint64(MIXER)
    told.key[policy] ^= mixed ^ (mixed >> np.uint64(29))
    told.reached[policy] += now.links[link]
    for c in range(now.links[link + 1]):
        child = now.links[link + 2 + c]
        told.child[told.used[0]], told.policy[told.used[0]] = child, policy
        told.used[0] += 1
