"""Rollouts: the total over few candidates if entropy plays on after a guess."""

import numpy as np

from codebreaker.compiling.cpu import inner, njit
from codebreaker.types import Counts, FeedbackIds, Positions, Scores


@njit(nogil=True)
def roll_out(
    rows: FeedbackIds, table: FeedbackIds, solved: int, logs: Scores, totals: Counts
) -> None:
    """Write the total guesses over all members after each guess, into `totals`, (n_guesses,).

    After the guess, entropy plays on with the members alone. `rows` (n_guesses, n_members) has the
    guesses' feedback, `table` (n_members, n_members) that of members as guesses, and `logs` has
    c · log2(c) for each c up to n_members. A guess whose total passes the lowest so far is given
    up: what is written for it is a lower bound that is above the lowest total.
    """
    n_members = len(table)
    n_feedback = solved + 1
    every = np.arange(n_members)
    counts = np.zeros(n_feedback, np.int64)
    lowest = np.int64(2) ** 62
    for guess in range(len(rows)):
        count_feedback(rows[guess], every, counts)
        total = np.int64(n_members)
        for feedback in range(n_feedback):
            if counts[feedback] == 0 or feedback == solved:
                continue
            if total > lowest:
                break
            part = keep(rows[guess], every, feedback, counts[feedback])
            total += total_of(table, part, solved, logs)
        totals[guess] = total
        lowest = min(lowest, total)


@inner
def total_of(table: FeedbackIds, members: Positions, solved: int, logs: Scores) -> int:
    """Return the total guesses over members, (n,), if entropy plays with members alone.

    Of guesses with equal entropy the first is played, or one that rounding prefers.
    """
    n = len(members)
    if n < 3:
        return 2 * n - 1
    counts = np.zeros(solved + 1, np.int64)
    best = 0
    most = -np.inf
    for i in range(n):
        count_feedback(table[members[i]], members, counts)
        information = 0.0
        n_parts = 0
        for count in counts:
            information -= logs[count]
            n_parts += int(count > 0)
        if n_parts == n:
            # All members give different answers: no total is lower.
            return 2 * n - 1
        if information > most:
            most = information
            best = i
    row = table[members[best]]
    count_feedback(row, members, counts)
    total = n
    for feedback in range(solved):
        if counts[feedback] > 0:
            part = keep(row, members, feedback, counts[feedback])
            total += total_of(table, part, solved, logs)
    return total


@inner
def count_feedback(row: FeedbackIds, members: Positions, counts: Counts) -> None:
    """Write how many members give each feedback, by a guess's row, into `counts`."""
    counts[:] = 0
    for member in members:
        counts[row[member]] += 1


@inner
def keep(row: FeedbackIds, members: Positions, feedback: int, n_kept: int) -> Positions:
    """Return the members that give a feedback, of which there are `n_kept`."""
    kept = np.empty(n_kept, np.int64)
    n = 0
    for member in members:
        if row[member] == feedback:
            kept[n] = member
            n += 1
    return kept
