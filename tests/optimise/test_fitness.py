"""Fitness against grown trees."""

import numpy as np
import pytest
from conftest import game_called
from hypothesis import given, settings
from hypothesis import strategies as st

from codebreaker import Game
from codebreaker.errors import CodebreakerError
from codebreaker.games.registry import EXAMPLES
from codebreaker.optimise.fitness import BATCH_SIZE, Fitness
from codebreaker.optimise.kernels.fitness import Phenotypes
from codebreaker.optimise.problem import Problem, with_weights
from codebreaker.policies.families import criterion
from codebreaker.policies.registry import Policy
from codebreaker.policies.strategy import Strategy
from codebreaker.policies.weights import Weights
from codebreaker.sets.option_memo import LEADERS
from codebreaker.trees.grow import grow

ENTROPY = criterion("entropy")
FAMILIES = (
    ["entropy"],
    ["most-parts"],
    ["expected-size"],
    [f"tsallis-{order}" for order in (0, 0.5, 1, 1.5, 2, 3)],
    [f"renyi-{order}" for order in (0, 0.5, 1, 1.5, 2, 3)],
)


def strategy_of(problem, values, orders):
    """Return how an individual plays; `values` are its weights, (n_turns, n_feedback)."""
    criteria = tuple(problem.criteria[order].name for order in orders)
    weights = Weights("drawn", "test", problem.game.feedback_labels, values, criteria=criteria)
    return Strategy("drawn", problem.opening, rule=Policy(ENTROPY, weights))


def totals(problem, phenotypes):
    individuals = zip(phenotypes.weights, phenotypes.orders, strict=True)
    strategies = [strategy_of(problem, *individual) for individual in individuals]
    return [grow(problem.game, strategy).total_guesses for strategy in strategies]


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


def test_an_option_behind_the_leaders_may_tie_with_them_and_come_first():
    """Guess 00 has two parts; as many others as there are leaders have three, of other sizes each.

    By the reference they are better. Then a part of 00 counts twice: all tie, and 00 is the first.
    """
    n = 13
    secrets = [*"abcdefghijklm"]
    own = [[0 if guess == secret else 1 for secret in range(n)] for guess in range(n)]
    sizes = [(ones, twos) for ones in range(1, n) for twos in range(1, n - ones)]
    three = [[1] * ones + [2] * twos + [3] * (n - ones - twos) for ones, twos in sizes[:LEADERS]]
    assert len(three) == LEADERS
    table = [*own, [4] * 7 + [1] * 6, *three]
    names = [*secrets, *(f"{number:02}" for number in range(LEADERS + 1))]
    labels = ["won", "one", "two", "three", "twice"]
    game = Game.from_table(table, names, secrets, labels, "won")._table_game
    problem = Problem(game, (criterion("most-parts"),), 1)
    weights = np.array([[[0.5, 0.5, 0.5, 0.5, 1.0]]])
    assert game.guesses[grow(game, strategy_of(problem, weights[0], [0])).guess[0]] == "00"
    fitness = Fitness(problem, memo_mib=4)
    fitness.set_reference(with_weights(np.full((1, 1, 5), 0.5)))
    some = with_weights(weights)
    assert fitness(some).tolist() == totals(problem, some)
