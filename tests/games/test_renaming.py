"""Histories under other names: by symmetries that are written down code by code."""

import random
from itertools import permutations

import numpy as np
import pytest
from conftest import game_called
from disguises import disguised, path_to, some_moves

from codebreaker.advice.cached import best_known_tree
from codebreaker.games.renaming import canonical, matches
from codebreaker.policies.strategy import Strategy
from codebreaker.trees.grow import grow
from codebreaker.trees.tree import children_of, node_after

NAMES = ("mm-3-4", "mm-4-6", "bc-3-5", "bc-4-10", "black-3-4", "black-4-6", "mm-3-4-distinct")


@pytest.mark.parametrize("name", NAMES)
def test_disguised_moves_have_one_canonical_form_which_means_them(name):
    game = game_called(name)
    draw = random.Random(name)
    own = game.guesses_of(np.arange(game.n_secrets, dtype=np.int32)).tolist()
    secret_of = {guess: secret for secret, guess in enumerate(own)}
    for _ in range(25):
        moves = some_moves(game, draw)
        form = canonical(game, moves)
        assert canonical(game, disguised(game, moves, draw)).moves == form.moves
        meant = [(int(form.meaning[guess]), feedback) for guess, feedback in form.moves]
        assert sorted(meant) == sorted(moves)
        # What codes stand for keeps feedback.
        for _ in range(20):
            guess = draw.randrange(game.n_guesses)
            secret = draw.randrange(game.n_secrets)
            stands_for = secret_of[int(form.meaning[own[secret]])]
            asked, meant = (
                game.feedback(code, np.array([against], np.int32))[0]
                for code, against in ((guess, secret), (int(form.meaning[guess]), stands_for))
            )
            assert asked == meant


@pytest.mark.parametrize("name", NAMES)
def test_disguised_moves_are_found_in_a_tree(name):
    game = game_called(name)
    recorded = best_known_tree(game)
    tree = recorded[0] if recorded else grow(game, Strategy("entropy"))
    children = children_of(tree)
    draw = random.Random(name)
    for _ in range(25):
        node = draw.randrange(len(tree.guess))
        moves = path_to(tree, node)
        assert node_after(tree, moves) == node
        hidden = disguised(game, moves, draw)
        found = {match.node: match.meaning for match in matches(game, tree.guess, children, hidden)}
        assert node in found
        # Each node that is found is reached by the same moves, as their meanings say.
        for other, meaning in found.items():
            path = {(int(meaning[guess]), feedback) for guess, feedback in path_to(tree, other)}
            assert path == set(hidden)


def test_moves_that_no_order_of_a_tree_has_are_not_found():
    game = game_called("mm-3-4")
    tree = grow(game, Strategy("entropy"))
    children = children_of(tree)
    off = (game.guesses.index("111"), game.feedback_labels.index("0B-0C"))
    assert game.guesses[tree.guess[0]] != "111"
    assert list(matches(game, tree.guess, children, [off])) == []


def test_words_have_no_other_names_and_every_order():
    game = game_called("marks-short")
    first, second = (0, 3), (1, 2)
    for moves in permutations([first, second]):
        assert canonical(game, moves).moves == (second, first)
        assert canonical(game, moves).meaning.tolist() == list(range(game.n_guesses))
