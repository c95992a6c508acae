"""The record of a strategy, and weights: defaults, rows in tables and files, what is refused."""

import json
import pickle
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from conftest import CRITERION_NAMES
from hypothesis import given
from hypothesis import strategies as st

from codebreaker.errors import CodebreakerError
from codebreaker.games.registry import rules_of
from codebreaker.policies.registry import FOUND, policy_names
from codebreaker.policies.strategy import (
    COLUMNS,
    GUESS_POOLS,
    TIE_BREAKS,
    Strategy,
    recorded_strategy,
)
from codebreaker.policies.weights import Weights, published, published_names

strategies = st.builds(
    Strategy,
    st.sampled_from([*policy_names(), *CRITERION_NAMES]),
    st.sampled_from([None, "1123"]),
    st.sampled_from([None, *GUESS_POOLS]),
    st.sampled_from([None, *TIE_BREAKS]),
    st.integers(0, 62),
    st.none() | st.integers(2, 20),
)


@given(strategies)
def test_jobs_and_files_of_trees_get_the_strategy_that_the_workflow_has(strategy):
    again = pickle.loads(pickle.dumps(strategy))
    assert (again, repr(again), again.slug) == (strategy, repr(strategy), strategy.slug)
    assert again.criterion.terms(20, 1.0).tolist() == strategy.criterion.terms(20, 1.0).tolist()
    made = strategy.grown("mm-4-6", "1122", "tree")
    row = json.loads(json.dumps(made.row))
    assert list(row) == list(COLUMNS)
    assert (row["opening"], row["forced"]) == ("1122", strategy.opening is not None)
    assert Strategy.of_row(row) == made


def test_names_of_files_tell_strategies_apart():
    options = ((None, "1123"), GUESS_POOLS, TIE_BREAKS, (0, 8), (None, 3))
    made = [Strategy(*one) for one in product(policy_names(), *options)]
    assert len({one.slug for one in made}) == len(made)


def test_an_opening_that_was_chosen_is_not_forced():
    chosen = Strategy("entropy").grown("mm-4-6", "1234", "entropy")
    assert (chosen.opening, chosen.forced_opening, chosen.slug) == ("1234", None, "entropy")
    assert replace(chosen, forced=True).slug == "entropy_from-1234"


def test_found_weights_play_under_the_name_of_their_model():
    weights = published("stage-5630")
    strategy = recorded_strategy("my-model", weights)
    assert strategy.policy == f"my-model{FOUND}"
    assert strategy.opening == weights.provenance["opening"]
    assert strategy.weights is weights


def odd(*values):
    return Weights("odd", "test", ("0B-0C", "1B-0C"), np.array([values]))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Strategy("entropi"), "unknown policy 'entropi': did you mean 'entropy'"),
        (lambda: Strategy("entropy", guess_pool="none"), "unknown guess pool"),
        (lambda: Strategy("entropy", tie_break="last"), "unknown tie-break"),
        *((lambda bad=bad: odd(0.5, bad), r"lie in \(0, 1\]") for bad in (0, -0.1, 1.01, np.nan)),
        (lambda: odd(1, 1, 1), "each turn needs 2"),
        (lambda: published("gur-2025-stages"), r"unknown weights 'gur.*'gur-2025-stage'"),
    ],
)
def test_what_is_no_strategy_or_no_weights_is_refused(make, message):
    with pytest.raises(CodebreakerError, match=message):
        make()


@pytest.mark.parametrize(
    "change", [{"game": 5}, {"endgames": "3"}, {"forced": 1}, {"tie_break": "last"}, {"more": 1}]
)
def test_a_malformed_row_is_refused(change):
    row = Strategy("entropy").grown("mm-4-6", "1234", "entropy").row
    with pytest.raises(ValueError, match="strategy"):
        Strategy.of_row(row | change)


@pytest.mark.parametrize("name", published_names())
def test_registered_weights_fit_their_game(name):
    weights = published(name)
    game = weights.provenance.get("game", "mm-4-6")
    assert weights.feedback_labels == rules_of(game).feedback_labels()


def test_the_last_turn_serves_all_later_ones():
    weights = published("gur-2025-stage")
    assert (weights.at(6) == weights.at(9)).all()
    assert weights.at(2).tolist() == weights.values[1].tolist()
    uniform = weights.uniform_from(4)
    assert (uniform.values[3:] == 1).all()
    assert (uniform.values[:3] == weights.values[:3]).all()
