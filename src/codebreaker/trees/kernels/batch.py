"""One turn of many policies: their guesses at each candidate set."""

from typing import NamedTuple

import numpy as np

from codebreaker.sets import option_memo as memo
from codebreaker.sets.compile import njit
from codebreaker.sets.option_memo import OptionMemo, ScoredGame, Workspace
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
    """The policies that reach set s, policies[first[s]:first[s + 1]], by rule."""

    first: Offsets
    policies: Indices
    rule_of: Indices


class TurnResult(NamedTuple):
    """Each policy's single candidates and tree key; `used[0]` counts visits of the next turn."""

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
    """Play one turn of all policies at all sets of `now`; return False if a memo is full."""
    for set_id in range(len(visits.first) - 1):
        now.used[memo.OPTIONS] = 0
        now.used[memo.CELLS] = 0
        now.used[memo.LINKS] = 0
        if memo.find_options(scored, now, work, set_id) == memo.FULL:
            return False
        last_rule = -1
        option = -1
        for visit in range(visits.first[set_id], visits.first[set_id + 1]):
            policy = visits.policies[visit]
            rule = visits.rule_of[policy]
            if rule != last_rule:
                last_rule = rule
                option = _choose_option(scored, now, work, set_id, rules, rule)
                if memo.follow_option(scored, now, coming, work, set_id, option) == memo.FULL:
                    return False
            _descend(scored, now, set_id, option, policy, result)
    return True


@njit(nogil=True)
def _choose_option(
    scored: ScoredGame, now: OptionMemo, work: Workspace, set_id: int, rules: ChoiceRules, rule: int
) -> int:
    size = now.size[set_id]
    row = rules.terms_row[rule]
    scores = work.scores
    rank = now.rank
    memo.value_cells(scored, work, size, scored.terms_at[row, size], rules.weights[rule])
    n = now.option_count[set_id]
    n_guesses = scored.by_secret.shape[1]
    if rules.takes_min[rule]:
        best = _find_minima(now, set_id, work.values, scores)
    else:
        best = memo.score_all(now, set_id, work.values, scores)
    if rules.consistent_only[rule]:
        best = -np.inf
        for k in range(n):
            scores[k] = scores[k] if rank[k] < n_guesses else -np.inf
            best = max(best, scores[k])
    lowest = tie_threshold(best, scored.tolerances[row, size], rules.tolerance_part[rule])
    winner = -1
    for k in range(n):
        if scores[k] >= lowest and (winner < 0 or rank[k] < rank[winner]):
            winner = k
    return winner


@njit(nogil=True)
def _find_minima(now: OptionMemo, set_id: int, values: Scores, scores: Scores) -> float:
    """Score options by their cells' minimum; return the best score."""
    cells = now.cells
    at = now.cell_at[set_id]
    n = np.int64(now.option_count[set_id])
    j = 0
    scores[:n] = np.inf
    place = at
    while n > 0:
        for k in range(n):
            scores[k] = fold_cell(scores[k], 1.0, values[cells[place + k]], True)
        place += n
        j += 1
        n = np.int64(cells[at - j])
    return float(scores[: now.option_count[set_id]].max())


@njit(nogil=True)
def _descend(
    scored: ScoredGame, now: OptionMemo, set_id: int, option: int, policy: int, result: TurnResult
) -> None:
    guess = np.uint64(np.int64(now.rank[option]) % scored.by_secret.shape[1] + 1)
    link = now.link_at[option]
    mixed = (now.key[set_id] ^ (guess * np.uint64(GOLDEN))) * np.uint64(GOLDEN)
    result.key[policy] ^= mixed ^ (mixed >> np.uint64(29))
    result.singles[policy] += now.links[link]
    for c in range(now.links[link + 1]):
        child = now.links[link + 2 + c]
        entry = result.used[0]
        result.child[entry] = child
        result.policy[entry] = policy
        result.used[0] += 1
