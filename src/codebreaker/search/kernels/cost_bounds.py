"""Lower bounds on the cost of candidate sets, and shortcuts to optimal guesses.

If no guess divides a set into more than p parts, none divides a subset into more, and t guesses
solve at most p^(t−1) of a subset's secrets: one guess solves one, and if a guess leaves q ≤ p parts
(one of them solved if it is a candidate), each part has p^(t−2) secrets solved by the t − 1 others.
So 1, p − 1, (p − 1) p, (p − 1) p², ... secrets are solved at turns 1, 2, 3, ... at best, and no
strategy costs less than one that attains this. A guess's bound is its charge per member plus, for
each cell, such a bound by size and p. (`search.size_bounds` has the bounds without p.)

Throughout, `charges[left]` is what a guess costs each member with `left` guesses left, and
`row_after` has the next `left`. Sums stop at INFEASIBLE, so that they fit the memo's 31 bits.
"""

import numpy as np

from codebreaker.compiling.cpu import inner
from codebreaker.search.kernels.costs import INFEASIBLE
from codebreaker.search.kernels.frames import Frame
from codebreaker.types import CellSizes, FeedbackIds, Indices, Offsets

LABELS = 64
"""Maximum number of cells for the shortcut, a bit each."""


@inner
def row_after(bounds: Indices, left: int) -> int:
    """Return the guesses left after one; the last row, without a limit, follows itself and 0."""
    return left - 1 if 0 < left < len(bounds) - 1 else len(bounds) - 1


@inner
def _separator(
    labels: FeedbackIds,
    columns: Indices,
    rows: Indices,
    guess_of_secret: Indices,
    members: Indices,
    most: int,
) -> tuple[int, int]:
    """Return the position of the first candidate that separates all members, and 0 repeats.

    If none does and `most` is 1, return the last candidate that leaves one pair in a cell, and 1;
    else −1 and 2. `columns` (n_guesses,) are those of guesses and `rows` (n_secrets,) those of
    secrets in `labels`, whose values are below LABELS.
    """
    n = len(members)
    nearly = -1
    for i in range(n):
        column = columns[guess_of_secret[members[i]]]
        seen = np.uint64(0)  # a bit for each cell that has a member
        repeats = 0
        for j in range(n):
            bit = np.uint64(1) << np.uint64(labels[column, rows[members[j]]])
            if seen & bit:
                repeats += 1
                if repeats > most:
                    break
            seen |= bit
        if repeats == 0:
            return i, 0
        if repeats <= most:
            nearly = i
    return nearly, 1 if nearly >= 0 else 2


@inner
def _shortcut(n: int, guess: int, repeats: int, now: int, soon: int, later: int) -> tuple[int, int]:
    """Return an optimal candidate of a set and its cost if easily seen, else −1 and a bound.

    A candidate that separates all n solves them in 2n − 1 guesses; any other guess needs 2n. Here
    a guess at this turn costs each member `now`, at the next one `soon`, at the third `later`.
    `guess` is a candidate that leaves `repeats` members in cells of others, `_separator`'s.
    """
    second = now + soon  # the cost of a secret that is solved at the next turn
    # A candidate that separates all is solved now, all others at the next turn. Nothing is better.
    if repeats == 0:
        return guess, min(now + (n - 1) * second, INFEASIBLE)
    # Otherwise a candidate leaves a pair at best, one of which is solved a turn later; and a guess
    # that is no candidate solves all at the next turn at best. The lower of both is a bound, and
    # the cost of a candidate that attains it.
    with_pair = min(now + (n - 2) * second + second + later, INFEASIBLE)
    all_next = min(n * second, INFEASIBLE)
    if repeats == 1 and with_pair <= all_next:
        return guess, with_pair
    return -1, min(all_next, with_pair)


@inner
def find_shortcut(
    frame: Frame,
    guess_of_secret: Indices,
    n_feedback: int,
    charges: Offsets,
    members: Indices,
    left: int,
) -> tuple[int, int]:
    """Return an optimal candidate's guess of a small set and its cost, as `_shortcut`.

    Of more members than feedback ids, two always share a cell: nothing is seen. Of three, each
    candidate leaves one pair at most; so without late charges, and with three guesses left or more,
    a set of three never needs a search.
    """
    if len(members) > n_feedback or frame.parts[0] > LABELS:
        return -1, 0
    row = row_after(charges, left)
    position, repeats = _separator(
        frame.labels, frame.column_of, frame.row_of, guess_of_secret, members, 1
    )
    guess = guess_of_secret[members[position]] if position >= 0 else -1
    later = charges[row_after(charges, row)]
    return _shortcut(len(members), guess, repeats, charges[left], charges[row], later)


@inner
def _bound_of_parts(
    bounds: Indices, charges: Offsets, n: int, parts: int, solved: int, most: int, left: int
) -> int:
    """Return a bound on the cost of n candidates if a guess divides them into `parts`.

    `solved` is 1 if the guess is a candidate, else 0; `most` is p of the module's text. Each of the
    parts − solved cells solves 1, p − 1, (p − 1) p, ... secrets at the turns that follow.
    """
    row = row_after(bounds, left)
    total = n * charges[left]
    rest = n - solved  # secrets that aren't solved yet: each pays for the next guess
    room = parts - solved  # secrets that the next guess can solve
    factor = most - 1
    while rest > 0 and total < INFEASIBLE:
        total += rest * charges[row]
        rest -= min(rest, room)
        room *= factor
        factor = most
        row = row_after(bounds, row)
    return min(total, INFEASIBLE)


@inner
def _fill_cell_bounds(
    cell_bounds: Offsets, bounds: Indices, charges: Offsets, n: int, most: int, row: int
) -> None:
    """Write lower bounds on the cost by size, (n + 1,), if no guess has more than `most` parts.

    `row` is the number of guesses left. The cost of one size more is what a secret costs that is
    solved at the first turn with room for it.
    """
    cost = 0
    filled = 0
    room = 1  # secrets that can be solved at this turn
    factor = most - 1
    charge = charges[row]  # what a secret costs that is solved at this turn
    by_size = bounds[row]
    cell_bounds[0] = 0
    while filled < n:
        for _ in range(min(room, n - filled)):
            filled += 1
            cost = min(cost + charge, INFEASIBLE)
            cell_bounds[filled] = max(cost, by_size[filled])
        row = row_after(bounds, row)
        charge = min(charge + charges[row], INFEASIBLE)
        room *= factor
        factor = most


@inner
def _bound_of_cells(
    labels: FeedbackIds, k: int, rows: Indices, members: Indices, bounds: Offsets, counts: Indices
) -> int:
    """Return the sum of the bounds by size, (n + 1,), of the cells of column k."""
    total = 0
    for j in range(len(members)):
        counts[labels[k, rows[members[j]]]] += 1
    for j in range(len(members)):
        label = labels[k, rows[members[j]]]
        total += int(bounds[counts[label]])
        counts[label] = 0
    return min(total, INFEASIBLE)


@inner
def _first_columns(parts: CellSizes, lowest: int) -> int:
    """Return how many columns, by descending number of parts, have at least `lowest` parts."""
    low = 0
    high = len(parts)
    while low < high:
        middle = (low + high) // 2
        if parts[middle] >= lowest:
            low = middle + 1
        else:
            high = middle
    return low


@inner
def _fewest_parts(
    bounds: Indices,
    charges: Offsets,
    n: int,
    solved: int,
    most: int,
    left: int,
    limit: int,
    by_parts: Offsets,
) -> int:
    """Return the minimum number of parts with a bound below a limit; fill `by_parts` from it on.

    Bounds fall as parts increase, so none below the first number that fails has to be looked at.
    A guess with one part splits nothing and is never tried. Without any, return most + 1.
    """
    parts = most + 1
    while parts > 2:
        bound = _bound_of_parts(bounds, charges, n, parts - 1, solved, most, left)
        if bound >= limit:
            break
        parts -= 1
        by_parts[parts] = bound
    return parts
