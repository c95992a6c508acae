"""Certificates and proofs with planted faults: the checkers refuse all of them."""

import json
from copy import deepcopy
from random import Random

import pytest
from conftest import checker, game_called
from outcomes import REFUSED, SILENT, is_one_line, times, tried

from codebreaker.games.registry import make_game
from codebreaker.policies.families import criterion
from codebreaker.search.certificate import find_optimum, write_certificate
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.settings import Target
from codebreaker.weights.fixed import FixedSearch, bound_facts
from codebreaker.weights.patterns import ChoiceTable
from codebreaker.weights.proof import write_proof

PLANTED = times(400, 40)
TARGETS = {
    "mm-3-3": [
        Target(),
        Target(objective="maximum"),
        Target(objective="rounds", rounds=2),
        Target(objective="lexicographic"),
    ],
    "bc-3-5": [Target(), Target(guess_pool="consistent"), Target(guess_limit=6)],
    "black-2-3": [Target()],
}


def certificates(folder):
    """Certificates of small games, one for each kind of claim."""
    for name, targets in TARGETS.items():
        for number, target in enumerate(targets):
            path = folder / f"{name}-{number}.json"
            game = make_game(name)
            write_certificate(game, find_optimum(game, target, 16, 600), path)
            yield json.loads(path.read_text(encoding="utf-8"))


def nodes_of(tree):
    """All nodes of a nested tree."""
    yield tree
    for below in tree.get("after", {}).values():
        yield from nodes_of(below)


FIGURES = ["secrets", "total_guesses", "max_guesses", "cost", "bound"]
FIGURES += ["guess_charge", "late_charge"]


def a_figure(wrong, draw):
    """Change a figure."""
    wrong[draw.choice(FIGURES)] += draw.choice([-3, -1, 1, 2, 10**6])


def a_claim(wrong, draw):
    """Claim something else."""
    claims = [
        {"guess_limit": wrong["max_guesses"] - 1},
        {"rounds": 1 if wrong["rounds"] is None else None},
        {"won": 0 if wrong["won"] != 0 else 1},
        {"guess_pool": "some"},
        {"objective": "most"},
        {"objective": draw.choice(["rounds", "lexicographic"])},
        {"proven": not wrong["proven"]},
        {"words": ["abc"]},
        {"game": "mm-3-4"},
        {"tree": {}},
    ]
    wrong.update(draw.choice(claims))


def a_guess(wrong, draw):
    """Replace a guess by none of the game's."""
    draw.choice(list(nodes_of(wrong["tree"])))["guess"] = draw.choice(
        ["999", "11", "", "abc", "1111"]
    )


def a_branch(wrong, draw):
    """Leave out a branch, swap it with another one, or put something else in its place."""
    after = draw.choice([one for one in nodes_of(wrong["tree"]) if one.get("after")])["after"]
    one, other = draw.choice(sorted(after)), draw.choice(sorted(after))
    if (kind := draw.randrange(3)) == 0:
        del after[one]
    elif kind == 1 and one != other:
        after[one], after[other] = after[other], after[one]
    else:
        after[one] = draw.choice([None, 5, [], {}, {"guess": None}])


FAULTS = [a_figure, a_figure, a_claim, a_guess, a_branch, a_branch, a_branch]
"""Faults of certificates, each as often as it is to be drawn."""


def test_certificates(tmp_path):
    check, draw = checker("check_certificates").check, Random(1)
    with tried("proofs", "certificates with planted faults") as outcomes:
        for certificate in certificates(tmp_path):
            assert check(certificate) == ""
            for _ in range(PLANTED):
                wrong, plant = deepcopy(certificate), draw.choice(FAULTS)
                plant(wrong, draw)
                if wrong != certificate:
                    told = check(wrong)
                    note = plant.__name__, wrong["game"], wrong["objective"]
                    outcomes.add(REFUSED, is_one_line(told), *note, told, wrong=SILENT)


@pytest.fixture(scope="module")
def proof(tmp_path_factory):
    """A proof of a bound on one row of weights in MM(3,6), as it is written."""
    game = game_called("mm-3-6")
    choices = ChoiceTable(CostToGo(game, memo_mib=4), criterion("entropy"), 12)
    facts, root = bound_facts(FixedSearch(choices, 0.1, 1.0), "112", 10)
    path = tmp_path_factory.mktemp("proof") / "bound.json"
    write_proof(game, facts, root, path, one_row=True)
    return json.loads(path.read_text(encoding="utf-8"))


CLAIMS = [
    lambda proof, draw: proof.update(bound=proof["bound"] + draw.randrange(1, 9)),
    lambda proof, draw: proof.update(optimum=proof["optimum"] - draw.randrange(1, 9)),
    lambda proof, draw: proof["settings"].update(low=1e-9, high=1e9),
    lambda proof, draw: proof.update(opening=draw.choice(["123", "111", "12", "999"])),
    lambda proof, draw: proof.update(game=draw.choice(["mm-3-5", "mm-4-6", "mm-3", ""])),
]
"""Faults that claim something else."""


def parts_of(part):
    """All lists and objects within JSON, the part itself included."""
    if isinstance(part, (list, dict)):
        yield part
        for below in part.values() if isinstance(part, dict) else part:
            yield from parts_of(below)


def weaken(proof, draw):
    """Damage a proof's argument, and leave its claim."""
    part = draw.choice([one for one in parts_of([proof["sets"], proof["proof"]]) if one])
    at = draw.choice(list(part)) if isinstance(part, dict) else draw.randrange(len(part))
    if draw.random() < 0.5:
        del part[at]
    else:
        part[at] = draw.choice([None, -1, 0.5, "112", "666", [], {}, 10**30])


def test_proofs(proof):
    checker_of, draw = checker("check_bounds").Checker, Random(2)
    checker_of(deepcopy(proof)).check()
    errors = (ValueError, LookupError, TypeError, AttributeError, RecursionError)

    def holds(wrong):
        try:
            checker_of(wrong).check()
        except errors:  # which the checker's last lines turn into one
            return False
        return True

    with tried("proofs", "bounds that claim more") as outcomes:
        for number in range(times(200, 10)):
            wrong = deepcopy(proof)
            CLAIMS[number % len(CLAIMS)](wrong, draw)
            outcomes.add(REFUSED, not holds(wrong), number % len(CLAIMS), wrong=SILENT)
    with tried("proofs", "bounds with damaged arguments") as outcomes:
        for _ in range(times(1000, 20)):
            wrong = deepcopy(proof)
            weaken(wrong, draw)
            for one, kept in zip(wrong["sets"], proof["sets"], strict=False):
                if isinstance(one, dict):
                    one["regrets"] = kept["regrets"]  # which are the exact search's
            outcomes.add("the same claim, still proved", holds(wrong), wrong=REFUSED)
