"""One turn of many policies: the guesses at each candidate set, for all policies that reach it."""

from typing import NamedTuple

import numpy as np

from codebreaker.sets.compile import inner, njit
from codebreaker.sets.option_memo import (
    FULL,
    LINKS,
    OPTIONS,
    OptionMemo,
    ScoredGame,
    Workspace,
    find_options,
    follow_option,
    score_all,
    spread_terms,
)
from codebreaker.sets.primitives import GOLDEN, fold_cell, tie_threshold
from codebreaker.types import Hashes, Indices, Offsets, Scores


class ChoiceRules(NamedTuple):
    """The distinct choice rules of a turn, by ascending rows of `ScoredGame.terms_at`."""

    terms_row: Indices
    weights: Scores
    takes_min: Indices
    consistent_only: Indices
    tolerance_part: Scores


class Visits(NamedTuple):
    """The policies that reach set s, policies[first[s]:first[s + 1]], ordered by their rules."""

    first: Offsets
    policies: Indices
    rule_of: Indices


class TurnResult(NamedTuple):
    """Each policy's secrets alone in a cell and tree's key; `used[0]` visits of the next turn."""

    singles: Offsets
    key: Hashes
    child: Indices
    policy: Indices
    used: Offsets


@njit(nogil=True)
def play_turn(
    scored: ScoredGame,
    now: OptionMemo,
    coming: OptionMemo,
    work: Workspace,
    rules: ChoiceRules,
    visits: Visits,
    result: TurnResult,
) -> bool:
    """Play one turn of all policies at all sets of `now`; return False if `coming` is full."""
    for set_id in range(len(visits.first) - 1):
        now.used[OPTIONS], now.used[LINKS] = 0, 0
        count = find_options(scored, now, work, set_id)
        if count == FULL:
            return False
        consistent = 0
        while consistent < count and now.counts[consistent, scored.solved] > 0:
            consistent += 1
        last_rule, terms_row, option = -1, -1, 0
        for visit in range(visits.first[set_id], visits.first[set_id + 1]):
            policy = visits.policies[visit]
            rule = visits.rule_of[policy]
            if rule != last_rule:
                last_rule = rule
                if rules.terms_row[rule] != terms_row:
                    terms_row = rules.terms_row[rule]
                    at = scored.terms_at[terms_row, now.size[set_id]]
                    spread_terms(now.counts, 0, count, scored.terms, at, work.spread)
                pool = consistent if rules.consistent_only[rule] else count
                tolerance = scored.tolerances[terms_row, now.size[set_id]]
                option = _choose_option(rules, rule, pool, tolerance, work)
                if follow_option(scored, now, coming, work, set_id, option) == FULL:
                    return False
            _descend(now, set_id, option, policy, result)
    return True


@inner
def _choose_option(
    rules: ChoiceRules, rule: int, pool: int, tolerance: float, work: Workspace
) -> int:
    """Return the winning option: the first that ties, as options are in tie order."""
    weights, scores = rules.weights[rule], work.scores
    if rules.takes_min[rule]:
        best = -np.inf
        for k in range(pool):
            scores[k] = np.inf
            for f in range(len(work.spread)):
                scores[k] = fold_cell(scores[k], weights[f], work.spread[f, k], True)
            best = max(best, scores[k])
    else:
        best = score_all(work.spread, pool, weights, scores)
    least, winner = tie_threshold(best, tolerance, rules.tolerance_part[rule]), 0
    while scores[winner] < least:
        winner += 1
    return winner


@njit(nogil=True)
def _descend(now: OptionMemo, set_id: int, option: int, policy: int, result: TurnResult) -> None:
    guess, link = np.uint64(now.guess[option] + 1), now.link_at[option]
    mixed = (now.key[set_id] ^ (guess * np.uint64(GOLDEN))) * np.uint64(GOLDEN)
    result.key[policy] ^= mixed ^ (mixed >> np.uint64(29))
    result.singles[policy] += now.links[link]
    for c in range(now.links[link + 1]):
        child, entry = now.links[link + 2 + c], result.used[0]
        result.child[entry], result.policy[entry] = child, policy
        result.used[0] += 1
