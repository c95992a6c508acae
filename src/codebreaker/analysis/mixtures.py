"""Strategies that choose one of several trees at random, and rename colours and positions.

"Mastermind: no strategy is best", 2026, compares trees by mean and maximum. A tree that is played
after a random symmetry of the game treats all secrets of a type alike, so that it has a mean for
each type, and a mixture of trees has the mean of these.
"""

from collections.abc import Sequence
from typing import Any

import highspy
import numpy as np
import polars as pl
from numpy.typing import NDArray

from codebreaker.games.model import TableGame
from codebreaker.games.symmetry import orbits
from codebreaker.trees.grow import walk
from codebreaker.trees.io import StrategyKey
from codebreaker.trees.tree import GameTree

Means = NDArray[np.float64]
"""Mean guesses, one row per tree and one column per type of secret."""

NO_CHANCE = 1e-9
"""Chances up to this are rounding errors of zero."""


def secret_types(game: TableGame) -> tuple[list[str], NDArray[np.intp], NDArray[np.int64]]:
    """Return the first secret of each type, each secret's type, and the numbers of secrets."""
    own = orbits(game, [])[game.guess_of_secret]
    first, types, sizes = np.unique(own, return_inverse=True, return_counts=True)
    return [game.guesses[guess] for guess in first], types, sizes


def means_by_type(game: TableGame, tree: GameTree) -> Means:
    """Return a tree's mean guesses by type of secret, (n_types,)."""
    _, types, sizes = secret_types(game)
    guesses = np.zeros(game.n_secrets)
    for level in walk(game, tree):
        guesses[level.frontier.sets.members] += 1
    return np.bincount(types, weights=guesses) / sizes


def safest_mixture(means: Means) -> tuple[Means, float]:
    """Return the chances of trees that minimise the mean of the worst type, and that mean."""
    n_trees, n_types = means.shape
    columns = np.arange(n_trees + 1, dtype=np.int32)
    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.setOptionValue("output_flag", False)
    for _ in range(n_trees):
        highs.addVar(0.0, 1.0)
    highs.addVar(0.0, highspy.kHighsInf)
    highs.changeColCost(n_trees, 1.0)
    highs.addRow(1.0, 1.0, n_trees, columns[:-1], np.ones(n_trees))
    for column in range(n_types):
        row = np.append(means[:, column], -1.0)
        highs.addRow(-highspy.kHighsInf, 0.0, len(row), columns, row)
    highs.run()
    values = np.array(highs.getSolution().col_value)
    chances = np.where(values[:-1] > NO_CHANCE, values[:-1], 0.0)
    return chances, float(values[-1])


def mixtures(
    game: TableGame, trees: Sequence[tuple[GameTree, StrategyKey]], rounds: pl.DataFrame
) -> pl.DataFrame:
    """Return one row per tree, then the safest mixture, then mixtures of mean and maximum.

    `rounds` are the rows of `exact.rounds.count_rounds`. The columns are those of `StrategyKey`
    (null for mixtures), `mixture`, mean, max, `past`, the chance of more guesses than the least
    maximum of all, `worst`, the mean of the worst type, `chance` in the safest mixture, and the
    mean of each type.
    """
    labels, _, sizes = secret_types(game)
    means = np.array([means_by_type(game, tree) for tree, _ in trees])
    chances, value = safest_mixture(means)
    fewest = min(tree.max_guesses for tree, _ in trees)
    past = np.array([tree.profile[fewest:].sum() / game.n_secrets for tree, _ in trees])
    rows = [
        vars(key)
        | _row(means[i] @ sizes / game.n_secrets, tree.max_guesses, past[i], means[i].max())
        | {"chance": chances[i]}
        | dict(zip(labels, means[i].tolist(), strict=True))
        for i, (tree, key) in enumerate(trees)
    ]
    mixed = chances @ means
    most = max(tree.max_guesses for (tree, _), at in zip(trees, chances, strict=True) if at > 0)
    rows.append(
        {"mixture": "safest mixture"}
        | _row(mixed @ sizes / game.n_secrets, most, chances @ past, value)
        | {"chance": 1.0}
        | dict(zip(labels, mixed.tolist(), strict=True))
    )
    rows += _between(game, rounds.filter(pl.col("rounds") == fewest))
    return pl.DataFrame(rows, infer_schema_length=None).sort(
        pl.col("mixture").is_not_null(), "worst", "mean", nulls_last=True, maintain_order=True
    )


def _row(mean: float, most: int, past: float, worst: float | None) -> dict[str, Any]:
    return {"mean": float(mean), "max": int(most), "past": float(past), "worst": worst}


def _between(game: TableGame, points: pl.DataFrame) -> list[dict[str, Any]]:
    """Return the trees of least maximum and of least total, and each at equal chances."""
    if points.height < 2:
        return []
    ends = [points.row(0, named=True), points.row(-1, named=True)]
    mean = [end["total"] / game.n_secrets for end in ends]
    past = [1 - end["won"] / game.n_secrets for end in ends]
    most = [len(end["profile"].split()) for end in ends]
    return [
        {"mixture": "the least maximum"} | _row(mean[0], most[0], past[0], None),
        {"mixture": "either, at equal chances"}
        | _row(sum(mean) / 2, max(most), sum(past) / 2, None),
        {"mixture": "the least total"} | _row(mean[1], most[1], past[1], None),
    ]
