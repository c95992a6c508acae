"""Whether a set of the black-peg game can be solved within some guesses, by depth-first search.

The feedback is the number of pegs in place, so each position has an alphabet of its own: a colour
at a position is a *symbol*, number `position · colours + colour`. A guess is a word with a bit for
each of its symbols, and its feedback is the number of bits that it shares with the secret's word. A
position without a bit has a blank peg, which matches nothing.

Changes that keep feedback are permutations of the positions, and of the symbols at a position. The
transposition table has sets after such a change (`_relabel`), so that most sets that a change makes
equal are searched once.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.compiling.cpu import njit
from codebreaker.sets.primitives import bit_count, mix
from codebreaker.sets.transposition import (
    NONE,
    UNSEEN,
    TranspositionTable,
    find,
    key_of,
    read,
    store,
)
from codebreaker.types import Bits, Counts, Hashes, Indices, Offsets

NO_GUESS = np.uint64(0)
"""The word returned if no guess solves the set in time, or the search was stopped."""

SOLVED = 1
UNSOLVED = 0
"""What the table stores for a set and a number of guesses, in place of a total."""

YES = np.int64(1)
NO = np.int64(0)
"""Typed, so that `find_guess` is compiled once: a cached recursion of two versions would crash."""

FIRST_ROUNDS = 3
"""Rounds of `_refine` on a set. More would tell apart a few sets more, and take longer."""

NEXT_ROUNDS = 2
"""Rounds after a symbol or a position was marked."""


class BlackPegs(NamedTuple):
    """A game of p pegs and c colours, and what a search remembers."""

    symbols: Offsets  # (n_codes, pegs): each peg's symbol
    words: Bits  # (n_codes,): each code as a word of bits
    place_values: Offsets  # (pegs,): powers of c; codes are in lexicographic order
    largest: Counts  # (n_turns,): upper bound on the size of sets solved within r guesses
    largest_near: Counts  # (n_turns,): the same of sets that got p − 1 black pegs
    has_blanks: bool  # whether guesses may have blank pegs
    memo: TranspositionTable  # SOLVED or UNSOLVED by relabelled set and guesses left
    present: Counts  # (n_codes,): working memory, 0 between calls
    tally: Counts  # (2,): comparisons of a guess with a candidate that are left; sets searched


@njit(nogil=True)
def _refine(
    game: BlackPegs, members: Indices, of_symbol: Hashes, of_position: Hashes, rounds: int
) -> None:
    """Refine the hashes of symbols and positions, in place, by the codes that have them.

    Symbols that a change of the game exchanges without changing the set keep equal hashes, as only
    sums over positions, symbols and codes enter.
    """
    pegs = len(of_position)
    colours = len(of_symbol) // pegs
    of_codes = np.empty_like(of_symbol)
    for _ in range(rounds):
        for position in range(pegs):
            first = position * colours
            total = of_position[position]
            for symbol in range(first, first + colours):
                total += mix(of_symbol[symbol])
            of_position[position] = mix(total)
            for symbol in range(first, first + colours):
                of_symbol[symbol] = mix(np.uint64(3) * of_symbol[symbol] + of_position[position])
        of_codes[:] = 0
        for member in members:
            total = np.uint64(0)
            for position in range(pegs):
                total += of_symbol[game.symbols[member, position]]
            total = mix(total)
            for position in range(pegs):
                of_codes[game.symbols[member, position]] += total
        for symbol in range(len(of_symbol)):
            of_symbol[symbol] = mix(of_symbol[symbol] + np.uint64(5) * of_codes[symbol])


@njit(nogil=True)
def _relabel(game: BlackPegs, members: Indices) -> Indices:
    """Return the set after a change of the game that keeps feedback, (n,) int32, in any order.

    Whatever the change, the new set needs as many guesses: that it is the same for two sets that a
    change makes equal is likely, not certain, and only saves time.
    """
    pegs = len(game.place_values)
    n_symbols = game.symbols[-1, -1] + 1
    colours = n_symbols // pegs
    # 1. Begin with the number of codes that have a symbol.
    counts = np.zeros(n_symbols, np.int64)
    for member in members:
        for position in range(pegs):
            counts[game.symbols[member, position]] += 1
    of_symbol = counts.astype(np.uint64)
    of_position = np.zeros(pegs, np.uint64)
    _refine(game, members, of_symbol, of_position, FIRST_ROUNDS)
    # 2. While two symbols of a position are equal, mark one of those with the lowest hash, and
    #    refine again; then do so with positions. Equal ones can mostly be exchanged, so that it
    #    doesn't matter which is marked. Symbols of no code need no order.
    while True:
        marked = -1
        for symbol in range(n_symbols):
            is_equal = False
            if counts[symbol] > 0:
                for other in range(symbol + 1, (symbol // colours + 1) * colours):
                    if counts[other] > 0 and of_symbol[other] == of_symbol[symbol]:
                        is_equal = True
            if is_equal and (marked < 0 or of_symbol[symbol] < of_symbol[marked]):
                marked = symbol
        if marked >= 0:
            of_symbol[marked] = mix(of_symbol[marked] + np.uint64(1))
        else:
            for position in range(pegs):
                is_equal = False
                for other in range(position + 1, pegs):
                    if of_position[other] == of_position[position]:
                        is_equal = True
                if is_equal and (marked < 0 or of_position[position] < of_position[marked]):
                    marked = position
            if marked < 0:
                break
            of_position[marked] = mix(of_position[marked] + np.uint64(1))
        _refine(game, members, of_symbol, of_position, NEXT_ROUNDS)
    # 3. Number the positions, and the symbols at each, by ascending hashes.
    order = np.argsort(of_position)
    values = np.zeros(n_symbols, np.int64)
    for rank in range(pegs):
        first = order[rank] * colours
        for symbol in range(first, first + colours):
            smaller = 0
            for other in range(first, first + colours):
                if counts[other] > 0 and of_symbol[other] < of_symbol[symbol]:
                    smaller += 1
            values[symbol] = smaller * game.place_values[rank]
    relabelled = np.empty_like(members)
    for i in range(len(members)):
        code = 0
        for position in range(pegs):
            code += values[game.symbols[members[i], position]]
        relabelled[i] = code
    return relabelled


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
    game.tally[0] -= n_guesses * n
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
    Members are in ascending order. After a stop (tally[0] < 0) the result means nothing.
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
        key = key_of(game.memo.words, _relabel(game, members), left)
        slot = find(game.memo.slots, game.memo.used[1], key)
        state, result, _ = read(game.memo.slots, slot)
        if state != UNSEEN and (looks_up == YES or result == UNSOLVED):
            return game.words[members[0]] if result == SOLVED else NO_GUESS
    game.tally[1] += 1
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
            if cell_size > 0 and game.tally[0] >= 0:
                cell = cells[cell_feedback, :cell_size]
                if find_guess(game, cell, left - 1, YES) == NO_GUESS:
                    solves = False
                    break
        if game.tally[0] < 0:
            return NO_GUESS
        if solves:
            winner = guess
            break
    # 5. Remember the result.
    if left > 2:
        store(game.memo, key, UNSOLVED if winner == NO_GUESS else SOLVED, NONE)
    return winner
