"""Trees whose worst class mean is smallest, against all trees."""

import csv
from fractions import Fraction

import numpy as np
import pytest
from conftest import ROOT, full_only, game_called
from definitions import totals_of_trees
from hypothesis import given
from hypothesis import strategies as st
from test_long_words import twins

from codebreaker.advice.cached import best_known_tree
from codebreaker.duel.matrix import classes_of
from codebreaker.errors import CodebreakerError
from codebreaker.games.tables import restricted
from codebreaker.policies.strategy import Strategy
from codebreaker.trees.grow import grow
from codebreaker_records import fair
from codebreaker_records.fair import find_fair, lower_fair
from codebreaker_records.packing import Packing
from codebreaker_records.rollout_state import rollout_game_of
from codebreaker_records.within_budgets import SearchLimits

BY_PATTERN = ["mm-2-4", "mm-3-3", "mm-4-2"]

RECORDED = ROOT / "resources" / "codemaker" / "fair.csv"
BEST = {
    row["game"]: Fraction(row["mean"])
    for row in csv.DictReader(RECORDED.read_text(encoding="utf-8").splitlines())
    if not row["at most"]
}
"""The smallest worst mean of each game, without a limit of guesses."""


def means_of_trees(game, row_of):
    return (np.array([*totals_of_trees(game, row_of)]) / np.bincount([*row_of.values()])).tolist()


@pytest.mark.parametrize(
    "name", ["mm-1-3", "mm-2-2", "mm-2-3", "mm-3-2", "bc-3-3", "black-2-3", *BY_PATTERN]
)
def test_the_worst_mean_is_the_lowest_of_all_trees(name):
    game = game_called(name)
    class_of = dict(zip(game.secrets, classes_of(game).of_secret.tolist(), strict=True))
    lowest = min(map(max, means_of_trees(game, class_of)))
    best = find_fair(game)
    assert float(best.worst) == pytest.approx(lowest)
    assert best.worst == best.bound
    best.tree.check()


def test_a_search_that_drops_totals_proves_no_more_than_the_minimum_totals(monkeypatch):
    proven = find_fair(game_called("mm-3-3"), 4)
    assert (proven.worst, proven.bound, proven.refuted) == (Fraction(49, 18),) * 2 + (False,)
    best = {name: find_fair(game_called(name)).worst for name in BY_PATTERN}
    monkeypatch.setattr(fair, "EFFORTS", (SearchLimits(1, 1, 1),))
    monkeypatch.setattr(fair, "LARGEST_SEARCHED", 0)
    for name in BY_PATTERN:
        hasty = find_fair(game_called(name))
        assert hasty.bound <= best[name] <= hasty.worst


@pytest.mark.parametrize("name", ["mm-3-3", "mm-3-4", "mm-4-3", "mm-4-4"])
@pytest.mark.parametrize("policy", ["entropy", "first-consistent"])
def test_exchanged_parts_never_raise_the_worst_mean_nor_beat_the_best_tree(name, policy):
    game = game_called(name)
    tree = grow(game, Strategy(policy))
    classes = classes_of(game)
    before = max(map(Fraction, classes.totals(game, tree), classes.sizes))
    lowered = lower_fair(game, tree, tree.max_guesses)
    assert BEST[name] <= lowered.worst <= before
    assert lowered.totals == classes.totals(game, lowered.tree)
    assert lowered.bound <= lowered.worst
    lowered.tree.check()
    assert lowered.tree.max_guesses <= tree.max_guesses
    assert lowered.tree.guess[0] == tree.guess[0]


def test_exchanged_parts_of_a_recorded_tree_attain_the_best_worst_mean():
    game = game_called("mm-4-5")
    tree, _ = best_known_tree(game)
    classes = classes_of(game)
    best = BEST["mm-4-5"]
    assert max(map(Fraction, classes.totals(game, tree), classes.sizes)) > best
    lowered = lower_fair(game, tree, tree.max_guesses)
    assert lowered.worst == lowered.bound == best


@given(st.data())
def test_packed_totals_add_up_by_class_and_drop_out_above_their_budgets(data):
    classes = classes_of(game_called("mm-3-3"))
    n_classes = len(classes.sizes)
    budgets = data.draw(st.tuples(*[st.integers(1, 60)] * n_classes))
    packing = Packing(classes, budgets)
    totals = np.zeros(n_classes, dtype=np.int64)
    packed = np.zeros(1, dtype=np.int64)
    while len(packed):
        assert packing.unpack(packed).tolist() == [totals.tolist()]
        more = data.draw(st.lists(st.sampled_from(range(27)), min_size=1, max_size=8, unique=True))
        totals += np.bincount(classes.of_secret[more], minlength=n_classes)
        packed = packing.within(packed + packing.of_secret[more].sum())
        assert len(packed) or (totals > budgets).any()
        assert not len(packed) or (totals < 2 * np.array(budgets) + 1).all()


def test_too_few_guesses_and_too_many_classes_are_refused():
    with pytest.raises(CodebreakerError, match="no tree of mm-3-3 needs at most 2 guesses"):
        find_fair(game_called("mm-3-3"), 2)
    with pytest.raises(CodebreakerError, match="classes of secrets are too many"):
        find_fair(restricted(game_called("mm-3-4"), game_called("mm-3-4").secrets[:40]))


@full_only
@pytest.mark.parametrize("letters", [6, 8])
def test_ids_of_two_bytes_have_fair_trees_and_no_rollouts(letters):
    wide, narrow = twins(letters, letters)
    assert find_fair(wide).worst == find_fair(narrow).worst
    with pytest.raises(CodebreakerError, match="254: choose another game"):
        rollout_game_of(wide)
