"""Revised trees against all trees."""

from math import inf

import numpy as np
import pytest
from conftest import defined, game_called
from definitions import total_after

from codebreaker.errors import CodebreakerError
from codebreaker.games.registry import make_game
from codebreaker.policies.strategy import Strategy
from codebreaker.trees.grow import grow, guesses_by_secret
from codebreaker_records.revise import Step, game_of_set, revise, within


@pytest.mark.parametrize("name", ["mm-2-4", "mm-3-3", "bc-3-4", "black-3-2"])
@pytest.mark.parametrize("limit", [3, 4, 5, 30, None])
def test_sets_after_an_opening_are_revised_to_the_minimum_within_a_limit(name, limit):
    game = make_game(name, 0)
    literal = defined(name)
    tree = grow(game, Strategy("first-consistent"))
    opening = literal.guesses[tree.guess[0]]
    lowest = total_after(literal, opening, literal.secrets, {}, turns=limit or inf)
    failed = dict[bytes, int]()
    revise(game, tree, Step(2), 2, failed=failed)
    revised = revise(game, tree, Step(2), limit, threads=2, failed=failed)
    revised.check()
    if lowest < inf:
        assert revised.total_guesses == lowest
    assert (revised.max_guesses <= (limit or inf)) == (lowest < inf)
    assert guesses_by_secret(game_called(name), revised).sum() == revised.total_guesses
    for step in (Step(2, exact=4, width=1), Step(2, lookups=-1), Step(2, largest=3), Step(9)):
        total = revise(game, tree, step, None).total_guesses
        assert tree.total_guesses >= total >= total_after(literal, opening, literal.secrets, {})
    skipped = revise(game, tree, Step(2), limit, failed=dict.fromkeys(failed, 99))
    assert total == tree.total_guesses == skipped.total_guesses


@pytest.mark.parametrize("name", ["mm-3-4", "bc-2-4", "black-2-3"])
def test_the_game_of_a_set_has_every_partition_of_it(name):
    game = make_game(name, 0)
    full = game_called(name)
    members = np.array([1, 3, 4, 5], np.int32)
    small, guesses = game_of_set(game, members)
    assert (small.table == full.table[guesses][:, members]).all()
    assert (guesses[small.guess_of_secret] == members).all()
    every = {np.unique(row, return_inverse=True)[1].tobytes() for row in full.table[:, members]}
    kept = {np.unique(row, return_inverse=True)[1].tobytes() for row in small.table}
    assert kept == every


@pytest.mark.parametrize(
    ("name", "policy", "limit", "other"),
    [
        ("mm-4-6", "first-consistent", 7, "entropy"),  # 9 guesses before; a search is enough
        ("mm-4-6", "most-parts", 5, "worst-case"),  # 6 before
        ("bc-4-6", "expected-size", 5, "worst-case"),
    ],
)
def test_a_tree_is_played_within_a_limit_or_refused(name, policy, limit, other):
    game = make_game(name, 0)
    grown = grow(game, Strategy(policy))
    assert grown.max_guesses > limit
    tree = within(game, grown, limit, Strategy(other))
    tree.check()
    guesses = guesses_by_secret(game_called(name), tree)
    assert guesses.max() == tree.max_guesses <= limit
    assert guesses.sum() == tree.total_guesses
    assert within(game, tree, limit, Strategy("entropy")) is tree
    with pytest.raises(CodebreakerError, match=r"still takes . guesses: name another policy"):
        within(game, grown, 4, Strategy(other))
