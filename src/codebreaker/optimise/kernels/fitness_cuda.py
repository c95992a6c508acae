"""The fitness of individuals on CUDA, level by level of all their trees.

A level is a turn, counted from the first weighted one as 0. A generation is evaluated by a sequence
of launches (`CudaFitness.launch`):

1. `begin` puts individuals at the first sets.
2. For each of the first LEVELS levels, `advance` moves every individual to the sets that follow, a
   block each, and chooses where a few leading options decide, as on the CPU. Individuals far from
   the reference leave most sets open, so these go into a queue. `choose` serves it with all blocks,
   a set each: otherwise blocks of such individuals would hold up all others (decision 33).
3. `finish` plays the turns that are left, which few individuals reach, a block each.
4. `learn` fills the cache from what was asked for, in some generations only.

In sets missing from the memo all guesses are tried; between launches the host adds frequent ones.
`README.md` draws the arrays and says who writes and reads them.

Names used throughout: `i` is an individual and, in most kernels, the block; `s` is the position of
one of its sets; `side` is the half of its working memory for this turn, even levels on side 0;
`row` holds its weights at a turn, (n_feedback,) exact integers in float64; `k` is an option's
position among those of its set; `f` is a feedback id.
"""

from collections import namedtuple
from math import inf
from typing import Any

from numba import cuda, float64, int32, int64, uint64

from codebreaker.compiling.cpu import compiled
from codebreaker.sets import arithmetic

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
"""What islands learned lately; it changes no result. Free slots are −1.

`reference` (n_islands, n_turns, n_feedback) float64: an earlier best individual's weights.

By slot of a set, (n_islands, n_slots): `sets` int64, the set there; `uses` int32, how often leaders
were tried there; `leaders` int32 and `scores` float64, (..., LEADERS + 1), as in `OptionMemo`;
`cells`, (..., LEADERS, n_feedback), the leaders' packed cells with zeros behind them.

By slot of an option: `options` (n_islands, n_slots) int64, the option there; `children` (2,
n_islands, n_slots, n_feedback) int32, [0] its children by feedback id (set ids, NONE or ONE), [1]
those of the option that is wanted.

`wanted` (2, n_islands, n_slots) int64: [SETS] a set id; [OPTIONS] a request (`_pack_request`).
"""

Start = namedtuple("Start", "sets turn")
"""The ids of the sets of the first weighted turn, (n_sets,) int32; and the turn."""

DevicePopulation = namedtuple("DevicePopulation", "weights active totals size")
"""The individuals of all islands, n of them, `size` per island.

`weights` (n, n_turns, n_feedback) float64, exact integers; `active` (n,) int32, 0 for those whose
total is known; `totals` (n,) int64, guesses.
"""

Work = namedtuple("Work", "members sets n_sets queue n_queued scores winner")
"""Working memory of individuals, for the sets of this turn and the next (two sides).

`members` (n, 2, n_secrets) int32: of sets that are not in the memo. `sets` (n, 2, most_sets, 3)
int32, with columns AT, SIZE and SET_ID: an id in the memo, or UNKNOWN with start and number of the
members; `n_sets` (n, 2) int32. `queue` (n · most_sets,) int32: sets to choose at (`_pack_queued`),
with `n_queued` (LEVELS + n,) int32, by level, then by individual in `finish`. Per set of this turn:
`scores` (n, most_sets, LEADERS) float64 of its leaders, and its `winner` (n, most_sets) int64
(`_pack_winner`).
"""

Misses = namedtuple("Misses", "seen patience used turn at size members")
"""Sets missing from the memo, for the host.

`used` (2,) int32 counts sets and members; `turn`, `at` and `size` (most_misses,) int32 are a set's
turn and where its `members` are. A set is recorded whenever 2 ** `patience` more of its members
were `seen`, (power of two,) int32, counted by hash key.
"""

Launch = namedtuple("Launch", "rules memo cache start population work misses")
"""The arguments of a launch."""

Node = namedtuple("Node", "members at size count option_at cell_at terms_at shift")
"""A set: `size` members from `at` on.

In the memo it has `count` options from `option_at` on and blocks of cells from `cell_at` on.
Otherwise `option_at` is UNKNOWN and `count` is the number of guesses. Terms are from `terms_at` on;
feedback ids of packed cells are shifted by `shift`.
"""

THREADS = 128
"""Threads of a block."""

SPLITTERS = 16
"""Threads that split a set into cells."""

MOST_FEEDBACK = 256
"""Maximum number of feedback ids."""

LEVELS = 8
"""Number of levels with a queue that all blocks serve."""

CHOOSERS = 768
"""Blocks that serve a level's queue."""

MOST_VALUES = 1 << 10
"""Maximum number of a set's cell values in shared memory."""

IDS = 16
"""Feedback ids that are counted together, in 4 bits each."""

MOST_IN_4_BITS = 15
MOST_IN_8_BITS = 255
"""Largest counts."""

EVEN = 0x0F0F0F0F0F0F0F0F
"""Mask of the even ones of IDS counts of 4 bits."""

EACH_BYTE = 0x01010101
"""The lowest bit of each of four bytes."""

HALF = 32
"""Bits of the option in a packed winner."""

MOST_BLOCKS = 1 << 20
"""More than the blocks of any launch: the factor of the option in a packed request."""

LAST = 1 << 62
"""A packed winner behind all others."""

UNDECIDED = -1
"""In place of a packed winner: it can't be told yet."""

SLOTS_OF_BLOCK = 32
"""Slots of the cache that a block learns."""

MOST_RANKED = 2048
"""Maximum number of a set's options that are ranked; larger sets have no leaders."""

LEADERS = 16
"""Number of options of a set that are ranked; on the CPU, in `option_memo`, there are more."""

GROUPS = 32
"""Groups of options whose best scores bound the leaders."""

AT, SIZE, SET_ID = range(3)
"""Columns of `Work.sets`."""

SETS_FILLED, MEMBERS_FILLED = range(2)
"""Counts of what a block has put on a side."""

SETS, OPTIONS = range(2)
"""Positions in `Cache.wanted`."""

UNKNOWN = -1
NONE = -2
ONE = -3
"""In place of a set's id: not in the memo; nothing left to play; one candidate."""

index = uint64  # marks an index as not negative, which saves three instructions

_scores = compiled(arithmetic, lambda function: cuda.jit(device=True)(function))
unpack_cell = _scores.unpack_cell
fold_cell = _scores.fold_cell
tie_threshold = _scores.tie_threshold
tie_rank = _scores.tie_rank
find_slot = _scores.find_slot
steps_between = _scores.steps_between


@cuda.jit(device=True)
def _pack_winner(rank: int, option: int) -> int:
    """Return a tie rank and the option that has it as one integer, whose order is the tie order.

    `option` is 0 for a guess at a set without options.
    """
    return rank << HALF | option


@cuda.jit(device=True)
def _unpack_winner(winner: int) -> tuple[int, int]:
    """Return the tie rank and the option."""
    return winner >> HALF, winner & ((1 << HALF) - 1)


@cuda.jit(device=True)
def _pack_request(option: int, block: int) -> int:
    """Return a request for an option's children as one integer, which names the block that asks."""
    return option * MOST_BLOCKS + block


@cuda.jit(device=True)
def _unpack_request(request: int) -> tuple[int, int]:
    """Return the option and the block."""
    return request // MOST_BLOCKS, request % MOST_BLOCKS


@cuda.jit(device=True)
def _pack_queued(i: int, s: int, most_sets: int) -> int:
    """Return an individual and the position of one of its sets as one integer."""
    return i * most_sets + s


@cuda.jit(device=True)
def _unpack_queued(entry: int, most_sets: int) -> tuple[int, int]:
    """Return the individual and the position of the set."""
    return index(entry // most_sets), index(entry % most_sets)


@cuda.jit(device=True)
def _block_length(launch: Launch, node: Node, block: int) -> int:
    """Return how many options have a cell of this number, as `option_memo.block_length`."""
    return int(launch.memo.cells[index(node.cell_at - block)])


@cuda.jit(device=True)
def _record_miss(
    launch: Launch, turn: int, key: int, members: Array, start: int, size: int
) -> None:
    """Record a set that the memo lacks, unless it is rare or there is no room."""
    misses = launch.misses
    # Count members, not sets: large sets, whose guesses take longest, are recorded sooner.
    seen = cuda.atomic.add(misses.seen, key & (len(misses.seen) - 1), size)
    if seen >> misses.patience == (seen + size) >> misses.patience:
        return
    position = cuda.atomic.add(misses.used, 0, 1)
    if position < len(misses.turn):
        at = cuda.atomic.add(misses.used, 1, size)
        fits = at + size <= len(misses.members)
        misses.turn[position] = turn
        misses.at[position] = at
        misses.size[position] = size if fits else 0
        if fits:
            for j in range(size):
                misses.members[at + j] = members[start + j]


@cuda.jit(device=True)
def _option_score(launch: Launch, node: Node, row: Array, k: int) -> float:
    """Return the score of option k: Gür 2025, equation 1."""
    # A table of products takes as many instructions to fill as it saves.
    score = 0.0
    position = node.cell_at + k
    length = node.count
    block = 0
    while k < length:
        f, count = unpack_cell(int(launch.memo.cells[index(position)]), node.shift)
        term = launch.rules.terms[index(node.terms_at + count)]
        score = fold_cell(score, row[index(f)], term, False)
        position += length
        block += 1
        length = _block_length(launch, node, block)
    return score


@cuda.jit(device=True)
def _score_by_id(launch: Launch, node: Node, row: Array, guess: int) -> float:
    """Return a guess's score at a large set without options: one feedback id after the other."""
    by_secret = launch.rules.by_secret
    score = 0.0
    end = node.at + node.size
    for f in range(launch.population.weights.shape[2]):
        count = 0
        for j in range(node.at, end):
            count += by_secret[index(node.members[index(j)]), guess] == f
        score = fold_cell(score, row[f], launch.rules.terms[index(node.terms_at + count)], False)
    return score


@cuda.jit(device=True)
def _quad_at(launch: Launch, node: Node, j: int, quad: int, first: int) -> int:
    """Return the feedback ids of four guesses to member j, a byte each.

    Ids from `first` to first + 15 become 0 to 15, as `first` is a multiple of IDS, and all others
    16 or more, which have no increment.
    """
    ids = launch.rules.four_by_secret[index(node.members[index(j)]), index(quad)]
    return int(ids) ^ first * EACH_BYTE


@cuda.jit(device=True)
def _count_three(
    counts: int, increments: Array, shift: int, first: int, second: int, third: int
) -> int:
    """Add three members' feedback to the counts of the guess whose ids begin at bit `shift`."""
    counts += increments[index((first >> shift) & 255)]
    counts += increments[index((second >> shift) & 255)]
    return counts + increments[index((third >> shift) & 255)]


@cuda.jit(device=True)
def _sum_of_cells(launch: Launch, node: Node, row: Array, first: int, even: int, odd: int) -> float:
    """Return the score of IDS cells from id `first` on, by the counts of even and of odd ids."""
    score = 0.0
    terms = launch.rules.terms
    for position in range(IDS // 2):
        f = index(first + 2 * position)
        count = (even >> 8 * position) & 255
        other = (odd >> 8 * position) & 255
        score = fold_cell(score, row[f], terms[index(node.terms_at + count)], False)
        score = fold_cell(score, row[f + 1], terms[index(node.terms_at + other)], False)
    return score


@cuda.jit(device=True)
def _has_id(first: int, even: int, odd: int, f: int) -> bool:
    """Return whether a feedback id has been counted; even and odd hold ids from `first` on."""
    position = f - first
    if position < 0 or position >= IDS:
        return False
    counts = odd if position & 1 else even
    return (counts >> 8 * (position >> 1)) & 255 > 0


@cuda.jit(device=True)
def _scores_of_four(
    launch: Launch, node: Node, row: Array, increments: Array, quad: int
) -> tuple[float, float, float, float, int]:
    """Return the scores of four guesses at a set without options, and bits of the candidates.

    All counts are in registers. IDS ids are counted at a time, first in 4 bits each; after
    MOST_IN_4_BITS members these are added to counts of 8 bits, of even and of odd ids.

    The four guesses are a to d, each with variables of its own: an array of four, indexed in a
    loop, would be in the thread's local memory, which is slow, and not in registers.
    """
    a = 0.0
    b = 0.0
    c = 0.0
    d = 0.0
    candidates = 0
    end = node.at + node.size
    solved = launch.rules.solved
    for first in range(0, launch.population.weights.shape[2], IDS):
        # 1. Count the set's members by id, up to 15 at a time in 4 bits.
        a_even = int64(0)
        b_even = int64(0)
        c_even = int64(0)
        d_even = int64(0)
        a_odd = int64(0)
        b_odd = int64(0)
        c_odd = int64(0)
        d_odd = int64(0)
        j = node.at
        while j < end:
            stop = min(j + MOST_IN_4_BITS, end)
            a_counts = int64(0)
            b_counts = int64(0)
            c_counts = int64(0)
            d_counts = int64(0)
            while j + 3 <= stop:  # three at a time, so that their loads overlap
                x = _quad_at(launch, node, j, quad, first)
                y = _quad_at(launch, node, j + 1, quad, first)
                z = _quad_at(launch, node, j + 2, quad, first)
                a_counts = _count_three(a_counts, increments, 0, x, y, z)
                b_counts = _count_three(b_counts, increments, 8, x, y, z)
                c_counts = _count_three(c_counts, increments, 16, x, y, z)
                d_counts = _count_three(d_counts, increments, 24, x, y, z)
                j += 3
            while j < stop:
                x = _quad_at(launch, node, j, quad, first)
                a_counts += increments[index(x & 255)]
                b_counts += increments[index((x >> 8) & 255)]
                c_counts += increments[index((x >> 16) & 255)]
                d_counts += increments[index((x >> 24) & 255)]
                j += 1
            # 2. Add these counts to those of 8 bits. EVEN keeps the lower 4 bits of each byte, the
            #    counts of even ids; those of odd ids are the upper 4 bits.
            a_even = a_even + (a_counts & EVEN)
            a_odd = a_odd + ((a_counts >> 4) & EVEN)
            b_even = b_even + (b_counts & EVEN)
            b_odd = b_odd + ((b_counts >> 4) & EVEN)
            c_even = c_even + (c_counts & EVEN)
            c_odd = c_odd + ((c_counts >> 4) & EVEN)
            d_even = d_even + (d_counts & EVEN)
            d_odd = d_odd + ((d_counts >> 4) & EVEN)
        # 3. Score the cells of these ids.
        a += _sum_of_cells(launch, node, row, first, a_even, a_odd)
        b += _sum_of_cells(launch, node, row, first, b_even, b_odd)
        c += _sum_of_cells(launch, node, row, first, c_even, c_odd)
        d += _sum_of_cells(launch, node, row, first, d_even, d_odd)
        # A guess that some member answers with the solving feedback is that member.
        candidates |= _has_id(first, a_even, a_odd, solved)
        candidates |= _has_id(first, b_even, b_odd, solved) << 1
        candidates |= _has_id(first, c_even, c_odd, solved) << 2
        candidates |= _has_id(first, d_even, d_odd, solved) << 3
    return a, b, c, d, candidates


@cuda.jit(device=True)
def _option_as_winner(launch: Launch, node: Node, k: int) -> int:
    """Return option k as a packed winner."""
    option = node.option_at + k
    return _pack_winner(int(launch.memo.rank[index(option)]), option)


@cuda.jit(device=True)
def _guess_as_winner(launch: Launch, guess: int, is_candidate: bool) -> int:
    """Return a guess at a set without options as a packed winner."""
    n_guesses = launch.rules.by_secret.shape[1]
    return _pack_winner(int(tie_rank(guess, n_guesses, not is_candidate, False)), 0)


@cuda.jit(device=True)
def _with_score(
    best: float, lowest: float, winner: int, tolerance: float, score: float, new_winner: int
) -> tuple[float, float, int]:
    """Return the best score, the lowest of those merged into the winner, and the winner.

    A running choice with a tolerance: if a better score comes, what was merged so far may not tie
    with it. All of it ties if `lowest` does; none of it if the previous best doesn't; in between
    the winner is UNDECIDED, and a second scan from the final best score on finds it.
    """
    if score > best:
        threshold = tie_threshold(score, tolerance, 0.0)
        if best < threshold:
            return score, score, new_winner
        if lowest < threshold:
            return score, lowest, UNDECIDED
        return score, lowest, min(winner, new_winner)
    if score >= tie_threshold(best, tolerance, 0.0):
        return best, min(lowest, score), min(winner, new_winner)
    return best, lowest, winner


@cuda.jit(device=True)
def _fill_values(launch: Launch, node: Node, row: Array, values: Array) -> bool:
    """Fill in a known set's cell values, weight times term, by cell; return whether there is room.

    All threads of a block do; a barrier must follow.
    """
    n_values = launch.population.weights.shape[2] << node.shift
    fits = node.option_at >= 0 and n_values <= MOST_VALUES
    if fits:
        for cell in range(cuda.threadIdx.x, n_values, THREADS):
            f, count = unpack_cell(cell, node.shift)
            if count <= node.size:
                term = launch.rules.terms[index(node.terms_at + count)]
                values[cell] = row[index(f)] * term  # Gür 2025, equation 1: a cell's part
    return fits


@cuda.jit(device=True)
def _scores_of_options(
    launch: Launch, node: Node, values: Array, k: int
) -> tuple[float, float, float, float]:
    """Return the scores of options k, k + THREADS, k + 2 · THREADS and k + 3 · THREADS.

    Four at a time, so that their loads overlap: they take most of the time. In a block without an
    option's cell, option k's is read instead and not added; so scores from `count` on are 0.
    """
    a = 0.0
    b = 0.0
    c = 0.0
    d = 0.0
    position = node.cell_at
    length = node.count
    block = 0
    cells = launch.memo.cells
    # Options with more cells come first, so option k has a cell wherever one of the others has.
    while k < length:
        has_b = k + THREADS < length
        has_c = k + 2 * THREADS < length
        has_d = k + 3 * THREADS < length
        first = cells[index(position + k)]
        second = cells[index(position + (k + THREADS if has_b else k))]
        third = cells[index(position + (k + 2 * THREADS if has_c else k))]
        fourth = cells[index(position + (k + 3 * THREADS if has_d else k))]
        a += values[index(first)]
        b += values[index(second)] if has_b else 0.0
        c += values[index(third)] if has_c else 0.0
        d += values[index(fourth)] if has_d else 0.0
        position += length
        block += 1
        length = _block_length(launch, node, block)
    return a, b, c, d


@cuda.jit(device=True)
def _scan_options(
    launch: Launch, node: Node, row: Array, values: Array, fits: bool, best: float
) -> tuple[float, float, int]:
    """Return `_with_score` of a thread's options at a known set, from a known best score on."""
    lowest = best
    winner = LAST
    tolerance = launch.rules.tolerances[index(node.size)]
    if not fits:
        for k in range(cuda.threadIdx.x, node.count, THREADS):
            score = _option_score(launch, node, row, k)
            new_winner = _option_as_winner(launch, node, k)
            best, lowest, winner = _with_score(best, lowest, winner, tolerance, score, new_winner)
        return best, lowest, winner
    # Values in shared memory: four options at a time. Most fail the first comparison, which saves
    # reading their ranks.
    for k in range(cuda.threadIdx.x, node.count, 4 * THREADS):
        a, b, c, d = _scores_of_options(launch, node, values, k)
        if a >= best - tolerance:
            new_winner = _option_as_winner(launch, node, k)
            best, lowest, winner = _with_score(best, lowest, winner, tolerance, a, new_winner)
        if k + THREADS < node.count and b >= best - tolerance:
            new_winner = _option_as_winner(launch, node, k + THREADS)
            best, lowest, winner = _with_score(best, lowest, winner, tolerance, b, new_winner)
        if k + 2 * THREADS < node.count and c >= best - tolerance:
            new_winner = _option_as_winner(launch, node, k + 2 * THREADS)
            best, lowest, winner = _with_score(best, lowest, winner, tolerance, c, new_winner)
        if k + 3 * THREADS < node.count and d >= best - tolerance:
            new_winner = _option_as_winner(launch, node, k + 3 * THREADS)
            best, lowest, winner = _with_score(best, lowest, winner, tolerance, d, new_winner)
    return best, lowest, winner


@cuda.jit(device=True)
def _scan_guesses(
    launch: Launch, node: Node, row: Array, increments: Array, best: float
) -> tuple[float, float, int]:
    """Return `_with_score` of a thread's guesses at an unknown set, from a known best score on."""
    lowest = best
    winner = LAST
    tolerance = launch.rules.tolerances[index(node.size)]
    # Counts of large sets don't fit into 8 bits: count one feedback id after the other.
    if node.size > MOST_IN_8_BITS:
        for guess in range(cuda.threadIdx.x, node.count, THREADS):
            score = _score_by_id(launch, node, row, guess)
            if score >= best - tolerance:
                is_candidate = False
                for j in range(node.at, node.at + node.size):
                    feedback = launch.rules.by_secret[index(node.members[index(j)]), guess]
                    is_candidate |= feedback == launch.rules.solved
                new_winner = _guess_as_winner(launch, guess, is_candidate)
                best, lowest, winner = _with_score(
                    best, lowest, winner, tolerance, score, new_winner
                )
        return best, lowest, winner
    for quad in range(cuda.threadIdx.x, launch.rules.four_by_secret.shape[1], THREADS):
        a, b, c, d, candidates = _scores_of_four(launch, node, row, increments, quad)
        guess = 4 * quad
        new_winner = _guess_as_winner(launch, guess, candidates & 1 > 0)
        best, lowest, winner = _with_score(best, lowest, winner, tolerance, a, new_winner)
        # Only the first of the last four need exist.
        if guess + 1 < node.count:
            new_winner = _guess_as_winner(launch, guess + 1, candidates & 2 > 0)
            best, lowest, winner = _with_score(best, lowest, winner, tolerance, b, new_winner)
        if guess + 2 < node.count:
            new_winner = _guess_as_winner(launch, guess + 2, candidates & 4 > 0)
            best, lowest, winner = _with_score(best, lowest, winner, tolerance, c, new_winner)
        if guess + 3 < node.count:
            new_winner = _guess_as_winner(launch, guess + 3, candidates & 8 > 0)
            best, lowest, winner = _with_score(best, lowest, winner, tolerance, d, new_winner)
    return best, lowest, winner


@cuda.jit(device=True)
def _node(launch: Launch, members: Array, at: int, size: int, set_id: int) -> Node:
    """Return set `set_id` of the memo, or with −1 the one of `size` members from `at` on."""
    memo = launch.memo
    start = int64(at)
    n = int32(size)
    count = int64(launch.rules.by_secret.shape[1])
    option_at = int64(UNKNOWN)
    cell_at = int64(0)
    if set_id >= 0:
        set_index = index(set_id)
        members = memo.members
        start = memo.member_at[set_index]
        n = memo.size[set_index]
        count = memo.option_count[set_index]
        option_at = memo.option_at[set_index]
        cell_at = memo.cell_at[set_index]
    terms_at = launch.rules.terms_at[index(n)]
    shift = 32 - cuda.clz(n)
    return Node(members, start, int64(n), count, option_at, cell_at, terms_at, shift)


@cuda.jit(device=True)
def _node_at(launch: Launch, i: int, side: int, s: int) -> Node:
    """Return an individual's set."""
    entry = launch.work.sets[i, side, index(s)]
    at = int32(0)
    size = int32(0)
    set_id = entry[SET_ID]
    if set_id < 0:
        at = entry[AT]
        size = entry[SIZE]
    return _node(launch, launch.work.members[i, side], at, size, set_id)


@cuda.jit(device=True)
def _leader_score(launch: Launch, node: Node, row: Array, cells: Array) -> float:
    """Return the score of the option with these cells; empty ones, behind them, add nothing."""
    score = 0.0
    for j in range(len(cells)):
        f, count = unpack_cell(int(cells[index(j)]), node.shift)
        term = launch.rules.terms[index(node.terms_at + count)]
        score = fold_cell(score, row[index(f)], term, False)
    return score


@cuda.jit(device=True)
def _winner_of_leaders(
    launch: Launch,
    node: Node,
    row: Array,
    leaders: Array,
    bounds: Array,
    cells: Array,
    scores: Array,
    rise: float,
    fall: float,
) -> int:
    """Return the packed winner among the leaders, or UNDECIDED if another option may tie.

    The bound is that of `kernels.fitness`: no score exceeds its reference score by more than
    `slack`. Leaders are sorted by reference score, and bounds[LEADERS] is the best of all others'.
    """
    tolerance = launch.rules.tolerances[index(node.size)]
    reach = launch.rules.reach[index(node.size)]
    slack = rise * reach[0] - fall * reach[1]
    best = -inf
    tried = 0
    winner = LAST
    # 1. Score leaders until the next one's bound shows that neither it nor a later one can tie.
    while tried < LEADERS and bounds[tried] + slack >= best - tolerance:
        score = _leader_score(launch, node, row, cells[index(tried)])
        scores[tried] = score
        best = max(best, score)
        tried += 1
    # 2. Can an option that is no leader tie?
    if bounds[LEADERS] + slack >= best - tolerance:
        return UNDECIDED
    # 3. Of leaders that tie, the first in the tie order wins.
    for j in range(tried):
        if scores[j] >= best - tolerance:
            winner = min(winner, _option_as_winner(launch, node, leaders[j]))
    return winner


@cuda.jit(device=True)
def _try_leaders(
    launch: Launch, side: int, n_sets: int, row: Array, reference_row: Array, queue: int
) -> None:
    """Choose at sets whose leaders decide, a thread each; put the others into a queue.

    `reference_row` are the reference's weights at the turn. The winner of a queued set is LAST
    until `_choose_best` finds it.
    """
    cache = launch.cache
    work = launch.work
    i = cuda.blockIdx.x
    s = cuda.threadIdx.x
    island = i // launch.population.size
    most_sets = work.winner.shape[1]
    rise, fall = steps_between(reference_row, row)
    # The queue of a level is shared by all; in `finish` each individual has its part.
    first = 0 if queue < LEVELS else i * most_sets
    while s < n_sets:
        set_id = work.sets[i, side, index(s), SET_ID]
        winner = UNDECIDED
        if set_id >= 0 and rise >= 0.0:
            # The cache has one slot for a set: two sets of a slot displace each other.
            slot = index(set_id & (cache.sets.shape[1] - 1))
            if cache.sets[island, slot] == set_id:
                leaders = cache.leaders[island, slot]
                bounds = cache.scores[island, slot]
                node = _node_at(launch, i, side, s)
                scores = work.scores[i, index(s)]
                cells = cache.cells[island, slot]
                winner = _winner_of_leaders(
                    launch, node, row, leaders, bounds, cells, scores, rise, fall
                )
                cuda.atomic.add(cache.uses, (island, slot), 1)
            else:
                cuda.atomic.cas(cache.wanted, (SETS, island, slot), -1, set_id)
        if winner < 0:
            position = first + cuda.atomic.add(work.n_queued, queue, 1)
            work.queue[index(position)] = _pack_queued(i, s, most_sets)
            winner = LAST
        work.winner[i, index(s)] = winner
        s += cuda.blockDim.x


@cuda.jit(device=True)
def _choose_best(
    launch: Launch,
    i: int,
    side: int,
    s: int,
    turn_row: int,
    row: Array,
    increments: Array,
    values: Array,
    thread_best: Array,
) -> None:
    """Find the packed winner of a set, the first in the tie order; a block takes a set.

    The arrays are shared: `row` and `increments` (MOST_FEEDBACK,), `values` (MOST_VALUES,),
    `thread_best` (THREADS,).
    """
    thread = cuda.threadIdx.x
    weights = launch.population.weights
    n_feedback = weights.shape[2]
    # 1. Load the weights, up to a multiple of IDS.
    for f in range(thread, -(-n_feedback // IDS) * IDS, THREADS):
        row[f] = weights[i, turn_row, f] if f < n_feedback else 0.0
    cuda.syncthreads()
    node = _node_at(launch, i, side, s)
    fits = _fill_values(launch, node, row, values)
    cuda.syncthreads()
    # 2. Each thread chooses among its options or guesses.
    if node.option_at >= 0:
        best, lowest, winner = _scan_options(launch, node, row, values, fits, -inf)
    else:
        best, lowest, winner = _scan_guesses(launch, node, row, increments, -inf)
    # 3. Find the best score of all threads, by halves.
    thread_best[thread] = best
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if thread < half:
            thread_best[thread] = max(thread_best[thread], thread_best[thread + half])
        cuda.syncthreads()
        half //= 2
    top = thread_best[0]
    # 4. Threads whose best score ties join. One that can't tell its winner among those that tie
    #    with the best of all scans again, from that score on.
    threshold = tie_threshold(top, launch.rules.tolerances[index(node.size)], 0.0)
    if best >= threshold:
        if (winner < 0 or lowest < threshold) and node.option_at >= 0:
            _, _, winner = _scan_options(launch, node, row, values, fits, top)
        elif winner < 0 or lowest < threshold:
            _, _, winner = _scan_guesses(launch, node, row, increments, top)
        cuda.atomic.min(launch.work.winner, (i, s), winner)
    cuda.syncthreads()  # before the next set uses the shared arrays


@cuda.jit(device=True)
def _copy_cell(
    launch: Launch, node: Node, guess: int, f: int, to: Array, position: int
) -> tuple[int, int]:
    """Copy the members of a cell to `to`, from `place` on; return the place behind them and a key.

    The key lacks the turn's part.
    """
    j = node.at
    end = node.at + node.size
    key = int64(0)
    by_secret = launch.rules.by_secret
    zobrist = launch.rules.zobrist
    while j + 4 <= end:  # four at a time, so that their loads overlap
        a = index(node.members[index(j)])
        b = index(node.members[index(j + 1)])
        c = index(node.members[index(j + 2)])
        d = index(node.members[index(j + 3)])
        is_a = by_secret[a, guess] == f
        is_b = by_secret[b, guess] == f
        is_c = by_secret[c, guess] == f
        is_d = by_secret[d, guess] == f
        if is_a:
            to[index(position)] = a
            position = position + 1
            key = key ^ zobrist[a]
        if is_b:
            to[index(position)] = b
            position = position + 1
            key = key ^ zobrist[b]
        if is_c:
            to[index(position)] = c
            position = position + 1
            key = key ^ zobrist[c]
        if is_d:
            to[index(position)] = d
            position = position + 1
            key = key ^ zobrist[d]
        j += 4
    while j < end:
        a = index(node.members[index(j)])
        if by_secret[a, guess] == f:
            to[index(position)] = a
            position = position + 1
            key = key ^ zobrist[a]
        j += 1
    return position, key


@cuda.jit(device=True)
def _size_of_cell(launch: Launch, node: Node, guess: int, f: int) -> int:
    """Return the number of members that answer a guess with feedback id f."""
    n = 0
    j = node.at
    end = node.at + node.size
    by_secret = launch.rules.by_secret
    while j + 4 <= end:  # four at a time, so that their loads overlap
        a = index(node.members[index(j)])
        b = index(node.members[index(j + 1)])
        c = index(node.members[index(j + 2)])
        d = index(node.members[index(j + 3)])
        n += (by_secret[a, guess] == f) + (by_secret[b, guess] == f)
        n += (by_secret[c, guess] == f) + (by_secret[d, guess] == f)
        j += 4
    while j < end:
        n += by_secret[index(node.members[index(j)]), guess] == f
        j += 1
    return n


@cuda.jit(device=True)
def _child_of(
    launch: Launch, node: Node, guess: int, f: int, side: int, turn: int, filled: Array
) -> tuple[int, int, int]:
    """Return the id of a cell's set, or UNKNOWN, NONE, ONE; where its members are; their number.

    Members of cells of two or more are copied to `side`, even if the set is in the memo: its key is
    found on the way.
    """
    n = _size_of_cell(launch, node, guess, f)
    if n < 2 or f == launch.rules.solved:
        return ONE if n == 1 and f != launch.rules.solved else NONE, 0, n
    members = launch.work.members[cuda.blockIdx.x, side]
    start = cuda.atomic.add(filled, MEMBERS_FILLED, n)
    _, key = _copy_cell(launch, node, guess, f, members, start)
    # Look the set up as `option_memo.find_set` does: the key of its members and turn.
    key ^= launch.rules.turn_keys[turn]
    slot = find_slot(launch.memo, key & (len(launch.memo.slots) - 1), key, turn, members, start, n)
    child = int(launch.memo.slots[slot])
    # The host may know a set without having found its options yet.
    if child < 0 or launch.memo.option_at[child] < 0:
        child = UNKNOWN
        _record_miss(launch, turn, key, members, start, n)
    return child, start, n


@cuda.jit(device=True)
def _move_to_cells(launch: Launch, side: int, n_sets: int, turn: int, filled: Array) -> None:
    """Fill the other side with the winners' cells of two or more; add guesses to the total.

    SPLITTERS threads take a set, a feedback id each at a time. The total guesses of a tree are the
    sum of its sets' sizes; a cell of one candidate adds 1.
    """
    i = cuda.blockIdx.x
    lane = cuda.threadIdx.x % SPLITTERS
    s = cuda.threadIdx.x // SPLITTERS
    cache = launch.cache
    other = 1 - side
    n_guesses = launch.rules.by_secret.shape[1]
    island = i // launch.population.size
    while s < n_sets:
        node = _node_at(launch, i, side, s)
        rank, option = _unpack_winner(launch.work.winner[i, index(s)])
        guess = index(rank % n_guesses)
        slot = index(option & (cache.sets.shape[1] - 1))
        request = _pack_request(option, i)
        # 1. Are the option's children in the cache?
        linked = node.option_at >= 0 and cache.options[island, slot] == option
        spent = 0
        if lane == 0:
            spent += node.size
        # 2. Move to each child, or split the set to find it.
        for f in range(lane, cache.children.shape[3], SPLITTERS):
            child = UNKNOWN
            at = 0
            n = 0
            if linked:
                child = int(cache.children[0, island, slot, f])
            else:
                child, at, n = _child_of(launch, node, guess, f, other, turn, filled)
                if node.option_at >= 0:
                    # The block whose request is first gets the slot, so that all children there
                    # are of one option.
                    before = cuda.atomic.cas(cache.wanted, (OPTIONS, island, slot), -1, request)
                    if before < 0 or before == request:
                        cache.children[1, island, slot, f] = child
            if child == ONE:
                spent += 1
            elif child != NONE:
                entry = launch.work.sets[i, other, cuda.atomic.add(filled, SETS_FILLED, 1)]
                entry[AT] = at
                entry[SIZE] = n
                entry[SET_ID] = child
        if spent > 0:
            cuda.atomic.add(launch.population.totals, i, spent)
        s += cuda.blockDim.x // SPLITTERS


@cuda.jit(device=True)
def _advance(
    launch: Launch, level: int, queue: int, filled: Array, row: Array, reference_row: Array
) -> int:
    """Move an individual to a level's sets and choose where leaders decide; return their number.

    At level 0 the sets are there already. `queue` is the position in `n_queued` for sets left open.
    The arrays are shared: `filled` (2,), `row` and `reference_row` (MOST_FEEDBACK,).
    """
    i = cuda.blockIdx.x
    thread = cuda.threadIdx.x
    weights = launch.population.weights
    side = level & 1
    n_feedback = weights.shape[2]
    turn = min(launch.start.turn + level, launch.rules.last_turn)
    if thread < len(filled):
        filled[thread] = 0
    for f in range(thread, n_feedback, cuda.blockDim.x):
        row[f] = weights[i, turn - 1, f]
        reference_row[f] = launch.cache.reference[i // launch.population.size, turn - 1, f]
    cuda.syncthreads()
    # After the first turn with weights, sets are the cells of the previous level's.
    n_sets = launch.work.n_sets[i, side]
    if level > 0:
        _move_to_cells(launch, 1 - side, launch.work.n_sets[i, 1 - side], turn, filled)
        cuda.syncthreads()
        n_sets = filled[SETS_FILLED]
        if thread == 0:
            launch.work.n_sets[i, side] = n_sets
    _try_leaders(launch, side, n_sets, row[:n_feedback], reference_row[:n_feedback], queue)
    cuda.syncthreads()
    return n_sets


@cuda.jit(device=True)
def _fill_increments(increments: Array) -> None:
    """Fill in what a feedback id adds to counts of 4 bits; ids from IDS on add nothing."""
    for f in range(cuda.threadIdx.x, MOST_FEEDBACK, THREADS):
        increments[f] = int64(1) << 4 * f if f < IDS else 0


@cuda.jit
def begin(launch: Launch) -> None:
    """Put active individuals at the sets of the first weighted turn, and empty the queues."""
    i = cuda.blockIdx.x
    thread = cuda.threadIdx.x
    work = launch.work
    n_sets = len(launch.start.sets) if launch.population.active[i] > 0 else 0
    for s in range(thread, n_sets, cuda.blockDim.x):
        work.sets[i, 0, s, SET_ID] = launch.start.sets[s]
    if thread == 0:
        work.n_sets[i, 0] = n_sets
        work.n_sets[i, 1] = 0
        work.n_queued[LEVELS + i] = 0
        # The levels' queues are shared: each block empties some.
        for level in range(i, LEVELS, cuda.gridDim.x):
            work.n_queued[level] = 0


@cuda.jit
def advance(launch: Launch, level: int) -> None:
    """Move individuals to the sets of a level; put what leaders don't decide into its queue."""
    filled = cuda.shared.array(2, int32)
    row = cuda.shared.array(MOST_FEEDBACK, float64)
    reference_row = cuda.shared.array(MOST_FEEDBACK, float64)
    i = cuda.blockIdx.x
    # Both sides are empty once an individual has solved all secrets, or if its total is known. The
    # whole block returns, so no thread waits at a barrier alone.
    if launch.work.n_sets[i, 0] == 0 and launch.work.n_sets[i, 1] == 0:
        return
    _advance(launch, level, level, filled, row, reference_row)


@cuda.jit
def choose(launch: Launch, level: int) -> None:
    """Choose at the sets in a level's queue, of all individuals; a block takes a set at a time."""
    row = cuda.shared.array(MOST_FEEDBACK, float64)
    thread_best = cuda.shared.array(THREADS, float64)
    increments = cuda.shared.array(MOST_FEEDBACK, int64)
    values = cuda.shared.array(MOST_VALUES, float64)
    work = launch.work
    q = cuda.blockIdx.x
    turn_row = min(launch.start.turn + level, launch.rules.last_turn) - 1
    n_queued = work.n_queued[level]
    most_sets = work.winner.shape[1]
    if q < n_queued:
        _fill_increments(increments)
    while q < n_queued:
        i, s = _unpack_queued(work.queue[q], most_sets)
        _choose_best(launch, i, level & 1, s, turn_row, row, increments, values, thread_best)
        q += cuda.gridDim.x


@cuda.jit
def finish(launch: Launch) -> None:
    """Play the turns after LEVELS to the end; a block takes an individual."""
    filled = cuda.shared.array(2, int32)
    row = cuda.shared.array(MOST_FEEDBACK, float64)
    reference_row = cuda.shared.array(MOST_FEEDBACK, float64)
    increments = cuda.shared.array(MOST_FEEDBACK, int64)
    values = cuda.shared.array(MOST_VALUES, float64)
    thread_best = cuda.shared.array(THREADS, float64)
    work = launch.work
    i = cuda.blockIdx.x
    level = LEVELS
    most_sets = work.winner.shape[1]
    n_sets = work.n_sets[i, (LEVELS - 1) & 1]
    if n_sets > 0:
        _fill_increments(increments)
    while n_sets > 0:
        n_sets = _advance(launch, level, LEVELS + i, filled, row, reference_row)
        n_queued = work.n_queued[LEVELS + i]
        turn_row = min(launch.start.turn + level, launch.rules.last_turn) - 1
        for q in range(n_queued):
            _, s = _unpack_queued(work.queue[i * most_sets + q], most_sets)
            _choose_best(launch, i, level & 1, s, turn_row, row, increments, values, thread_best)
        cuda.syncthreads()  # all threads have read the length of the queue
        if cuda.threadIdx.x == 0:
            work.n_queued[LEVELS + i] = 0
        level += 1
        cuda.syncthreads()  # before the next level fills the queue


@cuda.jit(device=True)
def _list_best_options(
    n: int, scores: Array, thread_best: Array, listed: Array, n_listed: Array
) -> None:
    """List few of n options, among them the LEADERS + 1 best ones; a block does.

    Fills `listed` (MOST_RANKED,) and `n_listed` (1,), in any order. All arrays are shared.
    """
    thread = cuda.threadIdx.x
    # 1. Find the best score of each group: the options of equal k modulo GROUPS.
    group_best = -inf
    for k in range(thread, n, THREADS):
        group_best = max(group_best, scores[k])
    thread_best[thread] = group_best
    if thread == 0:
        n_listed[0] = 0
    cuda.syncthreads()
    if thread < GROUPS:
        for other in range(thread + GROUPS, THREADS, GROUPS):
            group_best = max(group_best, thread_best[other])
        thread_best[thread] = group_best
    cuda.syncthreads()
    # 2. The bound is the group's best with LEADERS others above it. LEADERS + 1 options reach it,
    #    one in each of these groups, so no option below it is among the LEADERS + 1 best.
    n_above = 0
    if thread < GROUPS:
        for other in range(GROUPS):
            n_above += thread_best[other] > group_best or (
                thread_best[other] == group_best and other < thread
            )
    cuda.syncthreads()
    if thread < GROUPS and n_above == LEADERS:
        thread_best[0] = group_best
    cuda.syncthreads()
    bound = thread_best[0]
    # 3. List all options above the bound, then at most LEADERS + 1 that equal it.
    for k in range(thread, n, THREADS):
        if scores[k] > bound:
            listed[cuda.atomic.add(n_listed, 0, 1)] = k
    cuda.syncthreads()
    most_listed = n_listed[0] + LEADERS + 1
    cuda.syncthreads()
    for k in range(thread, n, THREADS):
        if scores[k] == bound:
            position = cuda.atomic.add(n_listed, 0, 1)
            if position < most_listed:
                listed[position] = k
    cuda.syncthreads()
    if thread == 0:
        n_listed[0] = min(n_listed[0], most_listed)
    cuda.syncthreads()


@cuda.jit(device=True)
def _copy_cells(launch: Launch, node: Node, k: int, to: Array) -> None:
    """Copy the packed cells of option k to `to`, (n_feedback,), and zeros behind them."""
    position = node.cell_at + k
    length = node.count
    parts = 0
    while k < length:
        to[parts] = launch.memo.cells[index(position)]
        position += length
        parts += 1
        length = _block_length(launch, node, parts)
    for f in range(parts, len(to)):
        to[f] = 0


@cuda.jit(device=True)
def _learn_option(cache: Cache, island: int, slot: int) -> None:
    """Move the children of the option that was wanted into its slot, if all are in the memo."""
    request = cache.wanted[OPTIONS, island, slot]
    complete = True
    if request >= 0:
        for f in range(cache.children.shape[3]):
            child = cache.children[1, island, slot, f]
            cache.children[0, island, slot, f] = child
            complete = complete and child != UNKNOWN
        option, _ = _unpack_request(request)
        cache.options[island, slot] = option if complete else -1
        cache.wanted[OPTIONS, island, slot] = -1


@cuda.jit
def learn(launch: Launch, renews: bool) -> None:
    """Fill the slots of what was wanted; an island's first individual may become its reference.

    A block takes SLOTS_OF_BLOCK slots, and all its threads rank the options of one set after the
    other. Sets of more than MOST_RANKED options have no leaders. If `renews`, the first
    individual's weights become the reference (it is the best one except in restarts), and all slots
    in use are ranked again.
    """
    cache = launch.cache
    memo = launch.memo
    weights = launch.population.weights
    island = cuda.blockIdx.y
    thread = cuda.threadIdx.x
    new_slots = cuda.shared.array(SLOTS_OF_BLOCK, int32)
    n_new = cuda.shared.array(1, int32)
    scores = cuda.shared.array(MOST_RANKED, float64)
    listed = cuda.shared.array(MOST_RANKED, int32)
    thread_best = cuda.shared.array(THREADS, float64)
    n_listed = cuda.shared.array(1, int32)
    reference = cache.reference[island]
    # 1. Renew the reference. Blocks share the writing, and read what is written from `weights`.
    if renews:
        reference = weights[island * launch.population.size]
        for entry in range(cuda.grid(1), reference.size, cuda.gridsize(1)):
            turn_row = entry // reference.shape[1]
            f = entry % reference.shape[1]
            cache.reference[island, turn_row, f] = reference[turn_row, f]
    if thread == 0:
        n_new[0] = 0
    cuda.syncthreads()
    # 2. List the slots whose sets are to be ranked.
    if thread < SLOTS_OF_BLOCK:
        slot = cuda.blockIdx.x * SLOTS_OF_BLOCK + thread
        set_id = cache.wanted[SETS, island, slot]
        if renews:
            # Sets that nobody asked for since the last time are forgotten.
            if set_id < 0 and cache.uses[island, slot] > 0:
                set_id = cache.sets[island, slot]
            cache.sets[island, slot] = -1
            cache.uses[island, slot] = 0
        if set_id >= 0 and memo.option_count[set_id] <= MOST_RANKED:
            new_slots[cuda.atomic.add(n_new, 0, 1)] = slot
            cache.sets[island, slot] = set_id
        cache.wanted[SETS, island, slot] = -1
        _learn_option(cache, island, slot)
    cuda.syncthreads()
    # 3. Rank their options: score all, list few, and count for each of these how many precede it.
    for new in range(n_new[0]):
        slot = new_slots[new]
        set_id = cache.sets[island, slot]
        row = reference[min(memo.turn[set_id], launch.rules.last_turn) - 1]
        node = _node(launch, memo.members, 0, 0, set_id)
        for k in range(thread, node.count, THREADS):
            scores[k] = _option_score(launch, node, row, k)
        cuda.syncthreads()
        _list_best_options(node.count, scores, thread_best, listed, n_listed)
        leaders = cache.leaders[island, slot]
        bounds = cache.scores[island, slot]
        for entry in range(thread, n_listed[0], THREADS):
            k = listed[entry]
            score = scores[k]
            rank = 0
            for j in range(n_listed[0]):
                other = listed[j]
                rank += scores[other] > score or (scores[other] == score and other < k)
            if rank <= LEADERS:
                leaders[rank] = k
                bounds[rank] = score
            if rank < LEADERS:
                _copy_cells(launch, node, k, cache.cells[island, slot, rank])
        # A set with fewer options has bounds that no score reaches.
        for rank in range(node.count + thread, LEADERS + 1, THREADS):
            bounds[rank] = -inf
        cuda.syncthreads()
