"""Partitions, and the kernel's choices held to the reference."""

import numpy as np
from conftest import game_called, games_with_candidates
from definitions import all_codes, grade
from hypothesis import given
from hypothesis import strategies as st

from codebreaker.trees.partition import all_secrets, count_table, counts, split


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


def test_first_partition_is_that_of_the_definition():
    game, codes = game_called("mm-3-4"), all_codes(3, 4)
    for index, guess in enumerate(codes):
        answers = [grade(guess, secret) for secret in codes]
        sizes = sorted(answers.count(answer) for answer in set(answers))
        found = counts(game, index, all_secrets(game))
        assert sorted(found[found > 0].tolist()) == sizes
