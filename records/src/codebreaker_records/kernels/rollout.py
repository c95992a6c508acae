"""Rollout: the total of a candidate set if the best of a policy's guesses is played at each turn.

It is the recursion of `recursion` with the steps that are defined here. Sets of up to
`policy.exact` candidates are valued exactly: `left` is EXACTLY. At larger ones the policy's best
guesses are compared; they depend on the turn and, with weights by previous feedback, on the last
feedback id, so `left` has both (`pack_left`).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.compiling.cpu import njit
from codebreaker.search.kernels.options import (
    DONE,
    TOO_DEEP,
    Listing,
    Search,
    _sort,
    pack_option,
)
from codebreaker.search.kernels.recursion import SearchSteps, branch_and_bound
from codebreaker.sets.codes import find_representatives, list_pool
from codebreaker.sets.primitives import ScoringRule, Sets, in_tie_order, tie_threshold
from codebreaker.sets.transposition import EXACT, UNSEEN, find, key_of, read, store
from codebreaker.types import FeedbackIds, Hashes, Indices, Scores
from codebreaker_records.kernels import rollout_game
from codebreaker_records.kernels.rollout_game import (
    ABSENT,
    RolloutGame,
    RolloutPolicy,
    RolloutWorkspace,
)

Flags = NDArray[np.bool_]

NO_GUESS, NO_TERMS = range(TOO_DEEP + 1, TOO_DEEP + 3)
"""More statuses. NO_GUESS: no guess splits a set. NO_TERMS: no terms for a set of this size."""

UNBOUNDED = 1 << 30
"""A limit that no total reaches."""

EXACTLY = 0
"""The `left` of sets that are valued exactly; packed ones are larger, as turns count from 1."""

N_FEEDBACK_IDS = 256
"""Feedback ids that `pack_left` can tell apart: those of a byte."""


class RolloutFrame(NamedTuple):
    """The frame of all sets in a rollout: columns are guesses, and labels feedback ids."""

    guesses: Indices  # all guesses
    column_of: Indices  # the same
    game: RolloutGame
    policy: RolloutPolicy
    work: RolloutWorkspace


class Ranked(NamedTuple):
    """A set's best guesses, (width,); `preferred` ones win ties, `keys` are of the parts' sizes."""

    guesses: Indices
    scores: Scores
    preferred: Flags
    keys: Hashes


@njit(nogil=True, inline="always")
def pack_left(turn: int, feedback: int) -> int:
    """Return the code of a turn, from 1 on, and the last feedback id."""
    return turn * N_FEEDBACK_IDS + feedback


@njit(nogil=True, inline="always")
def unpack_left(left: int) -> tuple[int, int]:
    """Return the turn and the last feedback id of `pack_left`."""
    return left // N_FEEDBACK_IDS, left % N_FEEDBACK_IDS


# ---- the policy's best guesses ----


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
    game: RolloutGame, rule: ScoringRule, members: Indices, work: RolloutWorkspace, ranked: Ranked
) -> int:
    """List a set's best guesses in the policy's order, one per sizes of parts; return how many."""
    n = len(members)
    scores = work.scores
    node_of = work.node_of
    labels = work.labels[:n]
    # 1. The guesses to score. Without a table the pool is in tie order already; with one, all are
    #    scored, and `in_tie_order` finds the guess at each place.
    pool = game.every
    pool_is_ordered = len(game.by_secret) == 0
    node_of[game.guess_of_secret[members]] = 0
    if pool_is_ordered and rule.consistent_only:
        pool = members[::-1].copy() if rule.reverses else members
    elif pool_is_ordered:
        sets = Sets(members, np.array([0, n]))
        node = np.zeros(1, np.int64)
        find_representatives(game.grid, sets, node, node_of, rule.reverses, work.leaders)
        pool = list_pool(game.grid, work.leaders[0], rule.reverses)
    # 2. Their scores, and the best one. All scores within the tolerance count as the best.
    rollout_game.score_all(game, rule, pool, members, work)
    best = -np.inf
    for at in range(len(pool)):
        if scores[at] > best and (node_of[pool[at]] == 0 or not rule.consistent_only):
            best = scores[at]
    lowest = tie_threshold(best, rule.tolerances[n], rule.tolerance_part)
    # 3. Insert them in tie order. A full list needs no key of a guess that can't enter.
    n_ranked = 0
    width = len(ranked.guesses)
    for entry in range(len(pool)):
        at = entry if pool_is_ordered else in_tie_order(entry, len(pool), rule.reverses)
        guess = pool[at]
        score = best if scores[at] >= lowest else scores[at]
        if score == -np.inf or (rule.consistent_only and node_of[guess] < 0):
            continue
        preferred = rule.prefers_consistent and node_of[guess] == 0
        if n_ranked == width and not _beats(score, preferred, ranked, n_ranked - 1):
            continue
        rollout_game.label_all(game, np.int32(guess), members, labels)
        key = rollout_game.key_of_sizes(labels, work.stamps)
        n_ranked = _insert(ranked, n_ranked, guess, score, preferred, key)
    node_of[game.guess_of_secret[members]] = -1
    return n_ranked


@njit(nogil=True)
def _insert(
    ranked: Ranked, n_ranked: int, guess: int, score: float, preferred: bool, key: np.uint64
) -> int:
    """Insert a guess into the first `n_ranked`; return their new number.

    Guesses with the same key are likely to have alike subtrees, so only the best is listed. It
    replaces a worse one of its key, else, in a full list, the last.
    """
    at = n_ranked
    for k in range(n_ranked):
        if ranked.keys[k] == key:
            at = k
    is_new = at == n_ranked
    if not is_new and not _beats(score, preferred, ranked, at):
        return n_ranked
    grows = is_new and n_ranked < len(ranked.guesses)
    if is_new and not grows:
        at -= 1
    # Move worse guesses down, from the replaced or the new entry up.
    while at > 0 and _beats(score, preferred, ranked, at - 1):
        ranked.guesses[at] = ranked.guesses[at - 1]
        ranked.scores[at] = ranked.scores[at - 1]
        ranked.preferred[at] = ranked.preferred[at - 1]
        ranked.keys[at] = ranked.keys[at - 1]
        at -= 1
    ranked.guesses[at] = guess
    ranked.scores[at] = score
    ranked.preferred[at] = preferred
    ranked.keys[at] = key
    return n_ranked + grows


@njit(nogil=True)
def _beats(score: float, preferred: bool, ranked: Ranked, k: int) -> bool:
    """Return whether a guess comes before the k-th; of equal ones, the earlier in tie order."""
    if score != ranked.scores[k]:
        return score > ranked.scores[k]
    return preferred and not ranked.preferred[k]


@njit(nogil=True)
def rule_at(policy: RolloutPolicy, turn: int, previous: int) -> ScoringRule:
    """Return the scoring rule at a turn after a feedback id, or −1; the last turn serves later."""
    rule = policy.rule
    by_previous = policy.weights[min(turn, len(policy.weights)) - 1]
    weights = by_previous[max(previous, 0) if len(by_previous) > 1 else 0]
    return ScoringRule(
        rule.terms, rule.terms_at, rule.tolerances, rule.tolerance_part, weights, rule.log_parts,
        rule.takes_min, rule.consistent_only, rule.prefers_consistent, rule.reverses,
    )  # fmt: skip


# ---- steps of the recursion ----


@njit(nogil=True, inline="always")
def label_members(frame: RolloutFrame, guess: int, members: Indices, labels: FeedbackIds) -> None:
    """Write each member's feedback id after a guess."""
    rollout_game.label_all(frame.game, np.int32(guess), members, labels)


@njit(nogil=True, inline="always")
def bound_of_size(search: Search, members: Indices, left: int) -> int:
    """Return a lower bound on the total by size, without a limit on guesses."""
    return int(search.bounds[0, len(members)])


@njit(nogil=True, inline="always")
def left_after(search: Search, left: int) -> int:
    """Return the next turn; cells of a set that is valued exactly don't use it."""
    turn, _ = unpack_left(left)
    return turn + 1


@njit(nogil=True, inline="always")
def left_of_cell(frame: RolloutFrame, turn: int, label: int, size: int) -> int:
    """Return the `left` of a cell at a turn; it has a feedback id only where weights depend on it.

    So the memo shares cells that are reached with other feedback wherever their totals are equal.
    """
    if size <= frame.policy.exact:
        return EXACTLY
    depends_on_feedback = frame.policy.weights.shape[1] > 1
    return pack_left(turn, label if depends_on_feedback else 0)


@njit(nogil=True, inline="always")
def shortcut_of(
    search: Search, frame: RolloutFrame, members: Indices, left: int
) -> tuple[int, int]:
    """Return a set's optimal candidate and total, if easily seen and it is valued exactly."""
    if left > EXACTLY or len(members) > search.n_feedback:
        return -1, 0
    return rollout_game.separator(frame.game, members, frame.work)


@njit(nogil=True, inline="always")
def bound_of_cell(
    search: Search, frame: RolloutFrame, depth: int, cell: Indices, left: int, limit: int
) -> tuple[int, int, bool]:
    """Return a cell's share of its guess's bound, a bound on its total, and whether it is exact.

    What is seen of a new cell is stored, as looking takes longer here than reading the memo.
    """
    share = int(search.bounds[0, len(cell)])
    memo = search.memo
    key = key_of(memo.words, cell, left)
    state, total, guess = read(memo.slots, find(memo.slots, memo.used[1], key))
    if state == UNSEEN:
        guess, total = shortcut_of(search, frame, cell, left)
        store(memo, key, max(total, share), guess)
    return share, max(total, share), state == EXACT or guess >= 0


@njit(nogil=True, inline="always")
def bound_of_split(
    search: Search, frame: RolloutFrame, depth: int, n: int, left: int, option: int, highest: int
) -> int:
    """Return a lower bound on a guess's total by its cells; the cell of a solved secret is over."""
    cell_starts = search.cell_starts[depth]
    total = n
    solved = frame.game.solved
    for label in range(highest + 1):
        total += int(search.bounds[0, cell_starts[label + 1] - cell_starts[label]])
    if solved > highest:
        return total
    return total - int(cell_starts[solved + 1] - cell_starts[solved])


@njit(nogil=True)
def _count_by_candidates(game: RolloutGame, members: Indices, work: RolloutWorkspace) -> None:
    """Count the parts into which each candidate divides a set, into `work.parts`."""
    labels = work.labels[: len(members)]
    numbers = work.numbers
    for member in members:
        guess = game.guess_of_secret[member]
        parts = 0
        rollout_game.label_all(game, guess, members, labels)
        for label in labels:
            parts += numbers[label] == ABSENT
            numbers[label] = 0
        for label in labels:
            numbers[label] = ABSENT
        work.parts[guess] = parts


@njit(nogil=True)
def _list_by_parts(
    search: Search, frame: RolloutFrame, depth: int, members: Indices, limit: int
) -> tuple[int, int, bool]:
    """List all guesses whose bounds by their parts are below a limit; return as `_sort`.

    A guess with p parts of n candidates: each takes this guess and at least one more, and all but
    one of each part a third, 3 n − p. A candidate saves one guess for itself.
    """
    game = frame.game
    n = len(members)
    parts = frame.work.parts
    options = search.options[depth]
    bounds = search.option_bounds[depth]
    pool = game.every[:0]
    if search.consistent_only:
        _count_by_candidates(game, members, frame.work)
    else:
        pool = rollout_game.pool_of(game, members)
        rollout_game.count_parts(game, pool, members, frame.work)
    n_options = np.int64(0)
    for entry in range(n + len(pool)):
        is_candidate = entry < n
        guess = game.guess_of_secret[members[entry]] if is_candidate else pool[entry - n]
        bound = 3 * n - is_candidate - np.int64(parts[guess])
        if parts[guess] > 1 and bound < limit:
            options[n_options] = pack_option(guess, is_candidate)
            bounds[n_options] = bound
            n_options += 1
        if is_candidate:
            parts[guess] = 0  # so that the pool doesn't list it again
    lowest, in_order = _sort(bounds, search.order[depth], n_options)
    return int(n_options), lowest, in_order


@njit(nogil=True, inline="always")
def list_options(
    search: Search,
    frame: RolloutFrame,
    depth: int,
    members: Indices,
    left: int,
    limit: int,
    pool: Indices,
) -> tuple[RolloutFrame, Listing]:
    """List all guesses of a set that is valued exactly, else the policy's best, without bounds.

    The status is NO_TERMS, with the size in `work.missing`, or NO_GUESS if the policy has none. The
    policy's guesses differ in their parts, so only an exact set's partitions may repeat.
    """
    policy = frame.policy
    work = frame.work
    n = len(members)
    status = DONE
    n_options = 0
    lowest = 0
    in_order = True
    if left == EXACTLY:
        n_options, lowest, in_order = _list_by_parts(search, frame, depth, members, limit)
    elif policy.rule.terms_at[n] < 0:
        work.missing[0] = n
        status = NO_TERMS
    else:
        turn, previous = unpack_left(left)
        ranked = new_ranked(policy.widths[min(turn, len(policy.widths)) - 1])
        n_options = rank(frame.game, rule_at(policy, turn, previous), members, work, ranked)
        for k in range(n_options):
            search.options[depth, k] = pack_option(ranked.guesses[k], 0)
            search.option_bounds[depth, k] = 0
            search.order[depth, k] = k
        if n_options == 0:
            status = NO_GUESS
    return frame, Listing(status, n_options, lowest, in_order, left == EXACTLY)


_recursion = branch_and_bound(
    SearchSteps(
        name="rollout",
        label_members=label_members,
        bound_of_size=bound_of_size,
        left_after=left_after,
        left_of_cell=left_of_cell,
        shortcut_of=shortcut_of,
        bound_of_cell=bound_of_cell,
        bound_of_split=bound_of_split,
        list_options=list_options,
        read=read,
        store=store,
    )
)
_split = _recursion.split
_total_of_cells = _recursion.total_of_cells


@njit(nogil=True)
def best_after(
    search: Search, frame: RolloutFrame, members: Indices, turn: int, given: Indices
) -> tuple[int, int, int]:
    """Return a status, a set's total at a turn after the best of the given guesses, and that guess.

    The status may be TOO_DEEP, NO_GUESS or NO_TERMS (for sets of size `work.missing[0]`).
    """
    n = len(members)
    best = np.int64(UNBOUNDED)
    winner = np.int64(-1)
    depth = np.int64(0)
    no_pool = given[:0]
    for guess in given:
        n_open, highest = _split(search, frame, depth, members, guess)
        total = bound_of_split(search, frame, depth, n, 0, 0, highest)
        if n_open and total < best:
            status, total = _total_of_cells(
                search, frame, depth, n_open, total, best, turn + 1, no_pool
            )
            if status != DONE:
                return status, 0, -1
        if total < best:
            best = total
            winner = guess
    return DONE, int(best), int(winner)
