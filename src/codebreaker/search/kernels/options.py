"""The data of a search, and the guesses to try in order of bounds."""

from typing import NamedTuple

import numpy as np

from codebreaker.search.kernels import cost_bounds, frames
from codebreaker.search.kernels.frames import Exchanges, Frame
from codebreaker.sets.compile import njit
from codebreaker.sets.memo import Memo
from codebreaker.types import CellSizes, FeedbackIds, Hashes, Indices, Offsets

LEFT, SETS_SEARCHED, LOOKUPS, SETS_MARKED = range(4)
"""Positions in `Search.tally`: the work left (table look-ups, or sets with weights), and counts."""

OWN_FRAME = 16  # smallest set that gets its own frame, below one of twice its size
FRAME_BYTES = 1 << 28
BUCKETS = 1 << 12  # maximum number of buckets by which bounds are sorted
COUNTED = 4  # above so many candidates per part of the finest guess, bounds use cell sizes


class Search(NamedTuple):
    """A game, its costs, the guesses to try, a memo, counts, and working memory by depth.

    The tuple is flat: with nested tuples MM(4,7) took 2.2 s instead of 2.0.

    - `frame` has all secrets and guesses, without planes; `by_secret` (n_secrets, n_guesses) has
      its labels by secret, or is empty for a small game.
    - `bounds` (n_turns + 1, n_secrets + 1): lower bounds on the cost of n secrets with k guesses
      left; the last row is for any number of guesses, and also follows row 0. `charges`
      (n_turns + 1,): the cost of a guess per member. `weights` (n_secrets,), if any, replace both.
    - Sets of more than beam[0] candidates try only beam[1] guesses, the best by the `estimates` of
      their cells by size.
    - By depth: `options` (twice the column, plus 1 if its guess is a candidate), `option_bounds`
      and `order` (n_depths, n_guesses); `members` (n_depths, n_secrets), cell f from at[depth, f]
      on; the `cells` to solve, their `values` and whether these are `exact` (n_depths, n_labels);
      `cell_bounds` (n_depths, n_secrets + 1), with weights the first possible turn by place.
    - `signatures` (n_depths, a power of two ≥ 2 n_guesses) is a hash table of partitions.
      `allowed` (n_guesses,) marks the columns to try at depth 0. `counts` is 0 between uses.
    """

    frame: Frame
    by_secret: FeedbackIds
    guess_of_secret: Indices
    n_feedback: int
    consistent_only: bool
    exchanges: Exchanges
    bounds: Indices
    charges: Offsets
    weights: Offsets
    beam: Offsets
    estimates: Offsets
    memo: Memo
    tally: Offsets
    allowed: FeedbackIds
    words: CellSizes
    parts: CellSizes
    by_parts: Offsets
    options: Indices
    option_bounds: Indices | Offsets
    order: Indices
    signatures: Hashes
    labels: FeedbackIds
    members: Indices
    at: Offsets
    cells: Indices
    values: Offsets
    exact: FeedbackIds
    cell_bounds: Offsets
    found: Indices
    marks: Offsets
    counts: Indices


@njit(nogil=True)
def _mark_allowed(allowed: FeedbackIds, column_of: Indices, n_columns: int, pool: Indices) -> None:
    allowed[:n_columns] = len(pool) == len(column_of)
    for guess in pool:
        if column_of[guess] >= 0:
            allowed[column_of[guess]] = 1


@njit(nogil=True)
def _frame_of(search: Search, members: Indices, pool: Indices) -> Frame:
    """Return a set's frame at depth 0, and mark the columns to try."""
    guess_of_secret, n_feedback = search.guess_of_secret, search.n_feedback
    if len(search.by_secret):
        frame = frames.frame_of_table(
            search.frame, search.by_secret, members, guess_of_secret, n_feedback
        )
    else:
        frame = frames.make_frame(search.frame, members, guess_of_secret, n_feedback)
    _mark_allowed(search.allowed, frame.column_of, len(frame.guesses), pool)
    return frame


@njit(nogil=True)
def _count(search: Search, frame: Frame, members: Indices, n_columns: int) -> None:
    """Count the parts of the first columns; without planes, of the candidates' columns."""
    if len(frame.widths):
        if len(members) < frame.labels.shape[1]:
            frames.count_parts(frame, members, n_columns, search.words, search.parts)
            return
        for k in range(n_columns):
            search.parts[k] = frame.parts[k]
        return
    counts, guess_of_secret = search.counts, search.guess_of_secret
    n_tried = len(members) if search.consistent_only else n_columns
    for entry in range(n_tried):
        column = guess_of_secret[members[entry]] if search.consistent_only else entry
        labels, parts = frame.labels[column], 0
        for j in range(len(members)):
            label = labels[frame.row_of[members[j]]]
            parts += counts[label] == 0
            counts[label] = 1
        for j in range(len(members)):
            counts[labels[frame.row_of[members[j]]]] = 0
        search.parts[column] = parts


@njit(nogil=True)
def _find_options(
    search: Search, frame: Frame, depth: int, members: Indices, left: int, limit: int
) -> tuple[int, int, bool]:
    """List columns with bounds below a limit; return their number and the results of `_sort`."""
    n, options, option_bounds = len(members), search.options[depth], search.option_bounds[depth]
    cap = min(n, np.int64(frame.parts[0]))
    by_parts, bounds, charges = search.by_parts, search.bounds, search.charges
    fewest = cost_bounds._fewest_parts(bounds, charges, n, np.int64(1), cap, left, limit, by_parts)
    if not search.consistent_only:
        # A guess that is no candidate has one more unsolved part, which may matter more later.
        others = cost_bounds._fewest_parts(
            bounds, charges, n, np.int64(0), cap, left, limit, by_parts
        )
        fewest = min(fewest, others)
    n_columns = cost_bounds._first_columns(frame.parts, fewest)
    search.tally[LOOKUPS] += n_columns * n
    search.tally[LEFT] -= n_columns * n
    if n_columns == 0:
        return 0, cost_bounds.INFEASIBLE, True
    _count(search, frame, members, n_columns)
    most = 0
    if search.consistent_only:
        for member in members:
            most = max(most, int(np.int64(search.parts[search.guess_of_secret[member]])))
    else:
        for k in range(n_columns):
            most = max(most, int(np.int64(search.parts[k])))
        if n_columns < len(frame.parts):
            most = max(most, min(n, int(np.int64(frame.parts[n_columns]))))
    if most < fewest:
        return 0, cost_bounds.INFEASIBLE, True
    cell_bounds = search.cell_bounds[depth]
    cost_bounds._fill_cell_bounds(
        cell_bounds, bounds, charges, n, most, cost_bounds._row_after(bounds, left)
    )
    charge, n_options = n * search.charges[left], np.int64(0)
    for solved in range(1, -1, -1):
        fewest = cost_bounds._fewest_parts(bounds, charges, n, solved, most, left, limit, by_parts)
        if solved == 0 and search.consistent_only:
            break
        for entry in range(n if solved else n_columns):
            column = entry
            if solved:
                column = frame.column_of[search.guess_of_secret[members[entry]]]
                if column >= n_columns:
                    continue
            parts = np.int64(search.parts[column])
            if solved:
                search.parts[column] = 0
            if parts < fewest or (depth == 0 and not search.allowed[column]):
                continue
            if n > COUNTED * most:
                cells = cost_bounds._bound_of_cells(
                    frame.labels, column, frame.row_of, members, cell_bounds, search.counts
                )
                bound = charge - solved * cell_bounds[1] + cells
            else:
                bound = by_parts[parts]
            if bound < limit:
                options[n_options], option_bounds[n_options] = 2 * column + solved, bound
                n_options += 1
    lowest, in_order = _sort(option_bounds, search.order[depth], n_options)
    return int(n_options), lowest, in_order


@njit(nogil=True)
def _sort(option_bounds: Indices | Offsets, order: Indices, n_options: int) -> tuple[int, bool]:
    """Order options by bound; return the lowest, and whether the order is exact."""
    lowest, greatest, shift = cost_bounds.INFEASIBLE, 0, 0
    for k in range(n_options):
        lowest, greatest = min(lowest, option_bounds[k]), max(greatest, option_bounds[k])
    span = max(greatest - lowest + 1, 0)
    while span > BUCKETS:
        span, shift = (span + 1) >> 1, shift + 1
    starts = np.zeros(span + 2, np.int32)
    for k in range(n_options):
        starts[((option_bounds[k] - lowest) >> shift) + 1] += 1
    for step in range(span):
        starts[step + 1] += starts[step]
    for k in range(n_options):
        bucket = (option_bounds[k] - lowest) >> shift
        order[starts[bucket]] = k
        starts[bucket] += 1
    return lowest, shift == 0


@njit(nogil=True)
def _order_by_estimates(
    search: Search, frame: Frame, depth: int, members: Indices, n_options: int
) -> None:
    """Order options by the estimates of their cells; after the first of each value, the others."""
    estimates, counts = search.estimates, search.counts
    options = search.options[depth]
    keys = np.empty(n_options, np.int64)
    for k in range(n_options):
        labels, total = frame.labels[options[k] >> 1], 0
        for member in members:
            counts[labels[frame.row_of[member]]] += 1
        for member in members:
            label = labels[frame.row_of[member]]
            total += estimates[counts[label]]
            counts[label] = 0
        keys[k] = total - (options[k] & 1) * estimates[1]
    in_order, entry = np.argsort(keys, kind="mergesort"), 0
    for repeated in (False, True):
        last = -1
        for k in in_order:
            if (keys[k] == last) == repeated:
                search.order[depth, entry] = k
                entry += 1
            last = keys[k]


@njit(nogil=True, inline="always")
def _frame_and_options(
    search: Search, frame: Frame, depth: int, members: Indices, left: int, limit: int, pool: Indices
) -> tuple[Frame, bool, int, int, bool]:
    """Return a set's frame, whether it is its own, and its options; inlined: frames are large."""
    n = len(members)
    if depth == 0:
        n_planes = (search.n_feedback + frames.WORD - 1) // frames.WORD
        size = n * len(frame.guesses) * (1 + 2 * n_planes)
        if not search.consistent_only and size <= FRAME_BYTES:
            frame = _frame_of(search, members, pool)
        else:
            _mark_allowed(search.allowed, frame.column_of, len(frame.guesses), pool)
    n_options, lowest, in_order = _find_options(search, frame, depth, members, left, limit)
    own = len(frame.widths) > 0 and n == frame.labels.shape[1]
    if n_options and len(frame.widths) > 1 and n >= OWN_FRAME and 2 * n <= frame.labels.shape[1]:
        frame, own = (
            frames.make_frame(frame, members, search.guess_of_secret, search.n_feedback),
            True,
        )
        n_options, lowest, in_order = _find_options(search, frame, depth, members, left, limit)
    if n > search.beam[0] and n_options > search.beam[1]:
        _order_by_estimates(search, frame, depth, members, n_options)
        in_order = False
    return frame, own, n_options, lowest, in_order
