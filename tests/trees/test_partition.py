"""Partitions, and the kernel's choices held to the reference."""

import numpy as np
from conftest import games_with_candidates
from hypothesis import given
from hypothesis import strategies as st

from codebreaker.sets.partition import count_table, counts, split


@given(games_with_candidates())
def test_counts_sum_to_the_candidates(drawn):
    game, candidates = drawn
    table = count_table(game, candidates)
    assert (table.sum(axis=1) == len(candidates)).all()
    for guess in range(game.n_guesses):
        assert (table[guess] == counts(game, guess, candidates)).all()


@given(games_with_candidates(), st.data())
def test_cells_are_disjoint_and_whole(drawn, data):
    game, candidates = drawn
    guess = data.draw(st.integers(0, game.n_guesses - 1))
    cells = split(game, guess, candidates)
    assert sorted(np.concatenate(list(cells.values()))) == candidates.tolist()
    for feedback, cell in cells.items():
        assert (game.table[guess, cell] == feedback).all()
        assert len(cell) == counts(game, guess, candidates)[feedback]
