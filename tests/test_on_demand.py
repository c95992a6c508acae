"""Games without a table: the trees are those of the table, node for node."""

import numpy as np
import pytest
from codebreaker.games import EXAMPLES, make_game, rules_of

from codebreaker.criteria import CRITERIA
from codebreaker.errors import CodebreakerError
from codebreaker.kernels import demand
from codebreaker.policy import TIE_BREAKS, Policy, make_policy
from codebreaker.tree import GameTree, follow, grow
from codebreaker.weights import Weights

COLUMNS = tuple(GameTree.__dataclass_fields__)


def without_table(name):
    return rules_of(name).on_demand()


def same(one, other):
    """Whether two trees are the same, node for node."""
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in COLUMNS)


@pytest.mark.parametrize("pool", ["all", "consistent"])
@pytest.mark.parametrize("tie_break", TIE_BREAKS)
@pytest.mark.parametrize("name", EXAMPLES)
def test_trees_are_those_of_the_table(name, criterion_name, tie_break, pool):
    policy = make_policy(criterion_name, guess_pool=pool, tie_break=tie_break)
    assert same(grow(without_table(name), policy, threads=2), grow(make_game(name), policy))


@pytest.mark.parametrize("policy", [*CRITERIA, "renyi-0.5", "tsallis-1.3", "stage-weighted"])
@pytest.mark.parametrize("name", ["mm-4-6", "mm-5-4", "bc-4-7", "black-4-5", "mm-3-10"])
def test_trees_of_larger_games_are_those_of_the_table(name, policy):
    if policy == "stage-weighted" and name not in ("mm-4-6", "bc-4-10"):
        pytest.skip("its weights are for four pegs")
    made = make_policy(policy)
    assert same(grow(without_table(name), made), grow(make_game(name), made))


@pytest.mark.parametrize("name", ["context-weighted-5625", "stage-weighted"])
def test_weights_by_turn_and_context_grow_the_same_trees(mm46, name):
    made = make_policy(name, opening="1123")
    assert same(grow(without_table("mm-4-6"), made), grow(mm46, made))
