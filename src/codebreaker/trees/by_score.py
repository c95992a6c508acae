"""Trees of two scores of Kooi 2005 that no criterion has."""

from collections.abc import Callable

import numpy as np

from codebreaker.games.model import TableGame
from codebreaker.sets.partition import count_table, n_log2_n
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import levels, make_tree
from codebreaker.trees.tree import GameTree
from codebreaker.types import Counts, Indices, Scores

DECIMALS = 9  # to which sums of logarithms are rounded before they are compared


def tree_by_score(
    game: TableGame, score: Callable[[Counts], Scores], last: bool = False
) -> GameTree:
    """Return the tree whose guesses have the minimum score of the rows of `count_table`.

    Ties go to the first candidate or, if there is none, to the first or last guess.
    """

    def guess(members: Indices) -> int:
        if len(members) == 1:
            return int(game.guess_of_secret[members[0]])
        scores = score(count_table(game, members))
        tied = np.flatnonzero(scores == scores.min())
        candidates = np.intersect1d(tied, game.guess_of_secret[members])
        return int(candidates[0] if len(candidates) else tied[-1 if last else 0])

    def choose(frontier: Frontier) -> Indices:
        return np.array([guess(members) for members in frontier.cells], dtype=np.int32)

    return make_tree(levels(game, Frontier.initial(game), choose))


def expected_size(sizes: Counts) -> Scores:
    """Return Σ P·# in single precision, in the order of the feedback ids."""
    expected = np.zeros(len(sizes), dtype=np.float32)
    total = np.float32(sizes[0].sum())
    for column in sizes.T.astype(np.float32):
        expected += column / total * column  # Kooi 2005, section 2.4
    return expected.astype(np.float64)


def entropy_times_log_parts(sizes: Counts) -> Scores:
    """Return minus the entropy in bits times log2 of the number of parts (Kooi 2005, section 5)."""
    total = sizes[0].sum()
    bits = np.log2(total) - n_log2_n(sizes).sum(axis=1) / total
    scores: Scores = np.round(-bits * np.log2(np.count_nonzero(sizes, axis=1)), DECIMALS)
    return scores
