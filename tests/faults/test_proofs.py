"""Certificates and proofs with planted faults: the checkers refuse all of them."""

import json
from copy import deepcopy
from random import Random

import pytest
from conftest import checker, game_called
from outcomes import times, tried

from codebreaker.games.registry import make_game
from codebreaker.policies.families import criterion
from codebreaker.search.certificate import find_optimum, write_certificate
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.settings import Target
from codebreaker.sets.partition import all_secrets, split
from codebreaker.weights.choices import ChoiceTable
from codebreaker.weights.fixed import FixedSearch, bound_facts
from codebreaker.weights.proof import write_fixed_proof

PLANTED = times(400, 40)
FREE = {"sets_searched", "lookups", "codebreaker", "openings"}
"""Effort and version prove nothing, and the bounds of openings are not a certificate's claim."""

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


def plant(certificate, draw):
    """Return a certificate with one fault, and its name."""
    wrong = deepcopy(certificate)
    nodes = list(nodes_of(wrong["tree"]))
    inner = [node for node in nodes if node.get("after")]
    kinds = ["figure", "figure", "claim", "guess", "leave out", "swap", "graft"]
    kind = draw.choice(kinds)
    if kind == "figure":
        names = ["secrets", "total_guesses", "max_guesses", "cost", "bound"]
        names += ["guess_charge", "late_charge"]
        name = draw.choice(names)
        wrong[name] += draw.choice([-3, -1, 1, 2, 10**6])
        return wrong, f"{kind} {name}"
    if kind == "claim":
        wrong.update(
            draw.choice(
                [
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
            )
        )
        return wrong, kind
    node = draw.choice(inner)
    labels = sorted(node["after"])
    if kind == "guess":
        node = draw.choice(nodes)
        node["guess"] = draw.choice(["999", "11", "", "abc", "1111"])
    elif kind == "leave out":
        del node["after"][draw.choice(labels)]
    elif kind == "swap" and len(labels) > 1:
        one, other = draw.sample(labels, 2)
        node["after"][one], node["after"][other] = node["after"][other], node["after"][one]
    else:
        node["after"][draw.choice(labels)] = draw.choice([None, 5, [], {}, {"guess": None}])
    return wrong, kind


def test_certificates(tmp_path):
    check, draw = checker("check_certificates").check, Random(1)
    with tried("proofs", "certificates with planted faults") as outcomes:
        for certificate in certificates(tmp_path):
            assert check(certificate) == ""
            for _ in range(PLANTED):
                wrong, name = plant(certificate, draw)
                if wrong == certificate:
                    continue
                told = check(wrong)
                outcomes[
                    "refused in one line" if told and "\n" not in told else "silently wrong"
                ] += 1
                outcomes.details += [] if told else [(name, wrong["game"], wrong["objective"])]


@pytest.fixture(scope="module")
def proof(tmp_path_factory):
    """A proof of a bound on one row of weights in MM(3,6), as it is written."""
    game = game_called("mm-3-6")
    cells = split(game, game.guesses.index("112"), all_secrets(game))
    cells.pop(game.solved, None)
    choices = ChoiceTable(CostToGo(game, memo_mib=4), criterion("entropy"), 12)
    choices.of(list(cells.values()), 2)
    facts, root = bound_facts(FixedSearch(choices, 0.1, 1.0), "112", 10)
    path = tmp_path_factory.mktemp("proof") / "bound.json"
    write_fixed_proof(game, facts, root, path)
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
            outcomes["silently wrong" if holds(wrong) else "refused in one line"] += 1
            outcomes.details.append(number % len(CLAIMS))
    with tried("proofs", "bounds with damaged arguments") as outcomes:
        for _ in range(times(1000, 20)):
            wrong = deepcopy(proof)
            weaken(wrong, draw)
            wrong["sets"] = [
                one | {"regrets": kept["regrets"]} if isinstance(one, dict) else one
                for one, kept in zip(wrong["sets"], proof["sets"], strict=False)
            ]  # regrets are the exact search's
            outcomes["the same claim, still proved" if holds(wrong) else "refused in one line"] += 1
