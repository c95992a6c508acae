"""What the moves of a tree cost: how many guesses each loses to optimal play from there on."""

from typing import NamedTuple

import numpy as np

from codebreaker.exact.cost_to_go import CostToGo
from codebreaker.games.symmetry import orbits
from codebreaker.trees.grow import walk
from codebreaker.trees.tree import GameTree
from codebreaker.types import Indices


class Prices(NamedTuple):
    """Of each node of a tree: its set's least total, a guess that reaches it, and its move's cost.

    The cost is in guesses, over all the set's secrets, with optimal play after the move. All are
    (n_nodes,) int32, and the costs of all nodes add up to the tree's total less the least one.
    """

    least: Indices
    best: Indices
    cost: Indices


def price(tree: GameTree, optimal: GameTree, cost_to_go: CostToGo) -> Prices:
    """Return what each move of a tree costs; `optimal` is a tree of the least total of its game."""
    game = cost_to_go.game
    least, best = [optimal.total_guesses], [int(optimal.guess[0])]
    apart = np.unique(orbits(game, tree.guess[:1].tolist())).astype(np.int32)
    for frontier, _, _ in walk(game, tree):
        if frontier.turn == 1:
            continue
        pool = apart if frontier.turn == 2 else None
        for members in np.split(frontier.sets.members, frontier.sets.offsets[1:-1]):
            total, guess = cost_to_go.best(members, pool)
            least.append(total)
            best.append(guess)
    lowest = np.array(least, dtype=np.int32)
    after = tree.n_candidates.astype(np.int32)
    np.add.at(after, tree.parent[1:], lowest[1:])
    return Prices(lowest, np.array(best, dtype=np.int32), after - lowest)
