"""What each opening costs at least: the least totals after it, or bounds."""

import numpy as np
import polars as pl

from codebreaker.games.model import TableGame
from codebreaker.games.symmetry import orbits
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.sets.partition import all_secrets


def opening_bounds(
    game: TableGame, known: dict[str, int], limit: int, memo_mib: float = 256.0
) -> pl.DataFrame:
    """Return a lower bound on the total after each opening, one row per opening up to symmetry.

    `known` are least totals that have been proven, by opening. The others are computed where they
    are below the limit; elsewhere the bound is at least the limit.
    """
    cost_to_go, secrets = CostToGo(game, memo_mib=memo_mib), all_secrets(game)
    rows = []
    for guess in np.unique(orbits(game, [])).tolist():
        opening = game.guesses[guess]
        bound = known.get(opening) or cost_to_go.after(guess, secrets, 1, limit)
        rows.append((game.name, opening, bound, "yes" if bound < limit else "no"))
    schema = ("game", "opening", "least total or bound", "attained")
    return pl.DataFrame(rows, schema=schema, orient="row").sort("least total or bound", "opening")
