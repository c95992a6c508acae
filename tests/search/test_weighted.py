"""Weighted secrets, and exact endgames."""

from functools import cache
from math import inf

import numpy as np
import pytest
from conftest import defined, game_called, grown
from definitions import total_played, totals_of_trees
from hypothesis import given
from hypothesis import strategies as st

from codebreaker.errors import CodebreakerError
from codebreaker.games.tables import LARGEST_SUM
from codebreaker.policies.strategy import Strategy
from codebreaker.search.weighted import WeightedSearch
from codebreaker.trees.grow import walk
from codebreaker.trees.io import transcripts

TINY = ("mm-2-3", "mm-3-2", "bc-2-3", "bc-3-3", "black-2-3", "mm-1-3")
TINY += ("matches-short", "marks-short")
SMALL = ("mm-2-4", "mm-3-3", "bc-2-5", "black-2-4", "matches-terminal", "marks-wide")


@cache
def guesses_in_all_trees(name):
    game = game_called(name)
    return totals_of_trees(game, {secret: row for row, secret in enumerate(game.secrets)})


@given(st.sampled_from(TINY), st.data())
def test_the_minimum_weighted_total_is_that_of_all_trees(name, data):
    game = game_called(name)
    size = game.n_secrets
    weights = data.draw(st.lists(st.integers(0, 9), min_size=size, max_size=size).filter(any))
    every = guesses_in_all_trees(name)
    lowest = min(sum(map(int.__mul__, weights, totals)) for totals in every)
    search = WeightedSearch(game, np.array(weights), memo_mib=0.01)
    total, opening = search.minimum()
    assert (total, search.minimum(lowest)[1], search.minimum(lowest + 1)[0]) == (lowest, -1, lowest)
    if all(weights):
        tree = search.tree(opening)
        tree.check()
        nodes = [level.frontier.sets.members for level in walk(game, tree)]
        assert np.array(weights)[np.concatenate(nodes)].sum() == lowest


@pytest.mark.parametrize("weights", [[0, 0, 0], [1, -1, 1], [LARGEST_SUM, 1, 1]], ids=str)
def test_weights_that_are_refused(weights):
    with pytest.raises(CodebreakerError, match="weights"):
        WeightedSearch(game_called("mm-1-3"), np.array(weights))


def test_the_papers_game_without_codes_of_one_colour(mm46):
    weights = np.array([len(set(code)) > 1 for code in mm46.secrets]).astype(np.int64)
    search = WeightedSearch(mm46, weights)
    assert weights.sum() == 1290
    assert (search.minimum(5600), search.minimum(5601)[0]) == ((5600, -1), 5600)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("criterion", ["worst-case", "entropy", "first-consistent"])
def test_totals_are_those_of_literal_play(name, criterion):
    game = game_called(name)
    for exact_from, endgames in ((2, 0), (3, 0), (None, 4), (3, 5), (12, 0)):
        strategy = Strategy(criterion, endgames=endgames, exact_from=exact_from)
        definition = defined(name, strategy.guess_pool)

        def exactly(size, turn, exact_from=exact_from, endgames=endgames):
            return turn > 1 and (size <= endgames or turn >= (exact_from or inf))

        options = {"tie_break": strategy.tie_break}
        expected = total_played(criterion, definition, definition.secrets, exactly, **options)
        tree, record = grown(game, strategy)
        assert tree.total_guesses == expected, strategy.slug
        assert (record.endgames, record.exact_from) == (endgames, exact_from)
        solved = [moves[-1] for moves in transcripts(game, tree)]
        assert solved == [(guess, game.solved) for guess in game.guess_of_secret]
