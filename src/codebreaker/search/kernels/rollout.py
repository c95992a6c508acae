"""Rollout: the total of a candidate set if the best of a policy's guesses is played at each turn.

Small sets are valued exactly (`left` is 0); otherwise `left` holds the turn and the last feedback.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.search.kernels import rollout_game
from codebreaker.search.kernels import search as template
from codebreaker.search.kernels.options import Search, _sort
from codebreaker.search.kernels.rollout_game import Plan, RolledGame, Workspace
from codebreaker.sets.codes import find_leaders, list_pool
from codebreaker.sets.compile import njit, specialised
from codebreaker.sets.memo import EXACT, UNSEEN, find, key_of, read, store
from codebreaker.sets.primitives import ScoringRule, Sets, in_tie_order, tie_threshold
from codebreaker.types import FeedbackIds, Hashes, Indices, Scores

Flags = NDArray[np.bool_]

UNBOUNDED = 1 << 30  # no limit on a total
NO_GUESS, NO_TERMS = -3, -4  # results: no guess splits a set; the plan lacks terms for its size
TURN = 256  # factor of the turn in `left`


class Rolled(NamedTuple):
    """Takes the place of a frame; columns are guesses, and labels feedback ids."""

    guesses: Indices
    column_of: Indices
    game: RolledGame
    plan: Plan
    work: Workspace


class Ranked(NamedTuple):
    """A set's best guesses; `preferred` ones win ties, `keys` identify the sizes of parts."""

    guesses: Indices
    scores: Scores
    preferred: Flags
    keys: Hashes


@njit(nogil=True)
def new_ranked(width: int) -> Ranked:
    """Allocate a list of guesses."""
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
    """List a set's best guesses in the policy's order, one per sizes of parts; return how many."""
    n, scores, node_of, pool = len(members), work.scores, work.node_of, game.every
    labels, in_order = work.labels[:n], len(game.by_secret) == 0
    node_of[game.guess_of_secret[members]] = 0
    if in_order and rule.consistent_only:
        pool = members[::-1].copy() if rule.reverses else members
    elif in_order:
        sets, node = Sets(members, np.array([0, n])), np.zeros(1, np.int64)
        find_leaders(game.grid, sets, node, node_of, rule.reverses, work.leaders)
        pool = list_pool(game.grid, work.leaders[0], rule.reverses)
    rollout_game.score_all(game, rule, pool, members, work)
    best = -np.inf
    for at in range(len(pool)):
        if scores[at] > best and (node_of[pool[at]] == 0 or not rule.consistent_only):
            best = scores[at]
    found, width = 0, len(ranked.guesses)
    lowest = tie_threshold(best, rule.tolerances[n], rule.tolerance_part)
    for place in range(len(pool)):
        at = place if in_order else in_tie_order(place, len(pool), rule.reverses)
        guess = pool[at]
        score = best if scores[at] >= lowest else scores[at]
        if score == -np.inf or (rule.consistent_only and node_of[guess] < 0):
            continue
        preferred = rule.prefers_consistent and node_of[guess] == 0
        if found == width and not _beats(score, preferred, ranked, found - 1):
            continue
        rollout_game.label_all(game, np.int32(guess), members, labels)
        key = rollout_game.key_of_sizes(labels, work.stamps)
        found = _insert(ranked, found, guess, score, preferred, key)
    node_of[game.guess_of_secret[members]] = -1
    return found


@njit(nogil=True)
def _insert(
    ranked: Ranked, found: int, guess: int, score: float, preferred: bool, key: np.uint64
) -> int:
    """Insert a guess, replacing a worse one of its partition or the last; return the length."""
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


@njit(nogil=True)
def _beats(score: float, preferred: bool, ranked: Ranked, k: int) -> bool:
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


@njit(nogil=True, inline="always")
def _label(rolled: Rolled, guess: int, members: Indices, labels: FeedbackIds) -> None:
    rollout_game.label_all(rolled.game, np.int32(guess), members, labels)


@njit(nogil=True, inline="always")
def _bound_of_size(search: Search, members: Indices, left: int) -> int:
    return int(search.bounds[0, len(members)])


@njit(nogil=True, inline="always")
def _left_after(search: Search, left: int) -> int:
    return left // TURN + 1


@njit(nogil=True, inline="always")
def _left_at(rolled: Rolled, turn: int, label: int, size: int) -> int:
    if size <= rolled.plan.exact:
        return 0
    return turn * TURN + (label if rolled.plan.weights.shape[1] > 1 else 0)


@njit(nogil=True, inline="always")
def _seen(search: Search, rolled: Rolled, members: Indices, left: int) -> tuple[int, int]:
    if left > 0 or len(members) > search.n_feedback:
        return -1, 0
    return rollout_game.separator(rolled.game, members, rolled.work)


@njit(nogil=True, inline="always")
def _known(
    search: Search, rolled: Rolled, depth: int, cell: Indices, left: int, limit: int
) -> tuple[int, int, bool]:
    before, memo = int(search.bounds[0, len(cell)]), search.memo
    key = key_of(memo.words, cell, left)
    state, total, guess = read(memo.slots, find(memo.slots, memo.used[1], key))
    if state == UNSEEN:
        guess, total = _seen(search, rolled, cell, left)
        store(memo, key, max(total, before), guess)
    return before, max(total, before), state == EXACT or guess >= 0


@njit(nogil=True, inline="always")
def _bound_of(
    search: Search, rolled: Rolled, depth: int, n: int, left: int, option: int, highest: int
) -> int:
    at, total, solved = search.at[depth], n, rolled.game.solved
    for f in range(highest + 1):
        total += int(search.bounds[0, at[f + 1] - at[f]])
    return total - int(at[solved + 1] - at[solved]) if solved <= highest else total


@njit(nogil=True)
def _count_by_candidates(game: RolledGame, members: Indices, work: Workspace) -> None:
    """Count the parts into which each candidate divides a set, into `work.parts`."""
    labels, numbers = work.labels[: len(members)], work.numbers
    for member in members:
        guess, parts = game.guess_of_secret[member], 0
        rollout_game.label_all(game, guess, members, labels)
        for one in labels:
            parts += numbers[one] == 255
            numbers[one] = 0
        for one in labels:
            numbers[one] = 255
        work.parts[guess] = parts


@njit(nogil=True)
def _list_by_parts(
    search: Search, rolled: Rolled, depth: int, members: Indices, limit: int
) -> tuple[int, int, bool]:
    """List all guesses whose bounds by their parts are below a limit."""
    game, n, n_options, parts = rolled.game, len(members), np.int64(0), rolled.work.parts
    options, bounds, pool = search.options[depth], search.option_bounds[depth], game.every[:0]
    if search.consistent_only:
        _count_by_candidates(game, members, rolled.work)
    else:
        pool = rollout_game.pool_of(game, members)
        rollout_game.count_parts(game, pool, members, rolled.work)
    for entry in range(n + len(pool)):
        solved = entry < n
        guess = game.guess_of_secret[members[entry]] if solved else pool[entry - n]
        bound = 3 * n - solved - np.int64(parts[guess])
        if parts[guess] > 1 and bound < limit:
            options[n_options], bounds[n_options] = 2 * guess + solved, bound
            n_options += 1
        if solved:
            parts[guess] = 0
    lowest, in_order = _sort(bounds, search.order[depth], n_options)
    return int(n_options), lowest, in_order


@njit(nogil=True, inline="always")
def _frame_and_options(
    search: Search, roll: Rolled, depth: int, members: Indices, left: int, limit: int, pool: Indices
) -> tuple[Rolled, bool, int, int, bool]:
    plan, work, n, lowest, in_order = roll.plan, roll.work, len(members), 0, True
    if left == 0:
        n_options, lowest, in_order = _list_by_parts(search, roll, depth, members, limit)
    elif plan.rule.terms_at[n] < 0:
        work.missing[0], n_options = n, NO_TERMS
    else:
        turn = left // TURN
        ranked = new_ranked(plan.widths[min(turn, len(plan.widths)) - 1])
        n_options = rank(roll.game, rule_at(plan, turn, left % TURN), members, work, ranked)
        for k in range(n_options):
            search.options[depth, k], search.option_bounds[depth, k] = 2 * ranked.guesses[k], 0
            search.order[depth, k] = k
        if n_options == 0:
            n_options = NO_GUESS
    return roll, left > 0, n_options, lowest, in_order


_functions = specialised(
    "rollout", (template.minimum_total, template._total_of_cells, template._split), globals()
)
_total_of_cells, _split = _functions._total_of_cells, _functions._split


@njit(nogil=True)
def best_after(
    search: Search, rolled: Rolled, members: Indices, turn: int, given: Indices
) -> tuple[int, int]:
    """Return a set's total at a turn after the best of the given guesses, and that guess.

    A negative total is TOO_DEEP, NO_GUESS or NO_TERMS (for sets of size `work.missing[0]`).
    """
    n, best, winner = len(members), np.int64(UNBOUNDED), np.int64(-1)
    for guess in given:
        n_cells, highest = _split(search, rolled, np.int64(0), members, guess)
        total = _bound_of(search, rolled, np.int64(0), n, 0, 0, highest)
        if n_cells and total < best:
            total = _total_of_cells(
                search, rolled, np.int64(0), n_cells, total, best, turn + 1, given[:0]
            )
        if total < 0:
            return int(total), int(winner)
        if total < best:
            best, winner = total, guess
    return int(best), int(winner)
