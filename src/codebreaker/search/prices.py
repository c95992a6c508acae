"""The prices of moves: how many guesses each move of a tree loses to optimal play."""

from typing import NamedTuple

import numpy as np
import polars as pl

from codebreaker.games.symmetry import orbits
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.trees.grow import walk
from codebreaker.trees.tree import GameTree
from codebreaker.types import Indices


class Prices(NamedTuple):
    """For each node of a tree, (n_nodes,) int32: what its move costs against optimal play.

    `least` is the least total of the node's candidate set, `best` a guess that attains it, and
    `cost` the additional guesses over all its candidates if the tree's guess is played there and
    play is optimal afterwards. The costs of all nodes sum to the tree's total minus the optimum.
    """

    least: Indices
    best: Indices
    cost: Indices


def price(tree: GameTree, optimal: GameTree, cost_to_go: CostToGo) -> Prices:
    """Price each move of a tree; `optimal` is an optimal tree of its game."""
    game = cost_to_go.game
    least, best = [optimal.total_guesses], [int(optimal.guess[0])]
    second_guesses = np.unique(orbits(game, tree.guess[:1].tolist())).astype(np.int32)
    for frontier, _, _ in walk(game, tree):
        if frontier.turn == 1:
            continue
        pool = second_guesses if frontier.turn == 2 else None
        for members in np.split(frontier.sets.members, frontier.sets.offsets[1:-1]):
            total, guess = cost_to_go.best(members, pool)
            least.append(total)
            best.append(guess)
    lowest = np.array(least, dtype=np.int32)
    after = tree.n_candidates.astype(np.int32)
    np.add.at(after, tree.parent[1:], lowest[1:])
    return Prices(lowest, np.array(best, dtype=np.int32), after - lowest)


def prices_frame(name: str, tree: GameTree, prices: Prices) -> pl.DataFrame:
    """Return one row per node of a tree: tree, turn, least, best, cost."""
    return pl.DataFrame(
        {"tree": [name] * len(tree.guess), "turn": tree.turn} | prices._asdict(),
        schema_overrides={"tree": pl.Categorical},
    )
