"""Certificates and proofs with planted faults: the checkers refuse all of them."""

import json
from copy import deepcopy
from random import Random

import pytest
from conftest import checker, game_called
from outcomes import REFUSED, SILENT, change, is_one_line, times, tried

from codebreaker.games.registry import make_game
from codebreaker.policies.families import criterion
from codebreaker.search.certificate import find_optimum, write_certificate
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.settings import Target
from codebreaker.weights.fixed import FixedSearch, bound_facts
from codebreaker.weights.patterns import ChoiceTable
from codebreaker.weights.proof import write_proof

TARGETS = [
    ("mm-3-3", Target()),
    ("mm-3-3", Target(objective="rounds", rounds=2)),
    *(("mm-3-3", Target(objective=objective)) for objective in ("maximum", "lexicographic")),
    *(("bc-3-5", Target(**one)) for one in ({}, {"guess_pool": "consistent"}, {"guess_limit": 6})),
    ("black-2-3", Target()),
]

COUNTS = ("secrets", "total_guesses", "max_guesses", "cost", "bound", "guess_charge", "late_charge")


def certificates(path):
    for name, target in TARGETS:
        game = make_game(name)
        write_certificate(game, find_optimum(game, target, 16, 600), path)
        yield json.loads(path.read_text(encoding="utf-8"))


def proof_of_one_row(path):
    game = game_called("mm-3-6")
    choices = ChoiceTable(CostToGo(game, memo_mib=4), criterion("entropy"), 12)
    facts, root = bound_facts(FixedSearch(choices, 0.1, 1.0), "112", 10)
    write_proof(game, facts, root, path, one_row=True)
    yield json.loads(path.read_text(encoding="utf-8"))


def claims_of_certificate(right, draw):
    other = ["rounds", "lexicographic"]
    return [
        *({name: right[name] + draw.choice([-3, -1, 1, 2, 10**6])} for name in COUNTS),
        {"guess_limit": right["max_guesses"] - 1},
        {"rounds": 1 if right["rounds"] is None else None},
        {"won": 0 if right["won"] != 0 else 1},
        {"guess_pool": "some"},
        {"objective": "most" if right["objective"] in other else draw.choice(other)},
        {"proven": not right["proven"]},
        {"words": ["abc"]},
        {"game": "mm-3-4"},
        {"tree": {}},
    ]


def claims_of_proof(right, draw):
    return [
        {"bound": right["bound"] + draw.randrange(1, 9)},
        {"optimum": right["optimum"] - draw.randrange(1, 9)},
        {"settings": right["settings"] | {"low": 1e-9, "high": 1e9}},
        {"margin_bits": -1.0},
        {"opening": draw.choice(["123", "111", "12", "999"])},
        {"game": draw.choice(["mm-3-5", "mm-4-6", "mm-3", ""])},
    ]


def verdict_of_proof(proof):
    try:
        checker("check_bounds").Checker(proof).check()
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        return type(error).__name__  # the checker's last lines turn these into one
    return ""


VALUES = [None, -1, 0.5, "112", "111", "666", "999", "11", "", [], {}, {"guess": None}, 10**30]

ARGUMENTS = ("tree", "sets", "proof")
"""The parts of certificates and proofs that argue for the claim."""

CHECK = checker("check_certificates").check
KINDS = {
    "certificates": (2000, certificates, CHECK, claims_of_certificate),
    "bounds": (400, proof_of_one_row, verdict_of_proof, claims_of_proof),
}
"""How often to try, what writes the files, their verdict, and other claims than theirs."""


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_proved_is_refused(tmp_path, kind):
    """The regrets in a proof stay, as they are the exact search's and not checked there."""
    whole, write, verdict_of, claims_of = KINDS[kind]
    draw, rights = Random(kind), list(write(tmp_path / "one.json"))
    assert [verdict_of(deepcopy(right)) for right in rights] == [""] * len(rights)
    with tried("certificates and proofs", f"{kind} that claim more") as outcomes:
        for _ in range(times(whole, 40)):
            right = draw.choice(rights)
            wrong = right | draw.choice(claims_of(right, draw))
            outcomes.add(REFUSED, is_one_line(verdict_of(deepcopy(wrong))), wrong, wrong=SILENT)
    with tried("certificates and proofs", f"{kind} with damaged arguments") as outcomes:
        for _ in range(times(whole, 40)):
            right = draw.choice(rights)
            wrong = deepcopy(right)
            change(draw.choice([wrong[part] for part in ARGUMENTS if part in wrong]), draw, VALUES)
            for one, kept in zip(wrong.get("sets", []), right.get("sets", []), strict=False):
                if isinstance(one, dict):
                    one["regrets"] = kept["regrets"]
            told = verdict_of(wrong)
            name = REFUSED if told else "the same claim, still proved"
            outcomes.add(name, not told or is_one_line(told), wrong)
