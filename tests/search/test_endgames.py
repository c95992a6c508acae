"""Policies that play some candidate sets exactly, in games with a table."""

import pytest
from conftest import defined, game_called, grown, same
from definitions import total_played

from codebreaker.policies.strategy import Strategy
from codebreaker.trees.grow import grow
from codebreaker.trees.io import transcripts

SMALL = ("mm-2-4", "mm-3-3", "bc-2-5", "black-2-4", "matches-terminal", "marks-wide")


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("criterion", ["worst-case", "entropy", "first-consistent"])
def test_totals_are_those_of_literal_play(name, criterion):
    game, definition = game_called(name), defined(name)
    for exact_from, endgames in ((2, 0), (3, 0), (None, 4), (3, 5)):
        policy = Strategy(criterion, endgames=endgames, exact_from=exact_from)

        def exactly(size, turn, exact_from=exact_from, endgames=endgames):
            return turn > 1 and (
                size <= endgames or (exact_from is not None and turn >= exact_from)
            )

        expected = total_played(
            criterion, definition, definition.secrets, exactly,
            pool=policy.guess_pool, tie_break=policy.tie_break,
        )  # fmt: skip
        tree, key = grown(game, policy)
        assert tree.total_guesses == expected, policy.slug
        assert (key.endgames, key.exact_from) == (endgames, exact_from)
        solved = [moves[-1] for moves in transcripts(game, tree)]
        assert solved == [(guess, game.solved) for guess in game.guess_of_secret]


@pytest.mark.parametrize(
    ("criterion", "total"),
    [("expected-size", 5656), ("most-parts", 5647), ("entropy", 5701), ("worst-case", 5735)],
)
def test_two_guesses_of_a_criterion_and_optimal_play_in_the_papers_game(mm46, criterion, total):
    tree, _ = grown(mm46, Strategy(criterion, exact_from=3))
    assert tree.total_guesses == total


def test_before_the_turn_of_exact_play_the_criterion_plays(mm46):
    tree, plain = grown(mm46, Strategy("entropy", exact_from=3))[0], Strategy("entropy")
    early = grow(mm46, plain)
    assert tree.guess[tree.turn <= 2].tolist() == early.guess[early.turn <= 2].tolist()
    deep, _ = grown(mm46, Strategy("entropy", exact_from=12))
    assert same(deep, early)
