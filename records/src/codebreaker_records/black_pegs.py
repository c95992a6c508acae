"""The lowest maximum of the black-peg game: lower bounds for any number of colours, and trees.

Let b(p, c) be the lowest maximum with p pegs and c colours, and b°(p, c) that of the same game if
guesses may have *blank* pegs, which match nothing (secrets have none). Jäger and Peczarski (The
number of pessimistic guesses in Generalized Black-peg Mastermind, 2011) have formulas for b by way
of such auxiliary games; we have not read their proofs. For 0 ≤ k < c,

    b(p, c) ≥ k + b°(p, c − k).

Proof. Answer 0 to the first k guesses. Each of them excludes one colour at each position, so at
least c − k colours are left there. Keep c − k of them at each position: all codes of these are
candidates, and none was guessed. From now on a peg of another colour matches nothing, like a
blank. The feedback counts positions, so the colours at a position may be numbered on their own: it
is the game of c − k colours with blanks, whose codes need b°(p, c − k) more guesses. ∎

With blanks the same holds: b°(p, c) ≥ k + b°(p, c − k). So one value of b° bounds all games of as
many pegs and more colours, and the search of `kernels.black_pegs` finds it for small games. It
leaves out guesses by the sizes of cells, as follows.

Let M(r) be the maximum size of sets that can be solved within r guesses, and D(r) that of sets with
the same p − 1 black pegs. M(1) = D(1) = 1. A guess solves one candidate and leaves at most p cells,
of which that of p − 1 black pegs has at most D(r − 1) candidates:

    M(r) ≤ 1 + (p − 1) M(r − 1) + min(M(r − 1), D(r − 1)),    D(r) ≤ 3 D(r − 1).

The second inequality: candidates with p − 1 black pegs for a guess g, which has no blank, differ
from g at one position each. Compare any h with one that has another colour a at position i. If h
agrees with g at m positions, it agrees with that candidate at m, less one if h has g's colour at i,
plus one if it has a there. So h gets at most three different answers, that of being solved among
them, and what is left has the same p − 1 black pegs. If g has one blank, the candidates differ at
its position only, and h gets at most two answers; if it has more, there are none.
"""

from functools import cache

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.codes import BlackPegs as Rules
from codebreaker.games.model import CodeGame
from codebreaker.games.registry import rules_of, without_table
from codebreaker.search.cost_to_go import (
    as_indices,
    empty_memo,
    empty_numbers,
    slots_in,
    symmetric_codes,
)
from codebreaker.search.kernels.options import SETS_SEARCHED, WORK_LEFT
from codebreaker.sets.partition import all_secrets, unsolved
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import levels, make_tree, walk
from codebreaker.trees.tree import GameTree
from codebreaker.types import Counts, Indices
from codebreaker_records.kernels.black_pegs import NO, NO_GUESS, YES, BlackPegs, find_guess

MOST_CODES = 5**5
"""Maximum number of codes of a game whose lowest maximum is searched for a bound."""

MOST_SYMBOLS = 64
"""Maximum number of pegs times colours: a bit each."""

MOST_GUESSES = 64
"""More guesses than a search is asked for."""


class BlackPegSearch:
    """A search of one black-peg game, which remembers the sets that it has solved."""

    def __init__(
        self,
        pegs: int,
        colours: int,
        has_blanks: bool = False,
        memo_mib: float = 256.0,
        comparisons: int = 2**62,
    ) -> None:
        """Prepare a search, which gives up after `comparisons` of a guess with a candidate.

        Raises `CodebreakerError` for more than 64 pegs times colours.
        """
        if pegs * colours > MOST_SYMBOLS:
            raise CodebreakerError(
                f"{pegs} pegs of {colours} colours are too many for this search: "
                f"it takes at most {MOST_SYMBOLS} pegs times colours"
            )
        self.game: CodeGame = without_table(rules_of(f"black-{pegs}-{colours}")).on_demand()
        symbols = self.game.codes.astype(np.int64) + colours * np.arange(pegs)
        place_values = colours ** np.arange(pegs - 1, -1, -1)
        assert np.array_equal(self.game.codes @ place_values, np.arange(len(symbols)))
        largest, largest_near = largest_sets(pegs)
        self._kernel = BlackPegs(
            symbols=symbols,
            words=np.bitwise_or.reduce(np.uint64(1) << symbols.astype(np.uint64), axis=1),
            place_values=place_values,
            largest=largest,
            largest_near=largest_near,
            has_blanks=has_blanks,
            symmetric_codes=symmetric_codes(self.game.symmetry),
            every=all_secrets(self.game),
            memo=empty_memo(len(symbols), slots_in(memo_mib)),
            numbers=empty_numbers(self.game.symmetry),
            present=np.zeros(len(symbols), np.int64),
            tally=np.array([comparisons, 0], np.int64),
        )

    @property
    def sets_searched(self) -> int:
        """Return the number of sets whose guesses were listed."""
        return int(self._kernel.tally[SETS_SEARCHED])

    def solves(self, guesses: int, members: Indices | None = None) -> bool:
        """Return whether some strategy solves every secret of a set within `guesses`.

        `members` are in ascending order; without them, the set is the whole game.
        """
        secrets = all_secrets(self.game) if members is None else members
        return bool(self._find(secrets, guesses, YES) != NO_GUESS)

    def lowest_maximum(self) -> int:
        """Return the smallest number of guesses within which every secret can be solved."""
        return next(r for r in range(1, MOST_GUESSES) if self.solves(r))

    def tree(self, guesses: int, known: GameTree | None = None) -> GameTree | None:
        """Return a tree of at most `guesses` turns; None if no strategy has one.

        Its total is not minimised. At sets of a known tree it keeps that tree's guess if what is
        left can be solved in time. No code has a blank, so the search may have none.
        """
        assert not self._kernel.has_blanks
        if not self.solves(guesses):
            return None
        known_guesses = dict[bytes, int]()
        for level in walk(self.game, known) if known else ():
            for members, guess in zip(level.frontier.cells, level.guesses.tolist(), strict=True):
                known_guesses[members.tobytes()] = guess

        def play(members: Indices, left: int) -> int:
            """Return a guess after which all cells can be solved in `left` − 1 guesses."""
            guess = known_guesses.get(members.tobytes(), -1)
            if guess >= 0:
                cells = unsolved(self.game, guess, members).values()
                if all(self.solves(left - 1, cell) for cell in cells):
                    return guess
            return self._play(members, left)

        def choose(frontier: Frontier) -> Indices:
            """Return a guess at each node."""
            left = guesses - frontier.turn + 1
            return np.array([play(members, left) for members in frontier.cells], np.int32)

        return make_tree(levels(self.game, Frontier.initial(self.game), choose))

    def _find(self, members: Indices, left: int, looks_up: np.int64) -> np.uint64:
        """Return the word of a guess, as `find_guess`; raise `CodebreakerError` if it gave up."""
        guess = find_guess(self._kernel, as_indices(members), left, looks_up)
        if self._kernel.tally[WORK_LEFT] < 0:
            raise CodebreakerError(
                "the search for the lowest maximum gave up: allow more comparisons"
            )
        return np.uint64(guess)

    def _play(self, members: Indices, left: int) -> int:
        """Return the index of a guess at a set that can be solved within `left` guesses.

        Blank pegs of a guess get the first colour that no candidate has there.
        """
        word = int(self._find(members, left, NO))
        codes = self.game.codes
        colours = int(codes.max()) + 1
        index = 0
        for position, value in enumerate(self._kernel.place_values.tolist()):
            bits = (word >> (position * colours)) & ((1 << colours) - 1)
            if bits:
                colour = bits.bit_length() - 1
            else:
                colour = min({*range(colours)} - {*codes[members, position].tolist()})
            index += colour * value
        return index


def largest_sets(pegs: int) -> tuple[Counts, Counts]:
    """Return upper bounds on the sizes of sets solved within 0, 1, ... guesses, (MOST_GUESSES,).

    The second array is for sets with the same p − 1 black pegs: M and D of the module's header.
    """
    ceiling = 2**40  # more than any set has
    largest = [0, 1]
    near = [0, 1]
    while len(largest) < MOST_GUESSES:
        most = 1 + (pegs - 1) * largest[-1] + min(largest[-1], near[-1])
        near.append(min(3 * near[-1], ceiling))
        largest.append(min(most, ceiling))
    return np.array(largest), np.array(near)


@cache
def with_blanks(pegs: int, colours: int) -> int:
    """Return b°(p, c), the lowest maximum if guesses may have blank pegs.

    >>> with_blanks(2, 2), with_blanks(3, 3)
    (3, 5)
    """
    return BlackPegSearch(pegs, colours, has_blanks=True).lowest_maximum()


def lowest_maximum_bound(pegs: int, colours: int, most_codes: int = MOST_CODES) -> int:
    """Return a lower bound on b(p, c): the lowest maximum itself if the game is small.

    >>> lowest_maximum_bound(3, 9)
    11
    """
    if colours**pegs <= most_codes:
        return BlackPegSearch(pegs, colours).lowest_maximum()
    smaller = [c for c in range(1, colours) if c**pegs <= most_codes]
    return max(colours - c + with_blanks(pegs, c) for c in smaller)


def lowest_maximum_bound_of(game: CodeGame) -> int:
    """Return `lowest_maximum_bound` of a black-peg game, 0 for another game."""
    rules = rules_of(game.name)
    return lowest_maximum_bound(rules.pegs, rules.colours) if isinstance(rules, Rules) else 0
