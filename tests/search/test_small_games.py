"""Optimal trees of small games in plain NumPy, against the compiled search."""

import json

import check_certificates
import numpy as np
import pytest
from conftest import game_called

from codebreaker.games.tables import table_game, weighted
from codebreaker.search.certificate import write_certificate
from codebreaker.search.settings import Target
from codebreaker.search.small_games import solve_small
from codebreaker.search.solution import Optimum
from codebreaker.search.solver import Solver
from codebreaker.search.weighted import WeightedSearch
from codebreaker.sets.partition import all_secrets
from codebreaker.trees.grow import expected_guesses
from codebreaker.trees.tree import is_tree_of

MASTERMIND = "mm-1-1 mm-1-5 mm-2-2 mm-2-6 mm-3-3 mm-3-4 mm-3-6 mm-4-3 mm-4-4 mm-4-5 mm-3-4-distinct"
OTHERS = "bc-2-4 bc-3-6 black-2-3 black-3-4 marks-wide pegs-wide matches-terminal"


@pytest.mark.parametrize("name", [*MASTERMIND.split(), *OTHERS.split()])
@pytest.mark.slow
def test_totals_are_those_of_the_compiled_search_and_proven(name, tmp_path):
    game = game_called(name)
    solution = solve_small(game).solution
    assert solution.proven
    assert solution.cost == solution.tree.total_guesses == Solver(game).solve().cost
    assert is_tree_of(game, solution.tree, all_secrets(game))
    path = tmp_path / "certificate.json"
    write_certificate(game, Optimum(Target(), None, solution), path)
    certificate = json.loads(path.read_text(encoding="utf-8"))
    lists = {game.name.split("-", 1)[1]: (game.secrets, game.guesses)}
    check_certificates.check(certificate, {} if certificate["words"] is None else lists)


@pytest.mark.parametrize("name", ["mm-2-4", "mm-3-4", "bc-3-5", "black-3-3", "marks-short"])
def test_bounds_by_opening_hold_and_openings_may_be_forced(name):
    game = game_called(name)
    solution = solve_small(game).solution
    assert min(solution.openings.values()) == solution.cost
    for opening, bound in solution.openings.items():
        minimum = Solver(game, opening=opening).solve().cost
        assert solution.cost <= bound <= minimum
        forced = solve_small(game, opening).solution
        assert forced.cost == forced.tree.total_guesses == minimum
        assert game.guesses[forced.tree.guess[0]] == opening
        assert is_tree_of(game, forced.tree, all_secrets(game))


@pytest.mark.parametrize("symmetric", [False, True])
def test_priors_weight_the_guesses(symmetric):
    plain = game_called("mm-3-3")
    repeated = [len(set(code)) < 3 for code in plain.secrets]
    drawn = np.random.default_rng(1).integers(1, 9, plain.n_secrets).tolist()
    weights = [1 + 3 * is_repeated for is_repeated in repeated] if symmetric else drawn
    game = weighted(plain, dict(zip(plain.secrets, weights, strict=True)))
    solution = solve_small(game).solution
    lowest, _ = WeightedSearch(game, game.prior).minimum()
    assert solution.cost == lowest
    assert expected_guesses(game, solution.tree) * int(game.prior.sum()) == lowest


@pytest.mark.slow
def test_large_and_hard_games_are_left_to_the_compiled_search():
    assert solve_small(game_called("mm-4-6")) is None
    assert solve_small(game_called("mm-2-16")) is None


@pytest.mark.parametrize("name", [*MASTERMIND.split()[1:], *OTHERS.split(), "bc-4-4"])
@pytest.mark.slow
def test_of_the_optimal_trees_one_has_the_lowest_maximum(name):
    game = game_called(name)
    small = solve_small(game)
    assert small.has_lowest_maximum
    limited = Solver(game, guess_limit=small.solution.tree.max_guesses - 1).solve()
    assert limited is None or limited.cost > small.solution.cost


def test_the_lowest_maximum_may_need_a_guess_that_is_no_candidate():
    # No candidate tells the other two apart, and a further guess tells all three apart.
    table = [[0, 1, 1], [1, 0, 1], [1, 1, 0], [1, 2, 3]]
    answers = ["right", "x", "y", "z"]
    game = table_game(table, ["a", "b", "c", "d"], ["a", "b", "c"], answers, "right")
    small = solve_small(game)
    assert (small.solution.cost, small.solution.tree.max_guesses) == (6, 2)
    assert small.has_lowest_maximum


def test_deep_games_with_a_prior_need_no_deep_recursion():
    game = game_called("mm-1-500")
    likely = weighted(game, dict.fromkeys(game.secrets, 1) | {game.secrets[3]: 2})
    small = solve_small(likely)
    assert small.solution.tree.max_guesses == 500
    assert small.solution.cost == 500 * 501 // 2 + 1
