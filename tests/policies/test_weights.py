"""Weights: the published ones, and refused ones."""

import numpy as np
import pytest

from codebreaker.errors import CodebreakerError
from codebreaker.games.registry import rules_of
from codebreaker.policies.weights import Weights, published, published_names


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


@pytest.mark.parametrize("value", [0.0, -0.1, 1.01, np.nan])
def test_weights_outside_their_bounds_are_refused(value):
    with pytest.raises(CodebreakerError, match=r"must all lie in \(0, 1\]"):
        Weights("odd", "test", ("0B-0C", "1B-0C"), np.array([[0.5, value]]))


def test_weights_of_the_wrong_shape_are_refused():
    with pytest.raises(CodebreakerError, match="each turn needs 2"):
        Weights("odd", "test", ("0B-0C", "1B-0C"), np.ones((2, 3)))


def test_unknown_weights_are_refused_with_the_nearest():
    with pytest.raises(
        CodebreakerError, match=r"unknown weights 'gur-2025-stages'.*'gur-2025-stage'"
    ):
        published("gur-2025-stages")
