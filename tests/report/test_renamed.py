"""What the page advises under other names and orders, and what it repairs, against Python."""

import random

import numpy as np
import pytest
from conftest import game_called, notation_of
from disguises import disguised, path_to

from codebreaker.advice.cached import best_known_file
from codebreaker.advice.slips import impossible_marks, slips
from codebreaker.advice.sources import Position, RecordedTree
from codebreaker.api.games import Game
from codebreaker.report.explorer import Played, game_data
from codebreaker.trees.io import read_tree


def recorded(name):
    """Return a game, its best known tree, and their data for the page."""
    game = game_called(name)
    tree, strategy = read_tree(best_known_file(game))
    return game, tree, game_data(game, [Played(tree, strategy)])


def sets_along(game, moves):
    sets = [np.arange(game.n_secrets, dtype=np.int32)]
    for guess, feedback in moves:
        sets.append(sets[-1][game.feedback(guess, sets[-1]) == feedback])
    return tuple(sets)


def some_paths(tree, draw, n):
    """Return the moves from the root to some nodes."""
    return [path_to(tree, node) for node in draw.sample(range(1, len(tree.guess)), n)]


@pytest.mark.parametrize("name", ["mm-4-6", "bc-4-10", "black-4-6"])
def test_a_recorded_tree_is_followed_under_other_names_and_orders_as_in_python(opened, name):
    game, tree, data = recorded(name)
    draw = random.Random(name)
    plain = some_paths(tree, draw, 40)
    hidden = [disguised(game, moves, draw) for moves in plain]
    shown = opened.call("plannedAfter", [data, plain + hidden])
    for moves, other, own, renamed in zip(plain, hidden, shown, shown[len(plain) :], strict=False):
        assert renamed["mean"] == own["mean"]
        for history, planned in ((moves, own), (other, renamed)):
            sets = sets_along(game, history)
            part = RecordedTree(tree, "").tree(Position(game, tuple(history), sets, False))
            assert planned["mean"] == part.total_guesses / len(sets[-1])
            assert planned["guess"] == part.guess[0]


def test_a_bull_and_cow_history_is_worth_the_same_under_other_names(opened):
    game, _, data = recorded("bc-4-10")
    notation = notation_of("bc-4-10")
    histories = [notation.moves([text]) for text in ("0123:0,1", "1234:0,1", "9870:0,1")]
    shown = opened.call("plannedAfter", [data, histories])
    assert [round(planned["mean"], 4) for planned in shown] == [4.5104] * 3
    assert opened.call("plannedAfter", [data, [[*histories[0], (0, game.solved)]]]) == [None]


@pytest.mark.parametrize("name", ["mm-4-6", "bc-4-10", "black-4-6"])
def test_reviews_know_the_same_values_under_other_names_and_orders(engine, name):
    """What a review knows of the last set and the first is all that other names must keep."""
    game, tree, data = recorded(name)
    draw = random.Random(name)
    for moves in some_paths(tree, draw, 6):
        other = disguised(game, moves, draw)
        known = [dict(engine.call("knownAfter", [data, history])) for history in (moves, other)]
        for history, values in zip((moves, other), known, strict=True):
            sets = sets_along(game, history)
            part = RecordedTree(tree, "").tree(Position(game, tuple(history), sets, False))
            key = ",".join(map(str, game.guess_of_secret[sets[-1]].tolist()))
            assert values[key]["total"] == part.total_guesses
            best = int(values[key]["best"])
            assert len(sets[-1]) == 1 or len(set(game.feedback(best, sets[-1]).tolist())) > 1


@pytest.mark.parametrize(
    "name", ["mm-4-6", "bc-3-5", "black-3-3", "marks-wide", "matches-terminal"]
)
def test_repairs_are_those_of_python_in_the_same_order(opened, name):
    notation = notation_of(name)
    game = notation.game
    draw = random.Random(name)
    histories = []
    while len(histories) < 40:
        # One of two or three answers belongs to another secret, at times to the guess itself.
        guesses = draw.sample(range(game.n_guesses), draw.choice([2, 3]))
        secrets = [draw.randrange(game.n_secrets)] * len(guesses)
        secrets[draw.randrange(len(guesses))] = draw.randrange(game.n_secrets)
        moves = [
            (guess, int(game.feedback(guess, np.array([secret], np.int32))[0]))
            for guess, secret in zip(guesses, secrets, strict=True)
        ]
        if len(histories) % 10 == 9:
            moves[0] = (guesses[0], game.solved)
        if len(sets_along(game, moves)[-1]) == 0:
            histories.append(moves)
    orders = [
        [
            [slip.number, slip.feedback, slip.misread, slip.secrets]
            for slip in slips(notation, moves)
        ]
        for moves in histories
    ]
    assert opened.call("repairsAfter", [name, histories]) == orders
    assert max(map(len, orders)) > 2


def test_marks_that_no_word_can_have_are_told_in_the_words_of_python(opened, engine):
    words = ["anna", "noon", "abba", "adam"]
    game = Game.from_words(words)
    shown = engine.call("impossibleOf", words)
    told = [text for _, _, text in shown if text]
    assert len(shown) > 100
    assert len(told) > 20
    for word, marks, text in shown:
        notation = game._notation
        feedback = list(notation.game.feedback_labels).index(marks)
        wanted = impossible_marks(notation, (notation.game.guesses.index(word), feedback))
        assert text == (f"{wanted[0].upper()}{wanted[1:]}." if wanted else "")
    told = opened.call("contradictionTold", [words, "anna", "gbyb"])
    assert "No word has these marks: n can't be absent at letter 2 and elsewhere" in told
    assert "may not be in this page's list" not in told
    told = opened.call("contradictionTold", [words, "anna", "yyyy"])
    assert "No word has" not in told
    assert "may not be in this page's list" in told
