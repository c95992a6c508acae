"""Proofs of lower bounds."""

import json
import re
from itertools import permutations, product
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
    ("bc-2-3", "all", None), ("bc-3-3", "all", None), ("bc-2-4", "consistent", None),
    ("bc-3-3", "all", 2), ("black-2-2", "all", None), ("black-2-3", "all", None),
    ("black-3-2", "all", None), ("black-2-3", "consistent", 4), ("black-3-2", "all", 3),
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


def literal_classes(codes, colours, played, peg_has_colours):
    """Return the smallest code of each class under all symmetries that keep the guesses played.

    They reorder the pegs and rename the colours, at each peg differently if it has its own.
    """
    pegs = range(len(codes[0]))
    names_of_all = list(permutations(range(colours)))
    renamings = [[names] * len(pegs) for names in names_of_all]
    if peg_has_colours:
        renamings = list(product(names_of_all, repeat=len(pegs)))
    smallest = {code: code for code in codes}
    for order in permutations(pegs):
        for names in renamings:
            images = {code: tuple(names[at][code[order[at]]] for at in pegs) for code in codes}
            if all(images[guess] == guess for guess in played):
                smallest = {code: min(smallest[code], images[code]) for code in codes}
    return sorted(set(smallest.values()))


@pytest.mark.parametrize(
    "name", ["mm-2-4", "mm-3-3", "mm-4-3", "bc-3-4", "bc-2-5", "black-2-4", "black-3-3"]
)
def test_the_checker_tries_one_guess_of_each_class(name):
    game = check_lower_bound.game_of(name)
    family, _, colours = name.split("-")
    codes = [tuple(code) for code in game.codes.tolist()]
    some = np.random.default_rng(0).integers(len(codes), size=(12, 2)).tolist()
    for played in [(), *((first,) for first, _ in some), *map(tuple, some)]:
        past = [codes[guess] for guess in played]
        classes = literal_classes(codes, int(colours), past, family == "black")
        assert [codes[guess] for guess in game.classes_after(played)] == classes


@pytest.mark.parametrize("name", ["mm-3-4", "bc-3-5", "bc-4-5", "black-3-4", "mm-2-12", "bc-2-10"])
def test_the_checker_has_the_feedback_of_the_definition(name):
    game = check_lower_bound.game_of(name)
    rules = defined(name)
    codes = [tuple(code) for code in game.codes.tolist()]
    lowest = rules.secrets[0][0]
    assert [tuple(peg + lowest for peg in code) for code in codes] == rules.secrets
    for number, guess in enumerate(rules.secrets):
        assert game.labels[number] == "".join(f"{colour:x}" for colour in guess)
        told = [rules.grade(guess, secret) for secret in rules.secrets]
        assert [game.kinds[kind] for kind in game.table[number]] == told
    assert game.kinds[game.solved] == rules.grade(guess, guess)


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
