"""Beam search from the second guess on: the exact search, with few guesses at large sets.

The second guesses that rollout finds best are compared by the totals that it finds after them, and
the sets after the best one are played by it. Third guesses are the policy's best; later ones are
tried in the search's own order. Each set is searched from scratch, so that neither the order of
sets nor threads matter.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.exact.cost_to_go import CostToGo
from codebreaker.exact.kernels.cost_bounds import INFEASIBLE
from codebreaker.games.model import Game, TableGame
from codebreaker.rollout.settings import Beam
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import levels
from codebreaker.trees.partition import split
from codebreaker.types import GuessPool, Indices

Options = Callable[[int, int, Indices, int], Indices]
"""Lists guesses to try at a set: of a second guess, a feedback id, the set, and their number."""


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

    def best_of(self, guesses: Indices, members: Indices, options: Options) -> int:
        """Return the second guess with the least total found, of those given."""
        beam, best, winner = self._beam, INFEASIBLE, -1
        self._cost_to_go.restart(beam.exact, beam.widths[0])
        for guess in guesses.tolist():
            total = self._after(guess, members, options, best)
            if total < best:
                best, winner = total, guess
        return winner

    def _after(self, guess: int, members: Indices, options: Options, limit: int) -> int:
        """Return the total found after a guess, if it is below a limit, else at least that."""
        game, width = self._game, self._beam.widths[0]
        cells = split(game, guess, members)
        cells.pop(game.solved, None)
        least = {feedback: 2 * len(cell) - 1 for feedback, cell in cells.items()}
        total = len(members) + sum(least.values())
        for feedback, cell in sorted(cells.items(), key=lambda one: len(one[1])):
            if total >= limit:
                break
            large = len(cell) > self._beam.exact
            pool = options(guess, feedback, cell, width) if large else None
            spare = limit - total + least[feedback]
            total += self._cost_to_go.of(cell, 1, spare, pool) - least[feedback]
        return total

    def play(self, members: Indices, turn: int, options: Indices, pool: Indices) -> list[Found]:
        """Return the guesses that are played from a set on; the set's own is the first.

        It is one of the options or, if the set is solved, of the pool.
        """
        beam, cost_to_go = self._beam, self._cost_to_go
        cost_to_go.restart(beam.exact, beam.widths[1])
        total = cost_to_go.of(members, 1, INFEASIBLE, options)
        found = self._found(members, turn)
        if beam.exact < len(members) <= beam.solved:
            cost_to_go.restart(self._game.n_secrets, 0, beam.lookups)
            with suppress(CodebreakerError):  # too many look-ups
                if cost_to_go.of(members, 1, total, pool) < total:
                    return self._found(members, turn)
        return found

    def _found(self, members: Indices, turn: int) -> list[Found]:
        """Return the guesses from a set on that was searched."""
        found = []
        for level in levels(self._game, Frontier.of_set(members, turn, -1), self._cost_to_go.play):
            (every, offsets), at = level.frontier.sets, level.frontier.turn
            found += [
                Found(at, every[offsets[node] : offsets[node + 1]], int(level.guesses[node]))
                for node in np.flatnonzero(level.frontier.sizes > 2)
            ]
        return found
