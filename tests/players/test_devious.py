"""The devious codemaker: his answers and their value, against literal expectations."""

from functools import cache

import numpy as np
import pytest
from conftest import defined, game_called
from definitions import partition

from codebreaker.analysis.devious import longest_play
from codebreaker.games.registry import make_game
from codebreaker.players.board import code_index, make_board
from codebreaker.players.contest import Series
from codebreaker.players.devious import DeviousCodemaker, play_deviously
from codebreaker.players.registry import PLAYERS
from codebreaker.policies.policy import make_policy
from codebreaker.trees.grow import grow
from codebreaker.trees.tree import follow


def expected_of(name):
    """Expected guesses of a random candidate if each answer delays most, by the definition."""
    game = defined(name)

    @cache
    def expected(candidates):
        total = 0.0
        for guess in candidates:
            cells = partition(guess, candidates, game.grade)
            del cells[game.grade(guess, guess)]
            total += 1 + max((expected(tuple(cell)) for cell in cells.values()), default=0)
        return total / len(candidates)

    return expected


NAMES = ["mm-2-2", "mm-2-3", "mm-3-2", "mm-3-3", "bc-2-4", "black-2-3", "marks-wide"]


@pytest.mark.parametrize("name", NAMES)
def test_random_consistent_play_is_delayed_as_long_as_can_be(name):
    expected = expected_of(name)(tuple(defined(name).secrets))
    assert DeviousCodemaker(game_called(name), 1).expected_guesses() == pytest.approx(expected)


@pytest.mark.parametrize("name", ["mm-2-3", "mm-3-3", "matches-wide"])
def test_each_answer_delays_random_consistent_play_most(name):
    literal, game, expected = defined(name), game_called(name), expected_of(name)
    codemaker, draw = DeviousCodemaker(game, 1), np.random.default_rng(0)
    for size in (1, 2, 3, 4, 5, game.n_secrets):
        members = np.sort(draw.permutation(game.n_secrets)[:size]).astype(np.int32)
        secrets = [literal.secrets[member] for member in members]
        for guess in range(game.n_guesses):
            cells = partition(literal.guesses[guess], secrets, literal.grade)
            told = codemaker.answer(guess, members)
            left = [literal.secrets[s] for s in members[game.table[guess, members] == told]]
            assert left in cells.values()
            if len(cells) > 1:
                assert told != game.solved
                cells.pop(literal.grade(literal.guesses[guess], literal.guesses[guess]), None)
                most = max(expected(tuple(cell)) for cell in cells.values())
                assert expected(tuple(left)) == pytest.approx(most)


def test_games_against_him_end_with_the_only_code_left_and_have_the_expected_length():
    game = make_game("mm-3-3")
    codemaker = DeviousCodemaker(game, 1)
    series = Series(
        PLAYERS["random-consistent"], make_board("mm-3-3"), code_index("mm-3-3", "112"), 1
    )
    lengths = []
    for moves in play_deviously(series, codemaker, 400):
        guess, told = moves[-1]
        assert told == game.solved
        assert all(game.table[one, guess] == answer for one, answer in moves)
        lengths.append(len(moves))
    error = np.std(lengths) / len(lengths) ** 0.5
    assert abs(np.mean(lengths) - codemaker.expected_guesses()) < 4 * error


def test_a_strategy_is_delayed_up_to_its_maximum():
    game = game_called("mm-3-4")
    tree = grow(game, make_policy("entropy"))
    play = longest_play(game, tree)
    assert len(play) == tree.max_guesses
    assert follow(game, tree, play[-1][0]) == play
