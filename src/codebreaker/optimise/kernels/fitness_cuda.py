"""The fitness of individuals on CUDA: one block per individual.

A block holds the candidate sets of a turn as ranges of members, and `LANES` threads share a set:
they score its options if the memo holds it, otherwise all guesses, so that a block never waits for
the host. Sets missing from the memo are recorded, and the host adds them between launches, which
affects speed only.
"""

from math import inf
from typing import Any, NamedTuple

from numba import cuda, int16, int32

THREADS, LANES = 128, 32
"""Threads per block, and threads that share a set."""

MOST_FEEDBACK, MOST_SECRETS = 256, 2**15 - 1
"""The largest numbers of feedback ids and of secrets; a cell's size has 16 bits with a sign."""

Array = Any
"""A device array, or the simulator's."""


class DeviceGame(NamedTuple):
    """A game and its criteria like `ScoredGame`, with hash keys as signed integers.

    `terms_at` and `tolerances` are flat: those of an order start at the order times `n_sizes`.
    """

    by_secret: Array
    solved: int
    last_turn: int
    terms: Array
    terms_at: Array
    tolerances: Array
    zobrist: Array
    turn_keys: Array
    n_sizes: int


class DeviceMemo(NamedTuple):
    """The parts of `Memo` that hold a set's options."""

    slots: Array
    key: Array
    turn: Array
    size: Array
    member_at: Array
    members: Array
    option_at: Array
    option_count: Array
    counts: Array
    guess: Array


class Work(NamedTuple):
    """Working memory of the blocks.

    Per block, for the sets of this turn and the next: `members` (n_blocks, 2, n_secrets), and in
    `at`, `size` and `set_id` (n_blocks, 2, n_sets) where each set starts, its size and its id in
    the memo, or −1. Per set: the best score, of each lane in `lane_best` (n_blocks, n_sets, LANES)
    and of all in `best`, and the rank of the `winner` in the tie order.
    """

    members: Array
    at: Array
    size: Array
    set_id: Array
    lane_best: Array
    best: Array
    winner: Array


class Misses(NamedTuple):
    """Sets missing from the memo: `used` counts sets and members; each set's turn, start, size."""

    used: Array
    turn: Array
    at: Array
    size: Array
    members: Array


@cuda.jit(device=True)
def look_up(memo: DeviceMemo, key: int, turn: int, members: Array, start: int, size: int) -> int:
    """Return the id of a set whose options the memo holds, or −1."""
    mask = len(memo.slots) - 1
    slot = key & mask
    while memo.slots[slot] >= 0:
        set_id = memo.slots[slot]
        if memo.key[set_id] == key and memo.turn[set_id] == turn and memo.size[set_id] == size:
            at, same = memo.member_at[set_id], 0
            while same < size and memo.members[at + same] == members[start + same]:
                same += 1
            if same == size:
                return set_id if memo.option_at[set_id] >= 0 else -1
        slot = (slot + 1) & mask
    return -1


@cuda.jit(device=True)
def record_miss(misses: Misses, turn: int, members: Array, start: int, size: int) -> None:
    """Record a set for the host, if there is room."""
    place = cuda.atomic.add(misses.used, 0, 1)
    if place < len(misses.turn):
        at = cuda.atomic.add(misses.used, 1, size)
        fits = at + size <= len(misses.members)
        misses.turn[place], misses.at[place] = turn, at
        misses.size[place] = size if fits else 0
        if fits:
            for j in range(size):
                misses.members[at + j] = members[start + j]


@cuda.jit(device=True)
def option_score(memo: DeviceMemo, option: int, terms: Array, at: int, weights: Array) -> float:
    """Return an option's score under a row of weights, from its cell sizes."""
    score = 0.0
    for f in range(memo.counts.shape[1]):
        score += weights[f] * terms[at + memo.counts[option, f]]
    return score


@cuda.jit(device=True)
def guess_score(
    rules: DeviceGame,
    members: Array,
    start: int,
    size: int,
    at: int,
    guess: int,
    weights: Array,
    cells: Array,
) -> float:
    """Return a guess's score by the terms from `at` on; `cells` is zero before and after."""
    score = 0.0
    for j in range(start, start + size):
        cells[rules.by_secret[members[j], guess]] += 1
    for j in range(start, start + size):
        f = rules.by_secret[members[j], guess]
        if cells[f] > 0:
            score += weights[f] * rules.terms[at + cells[f]]
            cells[f] = 0
    return score


@cuda.jit(device=True)
def tie_rank(rules: DeviceGame, members: Array, start: int, size: int, guess: int) -> int:
    """Return a guess's rank in the tie order: candidates first, then by index."""
    for j in range(start, start + size):
        if rules.by_secret[members[j], guess] == rules.solved:
            return guess
    return rules.by_secret.shape[1] + guess


def evaluate(
    start_turn: int,
    rules: DeviceGame,
    memo: DeviceMemo,
    start: tuple[Array, Array, Array],
    weights: Array,
    orders: Array,
    active: Array,
    totals: Array,
    work: Work,
    misses: Misses,
) -> None:
    """Add to the totals of active individuals their guesses from the start sets on.

    `start` holds the start sets' members, the position of each set's first member, and its size;
    `weights` (n_individuals, n_turns, n_feedback) float64 integers, `orders` (n_individuals,
    n_turns) int32, `active` (n_individuals,) int32, `totals` (n_individuals,) int64.
    """
    i, thread = cuda.blockIdx.x, cuda.threadIdx.x
    lane, group, groups = thread % LANES, thread // LANES, THREADS // LANES
    filled = cuda.shared.array(3, int32)
    cells = cuda.local.array(MOST_FEEDBACK, int16)
    n_guesses = rules.by_secret.shape[1]
    n_feedback = weights.shape[2]
    if active[i] == 0:
        return
    for f in range(n_feedback):
        cells[f] = 0
    start_members, start_at, start_size = start
    for j in range(thread, len(start_members), THREADS):
        work.members[i, 0, j] = start_members[j]
    turn, side = start_turn, 0
    for s in range(thread, len(start_at), THREADS):
        work.at[i, 0, s], work.size[i, 0, s] = start_at[s], start_size[s]
        key = rules.turn_keys[min(turn, rules.last_turn)]
        for j in range(start_at[s], start_at[s] + start_size[s]):
            key ^= rules.zobrist[start_members[j]]
        work.set_id[i, 0, s] = look_up(
            memo, key, min(turn, rules.last_turn), start_members, start_at[s], start_size[s]
        )
        if work.set_id[i, 0, s] < 0:
            record_miss(
                misses, min(turn, rules.last_turn), start_members, start_at[s], start_size[s]
            )
    if thread == 0:
        filled[0] = len(start_at)
    cuda.syncthreads()
    while filled[side] > 0:
        n_sets, members = filled[side], work.members[i, side]
        row = weights[i, min(turn, rules.last_turn) - 1]
        order_at = orders[i, min(turn, rules.last_turn) - 1] * rules.n_sizes
        for s in range(thread, n_sets, THREADS):
            work.best[i, s], work.winner[i, s] = -inf, 2 * n_guesses
        if thread == 0:
            filled[1 - side], filled[2] = 0, 0
        cuda.syncthreads()
        for s in range(group, n_sets, groups):
            at, size, set_id = work.at[i, side, s], work.size[i, side, s], work.set_id[i, side, s]
            best, terms_at = -inf, rules.terms_at[order_at + size]
            if set_id >= 0:
                first = memo.option_at[set_id]
                for option in range(first + lane, first + memo.option_count[set_id], LANES):
                    best = max(best, option_score(memo, option, rules.terms, terms_at, row))
            else:
                for guess in range(lane, n_guesses, LANES):
                    score = guess_score(rules, members, at, size, terms_at, guess, row, cells)
                    best = max(best, score)
            work.lane_best[i, s, lane] = best
            cuda.atomic.max(work.best, (i, s), best)
        cuda.syncthreads()
        for s in range(group, n_sets, groups):
            at, size, set_id = work.at[i, side, s], work.size[i, side, s], work.set_id[i, side, s]
            threshold = work.best[i, s] - rules.tolerances[order_at + size]
            if work.lane_best[i, s, lane] < threshold:
                continue
            winner, terms_at = 2 * n_guesses, rules.terms_at[order_at + size]
            if set_id >= 0:
                first = memo.option_at[set_id]
                for k in range(lane, memo.option_count[set_id], LANES):
                    if winner == 2 * n_guesses and (
                        option_score(memo, first + k, rules.terms, terms_at, row) >= threshold
                    ):
                        winner = k
            else:
                for guess in range(lane, n_guesses, LANES):
                    score = guess_score(rules, members, at, size, terms_at, guess, row, cells)
                    if score >= threshold:
                        winner = min(winner, tie_rank(rules, members, at, size, guess))
            cuda.atomic.min(work.winner, (i, s), winner)
        cuda.syncthreads()
        turn, other = turn + 1, 1 - side
        key_turn = min(turn, rules.last_turn)
        children = work.members[i, other]
        for s in range(group, n_sets, groups):
            at, size, set_id = work.at[i, side, s], work.size[i, side, s], work.set_id[i, side, s]
            winner, spent = work.winner[i, s], 0
            guess = winner % n_guesses
            if set_id >= 0:
                guess = memo.guess[memo.option_at[set_id] + winner]
            if lane == 0:
                spent += size
            for f in range(lane, n_feedback, LANES):
                n, key = 0, rules.turn_keys[key_turn]
                for j in range(at, at + size):
                    if rules.by_secret[members[j], guess] == f:
                        n += 1
                        key ^= rules.zobrist[members[j]]
                if n == 0 or f == rules.solved:
                    continue
                if n == 1:
                    spent += 1
                    continue
                child = cuda.atomic.add(filled, other, 1)
                child_at = cuda.atomic.add(filled, 2, n)
                n = 0
                for j in range(at, at + size):
                    if rules.by_secret[members[j], guess] == f:
                        children[child_at + n] = members[j]
                        n += 1
                child_id = look_up(memo, key, key_turn, children, child_at, n)
                if child_id < 0:
                    record_miss(misses, key_turn, children, child_at, n)
                work.at[i, other, child], work.size[i, other, child] = child_at, n
                work.set_id[i, other, child] = child_id
            if spent > 0:
                cuda.atomic.add(totals, i, spent)
        cuda.syncthreads()
        side = other


evaluate_kernel = cuda.jit(evaluate)
