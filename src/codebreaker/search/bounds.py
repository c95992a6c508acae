"""Lower bounds on totals, and the minimum total after each opening."""

import numpy as np
import polars as pl

from codebreaker.constants import LARGEST_GUESS_LIMIT
from codebreaker.games.model import GameModel, TableGame
from codebreaker.games.symmetry import class_leaders, symmetry_of
from codebreaker.policies.criterion import Criterion
from codebreaker.policies.registry import Policy
from codebreaker.policies.strategy import Strategy
from codebreaker.search.cost_to_go import CostToGo, size_bounds
from codebreaker.search.kernels.cost_bounds import INFEASIBLE
from codebreaker.sets.partition import all_secrets, unsolved
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import choose
from codebreaker.types import Indices, Scores

MOST_OPENINGS, MOST_SECRETS = 7, 1 << 15  # beyond both, no third guesses


def bounds_by_opening(game: GameModel, threads: int = 1, goal: int = 0) -> pl.DataFrame:
    """Return a lower bound on the total after each opening up to symmetry.

    With a table, sets are searched until each bound reaches the goal or is the minimum total.
    """
    guesses, every = class_leaders(game).tolist(), all_secrets(game)
    most_cells = max(len(np.unique(game.feedback(guess, every))) for guess in guesses)
    bounds, lowest = _SizeBounds(game, most_cells, threads), bound_by_colours(game, most_cells)
    search = CostToGo(game) if isinstance(game, TableGame) else None
    found = [max(lowest, bounds.after(guess, goal, search)) for guess in guesses]
    rows = [
        (game.name, game.guesses[guess], bound) for guess, bound in zip(guesses, found, strict=True)
    ]
    return pl.DataFrame(rows, schema=("game", "opening", "bound"), orient="row")


def bound_by_colours(game: GameModel, most_cells: int) -> int:
    """Return a lower bound on the total by the colours that guesses name; 0 if unknown."""
    solved = solved_within(game, most_cells)
    return sum(game.n_secrets - before for before in [0, *solved[:-1]]) if solved else 0


def solved_within(game: GameModel, most_cells: int) -> list[int]:
    """Return how many secrets 1, 2, ... guesses can solve at most; nothing without symmetries.

    Numbered in the order in which guesses name them, a secret's colours determine it. Those named
    by p pegs before turn t have numbers up to p · (t − 1) (or t − 1 at each position, if each has
    its own); the next guess is the secret. The list's length is a lower bound on the maximum.
    """
    symmetry = symmetry_of(game)
    if symmetry is None:
        return []
    own = game.guess_of_secret if isinstance(game, TableGame) else slice(None)
    colours = symmetry.codes[own].astype(np.int32)
    at_once = 1 if symmetry.alphabets.any() else colours.shape[1]
    full = colours.max(axis=1, keepdims=True) // at_once  # guesses before the last colour is named
    later = np.sort(np.maximum(colours, full * at_once - 1), axis=1)
    skips = np.diff(later, axis=1, prepend=full * at_once - 1) > 1
    turns = full[:, 0] + skips.any(axis=1)
    named, solved = np.cumsum(np.bincount(turns)).tolist(), [1]
    while solved[-1] < game.n_secrets:
        turn = len(solved)
        most = solved[-1] + (most_cells - 1) ** turn
        solved.append(min(most, named[min(turn, len(named) - 1)]))
    return solved


class _SizeBounds:
    """Lower bounds on the totals of sets: some real guesses, then guesses that divide at will."""

    def __init__(self, game: GameModel, most_cells: int, threads: int) -> None:
        self._game, self._threads = game, threads
        few = len(class_leaders(game)) <= MOST_OPENINGS
        self._looks_at_third = few or game.n_secrets <= MOST_SECRETS
        self._of_size = size_bounds(most_cells, game.n_secrets, LARGEST_GUESS_LIMIT)[-1]
        self._rule = Strategy("size-bound", rule=Policy(Criterion("size-bound", self._cell, "")))

    def after(self, opening: int, goal: int, search: CostToGo | None) -> int:
        """Return a bound on the total, by the best second and third guesses, then by a search."""
        game, pool = self._game, class_leaders(self._game, [opening])
        cells = sorted(unsolved(game, opening, all_secrets(game)).values(), key=len)
        bounds = [self._of_set(members, pool) for members in cells]
        total = game.n_secrets + sum(bounds)
        for members, bound in zip(cells, bounds, strict=True):
            if search is not None and total < goal:
                limit = bound + goal - total
                total += min(search.of(members, 2, limit, pool), limit) - bound
        return total

    def _of_set(self, members: Indices, pool: Indices) -> int:
        totals = len(members) + np.array([self._of_cells(guess, members) for guess in pool])
        if not self._looks_at_third:
            return int(totals.min())
        best = INFEASIBLE
        for place in np.argsort(totals, kind="stable"):
            if totals[place] >= best:
                break
            best = min(best, self._with_next(int(pool[place]), members, int(totals[place]), best))
        return best

    def _with_next(self, guess: int, members: Indices, total: int, enough: int) -> int:
        """Return the bound if the best third guesses follow a second, or a number ≥ `enough`."""
        cells = unsolved(self._game, guess, members).values()
        for cell in sorted(cells, key=len, reverse=True):
            if total >= enough:
                break
            (best,) = choose(self._game, self._rule, Frontier.of_set(cell, 3, -1), self._threads)
            total += len(cell) + self._of_cells(best, cell) - int(self._of_size[len(cell)])
        return total

    def _of_cells(self, guess: int, members: Indices) -> int:
        cells = np.bincount(self._game.feedback(guess, members), minlength=self._game.n_feedback)
        cells[self._game.solved] = 0
        return int(self._of_size[cells].sum())

    def _cell(self, count: Scores, total: float) -> Scores:
        bounds: Scores = -self._of_size[count.astype(np.int64)].astype(np.float64)
        return bounds


def opening_totals(game: TableGame, memo_mib: float = 256.0) -> pl.DataFrame:
    """Return the minimum total after each opening up to symmetry."""
    cost_to_go, secrets = CostToGo(game, memo_mib=memo_mib), all_secrets(game)
    rows = [
        (game.name, game.guesses[guess], cost_to_go.after(guess, secrets, 1, INFEASIBLE))
        for guess in class_leaders(game).tolist()
    ]
    schema = ("game", "opening", "minimum total")
    return pl.DataFrame(rows, schema=schema, orient="row").sort("minimum total", "opening")
