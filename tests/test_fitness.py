"""Fitness against the trees that weights grow."""

import numpy as np
import pytest
from conftest import game_called
from hypothesis import given, settings
from hypothesis import strategies as st

from codebreaker.errors import CodebreakerError
from codebreaker.games.registry import EXAMPLES
from codebreaker.optimise.fitness import Fitness
from codebreaker.optimise.problem import Problem, Vectors, plain
from codebreaker.optimise.worker import INDIVIDUALS
from codebreaker.policies.criteria import criterion
from codebreaker.policies.policy import Policy
from codebreaker.policies.weights import Weights, published
from codebreaker.trees.grow import grow

ENTROPY = criterion("entropy")
FAMILIES = (
    ["entropy"],
    ["most-parts"],
    ["expected-size"],
    [f"tsallis-{order}" for order in (0, 0.5, 1, 1.5, 2, 3)],
    [f"renyi-{order}" for order in (0, 0.5, 1, 1.5, 2, 3)],
)


def total(problem, vectors, i=0):
    """The total of the tree that an individual grows."""
    weights = Weights(
        "drawn",
        "test",
        problem.game.feedback_labels,
        vectors.weights[i],
        criteria=tuple(problem.criteria[order].name for order in vectors.orders[i]),
    )
    policy = Policy("drawn", ENTROPY, weights, opening=problem.opening)
    return grow(problem.game, policy).total_guesses


def totals(problem, vectors):
    """The totals of all trees."""
    return [total(problem, vectors, i) for i in range(len(vectors.weights))]


def drawn(problem, seed, n, coarse=False, low=0.1):
    """Random individuals; coarse ones have many ties."""
    draw = np.random.default_rng(seed)
    weights = draw.uniform(low, 1, (n, problem.n_turns, problem.game.n_feedback))
    weights = np.maximum(weights.round(1), 0.1) if coarse else weights
    weights = weights if problem.weighted else np.ones_like(weights)
    orders = draw.integers(len(problem.criteria), size=(n, problem.n_turns), dtype=np.int32)
    return Vectors(weights, orders)


@given(
    name=st.sampled_from(EXAMPLES),
    names=st.sampled_from(FAMILIES),
    n_turns=st.integers(1, 5),
    seed=st.integers(0, 2**32),
    coarse=st.booleans(),
    weighted=st.booleans(),
    data=st.data(),
)
def test_fitness_is_the_total_of_the_tree(name, names, n_turns, seed, coarse, weighted, data):
    game = game_called(name)
    opening = data.draw(st.none() | st.sampled_from(game.guesses))
    criteria = tuple(criterion(one) for one in names)
    problem = Problem(game, criteria, n_turns, opening, weighted)
    some = drawn(problem, seed, 5, coarse, 0.001)
    fitness = Fitness(problem, memo_mib=4)
    assert fitness(some).tolist() == totals(problem, some)
    fitness.refer_to(Vectors(some.weights[2:3], some.orders[3:4]))
    assert fitness(some).tolist() == totals(problem, some)


@pytest.mark.parametrize("names", FAMILIES[3:], ids=["tsallis", "renyi"])
@pytest.mark.parametrize("weighted", [True, False])
def test_fitness_is_the_total_with_orders_by_turn(mm46, names, weighted):
    problem = Problem(mm46, tuple(criterion(one) for one in names), 6, "1123", weighted)
    some = drawn(problem, 5, 8)
    some.orders[4:] = some.orders[:1]
    fitness = Fitness(problem, memo_mib=64)
    for _ in range(2):
        assert fitness(some).tolist() == totals(problem, some)


@pytest.mark.parametrize(
    ("n_turns", "opening", "name"),
    [(1, None, "gur-2025-fixed"), (6, "1123", "gur-2025-stage"), (6, None, "gur-2025-stage")],
)
def test_fitness_is_the_total_near_the_published_weights(mm46, n_turns, opening, name):
    problem = Problem(mm46, (ENTROPY,), n_turns, opening)
    draw = np.random.default_rng(1)
    weights = np.repeat(published(name).values[None], 8, axis=0)
    weights[1:] = np.clip(weights[1:] + draw.normal(0, 0.1, weights[1:].shape), 0.1, 1)
    fitness = Fitness(problem, memo_mib=64)
    for _ in range(2):  # the second time from the memo
        assert fitness(plain(weights)).tolist() == totals(problem, plain(weights))


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32), threads=st.integers(2, 5))
def test_threads_and_references_change_no_result(seed, threads):
    game = game_called("mm-3-4")
    problem = Problem(game, (ENTROPY,), 4, "112")
    weights = np.random.default_rng(seed).uniform(0.1, 1, (17, 4, game.n_feedback))
    alone = Fitness(problem, memo_mib=8)
    expected = alone(plain(weights)).tolist()
    assert Fitness(problem, memo_mib=8, threads=threads)(plain(weights)).tolist() == expected
    for reference in (weights[3], np.ones((4, game.n_feedback)), weights[16] * 0.1):
        alone.refer_to(plain(reference[None]))
        assert alone(plain(weights)).tolist() == expected


def test_a_full_memo_starts_anew_and_stays_right(mm46):
    problem = Problem(mm46, (ENTROPY,), 6, "1123")
    weights = np.random.default_rng(2).uniform(0.1, 1, (24, 6, 14))
    roomy, tight = Fitness(problem, memo_mib=256), Fitness(problem, memo_mib=8)
    assert tight(plain(weights)).tolist() == roomy(plain(weights)).tolist()


def test_more_individuals_than_the_working_memory_holds_are_evaluated_in_parts():
    problem = Problem(game_called("mm-2-3"), (ENTROPY,), 2, "12")
    weights = np.random.default_rng(4).uniform(0.1, 1, (INDIVIDUALS + 30, 2, 5))
    fitness = Fitness(problem, memo_mib=4)
    parts = [fitness(plain(weights[:INDIVIDUALS])), fitness(plain(weights[INDIVIDUALS:]))]
    assert fitness(plain(weights)).tolist() == np.concatenate(parts).tolist()


def test_a_memo_that_holds_no_tree_is_refused(mm46):
    fitness = Fitness(Problem(mm46, (ENTROPY,), 6, "1123"), memo_mib=0.5)
    with pytest.raises(CodebreakerError, match=r"0\.5 MiB can't hold .* raise .*limits\.memo_mib"):
        fitness(plain(np.ones((2, 6, 14))))


@pytest.mark.parametrize("name", ["worst-case", "entropy-base-parts", "renyi-inf", "tsallis-20"])
def test_criteria_that_are_no_sums_of_exact_terms_are_refused(name):
    with pytest.raises(CodebreakerError, match=f"{name} can't be optimised: its score is no sum"):
        Fitness(Problem(game_called("mm-2-3"), (criterion(name),), 1))
