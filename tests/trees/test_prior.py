"""Games whose secrets have weights: guesses, trees and expectations by definition."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from conftest import CRITERION_NAMES, game_called, same
from hypothesis import given
from hypothesis import strategies as st

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import read_game, write_game
from codebreaker.games.symmetry import orbits
from codebreaker.games.tables import LARGEST_SUM, restricted, weighted
from codebreaker.policies.criterion import LARGEST_MEASURED
from codebreaker.policies.registry import JOINED
from codebreaker.policies.strategy import Strategy
from codebreaker.search.endgames import endgames_of
from codebreaker.search.solver import Solver
from codebreaker.search.weighted import WeightedSearch
from codebreaker.trees.batch import grow_all
from codebreaker.trees.grow import expected_guesses, grow, guesses_by_secret
from codebreaker.trees.io import key_of
from codebreaker.trees.metrics import strategies
from codebreaker.trees.tree import follow

SMALL = ["mm-2-3", "mm-3-3", "mm-2-3-distinct", "bc-3-3", "black-3-3", "marks-wide", "matches-wide"]


def with_weights(game, weights):
    return weighted(game, dict(zip(game.secrets, weights, strict=True)))


@st.composite
def games_with_weights(draw):
    game = game_called(draw(st.sampled_from(SMALL)))
    n = game.n_secrets
    return with_weights(game, draw(st.lists(st.integers(0, 9), min_size=n, max_size=n).filter(any)))


@pytest.mark.parametrize("name", CRITERION_NAMES)
@pytest.mark.parametrize("played", ["mm-3-4", "marks-wide", "bc-3-5"])
def test_equal_weights_change_nothing(name, played):
    game, policy = game_called(played), Strategy(name)
    tree = grow(game, policy)
    assert with_weights(game, [7] * game.n_secrets).prior is None
    assert same(tree, grow(replace(game, prior=np.ones(game.n_secrets, np.int64)), policy))
    assert expected_guesses(game, tree) == Fraction(tree.total_guesses, game.n_secrets)


@given(games_with_weights(), st.sampled_from(["entropy", "worst-case", "expected-size"]))
def test_expected_guesses_and_tables_are_those_of_games_against_each_secret(game, name):
    policy = Strategy(name)
    tree = grow(game, policy)
    tree.check()
    guesses = [len(follow(game, tree, secret)) for secret in range(game.n_secrets)]
    assert guesses_by_secret(game, tree).tolist() == guesses
    played = np.repeat(guesses, 1 if game.prior is None else game.prior)
    assert expected_guesses(game, tree) == Fraction(int(played.sum()), len(played))
    row = strategies([(tree, key_of(game, policy, tree, name))], [game]).row(0, named=True)
    assert row["mean_guesses"] == pytest.approx(np.mean(played), abs=1e-6)
    assert row["std_guesses"] == pytest.approx(np.std(played), abs=1e-6)
    assert (row["total_guesses"], row["secrets"]) == (sum(guesses), game.n_secrets)


@given(games_with_weights(), st.integers(2, 9))
def test_endgames_are_optimal_by_the_weights(game, largest):
    policy = Strategy("worst-case", endgames=largest)
    tree = grow(game, policy, endgames=endgames_of(game, policy))
    prior = np.ones(game.n_secrets, dtype=np.int64) if game.prior is None else game.prior
    search = WeightedSearch(game, prior, memo_mib=0.1)
    total, opening = search.minimum()
    best = expected_guesses(game, search.tree(opening))
    assert best == Fraction(total, int(prior.sum())) <= expected_guesses(game, tree)
    if game.n_secrets <= largest:
        by_criterion = grow(game, Strategy("worst-case", game.guesses[tree.guess[0]]))
        assert expected_guesses(game, tree) <= expected_guesses(game, by_criterion)


def test_weights_keep_the_symmetries_that_they_have_themselves(mm46):
    colours = [len(set(code)) for code in mm46.secrets]
    alike = with_weights(mm46, [max(0, n - 1) for n in colours])
    assert (alike.n_secrets, alike.name) == (1290, "mm-4-6 with 1290 secrets")
    assert len(np.unique(orbits(alike, []))) == 5
    assert with_weights(mm46, [2, *[1] * 1295]).symmetry is None


def test_a_game_with_a_prior_is_written_and_read(tmp_path):
    game = with_weights(game_called("mm-2-3"), [0, 2, 4, 0, 6, 2, 2, 2, 4])
    write_game(game, tmp_path / "game.npz")
    again = read_game(tmp_path / "game.npz")
    assert again.prior.tolist() == game.prior.tolist() == [1, 2, 3, 1, 1, 1, 2]
    assert again.digest == game.digest != replace(game, prior=None).digest
    assert restricted(game, ["12", "13"]).prior.tolist() == [1, 2]
    assert restricted(game, ["12", "31"]).prior is None


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"12": 1, "99": 2}, "'99' is not a secret of mm-2-3"),
        ({"12": 1, "99": 0}, "'99' is not a secret of mm-2-3"),
        ({"12": 0.5, "11": 2}, "the weight 0.5: weights are integers from 0"),
        ({"12": 0}, "give at least one secret"),
        ({"12": LARGEST_SUM, "11": 1}, "divide them by a common factor"),
    ],
    ids=["unknown", "unknown-of-none", "fraction", "none", "large"],
)
def test_weights_that_are_none_are_refused(weights, message):
    with pytest.raises(CodebreakerError, match=message):
        weighted(game_called("mm-2-3"), weights)


def test_computations_for_uniform_priors_refuse_others():
    game = weighted(game_called("mm-2-3"), {"12": 1, "13": 2, "33": LARGEST_MEASURED})
    with pytest.raises(CodebreakerError, match=r"add up to 4,194,307: entropy takes at most"):
        grow(game, Strategy("entropy"))
    assert grow(game, Strategy("expected-size")).max_guesses == 2
    heavy = weighted(game_called("mm-2-3"), {"12": 1, "13": 2, "33": 2**53})
    with pytest.raises(CodebreakerError, match="expected-size takes at most 3,002,399,751,580,330"):
        grow(heavy, Strategy("expected-size"))
    assert grow(heavy, Strategy("worst-case")).max_guesses == 2
    for refused in (
        lambda: Solver(game),
        lambda: grow_all(game, [Strategy("worst-case")]),
        lambda: grow(game, Strategy(next(iter(JOINED)))),
    ):
        with pytest.raises(CodebreakerError, match="equally likely: leave out the prior"):
            refused()
