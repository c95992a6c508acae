"""Non-adaptive guesses and one wrong answer."""

from dataclasses import replace
from functools import cache
from itertools import combinations

import polars as pl
import pytest
from conftest import defined, game_called

from codebreaker.errors import CodebreakerError
from codebreaker.games.registry import make_game
from codebreaker.report.chapters.variants import FORMULAS, static_play
from codebreaker.search.lies import fewest_with_lies
from codebreaker.search.static import minimum_static_set, row_of

SMALL = ["mm-2-2", "mm-2-3", "mm-2-4", "mm-3-2", "mm-3-3", "bc-2-4", "bc-3-3", "black-2-3"]
SMALL += ["black-3-2", "marks-wide", "matches-wide", "mm-2-3-distinct"]


def tell_apart(guesses, game):
    answers = {tuple(game.grade(guess, secret) for guess in guesses) for secret in game.secrets}
    return len(answers) == len(game.secrets)


def fewest(game):
    size = 0
    while not any(tell_apart(guesses, game) for guesses in combinations(game.guesses, size)):
        size += 1
    return size


@pytest.mark.parametrize("name", SMALL)
def test_no_smaller_set_of_guesses_tells_all_secrets_apart(name):
    game, found = defined(name), minimum_static_set(game_called(name))
    assert tell_apart([game.guesses[guess] for guess in found.guesses], game)
    assert len(found.guesses) == fewest(game)


@pytest.mark.parametrize(
    ("name", "guesses"),
    # two pegs: 2c/3; three: c - 1; black pegs: (4c - 2)/3, 3c/2, and hypercubes (OEIS A303735)
    [
        *(("mm-2-8", 6), ("mm-3-5", 4), ("mm-3-6", 5), ("black-2-6", 7), ("black-2-8", 10)),
        *(("black-3-3", 4), ("black-3-5", 7), ("black-4-2", 4), ("black-5-2", 4)),
    ],
)
def test_published_figures(name, guesses):
    game, found = make_game(name), minimum_static_set(make_game(name))
    assert len(found.guesses) == guesses
    family, pegs, colours = name.split("-")
    if (family, int(pegs)) in FORMULAS:
        formula, _ = FORMULAS[family, int(pegs)]
        assert formula(int(colours)) == guesses
    answers = {tuple(column) for column in game.table[list(found.guesses)].T.tolist()}
    assert len(answers) == game.n_secrets


def test_the_table_has_published_figures_and_the_maximum_of_play_with_answers():
    games = [make_game("mm-2-4"), make_game("mm-3-3")]
    found = [row_of(game, minimum_static_set(game)) for game in games]
    other = found[0].with_columns(examined=pl.lit(0, pl.Int64))
    rounds = {"game": "mm-2-4", "rounds": [3, 4], "won": [12, 16], "secrets": 16}
    table = static_play([*found, other], pl.DataFrame(rounds))
    shown = table.select("game", "guesses", "published", "to win", "with answers").rows()
    assert shown == [("mm-2-4", 3, 3, 4, 4), ("mm-3-3", 3, 2, 4, None)]
    assert table["examined"].min() > 0
    with pytest.raises(CodebreakerError, match="tell all secrets"):
        minimum_static_set(replace(games[0], table=games[0].table * 0))


LIED_TO = ["mm-2-2", "mm-2-3", "mm-3-2", "bc-2-3", "bc-2-4", "black-2-2", "matches-wide"]


def fewest_guesses(game, lies):
    """Try all; `honest` secrets fit all answers, `lied` all but one."""
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
@pytest.mark.parametrize("name", LIED_TO)
def test_the_fewest_guesses_are_those_of_the_rules(name, lies):
    assert fewest_with_lies(game_called(name), lies)[0] == fewest_guesses(defined(name), lies)
