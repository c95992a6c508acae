"""The total of a candidate set by the best of a policy's guesses, turn by turn to the end.

Sets of up to a size are valued exactly. A set's guesses are tried in order; their cells are looked
up or valued from the smallest on, until the total reaches the least one so far. Totals and lower
bounds are memoised under a two-word Zobrist key of the set and, if they depend on it, its turn.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.search.kernels.rollout_game import (
    Plan,
    RolledGame,
    RolloutMemo,
    Rollouts,
    Workspace,
    count_parts,
    key_of_cells,
    label_all,
    lay_out,
    pool_of,
    score_all,
    separator,
)
from codebreaker.sets.codes import find_leaders, list_pool
from codebreaker.sets.compile import inner, njit
from codebreaker.sets.memo import EXACT, LOWER, UNSEEN, key_of
from codebreaker.sets.primitives import GOLDEN, ScoringRule, Sets, in_tie_order, tie_threshold
from codebreaker.types import FeedbackIds, Hashes, Indices, Offsets, Scores

Flags = NDArray[np.bool_]


UNBOUNDED = 1 << 40
"""No limit on a total."""

TOO_DEEP, NO_GUESS, NO_TERMS = -1, -2, -3
"""Results: the tree is deeper than the working memory; no guess of the policy splits a set; the
plan lacks the terms of a set's size."""


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
def rank(
    game: RolledGame, rule: ScoringRule, members: Indices, work: Workspace, ranked: Ranked
) -> int:
    """List the best guesses of a set, one for each partition; return how many there are.

    They are in the order of the policy: by score, those that tie with the best first among them
    candidates, and so on by the tie-break. Guesses that split nothing are not listed, nor are those
    that differ only by equivalent colours.
    """
    n, scores, node_of, pool = len(members), work.scores, work.node_of, game.every
    labels, in_order = work.labels[:n], len(game.by_secret) == 0
    node_of[game.guess_of_secret[members]] = 0
    if in_order and rule.consistent_only:
        pool = members[::-1].copy() if rule.reverses else members
    elif in_order:
        sets, node = Sets(members, np.array([0, n])), np.zeros(1, np.int64)
        find_leaders(game.grid, sets, node, node_of, rule.reverses, work.leaders)
        pool = list_pool(game.grid, work.leaders[0], rule.reverses)
    score_all(game, rule, pool, members, work)
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
        label_all(game, np.int32(guess), members, labels)
        found = _insert(
            ranked, found, guess, score, preferred, key_of_cells(game, labels, work.numbers)
        )
    node_of[game.guess_of_secret[members]] = -1
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


@njit(nogil=True)
def rule_at(plan: Plan, turn: int, previous: int) -> ScoringRule:
    """Return the scoring rule at a turn after a feedback id."""
    rule, rows = plan.rule, plan.weights[min(turn, len(plan.weights)) - 1]
    weights = rows[max(previous, 0) if len(rows) > 1 else 0]
    return ScoringRule(
        rule.terms, rule.terms_at, rule.tolerances, rule.tolerance_part, weights, rule.log_parts,
        rule.takes_min, rule.consistent_only, rule.prefers_consistent, rule.reverses,
    )  # fmt: skip


@inner
def _slot(roll: Rollouts, members: Indices, turn: int, previous: int) -> int:
    """Return the slot of a set, which is free if it is new; the key is written there."""
    memo, plan = roll.memo, roll.plan
    first, second = key_of(memo.words, members, 0)
    if len(members) > plan.exact:
        first ^= np.uint64(turn) * np.uint64(GOLDEN)
        if plan.weights.shape[1] > 1:
            second ^= np.uint64(previous + 2) * np.uint64(GOLDEN)
    mask = len(memo.state) - 1
    slot = np.int64(first >> np.uint64(8)) & mask
    while memo.state[slot] != UNSEEN and (memo.first[slot] != first or memo.second[slot] != second):
        slot = (slot + 1) & mask
    if memo.state[slot] == UNSEEN:
        memo.first[slot], memo.second[slot] = first, second
    return int(slot)


@inner
def _store(memo: RolloutMemo, slot: int, total: int, state: int) -> int:
    """Memoise a total, or a lower bound, if there is work; return it."""
    if memo.state[slot] == UNSEEN:
        if 4 * memo.filled[0] >= 3 * len(memo.state):
            return total
        memo.filled[0] += 1
    memo.total[slot], memo.state[slot] = total, state
    return total


@inner
def _glance(roll: Rollouts, members: Indices, turn: int, previous: int) -> tuple[int, bool]:
    """Return what is known, or easily seen, of a set's total, and whether it is the total."""
    n, memo = len(members), roll.memo
    if n <= 2:
        return 2 * n - 1, True
    slot = _slot(roll, members, turn, previous)
    if memo.state[slot] != UNSEEN:
        return int(memo.total[slot]), memo.state[slot] == EXACT
    total, state = int(roll.plan.bounds[n]), LOWER
    if n <= roll.game.n_feedback and n <= max(roll.plan.exact, 2):
        guess, seen = separator(roll.game, members, roll.work)
        total, state = seen, EXACT if guess >= 0 else LOWER
    _store(memo, slot, total, state)
    return total, state == EXACT


@inner
def _list_candidates(roll: Rollouts, depth: int, members: Indices, limit: int) -> int:
    """List the candidates whose bound by their parts is below a limit, the least bound first."""
    game, parts, n, n_options = roll.game, roll.work.parts[depth], len(members), 0
    labels, numbers = roll.work.labels[:n], roll.work.numbers
    for i in range(n):
        guess = game.guess_of_secret[members[i]]
        label_all(game, guess, members, labels)
        parts[guess] = 1
        for one in labels:
            parts[guess] += numbers[one] == 255
            numbers[one] = 0
        for one in labels:
            numbers[one] = 255
    for several in range(min(n, game.n_feedback) + 1, max(2, 3 * n - limit + 1) - 1, -1):
        for i in range(n):
            guess = game.guess_of_secret[members[i]]
            if parts[guess] == several:
                roll.work.options[depth, n_options] = guess
                n_options += 1
    return n_options


@inner
def _list_by_parts(roll: Rollouts, depth: int, members: Indices, limit: int) -> int:
    """List the guesses whose bound by their parts is below a limit, the least bound first."""
    n, parts, options = len(members), roll.work.parts[depth], roll.work.options[depth]
    if roll.plan.rule.consistent_only:
        return _list_candidates(roll, depth, members, limit)
    pool = pool_of(roll.game, members, roll.work)
    count_parts(roll.game, pool, members, roll.work, parts)
    starts = np.zeros(n + 3, np.int64)
    fewest = max(2, 3 * n - limit + 1)
    for g in pool:
        if parts[g] >= fewest:
            starts[n + 2 - parts[g]] += 1
    for k in range(1, n + 3):
        starts[k] += starts[k - 1]
    n_options = starts[n + 2]
    for k in range(n + 2, 0, -1):
        starts[k] = starts[k - 1]
    starts[0] = 0
    for g in pool:
        if parts[g] >= fewest:
            k = n + 2 - parts[g]
            options[starts[k]] = g
            starts[k] += 1
    return n_options


@njit(nogil=True)
def _is_new(seen: Hashes, key: np.uint64, filled: int) -> bool:
    """Return whether a key is new, and note it unless the table is nearly full."""
    key |= np.uint64(1)
    mask = len(seen) - 1
    slot = np.int64(key >> np.uint64(20)) & mask
    while seen[slot] != 0:
        if seen[slot] == key:
            return False
        slot = (slot + 1) & mask
    if 2 * filled < len(seen):
        seen[slot] = key
    return True


@inner
def _smallest(at: Offsets, exact: FeedbackIds) -> int:
    """Return the feedback of the smallest cell whose total is not known."""
    least = -1
    for f in range(len(at) - 1):
        if not exact[f] and (least < 0 or at[f + 1] - at[f] < at[least + 1] - at[least]):
            least = f
    return least


@njit(nogil=True)
def value(
    roll: Rollouts,
    depth: int,
    members: Indices,
    turn: int,
    previous: int,
    limit: int,
    given: Indices,
) -> int:
    """Return a set's total at a turn if it is below a limit, else a lower bound of at least it.

    If guesses are given, these are tried, and the first of the best ones is `winner`, −1 if there
    is none; a call from a compiled function gives none. Negative results are TOO_DEEP, NO_GUESS and
    NO_TERMS, whose size is `missing` then.
    """
    game, plan, memo, work = roll
    n, n_options, by_parts = len(members), len(given), False
    options = work.options[depth]
    if n_options > 0:
        options[:n_options], work.winner[0] = given, -1
    else:
        known, is_total = _glance(roll, members, turn, previous)
        if is_total or known >= limit:
            return known
        if depth == len(work.at) - 1:
            return TOO_DEEP
        by_parts = n <= plan.exact
        if by_parts:
            n_options = _list_by_parts(roll, depth, members, limit)
            work.seen[depth, :] = 0
        elif plan.rule.terms_at[n] < 0:
            work.missing[0] = n
            return NO_TERMS
        else:
            ranked = new_ranked(plan.widths[min(turn, len(plan.widths)) - 1])
            n_options = rank(game, rule_at(plan, turn, previous), members, work, ranked)
            if n_options == 0:
                return NO_GUESS
            options[:n_options] = ranked.guesses[:n_options]
    best, found, tried = limit, False, 0
    for k in range(n_options):
        guess = options[k]
        if by_parts and 3 * n - work.parts[depth, guess] >= best:
            break
        lay_out(game, members, guess, work.labels[:n], work.members[depth], work.at[depth])
        at, values, exact = work.at[depth], work.values[depth], work.exact[depth]
        total = n
        for f in range(game.n_feedback):
            values[f] = plan.bounds[at[f + 1] - at[f]] if f != game.solved else 0
            total += values[f]
        if total >= best:
            continue
        if by_parts:
            key = key_of_cells(game, work.labels[:n], work.numbers)
            if not _is_new(work.seen[depth], key, tried):
                continue
            tried += 1
        n_left = 0
        for f in range(game.n_feedback):
            exact[f] = True
            if f == game.solved or at[f + 1] - at[f] < 3:
                continue
            cell = work.members[depth, at[f] : at[f + 1]]
            seen, whole = _glance(roll, cell, turn + 1, f)
            total += seen - values[f]
            values[f], exact[f] = seen, whole
            n_left += not whole
            if total >= best:
                break
        while n_left > 0 and total < best:
            least = _smallest(at, exact)
            cell = work.members[depth, at[least] : at[least + 1]]
            spare = best - (total - values[least])
            result = value(roll, depth + 1, cell, turn + 1, least, spare, work.none)
            if result < 0:
                return result
            total += result - values[least]
            exact[least] = True
            n_left -= 1
        if total < best:
            best, found = total, True
            if len(given) > 0:
                work.winner[0] = guess
    if len(given) > 0:
        return best
    slot = _slot(roll, members, turn, previous)
    return _store(memo, slot, best, EXACT if found else LOWER)
