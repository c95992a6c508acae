"""Branch and bound over game trees: the minimum cost (by default, guesses) of a candidate set.

Koyama and Lai 1993 solved MM(4,6) first, by depth-first search. Here, guesses are tried in the
order of their bounds. For each, the known bounds of its cells are added up, then the cells are
solved, smallest first.

The recursion is the same for all searches, which differ in their steps: `search` (guesses or
charges) and `weighted` (secrets with a prior), for example. Each module defines its steps,
collects them in `SearchSteps` and has `branch_and_bound` compile the recursion for them. So each
step is called directly, and can be inlined, unlike steps in a table of functions.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from codebreaker.compiling.cpu import inner, njit
from codebreaker.search.kernels import options
from codebreaker.search.kernels.frames import _has_image, find_exchanges
from codebreaker.search.kernels.options import (
    DONE,
    STOPPED,
    TOO_DEEP,
    Listing,
    Search,
    guess_from_memo,
    key_of_set,
    number_for_memo,
    unpack_option,
)
from codebreaker.sets.primitives import GOLDEN
from codebreaker.sets.transposition import (
    EXACT,
    LOWER,
    NONE,
    UNSEEN,
    TranspositionTable,
    find,
)
from codebreaker.types import FeedbackIds, Hashes, Indices, Offsets

EXCHANGED = 12
"""Minimum candidates, and minimum options, for which symmetries of the set are looked for."""

OPEN_SIZE = 3
"""Minimum size of the cells that are searched; bounds by size are exact for smaller ones."""

Frame = Any
"""What the steps need to know of a set's guesses. The recursion passes it on, and itself reads only
`column_of`, by guess, and `guesses`, by column: a `frames.Frame`, for example."""

Left = int
"""What a set's cost depends on besides its members, as an integer: the guesses left, for example.
The recursion passes it on, and makes it part of the set's key in the memo."""


@dataclass(frozen=True)
class SearchSteps:
    """The compiled functions by which searches differ; `name` is part of the compiled code's names.

    The recursion finds the minimum cost if each function keeps what is said here. Arguments that
    several have in common: `frame` belongs to the set or to one that it was split from; `members`
    (n,) is the set; `depth` is the row of the working memory of `search` that the set writes.
    """

    name: str

    label_members: Callable[[Frame, int, Indices, FeedbackIds], None]
    """(frame, column, members, labels): write each member's cell under a column's guess.

    Labels are below the length of `Search.counts`, and two members have the same label if and only
    if the guess doesn't tell them apart. The secret that the guess solves, if any, has a label that
    no other member has.
    """

    bound_of_size: Callable[[Search, Indices, Left], int]
    """(search, members, left): return a lower bound on the cost, cheaply.

    It is the cost itself if there are fewer than OPEN_SIZE members, as these are never searched.
    """

    left_after: Callable[[Search, Left], int]
    """(search, left): return what `left_of_cell` has to know of the set's `left`."""

    left_of_cell: Callable[[Frame, int, int, int], Left]
    """(frame, after, label, size): return the `left` of a cell; `after` is of `left_after`.

    Whatever the cost of a cell depends on, besides its members, must be in it: the memo gives cells
    with equal members and an equal `left` the same cost.
    """

    shortcut_of: Callable[[Search, Frame, Indices, Left], tuple[int, int]]
    """(search, frame, members, left): return an optimal guess and the cost, if easily seen.

    Otherwise return −1 and a lower bound on the cost.
    """

    bound_of_cell: Callable[[Search, Frame, int, Indices, Left, int], tuple[int, int, bool]]
    """(search, frame, depth, cell, left, limit): return a share, a bound, and whether it is exact.

    The share is what `bound_of_split` counted for the cell. The bound is a lower bound on the
    cell's cost and at least the share: so if it takes the share's place, the sum stays a lower
    bound and never falls. Once the bound exceeds the share by `limit`, the guess is refuted, and
    nothing further needs to be looked up.
    """

    bound_of_split: Callable[[Search, Frame, int, int, Left, int, int], int]
    """(search, frame, depth, n, left, option, highest): return a lower bound on the cost of a set
    of n if the guess of an option is played, whose cells `split` laid out up to label `highest`.

    It is the guess's own cost, plus a share for each cell. If no cell has OPEN_SIZE members it is
    the cost, since nothing is solved then. The secret that the guess solves needs no more guesses.
    """

    list_options: Callable[[Search, Frame, int, Indices, Left, int, Indices], tuple[Frame, Listing]]
    """(search, frame, depth, members, left, limit, pool): list the guesses to try; return a frame
    of the set, and a `Listing`.

    Writes `options`, `option_bounds` and `order` at the depth. Every guess that is left out costs
    `limit` or more, or splits nothing, or is equivalent to one that is listed; `Listing.lowest` is
    a lower bound on the cost of each that is listed. At depth 0 only guesses of the pool are
    listed. Takes its work off `search.tally`.
    """

    read: Callable[[Hashes, int], tuple[int, int, int]]
    """(slots, slot): return the state, the total and the guess in a slot of the memo."""

    store: Callable[[TranspositionTable, tuple[np.uint64, np.uint64], int, int | np.int64], int]
    """(memo, key, total, guess): store a cost with its guess, or a lower bound with −1; return the
    cost."""


class Recursion(NamedTuple):
    """What `branch_and_bound` compiles; the functions are documented there."""

    minimum_total: Callable[..., tuple[int, int]]
    guesses_for: Callable[..., Indices]
    split: Callable[..., tuple[int, int]]
    total_of_cells: Callable[..., tuple[int, int]]


@inner
def _signature(words: Hashes, cell_starts: Offsets, cells: Indices, highest: int) -> np.uint64:
    """Return a signature of the partition that `split` laid out, independent of its labels.

    Each member adds a word that is mixed with a word of its cell's first member. `words` are the
    memo's, (n_secrets, 2).
    """
    signature = np.uint64(0)
    for label in range(highest + 1):
        if cell_starts[label] == cell_starts[label + 1]:
            continue
        first_word = words[cells[cell_starts[label]], 1]
        for j in range(cell_starts[label], cell_starts[label + 1]):
            signature += (words[cells[j], 0] ^ first_word) * np.uint64(GOLDEN)
    return signature


@inner
def _is_tried(signatures: Hashes, signature: np.uint64, mask: int) -> bool:
    """Return whether a signature is in a hash table of mask + 1 slots, 0 if free; else add it."""
    signature |= np.uint64(1)  # a signature of 0 would look like a free slot
    slot = np.int64(signature >> np.uint64(20)) & mask
    while signatures[slot] != 0:
        if signatures[slot] == signature:
            return True
        slot = (slot + 1) & mask
    signatures[slot] = signature
    return False


def branch_and_bound(steps: SearchSteps) -> Recursion:
    """Compile the recursion for the steps of a search.

    A function is defined after those that it calls, as its code is cached under the sources of all
    functions that it refers to. The exception is `total_of_cells`, which calls `minimum_total` and
    is inlined in it: of two functions that call each other, only one can be compiled.
    """
    compile_variant = partial(njit, variant=steps.name, nogil=True)
    # The compiler inlines functions that are variables here, but not attributes of a record.
    label_members = steps.label_members
    bound_of_size = steps.bound_of_size
    left_after = steps.left_after
    left_of_cell = steps.left_of_cell
    shortcut_of = steps.shortcut_of
    bound_of_cell = steps.bound_of_cell
    bound_of_split = steps.bound_of_split
    list_options = steps.list_options
    read = steps.read
    store = steps.store

    @inner(variant=steps.name)
    def split(
        search: Search, frame: Frame, depth: int, members: Indices, column: int
    ) -> tuple[int, int]:
        """Lay out a column's cells at a depth; return how many are open, and the highest label.

        Writes `cell_starts[depth]`, `members[depth]` (by cell, in the order of the set) and
        `open_cells[depth]`: the labels of the cells of OPEN_SIZE candidates or more, smallest
        first.
        """
        counts = search.counts
        labels = search.labels
        cell_members = search.members[depth]
        cell_starts = search.cell_starts[depth]
        open_cells = search.open_cells[depth]
        n_open = 0
        highest = 0
        label_members(frame, column, members, labels)
        for j in range(len(members)):
            label = int(np.int64(labels[j]))
            counts[label] += 1
            highest = max(highest, label)
        # An insertion sort of the open cells by size, as there are few.
        cell_starts[0] = 0
        for label in range(highest + 1):
            cell_starts[label + 1] = cell_starts[label] + counts[label]
            if counts[label] >= OPEN_SIZE:
                entry = n_open
                while entry > 0:
                    previous = open_cells[entry - 1]
                    if counts[label] >= cell_starts[previous + 1] - cell_starts[previous]:
                        break
                    open_cells[entry] = previous
                    entry -= 1
                open_cells[entry] = label
                n_open += 1
        # A counting sort from the last member down keeps the order within cells, and leaves all
        # counts at 0 for the next use.
        for j in range(len(members) - 1, -1, -1):
            label = labels[j]
            counts[label] -= 1
            cell_members[cell_starts[label] + counts[label]] = members[j]
        return n_open, highest

    @compile_variant(inline="always")
    def total_of_cells(
        search: Search,
        frame: Frame,
        depth: int,
        n_open: int,
        bound: int,
        best: int,
        after: int,
        pool: Indices,
    ) -> tuple[int, int]:
        """Return a status, and the cost of the guess that `split` laid out, or a bound ≥ `best`.

        `bound` is that of `bound_of_split`. At any time the total is a lower bound on the guess's
        cost: the sum of the guess's own cost, the costs of small cells, and a bound or the minimum
        of each open cell. So nothing is lost by stopping once it reaches `best`.
        """
        cell_starts = search.cell_starts[depth]
        members = search.members[depth]
        open_cells = search.open_cells[depth]
        values = search.open_values[depth]
        exact = search.open_exact[depth]
        # 1. What is known or easily seen of each cell. This refutes most guesses.
        total = bound
        for entry in range(n_open):
            label = open_cells[entry]
            cell = members[cell_starts[label] : cell_starts[label + 1]]
            left = left_of_cell(frame, after, label, len(cell))
            share, value, is_exact = bound_of_cell(search, frame, depth, cell, left, best - total)
            values[entry] = value
            exact[entry] = is_exact
            total += value - share
            if total >= best:
                return DONE, total
        # 2. Solve the others, smallest first: they are the cheapest to refute a guess with. A cell
        #    may cost what `best` leaves after the bounds of all other cells.
        for entry in range(n_open):
            if exact[entry]:
                continue
            label = open_cells[entry]
            others = total - values[entry]
            cell = members[cell_starts[label] : cell_starts[label + 1]]
            left = left_of_cell(frame, after, label, len(cell))
            status, value = minimum_total(search, frame, depth + 1, cell, left, best - others, pool)
            if status != DONE:
                return status, 0
            total = others + max(value, values[entry])
            if total >= best:
                return DONE, total
        return DONE, total

    @compile_variant
    def minimum_total(
        search: Search,
        frame: Frame,
        depth: int,
        members: Indices,
        left: int,
        limit: int,
        pool: Indices,
    ) -> tuple[int, int]:
        """Return a status, and the minimum cost of a set if it is below a limit, else a bound.

        A bound is at least `limit`. `members` (n,) int32 is a candidate set, a subset of the
        frame's. `pool` lists the guesses to try at depth 0, at least one of each class of
        equivalent guesses. The cost is valid if the status is DONE. With STOPPED the work of
        `search.tally` is used up; the memo keeps what was solved, so calling again goes on.
        TOO_DEEP means that there is no working memory at the next depth.

        The memo always has a set's minimum cost with its guess, or a lower bound on it. A bound of
        `limit` is stored where every guess was shown to cost `limit` or more.
        """
        # 1. The bound by size, the cheapest: no memory but a table of bounds is read.
        n = len(members)
        lower = bound_of_size(search, members, left)
        if n < OPEN_SIZE or lower >= limit:
            return DONE, lower
        # 2. The memo: the minimum, or a bound that is large enough.
        key = key_of_set(search, members, left)
        state, total, _ = read(search.memo.slots, find(search.memo.slots, search.memo.used[1], key))
        if state == EXACT or (state == LOWER and total >= limit):
            return DONE, total
        if depth == len(search.options):
            return TOO_DEEP, 0
        search.tally[options.SETS_SEARCHED] += 1
        # 3. At the first visit, see whether one guess solves the set: no search is needed then.
        if state == UNSEEN:
            easy_guess, total = shortcut_of(search, frame, members, left)
            if easy_guess >= 0:
                return DONE, store(
                    search.memo, key, total, number_for_memo(search, members, easy_guess)
                )
            if total >= limit:
                return DONE, store(search.memo, key, total, NONE)
        lower = max(lower, total)  # both are lower bounds: `total` is of the memo or of step 3
        if search.tally[options.WORK_LEFT] < 0:
            return STOPPED, 0
        # 4. List the guesses whose bounds are below the limit. If there are none, every tree costs
        #    `limit` or more.
        frame, listing = list_options(search, frame, depth, members, left, limit, pool)
        if listing.status != DONE:
            return listing.status, 0
        if listing.n_options == 0:
            return DONE, store(search.memo, key, limit, NONE)
        # 5. Symmetries that map the set onto itself. The image of a guess costs as much as the
        #    guess, so of guesses that are images of each other the one in the first column
        #    suffices: step 6b.
        set_exchanges = search.set_exchanges[:0]
        allowed = search.allowed if depth == 0 else search.allowed[:0]
        if listing.n_options >= EXCHANGED and n >= EXCHANGED:
            search.tally[options.SETS_MARKED] += 1
            mark = search.tally[options.SETS_MARKED]
            guess_of = search.guess_of_secret
            marks = search.marks
            for member in members:
                marks[guess_of[member]] = mark
            n_exchanges = find_exchanges(
                search.codes,
                search.exchanges,
                members,
                guess_of,
                marks,
                mark,
                search.set_exchanges,
            )
            # Deeper calls overwrite `search.set_exchanges`.
            set_exchanges = search.set_exchanges[:n_exchanges].copy()
        best = limit  # the cost to stay below
        winner = -1
        after = left_after(search, left)
        # No guess costs less than `lowest`, a bound for the set and the lowest bound of a guess:
        # once a guess attains it, the search is done.
        lowest = max(lower, listing.lowest)
        n_to_try = search.beam[1] if n > search.beam[0] else listing.n_options
        n_slots = 4
        signatures = search.signatures[depth]
        if listing.may_repeat:
            while n_slots < 2 * listing.n_options:
                n_slots *= 2
            signatures[:n_slots] = 0
        # 6. Try them, lowest bound first.
        for entry in range(listing.n_options):
            option = search.order[depth, entry]
            # 6a. A guess whose bound is not below the best cost can't improve it. If bounds ascend,
            #     neither can any later one.
            if search.option_bounds[depth, option] >= best:
                if listing.in_order:
                    break
                continue
            column, is_candidate = unpack_option(search.options[depth, option])
            # 6b. A guess with an image in an earlier column is left out. That column's guess is
            #     tried unless it has such an image too, so the first of all images always is tried.
            guess = frame.guesses[column]
            if len(set_exchanges) and _has_image(
                search.codes,
                search.exchanges,
                set_exchanges,
                frame.column_of,
                guess,
                column,
                allowed,
            ):
                continue
            n_open, highest = split(search, frame, depth, members, column)
            # 6c. So is a guess with a partition that was tried. The signatures of candidates are
            #     inverted, as a candidate solves one cell and costs less than another guess with
            #     the same partition.
            if listing.may_repeat:
                signature = _signature(
                    search.memo.words, search.cell_starts[depth], search.members[depth], highest
                )
                if is_candidate:
                    signature = ~signature
                if _is_tried(signatures, signature, n_slots - 1):
                    continue
            # A beam search tries only the first guesses: its results are costs of trees, which may
            # be above the minimum.
            if n_to_try == 0:
                break
            n_to_try -= 1
            # 6d. Bound the guess by its cells, then solve these until the sum reaches the best
            #     cost.
            total = bound_of_split(search, frame, depth, n, left, option, highest)
            if n_open and total < best:
                status, total = total_of_cells(
                    search, frame, depth, n_open, total, best, after, pool
                )
                if status != DONE:
                    return status, 0
            # Below the best cost, `total` is the guess's minimum cost, not only a bound.
            if total < best:
                best = total
                winner = guess
                if best == lowest:
                    break
        # 7. Without a winner, all guesses cost `limit` or more: those that weren't listed (4),
        #    those that were excluded by their bounds (6a, 6d), and those that equal one of these
        #    (6b, 6c).
        if winner < 0:
            return DONE, store(search.memo, key, limit, NONE)
        return DONE, store(search.memo, key, best, number_for_memo(search, members, winner))

    @compile_variant
    def guesses_for(search: Search, members: Indices, offsets: Offsets, left: int) -> Indices:
        """Return the optimal guess of each set that is known to the memo or easily seen, else −1.

        Set i has members[offsets[i] : offsets[i + 1]]; the result is (n_sets,) int32.
        """
        guesses = np.empty(len(offsets) - 1, np.int32)
        for node in range(len(guesses)):
            cell = members[offsets[node] : offsets[node + 1]]
            if len(cell) < OPEN_SIZE:
                guesses[node] = search.guess_of_secret[cell[0]]
                continue
            guess, _ = shortcut_of(search, search.frame, cell, left)
            if guess < 0:
                memo = search.memo
                slot = find(memo.slots, memo.used[1], key_of_set(search, cell, left))
                state, _, memo_guess = read(memo.slots, slot)
                guess = guess_from_memo(search, cell, memo_guess) if state == EXACT else -1
            guesses[node] = guess
        return guesses

    return Recursion(minimum_total, guesses_for, split, total_of_cells)
