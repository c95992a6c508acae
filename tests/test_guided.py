"""Weights by the exact cost-to-go: choices, linear programmes, and the records."""

import json
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from conftest import checker, game_called
from hypothesis import given, settings
from hypothesis import strategies as st

from codebreaker.errors import CodebreakerError
from codebreaker.exact.cost_to_go import CostToGo
from codebreaker.exact.kernels.search import INFEASIBLE
from codebreaker.exact.solver import Solver
from codebreaker.guided.choices import ChoiceTable
from codebreaker.guided.patterns import PatternSearch
from codebreaker.guided.programme import Programme, regret_of, winners
from codebreaker.guided.proof import write_proof
from codebreaker.guided.search import GuidedModel, find_weights
from codebreaker.guided.stage import GuidedSettings, find_row
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.policy import Policy, found_policy, make_policy
from codebreaker.policies.weights import Weights
from codebreaker.trees.grow import grow
from codebreaker.trees.partition import all_secrets, split

ENTROPY = CRITERIA["entropy"]
QUICK = GuidedSettings(low=0.1, high=1.0, budget=1, patterns=2, walks=2, steps=2000, seconds=5)


def choices_of(name, opening, budget=9):
    """The choices that an opening leaves at turn 2."""
    game = game_called(name)
    cost = CostToGo(game, memo_mib=4)
    cells = split(game, game.guesses.index(opening), all_secrets(game))
    cells.pop(game.solved, None)
    choices = ChoiceTable(cost, ENTROPY, budget)
    return choices, choices.of(list(cells.values()), 2)


@given(seed=st.integers(0, 2**32), name=st.sampled_from(["mm-3-3", "mm-2-4", "mm-3-4"]))
def test_the_total_is_the_optimum_and_the_regrets_of_all_choices(seed, name):
    game = game_called(name)
    opening = game.guesses[1]
    choices, first = choices_of(name, opening, budget=99)
    values = np.random.default_rng(seed).uniform(0.1, 1, (4, game.n_feedback))
    weights = Weights("drawn", "test", game.feedback_labels, values)
    tree = grow(game, Policy("drawn", ENTROPY, weights, opening=opening))
    total = choices.cost.after(1, all_secrets(game), 1, INFEASIBLE)
    turn, these = 2, first
    while these:
        pattern = winners(these, weights.at(turn))
        total += regret_of(pattern)
        turn += 1
        these = choices.of([m for c, o in pattern for _, m in choices.after(c, o)], turn)
    assert total == tree.total_guesses


def test_the_cost_after_the_best_guess_is_the_cost():
    game = game_called("mm-3-4")
    cost = CostToGo(game, memo_mib=4)
    everything = all_secrets(game)
    least = min(cost.after(g, everything, 1, INFEASIBLE) for g in range(game.n_guesses))
    assert least == cost.of(everything, 1) == Solver(game).solve().tree.total_guesses


def test_a_limit_on_the_guesses_is_kept():
    game = game_called("mm-3-4")
    shallow = CostToGo(game, most_guesses=3, memo_mib=4)
    assert shallow.of(all_secrets(game), 1) >= INFEASIBLE
    assert shallow.of(np.array([3], dtype=np.int32), 3) == 1
    assert shallow.of(np.array([3, 7], dtype=np.int32), 3) >= INFEASIBLE


def test_programmes_find_weights_exactly_where_a_grid_does():
    _, first = choices_of("mm-2-3", "12")
    n_feedback = first[0].scores.shape[1]
    grid = [np.array(row) for row in product((0.1, 0.4, 0.7, 1.0), repeat=n_feedback)]
    met = {tuple(choice.winner(row) for choice in first) for row in grid}
    for options in product(*(range(len(choice.guesses)) for choice in first)):
        pattern = list(zip(first, options, strict=True))
        weights = Programme(n_feedback, 0.1, 1.0).weights_for(pattern)
        if weights is not None:
            assert [option for _, option in winners(first, weights)] == list(options)
            assert (weights >= 0.1 - 1e-9).all()
            assert (weights <= 1 + 1e-9).all()
        elif options in met:  # then only by a tie
            for row in grid:
                if tuple(choice.winner(row) for choice in first) == options:
                    totals = [np.sort(choice.scores @ row)[::-1] for choice in first]
                    assert any(len(t) > 1 and t[0] - t[1] < 1e-5 for t in totals)


@settings(max_examples=15)
@given(seed=st.integers(0, 2**32))
def test_no_weights_make_a_pattern_that_the_search_says_is_impossible(seed):
    _, first = choices_of("mm-3-4", "112")
    search = PatternSearch(first, 1, 0.1, 1.0)
    known = {tuple(option for _, option in found.pattern): found.regret for found in search.all()}
    order = sorted(range(len(first)), key=lambda c: len(search._allowed[c]))
    for row in np.random.default_rng(seed).uniform(0.1, 1, (50, first[0].scores.shape[1])):
        pattern = winners(first, row)
        leads = [np.sort(choice.scores @ row)[::-1] for choice in first]
        if regret_of(pattern) <= 1 and all(len(t) < 2 or t[0] - t[1] > 2e-5 for t in leads):
            assert tuple(pattern[c][1] for c in order) in known


def test_deciding_agrees_with_enumerating():
    for name, opening in (("mm-3-4", "112"), ("mm-3-4", "123"), ("mm-4-3", "1123")):
        _, first = choices_of(name, opening)
        least = min((one.regret for one in PatternSearch(first, 2, 0.1, 1.0).all()), default=3)
        for budget in range(3):
            found = PatternSearch(first, budget, 0.1, 1.0).any()
            assert (found is not None) == (budget >= least)
            if found is not None:
                assert regret_of(winners(first, found.weights)) == found.regret <= budget
        assert find_row(first, QUICK).regret >= least


@pytest.mark.parametrize("by_context", [False, True])
@pytest.mark.parametrize("most", [None, 5])
def test_weights_are_found_whose_tree_is_what_is_told(by_context, most):
    game = game_called("mm-3-4")
    model = GuidedModel("m", "112", by_context, most)
    weights, _ = find_weights(game, ENTROPY, model, QUICK, 4)
    tree = grow(game, found_policy("m", weights, "112"))
    told = weights.provenance
    assert (told["total_guesses"], told["max_guesses"]) == (tree.total_guesses, tree.turn.max())
    assert told["bound"] <= tree.total_guesses
    assert tree.total_guesses <= grow(game, make_policy("entropy", "112")).total_guesses
    assert most is None or tree.turn.max() <= most


def test_too_few_guesses_are_refused(mm46):
    with pytest.raises(CodebreakerError, match=r"no tree of mm-4-6 from 1123 .* within 4 guesses"):
        find_weights(mm46, ENTROPY, GuidedModel("m", "1123", False, 4), QUICK, 64)


@pytest.mark.parametrize(
    ("policy", "total", "maximum"),
    [
        ("stage-weighted-5630", 5630, 5),
        ("context-weighted-5625", 5625, 6),
        ("context-weighted-5626", 5626, 5),
    ],
)
def test_the_records_replay(mm46, policy, total, maximum):
    tree = grow(mm46, make_policy(policy))
    assert (tree.total_guesses, tree.turn.max()) == (total, maximum)
    assert mm46.guesses[tree.guess[0]] == "1123"


def test_weights_by_context_are_those_of_the_feedback_before(mm46):
    policy = make_policy("context-weighted-5625")
    tree = grow(mm46, policy)
    for feedback in np.unique(tree.feedback[tree.turn == 3])[:5].tolist():
        row = policy.weights.at(3, feedback)
        plain = Weights("row", "test", mm46.feedback_labels, np.stack([policy.weights.at(2), row]))
        for node in np.flatnonzero((tree.turn == 3) & (tree.feedback == feedback))[:3]:
            members = members_at(mm46, tree, int(node))
            if len(members) == 1:
                continue
            choice = ChoiceTable(CostToGo(mm46, memo_mib=1), ENTROPY, 0).at(members, 3)
            assert choice.guesses[choice.winner(plain.at(2))] == tree.guess[node]


@pytest.fixture(scope="module")
def proof(tmp_path_factory):
    """The proof of a bound that is below what is reached, to be quick."""
    game = game_called("mm-4-6")
    settings = replace(QUICK, budget=2, patterns=1, walks=1)
    weights, root = find_weights(game, ENTROPY, GuidedModel("m", "1123", False, None), settings, 64)
    path = tmp_path_factory.mktemp("proof") / "bound.json"
    write_proof(game, {"model": "m"} | weights.provenance, root, path)
    return json.loads(path.read_text(encoding="utf-8"))


def test_proofs_hold(proof):
    assert proof["bound"] == 5628
    proof_checker = checker("check_bounds").Checker(proof)
    proof_checker.check()
    assert proof_checker.refuted > 0


@pytest.mark.parametrize("damage", ["claim", "regrets", "margin", "node"])
def test_proofs_that_fail_are_seen(proof, damage):
    told = json.loads(json.dumps(proof))
    if damage == "claim":
        told["bound"] += 1
    elif damage == "regrets":
        for one in told["sets"]:
            one["regrets"] = dict.fromkeys(one["regrets"], 0)
    elif damage == "margin":
        told["margin_bits"] = -1.0
    else:
        told["proof"]["options"].popitem()
    with pytest.raises((ValueError, KeyError)):
        checker("check_bounds").Checker(told).check()


def members_at(game, tree, node):
    """The candidates at a node."""
    if tree.parent[node] < 0:
        return all_secrets(game)
    above = members_at(game, tree, int(tree.parent[node]))
    guess = int(tree.guess[tree.parent[node]])
    return above[game.table[guess, above] == tree.feedback[node]]
