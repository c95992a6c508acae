"""One wrong answer: the fewest guesses that suffice, against a search by the rules alone."""

from functools import cache

import pytest
from conftest import defined, game_called

from codebreaker.search.lies import fewest_with_lies

SMALL = ["mm-2-2", "mm-2-3", "mm-3-2", "bc-2-3", "bc-2-4", "black-2-2", "matches-wide"]


def fewest(game, lies):
    """The fewest guesses that suffice, by trying all guesses and all answers.

    `honest` are the secrets that fit all answers, `lied` those that all but one fit. A right guess
    ends the game, and a wrong one is never confirmed.
    """
    answers = {game.grade(guess, secret) for guess in game.guesses for secret in game.secrets}
    answers -= {game.grade(secret, secret) for secret in game.secrets}

    @cache
    def suffice(left, honest, lied):
        if not honest and not lied:
            return True
        if left == 0:
            return False
        return any(after(left, honest, lied, guess) for guess in game.guesses)

    def after(left, honest, lied, guess):
        for answer in answers:
            fits = {s for s in honest | lied if s != guess and game.grade(guess, s) == answer}
            wrong = {s for s in honest if s != guess and game.grade(guess, s) != answer}
            wrong = wrong if lies else set()
            if not suffice(left - 1, frozenset(honest & fits), frozenset((lied & fits) | wrong)):
                return False
        return True

    number = 1
    while not suffice(number, frozenset(game.secrets), frozenset()):
        number += 1
    return number


@pytest.mark.parametrize("lies", [False, True])
@pytest.mark.parametrize("name", SMALL)
def test_the_fewest_guesses_are_those_of_the_rules(name, lies):
    assert fewest_with_lies(game_called(name), lies)[0] == fewest(defined(name), lies)
