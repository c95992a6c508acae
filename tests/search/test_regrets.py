"""Regrets against definitions."""

from functools import cache

import numpy as np
import polars as pl
import pytest
from conftest import defined, game_called, grown, notation_of
from definitions import minimum_of_all_trees, total_after

from codebreaker.advice import regret
from codebreaker.advice.regret import OptimalValues, regret_of, regrets_frame, tree_regrets
from codebreaker.games.tables import weighted
from codebreaker.policies.strategy import Strategy
from codebreaker.report.chapters.strategies import (
    lost_by_turn,
    moves_chart,
    moves_page,
    name_strategies,
)
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.openings import opening_totals
from codebreaker.search.solver import Solver
from codebreaker.sets.partition import all_secrets
from codebreaker.trees.grow import grow, walk
from codebreaker.trees.metrics import strategies

SMALL = ("mm-2-4", "mm-3-3", "bc-2-4", "black-2-3", "marks-wide")
RULES = ("entropy", "worst-case", "first-consistent")


@cache
def solved_with(name, rule):
    game = game_called(name)
    optimal = Solver(game).solve().tree
    tree = grow(game, Strategy(rule))
    regrets = tree_regrets(tree, optimal, CostToGo(game, memo_mib=8))
    return game, tree, regrets, optimal.total_guesses


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", [*SMALL, "mm-3-4", "bc-3-5", "black-3-3"])
def test_regrets_add_up_to_what_is_lost(name, rule):
    _, tree, regrets, lowest = solved_with(name, rule)
    assert regrets.regret.sum() == tree.total_guesses - lowest
    assert (regrets.regret >= 0).all()


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", SMALL)
def test_best_guesses_reach_the_minimum_totals_of_the_definition(name, rule):
    game, tree, regrets, _ = solved_with(name, rule)
    cost_to_go = CostToGo(game, memo_mib=8)
    rules = defined(name)
    small = 0
    sets = [cell for frontier, _, _ in walk(game, tree) for cell in frontier.cells]
    for members, lowest, best in zip(sets, regrets.minimum, regrets.best, strict=True):
        assert cost_to_go.after(int(best), members, 1, int(lowest) + 1) == lowest
        if len(members) <= 6:
            secrets = [rules.secrets[member] for member in members]
            assert lowest == minimum_of_all_trees(rules, secrets, {})
            small += 1
    assert small > 1


@pytest.mark.parametrize("name", ["mm-2-3", "mm-2-4", "bc-2-4"])
def test_the_minimum_total_after_each_opening_is_that_of_the_definition(name):
    rules = defined(name)
    names = game_called(name).guesses
    known = {}
    every = [total_after(rules, guess, list(rules.secrets), known) for guess in rules.guesses]
    totals = dict(zip(names, every, strict=True))
    table = opening_totals(game_called(name))
    computed = dict(table.select("opening", "minimum total").iter_rows())
    assert computed.items() <= totals.items()
    assert {*computed.values()} == {*totals.values()}


def test_the_table_and_chart_say_where_guesses_are_lost():
    game, tree, regrets, lowest = solved_with("mm-3-3", "worst-case")
    frame = regrets_frame("worst-case", tree, regrets)
    strategy = strategies([grown(game, Strategy("worst-case"))])
    table = name_strategies(lost_by_turn({"mm-3-3": frame}, strategy))
    assert table["lost"].sum() == tree.total_guesses - lowest
    assert table["turn"].to_list() == list(range(1, tree.turn.max() + 1))
    assert "| mm-3-3 | worst case (Knuth) |" in moves_page(table)
    points = moves_chart(table).to_dict()["datasets"].values()
    assert table["lost"].sum() in [row["lost"] for rows in points for row in rows]
    assert table.filter(pl.col("lost") < 0).is_empty()


HISTORIES = [
    ("mm-4-6", ["1111:1,0", "2345:1,1"]),
    ("mm-4-6", ["1234:0,2"]),
    ("mm-3-4", []),
    ("bc-3-5", ["012:0,1"]),
    ("black-3-3", ["111:1"]),
    ("marks-wide", []),
]


@pytest.mark.parametrize("work", [0, 3000])
@pytest.mark.parametrize(("name", "moves"), HISTORIES, ids=str)
@pytest.mark.slow
def test_regrets_are_those_of_the_compiled_search(name, moves, work, monkeypatch):
    """With little work, plain NumPy stops at once, or in the middle."""
    notation = notation_of(name)
    game = notation.game
    history = notation.moves(moves)
    members = np.arange(game.n_secrets, dtype=np.int32)
    for guess, feedback in history:
        members = members[game.feedback(guess, members) == feedback]

    def answers():
        values = OptimalValues(game)
        guesses = (0, game.n_guesses // 2, game.n_guesses - 1)
        regrets = [regret_of(values, history, members, guess) for guess in guesses]
        leading = values.leading(members, history, 5) if moves else []
        return regrets, leading, values.total(members), values.root()

    plain = answers()
    monkeypatch.setattr(regret, "PLAIN_WORK", work)
    assert answers() == plain


def test_a_limit_that_is_reached_keeps_what_was_found():
    game = game_called("mm-3-4")
    members = np.arange(20, dtype=np.int32)
    cost = CostToGo(game, memo_mib=4)
    lowest, guess = cost.best(members)
    entries = int(cost._search.memo.used[0])
    assert cost.best(members, limit=lowest) == (lowest, -1)
    assert int(cost._search.memo.used[0]) >= entries > 0
    assert cost.best(members, limit=lowest + 1) == (lowest, guess)


def test_candidates_may_be_indices_of_any_integer_type():
    game = game_called("mm-4-6")
    guess = game.guesses.index("1123")
    values = OptimalValues(game)
    moves = [(guess, 2)]
    members = np.flatnonzero(game.table[guess] == 2)
    small = regret_of(values, moves, members.astype(np.int32), int(members[0]))
    assert members.dtype == np.int64
    assert regret_of(values, moves, members, int(members[0])) == small


@pytest.mark.parametrize("unit", [10**6, 10**12])
def test_the_best_guesses_are_listed_in_any_unit_of_the_prior(unit):
    plain = game_called("mm-3-3")
    small = {secret: 1 + number % 5 for number, secret in enumerate(plain.secrets)}
    # One more, or the common factor would be divided out.
    large = {secret: unit * weight + (secret == "111") for secret, weight in small.items()}
    every = all_secrets(plain)
    first, second = (
        OptimalValues(weighted(plain, weights)).leading(every, [], 5) for weights in (small, large)
    )
    assert len(first) == len(second) == 5
    means = [float(mean) for _, mean in first]
    assert [float(mean) for _, mean in second] == pytest.approx(means, rel=1e-5)
