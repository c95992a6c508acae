"""What the fitness kernels hold in the memory of a CUDA device."""

from typing import Any, NamedTuple

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
    """The parts of `OptionMemo` that hold a set's options."""

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


class Start(NamedTuple):
    """The sets of the first weighted turn: members, where each set starts, sizes; and the turn."""

    members: Array
    at: Array
    size: Array
    turn: int


class Population(NamedTuple):
    """Individuals, n of them.

    `weights` (n, n_turns, n_feedback) float64 integers, `orders` (n, n_turns) int32, `active` (n,)
    int32, 0 for those that need no total, and `totals` (n,) int64.
    """

    weights: Array
    orders: Array
    active: Array
    totals: Array


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
