"""Policies after each class of first guess."""

from collections.abc import Sequence

import polars as pl

from codebreaker.games.model import GameModel
from codebreaker.games.symmetry import class_representatives
from codebreaker.policies.strategy import Strategy
from codebreaker.trees.grow import grow

FIRST_GUESS_COLUMNS = ("game", "secrets", "opening", "policy", "total", "mean", "max", "best")


def compare_first_guesses(
    game: GameModel, policies: Sequence[str], threads: int = 1
) -> pl.DataFrame:
    """Return policies' figures after each class of first guess; `best` marks the minimum total."""
    rows = []
    for name in policies:
        trees = {}
        for opening in class_representatives(game).tolist():
            label = game.guesses[opening]
            trees[label] = grow(game, Strategy(name, label), threads)
        lowest = min(tree.total_guesses for tree in trees.values())
        for label, tree in trees.items():
            row = {
                "game": game.name,
                "secrets": game.n_secrets,
                "opening": label,
                "policy": name,
                "total": tree.total_guesses,
                "mean": round(tree.total_guesses / game.n_secrets, 4),
                "max": tree.max_guesses,
                "best": "yes" if tree.total_guesses == lowest else "no",
            }
            rows.append(row)
    return pl.DataFrame(rows, schema=FIRST_GUESS_COLUMNS)
