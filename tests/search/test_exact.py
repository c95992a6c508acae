"""Exact search and certificates."""

import json
from itertools import count, product
from math import inf
from random import Random
from types import SimpleNamespace

import check_certificates
import numpy as np
import polars as pl
import pytest
from conftest import CRITERION_NAMES, GAMES, GOLDEN, certified_optimum, defined, game_called
from definitions import Definition, minimum_of_all_trees, partition, total_after
from drawn_games import table_game
from game_rules import rules_of
from hypothesis import given
from hypothesis import strategies as st

from codebreaker import Game
from codebreaker.errors import CodebreakerError
from codebreaker.policies.strategy import Strategy
from codebreaker.search import solver
from codebreaker.search.cost_to_go import CostToGo, exchanges_of, symmetric_codes
from codebreaker.search.kernels.costs import INFEASIBLE
from codebreaker.search.optimum import find_optimum
from codebreaker.search.settings import Target
from codebreaker.search.size_bounds import size_bounds
from codebreaker.search.solver import Solver
from codebreaker.trees.best_known import order_of
from codebreaker.trees.grow import grow

SMALL = pl.read_csv(GOLDEN / "optimal-small.csv")
OTHERS = pl.read_csv(GOLDEN / "optimal-others.csv")


@pytest.mark.parametrize(("pegs", "colours", "total", "depth", "source"), SMALL.rows())
def test_optimal_totals_and_the_smallest_depth_that_attains_them(
    pegs, colours, total, depth, source
):
    game = game_called(f"mm-{pegs}-{colours}")
    for limit in (None, depth):
        solution = Solver(game, guess_limit=limit).solve()
        assert (solution.tree.total_guesses, solution.bound) == (total, total)
    shallower = Solver(game, guess_limit=depth - 1).solve()
    assert shallower is None or shallower.tree.total_guesses > total


# The best guess is no candidate and has two parts, as many as a guess that wins now or never.
TWO_PARTS = [
    *([0, 1, 1, 1, 1, 1], [1, 0, 1, 1, 1, 1], [1, 1, 0, 1, 1, 1], [2, 2, 2, 0, 2, 2]),
    *([2, 2, 2, 2, 0, 2], [2, 2, 2, 2, 2, 0], [1, 1, 1, 2, 2, 2]),
]


def test_a_limit_above_the_minimum_finds_it():
    names = [*"abcdefg"]
    game = Game.from_table(TWO_PARTS, names, names[:6], ["won", "few", "many"], "won")
    members = np.arange(6, dtype=np.int32)
    assert [CostToGo(game._table_game).of(members, 1, limit) for limit in (18, 19, 20)] == [
        18,
        18,
        18,
    ]


# Guess ? divides the first nine into three times three: answers 1, 2 and 3. Each of the nine tells
# the two others of its three apart. No guess has more than three parts.
THREE_THREES = {
    "a": [0, 1, 2, 1, 1, 1, 1, 1, 1, 1],
    "b": [1, 0, 2, 1, 1, 1, 1, 1, 1, 1],
    "c": [1, 2, 0, 1, 1, 1, 1, 1, 1, 1],
    "d": [1, 1, 1, 0, 1, 2, 1, 1, 1, 1],
    "e": [1, 1, 1, 1, 0, 2, 1, 1, 1, 1],
    "f": [1, 1, 1, 1, 2, 0, 1, 1, 1, 1],
    "g": [1, 1, 1, 1, 1, 1, 0, 1, 2, 1],
    "h": [1, 1, 1, 1, 1, 1, 1, 0, 2, 1],
    "i": [1, 1, 1, 1, 1, 1, 1, 2, 0, 1],
    "j": [1, 1, 1, 1, 1, 1, 1, 1, 1, 0],
    "?": [1, 1, 1, 2, 2, 2, 3, 3, 3, 1],
}


def test_a_cell_of_nine_is_solved_by_three_parts_of_three():
    """After the opening j, ? is the best guess: nine guesses, and five for each three."""
    guesses = [*THREE_THREES]
    secrets = guesses[:10]
    answers = {
        (guess, secret): answer
        for guess, row in THREE_THREES.items()
        for secret, answer in zip(secrets, row, strict=True)
    }
    rules = Definition(guesses, secrets, lambda guess, secret: answers.get((guess, secret)))
    least = total_after(rules, "j", secrets, {})
    assert least == 10 + 9 + 3 * 5
    labels = ["won", "one", "two", "three"]
    game = Game.from_table([*THREE_THREES.values()], guesses, secrets, labels, "won")._table_game
    opening = np.array([game.guesses.index("j")], dtype=np.int32)
    members = np.arange(10, dtype=np.int32)
    for limit in (least + 1, least + 2, least + 3):
        assert CostToGo(game).of(members, 1, limit, opening) == least


@pytest.mark.slow
def test_a_limit_changes_no_minimum_in_games_from_tables():
    for seed in range(250):
        drawn = table_game(Random(seed))
        game = eval(drawn.text, {"cb": SimpleNamespace(Game=Game)})._table_game
        least = drawn.puzzle.minimum(drawn.puzzle.secrets)
        members = np.arange(game.n_secrets, dtype=np.int32)
        for limit in range(game.n_secrets, least + 3):
            cost = CostToGo(game, memo_mib=1).of(members, 1, limit)
            assert cost == least if limit > least else limit <= cost <= least, (seed, limit)


@pytest.mark.parametrize(
    ("target", "order"),
    [
        (Target(), (5625, 6)),
        (Target(objective="lexicographic"), (5625, 6, 1)),
        (Target(objective="maximum"), (5626, 5)),
        (Target(guess_pool="consistent"), (5660, 6)),
    ],
    ids=str,
)
def test_the_optima_of_the_papers_game(mm46, tmp_path, target, order):
    solution = certified_optimum(mm46, target, tmp_path, 64).solution
    assert solution.proven
    assert order_of(solution.tree)[: len(order)] == order


def test_four_guesses_are_not_enough_for_the_papers_game(mm46):
    with pytest.raises(CodebreakerError, match=r"no tree of mm-4-6 .* within 4 guesses"):
        find_optimum(mm46, Target(guess_limit=4), 64, 600)


@given(
    name=st.sampled_from(
        ["mm-2-3", "mm-3-2", "mm-2-4", "mm-3-3", "bc-2-4", "black-3-3", *GAMES[-7:]]
    ),
    pool=st.sampled_from(["all", "consistent"]),
    left=st.integers(1, 5) | st.none(),
    data=st.data(),
)
def test_the_kernel_finds_what_exhaustive_search_finds(name, pool, left, data):
    game = game_called(name)
    members = data.draw(st.sets(st.integers(0, game.n_secrets - 1), min_size=1, max_size=6))
    cell = np.array(sorted(members), dtype=np.int32)
    cost_to_go = CostToGo(game, left, 1, guess_pool=pool)
    rules = defined(name, pool)
    cost = cost_to_go.of(cell, 1, pool=None if pool == "all" else game.guess_of_secret[cell])
    secrets = [rules.secrets[member] for member in cell]
    expected = minimum_of_all_trees(rules, secrets, {}, turns=inf if left is None else left)
    assert cost == expected or (expected == inf and cost >= cost_to_go.no_limit)


def test_no_policy_is_better_than_the_optimum(game):
    best = Solver(game).solve().tree.total_guesses
    for name in CRITERION_NAMES:
        assert grow(game, Strategy(name)).total_guesses >= best


def test_bounds_by_size_are_the_best_trees_of_a_game_that_has_any_partition():
    bounds = size_bounds(n_feedback=3, n_secrets=8, guess_limit=3)
    assert bounds[4, :9].tolist() == [0, 1, 3, 5, 8, 11, 14, 17, 21]
    assert bounds[2, :5].tolist() == [0, 1, 3, 5, INFEASIBLE]
    assert (bounds[0, 1:] == INFEASIBLE).all()


def test_the_time_limit_leaves_a_tree_and_a_bound_that_hold(monkeypatch, mm46):
    monkeypatch.setattr(solver, "SLICE", 1)
    game = game_called("mm-3-4")
    solution = Solver(game).solve(time_limit_s=0.0)
    assert not solution.proven
    assert solution.bound <= 206 <= solution.tree.total_guesses
    with pytest.raises(CodebreakerError, match="within the time limit") as caught:
        Solver(mm46, guess_limit=5).solve(time_limit_s=0.0)
    assert caught.value.setting == "time_limit_s"


@pytest.mark.slow
def test_the_best_tree_so_far_is_kept_when_the_time_ends(monkeypatch):
    game = game_called("mm-4-4")
    solutions = []
    optimum = Solver(game).solve()
    heuristic = grow(game, Strategy("most-parts"))
    for ticks in range(80):
        monkeypatch.setattr(solver, "time", SimpleNamespace(monotonic=count().__next__))
        solutions.append(Solver(game).solve(time_limit_s=ticks))
        if solutions[-1].proven:
            break
    totals = [solution.tree.total_guesses for solution in solutions]
    assert totals == sorted(totals, reverse=True)
    assert totals[-1] == optimum.tree.total_guesses
    assert all(solution.bound <= totals[-1] for solution in solutions)
    assert any(solution.tree.total_guesses < heuristic.total_guesses for solution in solutions[:-1])


def test_the_clock_starts_when_the_search_is_compiled(monkeypatch):
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(solver, "time", SimpleNamespace(monotonic=lambda: clock.now))

    def compile_for_an_hour(_):
        clock.now += 3600.0

    monkeypatch.setattr(solver, "compile_search", compile_for_an_hour)
    solution = Solver(game_called("mm-3-4")).solve(time_limit_s=60.0)
    assert clock.now == 3600.0
    assert (solution.cost, solution.proven) == (206, True)


def test_deep_trees_are_solved_and_too_deep_ones_refused():
    solution = Solver(game_called("mm-1-20"), memo_mib=1).solve()
    assert (solution.tree.total_guesses, solution.tree.turn.max()) == (210, 20)
    with pytest.raises(CodebreakerError, match="mm-1-70 needs trees of more than 64 turns"):
        Solver(game_called("mm-1-70"), memo_mib=1).solve()


@pytest.mark.slow
def test_exchanges_know_more_colours_than_a_byte_has_values():
    symmetry = game_called("mm-1-300").symmetry
    names = exchanges_of(symmetry).names
    assert symmetric_codes(symmetry).codes.max() == names.max() == 299
    assert names[:2, 0, :3].tolist() == [[0, 1, 2], [1, 0, 2]]


@pytest.mark.parametrize("name", ["mm-2-3", "bc-2-3", "mm-2-4", "marks-terminal"])
def test_the_minimum_total_from_each_opening(name, tmp_path):
    game = game_called(name)
    rules = defined(name)
    known = {}
    for guess, opening in zip(rules.guesses, game.guesses, strict=True):
        if len(partition(guess, rules.secrets, rules.grade)) == 1:
            continue
        solution = certified_optimum(game, Target(opening=opening), tmp_path).solution
        assert solution.proven
        assert solution.tree.total_guesses == total_after(rules, guess, rules.secrets, known)
        assert game.guesses[solution.tree.guess[0]] == opening
    with pytest.raises(CodebreakerError, match="'zz' is not a guess of"):
        find_optimum(game, Target(opening="zz"), 1, 60)


@pytest.mark.parametrize(
    ("opening", "total"),
    [("1123", 5660), ("1234", 5743), ("1122", 5752), ("1112", 5848), ("1111", 6359)],
)
def test_published_totals_of_consistent_play_by_opening(mm46, opening, total):
    solution = Solver(mm46, "consistent", opening=opening).solve()
    assert (solution.tree.total_guesses, solution.bound) == (total, total)


@pytest.mark.parametrize("name", [*GAMES, "mm-1-36", "bc-1-37", "black-1-36", "mm-2-7"])
def test_certificates_hold_in_every_family_and_with_colours_that_are_numbers(tmp_path, name):
    certified_optimum(game_called(name), Target(), tmp_path)


@pytest.mark.parametrize(("name", "guess"), [("bc-3-3", "001"), ("marks-wide", "zzzzz")])
def test_the_checker_knows_which_guesses_are_allowed_and_the_list_of_words(tmp_path, name, guess):
    game = game_called(name)
    check = check_certificates.check
    certified_optimum(game, Target(), tmp_path)
    certificate = json.loads((tmp_path / "certificate.json").read_text(encoding="utf-8"))
    lists = {"wide": (game.secrets, game.guesses)}
    first = {"guess": guess, "after": {"0B-0C": certificate["tree"]}}
    with pytest.raises(ValueError, match=f"^{guess} may not be guessed"):
        check(certificate | {"tree": first}, lists)
    if certificate["words"]:
        with pytest.raises(ValueError, match="its words differ from the list"):
            check(certificate | {"words": certificate["words"][1:]}, lists)
        with pytest.raises(ValueError, match="not given"):
            check(certificate)


@pytest.mark.parametrize("name", ["mm-3-3", "bc-3-4", "black-3-3", *GAMES[-7:]])
def test_the_checkers_feedback_and_secrets_are_the_games(name):
    game = game_called(name)
    lists = {name.split("-", 1)[1]: (game.secrets, game.guesses)}
    feedback_of, secrets, guesses, _ = rules_of(name, lists)
    assert tuple(secrets) == game.secrets
    assert sorted(guesses) == sorted(game.guesses)
    for (i, guess), (j, secret) in product(enumerate(game.guesses), enumerate(game.secrets)):
        assert feedback_of(guess, secret) == game.feedback_labels[game.table[i, j]]


@pytest.mark.parametrize(("name", "total", "maximum"), OTHERS.rows())
def test_optima_of_other_games(name, total, maximum):
    tree = Solver(game_called(name)).solve().tree
    assert (tree.total_guesses, tree.max_guesses) == (total, maximum)


TWO_POSITIONS = {
    "mm": (24, (8, 51, -74, 48), (8, 51, -80, 69)),
    "bc": (12, (4, 21, -76, 72), (4, 21, -82, 105)),
}
"""Chen and Lin 2004: divisors, and polynomials for even and odd n."""


@pytest.mark.parametrize(
    ("family", "n"), [*product(["mm"], range(3, 11)), *product(["bc"], range(2, 11))]
)
def test_the_minimum_totals_of_two_positions(family, n):
    solution = Solver(game_called(f"{family}-2-{n}"), memo_mib=4).solve()
    divisor, *polynomials = TWO_POSITIONS[family]
    assert divisor * solution.bound == np.polyval(polynomials[n % 2], n)
    assert solution.proven


@pytest.mark.parametrize("colours", range(5, 10))
def test_the_worst_case_of_three_pegs(colours):
    """Jäger and Peczarski 2009, for c ≥ 5."""
    target = Target(objective="maximum")
    optimum = find_optimum(game_called(f"mm-3-{colours}"), target, 16, 600)
    assert optimum.guess_limit == (colours - 1) // 3 + 4
    assert optimum.solution.tree.turn.max() == optimum.guess_limit
