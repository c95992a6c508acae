"""Fitness against the trees that weights grow."""

import numpy as np
import pytest
from conftest import game_called
from hypothesis import given, settings
from hypothesis import strategies as st

from codebreaker.criteria import CRITERIA
from codebreaker.errors import CodebreakerError
from codebreaker.games import EXAMPLES
from codebreaker.optimise.fitness import Fitness
from codebreaker.optimise.problem import Problem
from codebreaker.optimise.worker import INDIVIDUALS
from codebreaker.policy import Policy
from codebreaker.tree import grow
from codebreaker.weights import Weights, published

ENTROPY = CRITERIA["entropy"]
SUMS = ["entropy", "most-parts"]


def total(problem, values):
    """The total of the tree that weights grow."""
    weights = Weights("drawn", "test", problem.game.feedback_labels, values)
    policy = Policy("drawn", problem.criterion, weights, opening=problem.opening)
    return grow(problem.game, policy).total_guesses


@given(
    name=st.sampled_from(EXAMPLES),
    criterion=st.sampled_from(SUMS),
    n_turns=st.integers(1, 5),
    seed=st.integers(0, 2**32),
    coarse=st.booleans(),
    data=st.data(),
)
def test_fitness_is_the_total_of_the_tree(name, criterion, n_turns, seed, coarse, data):
    game = game_called(name)
    opening = data.draw(st.none() | st.sampled_from(game.guesses))
    problem = Problem(game, CRITERIA[criterion], n_turns, opening)
    weights = np.random.default_rng(seed).uniform(0.001, 1, (5, n_turns, game.n_feedback))
    if coarse:  # many ties
        weights = np.maximum(weights.round(1), 0.1)
    found = Fitness(problem, memo_mib=4)(weights)
    assert found.tolist() == [total(problem, one) for one in weights]


@pytest.mark.parametrize(
    ("n_turns", "opening", "name"),
    [(1, None, "gur-2025-fixed"), (6, "1123", "gur-2025-stage"), (6, None, "gur-2025-stage")],
)
def test_fitness_is_the_total_near_the_published_weights(mm46, n_turns, opening, name):
    problem = Problem(mm46, ENTROPY, n_turns, opening)
    draw = np.random.default_rng(1)
    weights = np.repeat(published(name).values[None], 8, axis=0)
    weights[1:] = np.clip(weights[1:] + draw.normal(0, 0.1, weights[1:].shape), 0.1, 1)
    fitness = Fitness(problem, memo_mib=64)
    for _ in range(2):  # the second time from the memo
        assert fitness(weights).tolist() == [total(problem, one) for one in weights]


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32), threads=st.integers(2, 5))
def test_threads_and_references_change_no_result(seed, threads):
    game = game_called("mm-3-4")
    problem = Problem(game, ENTROPY, 4, "112")
    weights = np.random.default_rng(seed).uniform(0.1, 1, (17, 4, game.n_feedback))
    alone = Fitness(problem, memo_mib=8)
    expected = alone(weights).tolist()
    assert Fitness(problem, memo_mib=8, threads=threads)(weights).tolist() == expected
    for reference in (weights[3], np.ones((4, game.n_feedback)), weights[16] * 0.1):
        alone.refer_to(reference)
        assert alone(weights).tolist() == expected


def test_a_full_memo_starts_anew_and_stays_right(mm46):
    problem = Problem(mm46, ENTROPY, 6, "1123")
    weights = np.random.default_rng(2).uniform(0.1, 1, (24, 6, 14))
    roomy, tight = Fitness(problem, memo_mib=256), Fitness(problem, memo_mib=8)
    assert tight(weights).tolist() == roomy(weights).tolist()


def test_more_individuals_than_the_working_memory_holds_are_evaluated_in_parts():
    problem = Problem(game_called("mm-2-3"), ENTROPY, 2, "12")
    weights = np.random.default_rng(4).uniform(0.1, 1, (INDIVIDUALS + 30, 2, 5))
    fitness = Fitness(problem, memo_mib=4)
    parts = [fitness(weights[:INDIVIDUALS]), fitness(weights[INDIVIDUALS:])]
    assert fitness(weights).tolist() == np.concatenate(parts).tolist()


def test_a_memo_that_holds_no_tree_is_refused(mm46):
    fitness = Fitness(Problem(mm46, ENTROPY, 6, "1123"), memo_mib=0.5)
    with pytest.raises(CodebreakerError, match=r"0\.5 MiB can't hold .* raise .*limits\.memo_mib"):
        fitness(np.ones((2, 6, 14)))


@pytest.mark.parametrize("name", sorted(set(CRITERIA) - set(SUMS) - {"first-consistent"}))
def test_criteria_that_are_no_sums_of_gains_are_refused(name):
    with pytest.raises(CodebreakerError, match=f"weights of {name} can't be optimised"):
        Fitness(Problem(game_called("mm-2-3"), CRITERIA[name], 1))
