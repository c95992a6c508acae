"""Static Mastermind: the minimum number of non-adaptive guesses that tell all secrets apart.

The final guess is not counted; with black pegs alone this is the metric dimension of a Hamming
graph. The search branches on the pair of secrets that the fewest guesses tell apart, and tries one
guess of each class under the symmetries that fix the guesses so far.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame
from codebreaker.games.symmetry import leaders_of
from codebreaker.search.kernels import static as kernel
from codebreaker.sets.partition import all_secrets
from codebreaker.types import Indices

DRAWS = 20  # random sets of each size drawn before the search
COLUMNS = ("game", "secrets", "guesses", "set", "examined")


@dataclass(frozen=True)
class StaticSet:
    """A minimum set of guesses, indices in ascending order, and the number of sets `examined`."""

    guesses: tuple[int, ...]
    examined: int


def minimum_static_set(game: TableGame) -> StaticSet:
    """Return the fewest guesses that separate all secrets, or raise `CodebreakerError`."""
    search = _Search(game)
    best = search.draw()
    while best:
        smaller = search.complete([], len(best) - 1, np.zeros(game.n_guesses, dtype=np.bool_))
        if smaller is None:
            break
        best = smaller
    return StaticSet(tuple(sorted(best)), search.examined)


def cells_after(game: TableGame, guesses: list[int]) -> list[Indices]:
    """Return the sets of two or more secrets that give all guesses the same answers."""
    if not guesses:
        return [all_secrets(game)] if game.n_secrets > 1 else []
    answers = game.table[guesses].T
    _, which, sizes = np.unique(answers, axis=0, return_inverse=True, return_counts=True)
    order = np.argsort(which, kind="stable").astype(np.int32)
    return [cell for cell in np.split(order, np.cumsum(sizes)[:-1]) if len(cell) > 1]


class _Search:
    def __init__(self, game: TableGame) -> None:
        self.game, self.examined = game, 0  # number of searches for the last two guesses
        self._most = int(max(len(np.unique(row)) for row in game.table))
        self._separating = np.zeros((game.n_secrets, game.n_secrets), dtype=np.uint16)
        kernel.count_separating(game.table, self._separating)

    def draw(self) -> list[int]:
        """Return a small set: random beginnings, completed by two guesses."""
        none, draw = np.zeros(self.game.n_guesses, dtype=np.bool_), np.random.default_rng(0)
        if cells_after(self.game, list(range(self.game.n_guesses))):
            raise CodebreakerError(f"no guesses tell all secrets of {self.game.name} apart")
        for size in range(self.game.n_guesses):
            for _ in range(DRAWS):
                begun = draw.choice(self.game.n_guesses, size, replace=False).tolist()
                found = self.complete(begun, 2, none)
                if found is not None:
                    return found
        return list(range(self.game.n_guesses))

    def complete(self, guesses: list[int], left: int, excluded: kernel.Flags) -> list[int] | None:
        """Return guesses with up to `left` more, none of them excluded, or None."""
        game, cells = self.game, cells_after(self.game, guesses)
        if not cells:
            return guesses
        if max(map(len, cells)) > self._most**left:
            return None
        members = np.concatenate(cells)
        offsets = np.cumsum([0, *map(len, cells)]).astype(np.int32)
        pair = np.zeros(2, dtype=np.int32)
        if left <= 2:
            self.examined += 1
            last = np.full(2, kernel.NONE, dtype=np.int32)
            given = game.table, members, offsets, self._separating, excluded
            if left == 2:
                kernel.last_two(*given, game.n_feedback, last)
            elif left == 1:
                last[0] = kernel.last_guess(*given, np.zeros(game.n_feedback, np.int32), pair)
            added = last[last != kernel.NONE].tolist()
            return [*guesses, *added] if added else None
        kernel.hardest_pair(members, offsets, self._separating, pair)
        leader_of, tried = leaders_of(game, guesses), excluded.copy()
        for guess in np.unique(
            leader_of[game.table[:, pair[0]] != game.table[:, pair[1]]]
        ).tolist():
            if tried[guess]:
                continue
            found = self.complete([*guesses, guess], left - 1, tried)
            if found is not None:
                return found
            tried[leader_of == guess] = True
        return None


def row_of(game: TableGame, found: StaticSet) -> pl.DataFrame:
    """Return a game's row of the table."""
    chosen = " ".join(game.guesses[guess] for guess in found.guesses)
    row = (game.name, game.n_secrets, len(found.guesses), chosen, found.examined)
    return pl.DataFrame([row], schema=COLUMNS, orient="row")
