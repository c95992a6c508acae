"""A lower bound on the total of any strategy: two guesses are looked at, and the rest by size.

After an opening each cell is followed by the guess that is best if all later guesses could divide
sets at will. That guess is found as a policy finds it, so the bound serves games without a table.
"""

import numpy as np
import polars as pl

from codebreaker.constants import LARGEST_GUESS_LIMIT
from codebreaker.exact.search import size_bounds
from codebreaker.games.model import Game
from codebreaker.games.symmetry import first_guesses
from codebreaker.policies.criterion import Criterion
from codebreaker.policies.policy import Policy
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import chooser, levels
from codebreaker.types import Indices, Scores


def bounds_by_opening(game: Game, threads: int = 1) -> pl.DataFrame:
    """Return a lower bound on the total after each opening, one row per opening up to symmetry."""
    sizes = size_bounds(game.n_feedback, game.n_secrets, LARGEST_GUESS_LIMIT)[-1]
    rows = [
        (game.name, game.guesses[guess], _after(game, guess, sizes, threads))
        for guess in first_guesses(game).tolist()
    ]
    return pl.DataFrame(rows, schema=("game", "opening", "bound"), orient="row")


def _after(game: Game, opening: int, sizes: Indices, threads: int) -> int:
    """Return a lower bound on the total after an opening.

    A cell of n candidates takes n guesses now and, later, at least the size bounds of the cells of
    its guess; the cell of the guess itself takes none. The guess has the least sum with that cell
    counted like any other; a candidate is preferred, so no sum without it is smaller.
    """

    def cell(count: Scores, total: float) -> Scores:
        bounds: Scores = -sizes[count.astype(np.int64)].astype(np.float64)
        return bounds

    best = chooser(
        game, Policy("size-bound", Criterion("size-bound", cell, "")), threads, "cpu", None
    )

    def choose(frontier: Frontier) -> Indices:
        return np.array([opening], np.int32) if frontier.turn == 1 else best(frontier)

    grown = levels(game, Frontier.initial(game), choose, threads)
    next(grown)
    second = next(grown, None)
    if second is None:
        return game.n_secrets
    nodes = np.repeat(np.arange(len(second.guesses)), second.frontier.sizes)
    counts = np.zeros((len(second.guesses), game.n_feedback), np.int64)
    np.add.at(counts, (nodes, second.feedback), 1)
    later = np.delete(sizes[counts], game.solved, axis=1).sum()
    return int(game.n_secrets + second.frontier.sizes.sum() + later)
