"""Random choice among trees, against the definition: every renaming of colours and positions."""

from fractions import Fraction
from itertools import permutations

import pytest
from conftest import defined, game_called, grown
from definitions import play

from codebreaker.duel.value import classes_of
from codebreaker.policies.strategy import Strategy
from codebreaker.report.chapters.rounds import mixtures, tabulate_mixtures
from codebreaker.search.rounds import points_frame, supported_points
from codebreaker.trees.grow import grow

POLICIES = ("first-consistent", "worst-case", "entropy", "most-parts")


def images(code, colours):
    for order in permutations(range(len(code))):
        for names in permutations(range(1, colours + 1)):
            yield tuple(names[code[place] - 1] for place in order)


@pytest.mark.parametrize(("pegs", "colours"), [(2, 3), (3, 3)])
def test_means_by_class_are_those_of_every_renaming(pegs, colours):
    game, literal = game_called(f"mm-{pegs}-{colours}"), defined(f"mm-{pegs}-{colours}")
    classes = classes_of(game)
    assert sum(classes.sizes) == game.n_secrets
    for policy in POLICIES:
        strategy = Strategy(policy)
        games = play(policy, literal, pool=strategy.guess_pool, tie_break=strategy.tie_break)
        totals = classes.totals(game, grow(game, strategy))
        for secret in literal.secrets:
            lengths = [len(games[image]) for image in images(secret, colours)]
            own = classes.of_secret[literal.secrets.index(secret)]
            found = Fraction(totals[own], classes.sizes[own])
            assert found == Fraction(sum(lengths), len(lengths))


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
    assert 5625 / 1296 <= rows["safest mixture"]["worst class"] < min(singles)
    assert sum(rows[tree]["probability"] for tree in list(rows)[:4]) == pytest.approx(1, abs=2e-4)
    half = rows["either, with probability 1/2"]
    assert half["mean"] == round(5625.5 / 1296, 5)
    assert half["past 5"] == round(1 / 2592, 6)
    assert (rows["the minimum maximum"]["past 5"], rows["the minimum maximum"]["max"]) == (0, 5)
    assert mixed["mixture"].null_count() == 4
