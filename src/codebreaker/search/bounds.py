"""Lower bounds on the total of any strategy, and the minimum total after each opening."""

from functools import partial

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
from codebreaker.sets.partition import all_secrets
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import choose, levels
from codebreaker.types import Indices, Scores


def bounds_by_opening(game: GameModel, threads: int = 1) -> pl.DataFrame:
    """Return a lower bound on the total after each opening up to symmetry."""
    guesses, every = class_leaders(game).tolist(), all_secrets(game)
    most_cells = max(len(np.unique(game.feedback(guess, every))) for guess in guesses)
    sizes = size_bounds(most_cells, game.n_secrets, LARGEST_GUESS_LIMIT)[-1]
    lowest = bound_by_colours(game, most_cells)
    rows = [
        (game.name, game.guesses[guess], max(lowest, _after(game, guess, sizes, threads)))
        for guess in guesses
    ]
    return pl.DataFrame(rows, schema=("game", "opening", "bound"), orient="row")


def bound_by_colours(game: GameModel, most_cells: int) -> int:
    """Return a lower bound on the total by the colours that guesses name; 0 if unknown."""
    solved = solved_within(game, most_cells)
    return sum(game.n_secrets - before for before in [0, *solved[:-1]]) if solved else 0


def solved_within(game: GameModel, most_cells: int) -> list[int]:
    """Return how many secrets 1, 2, ... guesses can solve at most; nothing without symmetries.

    Number colours in the order in which guesses name them: a secret's numbers determine its
    feedback. So t guesses of p pegs solve at most the codes of p · t colours (or t at each
    position).
    """
    symmetry = symmetry_of(game)
    if symmetry is None:
        return []
    own = game.guess_of_secret if isinstance(game, TableGame) else slice(None)
    together = np.bincount(symmetry.alphabets)[symmetry.alphabets]
    turns = (symmetry.codes[own] // together).max(axis=1)
    named, solved = np.cumsum(np.bincount(turns)).tolist(), [1]
    while solved[-1] < game.n_secrets:
        turn = len(solved)
        most = solved[-1] + (most_cells - 1) ** turn
        solved.append(min(most, named[min(turn, len(named) - 1)]))
    return solved


def _after(game: GameModel, opening: int, sizes: Indices, threads: int) -> int:
    """Return a bound: the best second guess, then guesses that divide sets at will."""

    def cell(count: Scores, total: float) -> Scores:
        bounds: Scores = -sizes[count.astype(np.int64)].astype(np.float64)
        return bounds

    rule = Policy(Criterion("size-bound", cell, ""))
    policy = Strategy("size-bound", game.guesses[opening], rule=rule)
    play = partial(choose, game, policy, threads=threads)
    grown = levels(game, Frontier.initial(game), play, threads)
    next(grown)
    second = next(grown, None)
    if second is None:
        return game.n_secrets
    nodes = np.repeat(np.arange(len(second.guesses)), second.frontier.sizes)
    counts = np.zeros((len(second.guesses), game.n_feedback), np.int64)
    np.add.at(counts, (nodes, second.feedback), 1)
    later = np.delete(sizes[counts], game.solved, axis=1).sum()
    return int(game.n_secrets + second.frontier.sizes.sum() + later)


def opening_totals(game: TableGame, memo_mib: float = 256.0) -> pl.DataFrame:
    """Return the minimum total after each opening up to symmetry."""
    cost_to_go, secrets = CostToGo(game, memo_mib=memo_mib), all_secrets(game)
    rows = [
        (game.name, game.guesses[guess], cost_to_go.after(guess, secrets, 1, INFEASIBLE))
        for guess in class_leaders(game).tolist()
    ]
    schema = ("game", "opening", "minimum total")
    return pl.DataFrame(rows, schema=schema, orient="row").sort("minimum total", "opening")
