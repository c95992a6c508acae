"""The finished study: run `snakemake` first."""

import json
from pathlib import Path

STUDY = Path(__file__).parents[1]
ANIMALS = (STUDY / "animals.txt").read_text(encoding="utf-8").split()


def marks(guess, secret):
    """Return Wordle's marks: g for green, y for yellow while letters are left, otherwise b."""
    left = [have for had, have in zip(guess, secret, strict=True) if had != have]
    shown = ""
    for had, have in zip(guess, secret, strict=True):
        if had == have:
            shown += "g"
        elif had in left:
            left.remove(had)
            shown += "y"
        else:
            shown += "b"
    return shown


def test_the_optimal_tree_finds_each_animal_with_the_total_that_it_claims():
    path = STUDY / "codebreaker/results/exact/marks-animals/optimal.json"
    certificate = json.loads(path.read_text(encoding="utf-8"))
    total = 0
    for secret in ANIMALS:
        node = certificate["tree"]
        turn = 1
        while node["guess"] != secret:
            node = node["after"][marks(node["guess"], secret)]
            turn += 1
        total += turn
    assert total == certificate["total_guesses"] == certificate["bound"]


def test_no_strategy_beats_the_minimum():
    table = (STUDY / "animals.md").read_text(encoding="utf-8").splitlines()[2:]
    assert len(table) == 4
    assert all(int(line.split("|")[3]) >= 0 for line in table)
