"""Values of games and mixtures, against all trees and renamings; recorded fair trees."""

import csv
import json
from collections import Counter
from fractions import Fraction
from itertools import product

import check_values
import highspy
import numpy as np
import pytest
from conftest import ROOT, defined, game_called, grown
from definitions import images, play, totals_of_trees
from game_rules import FEEDBACK, rules_of, turns_of
from hypothesis import given
from hypothesis import strategies as st

from codebreaker.duel import value
from codebreaker.duel.matrix import MatrixGame, classes_of
from codebreaker.duel.value import find_value, write_value
from codebreaker.errors import CodebreakerError
from codebreaker.policies.strategy import Strategy
from codebreaker.report.chapters.rounds import mixtures, tabulate_mixtures
from codebreaker.search.rounds import points_frame, supported_points
from codebreaker.trees.grow import grow
from codebreaker.trees.io import read_tree
from codebreaker.trees.tree import nested

BY_SECRET = ["mm-1-3", "mm-2-2", "mm-2-3", "mm-3-2", "bc-2-3", "bc-3-3", "black-2-3"]
BY_PATTERN = ["mm-2-4", "mm-3-3", "mm-4-2"]

FOLDER = ROOT / "resources" / "codemaker"
ROWS = list(csv.DictReader((FOLDER / "fair.csv").read_text(encoding="utf-8").splitlines()))
KEPT = {
    "mm-4-6": "mm-4-6",
    "mm-4-6 5": "mm-4-6_max-5",
    "mm-4-7": "mm-4-7",
    "mm-4-8 6": "mm-4-8_max-6",
}


def value_of(columns):
    highs = highspy.Highs()
    highs.silent()
    probabilities = highs.addVariables(len(columns), ub=1)
    value = highs.addVariable()
    highs.addConstr(highs.qsum(probabilities) == 1)
    for row in zip(*sorted(columns), strict=True):
        highs.addConstr(highs.qsum(probabilities * np.array(row)) <= value)
    highs.minimize(value)
    return highs.val(value)


def pattern_of(secret):
    """How often a code has each of its colours, ascending."""
    return tuple(sorted(map(secret.count, set(secret))))


def means_of_trees(game, row_of):
    return (np.array([*totals_of_trees(game, row_of)]) / np.bincount([*row_of.values()])).tolist()


@pytest.mark.parametrize("name", [*BY_SECRET, "matches-short", *BY_PATTERN])
def test_the_value_is_that_of_all_trees_and_secrets_or_patterns_of_colours(name):
    game = game_called(name)
    by_pattern = name in BY_PATTERN
    row_of = {secret: pattern_of(secret) if by_pattern else secret for secret in game.secrets}
    rows = sorted(set(row_of.values()))
    every = means_of_trees(game, {secret: rows.index(row) for secret, row in row_of.items()})
    result = find_value(game)
    assert float(result.value) == pytest.approx(value_of(every), abs=1e-9)
    assert not by_pattern or len(result.classes.sizes) == len(rows)


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
        sum(
            probability * Fraction(columns[at][row], size)
            for at, probability in balance.mixture.items()
        )
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
def test_with_one_class_of_secrets_the_value_is_the_minimum_mean(name):
    game = game_called(name)
    result = find_value(game)
    assert result.classes.sizes == (game.n_secrets,)
    assert result.value == Fraction(result.optimum, game.n_secrets)


def test_the_plain_checker_agrees_and_refuses_a_worse_mixture_with_a_value_to_fit(tmp_path):
    game = game_called("mm-3-3")
    path = tmp_path / "mm-3-3.json"
    write_value(game, find_value(game), path)
    certificate = json.loads(path.read_text(encoding="utf-8"))
    assert (certificate["value"], certificate["minimum"]) == ("73/27", 73)
    assert check_values.check(certificate)
    [tree, *_] = certificate["trees"]
    certificate["trees"] = [tree | {"probability": "1"}]
    sizes = [of_class["size"] for of_class in certificate["classes"]]
    means = [Fraction(total, size) for total, size in zip(tree["totals"], sizes, strict=True)]
    worst = means.index(max(means))
    for row, of_class in enumerate(certificate["classes"]):
        of_class["weight"] = int(row == worst)
    certificate["value"] = str(max(means))
    certificate["minimum"] = tree["totals"][worst]
    with pytest.raises(ValueError, match="against the codemaker"):
        check_values.check(certificate)


def test_the_checker_finds_the_classes_of_each_family():
    classes_of = check_values.classes_of
    rules = FEEDBACK
    codes = ["".join(code) for code in product("123", repeat=3)]
    assert len(set(classes_of("mm-3-3", codes, rules["mm"]))) == 3
    assert len(set(classes_of("black-3-3", codes, rules["black"]))) == 1
    with pytest.raises(ValueError, match="symmetry"):
        classes_of("black-3-3", codes, rules["mm"])


def name_of(row):
    return f"{row['game']} {row['at most']}".strip()


def test_too_large_weights_are_refused(monkeypatch):
    monkeypatch.setattr(value, "LARGEST_SUM", 10)
    with pytest.raises(CodebreakerError, match="too large to prove"):
        find_value(game_called("mm-3-3"))


@pytest.mark.parametrize("row", ROWS, ids=name_of)
def test_recorded_bounds_follow_from_minimum_totals(row):
    totals = [int(total) for total in row["totals"].split()]
    classes = classes_of(game_called(row["game"]))
    worst = max(map(Fraction, totals, classes.sizes))
    bound = Fraction(row["bound"])
    assert Fraction(row["mean"]) == worst >= bound
    assert (row["proven by"] != "") == (worst == bound)
    assert sum(totals) == int(row["total"])
    below = max(Fraction(-(-bound * size // 1) - 1, size) for size in classes.sizes)
    bounds = [int(below * size) for size in classes.sizes]
    largest = dict(zip(classes.labels, bounds, strict=True))
    lowest = [text.split(":") for text in row["minimum totals"].split()]
    excluded = any(sum(bounds) - largest.get(left, 0) < int(total) for left, total in lowest)
    assert excluded == (row["proven by"] != "all trees")


@pytest.mark.parametrize("name", KEPT)
def test_recorded_trees_are_played_against_every_secret_by_a_plain_program(name):
    [row] = [row for row in ROWS if name_of(row) == name]
    tree, record = read_tree(FOLDER / f"fair-{KEPT[name]}.parquet")
    assert (record.game, str(record.guess_limit or "")) == (row["game"], row["at most"])
    rules = rules_of(row["game"])
    totals = Counter()
    most = 0
    for secret, turn in sorted(
        turns_of(nested(game_called(row["game"]), tree), rules, rules.secrets)
    ):
        totals[pattern_of(secret)] += turn
        most = max(most, turn)
    assert " ".join(map(str, totals.values())) == row["totals"]
    assert most == int(row["maximum"]) <= int(row["at most"] or 99)


POLICIES = ("first-consistent", "worst-case", "entropy", "most-parts")


@pytest.mark.parametrize(("pegs", "colours"), [(2, 3), (3, 3)])
def test_means_by_class_are_those_of_every_renaming(pegs, colours):
    name = f"mm-{pegs}-{colours}"
    game = game_called(name)
    literal = defined(name)
    classes = classes_of(game)
    assert sum(classes.sizes) == game.n_secrets
    for policy in POLICIES:
        strategy = Strategy(policy)
        games = play(policy, defined(name, strategy.guess_pool), tie_break=strategy.tie_break)
        totals = classes.totals(game, grow(game, strategy))
        for secret in literal.secrets:
            lengths = [len(games[image]) for (image,) in images([secret], pegs, colours)]
            of_class = classes.of_secret[literal.secrets.index(secret)]
            mean = Fraction(totals[of_class], classes.sizes[of_class])
            assert mean == Fraction(sum(lengths), len(lengths))


@pytest.mark.slow
def test_the_table_of_mixtures(mm46):
    uniform = "stage-weighted-turns-4-6-uniform"
    names = ("entropy", uniform, "context-weighted-5626", "stage-weighted-5630")
    trees = [grown(mm46, Strategy(name)) for name in names]
    rounds = points_frame(mm46, supported_points(mm46, 5, 32))
    mixed = mixtures(mm46, trees, rounds)
    table = tabulate_mixtures(mixed, mm46)
    rows = {row["strategy"]: row for row in table.iter_rows(named=True)}
    assert rows["entropy"]["mean"] == round(5722 / 1296, 5)
    assert rows["context-weighted-5626"]["mean"] == round(5626 / 1296, 5)
    singles = [rows[tree]["worst class"] for tree in list(rows)[:4]]
    assert 5625 / 1296 <= rows["best mixture of these trees"]["worst class"] < min(singles)
    assert sum(rows[tree]["probability"] for tree in list(rows)[:4]) == pytest.approx(1, abs=2e-4)
    half = rows["either, with probability 1/2"]
    assert half["mean"] == round(5625.5 / 1296, 5)
    assert half["past 5"] == round(1 / 2592, 6)
    assert (rows["the minimum maximum"]["past 5"], rows["the minimum maximum"]["max"]) == (0, 5)
    assert mixed["mixture"].null_count() == 4
