"""The value of a game: against all its trees, and by the plain checker."""

import json
from fractions import Fraction
from functools import reduce
from itertools import product
from operator import getitem

import highspy
import numpy as np
import pytest
from conftest import checker, game_called
from definitions import totals_of_trees
from hypothesis import given
from hypothesis import strategies as st

from codebreaker.duel import value as module
from codebreaker.duel.value import MatrixGame, find_value, write_value
from codebreaker.errors import CodebreakerError

BY_SECRET = ["mm-1-3", "mm-2-2", "mm-2-3", "mm-3-2", "bc-2-3", "bc-3-3", "black-2-3"]
BY_PATTERN = ["mm-2-4", "mm-3-3", "mm-4-2"]


def value_of(columns):
    """The value of a game, each column a choice of the minimiser, by a linear programme."""
    highs = highspy.Highs()
    highs.silent()
    chances, value = highs.addVariables(len(columns), ub=1), highs.addVariable()
    highs.addConstr(highs.qsum(chances) == 1)
    for row in zip(*sorted(columns), strict=True):
        highs.addConstr(highs.qsum(chances * np.array(row)) <= value)
    highs.minimize(value)
    return highs.val(value)


def means_of_trees(game, row_of):
    """The mean guesses by row of every tree of a game that none betters."""
    pairs, sizes = product(game.guesses, game.secrets), np.bincount([*row_of.values()])
    graded = dict(zip(pairs, game.table.ravel().tolist(), strict=True))
    totals = totals_of_trees(game.guesses, game.secrets, lambda *pair: graded[pair], row_of)
    return (np.array([*totals]) / sizes).tolist()


@pytest.mark.parametrize("name", [*BY_SECRET, "matches-short", *BY_PATTERN])
def test_the_value_is_that_of_all_trees_and_secrets_or_patterns_of_colours(name):
    game, by_pattern = game_called(name), name in BY_PATTERN
    kinds = {
        code: tuple(sorted(map(code.count, set(code)))) if by_pattern else code
        for code in game.secrets
    }
    rows = sorted(set(kinds.values()))
    every = means_of_trees(game, {code: rows.index(kind) for code, kind in kinds.items()})
    found = find_value(game)
    assert float(found.value) == pytest.approx(value_of(every), abs=1e-9)
    assert not by_pattern or len(found.classes.sizes) == len(rows)


@given(
    st.integers(1, 4).flatmap(
        lambda n: st.lists(st.tuples(*[st.integers(1, 9)] * n), min_size=1, max_size=7)
    )
)
def test_both_sides_of_a_small_game_get_its_value(columns):
    sizes = [1 + row % 3 for row in range(len(columns[0]))]
    game = MatrixGame(sizes)
    for column in columns:
        balance = game.add(column)
    mixed = [
        sum(chance * Fraction(columns[at][row], size) for at, chance in balance.mixture.items())
        for row, size in enumerate(sizes)
    ]
    assert sum(balance.mixture.values()) == 1
    assert max(mixed) == balance.value
    assert min(balance.prices) >= 0
    for column in columns:
        assert sum(map(int.__mul__, balance.prices, column)) >= balance.level
    mass = sum(map(int.__mul__, balance.prices, sizes))
    assert Fraction(balance.level, mass) == balance.value


@pytest.mark.parametrize("name", ["bc-3-5", "black-3-3", "mm-3-4-distinct"])
def test_where_all_secrets_are_alike_the_value_is_the_least_mean(name):
    game = game_called(name)
    found = find_value(game)
    assert found.classes.sizes == (game.n_secrets,)
    assert found.value == Fraction(found.optimum, game.n_secrets)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate of a small game."""
    game, path = game_called("mm-3-3"), tmp_path_factory.mktemp("values") / "mm-3-3.json"
    write_value(game, find_value(game), path)
    return path


def test_the_plain_checker_agrees(certificate):
    told = json.loads(certificate.read_text(encoding="utf-8"))
    assert (told["value"], told["least"]) == ("73/27", 73)
    assert checker("check_values").check(told) == ("", True)


@pytest.mark.parametrize(
    ("keys", "last", "planted"),
    [
        ((), "value", "72/27"),
        ((), "value", "74/27"),
        ((), "least", 74),
        ((), "game", "mm-3-4"),
        (("classes", 1), "weight", 2),
        (("classes", 1), "weight", -1),
        (("classes", 1), "size", 12),
        (("classes", 1), "first", "113"),
        (("trees", 0), "chance", "1/9"),
        (("trees", 0), "totals", [8, 48, 16]),
        (("trees", 1, "tree"), "guess", "111"),
        (("trees", 0, "tree"), "guess", "114"),
        (("trees", 0, "tree"), "after", {}),
    ],
    ids=str,
)
def test_planted_faults_are_refused(certificate, keys, last, planted):
    told = json.loads(certificate.read_text(encoding="utf-8"))
    reduce(getitem, keys, told)[last] = planted
    assert checker("check_values").check(told)[0]


def test_a_worse_mixture_with_a_value_to_fit_is_refused(certificate):
    told = json.loads(certificate.read_text(encoding="utf-8"))
    told["trees"] = [dict(told["trees"][0], chance="1")]
    sizes = [one["size"] for one in told["classes"]]
    means = [Fraction(t, n) for t, n in zip(told["trees"][0]["totals"], sizes, strict=True)]
    worst = means.index(max(means))
    for row, one in enumerate(told["classes"]):
        one["weight"] = int(row == worst)
    told["value"], told["least"] = str(max(means)), told["trees"][0]["totals"][worst]
    assert "against the codemaker" in checker("check_values").check(told)[0]


def test_weights_too_large_to_prove_are_an_error(monkeypatch):
    monkeypatch.setattr(module, "LARGEST_SUM", 10)
    with pytest.raises(CodebreakerError, match="too large to prove"):
        find_value(game_called("mm-3-3"))


def test_the_checker_finds_the_classes_of_each_family():
    classes_of = checker("check_values").classes_of
    rules = checker("check_certificates").FEEDBACK
    codes = ["".join(code) for code in product("123", repeat=3)]
    assert len(set(classes_of("mm-3-3", codes, rules["mm"]))) == 3
    assert len(set(classes_of("black-3-3", codes, rules["black"]))) == 1
    with pytest.raises(ValueError, match="symmetry"):
        classes_of("black-3-3", codes, rules["mm"])
