"""The fitness of weight vectors on CUDA: a block evaluates an individual.

The block holds the candidate sets of a turn as ranges of members. `LANES` threads share a set: they
score its options where the memo holds it, else all guesses, so that nothing ever waits for the
host. Sets that the memo lacks are noted, and the host adds them between launches; that
changes the speed and no result.
"""

from math import inf
from typing import Any, NamedTuple

from numba import cuda, int16, int32

THREADS, LANES = 128, 32
FEEDBACKS = 256
"""Threads of a block, threads that share a set, and the most kinds of feedback."""

Array = Any
"""A device array, or the simulator's."""


class DeviceGame(NamedTuple):
    """A game and its criteria, as `kernels.memo.DeviceGame`, with the keys as signed integers.

    `terms_at` and `tolerances` are flat: those of an order begin at the order times `n_sizes`.
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
    """The parts of `kernels.memo.DeviceMemo` that tell a set's options."""

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

    Of each block, for this turn's sets and the next one's: `members` (n_blocks, 2, n_secrets), and
    where they start, how many they are and what the memo calls them in `at`, `size`, `known`
    (n_blocks, 2, n_sets). Of each set: the `best` score, of each lane (n_blocks, n_sets, LANES) and
    of all, and the rank of the `winner` in the tie order.
    """

    members: Array
    at: Array
    size: Array
    known: Array
    lane_best: Array
    best: Array
    winner: Array


class Missed(NamedTuple):
    """Sets that the memo lacks: `used` sets and members, each set's turn, start and size."""

    used: Array
    turn: Array
    at: Array
    size: Array
    members: Array


@cuda.jit(device=True)
def look_up(memo: DeviceMemo, key: int, turn: int, members: Array, start: int, size: int) -> int:
    """Return the memo's name of a set, or −1."""
    mask = len(memo.slots) - 1
    slot = key & mask
    while memo.slots[slot] >= 0:
        found = memo.slots[slot]
        if memo.key[found] == key and memo.turn[found] == turn and memo.size[found] == size:
            at, same = memo.member_at[found], 0
            while same < size and memo.members[at + same] == members[start + same]:
                same += 1
            if same == size:
                return found if memo.option_at[found] >= 0 else -1
        slot = (slot + 1) & mask
    return -1


@cuda.jit(device=True)
def note(missed: Missed, turn: int, members: Array, start: int, size: int) -> None:
    """Note a set for the host, if there is room."""
    place = cuda.atomic.add(missed.used, 0, 1)
    if place < len(missed.turn):
        at = cuda.atomic.add(missed.used, 1, size)
        fits = at + size <= len(missed.members)
        missed.turn[place], missed.at[place] = turn, at
        missed.size[place] = size if fits else 0
        if fits:
            for j in range(size):
                missed.members[at + j] = members[start + j]


@cuda.jit(device=True)
def option_score(memo: DeviceMemo, option: int, terms: Array, at: int, weights: Array) -> float:
    """Return an option's score under a row of weights."""
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
    """Return a guess's score by the terms from `at` on; cells are zero before and after."""
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
    """Return a guess's rank in the tie order: candidates first."""
    for j in range(start, start + size):
        if rules.by_secret[members[j], guess] == rules.solved:
            return guess
    return rules.by_secret.shape[1] + guess


def evaluate(
    first_turn: int,
    rules: DeviceGame,
    memo: DeviceMemo,
    start: tuple[Array, Array, Array],
    weights: Array,
    orders: Array,
    active: Array,
    totals: Array,
    work: Work,
    missed: Missed,
) -> None:
    """Add the guesses of the active individuals, from the start sets on, to totals.

    `start` holds the start sets' members, where each set starts, and how many members it has;
    `weights` is (n_individuals, n_turns, n_feedback) float64 integers, `orders` (n_individuals,
    n_turns) int32, `totals` int64.
    """
    i, thread = cuda.blockIdx.x, cuda.threadIdx.x
    lane, group, groups = thread % LANES, thread // LANES, THREADS // LANES
    filled = cuda.shared.array(3, int32)
    cells = cuda.local.array(FEEDBACKS, int16)
    n_guesses = rules.by_secret.shape[1]
    n_feedback = weights.shape[2]
    if active[i] == 0:
        return
    for f in range(n_feedback):
        cells[f] = 0
    start_members, start_at, start_size = start
    for j in range(thread, len(start_members), THREADS):
        work.members[i, 0, j] = start_members[j]
    turn, side = first_turn, 0
    for s in range(thread, len(start_at), THREADS):
        work.at[i, 0, s], work.size[i, 0, s] = start_at[s], start_size[s]
        key = rules.turn_keys[min(turn, rules.last_turn)]
        for j in range(start_at[s], start_at[s] + start_size[s]):
            key ^= rules.zobrist[start_members[j]]
        work.known[i, 0, s] = look_up(
            memo, key, min(turn, rules.last_turn), start_members, start_at[s], start_size[s]
        )
        if work.known[i, 0, s] < 0:
            note(missed, min(turn, rules.last_turn), start_members, start_at[s], start_size[s])
    if thread == 0:
        filled[0] = len(start_at)
    cuda.syncthreads()
    while filled[side] > 0:
        n_sets, members = filled[side], work.members[i, side]
        row = weights[i, min(turn, rules.last_turn) - 1]
        of_order = orders[i, min(turn, rules.last_turn) - 1] * rules.n_sizes
        for s in range(thread, n_sets, THREADS):
            work.best[i, s], work.winner[i, s] = -inf, 2 * n_guesses
        if thread == 0:
            filled[1 - side], filled[2] = 0, 0
        cuda.syncthreads()
        for s in range(group, n_sets, groups):
            at, size, known = work.at[i, side, s], work.size[i, side, s], work.known[i, side, s]
            best, terms_at = -inf, rules.terms_at[of_order + size]
            if known >= 0:
                first = memo.option_at[known]
                for option in range(first + lane, first + memo.option_count[known], LANES):
                    best = max(best, option_score(memo, option, rules.terms, terms_at, row))
            else:
                for guess in range(lane, n_guesses, LANES):
                    score = guess_score(rules, members, at, size, terms_at, guess, row, cells)
                    best = max(best, score)
            work.lane_best[i, s, lane] = best
            cuda.atomic.max(work.best, (i, s), best)
        cuda.syncthreads()
        for s in range(group, n_sets, groups):
            at, size, known = work.at[i, side, s], work.size[i, side, s], work.known[i, side, s]
            enough = work.best[i, s] - rules.tolerances[of_order + size]
            if work.lane_best[i, s, lane] < enough:
                continue
            winner, terms_at = 2 * n_guesses, rules.terms_at[of_order + size]
            if known >= 0:
                first = memo.option_at[known]
                for k in range(lane, memo.option_count[known], LANES):
                    if winner == 2 * n_guesses and (
                        option_score(memo, first + k, rules.terms, terms_at, row) >= enough
                    ):
                        winner = k
            else:
                for guess in range(lane, n_guesses, LANES):
                    score = guess_score(rules, members, at, size, terms_at, guess, row, cells)
                    if score >= enough:
                        winner = min(winner, tie_rank(rules, members, at, size, guess))
            cuda.atomic.min(work.winner, (i, s), winner)
        cuda.syncthreads()
        turn, other = turn + 1, 1 - side
        told_turn = min(turn, rules.last_turn)
        children = work.members[i, other]
        for s in range(group, n_sets, groups):
            at, size, known = work.at[i, side, s], work.size[i, side, s], work.known[i, side, s]
            winner, spent = work.winner[i, s], 0
            guess = winner % n_guesses
            if known >= 0:
                guess = memo.guess[memo.option_at[known] + winner]
            if lane == 0:
                spent += size
            for f in range(lane, n_feedback, LANES):
                n, key = 0, rules.turn_keys[told_turn]
                for j in range(at, at + size):
                    if rules.by_secret[members[j], guess] == f:
                        n += 1
                        key ^= rules.zobrist[members[j]]
                if n == 0 or f == rules.solved:
                    continue
                if n == 1:
                    spent += 1
                    continue
                child, child_at = cuda.atomic.add(filled, other, 1), cuda.atomic.add(filled, 2, n)
                n = 0
                for j in range(at, at + size):
                    if rules.by_secret[members[j], guess] == f:
                        children[child_at + n] = members[j]
                        n += 1
                found = look_up(memo, key, told_turn, children, child_at, n)
                if found < 0:
                    note(missed, told_turn, children, child_at, n)
                work.at[i, other, child], work.size[i, other, child] = child_at, n
                work.known[i, other, child] = found
            if spent > 0:
                cuda.atomic.add(totals, i, spent)
        cuda.syncthreads()
        side = other


evaluate_kernel = cuda.jit(evaluate)
