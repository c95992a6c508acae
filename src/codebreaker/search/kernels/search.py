"""The search for the minimum cost in guesses, or in charges for guesses: steps of `recursion`.

Bounds are those of `cost_bounds`: by a set's size and by the parts of guesses. `left` is the number
of guesses left, a row of `Search.bounds`.
"""

from codebreaker.compiling.cpu import inner, njit
from codebreaker.search.kernels.cost_bounds import find_shortcut, row_after
from codebreaker.search.kernels.frames import Frame
from codebreaker.search.kernels.options import Search, key_of_set, list_options, unpack_option
from codebreaker.search.kernels.recursion import SearchSteps, branch_and_bound
from codebreaker.sets.transposition import EXACT, find, read, store
from codebreaker.types import FeedbackIds, Indices


@inner
def label_members(frame: Frame, column: int, members: Indices, labels: FeedbackIds) -> None:
    """Write each member's cell under a column's guess into `labels`, (n_members,)."""
    row = frame.labels[column]
    row_of = frame.row_of
    for j in range(len(members)):
        labels[j] = row[row_of[members[j]]]


@njit(nogil=True, inline="always")
def bound_of_size(search: Search, members: Indices, left: int) -> int:
    """Return a lower bound on the cost by the set's size; it is exact up to two candidates."""
    return int(search.bounds[left, len(members)])


@njit(nogil=True, inline="always")
def left_after(search: Search, left: int) -> int:
    """Return the guesses left after one, as a row of `search.bounds`."""
    return row_after(search.bounds, left)


@njit(nogil=True, inline="always")
def left_of_cell(frame: Frame, after: int, label: int, size: int) -> int:
    """Return the `left` of a cell: what `left_after` returned, the same for all cells."""
    return after


@njit(nogil=True, inline="always")
def shortcut_of(search: Search, frame: Frame, members: Indices, left: int) -> tuple[int, int]:
    """Return an optimal candidate's guess and the cost if easily seen, else −1 and a bound."""
    return find_shortcut(
        frame, search.guess_of_secret, search.n_feedback, search.charges, members, left
    )


@inner
def quick_bound(
    search: Search, frame: Frame, members: Indices, left: int, limit: int
) -> tuple[int, bool]:
    """Return the best bound by size, from `find_shortcut` and the memo, and whether it is exact.

    The cheapest is tried first; a bound of `limit` or more is enough. A bound from the members of a
    small set belongs in `find_shortcut`, which is also asked before a set is searched.
    """
    n = len(members)
    value = int(search.bounds[left, n])
    is_exact = n <= 2
    if value < limit and n > 2:
        guess, total = shortcut_of(search, frame, members, left)
        value = max(value, total)
        is_exact = guess >= 0
        if value < limit and not is_exact:
            memo = search.memo
            slot = find(memo.slots, memo.used[1], key_of_set(search, members, left))
            state, total, _ = read(memo.slots, slot)
            value = max(value, total)
            is_exact = state == EXACT
    return value, is_exact


@njit(nogil=True, inline="always")
def bound_of_cell(
    search: Search, frame: Frame, depth: int, cell: Indices, left: int, limit: int
) -> tuple[int, int, bool]:
    """Return a cell's share of its guess's bound, a bound on its cost, and whether it is exact.

    The share is the bound by size and number of parts. The bound is the best of it and, each if the
    ones before don't refute the guess, the bound by size alone, the shortcut and the memo.
    """
    share = search.cell_bounds[depth, len(cell)]
    bound, is_exact = quick_bound(search, frame, cell, left, limit + share)
    return share, max(bound, share), is_exact


@inner
def bound_of_split(
    search: Search, frame: Frame, depth: int, n: int, left: int, option: int, highest: int
) -> int:
    """Return a lower bound on the cost of a set of n if the guess that `split` laid out is played.

    Each member pays for this guess; each cell costs at least its bound by size and number of parts.
    The cell of a solved secret, of size 1, needs no further guess.
    """
    cell_starts = search.cell_starts[depth]
    cell_bounds = search.cell_bounds[depth]
    _, is_candidate = unpack_option(search.options[depth, option])
    total = n * search.charges[left]
    for label in range(highest + 1):
        total += int(cell_bounds[cell_starts[label + 1] - cell_starts[label]])
    return total - is_candidate * int(cell_bounds[1])


_recursion = branch_and_bound(
    SearchSteps(
        name="guesses",
        label_members=label_members,
        bound_of_size=bound_of_size,
        left_after=left_after,
        left_of_cell=left_of_cell,
        shortcut_of=shortcut_of,
        bound_of_cell=bound_of_cell,
        bound_of_split=bound_of_split,
        list_options=list_options,
        read=read,
        store=store,
    )
)
minimum_total = _recursion.minimum_total
guesses_for = _recursion.guesses_for
