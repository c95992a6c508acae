"""The fitness of individuals on CUDA: one block per individual, `LANES` threads per set.

Sets missing in the memo try all guesses; the host adds them between launches.
"""

from collections import namedtuple
from math import inf
from typing import Any

from numba import cuda, int16, int32, uint64

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

Start = namedtuple("Start", "members at size turn")
"""The sets of the first weighted turn: members, where each set starts, sizes; and the turn."""

Population = namedtuple("Population", "weights active totals")
"""`weights` (n, n_turns, n_feedback) float64, `totals` (n,) int64, `active` (n,) int32."""

Work = namedtuple("Work", "members at size set_id lane_best lane_rank best winner")
"""Working memory of the blocks, for the sets of this turn and the next.

`members` (n_blocks, 2, n_secrets); `at`, `size` and `set_id` (n_blocks, 2, n_sets): where each
set starts, its size and its id in the memo, or −1. Per set: the best score of each lane and of
all, and the `winner`'s rank in the tie order.
"""

Misses = namedtuple("Misses", "used turn at size members")
"""Sets missing from the memo: `used` counts sets and members; each set's turn, start, size."""

THREADS, LANES = 128, 32
MOST_FEEDBACK, MOST_SECRETS = 256, 2**15 - 1
"""Maximum numbers of feedback ids and of secrets; a cell's size is a signed 16-bit integer."""

index = uint64
"""Marks an index as not negative, which saves three instructions."""

_scores = compiled(arithmetic, lambda function: cuda.jit(device=True)(function))
fold_cell, tie_threshold, tie_rank = _scores.fold_cell, _scores.tie_threshold, _scores.tie_rank


@cuda.jit(device=True)
def _look_up(memo: DeviceMemo, key: int, turn: int, members: Array, start: int, size: int) -> int:
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
def _option_score(
    memo: DeviceMemo, set_id: int, k: int, terms: Array, at: int, row: Array
) -> float:
    shift, start = 32 - cuda.clz(memo.size[set_id]), memo.cell_at[set_id]
    width, n, score, j = int(memo.cells[index(start)]), memo.option_count[set_id], 0.0, 0
    place = start + width + k
    while j < width and k < n:
        cell = int(memo.cells[index(place)])
        term = terms[index(at + (cell & ((1 << shift) - 1)))]
        score = fold_cell(score, row[index(cell >> shift)], term, False)
        place += n
        j += 1
        n = int(memo.cells[index(start + j)])  # arbitrary after the last cell
    return score


@cuda.jit(device=True)
def _guess_score(
    rules: DeviceGame,
    members: Array,
    start: int,
    size: int,
    at: int,
    guess: int,
    weights: Array,
    cells: Array,
) -> float:
    score = 0.0
    for j in range(start, start + size):
        cells[rules.by_secret[members[j], guess]] += 1
    for j in range(start, start + size):
        f = rules.by_secret[members[j], guess]
        if cells[f] > 0:
            score = fold_cell(score, weights[f], rules.terms[at + cells[f]], False)
            cells[f] = 0
    return score


@cuda.jit(device=True)
def _holds(rules: DeviceGame, members: Array, start: int, size: int, guess: int) -> bool:
    for j in range(start, start + size):
        if rules.by_secret[members[j], guess] == rules.solved:
            return True
    return False


@cuda.jit(device=True)
def _begin(
    rules: DeviceGame, memo: DeviceMemo, start: Start, work: Work, misses: Misses, filled: Array
) -> None:
    i, thread, key_turn = cuda.blockIdx.x, cuda.threadIdx.x, min(start.turn, rules.last_turn)
    for j in range(thread, len(start.members), THREADS):
        work.members[i, 0, j] = start.members[j]
    for s in range(thread, len(start.at), THREADS):
        at, size, key = start.at[s], start.size[s], rules.turn_keys[key_turn]
        for j in range(at, at + size):
            key ^= rules.zobrist[start.members[j]]
        set_id = _look_up(memo, key, key_turn, start.members, at, size)
        if set_id < 0:
            _record_miss(misses, key_turn, start.members, at, size)
        work.at[i, 0, s], work.size[i, 0, s], work.set_id[i, 0, s] = at, size, set_id
    if thread == 0:
        filled[0] = len(start.at)


@cuda.jit(device=True)
def _score_of(
    rules: DeviceGame, memo: DeviceMemo, members: Array, at: int, size: int, set_id: int, k: int,
    row: Array, cells: Array,
) -> float:  # fmt: skip
    """Return the score of a set's option k or, without options, of guess k."""
    terms_at = rules.terms_at[size]
    if set_id >= 0:
        return _option_score(memo, set_id, k, rules.terms, terms_at, row)
    return _guess_score(rules, members, at, size, terms_at, k, row, cells)


@cuda.jit(device=True)
def _rank_of(
    rules: DeviceGame, memo: DeviceMemo, members: Array, at: int, size: int, set_id: int, k: int
) -> int:
    """Return the place in the tie order of a set's option k or, without options, of guess k."""
    if set_id >= 0:
        return int(memo.rank[memo.option_at[set_id] + k])
    behind = not _holds(rules, members, at, size, k)
    return tie_rank(k, rules.by_secret.shape[1], behind, False)


@cuda.jit(device=True)
def _find_best(
    rules: DeviceGame, memo: DeviceMemo, work: Work, side: int, n_sets: int, row: Array,
    cells: Array,
) -> None:  # fmt: skip
    """Find each lane's best score of each set, and its rank if no other one of the lane ties."""
    i, lane, group = cuda.blockIdx.x, cuda.threadIdx.x % LANES, cuda.threadIdx.x // LANES
    members = work.members[i, side]
    for s in range(group, n_sets, THREADS // LANES):
        at, size, set_id = work.at[i, side, s], work.size[i, side, s], work.set_id[i, side, s]
        count = memo.option_count[set_id] if set_id >= 0 else rules.by_secret.shape[1]
        best, second, winner, rank = -inf, -inf, 0, -1
        for k in range(lane, count, LANES):
            score = _score_of(rules, memo, members, at, size, set_id, k, row, cells)
            if score > best:
                best, second, winner = score, best, k
            else:
                second = max(second, score)
        if second < tie_threshold(best, rules.tolerances[size], 0.0):
            rank = _rank_of(rules, memo, members, at, size, set_id, winner)
        work.lane_best[i, s, lane], work.lane_rank[i, s, lane] = best, rank
        cuda.atomic.max(work.best, (i, s), best)


@cuda.jit(device=True)
def _find_winners(
    rules: DeviceGame, memo: DeviceMemo, work: Work, side: int, n_sets: int, row: Array,
    cells: Array,
) -> None:  # fmt: skip
    """Find the rank of each set's best guess, the first in the tie order."""
    i, lane, group = cuda.blockIdx.x, cuda.threadIdx.x % LANES, cuda.threadIdx.x // LANES
    members = work.members[i, side]
    for s in range(group, n_sets, THREADS // LANES):
        at, size, set_id = work.at[i, side, s], work.size[i, side, s], work.set_id[i, side, s]
        threshold = tie_threshold(work.best[i, s], rules.tolerances[size], 0.0)
        if work.lane_best[i, s, lane] < threshold:
            continue
        winner = int(work.lane_rank[i, s, lane])
        if winner < 0:  # several may tie
            winner = 2 * rules.by_secret.shape[1]
            count = memo.option_count[set_id] if set_id >= 0 else rules.by_secret.shape[1]
            for k in range(lane, count, LANES):
                score = _score_of(rules, memo, members, at, size, set_id, k, row, cells)
                if score >= threshold:
                    winner = min(winner, _rank_of(rules, memo, members, at, size, set_id, k))
        cuda.atomic.min(work.winner, (i, s), winner)


@cuda.jit(device=True)
def _split_sets(
    rules: DeviceGame, memo: DeviceMemo, work: Work, misses: Misses, side: int, n_sets: int,
    key_turn: int, n_feedback: int, filled: Array, totals: Array,
) -> None:  # fmt: skip
    """Fill the other side with cells of two or more; add to totals here, which saves registers."""
    i, lane, group = cuda.blockIdx.x, cuda.threadIdx.x % LANES, cuda.threadIdx.x // LANES
    other, n_guesses = 1 - side, rules.by_secret.shape[1]
    members, children = work.members[i, side], work.members[i, other]
    for s in range(group, n_sets, THREADS // LANES):
        at, size = work.at[i, side, s], work.size[i, side, s]
        guess, spent = work.winner[i, s] % n_guesses, 0
        if lane == 0:
            spent += size
        for f in range(lane, n_feedback, LANES):
            n, key = 0, rules.turn_keys[key_turn]
            for j in range(at, at + size):
                member = index(members[index(j)])
                if rules.by_secret[member, index(guess)] == f:
                    n += 1
                    key ^= rules.zobrist[member]
            if n == 0 or f == rules.solved:
                continue
            if n == 1:
                spent += 1
                continue
            child = cuda.atomic.add(filled, other, 1)
            child_at = cuda.atomic.add(filled, 2, n)
            n = 0
            for j in range(at, at + size):
                member = index(members[index(j)])
                if rules.by_secret[member, index(guess)] == f:
                    children[index(child_at + n)] = member
                    n += 1
            child_id = _look_up(memo, key, key_turn, children, child_at, n)
            if child_id < 0:
                _record_miss(misses, key_turn, children, child_at, n)
            work.at[i, other, child], work.size[i, other, child] = child_at, n
            work.set_id[i, other, child] = child_id
        if spent > 0:
            cuda.atomic.add(totals, i, spent)


def evaluate(
    rules: DeviceGame,
    memo: DeviceMemo,
    start: Start,
    population: Population,
    work: Work,
    misses: Misses,
) -> None:
    """Add the guesses of active individuals to their totals."""
    i, thread = cuda.blockIdx.x, cuda.threadIdx.x
    filled = cuda.shared.array(3, int32)  # sets on each side, and members on the side to fill
    cells = cuda.local.array(MOST_FEEDBACK, int16)
    if population.active[i] == 0:
        return
    for f in range(population.weights.shape[2]):
        cells[f] = 0
    _begin(rules, memo, start, work, misses, filled)
    cuda.syncthreads()
    turn, side = start.turn, 0
    while filled[side] > 0:
        n_sets, turn_row = filled[side], min(turn, rules.last_turn) - 1
        row = population.weights[i, turn_row]
        for s in range(thread, n_sets, THREADS):
            work.best[i, s], work.winner[i, s] = -inf, 2 * rules.by_secret.shape[1]
        if thread == 0:
            filled[1 - side], filled[2] = 0, 0
        cuda.syncthreads()
        _find_best(rules, memo, work, side, n_sets, row, cells)
        cuda.syncthreads()
        _find_winners(rules, memo, work, side, n_sets, row, cells)
        cuda.syncthreads()
        turn += 1
        key_turn = min(turn, rules.last_turn)
        _split_sets(
            rules, memo, work, misses, side, n_sets, key_turn, len(row), filled, population.totals,
        )  # fmt: skip
        cuda.syncthreads()
        side = 1 - side


evaluate_kernel = cuda.jit(evaluate)
