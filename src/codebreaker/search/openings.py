"""The minimum total after each opening."""

import polars as pl

from codebreaker.games.model import TableGame
from codebreaker.games.symmetry import class_representatives
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.sets.partition import all_secrets


def opening_totals(game: TableGame, memo_mib: float = 256.0) -> pl.DataFrame:
    """Return the minimum total after each opening up to symmetry: game, opening, minimum total."""
    cost_to_go = CostToGo(game, memo_mib=memo_mib)
    secrets = all_secrets(game)
    rows = [
        (game.name, game.guesses[guess], cost_to_go.after(guess, secrets, 1, cost_to_go.no_limit))
        for guess in class_representatives(game).tolist()
    ]
    schema = ("game", "opening", "minimum total")
    return pl.DataFrame(rows, schema=schema, orient="row").sort("minimum total", "opening")
