"""One turn of many policies: their guesses at each candidate set.

README.md in this folder draws the arrays.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.compiling.cpu import inner, njit
from codebreaker.sets import option_memo as memo
from codebreaker.sets.option_memo import OptionMemo, OptionWorkspace, ScoredGame, block_length
from codebreaker.sets.primitives import GOLDEN, fold_cell, tie_threshold
from codebreaker.types import Counts, Hashes, Indices, Offsets, Scores


class ChoiceRules(NamedTuple):
    """The distinct choice rules of a turn, by ascending rows of `ScoredGame.terms_at`."""

    terms_row: Indices
    """The criterion's row in `terms_at` and `tolerances`, (n_rules,)."""

    weights: Scores
    """Integer weights by feedback id, (n_rules, n_feedback)."""

    takes_min: Indices
    """1 if the score is the cells' minimum, 0 if their sum, (n_rules,)."""

    consistent_only: Indices
    """1 if only candidates are guessed, else 0, (n_rules,)."""

    tolerance_part: Scores
    """The relative tolerance of ties, (n_rules,)."""


class Visits(NamedTuple):
    """The policies that reach each set: policies[first[s]:first[s + 1]] reach set s."""

    first: Offsets
    """Where the visits of each set start, (n_sets + 1,)."""

    policies: Indices
    """The policies, (n_visits,), by set, then by rule."""

    rule_of: Indices
    """Each policy's rule this turn, (n_policies,)."""


class TurnResult(NamedTuple):
    """What a turn adds to each policy's tree, and the visits of the next turn."""

    singles: Counts
    """Number of children with one candidate, (n_policies,)."""

    key: Hashes
    """Keys of the trees so far, (n_policies,): equal trees have equal keys."""

    child: Indices
    """The sets visited next turn; the first used[0] count."""

    policy: Indices
    """The policies that visit them; the first used[0] count."""

    used: Counts
    """Number of visits of the next turn, (1,)."""


@njit(nogil=True)
def play_turn(
    scored: ScoredGame,
    now: OptionMemo,
    coming: OptionMemo,
    work: OptionWorkspace,
    rules: ChoiceRules,
    visits: Visits,
    result: TurnResult,
) -> bool:
    """Play one turn of all policies at all sets of `now`; return False if a memo is full."""
    for set_id in range(len(visits.first) - 1):
        # 1. The set's options. Those of the set before are no longer needed: reuse their arrays.
        now.used[memo.OPTIONS] = 0
        now.used[memo.CELLS] = 0
        now.used[memo.LINKS] = 0
        if memo.find_options(scored, now, work, set_id) == memo.FULL:
            return False
        # 2. One choice for each rule: visits are ordered by rule.
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
            # 3. The policy goes on to the children of its choice.
            _descend(scored, now, set_id, option, policy, result)
    return True


@inner
def _choose_option(
    scored: ScoredGame,
    now: OptionMemo,
    work: OptionWorkspace,
    set_id: int,
    rules: ChoiceRules,
    rule: int,
) -> int:
    """Return the option that wins at a set under a rule: by score, then by tie rank."""
    # 1. Scores. All guesses with an option's partition have the option's score.
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
    # 2. An option's rank is its guess for a candidate, and n_guesses more for any other: whether
    #    some candidate has the partition.
    if rules.consistent_only[rule]:
        best = -np.inf
        for k in range(n):
            scores[k] = scores[k] if rank[k] < n_guesses else -np.inf
            best = max(best, scores[k])
    lowest = tie_threshold(best, scored.tolerances[row, size], rules.tolerance_part[rule])
    # 3. The lowest rank of the options that tie.
    winner = -1
    for k in range(n):
        if scores[k] >= lowest and (winner < 0 or rank[k] < rank[winner]):
            winner = k
    return winner


@inner
def _find_minima(now: OptionMemo, set_id: int, values: Scores, scores: Scores) -> float:
    """Score options by their cells' minimum; return the best score.

    Options are ordered by falling number of cells, and `cells` has one block for the first cells of
    all options, one for the second cells where there are two, and so on. The lengths of the next
    blocks are backwards from `at`, the last of them 0 (`sets.option_memo`).
    """
    cells = now.cells
    at = now.cell_at[set_id]
    n = np.int64(now.option_count[set_id])
    j = 0
    scores[:n] = np.inf
    start = at
    while n > 0:
        for k in range(n):
            scores[k] = fold_cell(scores[k], 1.0, values[cells[start + k]], True)
        start += n
        j += 1
        n = np.int64(block_length(cells, at, j))
    return float(scores[: now.option_count[set_id]].max())


@inner
def _descend(
    scored: ScoredGame, now: OptionMemo, set_id: int, option: int, policy: int, result: TurnResult
) -> None:
    """Add a choice to a policy's tree key, and its children to the result."""
    # A tree's key is the exclusive or of its nodes' keys, in any order: a node's is a hash of its
    # set's key, which has the turn, and its guess.
    guess = np.uint64(np.int64(now.rank[option]) % scored.by_secret.shape[1] + 1)
    link = now.link_at[option]
    mixed = (now.key[set_id] ^ (guess * np.uint64(GOLDEN))) * np.uint64(GOLDEN)
    result.key[policy] ^= mixed ^ (mixed >> np.uint64(29))
    # Links: the number of single candidates, the number of other children, and their ids.
    result.singles[policy] += now.links[link]
    for c in range(now.links[link + 1]):
        child = now.links[link + 2 + c]
        entry = result.used[0]
        result.child[entry] = child
        result.policy[entry] = policy
        result.used[0] += 1
