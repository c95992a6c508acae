"""Lower bounds on totals by openings.

Two bounds hold for every strategy; the larger one counts.

1. By sizes (`_SizeBounds`). With k feedback ids a guess leaves at most k − 1 sets, so turn t solves
   at most (k − 1)^(t−1) secrets, and a set of n needs at least the sum of the first n turns that
   have room. This is weak for a whole game, so it is applied to the cells of real guesses. A
   guess's total is n plus the totals of its cells, so n plus their bounds bounds it, and the lowest
   of these sums over all guesses bounds the set.
2. By colours (`solved_within`). Before turn t only so many colours were named, and the secrets that
   the guesses can tell apart by then are few if there are many colours.
"""

import logging

import numpy as np
import polars as pl

from codebreaker.constants import LARGEST_GUESS_LIMIT
from codebreaker.games.model import GameModel
from codebreaker.games.symmetry import class_representatives
from codebreaker.policies.criterion import Criterion
from codebreaker.policies.registry import Policy
from codebreaker.policies.strategy import Strategy
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.size_bounds import size_bounds
from codebreaker.sets.partition import all_secrets, unsolved
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import choose
from codebreaker.types import Indices, Scores

MOST_OPENINGS = 7
"""Maximum number of openings for which third guesses are bounded in a game of any size."""

MOST_SECRETS = 1 << 15
"""Maximum number of secrets for which third guesses are bounded after any number of openings."""

CANDIDATES_PER_STEP = 16
"""Candidates of a set for each guess by which its bound is raised at a time."""

log = logging.getLogger("codebreaker")


def bounds_by_opening(
    game: GameModel, threads: int = 1, goal: int = 0, memo_mib: float = 256.0
) -> pl.DataFrame:
    """Return a lower bound on the total after each opening up to symmetry: game, opening, bound.

    It is what `bounds_of_parts` add up to, or the bound by colours.
    """
    by_colours = bound_by_colours(game, _most_cells(game))
    parts = bounds_of_parts(game, threads, goal, memo_mib)
    total = game.n_secrets + pl.col("bound").sum()
    by_opening = parts.group_by("game", "opening", maintain_order=True).agg(bound=total)
    return by_opening.with_columns(pl.max_horizontal("bound", pl.lit(by_colours)))


def bounds_of_parts(
    game: GameModel, threads: int = 1, goal: int = 0, memo_mib: float = 256.0
) -> pl.DataFrame:
    """Return lower bounds on the totals of the sets after each opening up to symmetry.

    The columns are game, opening, feedback and bound. With a table, sets are searched until the
    bounds after each opening, with the guess that it costs each secret, add up to the goal or are
    the minimum totals.
    """
    by_sizes = _SizeBounds(game, _most_cells(game), threads)
    search = CostToGo(game.with_table(), memo_mib=memo_mib) if game.has_table else None
    rows = []
    for guess in class_representatives(game).tolist():
        opening = game.guesses[guess]
        bounds = by_sizes.of_cells_after(guess, goal - game.n_secrets, search)
        log.info("opening %s: at least %d", opening, game.n_secrets + sum(bounds.values()))
        rows += [
            (game.name, opening, game.feedback_labels[feedback], bounds[feedback])
            for feedback in sorted(bounds)
        ]
    return pl.DataFrame(rows, schema=("game", "opening", "feedback", "bound"), orient="row")


def _most_cells(game: GameModel) -> int:
    """Return the most sets into which an opening divides all secrets."""
    every = all_secrets(game)
    openings = class_representatives(game).tolist()
    return max(len(np.unique(game.feedback(opening, every))) for opening in openings)


def bound_by_colours(game: GameModel, most_cells: int) -> int:
    """Return a lower bound on the total by the colours that guesses name; 0 if unknown.

    The total is the sum over all turns of the secrets that aren't solved before the turn.
    """
    solved = solved_within(game, most_cells)
    return sum(game.n_secrets - before for before in [0, *solved[:-1]]) if solved else 0


def solved_within(game: GameModel, most_cells: int) -> list[int]:
    """Return how many secrets 1, 2, ... guesses can solve at most; nothing without symmetries.

    Number the colours in the order in which the guesses for a secret name them, and within a guess
    by position. The secret's numbers determine the feedback to the first guess, hence the second
    guess and which colours it names, and so on: two secrets with the same numbers would get the
    same guesses, so they are the same secret. Before turn t, guesses of p pegs name at most
    M = p · (t − 1) colours (or t − 1 at each position, if each has its own). The guess at turn t is
    the secret itself, so its new colours get the next numbers, without a gap. So at most as many
    secrets are solved within t guesses as there are codes of numbers in which those from M on have
    no gap. The list's length is a lower bound on the maximum.
    """
    symmetry = game.symmetry
    if symmetry is None:
        return []
    # 1. Read each secret's colours, (n_secrets, pegs), as numbers from 0 on. `full` guesses come
    #    before the guess that names the last of them.
    numbers = symmetry.codes[game.guesses_of(all_secrets(game))].astype(np.int32)
    named_at_once = 1 if symmetry.alphabets.any() else numbers.shape[1]
    full = numbers.max(axis=1, keepdims=True) // named_at_once
    # 2. Those that this guess names, M = full · named_at_once and later, must have no gap if it is
    #    the secret. Else the secret takes one more guess. Smaller numbers are all set to M − 1.
    before = full * named_at_once - 1
    later = np.sort(np.maximum(numbers, before), axis=1)
    has_gap = (np.diff(later, axis=1, prepend=before) > 1).any(axis=1)
    guesses_before = full[:, 0] + has_gap
    # 3. Codes of numbers that can be solved within 1, 2, ... guesses. Each turn also solves no more
    #    than (k − 1)^(t−1) new secrets.
    by_numbers = np.cumsum(np.bincount(guesses_before)).tolist()
    solved = [1]
    while solved[-1] < game.n_secrets:
        turn = len(solved)
        most = solved[-1] + (most_cells - 1) ** turn
        solved.append(min(most, by_numbers[min(turn, len(by_numbers) - 1)]))
    return solved


class _SizeBounds:
    """Lower bounds on the totals of sets: some real guesses, then guesses that divide at will."""

    def __init__(self, game: GameModel, most_cells: int, threads: int) -> None:
        self._game = game
        self._threads = threads
        few = len(class_representatives(game)) <= MOST_OPENINGS
        self._looks_at_third = few or game.n_secrets <= MOST_SECRETS
        self._of_size = size_bounds(most_cells, game.n_secrets, LARGEST_GUESS_LIMIT)[-1]
        # A policy whose guess has the lowest sum of bounds by size: growth finds it fast.
        criterion = Criterion("size-bound", self._score_of_cell, "")
        self._rule = Strategy("size-bound", rule=Policy(criterion))

    def of_cells_after(self, opening: int, goal: int, search: CostToGo | None) -> dict[int, int]:
        """Return bounds on the cells of an opening by feedback id, whose sum is to be the goal.

        They are bounds by the best second and third guesses, then by a search. Cells are
        independent, so their bounds add up.
        """
        game = self._game
        pool = class_representatives(game, [opening])
        cells = unsolved(game, opening, all_secrets(game))
        feedback_ids = sorted(cells, key=lambda feedback: len(cells[feedback]))
        sets = [cells[feedback] for feedback in feedback_ids]
        bounds = [self._of_set(members, pool) for members in sets]
        if search is not None:
            _raise_bounds(sets, bounds, goal, search, pool)
        return dict(zip(feedback_ids, bounds, strict=True))

    def _of_set(self, members: Indices, pool: Indices) -> int:
        """Return a bound on a set's total at turn 2: the lowest bound of a guess of the pool.

        Looking at third guesses only raises a guess's bound. So guesses are taken by their bounds
        without it, and once one of these reaches the best bound with it, no later one is lower.
        """
        totals = len(members) + np.array([self._of_cells(guess, members) for guess in pool])
        if not self._looks_at_third:
            return int(totals.min())
        best = self._game.facts.no_limit
        for index in np.argsort(totals, kind="stable"):
            if totals[index] >= best:
                break
            best = min(best, self._with_next(int(pool[index]), members, int(totals[index]), best))
        return best

    def _with_next(self, guess: int, members: Indices, total: int, enough: int) -> int:
        """Return the bound if the best third guesses follow a second, or a number ≥ `enough`.

        `total` is the second guess's bound by the sizes of its cells. For each cell, its bound by
        size is replaced by the lowest bound of a guess at it, largest cells first: these gain most.
        Each replacement keeps the total a lower bound, and a bound of `enough` or more can't be the
        lowest of all second guesses, so the rest is not looked at.
        """
        cells = unsolved(self._game, guess, members).values()
        for cell in sorted(cells, key=len, reverse=True):
            if total >= enough:
                break
            (best,) = choose(self._game, self._rule, Frontier.of_set(cell, 3, -1), self._threads)
            total += len(cell) + self._of_cells(best, cell) - int(self._of_size[len(cell)])
        return total

    def _of_cells(self, guess: int, members: Indices) -> int:
        """Return the sum of the bounds by size of a guess's unsolved cells."""
        cells = np.bincount(self._game.feedback(guess, members), minlength=self._game.n_feedback)
        cells[self._game.solved] = 0
        return int(self._of_size[cells].sum())

    def _score_of_cell(self, count: Scores, total: float) -> Scores:
        """Return the scores of cells: the highest sum has the lowest sum of bounds."""
        bounds: Scores = -self._of_size[count.astype(np.int64)].astype(np.float64)
        return bounds


def _raise_bounds(
    cells: list[Indices], bounds: list[int], goal: int, search: CostToGo, pool: Indices
) -> None:
    """Raise the cells' bounds until they add up to the goal, or are the minimum totals.

    The nearer a bound is to the minimum, the more it costs to raise it. So the cells take turns,
    and each is raised by the same share of its size. The search remembers what it found before.
    """
    total = sum(bounds)
    left = list(range(len(cells)))
    while total < goal and left:
        for cell in tuple(left):
            if total >= goal:
                break
            step = min(len(cells[cell]) // CANDIDATES_PER_STEP + 1, goal - total)
            limit = bounds[cell] + step
            raised = search.of(cells[cell], 2, limit, pool)
            if raised < limit:
                left.remove(cell)
            raised = min(raised, limit)
            total += raised - bounds[cell]
            bounds[cell] = raised
        log.info("later guesses: at least %d", total, extra={"progress": True})
