"""Which weights decide by ties, and are left out by the proofs of bounds."""

import numpy as np
import pytest
from conftest import game_called

from codebreaker.policies.strategy import Strategy
from codebreaker.sets.partition import count_table
from codebreaker.trees.grow import grow, walk

MARGIN = 1e-6
"""Scores in bits that differ by less are a tie, for strategies and for the proofs."""


def decided_by_ties(name):
    """Return in how many sets another option scores as much as the best one, and of how many sets.

    Guesses that make the same parts by feedback are one option.
    """
    game = game_called("mm-4-6")
    strategy = Strategy(name, opening="1123")
    rows = np.array(strategy.weights.values, dtype=float)
    sets = []
    for level in walk(game, grow(game, strategy)):
        weights = rows[min(level.frontier.turn, len(rows)) - 1]
        for members in level.frontier.cells if level.frontier.turn > 1 else ():
            if len(members) > 1:
                sizes = count_table(game, members)
                shares = sizes / len(members)
                logs = np.log2(shares, out=np.zeros(shares.shape), where=shares > 0)
                scores = -(weights * shares * logs).sum(axis=1)
                best = np.flatnonzero(scores > scores.max() - MARGIN)
                sets.append(len(np.unique(sizes[best], axis=0)) > 1)
    return sum(sets), len(sets)


@pytest.mark.slow
def test_the_rounded_weights_of_table_3_tie_and_the_others_do_not():
    assert decided_by_ties("stage-weighted") == (28, 387)
    for name in ("stage-weighted-unrounded", "fixed-weighted", "stage-weighted-5630"):
        assert decided_by_ties(name)[0] == 0
