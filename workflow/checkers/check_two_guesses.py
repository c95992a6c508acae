"""Compute a lower bound for Mastermind by two guesses and by colours, with NumPy and nothing else.

Usage: python check_two_guesses.py PEGS COLOURS. For each class of openings and each answer, the
program finds the second guess that would be best if every later guess divided sets at will, into
one candidate and as many equal sets as any guess has other answers. The minimum over the openings
bounds the total of any strategy. Openings of one class repeat colours equally often.

The other bound: on any path number the colours in the order in which guesses name them. A code is
known from the numbers of its colours, so within t guesses at most (PEGS t)^PEGS codes are found.
"""

import re
import sys
from collections import Counter
from itertools import combinations_with_replacement, product

import numpy as np

BLOCK = 1 << 24
"""Maximum pairs of codes compared together."""

SIZE, MOST_CODES = re.compile(r"[1-9]\d{0,4}", re.ASCII), 1 << 17


def answers(pegs, guesses, secrets):
    """Return a number for the answer to each guess, by secret; the largest one solves."""
    black = np.zeros((len(guesses), len(secrets)), np.int16)
    common = np.zeros_like(black)
    for peg in range(pegs):
        black += guesses[:, None, peg] == secrets[None, :, peg]
    for colour in np.unique(guesses):
        counts = [(codes == colour).sum(axis=1).astype(np.int16) for codes in (guesses, secrets)]
        common += np.minimum(counts[0][:, None], counts[1][None])
    return black * (pegs + 1) + common - black


def by_size(most, n_answers):
    """Return lower bounds on the totals of 0 to `most` candidates, by the number of answers."""
    totals = np.zeros(most + 1, np.int64)
    found, turn, room = 0, 1, 1
    while found < most:
        new = min(room, most - found)
        totals[found + 1 : found + new + 1] = totals[found] + turn * np.arange(1, new + 1)
        found, turn, room = found + new, turn + 1, room * (n_answers - 1)
    return totals


def by_colours(pegs, colours, n_answers):
    """Return a lower bound on the total of all codes, by the colours that can be named."""
    n, found, total, turn = colours**pegs, 0, 0, 0
    while found < n:
        total, turn = total + n - found, turn + 1
        found = min(found + (n_answers - 1) ** (turn - 1), min(pegs * turn, colours) ** pegs)
    return total


def after(pegs, cell, codes, lowest, solved):
    """Return a lower bound on the total of a set: its best guess, then bounds by size."""
    best, rows = None, max(BLOCK // len(cell), 1)
    for start in range(0, len(codes), rows):
        found = answers(pegs, codes[start : start + rows], cell)
        width = solved + 1
        places = found + np.arange(len(found))[:, None] * width
        counts = np.bincount(places.ravel(), minlength=len(found) * width).reshape(-1, width)
        totals = lowest[counts[:, :solved]].sum(axis=1)
        best = int(totals.min()) if best is None else min(best, int(totals.min()))
    return len(cell) + best


def _openings_of(pegs, colours):
    ways = combinations_with_replacement(range(min(pegs, colours)), pegs)
    shares = {tuple(sorted(Counter(way).values(), reverse=True)) for way in ways}
    return [np.repeat(np.arange(len(share)), share) for share in sorted(shares)]


def bound(pegs, colours):
    """Return the lower bound, and the bounds by opening."""
    codes = np.array(list(product(range(colours), repeat=pegs)), np.int16)
    solved = pegs * (pegs + 1)  # all pegs are black
    openings = [opening.astype(np.int16) for opening in _openings_of(pegs, colours)]
    answered = [answers(pegs, opening[None], codes)[0] for opening in openings]
    most = max(len(np.unique(found)) for found in answered)  # other guesses are images of them
    lowest, bounds, by_colour = by_size(len(codes), most), {}, by_colours(pegs, colours, most)
    for opening, found in zip(openings, answered, strict=True):
        cells = [codes[found == one] for one in np.unique(found) if one != solved]
        total = len(codes) + sum(after(pegs, cell, codes, lowest, solved) for cell in cells)
        bounds["".join(str(peg + 1) for peg in opening)] = max(total, by_colour)
    return min(bounds.values()), bounds


if __name__ == "__main__":
    given = sys.argv[1:]
    if len(given) != 2 or not all(map(SIZE.fullmatch, given)) or given[1] == "1":
        sys.exit("error: give the pegs, and two colours or more: check_two_guesses.py 4 6")
    pegs, colours = map(int, given)
    if pegs > 17 or colours**pegs > MOST_CODES:
        sys.exit(f"error: the limit of this program is {MOST_CODES:,} codes")
    lowest, bounds = bound(pegs, colours)
    for opening, total in bounds.items():
        print(f"mm-{pegs}-{colours} after {opening}: {total:,} guesses or more")
    print(f"mm-{pegs}-{colours}: no strategy needs fewer than {lowest:,} guesses in total")
