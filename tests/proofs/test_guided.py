"""Weights guided by the exact cost-to-go."""

import json
from dataclasses import replace
from itertools import islice, product
from types import SimpleNamespace

import check_bounds
import check_lower_bound
import numpy as np
import pytest
from conftest import from_python, game_called
from hypothesis import given, settings
from hypothesis import strategies as st

from codebreaker.errors import CodebreakerError
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.criterion import TIE_TOLERANCE_BITS
from codebreaker.policies.registry import Policy
from codebreaker.policies.strategy import Strategy, found_strategy
from codebreaker.policies.weights import Weights
from codebreaker.proofs.guided import find_row, find_weights
from codebreaker.proofs.kernels.walk import summed_regret
from codebreaker.proofs.one_row import OneRowSearch, bound_facts
from codebreaker.proofs.patterns import (
    CLEAR_LEAD_BITS,
    Choice,
    ChoiceTable,
    Effort,
    PatternSearch,
    Programme,
    Winners,
    pattern_regret,
)
from codebreaker.proofs.proof import regrets_of, write_proof
from codebreaker.proofs.settings import GuidedWeights
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.kernels.costs import INFEASIBLE
from codebreaker.search.lower_bound import LowerBound
from codebreaker.sets.partition import all_secrets, split
from codebreaker.trees.grow import grow, walk

ENTROPY = CRITERIA["entropy"]
QUICK = GuidedWeights("112", budget=1, patterns=2, walks=2, steps=2000, seconds=5)


def choices_of(name, opening, budget=9):
    choices = ChoiceTable(CostToGo(game_called(name), memo_mib=4), ENTROPY, budget)
    _, cells = choices.opened(opening)
    return choices, choices.of(list(cells.values()), 2)


def total_of(game, opening, rows):
    weights = Weights("drawn", "test", game.feedback_labels, rows)
    return grow(game, Strategy("drawn", opening, rule=Policy(ENTROPY, weights))).total_guesses


def regret_of_rows(choices, level, rows):
    regret = 0
    while level:
        pattern = Winners(level).under(rows[min(level[0].turn, len(rows)) - 1])
        regret = regret + pattern_regret(pattern)
        level = choices.below(pattern)
    return regret


def leads_of(choices, row):
    ranked = [np.sort(choice.scores @ row) for choice in choices if len(choice.guesses) > 1]
    return [scores[-1] - scores[-2] for scores in ranked]


@given(seed=st.integers(0, 2**32), name=st.sampled_from(["mm-3-3", "mm-2-4", "mm-3-4"]))
@pytest.mark.slow
def test_the_total_is_the_optimum_plus_the_regrets_of_all_choices(seed, name):
    game = game_called(name)
    choices, first = choices_of(name, game.guesses[1], budget=99)
    rows = np.random.default_rng(seed).uniform(0.1, 1, (4, game.n_feedback))
    optimum, _ = choices.opened(game.guesses[1])
    assert optimum + regret_of_rows(choices, first, rows) == total_of(game, game.guesses[1], rows)


def test_programmes_find_weights_wherever_a_grid_does():
    _, first = choices_of("mm-2-3", "12")
    on_grid = {}
    for row in product((0.1, 0.4, 0.7, 1.0), repeat=first[0].scores.shape[1]):
        options = tuple(choice.winner(np.array(row)) for choice in first)
        on_grid.setdefault(options, []).append(row)
    for options in product(*(range(len(choice.guesses)) for choice in first)):
        pattern = list(zip(first, options, strict=True))
        programme = Programme(first[0].scores.shape[1], 0.1, 1.0, CLEAR_LEAD_BITS, Effort())
        weights = programme.weights_for(pattern)
        if weights is not None:
            assert Winners(first).under(weights) == pattern
            assert weights.min() >= 0.1 - 1e-9
            assert weights.max() <= 1 + 1e-9
        else:  # then only by a tie
            assert all(min(leads_of(first, row)) < 1e-5 for row in on_grid.get(options, ()))


def test_walks_break_ties_like_policies():
    step = 0.9 * TIE_TOLERANCE_BITS  # the first option ties with the second alone
    scores = 1 + step * np.arange(3.0)[:, None]
    regrets = np.array([5, 0, 7])
    choice = Choice(2, np.arange(2, dtype=np.int32), scores, np.arange(3, dtype=np.int32), regrets)
    row = np.ones(1)
    starts = np.array([0, 3])
    assert choice.winner(row) == 1
    assert from_python(summed_regret)(row, scores, regrets, starts, TIE_TOLERANCE_BITS, 99) == 0


@settings(max_examples=4)
@given(seed=st.integers(0, 2**32))
@pytest.mark.slow
def test_no_weights_realise_a_pattern_that_the_search_excludes(seed):
    _, first = choices_of("mm-3-4", "112")
    patterns = {
        frozenset(selected.pattern)
        for selected in PatternSearch(first, 1, 0.1, 1.0, CLEAR_LEAD_BITS).find_all()
    }
    for row in np.random.default_rng(seed).uniform(0.1, 1, (50, first[0].scores.shape[1])):
        pattern = Winners(first).under(row)
        if pattern_regret(pattern) <= 1 and min(leads_of(first, row)) > 2e-5:
            assert frozenset(pattern) in patterns


def test_regrets_are_capped_and_equal_partitions_are_one_option():
    choices, _ = choices_of("mm-3-3", "112", budget=2)
    game = choices.cost.game
    members = np.arange(0, 27, 2, dtype=np.int32)
    choice = choices.at(members, 2)
    optimum = choices.cost.of(members, 2)
    after = [choices.cost.after(int(g), members, 2, INFEASIBLE) - optimum for g in choice.guesses]
    assert choice.regrets.tolist() == [min(regret, 3) for regret in after]
    assert 0 in choice.regrets
    assert 3 in choice.regrets
    sizes = {
        tuple(len(cells.get(f, ())) for f in range(game.n_feedback))
        for cells in (split(game, guess, members) for guess in range(game.n_guesses))
        if len(cells) > 1
    }
    assert len(sizes) == len(choice.guesses)
    first = [game.guesses[guess] for guess in choice.guesses]
    candidates = [game.secrets[member] for member in members]
    behind = [guess not in candidates for guess in first]
    assert behind == sorted(behind)


@pytest.mark.parametrize(("name", "opening"), [("mm-3-3", "112"), ("mm-2-4", "12")])
def test_one_row_within_a_budget_is_found_exactly_if_there_is_one(name, opening):
    choices, first = choices_of(name, opening, budget=20)
    rows = np.random.default_rng(5).uniform(0.1, 1, (400, 1, first[0].scores.shape[1]))
    least = min(regret_of_rows(choices, first, row) for row in rows)
    for budget in range(least + 1):
        search = OneRowSearch(choices, 0.1, 1.0)
        proof = search.prove(first, budget)
        assert (proof is None) == (search.weights is not None)
        if search.weights is not None:
            assert regret_of_rows(choices, first, search.weights[None]) <= budget
    assert search.weights is not None


@pytest.mark.slow
def test_finding_one_pattern_agrees_with_finding_all():
    for name, opening, most in (("mm-3-4", "112", 1), ("mm-3-4", "123", 2)):
        _, first = choices_of(name, opening)
        every = PatternSearch(first, most, 0.1, 1.0, CLEAR_LEAD_BITS).find_all()
        least = min((selected.regret for selected in every), default=most + 1)
        for budget in range(most + 1):
            feasible = PatternSearch(first, budget, 0.1, 1.0, CLEAR_LEAD_BITS).find_any()
            assert (feasible is not None) == (budget >= least)
            if feasible is not None:
                pattern = Winners(first).under(feasible.weights)
                assert pattern_regret(pattern) == feasible.regret <= budget
        assert find_row(first, QUICK).regret >= least


@pytest.mark.parametrize("by", ["turn", "turn and feedback"])
@pytest.mark.parametrize("limit", [None, 5])
def test_the_provenance_describes_the_tree_of_the_weights(by, limit):
    game = game_called("mm-3-4")
    model = replace(QUICK, by=by, guess_limit=limit)
    weights, _ = find_weights(game, ENTROPY, "m", model, 4)
    tree = grow(game, found_strategy("m", weights, "112"))
    facts = weights.provenance
    assert (facts["total_guesses"], facts["max_guesses"]) == (tree.total_guesses, tree.turn.max())
    assert facts["guess_limit"] == limit
    assert facts["bound"] <= tree.total_guesses
    assert tree.total_guesses <= grow(game, Strategy("entropy", "112")).total_guesses
    assert limit is None or tree.turn.max() <= limit


def test_a_budget_and_a_guess_limit_that_nothing_keeps_are_refused(mm46):
    narrow = replace(QUICK, opening="1111", low=1.0, budget=0)
    with pytest.raises(CodebreakerError, match="raise the budget"):
        find_weights(game_called("mm-4-3"), ENTROPY, "m", narrow, 4)
    with pytest.raises(CodebreakerError, match=r"no tree of mm-4-6 from 1123 .* within 4 guesses"):
        find_weights(mm46, ENTROPY, "m", replace(QUICK, opening="1123", guess_limit=4), 64)


def test_weights_by_context_depend_on_the_previous_feedback(mm46):
    strategy = Strategy("context-weighted-5625")
    choices = ChoiceTable(CostToGo(mm46, memo_mib=1), ENTROPY, 0)
    level, guesses, _ = next(islice(walk(mm46, grow(mm46, strategy)), 2, None))
    nodes = list(zip(level.cells, level.feedback.tolist(), guesses, strict=True))
    for members, feedback, guess in nodes[::7]:
        if len(members) > 1:
            choice = choices.at(members, 3)
            assert choice.guesses[choice.winner(strategy.weights.at(3, feedback))] == guess


def row_of(path, *claims):
    options = SimpleNamespace(claims=[*map(str, claims)], trust=["optimum", "regrets"], claimed=[])
    return check_bounds.shown(path, options)[1]


def test_regrets_are_shown_by_claims_and_none_that_is_larger(tmp_path):
    game = game_called("mm-3-5")
    cost = CostToGo(game, memo_mib=4)
    limits = replace(QUICK, low=0.9, budget=4)
    weights, root = find_weights(game, ENTROPY, "m", limits, memo_mib=4)
    path = tmp_path / "bound.json"
    other = tmp_path / "claims.json"
    write_proof(game, {"model": "m"} | weights.provenance, root, path)
    facts = json.loads(path.read_text(encoding="utf-8"))
    assert facts["bound"] == facts["optimum"] + 1
    claims = LowerBound(game)
    claims.prove(cost.of(all_secrets(game), 1), regrets_of(game, facts))
    other.write_text(json.dumps(claims.to_dict()), encoding="utf-8")
    row = row_of(path, other)
    shown = check_lower_bound.checked(claims.to_dict())
    assert row["regrets_shown"] == row["regrets"] > 30
    assert shown.after(game.secrets, 1, "112") == facts["optimum"]
    for entry in facts["sets"]:
        labels = tuple(entry["members"])
        members = np.array([*map(game.secrets.index, labels)], np.int32)
        for guess, label in enumerate(game.guesses):
            regret = cost.after(guess, members, 2, INFEASIBLE) - cost.of(members, 2)
            assert shown.after(labels, 2, label) - shown.claim(labels, 2) <= regret
            assert entry["regrets"].get(label, regret) == regret


@pytest.mark.parametrize("low", [0.1, 0.9])
@pytest.mark.slow
def test_no_row_for_all_turns_beats_the_bound_and_one_attains_it(low, tmp_path):
    choices, first = choices_of("mm-3-6", "112", budget=12)
    game = choices.cost.game
    search = OneRowSearch(choices, low, 1.0)
    facts, root = bound_facts(search, "112", 10)
    bound = facts["bound"]
    optimum = facts["optimum"]
    assert bound > optimum
    assert search.prove(first, bound - optimum) is None
    assert total_of(game, "112", search.weights[None]) == bound
    drawn = np.random.default_rng(0).uniform(low, 1, (300, 1, game.n_feedback))
    assert min(total_of(game, "112", row) for row in drawn) >= bound
    write_proof(game, {"model": "m"} | facts, root, tmp_path / "bound.json", one_row=True)
    assert row_of(tmp_path / "bound.json")["bound"] == bound
