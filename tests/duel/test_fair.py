"""Trees whose worst class takes the least mean: against all trees, and the recorded ones."""

import csv
import json
from collections import Counter
from fractions import Fraction

import pytest
from conftest import ROOT, checker, game_called
from test_value import BY_PATTERN, means_of_trees

from codebreaker.duel import fair as module
from codebreaker.duel.fair import find_fair
from codebreaker.duel.value import classes_of
from codebreaker.errors import CodebreakerError
from codebreaker.games.tables import restricted

FOLDER = ROOT / "resources" / "codemaker"
ROWS = list(csv.DictReader((FOLDER / "fair.csv").read_text(encoding="utf-8").splitlines()))
KEPT = {"mm-4-6": "mm-4-6", "mm-4-6 5": "mm-4-6_max-5", "mm-4-7": "mm-4-7"}


def name_of(row):
    """The game and the limit."""
    return f"{row['game']} {row['at most']}".strip()


@pytest.mark.parametrize(
    "name", ["mm-1-3", "mm-2-2", "mm-2-3", "mm-3-2", "bc-3-3", "black-2-3", *BY_PATTERN]
)
def test_the_worst_mean_is_the_least_of_all_trees(name):
    game = game_called(name)
    class_of = dict(zip(game.secrets, classes_of(game).of_secret.tolist(), strict=True))
    least = min(map(max, means_of_trees(game, class_of)))
    fair = find_fair(game)
    assert float(fair.worst) == pytest.approx(least)
    assert fair.worst == fair.bound
    fair.tree.check()


def test_a_search_that_drops_totals_proves_no_more_than_the_least_totals(monkeypatch):
    proven = find_fair(game_called("mm-3-3"), 4)
    assert (proven.worst, proven.bound, proven.refuted) == (Fraction(49, 18),) * 2 + (False,)
    monkeypatch.setattr(module, "EFFORTS", (module.Effort(1, 1, 1),))
    monkeypatch.setattr(module, "LARGEST_SEARCHED", 0)
    for name in ("mm-3-3", "mm-2-4", "mm-4-2"):
        fair = find_fair(game_called(name))
        assert fair.bound <= fair.worst
        assert fair.bound <= find_fair(game_called(name)).worst


def test_no_tree_within_too_few_guesses_and_too_many_classes():
    with pytest.raises(CodebreakerError, match="no tree of mm-3-3 takes at most 2 guesses"):
        find_fair(game_called("mm-3-3"), 2)
    with pytest.raises(CodebreakerError, match="classes of secrets are too many"):
        find_fair(restricted(game_called("mm-3-4"), game_called("mm-3-4").secrets[:40]))


@pytest.mark.parametrize("row", ROWS, ids=name_of)
def test_recorded_bounds_follow_from_least_totals(row):
    """No smaller mean k/n leaves totals by class, rounded down, that are together large enough."""
    totals = [int(total) for total in row["totals"].split()]
    classes = classes_of(game_called(row["game"]))
    worst = max(map(Fraction, totals, classes.sizes))
    assert Fraction(row["mean"]) == worst == Fraction(row["bound"])
    assert sum(totals) == int(row["total"])
    below = max(Fraction(-(-worst * size // 1) - 1, size) for size in classes.sizes)
    largest = {
        label: int(below * size) for label, size in zip(classes.labels, classes.sizes, strict=True)
    }
    least = dict(text.split(":") for text in row["least totals"].split())
    excluded = any(
        sum(largest.values()) - largest.get(left_out, 0) < int(total)
        for left_out, total in least.items()
    )
    assert excluded == (row["proven by"] == "least totals")


@pytest.mark.parametrize("name", KEPT)
def test_recorded_trees_are_played_against_every_secret_by_a_plain_program(name):
    plain, [row] = checker("check_certificates"), [row for row in ROWS if name_of(row) == name]
    told = json.loads((FOLDER / f"fair-{KEPT[name]}.json").read_text(encoding="utf-8"))
    feedback_of, secrets, _ = plain.rules_of({"game": row["game"]}, {})
    totals, most = Counter(), 0
    for secret in secrets:
        moves = plain.moves_of(told["tree"], secret, feedback_of, [])
        totals[tuple(sorted(map(secret.count, set(secret))))] += len(moves)
        most = max(most, len(moves))
    assert " ".join(map(str, totals.values())) == row["totals"]
    assert most == int(row["maximum"]) <= int(row["at most"] or 99)
