"""The first guesses of a game, compared: what each criterion takes after every one of them."""

from collections.abc import Sequence

import polars as pl

from codebreaker.games.model import Game
from codebreaker.games.symmetry import first_guesses
from codebreaker.policies.policy import make_policy
from codebreaker.trees.grow import grow

COLUMNS = ("game", "secrets", "opening", "policy", "total", "mean", "max", "best")


def compare_first_guesses(game: Game, policies: Sequence[str], threads: int = 1) -> pl.DataFrame:
    """Grow the trees of policies after each first guess, one for each kind of guess.

    Returns one row per policy and first guess; `best` marks the least total of each policy.
    """
    rows = []
    for name in policies:
        found = []
        for guess in first_guesses(game).tolist():
            policy = make_policy(name, game.guesses[guess])
            tree = grow(game, policy, threads)
            total, mean = tree.total_guesses, round(tree.total_guesses / game.n_secrets, 4)
            played = (game.name, game.n_secrets, game.guesses[guess], name)
            found.append((*played, total, mean, tree.max_guesses))
        least = min(row[4] for row in found)
        rows += [(*row, "yes" if row[4] == least else "no") for row in found]
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")
