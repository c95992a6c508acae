"""Numbers for a set's pegs and colours that depend on neither their order nor their names.

In a game of codes, another order of the pegs, the same for all codes, and other names of the
colours change no feedback, so no cost. Here a set's pegs and colours are numbered by hashes that
such a change keeps. So two sets that a change makes equal mostly are the same set by their numbers,
and one entry of a memo serves both. If different pegs or colours have the same hash, the two sets
may stay different: that costs time, and changes no result.

A guess at a set has a number too: that of its code, with the set's numbers of pegs and colours. At
an equal set the same number is the guess that the change makes of it.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.compiling.cpu import inner
from codebreaker.sets.primitives import GOLDEN, mix
from codebreaker.sets.transposition import key_of
from codebreaker.types import Hashes, Indices, Offsets, SymbolMatrix


class SymmetricCodes(NamedTuple):
    """The codes of a game with symmetries, its guesses; none if no symmetries are known.

    Any change of the pegs' order and the colours' names makes a guess of a guess. All pegs share an
    alphabet, the names of colours, or each has its own.
    """

    codes: SymbolMatrix  # (n_guesses, pegs), colours from 0
    index_of: Indices  # a guess by its code's number: the sum of its colours times `places`
    places: Offsets  # (pegs,)
    alphabets: Offsets  # (pegs,), from 0


class Numbers(NamedTuple):
    """The numbers of a set's pegs and colours, and working memory: `number_set` writes all."""

    of_peg: Offsets  # (pegs,)
    of_colour: Offsets  # (n_alphabets, n_colours)
    values: Offsets  # (pegs, n_colours): what a colour at a peg adds to a code's number
    counts: Hashes  # (pegs, n_colours): the members with a colour at a peg
    words: Hashes  # (pegs, n_colours): hashes of these
    sums: Hashes  # (pegs, n_colours): sums of hashes of the members with a colour at a peg
    peg_hashes: Hashes  # (pegs,)
    colour_hashes: Hashes  # (n_alphabets, n_colours), 0 of colours that no member has


@inner
def _hash_pegs_and_colours(codes: SymmetricCodes, numbers: Numbers, by_symbol: Hashes) -> None:
    """Hash each peg, and each colour, by a word for each colour at a peg, (pegs, n_colours).

    Sums make the hashes independent of order.
    """
    pegs, n_colours = by_symbol.shape
    numbers.peg_hashes[:] = 0
    numbers.colour_hashes[:] = 0
    for peg in range(pegs):
        alphabet = codes.alphabets[peg]
        for colour in range(n_colours):
            if numbers.counts[peg, colour] > 0:
                word = mix(by_symbol[peg, colour])
                numbers.peg_hashes[peg] += word
                numbers.colour_hashes[alphabet, colour] += word


@inner
def _rank(hashes: Hashes, ranks: Offsets) -> None:
    """Write the ranks of hashes, the greatest first; equal ones in the order of their places."""
    for i in range(len(hashes)):
        rank = 0
        for j in range(len(hashes)):
            rank += hashes[j] > hashes[i] or (hashes[j] == hashes[i] and j < i)
        ranks[i] = rank


@inner
def number_set(
    codes: SymmetricCodes, numbers: Numbers, guess_of_secret: Indices, members: Indices
) -> None:
    """Write the numbers of a set's pegs and colours; `members` is (n,) int32."""
    counts = numbers.counts
    words = numbers.words
    sums = numbers.sums
    pegs, n_colours = counts.shape
    # 1. By how many members have a colour at a peg.
    counts[:] = 0
    for member in members:
        code = codes.codes[guess_of_secret[member]]
        for peg in range(pegs):
            counts[peg, code[peg]] += np.uint64(1)
    _hash_pegs_and_colours(codes, numbers, counts)
    # 2. By which members these are: a member is known by the hashes of its pegs and colours.
    for peg in range(pegs):
        alphabet = codes.alphabets[peg]
        for colour in range(n_colours):
            if counts[peg, colour] > 0:
                of_both = numbers.peg_hashes[peg] + numbers.colour_hashes[alphabet, colour]
                words[peg, colour] = mix(of_both + counts[peg, colour])
    sums[:] = 0
    for member in members:
        code = codes.codes[guess_of_secret[member]]
        total = np.uint64(0)
        for peg in range(pegs):
            total += words[peg, code[peg]]
        word = mix(total)
        for peg in range(pegs):
            sums[peg, code[peg]] += word
    for peg in range(pegs):
        for colour in range(n_colours):
            sums[peg, colour] += words[peg, colour]
    _hash_pegs_and_colours(codes, numbers, sums)
    # 3. The numbers. Colours of no member have the hash 0, and come last.
    _rank(numbers.peg_hashes, numbers.of_peg)
    for alphabet in range(len(numbers.of_colour)):
        _rank(numbers.colour_hashes[alphabet], numbers.of_colour[alphabet])
    for peg in range(pegs):
        place_value = codes.places[numbers.of_peg[peg]]
        of_colour = numbers.of_colour[codes.alphabets[peg]]
        for colour in range(n_colours):
            numbers.values[peg, colour] = place_value * of_colour[colour]


@inner
def number_of_guess(codes: SymmetricCodes, numbers: Numbers, guess: int) -> int:
    """Return a guess's number at the set that `number_set` numbered last."""
    code = codes.codes[guess]
    number = 0
    for peg in range(len(code)):
        number += numbers.values[peg, code[peg]]
    return number


@inner
def guess_of_number(codes: SymmetricCodes, numbers: Numbers, number: int) -> int:
    """Return the guess with a number at the set that `number_set` numbered last."""
    pegs, n_colours = numbers.counts.shape
    index = 0
    for peg in range(pegs):
        digit = number // codes.places[numbers.of_peg[peg]] % n_colours
        of_colour = numbers.of_colour[codes.alphabets[peg]]
        colour = 0
        while of_colour[colour] != digit:
            colour += 1
        index += colour * codes.places[peg]
    return int(codes.index_of[index])


@inner
def numbered_key(
    codes: SymmetricCodes,
    numbers: Numbers,
    words: Hashes,
    guess_of_secret: Indices,
    members: Indices,
    left: int,
) -> tuple[np.uint64, np.uint64]:
    """Return the two words of a set's key, of equal sets mostly the same.

    Without symmetries it is `key_of` with the memo's `words`; `left` as there.
    """
    if len(codes.codes) == 0:
        return key_of(words, members, left)
    number_set(codes, numbers, guess_of_secret, members)
    first = np.uint64(left) * np.uint64(GOLDEN)
    second = np.uint64(left)
    for member in members:
        number = np.uint64(number_of_guess(codes, numbers, guess_of_secret[member]))
        first += mix(number)
        second += mix(~number)
    return first, second
