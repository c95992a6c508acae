"""The table of strategies, with games whose secrets are not equally likely."""

from collections.abc import Iterable

import numpy as np
import polars as pl

from codebreaker.analysis.metrics import SCHEMA, strategies
from codebreaker.games.model import Game, TableGame
from codebreaker.trees.grow import expected_guesses, guesses_by_secret
from codebreaker.trees.io import StrategyKey
from codebreaker.trees.tree import GameTree


def strategies_by_chance(
    trees: Iterable[tuple[GameTree, StrategyKey]], games: Iterable[Game]
) -> pl.DataFrame:
    """Return the table of strategies, one row per tree, in the order given.

    `games` are those with a prior: the mean and the standard deviation of their trees are by it.
    """
    every, priors = list(trees), {game.name: game for game in games}
    table = strategies(every)
    if not priors:
        return table
    rows = [
        row | (_by_chance(priors[key.game], tree) if key.game in priors else {})
        for row, (tree, key) in zip(table.iter_rows(named=True), every, strict=True)
    ]
    return pl.DataFrame(rows, schema=SCHEMA)


def _by_chance(game: Game, tree: GameTree) -> dict[str, float]:
    mean, guesses = float(expected_guesses(game, tree)), guesses_by_secret(game, tree)
    assert isinstance(game, TableGame)
    weights = np.ones(game.n_secrets) if game.prior is None else game.prior
    variance = float(weights @ (guesses - mean) ** 2) / float(weights.sum())
    return {"mean_guesses": round(mean, 6), "std_guesses": round(variance**0.5, 6)}
