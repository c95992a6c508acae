"""Beam search from the second guess on: the exact search, with few guesses at large sets.

The second guesses that rollout finds best are compared by the totals that it finds after them, and
the sets after the best one are played by it. Third guesses are the policy's best; later ones are
tried in the search's own order. Each set is searched from scratch, so that neither the order of
sets nor threads matter.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import Game, TableGame
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.kernels.cost_bounds import INFEASIBLE
from codebreaker.search.settings import Beam
from codebreaker.sets.partition import split
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import levels
from codebreaker.types import GuessPool, Indices

CANDIDATES_PER_GUESS = 25
"""The search is expected to save at most n / 25 + 1 guesses of the total by rollout of a set of n.
A second guess that would stay behind even so is dropped."""

Below = Callable[[int, int, Indices], tuple[Indices, int]]
"""Returns the guesses to try at a set, by a second guess, a feedback id and the set, and its total
by rollout."""


class Found(NamedTuple):
    """A set at a turn, and the guess that was found."""

    turn: int
    members: Indices
    guess: int


class BeamSearch:
    """Compares second guesses, and plays sets from turn 3 on; for one thread at a time."""

    def __init__(self, game: Game, beam: Beam, guess_pool: GuessPool, memo_mib: float) -> None:
        if not isinstance(game, TableGame):
            raise CodebreakerError(
                f"{game.name} has no table, which a beam search needs: leave out beam"
            )
        self._game, self._beam = game, beam
        self._cost_to_go = CostToGo(game, memo_mib=memo_mib, guess_pool=guess_pool)

    def best_of(self, guesses: Indices, members: Indices, below: Below) -> int:
        """Return the second guess with the least total found, of those given."""
        beam, best, winner = self._beam, INFEASIBLE, -1
        self._cost_to_go.restart(beam.exact, beam.widths[0])
        for guess in guesses.tolist():
            total = self._after(guess, members, below, best)
            if total < best:
                best, winner = total, guess
        return winner

    def _after(self, guess: int, members: Indices, below: Below, limit: int) -> int:
        """Return the total found after a guess, if it is below a limit, else at least that."""
        cells = split(self._game, guess, members)
        cells.pop(self._game.solved, None)
        expected, total = [], len(members)
        for feedback, cell in cells.items():
            options, rolled_out = below(guess, feedback, cell)
            least = max(2 * len(cell) - 1, rolled_out - len(cell) // CANDIDATES_PER_GUESS - 1)
            expected.append((len(cell), feedback, least, options))
            total += least
        for _, feedback, least, options in sorted(expected, key=lambda one: one[:2]):
            if total >= limit:
                break
            spare = limit - total + least
            total += self._cost_to_go.of(cells[feedback], 1, spare, options) - least
        return total

    def play(self, members: Indices, turn: int, options: Indices) -> list[Found]:
        """Return the guesses that are played from a set on; the set's own is the first.

        It is one of the options.
        """
        self._cost_to_go.restart(self._beam.exact, self._beam.widths[1])
        self._cost_to_go.of(members, 1, INFEASIBLE, options)
        found = []
        for level in levels(self._game, Frontier.of_set(members, turn, -1), self._cost_to_go.play):
            (every, offsets), at = level.frontier.sets, level.frontier.turn
            found += [
                Found(at, every[offsets[node] : offsets[node + 1]], int(level.guesses[node]))
                for node in np.flatnonzero(level.frontier.sizes > 2)
            ]
        return found
