"""Whether a set of the black-peg game can be solved within some guesses, by depth-first search.

The feedback is the number of pegs in place, so each position has an alphabet of its own: a colour
at a position is a *symbol*, number `position · colours + colour`. A guess is a word with a bit for
each of its symbols, and its feedback is the number of bits that it shares with the secret's word. A
position without a bit has a blank peg, which matches nothing.

Changes that keep feedback are permutations of the positions, and of the symbols at a position. Of
sets that such a change makes equal most are searched once (`sets/numbering.py`).
"""

from typing import NamedTuple

import numpy as np

from codebreaker.compiling.cpu import njit
from codebreaker.search.kernels.options import SETS_SEARCHED, WORK_LEFT
from codebreaker.sets.numbering import Numbers, SymmetricCodes, numbered_key
from codebreaker.sets.primitives import bit_count
from codebreaker.sets.transposition import (
    NONE,
    UNSEEN,
    TranspositionTable,
    find,
    read,
    store,
)
from codebreaker.types import Bits, Counts, Indices, Offsets

NO_GUESS = np.uint64(0)
"""The word returned if no guess solves the set in time, or the search was stopped."""

SOLVED = 1
UNSOLVED = 0
"""What the table stores for a set and a number of guesses, in place of a total."""

YES = np.int64(1)
NO = np.int64(0)
"""Typed, so that `find_guess` is compiled once: a cached recursion of two versions would crash."""


class BlackPegs(NamedTuple):
    """A game of p pegs and c colours, and what a search remembers."""

    symbols: Offsets  # (n_codes, pegs): each peg's symbol
    words: Bits  # (n_codes,): each code as a word of bits
    place_values: Offsets  # (pegs,): powers of c; codes are in lexicographic order
    largest: Counts  # (n_turns,): upper bound on the size of sets solved within r guesses
    largest_near: Counts  # (n_turns,): the same of sets that got p − 1 black pegs
    has_blanks: bool  # whether guesses may have blank pegs
    symmetric_codes: SymmetricCodes
    every: Indices  # (n_codes,): the codes, each a guess and a secret
    memo: TranspositionTable  # SOLVED or UNSOLVED by numbered set and guesses left
    numbers: Numbers  # working memory
    present: Counts  # (n_codes,): working memory, 0 between calls
    tally: Counts  # (2,): at WORK_LEFT comparisons of guesses with candidates; SETS_SEARCHED


@njit(nogil=True)
def _list_symbols(game: BlackPegs, members: Indices, symbols: Offsets, n_symbols: Counts) -> None:
    """Write the symbols to guess at each position, (pegs, c + 1), −1 for a blank; and how many.

    Of symbols that can be exchanged without changing the set the first one suffices. A symbol of
    no code is as good as a blank, and needless where all codes have the same symbol.
    """
    pegs = len(game.place_values)
    colours = symbols.shape[1] - 1
    counts = np.zeros(pegs * colours, np.int64)
    for member in members:
        game.present[member] = 1
        for position in range(pegs):
            counts[game.symbols[member, position]] += 1
    for position in range(pegs):
        value = game.place_values[position]
        n = 0
        n_present = 0
        for colour in range(colours):
            symbol = position * colours + colour
            if counts[symbol] == 0:
                continue
            n_present += 1
            is_new = True
            for k in range(n):
                # Exchanging both symbols keeps the set if each code with one is in the set with
                # the other; as many codes have the other, so none is left over.
                other = symbols[position, k]
                if is_new and counts[other] == counts[symbol]:
                    same = True
                    for member in members:
                        has_symbol = game.symbols[member, position] == symbol
                        if has_symbol and game.present[member + (other - symbol) * value] == 0:
                            same = False
                            break
                    is_new = not same
            if is_new:
                symbols[position, n] = symbol
                n += 1
        if n_present > 1 and (game.has_blanks or n_present < colours):
            symbols[position, n] = -1
            n += 1
        n_symbols[position] = n
    for member in members:
        game.present[member] = 0


@njit(nogil=True)
def _list_guesses(game: BlackPegs, members: Indices, left: int) -> tuple[Bits, Counts]:
    """Return the guesses whose cells may be solved within `left` − 1 guesses, by their sizes.

    The first array has their words, (n_listed,); the second, of the same length, has the sum of the
    squares of the sizes of their cells, which is low if cells are even. With `left` = 2 the first
    such guess suffices, and is returned alone: its cells have one candidate each, so that it solves
    the set.
    """
    n = len(members)
    pegs = len(game.place_values)
    symbols = np.empty((pegs, len(game.words) // game.place_values[0] + 1), np.int64)
    n_symbols = np.empty(pegs, np.int64)
    _list_symbols(game, members, symbols, n_symbols)
    n_guesses = 1
    for position in range(pegs):
        n_guesses *= n_symbols[position]
    guesses = np.empty(n_guesses, np.uint64)
    squares = np.empty(n_guesses, np.int64)
    sizes = np.zeros(pegs + 1, np.int64)
    n_listed = 0
    for number in range(n_guesses):
        # 1. The guess: the digits of its number choose a symbol, or a blank, at each position.
        rest = number
        guess = NO_GUESS
        for position in range(pegs):
            symbol = symbols[position, rest % n_symbols[position]]
            rest //= n_symbols[position]
            if symbol >= 0:
                guess |= np.uint64(1) << np.uint64(symbol)
        # 2. Its cells, by the number of black pegs. That of all pegs is solved.
        sizes[:] = 0
        for member in members:
            sizes[np.int64(bit_count(guess & game.words[member]))] += 1
        # 3. A cell that is larger than any set solved in time can't be solved in time, so that the
        #    guess is left out; so is one that splits nothing.
        fits = sizes[pegs - 1] <= game.largest_near[left - 1]
        total = 0
        for feedback in range(pegs):
            size = sizes[feedback]
            total += size * size
            fits = fits and size < n and size <= game.largest[left - 1]
        if fits:
            guesses[n_listed] = guess
            squares[n_listed] = total
            n_listed += 1
            if left == 2:
                return guesses[:1], squares[:1]
    game.tally[WORK_LEFT] -= n_guesses * n
    return guesses[:n_listed], squares[:n_listed]


@njit(nogil=True)
def _split(
    game: BlackPegs, members: Indices, guess: np.uint64, cells: Indices, sizes: Counts
) -> None:
    """Write the members of each cell of a guess into `cells`, (pegs, n), and `sizes`, (pegs + 1,).

    A row is a number of black pegs, and members stay in ascending order. The solved member, with
    all pegs black, is left out.
    """
    pegs = len(game.place_values)
    sizes[:] = 0
    for member in members:
        blacks = np.int64(bit_count(guess & game.words[member]))
        if blacks < pegs:
            cells[blacks, sizes[blacks]] = member
            sizes[blacks] += 1


@njit(nogil=True)
def find_guess(game: BlackPegs, members: Indices, left: int, looks_up: int) -> np.uint64:
    """Return a guess that begins to solve a set within `left` guesses, or NO_GUESS if none does.

    If the table has the set and `looks_up` is YES, any word but NO_GUESS says that one does.
    Members are in ascending order. After a stop (tally[WORK_LEFT] < 0) the result means nothing.
    """
    n = len(members)
    pegs = len(game.place_values)
    # 1. By size.
    if n > game.largest[left]:
        return NO_GUESS
    if n <= 2 and left >= n:
        return game.words[members[0]]
    # 2. By the table.
    key = np.uint64(0), np.uint64(0)
    if left > 2:
        key = numbered_key(
            game.symmetric_codes, game.numbers, game.memo.words, game.every, members, left
        )
        slot = find(game.memo.slots, game.memo.used[1], key)
        state, result, _ = read(game.memo.slots, slot)
        if state != UNSEEN and (looks_up == YES or result == UNSOLVED):
            return game.words[members[0]] if result == SOLVED else NO_GUESS
    game.tally[SETS_SEARCHED] += 1
    # 3. List the guesses whose cells are small enough. The last but one guess needs no search.
    guesses, squares = _list_guesses(game, members, left)
    if left == 2:
        return guesses[0] if len(guesses) > 0 else NO_GUESS
    # 4. Try them, those with even cells first. A guess solves the set if each of its cells can be
    #    solved with one guess less. The largest is searched first: it is the likeliest to fail.
    winner = NO_GUESS
    cells = np.empty((pegs, n), np.int32)
    sizes = np.zeros(pegs + 1, np.int64)
    for option in np.argsort(squares):
        guess = guesses[option]
        _split(game, members, guess, cells, sizes)
        solves = True
        for cell_feedback in np.argsort(-sizes[:pegs]):
            cell_size = sizes[cell_feedback]
            if cell_size > 0 and game.tally[WORK_LEFT] >= 0:
                cell = cells[cell_feedback, :cell_size]
                if find_guess(game, cell, left - 1, YES) == NO_GUESS:
                    solves = False
                    break
        if game.tally[WORK_LEFT] < 0:
            return NO_GUESS
        if solves:
            winner = guess
            break
    # 5. Remember the result.
    if left > 2:
        store(game.memo, key, UNSOLVED if winner == NO_GUESS else SOLVED, NONE)
    return winner
