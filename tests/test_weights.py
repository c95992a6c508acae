"""Weights: the published ones, and refused ones."""

import numpy as np
import pytest

from codebreaker.errors import CodebreakerError, DamagedFileError
from codebreaker.games.registry import rules_of
from codebreaker.policies.weights import Weights, published, published_names, read_weights


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


def test_unknown_and_damaged_weights_are_named(tmp_path):
    with pytest.raises(
        CodebreakerError, match=r"unknown weights 'gur-2025-stages'.*'gur-2025-stage'"
    ):
        published("gur-2025-stages")
    half = tmp_path / "half.json"
    half.write_text('{"name": "half",', encoding="utf-8")
    with pytest.raises(DamagedFileError, match=r"half\.json is damaged.*delete it"):
        read_weights(half)
