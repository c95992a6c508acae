"""Find minimum totals, or lower bounds on them, by a solver that shares nothing with the package.

check_solved.py calls it and records the results. A tree's total is the sum, over all secrets, of
the guesses that the tree needs. For a set of candidates S and a guess g that divides it into parts
S_f, one for each feedback f but the one that solves,

    total(S) = |S| + min over g of the sum over f of total(S_f),   total(one candidate) = 1.

The method is iterative deepening on the total: is there a tree of total t or less? A guess's lower
bound is |S| and the sum of its parts' bounds. Guesses whose bound is above t are put aside. For the
others, the bounds of the parts are raised one after the other, until the sum is above t or all
parts are solved. Then t grows, in steps that double, up to a budget. Bounds and totals of sets are
kept in a table, by all members of a set that is equal but for the order of pegs and the names of
colours: see `table_key`.

The first bounds come from sizes: if no guess divides a set into more than M parts that leave a
candidate to find, at most 1, M, M², ... of its candidates, or a subset's, are found at turn 1, 2,
3, ... All guesses are tried, consistent or not; of guesses that a symmetry makes equal, one is
tried: see `note_symmetries` and `note_orbits`.
"""

import re
from itertools import permutations, product
from typing import NamedTuple

import numpy as np
from numba import njit

NAME = re.compile(r"(mm|bc|black)-([1-9]\d?)-([1-9]\d?)", re.ASCII)

DEEPEST = 48
"""Maximum number of guesses on a path of the search."""

IMPOSSIBLE = 1 << 24
"""A total above any real one: there is no tree within the limit of guesses. 64 fit in 32 bits."""

NO_LIMIT = 15
"""The number of turns left that stands for any number; limits are smaller."""

MOST_CODES = 1 << 16
"""Maximum number of codes: each is a number of 16 bits."""

MOST_ANSWERS = 64
"""Maximum number of different feedback: a set of it is a number of 64 bits."""

SMALL = 22
"""Maximum size of sets whose pairs are compared first; the number of pairs must fit in 8 bits."""

BLOCK = 256
"""Number of guesses whose parts are counted together."""

WITH_ORDERS = 8
"""Maximum number of pegs of which all orders are tried for symmetries of the first two guesses."""

BLACK = 0
WHITE = 1
DISTINCT = 2
"""Kinds of games: black pegs only; Mastermind; codes of distinct colours (Bulls and Cows)."""


class Game(NamedTuple):
    """A game: what the compiled functions read."""

    kind: int
    cost: int  # of a guess: 1, or 0 if any tree within the limit will do
    codes: np.ndarray  # [code, peg]: colours
    answers: np.ndarray  # [secret, guess]: the feedback's number; the last one solves
    n_answers: int
    n_colours: int
    places: np.ndarray  # [code as a number whose digits are colours]: the code's place
    size_bounds: np.ndarray  # [turns left, parts, size]: lower bounds on totals


class Work(NamedTuple):
    """Working memory, a row for each depth of the search."""

    members: np.ndarray  # [depth, i]: the candidates in ascending order
    parts: np.ndarray  # [depth, i]: the candidates by feedback to the guess that is tried
    starts: np.ndarray  # [depth, f]: where the part of a feedback starts
    lows: np.ndarray  # [depth, f]: lower bound on the part's total
    solved: np.ndarray  # [depth, f]: whether the bound is its total
    guesses: np.ndarray  # [depth, k]: guesses that may have a tree within the budget
    bounds: np.ndarray  # [depth, k]: their lower bounds
    keys: np.ndarray  # [depth, i]: by which the set is in the table
    history: np.ndarray  # [depth]: the guess played
    allowed: np.ndarray  # [depth, peg, colour]: 1 if canonical guesses may have it there
    fresh: np.ndarray  # [depth, 2, colour]: 1 + rank among interchangeable colours, or 0
    earlier: np.ndarray  # [depth, peg]: the last earlier peg that is interchangeable, or -1
    orbit: np.ndarray  # [depth, guess]: 1 if no symmetry of the first guesses makes it smaller
    orders: np.ndarray  # [order, peg]: the orders of pegs that are tried, but the usual one
    collisions: np.ndarray  # [guess]: pairs of candidates that it doesn't separate
    block_counts: np.ndarray  # [f, k]: sizes of parts, for a block of guesses
    block_bounds: np.ndarray  # [k]: sum of bounds on parts
    block_parts: np.ndarray  # [k]: number of parts that leave a candidate to find
    block_largest: np.ndarray  # [k]: the size of the largest one
    counts: np.ndarray  # [f]: sizes of parts
    searched: np.ndarray  # [0]: number of sets searched


class Table(NamedTuple):
    """Bounds of sets by all members of their keys: a hash table with the keys in one array."""

    slots: np.ndarray  # [slot]: 1 + number of the set, or 0
    offsets: np.ndarray  # [set]: where its members start
    sizes: np.ndarray  # [set]
    turns: np.ndarray  # [set]: turns left
    lows: np.ndarray  # [set]: lower bound
    solved: np.ndarray  # [set]: whether the bound is the total
    members: np.ndarray
    used: np.ndarray  # [0]: sets; [1]: members; [2]: times that it was emptied


def codes_of(family, pegs, colours):
    """Return the codes in lexicographic order, [code, peg]."""
    if family == "bc":
        codes = list(permutations(range(colours), pegs))
    else:
        codes = list(product(range(colours), repeat=pegs))
    return np.array(codes, np.uint8)


def answers_of(family, codes, colours):
    """Return the feedback's number for each secret and guess, and the feedback of each number.

    Feedback is (black, white), or (black, 0) for black pegs only; the last one solves. What no
    guess gets has no number.
    """
    n, pegs = codes.shape
    black = np.zeros((n, n), np.uint8)
    for peg in range(pegs):
        black += codes[:, None, peg] == codes[None, :, peg]
    common = np.zeros((n, n), np.uint8)
    if family == "black":
        common += black
    else:
        for colour in range(colours):
            count = (codes == colour).sum(axis=1).astype(np.uint8)
            common += np.minimum(count[:, None], count[None, :])
    pairs = black * np.uint8(pegs + 1)
    pairs += common - black
    occurs = np.zeros((pegs + 1) ** 2, np.bool_)
    for row in pairs:
        occurs[row] = True
    occurring = np.flatnonzero(occurs)
    if len(occurring) > MOST_ANSWERS:
        raise ValueError(f"more than {MOST_ANSWERS} answers, the limit of this program")
    number = np.zeros((pegs + 1) ** 2, np.uint8)
    number[occurring] = np.arange(len(occurring))
    feedback = [divmod(pair, pegs + 1) for pair in occurring.tolist()]
    return number[pairs], feedback


def size_bounds_of(most, n_answers, limited):
    """Return lower bounds on totals by turns left, parts and size, [NO_LIMIT + 1, parts, size].

    With at most `parts` parts to go on with after any guess, parts^(k - 1) nodes have depth k, and
    each finds one secret: the total is smallest if the first turns are full.
    """
    bounds = np.full((NO_LIMIT + 1, n_answers, most + 1), IMPOSSIBLE, np.int32)
    for turns in range(1 if limited else NO_LIMIT, NO_LIMIT + 1):
        for parts in range(1, n_answers):
            total = size = 0
            room = turn = 1
            bounds[turns, parts, 0] = 0
            while size < most and (turn <= turns or turns == NO_LIMIT):
                more = min(room, most - size)
                first_totals = total + turn * np.arange(1, more + 1)
                bounds[turns, parts, size + 1 : size + more + 1] = first_totals
                total += turn * more
                size += more
                turn += 1
                room *= parts
    return np.minimum(bounds, IMPOSSIBLE)


@njit(cache=True)
def find_set(table, members, n, turns):
    """Return the slot of a set, or of the empty slot where it belongs."""
    mask = np.uint64(len(table.slots) - 1)
    key = np.uint64(n) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(turns)
    for i in range(n):
        key = (key ^ np.uint64(members[i])) * np.uint64(0xD6E8FEB86659FD93)
        key ^= key >> np.uint64(29)
    slot = key & mask
    while table.slots[slot] > 0:
        entry = table.slots[slot] - 1
        if table.sizes[entry] == n and table.turns[entry] == turns:
            offset = table.offsets[entry]
            same = True
            for i in range(n):
                if table.members[offset + i] != members[i]:
                    same = False
                    break
            if same:
                return slot
        slot = (slot + np.uint64(1)) & mask
    return slot


@njit(cache=True)
def store_set(table, members, n, turns, low, solved):
    """Keep a set's bound. A full table is emptied: that costs time, never a proof."""
    slot = find_set(table, members, n, turns)
    if table.slots[slot] == 0:
        if n > len(table.members):
            return
        full = table.used[0] + 1 > len(table.offsets)
        if full or table.used[1] + n > len(table.members):
            table.slots[:] = 0
            table.used[0] = 0
            table.used[1] = 0
            table.used[2] += 1
            slot = find_set(table, members, n, turns)
        entry = table.used[0]
        offset = table.used[1]
        table.used[0] += 1
        table.used[1] += n
        table.slots[slot] = entry + 1
        table.offsets[entry] = offset
        table.sizes[entry] = n
        table.turns[entry] = turns
        table.lows[entry] = 0
        table.solved[entry] = 0
        for i in range(n):
            table.members[offset + i] = members[i]
    entry = table.slots[slot] - 1
    if low >= table.lows[entry]:
        table.lows[entry] = min(low, IMPOSSIBLE)
        table.solved[entry] = solved


@njit(cache=True)
def mix(number):
    """Return a number whose bits depend on all bits of another one (both have 64)."""
    factor = np.uint64(0xD6E8FEB86659FD93)
    number = (number ^ (number >> np.uint64(32))) * factor
    number = (number ^ (number >> np.uint64(32))) * factor
    return number ^ (number >> np.uint64(32))


@njit(cache=True)
def rank(signatures, ranks):
    """Write each signature's rank; of equal ones the first comes first."""
    for i in range(len(signatures)):
        ranks[i] = 0
        for k in range(len(signatures)):
            equal = signatures[k] == signatures[i]
            if signatures[k] < signatures[i] or (equal and k < i):
                ranks[i] += 1


@njit(cache=True)
def table_key(game, members, n, space):
    """Return the members by which a set is in the table: those of an equal set, in `space`.

    Another order of the pegs, the same for all codes, and other names for the colours change no
    feedback, so no total. With black pegs only, colours may have other names at each peg. So pegs
    and colours are numbered by signatures that depend on neither order nor names. Two sets that are
    equal but for those mostly get the same key; if not, only time is lost.
    """
    pegs = game.codes.shape[1]
    n_alphabets = pegs if game.kind == BLACK else 1
    of_peg = np.zeros(pegs, np.uint64)
    of_colour = np.zeros((n_alphabets, game.n_colours), np.uint64)
    # Step 1: how many candidates have a colour at a peg.
    counts = np.zeros((pegs, game.n_colours), np.uint64)
    for i in range(n):
        for peg in range(pegs):
            counts[peg, game.codes[members[i], peg]] += np.uint64(1)
    for peg in range(pegs):
        for colour in range(game.n_colours):
            if counts[peg, colour] > 0:
                signature = mix(counts[peg, colour])
                of_peg[peg] += signature
                of_colour[peg % n_alphabets, colour] += signature
    # Step 2: in which candidates, each by the signatures of its pegs and colours.
    next_of_peg = np.zeros_like(of_peg)
    next_of_colour = np.zeros_like(of_colour)
    for i in range(n):
        code = game.codes[members[i]]
        of_code = np.uint64(0)
        for peg in range(pegs):
            of_code += mix(of_peg[peg] + np.uint64(3) * of_colour[peg % n_alphabets, code[peg]])
        for peg in range(pegs):
            alphabet = peg % n_alphabets
            next_of_peg[peg] += mix(of_code + of_colour[alphabet, code[peg]])
            next_of_colour[alphabet, code[peg]] += mix(of_code + of_peg[peg])
    # Step 3: the new numbers. A code is a number whose first digit is the colour of the first peg.
    rank_of_peg = np.zeros(pegs, np.int64)
    rank_of_colour = np.zeros((n_alphabets, game.n_colours), np.int64)
    rank(next_of_peg, rank_of_peg)
    for alphabet in range(n_alphabets):
        rank(next_of_colour[alphabet], rank_of_colour[alphabet])
    for i in range(n):
        number = 0
        for peg in range(pegs):
            digit = rank_of_colour[peg % n_alphabets, game.codes[members[i], peg]]
            number += digit * game.n_colours ** (pegs - 1 - rank_of_peg[peg])
        space[i] = game.places[number]
    space[:n].sort()
    return space


@njit(cache=True)
def has_separator(answers, members, n):
    """Return whether a candidate gives all others different feedback."""
    for i in range(n):
        seen = np.uint64(0)
        separates = True
        for j in range(n):
            bit = np.uint64(1) << np.uint64(answers[members[j], members[i]])
            if seen & bit:
                separates = False
                break
            seen |= bit
        if separates:
            return True
    return False


@njit(cache=True)
def note_symmetries(game, work, depth, n):
    """Describe the guesses at a node of which at least one per class is canonical.

    Guesses are in one class if a change that keeps the set of candidates makes one the other:

    - Colours in no guess so far may be renamed: every set on the path stays as it is. With black
      pegs only, so may the colours that were not at one peg so far, at this peg.
    - Colours in no candidate give no peg, so any of them may stand for another. (With distinct
      colours they may be exchanged.)
    - Pegs at which all guesses so far agree with each other may be exchanged.

    The smallest guess of a class survives three tests, as it would not be the smallest otherwise:
    unused colours appear in ascending order; the only absent colour is the smallest one; the
    colours at interchangeable pegs ascend.
    """
    pegs = game.codes.shape[1]
    members = work.members[depth]
    allowed = work.allowed[depth]
    fresh = work.fresh[depth]
    earlier = work.earlier[depth]
    present = np.zeros((pegs, game.n_colours), np.uint8)
    used = np.zeros((pegs, game.n_colours), np.uint8)
    for i in range(n):
        for peg in range(pegs):
            present[peg, game.codes[members[i], peg]] = 1
    for turn in range(depth):
        for peg in range(pegs):
            used[peg, game.codes[work.history[turn], peg]] = 1
    if game.kind != BLACK:  # a colour may be at any peg
        for colour in range(game.n_colours):
            present[:, colour] = present[:, colour].max()
            used[:, colour] = used[:, colour].max()
    allowed[:] = 1
    fresh[:] = 0
    for peg in range(pegs):
        smallest_absent = -1
        smallest_unused = -1
        for colour in range(game.n_colours):
            if not present[peg, colour]:
                if game.kind != DISTINCT and smallest_absent >= 0:
                    allowed[peg, colour] = 0
                smallest_absent = colour
            if game.kind == BLACK and not used[peg, colour]:
                if smallest_unused >= 0:
                    allowed[peg, colour] = 0
                smallest_unused = colour
    if game.kind != BLACK:
        rank = 0
        for colour in range(game.n_colours):
            if not used[0, colour]:
                rank += 1
                fresh[0, colour] = rank
    if game.kind == DISTINCT:
        rank = 0
        for colour in range(game.n_colours):
            if not present[0, colour]:
                rank += 1
                fresh[1, colour] = rank
    for peg in range(pegs):
        earlier[peg] = -1
        for other in range(peg):
            same = True
            for turn in range(depth):
                code = game.codes[work.history[turn]]
                if code[peg] != code[other]:
                    same = False
            if same:
                earlier[peg] = other


@njit(cache=True)
def keep_canonical(codes, allowed, fresh, earlier, orbit, tried, n_tried):
    """Keep the guesses that survive the tests of `note_symmetries`; return how many."""
    n_kept = 0
    for k in range(n_tried):
        guess = np.int64(tried[k])
        canonical = orbit[guess] == 1
        unused = 0
        absent = 0
        for peg in range(codes.shape[1]):
            colour = codes[guess, peg]
            before = earlier[peg]
            if not allowed[peg, colour] or (before >= 0 and codes[guess, before] > colour):
                canonical = False
                break
            if fresh[0, colour] > unused + 1 or fresh[1, colour] > absent + 1:
                canonical = False
                break
            unused = max(unused, fresh[0, colour])
            absent = max(absent, fresh[1, colour])
        if canonical:
            tried[n_kept] = guess
            n_kept += 1
    return n_kept


@njit(cache=True)
def renaming(game, work, depth, order, name, taken):
    """Return whether colours can be renamed so that an order of pegs keeps the guesses so far.

    The guess at each peg is then the new name of its colour at peg order[peg]. Note the `name` of
    each colour, or -1, and which names are `taken`.
    """
    name[:] = -1
    taken[:] = 0
    for turn in range(depth):
        code = game.codes[work.history[turn]]
        for peg in range(len(order)):
            old = code[order[peg]]
            new = code[peg]
            if name[old] < 0 and not taken[new]:
                name[old] = new
                taken[new] = 1
            elif name[old] != new:
                return False
    return True


@njit(cache=True)
def note_orbits(game, work, depth):
    """Mark the guesses at a depth that no symmetry of the guesses so far makes smaller.

    A symmetry reorders the pegs and renames the colours so that each guess so far stays what it is.
    It keeps all sets on the path. Unused colours are renamed in order of appearance, which is the
    smallest way. Return which orders of pegs are in a symmetry.
    """
    n_codes, pegs = game.codes.shape
    orbit = work.orbit[depth]
    orbit[:] = 1
    name = np.zeros(game.n_colours, np.int64)
    taken = np.zeros(game.n_colours, np.int64)
    names = np.zeros(game.n_colours, np.int64)
    keeps = np.zeros(len(work.orders), np.bool_)
    for k in range(len(work.orders)):
        order = work.orders[k]
        keeps[k] = renaming(game, work, depth, order, name, taken)
        if not keeps[k]:
            continue
        for guess in range(n_codes):
            if not orbit[guess]:
                continue
            code = game.codes[guess]
            names[:] = name
            following = 0
            for peg in range(pegs):
                colour = code[order[peg]]
                if names[colour] < 0:
                    while taken[following]:
                        following += 1
                    names[colour] = following
                    following += 1
                if names[colour] != code[peg]:
                    if names[colour] < code[peg]:
                        orbit[guess] = 0
                    break
    return keeps


@njit(cache=True)
def collect_small(game, work, depth, n, budget):
    """List guesses for a small set that may have a tree within the budget; return their number.

    A guess that leaves q pairs together has at most n - m + 1 parts, with the smallest m of at
    least q pairs among m candidates; so its total is at least n + 2 n - (n - m + 1), or one less
    if it is a candidate: see the bounds by size.
    """
    answers = game.answers
    members = work.members[depth]
    collisions = work.collisions
    n_guesses = len(collisions)
    collisions[:] = 0
    for i in range(n):
        first = answers[members[i]]
        for j in range(i + 1, n):
            second = answers[members[j]]
            for guess in range(n_guesses):
                collisions[guess] += np.uint8(first[guess] == second[guess])
    largest = min(max(budget - 2 * n + 2, 1), n)
    if not game.cost:
        largest = n
    most = largest * (largest - 1) // 2
    n_listed = 0
    for guess in range(n_guesses):
        if collisions[guess] <= most:
            work.guesses[depth, n_listed] = guess
            n_listed += 1
    return n_listed


@njit(cache=True)
def count_block(game, work, depth, n, first, bounds):
    """Add bounds on parts, and count the parts, for a block of guesses together."""
    members = work.members[depth]
    counts = work.block_counts
    width = min(BLOCK, len(game.codes) - first)
    work.block_bounds[:] = 0
    work.block_parts[:] = 0
    work.block_largest[:] = 0
    counts[:] = 0
    for i in range(n):
        row = game.answers[members[i], first : first + width]
        for answer in range(game.n_answers - 1):
            count = counts[answer]
            number = np.uint8(answer)
            for k in range(width):
                count[k] += np.uint8(row[k] == number)
    for answer in range(game.n_answers - 1):
        count = counts[answer]
        for k in range(width):
            work.block_bounds[k] += bounds[count[k]]
        for k in range(width):
            work.block_parts[k] += np.uint8(count[k] > 0)
        for k in range(width):
            work.block_largest[k] = max(work.block_largest[k], count[k])


@njit(cache=True)
def collect(game, work, depth, n, parts, turns, budget):
    """List guesses with a bound within the budget, by bounds on the sizes of parts.

    Return how many, a bound on the totals after all others, and the maximum number of parts of a
    guess that leave a candidate to find, which holds for all subsets too.
    """
    answers = game.answers
    members = work.members[depth]
    counts = work.counts
    tried = work.guesses[depth]
    solves = game.n_answers - 1
    turns_after = turns if turns == NO_LIMIT else turns - 1
    bounds = game.size_bounds[turns_after, parts]
    unlisted = np.int64(IMPOSSIBLE)
    if n <= SMALL:
        n_tried = collect_small(game, work, depth, n, budget)
        unlisted = np.int64(budget + 1)
    else:
        n_tried = len(game.codes)
        for guess in range(n_tried):
            tried[guess] = guess
    n_canonical = keep_canonical(
        game.codes,
        work.allowed[depth],
        work.fresh[depth],
        work.earlier[depth],
        work.orbit[depth],
        tried,
        n_tried,
    )
    together = SMALL < n < 256 and n_canonical > len(game.codes) // 8
    first = 0
    most_parts = 0
    n_listed = 0
    for k in range(n_canonical):
        guess = np.int64(tried[k])
        bound = np.int64(game.cost * n)
        n_parts = 0
        largest = 0
        if together:
            if k == 0 or guess >= first + BLOCK:
                first = guess // BLOCK * BLOCK
                count_block(game, work, depth, n, first, bounds)
            bound += work.block_bounds[guess - first]
            n_parts = np.int64(work.block_parts[guess - first])
            largest = np.int64(work.block_largest[guess - first])
        else:
            counts[:] = 0
            for i in range(n):
                counts[answers[members[i], guess]] += 1
            for answer in range(solves):
                bound += bounds[counts[answer]]
                n_parts += counts[answer] > 0
                largest = max(largest, counts[answer])
        if largest == n:
            continue  # it divides nothing
        most_parts = max(most_parts, n_parts)
        if bound <= budget:
            tried[n_listed] = guess
            work.bounds[depth, n_listed] = bound
            n_listed += 1
        else:
            unlisted = min(unlisted, bound)
    if n <= SMALL:
        most_parts = parts  # not all guesses were looked at
    return n_listed, unlisted, most_parts


# Numba can't load functions that call each other from its cache: this one is copied into the other.
@njit(cache=True, inline="always")
def bound_after(game, work, table, depth, n, parts, turns, guess, budget):
    """Return the total after a guess if it is within the budget, else a lower bound above it."""
    answers = game.answers
    members = work.members[depth]
    starts = work.starts[depth]
    lows = work.lows[depth]
    solved = work.solved[depth]
    ordered = work.parts[depth]
    solves = game.n_answers - 1
    turns_after = turns if turns == NO_LIMIT else turns - 1
    # Step 1: the parts, in the order of their feedback.
    counts = work.counts
    counts[:] = 0
    for i in range(n):
        counts[answers[members[i], guess]] += 1
    start = 0
    for answer in range(game.n_answers):
        starts[answer] = start
        start += counts[answer]
        counts[answer] = starts[answer]
    starts[game.n_answers] = start
    for i in range(n):
        answer = answers[members[i], guess]
        ordered[counts[answer]] = members[i]
        counts[answer] += 1
    # Step 2: bounds by sizes, the table and separating candidates.
    total = np.int64(game.cost * n)
    for answer in range(solves):
        size = starts[answer + 1] - starts[answer]
        lows[answer] = game.size_bounds[turns_after, parts, size]
        solved[answer] = size < 3
        total += lows[answer]
    if total > budget:
        return total
    for answer in range(solves):
        size = starts[answer + 1] - starts[answer]
        if size < 3:
            continue
        part = ordered[starts[answer] : starts[answer + 1]]
        low = lows[answer]
        if size > 3:
            key = table_key(game, part, size, work.keys[depth + 1])
            slot = find_set(table, key, size, turns_after)
            if table.slots[slot] > 0:
                entry = table.slots[slot] - 1
                low = max(low, table.lows[entry])
                solved[answer] = table.solved[entry]
        if game.cost and low == 2 * size - 1 and not solved[answer]:
            if has_separator(answers, part, size):
                solved[answer] = 1
            else:
                low += 1
                # Of three, a candidate that leaves two takes 1 + (2 + 3) guesses.
                solved[answer] = size == 3 and turns_after >= 3
        total += low - lows[answer]
        lows[answer] = low
        if total > budget:
            return total
    # Step 3: each large part's best guess by sizes, the largest part first; then the parts
    # themselves, the smallest first.
    if depth + 2 > DEEPEST:
        raise RuntimeError("a path is longer than the working memory")
    work.history[depth] = guess
    if depth == 1 and len(work.orders) > 0:
        note_orbits(game, work, 2)
    for quick in range(1, -1, -1):
        last = 0 if not quick else len(members) + 1
        while True:
            chosen = -1
            size = 0
            for answer in range(solves):
                if solved[answer]:
                    continue
                other = starts[answer + 1] - starts[answer]
                if quick and (other <= SMALL or other >= last):
                    continue
                if quick and other > size:
                    chosen = answer
                    size = other
                if not quick and (size == 0 or other < size):
                    chosen = answer
                    size = other
            if chosen < 0:
                break
            last = size
            work.members[depth + 1, :size] = ordered[starts[chosen] : starts[chosen + 1]]
            left = budget - (total - lows[chosen])
            low = least_total(game, work, table, depth + 1, size, parts, turns_after, left, quick)
            if not quick:
                solved[chosen] = 1
            low = max(low, lows[chosen])
            total += low - lows[chosen]
            lows[chosen] = low
            if total > budget:
                return total
    return total


@njit(cache=True)
def least_total(game, work, table, depth, n, parts, turns, budget, quick):
    """Return the minimum total of a set if it is within the budget, else a lower bound above it.

    `work.members[depth, :n]` has the set, `parts` bounds the parts of its guesses that leave
    candidates to find, `turns` is the number of turns left. If `quick`, return a lower bound in any
    case, from the sizes of parts.
    """
    low = np.int64(game.size_bounds[turns, parts, n])
    if low > budget or n < 3:
        return low
    answers = game.answers
    members = work.members[depth]
    key = table_key(game, members, n, work.keys[depth])
    slot = find_set(table, key, n, turns)
    if table.slots[slot] > 0:
        entry = table.slots[slot] - 1
        low = max(low, np.int64(table.lows[entry]))
        if low > budget or table.solved[entry]:
            return low
    if game.cost and low == 2 * n - 1:
        if has_separator(answers, members, n):
            store_set(table, key, n, turns, low, 1)
            return low
        low += 1
        if low > budget:
            store_set(table, key, n, turns, low, 0)
            return low
    work.searched[0] += 1
    note_symmetries(game, work, depth, n)
    n_listed, unlisted, parts = collect(game, work, depth, n, parts, turns, budget)
    guesses = work.guesses[depth]
    bounds = work.bounds[depth]
    lowest = unlisted
    for k in range(n_listed):
        lowest = min(lowest, bounds[k])
    low = max(low, lowest)
    if quick or low > budget:
        store_set(table, key, n, turns, low, 0)
        return low
    # Deepening: is there a tree within `limit`?
    limit = low
    step = 1
    while True:
        best = np.int64(IMPOSSIBLE)
        level = lowest
        while level <= limit:
            following = np.int64(IMPOSSIBLE)
            for k in range(n_listed):
                if bounds[k] == level and level <= limit:
                    bound = bound_after(
                        game, work, table, depth, n, parts, turns, guesses[k], limit
                    )
                    if bound <= limit:
                        best = bound
                        limit = best - 1
                    bounds[k] = bound
                elif bounds[k] > level:
                    following = min(following, np.int64(bounds[k]))
            level = following
        if best < IMPOSSIBLE:
            # Other guesses have no tree of total best - 1 or less.
            store_set(table, key, n, turns, best, 1)
            return best
        lowest = unlisted
        for k in range(n_listed):
            lowest = min(lowest, bounds[k])
        low = max(low, lowest)
        if low > budget:
            store_set(table, key, n, turns, low, 0)
            return low
        limit = min(budget, max(limit + step, low))
        step *= 2


def game_of(name, limited=False, any_tree=False):
    """Return a game by its name, such as mm-4-6, bc-4-10 or black-3-5."""
    match = NAME.fullmatch(name)
    if not match:
        raise ValueError(f"this program does not know the game {name}")
    family = match[1]
    pegs = int(match[2])
    colours = int(match[3])
    if colours < 2 or colours**pegs > MOST_CODES or (family == "bc" and pegs > colours):
        raise ValueError(
            f"{name} is not a game of 2 colours or more, and {MOST_CODES} codes or less"
        )
    codes = codes_of(family, pegs, colours)
    answers, feedback = answers_of(family, codes, colours)
    n_answers = len(feedback)
    kind = {"mm": WHITE, "bc": DISTINCT, "black": BLACK}[family]
    places = np.zeros(colours**pegs, np.uint16)
    places[codes @ colours ** np.arange(pegs)[::-1]] = np.arange(len(codes))
    bounds = size_bounds_of(len(codes), n_answers, limited)
    if any_tree:
        bounds[bounds < IMPOSSIBLE] = 0
    return Game(kind, int(not any_tree), codes, answers, n_answers, colours, places, bounds)


def work_of(game):
    """Return working memory for a game."""
    n, pegs = game.codes.shape
    orders = []
    if game.kind != BLACK and pegs <= WITH_ORDERS:
        orders = list(permutations(range(pegs)))[1:]
    rows = DEEPEST
    return Work(
        members=np.zeros((rows, n), np.uint16),
        parts=np.zeros((rows, n), np.uint16),
        starts=np.zeros((rows, game.n_answers + 1), np.int32),
        lows=np.zeros((rows, game.n_answers), np.int64),
        solved=np.zeros((rows, game.n_answers), np.uint8),
        guesses=np.zeros((rows, n), np.uint16),
        bounds=np.zeros((rows, n), np.int32),
        keys=np.zeros((rows, n), np.uint16),
        history=np.zeros(rows, np.int32),
        allowed=np.zeros((rows, pegs, game.n_colours), np.uint8),
        fresh=np.zeros((rows, 2, game.n_colours), np.uint8),
        earlier=np.zeros((rows, pegs), np.int8),
        orbit=np.ones((rows, n), np.uint8),
        orders=np.array(orders, np.int8).reshape(-1, pegs),
        collisions=np.zeros(n, np.uint8),
        block_counts=np.zeros((game.n_answers, BLOCK), np.uint8),
        block_bounds=np.zeros(BLOCK, np.int32),
        block_parts=np.zeros(BLOCK, np.uint8),
        block_largest=np.zeros(BLOCK, np.uint8),
        counts=np.zeros(game.n_answers, np.int32),
        searched=np.zeros(1, np.int64),
    )


def table_of(megabytes):
    """Return an empty table that takes about `megabytes` MiB when it is full."""
    bits = max(int(np.log2(megabytes * (1 << 20) / 96)) + 1, 10)
    n_sets = int(0.6 * (1 << bits))
    return Table(
        slots=np.zeros(1 << bits, np.int32),
        offsets=np.zeros(n_sets, np.int64),
        sizes=np.zeros(n_sets, np.int32),
        turns=np.zeros(n_sets, np.int8),
        lows=np.zeros(n_sets, np.int32),
        solved=np.zeros(n_sets, np.uint8),
        members=np.zeros(20 * n_sets, np.uint16),
        used=np.zeros(3, np.int64),
    )


def openings_of(game):
    """Return a first guess of each class: other ones repeat colours as often, in another order."""
    shapes = {}
    for guess, code in enumerate(game.codes):
        shape = tuple(sorted(np.bincount(code, minlength=game.n_colours).tolist()))
        shapes.setdefault(0 if game.kind == BLACK else shape, guess)
    return list(shapes.values())


class Search:
    """A search for trees of a game within a number of guesses, and what it has learned so far.

    With `any_tree`, guesses are free: all trees have a total of 0, and the question is whether
    there is one.
    """

    def __init__(self, name, turns=NO_LIMIT, megabytes=1024, any_tree=False):
        """Allocate a table of about `megabytes` MiB."""
        self.game = game_of(name, turns < NO_LIMIT, any_tree)
        self.turns = turns
        self.work = work_of(self.game)
        self.table = table_of(megabytes)

    @property
    def sets(self):
        """The number of sets searched."""
        return int(self.work.searched[0])

    def after(self, opening):
        """Return the working memory after a first guess, with the symmetries that keep it."""
        self.work.members[0] = np.arange(len(self.game.codes))
        self.work.history[0] = opening
        self.work.orbit[:] = 1
        keeps = note_orbits(self.game, self.work, 1)
        # What keeps two guesses keeps the first one.
        return self.work._replace(orders=self.work.orders[keeps])

    def total_after(self, opening, budget):
        """Return the minimum total after a first guess if within the budget, else a bound above."""
        n = len(self.game.codes)
        parts = self.game.n_answers - 1
        work = self.after(opening)
        total = bound_after(self.game, work, self.table, 0, n, parts, self.turns, opening, budget)
        return int(total)

    def least_of_part(self, work, members, budget, quick=False):
        """Return a part's minimum total if within the budget, else a bound above; no limit.

        `work` is that after the first guess. If `quick`, return the bound by the sizes of parts.
        """
        n = len(members)
        parts = self.game.n_answers - 1
        work.members[1, :n] = members
        return int(
            least_total(self.game, work, self.table, 1, n, parts, NO_LIMIT, budget, int(quick))
        )

    def bound(self, budget):
        """Return the minimum total if it is within the budget, else a lower bound above it."""
        return min(self.total_after(opening, budget) for opening in openings_of(self.game))

    def has_tree(self, total):
        """Return whether a tree has this total, if none has a smaller one."""
        return any(self.total_after(opening, total) == total for opening in openings_of(self.game))


def minimum_total(name, claimed, turns=NO_LIMIT, megabytes=1024):
    """Return a lower bound on the total, the total of a tree that the search found, and the sets.

    Both are the minimum total if it is the claimed one or smaller. Otherwise the total is None.
    """
    search = Search(name, turns, megabytes)
    bound = search.bound(claimed - 1)
    if bound < claimed:
        return bound, bound, search.sets
    if search.has_tree(claimed):
        return claimed, claimed, search.sets
    return claimed + 1, None, search.sets
