"""The fitness of individuals on CUDA: one block per individual, several threads per set.

Sets missing in the memo try all guesses; the host adds them between launches.
"""

from collections import namedtuple
from collections.abc import Callable
from math import inf
from typing import Any

from numba import cuda, float64, int32, uint64

from codebreaker.sets import arithmetic
from codebreaker.sets.compile import compiled

Array = Any

DeviceGame = namedtuple(
    "DeviceGame", "by_secret solved last_turn terms terms_at tolerances zobrist turn_keys"
)
"""A game like `ScoredGame` with its one criterion, and hash keys as signed integers."""

DeviceMemo = namedtuple(
    "DeviceMemo", "slots key turn size member_at members option_at option_count cell_at cells rank"
)
"""The parts of `OptionMemo` that hold a set's options."""

Start = namedtuple("Start", "members sets turn")
"""The sets of the first weighted turn, as in `Work`; and the turn."""

Population = namedtuple("Population", "weights active totals")
"""`weights` (n, n_turns, n_feedback) float64, `totals` (n,) int64, `active` (n,) int32."""

Work = namedtuple("Work", "members sets cells lane_best lane_rank best winner")
"""Working memory of the blocks, for the sets of this turn and the next.

`members` (n_blocks, 2, n_secrets); `sets` (n_blocks, 2, n_sets, 3): start, size, id in the memo or
−1; `cells` (n_blocks, THREADS, n_feedback): zeros between sets. Per set: each lane's best score,
the best of all, and the `winner`'s rank in the tie order.
"""

Node = namedtuple("Node", "members at size count option_at cell_at terms_at shift row cells")
"""A set, with `row` of weights and a thread's `cells`; without options, `option_at` is −1."""

Misses = namedtuple("Misses", "used turn at size members")
"""Sets missing from the memo: `used` counts sets and members; each set's turn, start, size."""

THREADS, LANES, SPLITTERS, MOST_FEEDBACK = 128, 32, 16, 256
"""Threads of a block, per set to score, per set to split; feedback ids."""

AT, SIZE, SET_ID = range(3)  # columns of sets

index = uint64
"""Marks an index as not negative, which saves three instructions."""

_scores = compiled(arithmetic, lambda function: cuda.jit(device=True)(function))
fold_cell, tie_threshold, tie_rank = _scores.fold_cell, _scores.tie_threshold, _scores.tie_rank
find_slot = _scores.find_slot


@cuda.jit(device=True)
def _look_up(memo: DeviceMemo, key: int, turn: int, members: Array, start: int, size: int) -> int:
    slot = find_slot(memo, key & (len(memo.slots) - 1), key, turn, members, start, size)
    set_id = memo.slots[slot]
    return set_id if set_id >= 0 and memo.option_at[set_id] >= 0 else -1


@cuda.jit(device=True)
def _record_miss(misses: Misses, turn: int, members: Array, start: int, size: int) -> None:
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
def _begin(memo: DeviceMemo, start: Start, work: Work, filled: Array) -> None:
    i, thread = cuda.blockIdx.x, cuda.threadIdx.x
    for j in range(thread, len(start.members), THREADS):
        work.members[i, 0, j] = start.members[j]
    for s in range(thread, len(start.sets), THREADS):
        for column in range(3):
            work.sets[i, 0, s, column] = start.sets[s, column]
    if thread == 0:
        filled[0] = len(start.sets)


@cuda.jit(device=True)
def _option_score(rules: DeviceGame, memo: DeviceMemo, one: Node, k: int) -> float:
    # A table of products takes as many instructions to fill as it saves.
    score, place, n, j = 0.0, one.cell_at + k, one.count, one.cell_at
    while k < n:
        cell = int(memo.cells[index(place)])
        term = rules.terms[index(one.terms_at + (cell & ((1 << one.shift) - 1)))]
        score = fold_cell(score, one.row[index(cell >> one.shift)], term, False)
        place += n
        j -= 1
        n = int(memo.cells[index(j)])
    return score


@cuda.jit(device=True)
def _guess_score(rules: DeviceGame, memo: DeviceMemo, one: Node, k: int) -> float:
    score, j, end, guess, cells = 0.0, one.at, one.at + one.size, index(k), one.cells
    while j < end:
        cells[rules.by_secret[index(one.members[index(j)]), guess]] += 1
        j += 1
    j = one.at
    while j < end:
        f = rules.by_secret[index(one.members[index(j)]), guess]
        if cells[f] > 0:
            term = rules.terms[index(one.terms_at + cells[f])]
            score = fold_cell(score, one.row[f], term, False)
            cells[f] = 0
        j += 1
    return score


@cuda.jit(device=True)
def _option_rank(rules: DeviceGame, memo: DeviceMemo, one: Node, k: int) -> int:
    return int(memo.rank[index(one.option_at + k)])


@cuda.jit(device=True)
def _guess_rank(rules: DeviceGame, memo: DeviceMemo, one: Node, k: int) -> int:
    behind = True
    for j in range(one.at, one.at + one.size):
        behind &= rules.by_secret[one.members[j], k] != rules.solved
    return tie_rank(k, rules.by_secret.shape[1], behind, False)


def _searches(score_of: Callable[..., Any], rank_of: Callable[..., Any]) -> tuple[Any, Any]:
    @cuda.jit(device=True)
    def find_best(rules: DeviceGame, memo: DeviceMemo, one: Node, lane: int) -> tuple[float, int]:
        """Return a lane's best score and its rank, or −1 if others of the lane tie."""
        best, second, winner, k = -inf, -inf, 0, lane
        while k < one.count:
            score = score_of(rules, memo, one, k)
            if score > best:
                best, second, winner = score, best, k
            else:
                second = max(second, score)
            k += LANES
        alone = second < tie_threshold(best, rules.tolerances[index(one.size)], 0.0)
        return best, rank_of(rules, memo, one, winner) if alone else -1

    @cuda.jit(device=True)
    def find_rank(
        rules: DeviceGame, memo: DeviceMemo, one: Node, lane: int, threshold: float
    ) -> int:
        lowest = 2 * rules.by_secret.shape[1]
        for k in range(lane, one.count, LANES):
            if score_of(rules, memo, one, k) >= threshold:
                lowest = min(lowest, rank_of(rules, memo, one, k))
        return lowest

    return find_best, find_rank


_best_option, _rank_of_option = _searches(_option_score, _option_rank)
_best_guess, _rank_of_guess = _searches(_guess_score, _guess_rank)


@cuda.jit(device=True)
def _node_at(
    rules: DeviceGame, memo: DeviceMemo, work: Work, side: int, s: int, row: Array
) -> Node:
    i, sets = cuda.blockIdx.x, work.sets[cuda.blockIdx.x, side]
    at, size, set_id = sets[index(s), AT], sets[index(s), SIZE], sets[index(s), SET_ID]
    terms_at, shift = rules.terms_at[index(size)], 32 - cuda.clz(size)
    count, option_at, cell_at = rules.by_secret.shape[1], -1, 0
    if set_id >= 0:
        count, option_at = memo.option_count[index(set_id)], memo.option_at[index(set_id)]
        cell_at = memo.cell_at[index(set_id)]
    members, cells = work.members[i, side], work.cells[i, cuda.threadIdx.x]
    return Node(members, at, size, count, option_at, cell_at, terms_at, shift, row, cells)


@cuda.jit(device=True)
def _find_best(
    rules: DeviceGame, memo: DeviceMemo, work: Work, side: int, n_sets: int, row: Array
) -> None:
    """Find each lane's best score of each set."""
    i, lane, s = cuda.blockIdx.x, cuda.threadIdx.x % LANES, cuda.threadIdx.x // LANES
    while s < n_sets:
        one = _node_at(rules, memo, work, side, s, row)
        if one.option_at >= 0:
            best, rank = _best_option(rules, memo, one, lane)
        else:
            best, rank = _best_guess(rules, memo, one, lane)
        work.lane_best[i, index(s), lane], work.lane_rank[i, index(s), lane] = best, rank
        cuda.atomic.max(work.best, (i, index(s)), best)
        s += THREADS // LANES


@cuda.jit(device=True)
def _find_winners(
    rules: DeviceGame, memo: DeviceMemo, work: Work, side: int, n_sets: int, row: Array
) -> None:
    """Find the rank of each set's best guess, the first in the tie order."""
    i, lane, s = cuda.blockIdx.x, cuda.threadIdx.x % LANES, cuda.threadIdx.x // LANES
    while s < n_sets:
        size = work.sets[i, side, index(s), SIZE]
        threshold = tie_threshold(work.best[i, index(s)], rules.tolerances[index(size)], 0.0)
        if work.lane_best[i, index(s), lane] >= threshold:
            winner = int(work.lane_rank[i, index(s), lane])
            if winner < 0:
                one = _node_at(rules, memo, work, side, s, row)
                if one.option_at >= 0:
                    winner = _rank_of_option(rules, memo, one, lane, threshold)
                else:
                    winner = _rank_of_guess(rules, memo, one, lane, threshold)
            cuda.atomic.min(work.winner, (i, index(s)), winner)
        s += THREADS // LANES


@cuda.jit(device=True)
def _split_sets(
    rules: DeviceGame, memo: DeviceMemo, work: Work, misses: Misses, side: int, n_sets: int,
    key_turn: int, filled: Array, population: Population,
) -> None:  # fmt: skip
    """Fill the other side with cells of two or more; add to totals."""
    i, lane, s = cuda.blockIdx.x, cuda.threadIdx.x % SPLITTERS, cuda.threadIdx.x // SPLITTERS
    other, n_guesses, n_feedback = 1 - side, rules.by_secret.shape[1], population.weights.shape[2]
    members, children = work.members[i, side], work.members[i, other]
    while s < n_sets:
        at, size = work.sets[i, side, index(s), AT], work.sets[i, side, index(s), SIZE]
        guess, spent, end = index(work.winner[i, index(s)] % n_guesses), 0, at + size
        if lane == 0:
            spent += size
        for f in range(lane, n_feedback, SPLITTERS):
            n, key, j = 0, rules.turn_keys[key_turn], at
            while j < end:
                member = index(members[index(j)])
                if rules.by_secret[member, guess] == f:
                    n += 1
                    key ^= rules.zobrist[member]
                j += 1
            if n == 0 or f == rules.solved:
                continue
            if n == 1:
                spent += 1
                continue
            child = cuda.atomic.add(filled, other, 1)
            child_at = cuda.atomic.add(filled, 2, n)
            place, j = child_at, at
            while j < end:
                member = index(members[index(j)])
                if rules.by_secret[member, guess] == f:
                    children[index(place)] = member
                    place += 1
                j += 1
            child_id = _look_up(memo, key, key_turn, children, child_at, n)
            if child_id < 0:
                _record_miss(misses, key_turn, children, child_at, n)
            new = work.sets[i, other, child]
            new[AT], new[SIZE], new[SET_ID] = child_at, n, child_id
        if spent > 0:
            cuda.atomic.add(population.totals, i, spent)
        s += THREADS // SPLITTERS


@cuda.jit
def evaluate(
    rules: DeviceGame,
    memo: DeviceMemo,
    start: Start,
    population: Population,
    work: Work,
    misses: Misses,
) -> None:
    """Add the guesses of active individuals to their totals."""
    i, thread, n_feedback = cuda.blockIdx.x, cuda.threadIdx.x, population.weights.shape[2]
    filled = cuda.shared.array(3, int32)  # sets on each side, and members on the side to fill
    row = cuda.shared.array(MOST_FEEDBACK, float64)
    if population.active[i] == 0:
        return
    _begin(memo, start, work, filled)
    cuda.syncthreads()
    turn, side = start.turn, 0
    while filled[side] > 0:
        n_sets, turn_row = filled[side], min(turn, rules.last_turn) - 1
        for f in range(thread, n_feedback, THREADS):
            row[f] = population.weights[i, turn_row, f]
        for s in range(thread, n_sets, THREADS):
            work.best[i, s], work.winner[i, s] = -inf, 2 * rules.by_secret.shape[1]
        if thread == 0:
            filled[1 - side], filled[2] = 0, 0
        cuda.syncthreads()
        _find_best(rules, memo, work, side, n_sets, row)
        cuda.syncthreads()
        _find_winners(rules, memo, work, side, n_sets, row)
        cuda.syncthreads()
        turn += 1
        key_turn = min(turn, rules.last_turn)
        _split_sets(
            rules, memo, work, misses, side, n_sets, key_turn, filled, population,
        )  # fmt: skip
        cuda.syncthreads()
        side = 1 - side
