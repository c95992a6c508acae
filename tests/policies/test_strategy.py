"""The record of a strategy: its defaults, its row in tables and files, and what it refuses."""

import json
import pickle
from dataclasses import replace

import pytest
from conftest import CRITERION_NAMES
from hypothesis import given
from hypothesis import strategies as st

from codebreaker.errors import CodebreakerError
from codebreaker.policies.registry import FOUND, policy_names
from codebreaker.policies.strategy import (
    COLUMNS,
    GUESS_POOLS,
    SETTINGS,
    TIE_BREAKS,
    Strategy,
    recorded_strategy,
)
from codebreaker.policies.weights import published

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
def test_the_record_of_a_tree_comes_back_from_its_row(strategy):
    made = strategy.grown("mm-4-6", "1122", "tree")
    row = json.loads(json.dumps(made.row))
    assert list(row) == list(COLUMNS)
    assert row["opening"] == "1122"
    assert row["forced"] == (strategy.opening is not None)
    assert Strategy.of_row(row) == made


@given(strategies)
def test_jobs_get_the_strategy_that_the_workflow_has(strategy):
    again = pickle.loads(pickle.dumps(strategy))
    assert (again, repr(again), again.slug) == (strategy, repr(strategy), strategy.slug)
    assert again.criterion.terms(20, 1.0).tolist() == strategy.criterion.terms(20, 1.0).tolist()


@given(strategies, strategies)
def test_names_of_files_tell_strategies_apart(one, other):
    assert (one.slug == other.slug) == (one == other)


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


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"policy": "entropi"}, "unknown policy 'entropi': did you mean 'entropy'"),
        ({"policy": "entropy", "guess_pool": "none"}, "unknown guess pool"),
        ({"policy": "entropy", "tie_break": "last"}, "unknown tie-break"),
    ],
)
def test_what_is_not_a_strategy_is_refused(settings, message):
    with pytest.raises(CodebreakerError, match=message):
        Strategy(**settings)


@pytest.mark.parametrize(
    "change", [{"game": 5}, {"endgames": "3"}, {"forced": 1}, {"tie_break": "last"}, {"more": 1}]
)
def test_a_malformed_row_is_refused(change):
    row = Strategy("entropy").grown("mm-4-6", "1234", "entropy").row
    with pytest.raises(ValueError, match="strategy"):
        Strategy.of_row(row | change)


def test_every_setting_has_a_meaning():
    assert list(SETTINGS) == [
        "policy", "opening", "guess_pool", "tie_break", "endgames", "exact_from",
    ]  # fmt: skip
    assert all(setting.metadata["about"] for _, setting in SETTINGS.values())
