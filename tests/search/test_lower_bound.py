"""Proofs of lower bounds."""

import json
import re
from itertools import permutations
from math import inf

import check_lower_bound
import numpy as np
import pytest
from conftest import ROOT, ci_only, defined, game_called, in_ci
from definitions import minimum_of_all_trees

from codebreaker.errors import CodebreakerError
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.lower_bound import LowerBound

OPTIMA = [
    ("mm-2-2", "all", None), ("mm-2-3", "all", None), ("mm-2-4", "all", None),
    ("mm-2-4", "all", 4), ("mm-2-4", "all", 3), ("mm-2-3", "consistent", None),
    ("mm-3-2", "all", None), ("mm-3-2", "consistent", 3), ("mm-3-2", "all", 2),
]  # fmt: skip


def refused(proof, bound):
    try:
        return check_lower_bound.check(proof) < bound
    except (ValueError, LookupError):
        return True


@pytest.mark.parametrize(("name", "pool", "limit"), OPTIMA, ids=str)
def test_minimum_totals_by_trying_everything_are_proven_and_no_more(name, pool, limit):
    game = game_called(name)
    check = check_lower_bound
    rules = defined(name, pool)
    lowest = minimum_of_all_trees(rules, rules.secrets, {}, turns=limit or inf)
    lowest = None if lowest == inf else lowest
    written = LowerBound(game, pool, limit)
    written.prove(lowest)
    proof = written.to_dict()
    assert check.check(proof) == (check.NEVER if lowest is None else lowest)
    if lowest is not None:
        with pytest.raises(CodebreakerError, match="can't be proven after no move"):
            LowerBound(game, pool, limit).prove(lowest + 1)
        assert refused(proof | {"claims": [["", lowest + 1]]}, lowest + 1)
        assert refused(proof | {"claims": [["", None]]}, lowest + 1)


def test_a_claim_above_the_truth_is_refused_at_every_set_after_a_move():
    game = game_called("mm-3-4")
    search = CostToGo(game_called("mm-3-4"))
    for guess, label in enumerate(game.guesses):
        for kind, feedback in enumerate(game.feedback_labels[:-1]):
            members = np.flatnonzero(game.table[guess] == kind).astype(np.int32)
            if len(members) > 1:
                claim = [f"{label} {feedback}", search.of(members, 1) + 1]
                head = {"game": "mm-3-4", "guess_pool": "all", "guess_limit": None}
                assert refused(head | {"claims": [claim, ["", 1]]}, 0)


def literal_classes(codes, colours, played):
    """Return the smallest code of each class under all symmetries that keep the guesses played."""
    smallest = {code: code for code in codes}
    for order in permutations(range(len(codes[0]))):
        for names in permutations(range(colours)):
            images = {code: tuple(names[code[peg]] for peg in order) for code in codes}
            if all(images[guess] == guess for guess in played):
                smallest = {code: min(smallest[code], images[code]) for code in codes}
    return sorted(set(smallest.values()))


@pytest.mark.parametrize(("name", "colours"), [("mm-2-4", 4), ("mm-3-3", 3), ("mm-4-3", 3)])
def test_the_checker_tries_one_guess_of_each_class(name, colours):
    game = check_lower_bound.game_of(name)
    codes = [tuple(code) for code in game.codes.tolist()]
    some = np.random.default_rng(0).integers(len(codes), size=(12, 2)).tolist()
    for played in [(), *((first,) for first, _ in some), *map(tuple, some)]:
        classes = literal_classes(codes, colours, [codes[guess] for guess in played])
        assert [codes[guess] for guess in game.classes_after(played)] == classes


@ci_only
def test_the_committed_proof_of_the_papers_game_holds():
    path = ROOT / "resources" / "proofs" / "mm-4-6.json"
    proof = json.loads(path.read_text(encoding="utf-8"))
    assert check_lower_bound.check(proof) == 5625


def forged_proofs(proof):
    """Yield what is changed, and the changed proof."""
    first, bound = proof["claims"][0]
    assert first == ""
    others = proof["claims"][1:]
    yield "a total that is one higher", [["", bound + 1], *others]
    largest = max(range(len(others)), key=lambda at: others[at][1])
    yield "a claim dropped", [["", bound], *others[:largest], *others[largest + 1 :]]
    moves, part_bound = others[largest]
    rest = [*others[:largest], *others[largest + 1 :]]
    yield "a claim one lower", [["", bound], [moves, part_bound - 1], *rest]
    yield "a claim that is one higher", [[moves, part_bound + 1], ["", bound], *rest]
    guess, black, white = re.fullmatch(r"(\d+) (\d)B-(\d)C", moves).groups()
    swapped = f"{guess} {white}B-{black}C"
    without = [claim for claim in rest if claim[0] != swapped]
    yield "feedback exchanged", [[swapped, part_bound], ["", bound], *without]
    yield "a claim twice", [["", bound], *others, [moves, part_bound]]
    yield "only the total", [["", bound]]


@pytest.mark.parametrize("name", ["mm-4-6", in_ci("mm-5-5")])
def test_a_committed_proof_that_is_changed_is_refused(name):
    path = ROOT / "resources" / "proofs" / f"{name}.json"
    proof = json.loads(path.read_text(encoding="utf-8"))
    for change, claims in forged_proofs(proof):
        assert refused(proof | {"claims": claims}, 0), change
