"""Compute a lower bound for Mastermind by three guesses and by colours, with NumPy alone.

Usage: python check_three_guesses.py PEGS COLOURS. For each class of openings and each answer, the
program finds the second and third guess that would be best if every later guess divided sets at
will, into one candidate and as many equal sets as any guess has other answers; in the largest games
it finds the second guess alone. The minimum over the openings bounds the total of any strategy.
Openings of one class repeat colours equally often. A second guess is left out if an exchange of
pegs and colours that keeps the opening makes it smaller; a third one, if a new numbering of the
colours that were not named before does so.

The other bound: on any path number the colours in the order in which guesses name them. A code is
known from its colours' numbers. It is the last guess, and at most PEGS (t - 1) colours were named
before turn t, so its other colours have the next numbers without a gap.
"""

import re
import sys
from collections import Counter
from itertools import combinations_with_replacement, permutations, product
from math import comb

import numpy as np

BLOCK = 1 << 24
"""Maximum pairs of codes compared together."""

SIZE = re.compile(r"[1-9]\d{0,4}", re.ASCII)
MOST_CODES = 1 << 17
MOST_OPENINGS = 7
MOST_FOR_THIRD = 1 << 15
"""Maxima of openings and codes: beyond both, third guesses are not looked at."""

MOST_PERMUTED = 6
"""Largest number of pegs of which all orders are tried; of more, exchanges of two."""


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
    solved = 0
    turn = 1
    room = 1
    while solved < most:
        new = min(room, most - solved)
        totals[solved + 1 : solved + new + 1] = totals[solved] + turn * np.arange(1, new + 1)
        solved = solved + new
        turn = turn + 1
        room = room * (n_answers - 1)
    return totals


def by_colours(pegs, colours, n_answers):
    """Return a lower bound on the total of all codes, by the colours that can be named."""
    n = colours**pegs
    solved = 0
    total = 0
    turn = 0
    while solved < n:
        total = total + n - solved
        turn = turn + 1
        named = without_gap(pegs, min(pegs * (turn - 1), colours), colours)
        solved = min(solved + (n_answers - 1) ** (turn - 1), named)
    return total


def without_gap(pegs, named, colours):
    """Count codes whose colours above those named are the next ones, each at some of the pegs."""
    total = 0
    for new, pegs_new in product(range(min(pegs, colours - named) + 1), range(pegs + 1)):
        onto = sum((-1) ** k * comb(new, k) * (new - k) ** pegs_new for k in range(new + 1))
        total += comb(pegs, pegs_new) * named ** (pegs - pegs_new) * onto
    return total


def after(pegs, cell, codes, lowest):
    """Return lower bounds on the total of a set after each code, then by size."""
    totals = []
    rows = max(BLOCK // len(cell), 1)
    solved = pegs * (pegs + 1)
    for start in range(0, len(codes), rows):
        numbers = answers(pegs, codes[start : start + rows], cell)
        width = solved + 1  # all pegs are black
        places = numbers + np.arange(len(numbers))[:, None] * width
        counts = np.bincount(places.ravel(), minlength=len(numbers) * width).reshape(-1, width)
        totals.append(lowest[counts[:, :solved]].sum(axis=1))
    return len(cell) + np.concatenate(totals)


def cells_of(pegs, guess, codes):
    """Return the codes by their answers to a guess, but for the guess itself."""
    numbers = answers(pegs, guess[None], codes)[0]
    solved = pegs * (pegs + 1)
    return [codes[numbers == answer] for answer in np.unique(numbers) if answer != solved]


def second_guesses(opening, codes):
    """Return second guesses that include an image of every code."""
    base = int(codes.max()) + 1
    pegs = len(opening)
    powers = base ** np.arange(pegs)[::-1]
    lowest = values = codes @ powers
    orders = permutations(range(pegs))
    if pegs > MOST_PERMUTED:
        swaps = product(range(pegs), repeat=2)
        orders = [[{i: j, j: i}.get(peg, peg) for peg in range(pegs)] for i, j in swaps if i <= j]
    for order in orders:
        pairs = {*zip(opening[list(order)].tolist(), opening.tolist(), strict=True)}
        if len(pairs) == len({*opening.tolist()}):  # the exchange keeps the opening
            images = in_order(codes[:, list(order)], dict(pairs), base)
            lowest = np.minimum(lowest, images @ powers)
    return codes[lowest == values]


def in_order(codes, names, n_colours):
    """Return codes with some colours renamed, and the others numbered as they first appear."""
    new = np.full((len(codes), n_colours), -1)
    new[:, list(names)] = list(names.values())
    free = np.array(sorted({*range(n_colours)} - {*names.values()}), np.int64)
    seen = np.zeros(len(codes), np.int64)
    every = np.arange(len(codes))
    for peg in codes.T:
        first = np.flatnonzero(new[every, peg] < 0)
        new[first, peg[first]] = free[seen[first]]
        seen[first] += 1
    return np.take_along_axis(new, codes.astype(np.int64), axis=1)


def best_pair(opening, cell, seconds, codes, lowest):
    """Return a lower bound on the total of a set: its best guess, and the best one after it."""
    pegs = len(opening)
    best = 1 << 62
    totals = after(pegs, cell, seconds, lowest)
    for second in np.argsort(totals, kind="stable"):
        if totals[second] >= best:
            break
        named = {colour: colour for colour in [*opening.tolist(), *seconds[second].tolist()]}
        thirds = codes[(in_order(codes, named, int(codes.max()) + 1) == codes).all(axis=1)]
        total = int(totals[second])
        for part in sorted(cells_of(pegs, seconds[second], cell), key=len, reverse=True):
            if total < best:
                total += int(after(pegs, part, thirds, lowest).min() - lowest[len(part)])
        best = min(best, total)
    return best


def _openings_of(pegs, colours):
    ways = combinations_with_replacement(range(min(pegs, colours)), pegs)
    shares = {tuple(sorted(Counter(way).values(), reverse=True)) for way in ways}
    return [np.repeat(np.arange(len(share)), share) for share in sorted(shares)]


def bounds_of(pegs, colours):
    """Yield each class of openings with a lower bound on the total after it."""
    codes = np.array(list(product(range(colours), repeat=pegs)), np.int16)
    openings = [opening.astype(np.int16) for opening in _openings_of(pegs, colours)]
    # Other guesses are images of the openings.
    most = max(len(np.unique(answers(pegs, opening[None], codes))) for opening in openings)
    lowest = by_size(len(codes), most)
    by_colour = by_colours(pegs, colours, most)
    for opening in openings:
        seconds = second_guesses(opening, codes)
        total = len(codes)
        for cell in cells_of(pegs, opening, codes):
            if len(openings) > MOST_OPENINGS and len(codes) > MOST_FOR_THIRD:
                total += int(after(pegs, cell, seconds, lowest).min())
            else:
                total += best_pair(opening, cell, seconds, codes, lowest)
        name = "".join(str(peg + 1) for peg in opening)
        yield name, max(total, by_colour)


if __name__ == "__main__":
    given = sys.argv[1:]
    if len(given) != 2 or not all(map(SIZE.fullmatch, given)) or given[1] == "1":
        sys.exit("error: give the pegs, and two colours or more: check_three_guesses.py 4 6")
    pegs, colours = map(int, given)
    if pegs > 17 or colours**pegs > MOST_CODES:
        sys.exit(f"error: the limit of this program is {MOST_CODES:,} codes")
    game = f"mm-{pegs}-{colours}"
    bounds = []
    for opening, total in bounds_of(pegs, colours):
        print(f"{game} after {opening}: at least {total:,} guesses", flush=True)
        bounds.append(total)
    print(f"{game}: no strategy needs fewer than {min(bounds):,} guesses in total")
