"""Guesses that identify a code without repetition, if each peg gets a mark of its own.

OEIS A231205 has a table of these numbers. One of its terms differs from the definition.
"""

from collections import defaultdict
from functools import cache
from itertools import permutations

IN_OEIS = {
    (1, 1): 0,
    (2, 1): 1,
    (2, 2): 1,
    (3, 1): 2,
    (3, 2): 1,
    (3, 3): 2,
    (4, 1): 3,
    (4, 2): 2,
    (4, 3): 2,
    (4, 4): 3,
    (5, 1): 4,
    (5, 2): 2,
    (5, 3): 5,
}
"""By colours and pegs, the terms of A231205 in their order."""


def marks(guess, secret):
    """The mark of each peg: right place, right colour only, or neither."""
    pairs = zip(guess, secret, strict=True)
    return tuple("b" if one == other else "w" if one in secret else "g" for one, other in pairs)


def fewest_guesses(colours, pegs):
    """The guesses that always suffice to know the code; the last one needn't be played."""
    codes = list(permutations(range(colours), pegs))

    def parts(guess, members):
        groups = defaultdict(list)
        for secret in members:
            groups[marks(guess, secret)].append(secret)
        return sorted(map(tuple, groups.values()), key=len, reverse=True)

    @cache
    def suffice(members, guesses):
        if len(members) == 1:
            return True
        if guesses == 0:
            return False
        splits = (parts(guess, members) for guess in codes)
        return any(
            all(suffice(part, guesses - 1) for part in split) for split in splits if len(split) > 1
        )

    if len(codes) == 1:
        return 0
    # All first guesses are equal, up to the names of the colours.
    first = parts(codes[0], codes)
    guesses = 1
    while not all(suffice(part, guesses - 1) for part in first):
        guesses += 1
    return guesses


def test_a_term_of_a231205_is_too_high_and_the_others_are_those_of_its_definition():
    differing = {
        size: fewest_guesses(*size) for size in IN_OEIS if fewest_guesses(*size) != IN_OEIS[size]
    }
    assert differing == {(5, 3): 2}
    assert [fewest_guesses(*size) for size in ((5, 4), (6, 2), (6, 3))] == [3, 3, 3]
