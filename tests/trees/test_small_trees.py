"""Trees in plain NumPy are those of the compiled code, node by node."""

from functools import partial

import pytest
from conftest import notation_of, same

from codebreaker.errors import CodebreakerError
from codebreaker.games.registry import make_game
from codebreaker.games.tables import weighted
from codebreaker.policies.registry import policy_names
from codebreaker.policies.strategy import Strategy
from codebreaker.sets.hard import allowed_after
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import choose, grow
from codebreaker.trees.small import grow_small

GAMES = ["mm-3-4", "bc-3-5", "black-2-5", "marks-short"]
SINGLE = [name for name in policy_names() if Strategy(name).is_single_score]
TIES = [
    "consistent then lexicographic",
    "lexicographic",
    "first consistent then last",
    "consistent then reversed lexicographic",
]


def check(game, strategy):
    start = Frontier.initial(game)
    if strategy.guess_pool == "hard":
        start = start.with_pool(allowed_after(game))
    try:
        expected = grow(game, strategy)
    except CodebreakerError as why:
        with pytest.raises(CodebreakerError, match=str(why).split(":")[0]):
            grow_small(game, start, partial(choose, game, strategy, backend="numpy"))
        return
    assert same(grow_small(game, start, partial(choose, game, strategy, backend="numpy")), expected)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("policy", SINGLE)
@pytest.mark.parametrize("pool", [None, "consistent"])
def test_policies(name, policy, pool):
    check(notation_of(name).game, Strategy(policy, guess_pool=pool))


@pytest.mark.parametrize("tie_break", TIES)
@pytest.mark.parametrize("policy", SINGLE)
@pytest.mark.parametrize("name", ["mm-3-5", "bc-3-5"])
def test_tie_breaks(name, policy, tie_break):
    check(make_game(name), Strategy(policy, tie_break=tie_break))


@pytest.mark.parametrize("policy", SINGLE)
def test_priors(policy):
    game = make_game("mm-3-3")
    weights = {code: 1 + number % 5 for number, code in enumerate(game.secrets)}
    check(weighted(game, weights), Strategy(policy))


def test_hard_mode_and_openings():
    check(notation_of("marks-short").game, Strategy("entropy", guess_pool="hard"))
    game = make_game("mm-3-4")
    check(game, Strategy("entropy", game.guesses[-1]))
    check(game, Strategy("entropy", "444,123"))
