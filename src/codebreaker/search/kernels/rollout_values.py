"""The total of a candidate set by the best of a policy's guesses, turn by turn to the end.

Sets of up to a size are valued exactly. A set's guesses are tried in order; their cells are looked
up or valued from the smallest on, until the total reaches the least one so far. Totals and lower
bounds are memoised under a two-word Zobrist key of the set and, if they depend on it, its turn.
"""

import numpy as np

from codebreaker.search.kernels.rollout_ranking import new_ranked, rank
from codebreaker.search.kernels.rollout_rules import (
    count_parts,
    key_of_cells,
    label_all,
    lay_out,
    pool_of,
    separator,
)
from codebreaker.search.kernels.rollout_workspace import Memo, Plan, Workshop
from codebreaker.sets.compile import inner, njit
from codebreaker.sets.primitives import GOLDEN, ScoringRule
from codebreaker.types import FeedbackIds, Hashes, Indices, Offsets

UNBOUNDED = 1 << 40
"""No limit on a total."""

TOO_DEEP, NO_GUESS, NO_TERMS = -1, -2, -3
"""Results: the tree is deeper than the working memory; no guess of the policy splits a set; the
plan lacks the terms of a set's size."""

UNSEEN, LOWER, EXACT = range(3)
"""States of a memo entry: empty, a lower bound, or the total."""


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
def _slot(shop: Workshop, members: Indices, turn: int, previous: int) -> int:
    """Return the slot of a set, which is free if it is new; the key is written there."""
    memo, plan = shop.memo, shop.plan
    first, second = np.uint64(0), np.uint64(0)
    for member in members:
        first ^= memo.zobrist[member, 0]
        second ^= memo.zobrist[member, 1]
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
def _store(memo: Memo, slot: int, total: int, state: int) -> int:
    """Memoise a total, or a lower bound, if there is room; return it."""
    if memo.state[slot] == UNSEEN:
        if 4 * memo.filled[0] >= 3 * len(memo.state):
            return total
        memo.filled[0] += 1
    memo.total[slot], memo.state[slot] = total, state
    return total


@inner
def _glance(shop: Workshop, members: Indices, turn: int, previous: int) -> tuple[int, bool]:
    """Return what is known, or easily seen, of a set's total, and whether it is the total."""
    n, memo = len(members), shop.memo
    if n <= 2:
        return 2 * n - 1, True
    slot = _slot(shop, members, turn, previous)
    if memo.state[slot] != UNSEEN:
        return int(memo.total[slot]), memo.state[slot] == EXACT
    total, state = int(shop.plan.bounds[n]), LOWER
    if n <= shop.rules.n_feedback and n <= max(shop.plan.exact, 2):
        guess, seen = separator(shop.rules, members, shop.room)
        total, state = seen, EXACT if guess >= 0 else LOWER
    _store(memo, slot, total, state)
    return total, state == EXACT


@inner
def _list_candidates(shop: Workshop, depth: int, members: Indices, limit: int) -> int:
    """List the candidates whose bound by their parts is below a limit, the least bound first."""
    rules, parts, n, n_options = shop.rules, shop.frames.parts[depth], len(members), 0
    labels, numbers = shop.room.labels[:n], shop.room.numbers
    for i in range(n):
        guess = rules.guess_of_secret[members[i]]
        label_all(rules, guess, members, labels)
        parts[guess] = 1
        for one in labels:
            parts[guess] += numbers[one] == 255
            numbers[one] = 0
        for one in labels:
            numbers[one] = 255
    for several in range(min(n, rules.n_feedback) + 1, max(2, 3 * n - limit + 1) - 1, -1):
        for i in range(n):
            guess = rules.guess_of_secret[members[i]]
            if parts[guess] == several:
                shop.frames.options[depth, n_options] = guess
                n_options += 1
    return n_options


@inner
def _list_by_parts(shop: Workshop, depth: int, members: Indices, limit: int) -> int:
    """List the guesses whose bound by their parts is below a limit, the least bound first."""
    n, parts, options = len(members), shop.frames.parts[depth], shop.frames.options[depth]
    if shop.plan.rule.consistent_only:
        return _list_candidates(shop, depth, members, limit)
    pool = pool_of(shop.rules, members, shop.room)
    count_parts(shop.rules, pool, members, shop.room, parts)
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
    shop: Workshop,
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
    rules, plan, memo, frames, room = shop
    n, n_options, by_parts = len(members), len(given), False
    options = frames.options[depth]
    if n_options > 0:
        options[:n_options], frames.winner[0] = given, -1
    else:
        known, is_total = _glance(shop, members, turn, previous)
        if is_total or known >= limit:
            return known
        if depth == len(frames.at) - 1:
            return TOO_DEEP
        by_parts = n <= plan.exact
        if by_parts:
            n_options = _list_by_parts(shop, depth, members, limit)
            frames.seen[depth, :] = 0
        elif plan.rule.terms_at[n] < 0:
            frames.missing[0] = n
            return NO_TERMS
        else:
            ranked = new_ranked(plan.widths[min(turn, len(plan.widths)) - 1])
            n_options = rank(rules, rule_at(plan, turn, previous), members, room, ranked)
            if n_options == 0:
                return NO_GUESS
            options[:n_options] = ranked.guesses[:n_options]
    best, found, tried = limit, False, 0
    for k in range(n_options):
        guess = options[k]
        if by_parts and 3 * n - frames.parts[depth, guess] >= best:
            break
        lay_out(rules, members, guess, room.labels[:n], frames.members[depth], frames.at[depth])
        at, values, exact = frames.at[depth], frames.values[depth], frames.exact[depth]
        total = n
        for f in range(rules.n_feedback):
            values[f] = plan.bounds[at[f + 1] - at[f]] if f != rules.solved else 0
            total += values[f]
        if total >= best:
            continue
        if by_parts:
            key = key_of_cells(rules, room.labels[:n], room.numbers)
            if not _is_new(frames.seen[depth], key, tried):
                continue
            tried += 1
        n_left = 0
        for f in range(rules.n_feedback):
            exact[f] = True
            if f == rules.solved or at[f + 1] - at[f] < 3:
                continue
            cell = frames.members[depth, at[f] : at[f + 1]]
            seen, whole = _glance(shop, cell, turn + 1, f)
            total += seen - values[f]
            values[f], exact[f] = seen, whole
            n_left += not whole
            if total >= best:
                break
        while n_left > 0 and total < best:
            least = _smallest(at, exact)
            cell = frames.members[depth, at[least] : at[least + 1]]
            spare = best - (total - values[least])
            result = value(shop, depth + 1, cell, turn + 1, least, spare, frames.none)
            if result < 0:
                return result
            total += result - values[least]
            exact[least] = True
            n_left -= 1
        if total < best:
            best, found = total, True
            if len(given) > 0:
                frames.winner[0] = guess
    if len(given) > 0:
        return best
    slot = _slot(shop, members, turn, previous)
    return _store(memo, slot, best, EXACT if found else LOWER)
