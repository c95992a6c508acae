"""The arrays of a launch of the fitness on CUDA."""

from collections import namedtuple

DeviceGame = namedtuple(
    "DeviceGame", "by_secret solved last_turn terms terms_at tolerances reach zobrist turn_keys"
)
"""A game like `ScoredGame` with its one criterion, `reach` (n_secrets + 1, 2) by size as in
`OptionMemo`, and hash keys as signed integers."""

DeviceMemo = namedtuple(
    "DeviceMemo", "slots key turn size member_at members option_at option_count cell_at cells rank"
)
"""The parts of `OptionMemo` that hold a set's options."""

Cache = namedtuple("Cache", "reference sets leaders scores options children wanted")
"""What an island found lately, which saves work and changes no result; −1 where nothing is known.

A set lies in its slot of `sets` (n_islands, n_slots) int64, with the best options under the
`reference` (n_islands, n_turns, n_feedback), best first: `leaders` and `scores` (n_islands,
n_slots, LEADERS + 1), where the last stand for all others. An option lies in its slot of `options`,
with its `children` by feedback, (2, n_islands, n_slots, n_feedback): ids, NONE or ONE; the second
are those of the option that is wanted. `wanted` (2, n_islands, n_slots) int64: sets; options, each
times MOST_BLOCKS plus the block that found the children.
"""

Start = namedtuple("Start", "members sets turn")
"""The sets of the first weighted turn, as in `Work`; and the turn."""

Population = namedtuple("Population", "weights active totals size")
"""`weights` (n, n_turns, n_feedback) float64, `active` (n,) int32, `totals` (n,) int64; individuals
of an island."""

Work = namedtuple("Work", "members sets queue cells lane_best lane_rank best winner")
"""Working memory of the blocks, for the sets of this turn and the next.

`members` (n_blocks, 2, n_secrets); `sets` (n_blocks, 2, n_sets, 3): start, size, id in the memo or
−1, with which the others don't count; `queue` (n_blocks, n_sets): sets to score; `cells` (n_blocks,
THREADS, n_feedback): zeros between sets. Per set: each lane's best score, the best of all, and the
`winner`'s rank in the tie order, with its option in the low half.
"""

Misses = namedtuple("Misses", "seen patience used turn at size members")
"""Sets missing from the memo: `used` counts sets and members; each set's turn, start, size.

A set is recorded whenever 2 ** `patience` more of its members were `seen`, counted by hash key.
"""

Launch = namedtuple("Launch", "rules memo cache start population work misses")
"""The arguments of a launch."""
