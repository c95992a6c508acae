"""The fitness of individuals on CUDA: one block per individual, several threads per set.

As on the CPU, a few leading options decide most choices. In sets missing from the memo all guesses
are tried; between launches the host adds frequent ones.
"""

from collections import namedtuple
from math import inf
from typing import Any

from numba import cuda, float64, int32, int64, uint64

from codebreaker.sets import arithmetic
from codebreaker.sets.compile import compiled
from codebreaker.sets.option_memo import LEADERS

Array = Any

DeviceGame = namedtuple(
    "DeviceGame", "by_secret solved last_turn terms terms_at tolerances reach zobrist turn_keys"
)
"""A game like `ScoredGame` with its one criterion, and hash keys as signed integers."""

DeviceMemo = namedtuple(
    "DeviceMemo", "slots key turn size member_at members option_at option_count cell_at cells rank"
)
"""The parts of `OptionMemo` that hold a set's options."""

Cache = namedtuple("Cache", "reference sets leaders scores options children wanted")
"""What islands found lately; it changes no result. Free slots are −1.

A set lies in its slot of `sets` (n_islands, n_slots) int64, with its best options under the
`reference` (n_islands, n_turns, n_feedback): `leaders` and `scores` (n_islands, n_slots,
LEADERS + 1), as in `OptionMemo`. An option lies in its slot of `options`, with its `children` by
feedback, (2, n_islands, n_slots, n_feedback): ids, NONE or ONE; the second are of the option that
is `wanted` (2, n_islands, n_slots) int64: sets; options · MOST_BLOCKS + the block that asks.
"""

Start = namedtuple("Start", "sets turn")
"""The ids of the sets of the first weighted turn; and the turn."""

Population = namedtuple("Population", "weights active totals size")
"""`weights` (n, n_turns, n_feedback), `active` (n,) int32, `totals` (n,) int64; islands' size."""

Work = namedtuple("Work", "members sets queue cells lane_best lane_rank best winner")
"""Working memory of the blocks, for the sets of this turn and the next.

`members` (n_blocks, 2, n_secrets); `sets` (n_blocks, 2, n_sets, 3): an id in the memo, or −1 with
start and size; `queue` (n_blocks, n_sets): sets to score; `cells` (n_blocks, THREADS, n_feedback):
zeros between sets. Per set: each lane's best score, the best of all, and the `winner`: its rank in
the tie order and, in the low half, its option.
"""

Misses = namedtuple("Misses", "seen patience used turn at size members")
"""Sets missing from the memo: `used` counts sets and members; each set's turn, start, size.

A set is recorded whenever 2 ** `patience` more of its members were `seen`, counted by hash key.
"""

Launch = namedtuple("Launch", "rules memo cache start population work misses")
"""The arguments of a launch."""

Node = namedtuple("Node", "members at size count option_at cell_at terms_at shift row cells")
"""A set, with `row` of weights and a thread's `cells`; without options, `option_at` is −1."""

THREADS, BLOCKS, LANES, SPLITTERS, MOST_FEEDBACK = 128, 5, 32, 16, 256
"""Threads of a block, blocks that fit into a multiprocessor; threads per set to score, per set to
split; feedback ids."""

MOST_BLOCKS, HALF, LAST = 1 << 20, 32, 1 << 62
"""Blocks of a launch; bits of a winner's option; behind all winners."""

AT, SIZE, SET_ID = range(3)  # columns of sets
SETS, OPTIONS = 0, 1  # what is wanted
UNKNOWN, NONE, ONE = -1, -2, -3  # children not in the memo, with nothing left, of one candidate
index = uint64  # marks an index as not negative, which saves three instructions

_scores = compiled(arithmetic, lambda function: cuda.jit(device=True)(function))
fold_cell, tie_threshold, tie_rank = _scores.fold_cell, _scores.tie_threshold, _scores.tie_rank
find_slot, insert_leader = _scores.find_slot, _scores.insert_leader
steps_between = _scores.steps_between


@cuda.jit(device=True)
def _record_miss(on: Launch, turn: int, key: int, members: Array, start: int, size: int) -> None:
    misses = on.misses
    seen = cuda.atomic.add(misses.seen, key & (len(misses.seen) - 1), size)
    if seen >> misses.patience == (seen + size) >> misses.patience:
        return
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
def _option_score(on: Launch, one: Node, k: int) -> float:
    # A table of products takes as many instructions to fill as it saves.
    score, place, n, j = 0.0, one.cell_at + k, one.count, one.cell_at
    while k < n:
        cell = int(on.memo.cells[index(place)])
        term = on.rules.terms[index(one.terms_at + (cell & ((1 << one.shift) - 1)))]
        score = fold_cell(score, one.row[index(cell >> one.shift)], term, False)
        place += n
        j -= 1
        n = int(on.memo.cells[index(j)])
    return score


@cuda.jit(device=True)
def _score(on: Launch, one: Node, k: int) -> float:
    if one.option_at >= 0:
        return _option_score(on, one, k)
    score, j, end, guess, cells = 0.0, one.at, one.at + one.size, index(k), one.cells
    while j < end:
        cells[on.rules.by_secret[index(one.members[index(j)]), guess]] += 1
        j += 1
    j = one.at
    while j < end:
        f = on.rules.by_secret[index(one.members[index(j)]), guess]
        if cells[f] > 0:
            term = on.rules.terms[index(one.terms_at + cells[f])]
            score = fold_cell(score, one.row[f], term, False)
            cells[f] = 0
        j += 1
    return score


@cuda.jit(device=True)
def _rank(on: Launch, one: Node, k: int) -> int:
    option, behind, by_secret = one.option_at + k, True, on.rules.by_secret
    if one.option_at >= 0:
        return int(on.memo.rank[index(option)]) << HALF | option
    for j in range(one.at, one.at + one.size):
        behind &= by_secret[one.members[j], k] != on.rules.solved
    return int(tie_rank(k, by_secret.shape[1], behind, False)) << HALF


@cuda.jit(device=True)
def _node(
    on: Launch, members: Array, at: int, size: int, set_id: int, row: Array, cells: Array
) -> Node:
    """Return a set of the memo, or the unknown one that begins at a place."""
    memo, start, n = on.memo, int64(at), int32(size)
    count, option_at, cell_at = int64(on.rules.by_secret.shape[1]), int64(UNKNOWN), int64(0)
    if set_id >= 0:
        one = index(set_id)
        members, start, n = memo.members, memo.member_at[one], memo.size[one]
        count, option_at, cell_at = memo.option_count[one], memo.option_at[one], memo.cell_at[one]
    terms_at, shift = on.rules.terms_at[index(n)], 32 - cuda.clz(n)
    return Node(members, start, int64(n), count, option_at, cell_at, terms_at, shift, row, cells)


@cuda.jit(device=True)
def _node_at(on: Launch, side: int, s: int, row: Array) -> Node:
    i, one = cuda.blockIdx.x, on.work.sets[cuda.blockIdx.x, side, index(s)]
    at, size, set_id = int32(0), int32(0), one[SET_ID]
    if set_id < 0:
        at, size = one[AT], one[SIZE]
    cells = on.work.cells[i, cuda.threadIdx.x]
    return _node(on, on.work.members[i, side], at, size, set_id, row, cells)


@cuda.jit(device=True)
def _follow_leaders(
    on: Launch, one: Node, leaders: Array, bounds: Array, scores: Array, steps: Array
) -> int:
    """Return the rank of the winner among the leaders, or −1 if another option may win."""
    tolerance, reach = on.rules.tolerances[index(one.size)], on.rules.reach[index(one.size)]
    slack, best, tried, winner = steps[0] * reach[0] - steps[1] * reach[1], -inf, 0, LAST
    while tried < LEADERS and bounds[tried] + slack >= best - tolerance:
        score = _option_score(on, one, leaders[tried])
        scores[tried], best = score, max(best, score)
        tried += 1
    if bounds[LEADERS] + slack >= best - tolerance:
        return -1
    for j in range(tried):
        if scores[j] >= best - tolerance:
            winner = min(winner, _rank(on, one, leaders[j]))
    return winner


@cuda.jit(device=True)
def _try_leaders(
    on: Launch, side: int, n_sets: int, row: Array, steps: Array, filled: Array
) -> None:
    """Choose at sets whose leaders decide; put the others into the queue."""
    cache, work, i, s = on.cache, on.work, cuda.blockIdx.x, cuda.threadIdx.x
    island = i // on.population.size
    while s < n_sets:
        set_id, winner = work.sets[i, side, index(s), SET_ID], -1
        if set_id >= 0 and steps[0] >= 0.0:
            slot = index(set_id & (cache.sets.shape[1] - 1))
            if cache.sets[island, slot] == set_id:
                leaders, bounds = cache.leaders[island, slot], cache.scores[island, slot]
                one, scores = _node_at(on, side, s, row), work.lane_best[i, index(s)]
                winner = _follow_leaders(on, one, leaders, bounds, scores, steps)
            else:
                cuda.atomic.cas(cache.wanted, (SETS, island, slot), -1, set_id)
        if winner < 0:
            work.queue[i, cuda.atomic.add(filled, 3, 1)] = s
            work.best[i, index(s)], winner = -inf, LAST
        work.winner[i, index(s)] = winner
        s += THREADS


@cuda.jit(device=True)
def _find_best(on: Launch, side: int, n_queued: int, row: Array) -> None:
    """Find each lane's best score of each queued set, with its rank, or −1 if others tie."""
    work, i, lane = on.work, cuda.blockIdx.x, cuda.threadIdx.x % LANES
    q = cuda.threadIdx.x // LANES
    while q < n_queued:
        s = index(work.queue[i, index(q)])
        one, best, second, winner, k = _node_at(on, side, s, row), -inf, -inf, 0, lane
        while k < one.count:
            score = _score(on, one, k)
            if score > best:
                best, second, winner = score, best, k
            else:
                second = max(second, score)
            k += LANES
        alone = second < tie_threshold(best, on.rules.tolerances[index(one.size)], 0.0)
        work.lane_best[i, s, lane] = best
        work.lane_rank[i, s, lane] = _rank(on, one, winner) if alone else -1
        cuda.atomic.max(work.best, (i, s), best)
        q += THREADS // LANES


@cuda.jit(device=True)
def _find_winners(on: Launch, side: int, n_queued: int, row: Array) -> None:
    """Find the rank of each queued set's best guess, the first in the tie order."""
    work, i, lane = on.work, cuda.blockIdx.x, cuda.threadIdx.x % LANES
    q = cuda.threadIdx.x // LANES
    while q < n_queued:
        s = index(work.queue[i, index(q)])
        one = _node_at(on, side, s, row)
        threshold = tie_threshold(work.best[i, s], on.rules.tolerances[index(one.size)], 0.0)
        if work.lane_best[i, s, lane] >= threshold:
            winner = work.lane_rank[i, s, lane]
            if winner < 0:
                winner = LAST
                for k in range(lane, one.count, LANES):
                    if _score(on, one, k) >= threshold:
                        winner = min(winner, _rank(on, one, k))
            cuda.atomic.min(work.winner, (i, s), winner)
        q += THREADS // LANES


@cuda.jit(device=True)
def _child_of(
    on: Launch, one: Node, guess: int, f: int, side: int, turn: int, filled: Array
) -> tuple[int, int, int]:
    """Return the set of a cell, and the place and number of its members."""
    n, key, j, end = 0, on.rules.turn_keys[turn], one.at, one.at + one.size
    while j < end:
        member = index(one.members[index(j)])
        if on.rules.by_secret[member, guess] == f:
            n += 1
            key ^= on.rules.zobrist[member]
        j += 1
    if n < 2 or f == on.rules.solved:
        return ONE if n == 1 and f != on.rules.solved else NONE, 0, n
    members, start = on.work.members[cuda.blockIdx.x, side], cuda.atomic.add(filled, 2, n)
    place, j = start, one.at
    while j < end:
        member = index(one.members[index(j)])
        if on.rules.by_secret[member, guess] == f:
            members[index(place)] = member
            place += 1
        j += 1
    slot = find_slot(on.memo, key & (len(on.memo.slots) - 1), key, turn, members, start, n)
    child = int(on.memo.slots[slot])
    if child < 0 or on.memo.option_at[child] < 0:
        child = UNKNOWN
        _record_miss(on, turn, key, members, start, n)
    return child, start, n


@cuda.jit(device=True)
def _split_sets(on: Launch, side: int, n_sets: int, turn: int, filled: Array, row: Array) -> None:
    """Fill the other side with cells of two or more; add to totals."""
    i, lane, s = cuda.blockIdx.x, cuda.threadIdx.x % SPLITTERS, cuda.threadIdx.x // SPLITTERS
    cache, other, n_guesses = on.cache, 1 - side, on.rules.by_secret.shape[1]
    island = i // on.population.size
    while s < n_sets:
        one, winner, spent = _node_at(on, side, s, row), on.work.winner[i, index(s)], 0
        guess, option = index((winner >> HALF) % n_guesses), winner & ((1 << HALF) - 1)
        slot, wanted = index(option & (cache.sets.shape[1] - 1)), option * MOST_BLOCKS + i
        linked = one.option_at >= 0 and cache.options[island, slot] == option
        if lane == 0:
            spent += one.size
        for f in range(lane, cache.children.shape[3], SPLITTERS):
            child, at, n = UNKNOWN, 0, 0
            if linked:
                child = int(cache.children[0, island, slot, f])
            else:
                child, at, n = _child_of(on, one, guess, f, other, turn, filled)
                if one.option_at >= 0:
                    before = cuda.atomic.cas(cache.wanted, (OPTIONS, island, slot), -1, wanted)
                    if before < 0 or before == wanted:
                        cache.children[1, island, slot, f] = child
            if child == ONE:
                spent += 1
            elif child != NONE:
                new = on.work.sets[i, other, cuda.atomic.add(filled, other, 1)]
                new[AT], new[SIZE], new[SET_ID] = at, n, child
        if spent > 0:
            cuda.atomic.add(on.population.totals, i, spent)
        s += THREADS // SPLITTERS


@cuda.jit(launch_bounds=(THREADS, BLOCKS))
def evaluate(on: Launch) -> None:
    """Add the guesses of active individuals to their totals."""
    i, thread, weights = cuda.blockIdx.x, cuda.threadIdx.x, on.population.weights
    filled = cuda.shared.array(4, int32)  # sets on each side, members on the side to fill, queue
    row, steps = cuda.shared.array(MOST_FEEDBACK, float64), cuda.shared.array(2, float64)
    if on.population.active[i] == 0:
        return
    for s in range(thread, len(on.start.sets), THREADS):
        on.work.sets[i, 0, s, SET_ID] = on.start.sets[s]
    if thread == 0:
        filled[0] = len(on.start.sets)
    cuda.syncthreads()
    turn, side = on.start.turn, 0
    while filled[side] > 0:
        n_sets, turn_row = filled[side], min(turn, on.rules.last_turn) - 1
        for f in range(thread, weights.shape[2], THREADS):
            row[f] = weights[i, turn_row, f]
        if thread == 0:
            filled[1 - side], filled[2], filled[3] = 0, 0, 0
            reference = on.cache.reference[i // on.population.size, turn_row]
            steps[0], steps[1] = steps_between(reference, weights[i, turn_row])
        cuda.syncthreads()
        _try_leaders(on, side, n_sets, row, steps, filled)
        cuda.syncthreads()
        _find_best(on, side, filled[3], row)
        cuda.syncthreads()
        _find_winners(on, side, filled[3], row)
        cuda.syncthreads()
        turn += 1
        _split_sets(on, side, n_sets, min(turn, on.rules.last_turn), filled, row)
        cuda.syncthreads()
        side = 1 - side


@cuda.jit
def learn(on: Launch, renews: bool) -> None:
    """Fill the slots of what was wanted; an island's first individual may become its reference."""
    cache, memo, weights = on.cache, on.memo, on.population.weights
    slot, island, complete = cuda.grid(1), cuda.blockIdx.y, True
    reference, first = cache.reference[island], island * on.population.size
    if renews:
        reference = weights[first]
        for entry in range(slot, reference.size, cuda.gridsize(1)):
            turn_row, f = entry // reference.shape[1], entry % reference.shape[1]
            cache.reference[island, turn_row, f] = reference[turn_row, f]
    set_id, known = cache.wanted[SETS, island, slot], cache.sets[island, slot]
    if set_id < 0 and renews:
        set_id = known
    if set_id >= 0:
        row = reference[min(memo.turn[set_id], on.rules.last_turn) - 1]
        one = _node(on, memo.members, 0, 0, set_id, row, memo.members)
        leaders, bounds = cache.leaders[island, slot], cache.scores[island, slot]
        for place in range(LEADERS + 1):
            bounds[place] = -inf
        for k in range(one.count):
            insert_leader(leaders, bounds, k, _option_score(on, one, k))
        cache.sets[island, slot], cache.wanted[SETS, island, slot] = set_id, -1
    wanted = cache.wanted[OPTIONS, island, slot]
    if wanted >= 0:
        for f in range(weights.shape[2]):
            child = cache.children[1, island, slot, f]
            cache.children[0, island, slot, f] = child
            complete = complete and child != UNKNOWN
        cache.options[island, slot] = wanted // MOST_BLOCKS if complete else -1
        cache.wanted[OPTIONS, island, slot] = -1
