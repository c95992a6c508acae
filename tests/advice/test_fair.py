"""Default advice: the same whatever colours are called, and optimal in small sets."""

import random
from fractions import Fraction

import numpy as np
import pytest
from conftest import defined, notation_of
from definitions import minimum_of_all_trees
from disguises import disguised, some_moves

from codebreaker.advice.resolve import resolve
from codebreaker.errors import CodebreakerError

GAMES = (
    *("mm-2-5", "mm-3-3", "mm-3-4", "mm-3-4-distinct", "mm-4-3", "mm-4-4", "mm-4-6-distinct"),
    *("bc-2-4", "bc-3-5", "bc-4-6", "black-3-3", "black-3-4", "mm-3-8", "black-4-4"),
    *("bc-3-10", "mm-2-9", "mm-5-2", "bc-3-3", "mm-3-6", "mm-4-5"),
)
SMALL = 62


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.slow
def test_advice_has_the_same_value_under_other_names_and_orders(name):
    assistant = resolve(notation_of(name))
    game = assistant.game
    draw = random.Random(name)
    for _ in range(12):
        moves = some_moves(game, draw, 3)
        if any(feedback == game.solved for _, feedback in moves):
            continue
        advice = assistant.suggest(moves)
        hidden = assistant.suggest(disguised(game, moves, draw))
        for other in (hidden.outlook.expected_guesses, hidden.outlook.most_guesses):
            assert other in (advice.outlook.expected_guesses, advice.outlook.most_guesses)
        assert hidden.source == advice.source
        assert hidden.left == advice.left


@pytest.mark.parametrize(
    "name", ["mm-2-5", "mm-3-3", "bc-2-4", "bc-3-4", "black-3-3", "mm-3-4-distinct", "marks-short"]
)
def test_small_sets_are_advised_optimally_in_every_game(name):
    assistant = resolve(notation_of(name))
    game = assistant.game
    definition = defined(name)
    draw = random.Random(name)
    compared = 0
    known = {}
    for _ in range(40):
        moves = some_moves(game, draw, 2)
        if any(feedback == game.solved for _, feedback in moves):
            continue
        advice = assistant.suggest(moves)
        left = [definition.secrets[secret] for secret in advice.outlook.candidates]
        if len(left) <= 12:
            least = minimum_of_all_trees(definition, left, known)
            assert advice.outlook.expected_guesses == Fraction(least, len(left))
            compared += 1
    assert compared > 8


def test_what_is_printed_agrees_with_exact_search():
    import codebreaker as cb

    for history in (["1123:2,1"], ["1123:1,1"], ["1234:0,2", "5561:0,2"]):
        suggestion = cb.suggest(cb.State("mm-4-6-distinct", history), exact=True)
        assert suggestion.source == "search"
        assert suggestion.expected == suggestion.regret.minimum
        assert suggestion.regret.mean == 0


@pytest.mark.parametrize(
    ("history", "other"),
    [("0123:0,1", "1234:0,1"), ("0123:0,1 1456:1,1", "9876:0,1 8543:1,1")],
)
def test_a_recorded_tree_is_followed_under_other_names(history, other):
    notation = notation_of("bc-4-10")
    advised = [
        resolve(notation).suggest(notation.moves(moves.split())) for moves in (history, other)
    ]
    values = {advice.outlook.expected_guesses for advice in advised}
    assert len(values) == 1
    assert {advice.source for advice in advised} == {"tree"}
    guess = notation.game.guesses[advised[1].guess]
    secrets = [notation.game.secrets[secret] for secret in advised[1].outlook.candidates]
    assert advised[1].is_candidate == (guess in secrets)


def test_a_tree_of_the_users_is_followed_literally_first():
    import codebreaker as cb

    tree = cb.grow("mm-3-4", "worst-case", opening="112")
    state = cb.State("mm-3-4", ["112:1,0"])
    assert cb.suggest(state, tree).guess == tree.guess_after("1,0")
    renamed = cb.suggest(cb.State("mm-3-4", ["442:1,0"]), tree)
    assert renamed.expected == cb.suggest(state, tree).expected
    with pytest.raises(CodebreakerError, match="move 1, 123:1,0, leaves the tree"):
        cb.suggest(cb.State("mm-3-4", ["123:1,0"]), tree)


def test_hard_mode_is_advised_exactly_too():
    notation = notation_of("marks-short")
    from codebreaker.advice.resolve import Settings
    from codebreaker.search.hard import HardCostToGo
    from codebreaker.sets.hard import allowed_after

    assistant = resolve(notation, None, Settings(guess_pool="hard"))
    game = notation.game
    search = HardCostToGo(game.with_table())
    for guess in range(0, game.n_guesses, 2):
        for secret in range(0, game.n_secrets, 2):
            feedback = int(game.feedback(guess, np.array([secret], np.int32))[0])
            if feedback == game.solved:
                continue
            moves = [(guess, feedback)]
            advice = assistant.suggest(moves)
            left = advice.outlook.candidates
            least, _ = search.best(left, allowed_after(game, moves))
            assert advice.outlook.expected_guesses == Fraction(least, len(left))
