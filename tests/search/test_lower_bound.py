"""Proofs of lower bounds: the checker takes true ones and no others."""

import copy
import json

import numpy as np
import pytest
from conftest import ROOT, checker, game_called
from definitions import least_total

from codebreaker.errors import CodebreakerError
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.lower_bound import LowerBound

OPTIMA = [
    ("mm-2-2", "all", None), ("mm-2-3", "all", None), ("mm-2-4", "all", None),
    ("mm-2-4", "all", 4), ("mm-2-4", "all", 3), ("mm-2-3", "consistent", None),
    ("mm-3-2", "all", None), ("mm-3-2", "consistent", 3), ("mm-3-2", "all", 2),
]  # fmt: skip


def proof_of(name, pool, limit, least):
    """A proof as the checker reads it."""
    proof = LowerBound(game_called(name), pool, limit)
    proof.prove(least)
    return proof.to_dict()


def refused(proof, bound):
    """Whether the checker does not take a proof, or not for its bound."""
    try:
        return checker("check_lower_bound").check(proof) < bound
    except (ValueError, LookupError):
        return True


@pytest.mark.parametrize(("name", "pool", "limit"), OPTIMA, ids=str)
def test_least_totals_by_trying_everything_are_proven_and_no_more(name, pool, limit):
    game, check = game_called(name), checker("check_lower_bound")
    least = least_total(game, range(game.n_secrets), pool == "consistent", limit or 9)
    proof = proof_of(name, pool, limit, least)
    assert check.check(proof) == (check.NEVER if least is None else least)
    if least is not None:
        with pytest.raises(CodebreakerError, match="can't be proven after no move"):
            LowerBound(game, pool, limit).prove(least + 1)
        assert refused(proof | {"claims": [["", least + 1]]}, least + 1)
        assert refused(proof | {"claims": [["", None]]}, least + 1)


def test_a_claim_above_the_truth_is_refused_at_every_set_after_a_move():
    game, search = game_called("mm-3-4"), CostToGo(game_called("mm-3-4"))
    for guess, label in enumerate(game.guesses):
        for kind, feedback in enumerate(game.feedback_labels[:-1]):
            members = np.flatnonzero(game.table[guess] == kind).astype(np.int32)
            if len(members) > 1:
                claim = [f"{label} {feedback}", search.of(members, 1) + 1]
                head = {"game": "mm-3-4", "guess_pool": "all", "guess_limit": None}
                assert refused(head | {"claims": [claim, ["", 1]]}, 0)


FAULTS = {
    "a claim lowered": lambda claims, at: claims[at].__setitem__(1, claims[at][1] - 1),
    "a claim left out": lambda claims, at: claims.pop(at),
    "two sets exchanged": lambda claims, at: claims[at].__setitem__(0, claims[at - 1][0]),
    "a guess that is none": lambda claims, at: claims[at].__setitem__(0, "1117 0B-0C"),
    "a feedback that is none": lambda claims, at: claims[at].__setitem__(0, "1112 9B-0C"),
    "half a move": lambda claims, at: claims[at].__setitem__(0, "1112"),
    "no number": lambda claims, at: claims[at].__setitem__(1, "all"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_refused(fault):
    proof = proof_of("mm-4-4", "all", None, 905)
    assert checker("check_lower_bound").check(proof) == 905
    assert len(proof["claims"]) > 3
    for at in range(len(proof["claims"])):
        wrong = copy.deepcopy(proof)
        FAULTS[fault](wrong["claims"], at)
        try:
            assert refused(wrong, 905), at
        except TypeError:
            assert fault == "no number"


def test_the_committed_proof_of_the_papers_game_holds():
    path = ROOT / "resources" / "proofs" / "mm-4-6.json"
    proof = json.loads(path.read_text(encoding="utf-8"))
    assert checker("check_lower_bound").check(proof) == 5625
