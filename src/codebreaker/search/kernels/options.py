"""The data of a search, and the guesses to try at a set in order of their bounds."""

from typing import NamedTuple

import numpy as np

from codebreaker.compiling.by_reference import by_reference
from codebreaker.compiling.cpu import inner, njit
from codebreaker.search.kernels import cost_bounds, frames
from codebreaker.search.kernels.costs import INFEASIBLE
from codebreaker.search.kernels.frames import Exchanges, Frame
from codebreaker.sets.numbering import (
    Numbers,
    SymmetricCodes,
    guess_of_number,
    number_of_guess,
    number_set,
    numbered_key,
)
from codebreaker.sets.primitives import sort_positions
from codebreaker.sets.transposition import TranspositionTable
from codebreaker.types import CellSizes, FeedbackIds, Hashes, Indices, Offsets

DONE, STOPPED, TOO_DEEP = range(3)
"""Statuses of a search; a cost that comes with another status than DONE has no meaning.

STOPPED: the work of `Search.tally` is used up. TOO_DEEP: there is no working memory at this depth.
Steps of other searches may have more: the recursion passes on any but DONE.
"""

WORK_LEFT, SETS_SEARCHED, LOOKUPS, SETS_MARKED = range(4)
"""Positions in `Search.tally`: the work left (table look-ups; sets, with weights), and counts."""

OWN_FRAME = 16
"""Minimum size of a set that gets its own frame, if it is at most half of the present frame's."""

FRAME_BYTES = 1 << 28
"""Maximum bytes of the frame of the set at depth 0; larger sets are searched in the whole table."""

BUCKETS = 1 << 12
"""Maximum number of buckets in which options are sorted by bound."""

COUNTED = 4
"""Candidates per part of the finest guess above which bounds use the sizes of all cells."""


@by_reference
class Search(NamedTuple):
    """The data of a search, in five groups; README.md draws its arrays.

    The tuple is flat: with a nested tuple for each group, compiling the search took 5 % more CPU
    time, and solving MM(4,7) as long as now.

    - The game. `frame` has all secrets and guesses, without planes; `by_secret`
      (n_secrets, n_guesses) has its labels by secret, or is empty for a small game. `codes` and
      `exchanges` are empty if the search may use no symmetries.
    - Costs, bounds, and the guesses to try. `bounds` (n_turns + 1, n_secrets + 1): lower bounds on
      the cost of n secrets with k guesses left; the last row is for any number of guesses, and also
      follows row 0. `charges` (n_turns + 1,): the cost of a guess per member. `weights`
      (n_secrets,), if any, replace both. Sets of more than beam[0] candidates try only beam[1]
      guesses, the best by the `estimates` of their cells by size, (n_secrets + 1,).
    - What lasts from call to call: the `memo`, and the `tally` of work left and of counts. `marks`
      (n_guesses,) has the last mark of each guess, a number of the tally.
    - Working memory with a row for each depth: `options`, as `pack_option` codes them,
      `option_bounds` and `order`, positions in both (n_depths, n_guesses); `signatures`
      (n_depths, a power of two ≥ 2 n_guesses): a hash table of partitions; `members`
      (n_depths, n_secrets), cell f from cell_starts[depth, f] on; `open_cells`, those to solve,
      their `open_values` and whether these are exact in `open_exact` (n_depths, n_labels);
      `cell_bounds` (n_depths, n_secrets + 1), by size; with weights instead the first possible turn
      of the j-th heaviest candidate.
    - Working memory that all depths share. `allowed` (n_guesses,) marks the columns to try at
      depth 0. `plane_words` and `parts` (n_guesses,) are of the columns of one set. `by_parts`
      (n_labels + 2,): bounds by number of parts. `labels` (n_secrets,): cells of a set's members.
      `counts` (n_labels,) is 0 between uses. `set_exchanges` (n, 2): the exchanges that map the set
      onto itself, as `find_exchanges` writes them. `numbers` is of the last set that was
      numbered.
    """

    # The game.
    frame: Frame
    by_secret: FeedbackIds
    guess_of_secret: Indices
    n_feedback: int
    codes: SymmetricCodes
    exchanges: Exchanges

    # Costs, bounds, and the guesses to try.
    consistent_only: bool
    bounds: Indices
    charges: Offsets
    weights: Offsets
    beam: Offsets
    estimates: Offsets

    # What lasts from call to call.
    memo: TranspositionTable
    tally: Offsets
    marks: Offsets

    # Working memory with a row for each depth.
    options: Indices
    option_bounds: Indices | Offsets
    order: Indices
    signatures: Hashes
    members: Indices
    cell_starts: Offsets
    open_cells: Indices
    open_values: Offsets
    open_exact: FeedbackIds
    cell_bounds: Offsets

    # Working memory that all depths share.
    allowed: FeedbackIds
    plane_words: CellSizes
    parts: CellSizes
    by_parts: Offsets
    labels: FeedbackIds
    counts: Indices
    set_exchanges: Indices
    numbers: Numbers


class Listing(NamedTuple):
    """What `list_options` says of the options that it wrote at a depth of `Search`."""

    status: int
    n_options: int
    lowest: int  # the lowest bound of an option
    in_order: bool  # whether the bounds ascend along `order`
    may_repeat: bool  # whether the search has to look for options with the same partition


@njit(nogil=True, inline="always")
def pack_option(column: int, is_candidate: int) -> int:
    """Return the code of an option: a column, and 1 if its guess is a candidate of the set."""
    return 2 * column + is_candidate


@njit(nogil=True, inline="always")
def unpack_option(option: int) -> tuple[int, int]:
    """Return the column, and 1 if its guess is a candidate, else 0."""
    return option >> 1, option & 1


@inner
def key_of_set(search: Search, members: Indices, left: int) -> tuple[np.uint64, np.uint64]:
    """Return the key of a set in the memo."""
    return numbered_key(
        search.codes, search.numbers, search.memo.words, search.guess_of_secret, members, left
    )


@inner
def number_for_memo(search: Search, members: Indices, guess: int) -> int:
    """Return what the memo has for a guess at a set: its number, or itself without symmetries."""
    if len(search.codes.codes) == 0:
        return guess
    number_set(search.codes, search.numbers, search.guess_of_secret, members)
    return number_of_guess(search.codes, search.numbers, guess)


@inner
def guess_from_memo(search: Search, members: Indices, number: int) -> int:
    """Return the guess for which the memo has this number at a set, or at an equal one."""
    if len(search.codes.codes) == 0:
        return number
    number_set(search.codes, search.numbers, search.guess_of_secret, members)
    return guess_of_number(search.codes, search.numbers, number)


@inner
def _mark_allowed(allowed: FeedbackIds, column_of: Indices, n_columns: int, pool: Indices) -> None:
    """Mark the columns of a pool's guesses, all columns if it has all guesses."""
    allowed[:n_columns] = len(pool) == len(column_of)
    for guess in pool:
        if column_of[guess] >= 0:
            allowed[column_of[guess]] = 1


@inner
def _frame_of(search: Search, members: Indices, pool: Indices) -> Frame:
    """Return a set's frame at depth 0, and mark the columns to try."""
    guess_of_secret = search.guess_of_secret
    n_feedback = search.n_feedback
    if len(search.by_secret):
        frame = frames.frame_of_table(
            search.frame, search.by_secret, members, guess_of_secret, n_feedback
        )
    else:
        frame = frames.make_frame(search.frame, members, guess_of_secret, n_feedback)
    _mark_allowed(search.allowed, frame.column_of, len(frame.guesses), pool)
    return frame


@inner
def _count(search: Search, frame: Frame, members: Indices, n_columns: int) -> None:
    """Count the parts of the first columns into `search.parts`.

    Without planes only the candidates' columns are counted if no others are played.
    """
    if len(frame.widths):
        if len(members) < frame.labels.shape[1]:
            frames.count_parts(frame, members, n_columns, search.plane_words, search.parts)
            return
        for k in range(n_columns):
            search.parts[k] = frame.parts[k]
        return
    counts = search.counts
    guess_of_secret = search.guess_of_secret
    n_tried = len(members) if search.consistent_only else n_columns
    for entry in range(n_tried):
        column = guess_of_secret[members[entry]] if search.consistent_only else entry
        labels = frame.labels[column]
        parts = 0
        for j in range(len(members)):
            label = labels[frame.row_of[members[j]]]
            parts += counts[label] == 0
            counts[label] = 1
        for j in range(len(members)):
            counts[labels[frame.row_of[members[j]]]] = 0
        search.parts[column] = parts


@inner
def _find_options(
    search: Search, frame: Frame, depth: int, members: Indices, left: int, limit: int
) -> tuple[int, int, bool]:
    """List columns with bounds below a limit; return their number and the results of `_sort`.

    Writes `options`, `option_bounds`, `order` and `cell_bounds` at the depth. A guess that isn't
    listed costs `limit` or more, or splits nothing.
    """
    n = len(members)
    options = search.options[depth]
    option_bounds = search.option_bounds[depth]
    by_parts = search.by_parts
    bounds = search.bounds
    charges = search.charges
    # 1. The fewest parts with a bound below the limit, from what the frame tells of all its
    #    subsets: no guess divides a subset into more parts than the frame's set. So only the first
    #    columns, which are sorted by parts, can be below.
    cap = min(n, np.int64(frame.parts[0]))
    fewest = cost_bounds._fewest_parts(bounds, charges, n, np.int64(1), cap, left, limit, by_parts)
    if not search.consistent_only:
        # A guess that is no candidate has one more unsolved part, which may matter more later.
        others = cost_bounds._fewest_parts(
            bounds, charges, n, np.int64(0), cap, left, limit, by_parts
        )
        fewest = min(fewest, others)
    n_columns = cost_bounds._first_columns(frame.parts, fewest)
    search.tally[LOOKUPS] += n_columns * n
    search.tally[WORK_LEFT] -= n_columns * n
    if n_columns == 0:
        return 0, INFEASIBLE, True
    # 2. Count their parts of this set. `most` bounds the parts of all guesses: a column that wasn't
    #    counted has at most the parts that the first of these has in the frame.
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
        return 0, INFEASIBLE, True
    # 3. Bounds on cells by size: no guess divides a cell into more than `most` parts either.
    cell_bounds = search.cell_bounds[depth]
    cost_bounds._fill_cell_bounds(
        cell_bounds, bounds, charges, n, most, cost_bounds.row_after(bounds, left)
    )
    charge = n * search.charges[left]
    n_options = np.int64(0)
    # 4. Bound each guess by its number of parts and, if cells are large, by their sizes. First the
    #    candidates, whose columns are then marked by 0 parts, then all others.
    for is_candidate in range(1, -1, -1):
        fewest = cost_bounds._fewest_parts(
            bounds, charges, n, is_candidate, most, left, limit, by_parts
        )
        if is_candidate == 0 and search.consistent_only:
            break
        for entry in range(n if is_candidate else n_columns):
            column = entry
            if is_candidate:
                column = frame.column_of[search.guess_of_secret[members[entry]]]
                if column >= n_columns:
                    continue
            parts = np.int64(search.parts[column])
            if is_candidate:
                search.parts[column] = 0
            if parts < fewest or (depth == 0 and not search.allowed[column]):
                continue
            if n > COUNTED * most:
                cells = cost_bounds._bound_of_cells(
                    frame.labels, column, frame.row_of, members, cell_bounds, search.counts
                )
                bound = charge - is_candidate * cell_bounds[1] + cells
            else:
                bound = by_parts[parts]
            if bound < limit:
                options[n_options] = pack_option(column, is_candidate)
                option_bounds[n_options] = bound
                n_options += 1
    lowest, in_order = _sort(option_bounds, search.order[depth], n_options)
    return int(n_options), lowest, in_order


@inner
def _sort(option_bounds: Indices | Offsets, order: Indices, n_options: int) -> tuple[int, bool]:
    """Order options by bound; return the lowest, and whether the order is exact.

    Bounds are counted in at most BUCKETS buckets of equal width, a power of two; within a bucket,
    options keep the order in which they were listed.
    """
    lowest = INFEASIBLE
    greatest = 0
    for k in range(n_options):
        lowest = min(lowest, option_bounds[k])
        greatest = max(greatest, option_bounds[k])
    n_buckets = max(greatest - lowest + 1, 0)
    shift = 0
    while n_buckets > BUCKETS:
        n_buckets = (n_buckets + 1) >> 1
        shift += 1
    starts = np.zeros(n_buckets + 2, np.int32)
    for k in range(n_options):
        starts[((option_bounds[k] - lowest) >> shift) + 1] += 1
    for bucket in range(n_buckets):
        starts[bucket + 1] += starts[bucket]
    for k in range(n_options):
        bucket = (option_bounds[k] - lowest) >> shift
        order[starts[bucket]] = k
        starts[bucket] += 1
    return lowest, shift == 0


@inner
def _order_by_estimates(
    search: Search, frame: Frame, depth: int, members: Indices, n_options: int
) -> None:
    """Order options by the estimated cost of their cells, for a beam search.

    Options with equal estimates often have alike partitions. So the first of each estimate come
    first, then all others.
    """
    estimates = search.estimates
    counts = search.counts
    options = search.options[depth]
    keys = np.empty(n_options, np.int64)
    for k in range(n_options):
        column, is_candidate = unpack_option(options[k])
        labels = frame.labels[column]
        total = 0
        for member in members:
            counts[labels[frame.row_of[member]]] += 1
        for member in members:
            label = labels[frame.row_of[member]]
            total += estimates[counts[label]]
            counts[label] = 0
        keys[k] = total - is_candidate * estimates[1]
    in_order = np.empty(n_options, np.int32)
    sort_positions(keys, in_order)
    entry = 0
    for repeated in (False, True):
        last = -1
        for position in in_order:
            if (keys[position] == last) == repeated:
                search.order[depth, entry] = position
                entry += 1
            last = keys[position]


@inner
def list_options(
    search: Search, frame: Frame, depth: int, members: Indices, left: int, limit: int, pool: Indices
) -> tuple[Frame, Listing]:
    """Return a frame for a set, and what is listed of its guesses; inlined, as frames are large.

    A smaller frame has fewer columns, since guesses with one partition of the set share one. It is
    made where this saves more than it costs.
    """
    n = len(members)
    if depth == 0:
        # A guess has no more cells than members; a plane has two bytes for WORD cells.
        n_planes = (min(n, search.n_feedback) + frames.WORD - 1) // frames.WORD
        size = n * len(frame.guesses) * (search.labels.itemsize + 2 * n_planes)
        if not search.consistent_only and size <= FRAME_BYTES:
            frame = _frame_of(search, members, pool)
        else:
            _mark_allowed(search.allowed, frame.column_of, len(frame.guesses), pool)
    n_options, lowest, in_order = _find_options(search, frame, depth, members, left, limit)
    is_own_frame = len(frame.widths) > 0 and n == frame.labels.shape[1]
    if n_options and len(frame.widths) > 1 and n >= OWN_FRAME and 2 * n <= frame.labels.shape[1]:
        frame = frames.make_frame(frame, members, search.guess_of_secret, search.n_feedback)
        is_own_frame = True
        n_options, lowest, in_order = _find_options(search, frame, depth, members, left, limit)
    if n > search.beam[0] and n_options > search.beam[1]:
        _order_by_estimates(search, frame, depth, members, n_options)
        in_order = False
    return frame, Listing(DONE, n_options, lowest, in_order, not is_own_frame)
