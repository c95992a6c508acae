"""Fitness against grown trees."""

import numpy as np
import pytest
from conftest import game_called
from hypothesis import given, settings
from hypothesis import strategies as st

from codebreaker.errors import CodebreakerError
from codebreaker.games.registry import EXAMPLES
from codebreaker.optimise.fitness import BATCH_SIZE, Fitness
from codebreaker.optimise.kernels.fitness import Phenotypes
from codebreaker.optimise.problem import Problem, with_weights
from codebreaker.policies.families import criterion
from codebreaker.policies.registry import Policy
from codebreaker.policies.strategy import Strategy
from codebreaker.policies.weights import Weights
from codebreaker.trees.grow import grow

ENTROPY = criterion("entropy")
FAMILIES = (
    ["entropy"],
    ["most-parts"],
    ["expected-size"],
    [f"tsallis-{order}" for order in (0, 0.5, 1, 1.5, 2, 3)],
    [f"renyi-{order}" for order in (0, 0.5, 1, 1.5, 2, 3)],
)


def totals(problem, phenotypes):
    totals = []
    for values, orders in zip(phenotypes.weights, phenotypes.orders, strict=True):
        criteria = tuple(problem.criteria[order].name for order in orders)
        weights = Weights("drawn", "test", problem.game.feedback_labels, values, criteria=criteria)
        strategy = Strategy("drawn", problem.opening, rule=Policy(ENTROPY, weights))
        totals.append(grow(problem.game, strategy).total_guesses)
    return totals


def drawn(problem, seed, n, coarse=False, low=0.1, span=1.0):
    draw = np.random.default_rng(seed)
    weights = draw.uniform(low, 1, (n, problem.n_turns, problem.game.n_feedback))
    weights = weights[:1] + span * (weights - weights[:1])
    weights = np.maximum(weights.round(1), 0.1) if coarse else weights
    weights = weights if problem.weighted else np.ones_like(weights)
    orders = draw.integers(len(problem.criteria), size=(n, problem.n_turns), dtype=np.int32)
    return Phenotypes(weights, orders)


@given(
    name=st.sampled_from(EXAMPLES),
    names=st.sampled_from(FAMILIES),
    n_turns=st.integers(1, 5),
    seed=st.integers(0, 2**32),
    coarse=st.booleans(),
    weighted=st.booleans(),
    span=st.sampled_from((1.0, 0.1)),
    data=st.data(),
)
@pytest.mark.slow
def test_fitness_is_the_total_of_the_tree(name, names, n_turns, seed, coarse, weighted, span, data):
    game = game_called(name)
    opening = data.draw(st.none() | st.sampled_from(game.guesses))
    criteria = tuple(criterion(name) for name in names)
    problem = Problem(game, criteria, n_turns, opening, weighted)
    some = drawn(problem, seed, 5, coarse, 0.001, span)
    fitness = Fitness(problem, memo_mib=4)
    assert fitness(some).tolist() == totals(problem, some)
    fitness.set_reference(Phenotypes(some.weights[2:3], some.orders[3:4]))
    assert fitness(some).tolist() == totals(problem, some)


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32), threads=st.integers(2, 5))
def test_threads_and_references_change_no_result(seed, threads):
    problem = Problem(game_called("mm-3-4"), (ENTROPY,), 4, "112")
    some = drawn(problem, seed, 17)
    alone = Fitness(problem, memo_mib=8)
    expected = alone(some).tolist()
    assert Fitness(problem, memo_mib=8, threads=threads)(some).tolist() == expected
    values = some.weights
    for reference in (values[3:4], np.ones_like(values[:1]), values[16:] * 0.1):
        alone.set_reference(with_weights(reference))
        assert alone(some).tolist() == expected


@pytest.mark.slow
def test_a_full_memo_is_emptied_and_totals_stay_right(mm46):
    problem = Problem(mm46, (ENTROPY,), 6, "1123")
    some = drawn(problem, 2, 24)
    roomy = Fitness(problem, memo_mib=256)
    tight = Fitness(problem, memo_mib=8)
    assert tight(some).tolist() == roomy(some).tolist()


def test_more_individuals_than_a_batch_are_evaluated_in_parts():
    problem = Problem(game_called("mm-2-3"), (ENTROPY,), 2, "12")
    weights = np.random.default_rng(4).uniform(0.1, 1, (BATCH_SIZE + 30, 2, 5))
    fitness = Fitness(problem, memo_mib=4)
    parts = [fitness(with_weights(part)) for part in np.split(weights, [BATCH_SIZE])]
    assert fitness(with_weights(weights)).tolist() == np.concatenate(parts).tolist()


def test_a_memo_too_small_for_one_tree_is_refused(mm46):
    fitness = Fitness(Problem(mm46, (ENTROPY,), 6, "1123"), memo_mib=0.5)
    with pytest.raises(CodebreakerError, match=r"0\.5 MiB can't hold one tree") as refused:
        fitness(with_weights(np.ones((2, 6, 14))))
    assert refused.value.setting == "memo_mib"


@pytest.mark.parametrize("name", ["worst-case", "entropy-base-parts", "renyi-inf", "tsallis-20"])
def test_criteria_without_exact_sums_are_refused(name):
    with pytest.raises(CodebreakerError, match=f"{name} can't be optimised: its score is not a"):
        Fitness(Problem(game_called("mm-2-3"), (criterion(name),), 1))
