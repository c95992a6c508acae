"""The fitness of individuals on CUDA, level by level of all their trees.

`begin` puts individuals at the first sets. At each level, `advance` moves them to the sets that
follow, a block each, and chooses where a few leading options decide, as on the CPU. Individuals far
from the reference leave most sets open; so these go into a queue that all blocks serve together,
`choose`. In sets missing from the memo all guesses are tried; between launches the host adds
frequent ones.
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
    "DeviceGame",
    "by_secret four_by_secret solved last_turn terms terms_at tolerances reach zobrist turn_keys",
)
"""A game like `ScoredGame` with its one criterion, and hash keys as signed integers.

`four_by_secret` (n_secrets, ⌈n_guesses / 4⌉) int32 has the ids of four guesses, a byte each.
"""

DeviceMemo = namedtuple(
    "DeviceMemo", "slots key turn size member_at members option_at option_count cell_at cells rank"
)
"""The parts of `OptionMemo` that hold a set's options."""

Cache = namedtuple("Cache", "reference sets uses leaders scores cells options children wanted")
"""What islands found lately; it changes no result. Free slots are −1.

A set lies in its slot of `sets` (n_islands, n_slots) int64, whose `uses` are counted. Under the
`reference` (n_islands, n_turns, n_feedback) it has `leaders` and `scores` (n_islands, n_slots,
LEADERS + 1), as in `OptionMemo`, and the leaders' `cells` (n_islands, n_slots, LEADERS,
n_feedback), zeros behind them. An option lies in its slot of `options`, with its `children` by
feedback, (2, n_islands, n_slots, n_feedback): ids, NONE or ONE; the second are of the option that
is `wanted` (2, n_islands, n_slots) int64: sets; options · MOST_BLOCKS + the block that asks.
"""

Start = namedtuple("Start", "sets turn")
"""The ids of the sets of the first weighted turn; and the turn."""

Population = namedtuple("Population", "weights active totals size")
"""`weights` (n, n_turns, n_feedback), `active` (n,) int32, `totals` (n,) int64; islands' size."""

Work = namedtuple("Work", "members sets n_sets queue n_queued scores winner")
"""Working memory of individuals, for the sets of this turn and the next.

`members` (n, 2, n_secrets); `sets` (n, 2, n_sets, 3): an id in the memo, or −1 with start and size,
`n_sets` (n, 2) of them. `queue` (n · n_sets,): sets to choose at, individual · n_sets + set;
`n_queued` (LEVELS + n,) by level, then by individual. Per set: `scores` (n, n_sets, LEADERS) of
leaders, and the `winner` (n, n_sets): its rank in the tie order and, in the low half, its option.
"""

Misses = namedtuple("Misses", "seen patience used turn at size members")
"""Sets missing from the memo: `used` counts sets and members; each set's turn, start, size.

A set is recorded whenever 2 ** `patience` more of its members were `seen`, counted by hash key.
"""

Launch = namedtuple("Launch", "rules memo cache start population work misses")
"""The arguments of a launch."""

Node = namedtuple("Node", "members at size count option_at cell_at terms_at shift")
"""A set; without options, `option_at` is −1."""

THREADS, SPLITTERS, MOST_FEEDBACK = 128, 16, 256
"""Threads of a block, and per set to split; feedback ids."""

LEVELS, CHOOSERS, MOST_VALUES = 8, 768, 1 << 10
"""Turns whose sets are chosen at by all blocks together; their blocks; values of a set's cells."""

IDS, MOST_IN_4_BITS, MOST_IN_8_BITS = 16, 15, 255
"""Feedback ids that are counted together; the largest counts."""

EVEN, EACH_BYTE = 0x0F0F0F0F0F0F0F0F, 0x01010101
"""Masks: the even ones of IDS counts of 4 bits; the lowest bit of four bytes."""

MOST_BLOCKS, HALF, LAST = 1 << 20, 32, 1 << 62
"""Blocks of a launch; bits of a winner's option; behind all winners."""

SLOTS_OF_BLOCK, MOST_RANKED, GROUPS = 32, 2048, 32
"""Slots of the cache that a block learns; maximum number of options that it ranks, in groups."""

AT, SIZE, SET_ID = range(3)  # columns of sets
SETS_FILLED, MEMBERS_FILLED = range(2)  # counts of what a block has put on a side
SETS, OPTIONS = 0, 1  # what is wanted
UNKNOWN, NONE, ONE = -1, -2, -3  # children not in the memo, with nothing left, of one candidate
index = uint64  # marks an index as not negative, which saves three instructions

_scores = compiled(arithmetic, lambda function: cuda.jit(device=True)(function))
fold_cell, tie_threshold, tie_rank = _scores.fold_cell, _scores.tie_threshold, _scores.tie_rank
find_slot, steps_between = _scores.find_slot, _scores.steps_between


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
def _option_score(on: Launch, one: Node, row: Array, k: int) -> float:
    # A table of products takes as many instructions to fill as it saves.
    score, place, n, j = 0.0, one.cell_at + k, one.count, one.cell_at
    while k < n:
        cell = int(on.memo.cells[index(place)])
        term = on.rules.terms[index(one.terms_at + (cell & ((1 << one.shift) - 1)))]
        score = fold_cell(score, row[index(cell >> one.shift)], term, False)
        place += n
        j -= 1
        n = int(on.memo.cells[index(j)])
    return score


@cuda.jit(device=True)
def _score_by_id(on: Launch, one: Node, row: Array, guess: int) -> float:
    """Return a guess's score at a large set without options: one feedback id after the other."""
    by_secret, score, end = on.rules.by_secret, 0.0, one.at + one.size
    for f in range(on.population.weights.shape[2]):
        count = 0
        for j in range(one.at, end):
            count += by_secret[index(one.members[index(j)]), guess] == f
        score = fold_cell(score, row[f], on.rules.terms[index(one.terms_at + count)], False)
    return score


@cuda.jit(device=True)
def _quad_at(on: Launch, one: Node, j: int, quad: int, first: int) -> int:
    """Return the feedback ids of four guesses to a member, a byte each, less those before first."""
    ids = on.rules.four_by_secret[index(one.members[index(j)]), index(quad)]
    return int(ids) ^ first * EACH_BYTE


@cuda.jit(device=True)
def _added(counts: int, increments: Array, shift: int, one: int, two: int, three: int) -> int:
    """Count three members' feedback to the guess whose ids begin at a bit."""
    counts += increments[index((one >> shift) & 255)]
    counts += increments[index((two >> shift) & 255)]
    return counts + increments[index((three >> shift) & 255)]


@cuda.jit(device=True)
def _sum_of_cells(on: Launch, one: Node, row: Array, first: int, even: int, odd: int) -> float:
    """Return the score of IDS cells from id `first` on, by the counts of even and of odd ids."""
    score, terms = 0.0, on.rules.terms
    for place in range(IDS // 2):
        f = index(first + 2 * place)
        count, other = (even >> 8 * place) & 255, (odd >> 8 * place) & 255
        score = fold_cell(score, row[f], terms[index(one.terms_at + count)], False)
        score = fold_cell(score, row[f + 1], terms[index(one.terms_at + other)], False)
    return score


@cuda.jit(device=True)
def _has(first: int, even: int, odd: int, f: int) -> bool:
    """Return whether the counts hold an id."""
    place = f - first
    if place < 0 or place >= IDS:
        return False
    counts = odd if place & 1 else even
    return (counts >> 8 * (place >> 1)) & 255 > 0


@cuda.jit(device=True)
def _scores_of_four(
    on: Launch, one: Node, row: Array, increments: Array, quad: int
) -> tuple[float, float, float, float, int]:
    """Return the scores of four guesses at a set without options, and bits of the candidates.

    All counts are in registers. IDS ids are counted at a time, first in 4 bits each; after
    MOST_IN_4_BITS members these are added to counts of 8 bits, of even and of odd ids.
    """
    a, b, c, d, candidates = 0.0, 0.0, 0.0, 0.0, 0
    end, solved = one.at + one.size, on.rules.solved
    for first in range(0, on.population.weights.shape[2], IDS):
        a_even, b_even, c_even, d_even = int64(0), int64(0), int64(0), int64(0)
        a_odd, b_odd, c_odd, d_odd = int64(0), int64(0), int64(0), int64(0)
        j = one.at
        while j < end:
            stop = min(j + MOST_IN_4_BITS, end)
            a_counts, b_counts, c_counts, d_counts = int64(0), int64(0), int64(0), int64(0)
            while j + 3 <= stop:  # three at a time, so that their loads overlap
                x = _quad_at(on, one, j, quad, first)
                y = _quad_at(on, one, j + 1, quad, first)
                z = _quad_at(on, one, j + 2, quad, first)
                a_counts = _added(a_counts, increments, 0, x, y, z)
                b_counts = _added(b_counts, increments, 8, x, y, z)
                c_counts = _added(c_counts, increments, 16, x, y, z)
                d_counts = _added(d_counts, increments, 24, x, y, z)
                j += 3
            while j < stop:
                x = _quad_at(on, one, j, quad, first)
                a_counts += increments[index(x & 255)]
                b_counts += increments[index((x >> 8) & 255)]
                c_counts += increments[index((x >> 16) & 255)]
                d_counts += increments[index((x >> 24) & 255)]
                j += 1
            a_even, a_odd = a_even + (a_counts & EVEN), a_odd + ((a_counts >> 4) & EVEN)
            b_even, b_odd = b_even + (b_counts & EVEN), b_odd + ((b_counts >> 4) & EVEN)
            c_even, c_odd = c_even + (c_counts & EVEN), c_odd + ((c_counts >> 4) & EVEN)
            d_even, d_odd = d_even + (d_counts & EVEN), d_odd + ((d_counts >> 4) & EVEN)
        a += _sum_of_cells(on, one, row, first, a_even, a_odd)
        b += _sum_of_cells(on, one, row, first, b_even, b_odd)
        c += _sum_of_cells(on, one, row, first, c_even, c_odd)
        d += _sum_of_cells(on, one, row, first, d_even, d_odd)
        candidates |= _has(first, a_even, a_odd, solved) | _has(first, b_even, b_odd, solved) << 1
        candidates |= _has(first, c_even, c_odd, solved) << 2
        candidates |= _has(first, d_even, d_odd, solved) << 3
    return a, b, c, d, candidates


@cuda.jit(device=True)
def _rank_of_option(on: Launch, one: Node, k: int) -> int:
    option = one.option_at + k
    return int(on.memo.rank[index(option)]) << HALF | option


@cuda.jit(device=True)
def _rank_of_guess(on: Launch, guess: int, is_candidate: bool) -> int:
    n_guesses = on.rules.by_secret.shape[1]
    return int(tie_rank(guess, n_guesses, not is_candidate, False)) << HALF


@cuda.jit(device=True)
def _with_score(
    best: float, lowest: float, rank: int, tolerance: float, score: float, own: int
) -> tuple[float, float, int]:
    """Return the best score, the lowest that ties with it, and the first rank of those.

    The rank is −1 if one that it came from may not tie with the best any more.
    """
    if score > best:
        threshold = tie_threshold(score, tolerance, 0.0)
        if best < threshold:
            return score, score, own
        if lowest < threshold:
            return score, lowest, -1
        return score, lowest, min(rank, own)
    if score >= tie_threshold(best, tolerance, 0.0):
        return best, min(lowest, score), min(rank, own)
    return best, lowest, rank


@cuda.jit(device=True)
def _fill_values(on: Launch, one: Node, row: Array, values: Array) -> bool:
    """Fill in a known set's cell values, weight times term, by cell; return whether there is room.

    All threads of a block do; a barrier must follow.
    """
    n_values = on.population.weights.shape[2] << one.shift
    fits = one.option_at >= 0 and n_values <= MOST_VALUES
    if fits:
        for cell in range(cuda.threadIdx.x, n_values, THREADS):
            count = cell & ((1 << one.shift) - 1)
            if count <= one.size:
                term = on.rules.terms[index(one.terms_at + count)]
                values[cell] = row[index(cell >> one.shift)] * term
    return fits


@cuda.jit(device=True)
def _scores_of_options(
    on: Launch, one: Node, values: Array, k: int
) -> tuple[float, float, float, float]:
    """Return the scores of options k, k + THREADS and so on; of those from `count` on, k's first.

    Four at a time, so that their loads overlap: they take most of the time.
    """
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    place, n, j = one.cell_at, one.count, one.cell_at
    cells = on.memo.cells
    while k < n:
        has_b, has_c, has_d = k + THREADS < n, k + 2 * THREADS < n, k + 3 * THREADS < n
        first = cells[index(place + k)]
        second = cells[index(place + (k + THREADS if has_b else k))]
        third = cells[index(place + (k + 2 * THREADS if has_c else k))]
        fourth = cells[index(place + (k + 3 * THREADS if has_d else k))]
        a += values[index(first)]
        b += values[index(second)] if has_b else 0.0
        c += values[index(third)] if has_c else 0.0
        d += values[index(fourth)] if has_d else 0.0
        place += n
        j -= 1
        n = int(cells[index(j)])
    return a, b, c, d


@cuda.jit(device=True)
def _scan_options(
    on: Launch, one: Node, row: Array, values: Array, fits: bool, best: float
) -> tuple[float, float, int]:
    """Return `_with_score` of a thread's options at a known set, from a known best score on."""
    lowest, rank, tolerance = best, LAST, on.rules.tolerances[index(one.size)]
    if not fits:
        for k in range(cuda.threadIdx.x, one.count, THREADS):
            score, own = _option_score(on, one, row, k), _rank_of_option(on, one, k)
            best, lowest, rank = _with_score(best, lowest, rank, tolerance, score, own)
        return best, lowest, rank
    for k in range(cuda.threadIdx.x, one.count, 4 * THREADS):
        a, b, c, d = _scores_of_options(on, one, values, k)
        if a >= best - tolerance:
            own = _rank_of_option(on, one, k)
            best, lowest, rank = _with_score(best, lowest, rank, tolerance, a, own)
        if k + THREADS < one.count and b >= best - tolerance:
            own = _rank_of_option(on, one, k + THREADS)
            best, lowest, rank = _with_score(best, lowest, rank, tolerance, b, own)
        if k + 2 * THREADS < one.count and c >= best - tolerance:
            own = _rank_of_option(on, one, k + 2 * THREADS)
            best, lowest, rank = _with_score(best, lowest, rank, tolerance, c, own)
        if k + 3 * THREADS < one.count and d >= best - tolerance:
            own = _rank_of_option(on, one, k + 3 * THREADS)
            best, lowest, rank = _with_score(best, lowest, rank, tolerance, d, own)
    return best, lowest, rank


@cuda.jit(device=True)
def _scan_guesses(
    on: Launch, one: Node, row: Array, increments: Array, best: float
) -> tuple[float, float, int]:
    """Return `_with_score` of a thread's guesses at an unknown set, from a known best score on."""
    lowest, rank, tolerance = best, LAST, on.rules.tolerances[index(one.size)]
    if one.size > MOST_IN_8_BITS:
        for guess in range(cuda.threadIdx.x, one.count, THREADS):
            score = _score_by_id(on, one, row, guess)
            if score >= best - tolerance:
                is_candidate = False
                for j in range(one.at, one.at + one.size):
                    feedback = on.rules.by_secret[index(one.members[index(j)]), guess]
                    is_candidate |= feedback == on.rules.solved
                own = _rank_of_guess(on, guess, is_candidate)
                best, lowest, rank = _with_score(best, lowest, rank, tolerance, score, own)
        return best, lowest, rank
    for quad in range(cuda.threadIdx.x, on.rules.four_by_secret.shape[1], THREADS):
        a, b, c, d, candidates = _scores_of_four(on, one, row, increments, quad)
        guess = 4 * quad
        own = _rank_of_guess(on, guess, candidates & 1 > 0)
        best, lowest, rank = _with_score(best, lowest, rank, tolerance, a, own)
        # The last four may be fewer: guesses from `count` on are none.
        if guess + 1 < one.count:
            own = _rank_of_guess(on, guess + 1, candidates & 2 > 0)
            best, lowest, rank = _with_score(best, lowest, rank, tolerance, b, own)
        if guess + 2 < one.count:
            own = _rank_of_guess(on, guess + 2, candidates & 4 > 0)
            best, lowest, rank = _with_score(best, lowest, rank, tolerance, c, own)
        if guess + 3 < one.count:
            own = _rank_of_guess(on, guess + 3, candidates & 8 > 0)
            best, lowest, rank = _with_score(best, lowest, rank, tolerance, d, own)
    return best, lowest, rank


@cuda.jit(device=True)
def _node(on: Launch, members: Array, at: int, size: int, set_id: int) -> Node:
    """Return a set of the memo, or the unknown one that begins at a place."""
    memo, start, n = on.memo, int64(at), int32(size)
    count, option_at, cell_at = int64(on.rules.by_secret.shape[1]), int64(UNKNOWN), int64(0)
    if set_id >= 0:
        one = index(set_id)
        members, start, n = memo.members, memo.member_at[one], memo.size[one]
        count, option_at, cell_at = memo.option_count[one], memo.option_at[one], memo.cell_at[one]
    terms_at, shift = on.rules.terms_at[index(n)], 32 - cuda.clz(n)
    return Node(members, start, int64(n), count, option_at, cell_at, terms_at, shift)


@cuda.jit(device=True)
def _node_at(on: Launch, i: int, side: int, s: int) -> Node:
    one = on.work.sets[i, side, index(s)]
    at, size, set_id = int32(0), int32(0), one[SET_ID]
    if set_id < 0:
        at, size = one[AT], one[SIZE]
    return _node(on, on.work.members[i, side], at, size, set_id)


@cuda.jit(device=True)
def _leader_score(on: Launch, one: Node, row: Array, cells: Array) -> float:
    """Return the score of the option with these cells; empty ones, behind them, add nothing."""
    score = 0.0
    for j in range(len(cells)):
        cell = int(cells[index(j)])
        term = on.rules.terms[index(one.terms_at + (cell & ((1 << one.shift) - 1)))]
        score = fold_cell(score, row[index(cell >> one.shift)], term, False)
    return score


@cuda.jit(device=True)
def _follow_leaders(
    on: Launch,
    one: Node,
    row: Array,
    leaders: Array,
    bounds: Array,
    cells: Array,
    scores: Array,
    rise: float,
    fall: float,
) -> int:
    """Return the rank of the winner among the leaders, or −1 if another option may win."""
    tolerance, reach = on.rules.tolerances[index(one.size)], on.rules.reach[index(one.size)]
    slack, best, tried, winner = rise * reach[0] - fall * reach[1], -inf, 0, LAST
    while tried < LEADERS and bounds[tried] + slack >= best - tolerance:
        score = _leader_score(on, one, row, cells[index(tried)])
        scores[tried], best = score, max(best, score)
        tried += 1
    if bounds[LEADERS] + slack >= best - tolerance:
        return -1
    for j in range(tried):
        if scores[j] >= best - tolerance:
            winner = min(winner, _rank_of_option(on, one, leaders[j]))
    return winner


@cuda.jit(device=True)
def _try_leaders(on: Launch, side: int, n_sets: int, row: Array, known: Array, queue: int) -> None:
    """Choose at sets whose leaders decide; put the others into a queue.

    `row` and `known` are the turn's weights of the individual and of the reference.
    """
    cache, work, i, s = on.cache, on.work, cuda.blockIdx.x, cuda.threadIdx.x
    island, width = i // on.population.size, work.winner.shape[1]
    rise, fall = steps_between(known, row)
    first = 0 if queue < LEVELS else i * width
    while s < n_sets:
        set_id, winner = work.sets[i, side, index(s), SET_ID], -1
        if set_id >= 0 and rise >= 0.0:
            slot = index(set_id & (cache.sets.shape[1] - 1))
            if cache.sets[island, slot] == set_id:
                leaders, bounds = cache.leaders[island, slot], cache.scores[island, slot]
                one, scores = _node_at(on, i, side, s), work.scores[i, index(s)]
                cells = cache.cells[island, slot]
                winner = _follow_leaders(on, one, row, leaders, bounds, cells, scores, rise, fall)
                cuda.atomic.add(cache.uses, (island, slot), 1)
            else:
                cuda.atomic.cas(cache.wanted, (SETS, island, slot), -1, set_id)
        if winner < 0:
            place = first + cuda.atomic.add(work.n_queued, queue, 1)
            work.queue[index(place)], winner = i * width + s, LAST
        work.winner[i, index(s)] = winner
        s += cuda.blockDim.x


@cuda.jit(device=True)
def _choose_best(
    on: Launch,
    i: int,
    side: int,
    s: int,
    turn_row: int,
    row: Array,
    increments: Array,
    values: Array,
    tops: Array,
) -> None:
    """Find the rank of a set's best guess, the first in the tie order; a block takes a set."""
    thread, weights = cuda.threadIdx.x, on.population.weights
    n_feedback = weights.shape[2]
    for f in range(thread, -(-n_feedback // IDS) * IDS, THREADS):
        row[f] = weights[i, turn_row, f] if f < n_feedback else 0.0
    cuda.syncthreads()
    one = _node_at(on, i, side, s)
    fits = _fill_values(on, one, row, values)
    cuda.syncthreads()
    if one.option_at >= 0:
        best, lowest, rank = _scan_options(on, one, row, values, fits, -inf)
    else:
        best, lowest, rank = _scan_guesses(on, one, row, increments, -inf)
    tops[thread] = best
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if thread < half:
            tops[thread] = max(tops[thread], tops[thread + half])
        cuda.syncthreads()
        half //= 2
    top = tops[0]
    threshold = tie_threshold(top, on.rules.tolerances[index(one.size)], 0.0)
    if best >= threshold:
        if (rank < 0 or lowest < threshold) and one.option_at >= 0:
            _, _, rank = _scan_options(on, one, row, values, fits, top)
        elif rank < 0 or lowest < threshold:
            _, _, rank = _scan_guesses(on, one, row, increments, top)
        cuda.atomic.min(on.work.winner, (i, s), rank)
    cuda.syncthreads()  # before the next set uses the shared arrays


@cuda.jit(device=True)
def _copy_cell(on: Launch, one: Node, guess: int, f: int, to: Array, place: int) -> tuple[int, int]:
    """Copy the members of a cell; return the place behind them, and their key."""
    j, end, key = one.at, one.at + one.size, int64(0)
    by_secret, zobrist = on.rules.by_secret, on.rules.zobrist
    while j + 4 <= end:  # four at a time, so that their loads overlap
        a, b = index(one.members[index(j)]), index(one.members[index(j + 1)])
        c, d = index(one.members[index(j + 2)]), index(one.members[index(j + 3)])
        is_a, is_b = by_secret[a, guess] == f, by_secret[b, guess] == f
        is_c, is_d = by_secret[c, guess] == f, by_secret[d, guess] == f
        if is_a:
            to[index(place)] = a
            place, key = place + 1, key ^ zobrist[a]
        if is_b:
            to[index(place)] = b
            place, key = place + 1, key ^ zobrist[b]
        if is_c:
            to[index(place)] = c
            place, key = place + 1, key ^ zobrist[c]
        if is_d:
            to[index(place)] = d
            place, key = place + 1, key ^ zobrist[d]
        j += 4
    while j < end:
        a = index(one.members[index(j)])
        if by_secret[a, guess] == f:
            to[index(place)] = a
            place, key = place + 1, key ^ zobrist[a]
        j += 1
    return place, key


@cuda.jit(device=True)
def _size_of_cell(on: Launch, one: Node, guess: int, f: int) -> int:
    n, j, end, by_secret = 0, one.at, one.at + one.size, on.rules.by_secret
    while j + 4 <= end:
        a, b = index(one.members[index(j)]), index(one.members[index(j + 1)])
        c, d = index(one.members[index(j + 2)]), index(one.members[index(j + 3)])
        n += (by_secret[a, guess] == f) + (by_secret[b, guess] == f)
        n += (by_secret[c, guess] == f) + (by_secret[d, guess] == f)
        j += 4
    while j < end:
        n += by_secret[index(one.members[index(j)]), guess] == f
        j += 1
    return n


@cuda.jit(device=True)
def _child_of(
    on: Launch, one: Node, guess: int, f: int, side: int, turn: int, filled: Array
) -> tuple[int, int, int]:
    """Return the set of a cell, and the place and number of its members."""
    n = _size_of_cell(on, one, guess, f)
    if n < 2 or f == on.rules.solved:
        return ONE if n == 1 and f != on.rules.solved else NONE, 0, n
    members = on.work.members[cuda.blockIdx.x, side]
    start = cuda.atomic.add(filled, MEMBERS_FILLED, n)
    _, key = _copy_cell(on, one, guess, f, members, start)
    key ^= on.rules.turn_keys[turn]
    slot = find_slot(on.memo, key & (len(on.memo.slots) - 1), key, turn, members, start, n)
    child = int(on.memo.slots[slot])
    if child < 0 or on.memo.option_at[child] < 0:
        child = UNKNOWN
        _record_miss(on, turn, key, members, start, n)
    return child, start, n


@cuda.jit(device=True)
def _split_sets(on: Launch, side: int, n_sets: int, turn: int, filled: Array) -> None:
    """Fill the other side with cells of two or more; add to totals."""
    i, lane, s = cuda.blockIdx.x, cuda.threadIdx.x % SPLITTERS, cuda.threadIdx.x // SPLITTERS
    cache, other, n_guesses = on.cache, 1 - side, on.rules.by_secret.shape[1]
    island = i // on.population.size
    while s < n_sets:
        one, winner, spent = _node_at(on, i, side, s), on.work.winner[i, index(s)], 0
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
                new = on.work.sets[i, other, cuda.atomic.add(filled, SETS_FILLED, 1)]
                new[AT], new[SIZE], new[SET_ID] = at, n, child
        if spent > 0:
            cuda.atomic.add(on.population.totals, i, spent)
        s += cuda.blockDim.x // SPLITTERS


@cuda.jit(device=True)
def _advance(on: Launch, level: int, queue: int, filled: Array, row: Array, known: Array) -> int:
    """Move an individual to the next sets, and choose where leaders decide; return the sets.

    The sets of even levels lie on side 0. At level 0 they are there already.
    """
    i, thread, weights = cuda.blockIdx.x, cuda.threadIdx.x, on.population.weights
    side, n_feedback = level & 1, weights.shape[2]
    turn = min(on.start.turn + level, on.rules.last_turn)
    if thread < len(filled):
        filled[thread] = 0
    for f in range(thread, n_feedback, cuda.blockDim.x):
        row[f] = weights[i, turn - 1, f]
        known[f] = on.cache.reference[i // on.population.size, turn - 1, f]
    cuda.syncthreads()
    n_sets = on.work.n_sets[i, side]
    if level > 0:
        _split_sets(on, 1 - side, on.work.n_sets[i, 1 - side], turn, filled)
        cuda.syncthreads()
        n_sets = filled[SETS_FILLED]
        if thread == 0:
            on.work.n_sets[i, side] = n_sets
    _try_leaders(on, side, n_sets, row[:n_feedback], known[:n_feedback], queue)
    cuda.syncthreads()
    return n_sets


@cuda.jit(device=True)
def _fill_increments(increments: Array) -> None:
    """Fill in what a feedback id adds to counts of 4 bits; ids of other rounds add nothing."""
    for f in range(cuda.threadIdx.x, MOST_FEEDBACK, THREADS):
        increments[f] = int64(1) << 4 * f if f < IDS else 0


@cuda.jit
def begin(on: Launch) -> None:
    """Put active individuals at the sets of the first weighted turn, and empty the queues."""
    i, thread, work = cuda.blockIdx.x, cuda.threadIdx.x, on.work
    n_sets = len(on.start.sets) if on.population.active[i] > 0 else 0
    for s in range(thread, n_sets, cuda.blockDim.x):
        work.sets[i, 0, s, SET_ID] = on.start.sets[s]
    if thread == 0:
        work.n_sets[i, 0], work.n_sets[i, 1], work.n_queued[LEVELS + i] = n_sets, 0, 0
        for level in range(i, LEVELS, cuda.gridDim.x):
            work.n_queued[level] = 0


@cuda.jit
def advance(on: Launch, level: int) -> None:
    """Move individuals to the sets of a level; put what leaders don't decide into its queue."""
    filled = cuda.shared.array(2, int32)
    row, known = (
        cuda.shared.array(MOST_FEEDBACK, float64),
        cuda.shared.array(MOST_FEEDBACK, float64),
    )
    i = cuda.blockIdx.x
    if on.work.n_sets[i, 0] == 0 and on.work.n_sets[i, 1] == 0:
        return
    _advance(on, level, level, filled, row, known)


@cuda.jit
def choose(on: Launch, level: int) -> None:
    """Choose at the sets in a level's queue, of all individuals; a block takes a set."""
    row, tops = cuda.shared.array(MOST_FEEDBACK, float64), cuda.shared.array(THREADS, float64)
    increments = cuda.shared.array(MOST_FEEDBACK, int64)
    values = cuda.shared.array(MOST_VALUES, float64)
    work, q, turn_row = on.work, cuda.blockIdx.x, min(on.start.turn + level, on.rules.last_turn) - 1
    n_queued, width = work.n_queued[level], work.winner.shape[1]
    if q < n_queued:
        _fill_increments(increments)
    while q < n_queued:
        entry = work.queue[q]
        i, s = index(entry // width), index(entry % width)
        _choose_best(on, i, level & 1, s, turn_row, row, increments, values, tops)
        q += cuda.gridDim.x


@cuda.jit
def finish(on: Launch) -> None:
    """Play the turns after LEVELS to the end; a block takes an individual."""
    filled = cuda.shared.array(2, int32)
    row, known = (
        cuda.shared.array(MOST_FEEDBACK, float64),
        cuda.shared.array(MOST_FEEDBACK, float64),
    )
    increments = cuda.shared.array(MOST_FEEDBACK, int64)
    values, tops = cuda.shared.array(MOST_VALUES, float64), cuda.shared.array(THREADS, float64)
    work, i, level = on.work, cuda.blockIdx.x, LEVELS
    width, n_sets = work.winner.shape[1], work.n_sets[i, (LEVELS - 1) & 1]
    if n_sets > 0:
        _fill_increments(increments)
    while n_sets > 0:
        n_sets = _advance(on, level, LEVELS + i, filled, row, known)
        n_queued, turn_row = (
            work.n_queued[LEVELS + i],
            min(on.start.turn + level, on.rules.last_turn) - 1,
        )
        for q in range(n_queued):
            s = index(work.queue[i * width + q] % width)
            _choose_best(on, i, level & 1, s, turn_row, row, increments, values, tops)
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            work.n_queued[LEVELS + i] = 0
        level += 1
        cuda.syncthreads()


@cuda.jit(device=True)
def _rank_options(n: int, scores: Array, tops: Array, listed: Array, n_listed: Array) -> None:
    """List few of the options, among them the LEADERS + 1 best ones; a block does.

    The options are in GROUPS. The lowest of the LEADERS + 1 highest best scores of a group bounds
    all leaders from below. Of options that equal this bound, a few are enough.
    """
    thread, own, above = cuda.threadIdx.x, -inf, 0
    for k in range(thread, n, THREADS):
        own = max(own, scores[k])
    tops[thread] = own
    if thread == 0:
        n_listed[0] = 0
    cuda.syncthreads()
    if thread < GROUPS:
        for other in range(thread + GROUPS, THREADS, GROUPS):
            own = max(own, tops[other])
        tops[thread] = own
    cuda.syncthreads()
    if thread < GROUPS:
        for other in range(GROUPS):
            above += tops[other] > own or (tops[other] == own and other < thread)
    cuda.syncthreads()
    if thread < GROUPS and above == LEADERS:
        tops[0] = own
    cuda.syncthreads()
    bound = tops[0]
    for k in range(thread, n, THREADS):
        if scores[k] > bound:
            listed[cuda.atomic.add(n_listed, 0, 1)] = k
    cuda.syncthreads()
    most = n_listed[0] + LEADERS + 1
    cuda.syncthreads()
    for k in range(thread, n, THREADS):
        if scores[k] == bound:
            place = cuda.atomic.add(n_listed, 0, 1)
            if place < most:
                listed[place] = k
    cuda.syncthreads()
    if thread == 0:
        n_listed[0] = min(n_listed[0], most)
    cuda.syncthreads()


@cuda.jit(device=True)
def _copy_cells(on: Launch, one: Node, k: int, to: Array) -> None:
    """Copy an option's cells, and zeros behind them."""
    place, n, j, parts = one.cell_at + k, one.count, one.cell_at, 0
    while k < n:
        to[parts] = on.memo.cells[index(place)]
        place += n
        j -= 1
        parts += 1
        n = int(on.memo.cells[index(j)])
    for f in range(parts, len(to)):
        to[f] = 0


@cuda.jit(device=True)
def _learn_option(cache: Cache, island: int, slot: int) -> None:
    wanted, complete = cache.wanted[OPTIONS, island, slot], True
    if wanted >= 0:
        for f in range(cache.children.shape[3]):
            child = cache.children[1, island, slot, f]
            cache.children[0, island, slot, f] = child
            complete = complete and child != UNKNOWN
        cache.options[island, slot] = wanted // MOST_BLOCKS if complete else -1
        cache.wanted[OPTIONS, island, slot] = -1


@cuda.jit
def learn(on: Launch, renews: bool) -> None:
    """Fill the slots of what was wanted; an island's first individual may become its reference.

    A block takes SLOTS_OF_BLOCK slots, and all its threads rank the options of one set after the
    other. Sets of more than MOST_RANKED options have no leaders.
    """
    cache, memo, weights = on.cache, on.memo, on.population.weights
    island, thread = cuda.blockIdx.y, cuda.threadIdx.x
    new_slots, n_new = cuda.shared.array(SLOTS_OF_BLOCK, int32), cuda.shared.array(1, int32)
    scores, listed = cuda.shared.array(MOST_RANKED, float64), cuda.shared.array(MOST_RANKED, int32)
    tops, n_listed = cuda.shared.array(THREADS, float64), cuda.shared.array(1, int32)
    reference = cache.reference[island]
    if renews:
        reference = weights[island * on.population.size]
        for entry in range(cuda.grid(1), reference.size, cuda.gridsize(1)):
            turn_row, f = entry // reference.shape[1], entry % reference.shape[1]
            cache.reference[island, turn_row, f] = reference[turn_row, f]
    if thread == 0:
        n_new[0] = 0
    cuda.syncthreads()
    if thread < SLOTS_OF_BLOCK:
        slot = cuda.blockIdx.x * SLOTS_OF_BLOCK + thread
        set_id = cache.wanted[SETS, island, slot]
        if renews:
            # Sets that nobody asked for since the last time are forgotten.
            if set_id < 0 and cache.uses[island, slot] > 0:
                set_id = cache.sets[island, slot]
            cache.sets[island, slot], cache.uses[island, slot] = -1, 0
        if set_id >= 0 and memo.option_count[set_id] <= MOST_RANKED:
            new_slots[cuda.atomic.add(n_new, 0, 1)] = slot
            cache.sets[island, slot] = set_id
        cache.wanted[SETS, island, slot] = -1
        _learn_option(cache, island, slot)
    cuda.syncthreads()
    for new in range(n_new[0]):
        slot = new_slots[new]
        set_id = cache.sets[island, slot]
        row = reference[min(memo.turn[set_id], on.rules.last_turn) - 1]
        one = _node(on, memo.members, 0, 0, set_id)
        for k in range(thread, one.count, THREADS):
            scores[k] = _option_score(on, one, row, k)
        cuda.syncthreads()
        _rank_options(one.count, scores, tops, listed, n_listed)
        leaders, bounds = cache.leaders[island, slot], cache.scores[island, slot]
        for entry in range(thread, n_listed[0], THREADS):
            k, place = listed[entry], 0
            own = scores[k]
            for j in range(n_listed[0]):
                other = listed[j]
                place += scores[other] > own or (scores[other] == own and other < k)
            if place <= LEADERS:
                leaders[place], bounds[place] = k, own
            if place < LEADERS:
                _copy_cells(on, one, k, cache.cells[island, slot, place])
        for place in range(one.count + thread, LEADERS + 1, THREADS):
            bounds[place] = -inf
        cuda.syncthreads()
