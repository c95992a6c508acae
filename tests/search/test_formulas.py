"""Least totals and depths against closed formulas of the literature."""

import pytest
from conftest import game_called

from codebreaker.search.certificate import find_optimum
from codebreaker.search.settings import Target
from codebreaker.search.solver import Solver


def least_total(name):
    """The proven least total of a game."""
    solution = Solver(game_called(name), memo_mib=4).solve()
    assert solution.proven
    return solution.tree.total_guesses


@pytest.mark.parametrize("colours", range(3, 11))
def test_two_pegs(colours):
    """Chen and Lin 2004: least totals of MM(2, n); the formula for even n fails for n = 2."""
    n = colours
    odd = 8 * n**3 + 51 * n**2 - 80 * n + 69
    even = 8 * n**3 + 51 * n**2 - 74 * n + 48
    assert 24 * least_total(f"mm-2-{n}") == (odd if n % 2 else even)


def test_two_pegs_of_two_colours():
    assert least_total("mm-2-2") == 8


@pytest.mark.parametrize("symbols", range(2, 11))
def test_two_positions_without_repeated_symbols(symbols):
    """Chen and Lin 2004: least totals of Bulls and Cows with two positions."""
    n = symbols
    odd = 4 * n**3 + 21 * n**2 - 82 * n + 105
    even = 4 * n**3 + 21 * n**2 - 76 * n + 72
    assert 12 * least_total(f"bc-2-{n}") == (odd if n % 2 else even)


@pytest.mark.parametrize("colours", range(5, 10))
def test_the_worst_case_of_three_pegs(colours):
    """Jäger and Peczarski 2009: the least maximum of MM(3, c) is ⌊(c − 1) / 3⌋ + 4 for c ≥ 5."""
    target = Target(objective="maximum")
    optimum = find_optimum(game_called(f"mm-3-{colours}"), target, 16, 600)
    assert optimum.guess_limit == (colours - 1) // 3 + 4
    assert optimum.solution.tree.turn.max() == optimum.guess_limit
