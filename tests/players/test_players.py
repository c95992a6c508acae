"""Expected profiles of random play, compared with literal play in fractions."""

from fractions import Fraction

import numpy as np
import pytest
from conftest import defined, game_called, games_with_candidates
from definitions import random_consistent
from hypothesis import given

from codebreaker.errors import CodebreakerError
from codebreaker.players import random_consistent as module
from codebreaker.players.kernels import expectation as kernel
from codebreaker.players.random_consistent import (
    expected_profile,
    make_workspace,
    read_expectation,
    write_expectation,
)

TINY = ["mm-1-3", "mm-2-3", "bc-2-3", "bc-3-3", "black-2-3"]
TINY += ["matches-terminal", "matches-short", "matches-wide", "marks-terminal", "marks-wide"]


@pytest.mark.parametrize("name", TINY)
def test_the_expected_profile_is_that_of_the_definition(name):
    profile = expected_profile(game_called(name), 0.01)
    expected = random_consistent(defined(name), defined(name).secrets)
    assert profile == pytest.approx([float(share) for share in expected], rel=1e-13)


def test_every_secret_is_solved(game):
    profile = expected_profile(game, 1)
    assert profile.sum() == pytest.approx(game.n_secrets, rel=1e-12)
    assert profile[0] == pytest.approx(1, rel=1e-12)
    assert (profile > 0).all()


@given(games_with_candidates(["mm-2-6", "mm-3-3", "bc-3-5", "black-3-3", "marks-short"]))
def test_the_size_of_the_memo_changes_nothing(drawn):
    game, candidates = drawn
    profiles = []
    for memo_mib in (0.0, 0.0003, 1.0):
        work = make_workspace(game, memo_mib)
        length = kernel.expect(work, 0, candidates[:14])
        profiles.append(work.profiles[0, :length])
    assert profiles[0].tolist() == profiles[1].tolist() == profiles[2].tolist()


def test_symmetries_change_nothing(monkeypatch):
    game = game_called("mm-3-4")
    folded = expected_profile(game)
    monkeypatch.setattr(module, "orbits", lambda game, history: np.arange(game.n_guesses))
    assert folded == pytest.approx(expected_profile(game), rel=1e-12)


def test_games_that_go_too_deep_are_refused(monkeypatch):
    assert expected_profile(game_called("black-1-12")).tolist() == pytest.approx([1.0] * 12)
    monkeypatch.setattr(module, "DEEPEST", 4)
    assert expected_profile(game_called("black-1-4")).tolist() == pytest.approx([1.0] * 4)
    for colours in (5, 6, 7, 8, 9, 12):
        with pytest.raises(CodebreakerError, match="takes over 4 turns"):
            expected_profile(game_called(f"black-1-{colours}"))


def test_an_expectation_is_read_back_in_fractions(tmp_path):
    path, profile = tmp_path / "random-consistent.json", np.array([1.0, 1.75, 0.25])
    write_expectation(game_called("mm-1-3"), "random-consistent", profile, path)
    expectation = read_expectation(path)
    assert expectation.profile == profile.tolist()
    assert Fraction(expectation.mean_guesses) == Fraction(7, 4)
    assert (expectation.max_guesses, expectation.secrets) == (3, 3)
