"""Bounds that look at two guesses: against their definition, and against least totals."""

import pytest
from conftest import checker, defined, game_called
from definitions import least_mean, partition, sizes

from codebreaker.exact.certificate import find_optimum
from codebreaker.exact.target import Target
from codebreaker.exact.two_guesses import bounds_by_opening
from codebreaker.games.registry import rules_of

NAMES = ("mm-2-3", "mm-3-3", "mm-3-4", "mm-4-2", "bc-2-4", "bc-3-5", "black-2-3", "black-3-3")


def least_by_size(n, answers):
    """The least total of n secrets if guesses divide them at will, by filling turn after turn."""
    total, turn, room = 0, 1, 1
    while n > 0:
        now = min(n, room)
        total, n = total + now * turn, n - now
        turn, room = turn + 1, room * (answers - 1)
    return total


def bound_after(game, opening, answers):
    """The bound after an opening, by trying every second guess."""
    total = len(game.secrets)
    for answer, cell in partition(opening, game.secrets, game.grade).items():
        if answer == game.grade(opening, opening):
            continue
        total += min(
            len(cell)
            + sum(
                least_by_size(n, answers)
                for after, n in sizes(guess, cell, game.grade).items()
                if after != game.grade(guess, guess)
            )
            for guess in game.guesses
        )
    return total


@pytest.mark.parametrize("tabled", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_the_bound_is_its_definition(name, tabled):
    game = game_called(name) if tabled else rules_of(name).on_demand()
    codes = dict(zip(game.guesses, defined(name).guesses, strict=True))
    for row in bounds_by_opening(game).iter_rows(named=True):
        expected = bound_after(defined(name), codes[row["opening"]], game.n_feedback)
        assert row["bound"] == expected, row


@pytest.mark.parametrize("name", ["mm-2-3", "mm-2-4", "mm-3-2", "bc-2-4", "black-2-3"])
def test_no_strategy_is_below_the_bound(name):
    game = defined(name)
    least = least_mean(game.secrets, game.guesses, game.grade, {}) * len(game.secrets)
    assert bounds_by_opening(game_called(name))["bound"].min() <= least


@pytest.mark.parametrize("name", ["mm-3-6", "mm-4-4", "mm-4-5", "mm-5-3", "bc-3-6", "black-3-5"])
def test_the_optimum_after_an_opening_is_not_below_its_bound(name):
    game = game_called(name)
    for row in bounds_by_opening(game).sort("bound").head(2).iter_rows(named=True):
        optimum = find_optimum(game, Target(opening=row["opening"]), 16, 60).solution
        assert row["bound"] <= optimum.bound


@pytest.mark.parametrize("name", ["mm-2-4", "mm-3-4", "mm-4-5", "mm-5-3"])
def test_a_plain_program_finds_the_same_bounds(name):
    _, pegs, colours = name.split("-")
    least, by_opening = checker("check_two_guesses").bound(int(pegs), int(colours))
    bounds = bounds_by_opening(game_called(name))
    assert by_opening == dict(bounds.select("opening", "bound").iter_rows())
    assert least == bounds["bound"].min()
