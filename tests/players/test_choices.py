"""The guesses of players, compared with literal definitions over all candidates of each turn."""

import numpy as np
import pytest
from conftest import defined
from definitions import all_codes, feedback_order, grade, score_entropy, score_most_parts, sizes
from hypothesis import given
from hypothesis import strategies as st
from test_contests import play
from test_devious import RULED, drawn_guesses

from codebreaker.errors import CodebreakerError
from codebreaker.players.board import make_board
from codebreaker.players.comparisons import compare_methods
from codebreaker.players.contest import draw_secrets
from codebreaker.players.kernels import searching as kernel
from codebreaker.players.kernels.board import make_workspace
from codebreaker.players.kernels.sampling import PREFERENCE
from codebreaker.players.registry import player_spec
from codebreaker.report.chapters.effort import methods_page

CODES = all_codes(3, 4)

WEIGHTS = dict.fromkeys(feedback_order(3), 1).get
"""Every weight is 1."""


def turns_of(name, options=None, rounds=8):
    """Every turn after the opening: the candidates before and now, the guess, its evaluations."""
    log = play(name, "mm-3-4", "123", draw_secrets(64, rounds, 3), 4, **options or {})
    for secret, guesses, moves, effort in zip(*vars(log).values(), strict=True):
        now = CODES
        for turn in range(1, guesses):
            played, before = CODES[moves[turn - 1]], now
            now = [one for one in before if grade(played, one) == grade(played, CODES[secret])]
            yield before, now, CODES[moves[turn]], effort[turn]


def entropies(guesses, candidates):
    """The entropy of each guess over the candidates."""
    return {code: score_entropy(sizes(code, candidates), WEIGHTS) for code in guesses}


@pytest.mark.parametrize("name", RULED)
def test_players_draw_one_of_the_best_guesses(name):
    all_codes, seen = not name.endswith("-consistent"), set()
    for before, candidates, guess, effort in turns_of(name):
        assert guess in drawn_guesses(name, defined("mm-3-4"), candidates)
        assert effort == len(before) + (64 if all_codes and len(candidates) > 1 else 0)
        seen.add(guess in candidates)
    assert (False in seen) == all_codes


def test_knuth_has_its_published_total():
    log = play("knuth", "mm-4-6", "1122", np.arange(1296, dtype=np.int32))
    assert np.bincount(log.guesses).tolist() == [0, 1, 6, 62, 533, 694]  # Kooi 2005, Table 7


@pytest.mark.parametrize(
    ("name", "score"), [("eGA-seeded", score_entropy), ("EvoRank", score_most_parts)]
)
@pytest.mark.parametrize("endgames", [8, 64])
def test_endgames_are_played_by_the_best_candidate(name, score, endgames):
    evolved, settings = 0, player_spec(name).settings
    for before, candidates, guess, effort in turns_of(name, {"endgames": endgames}):
        if len(candidates) > endgames:
            evolved += 1
            least = getattr(settings, "evaluations", settings.population)
            assert effort >= len(before) + least
            continue
        scores = {one: score(sizes(one, candidates), WEIGHTS) for one in candidates}
        assert scores[guess] == pytest.approx(max(scores.values()), abs=1e-8)
        assert effort == len(before)
    assert (evolved > 0) == (endgames == 8)


@given(st.sets(st.integers(0, 63), min_size=2, max_size=30), st.integers(0, 63), st.booleans())
def test_the_cost_of_a_guess_is_minus_its_entropy(drawn, code, prefers):
    board = make_board("mm-3-4")
    work = make_workspace(board)
    work.candidates[: len(drawn)] = sorted(drawn)
    settings = kernel.SearchSettings(kernel.GENETIC, kernel.ENTROPY, int(prefers))
    cost = kernel.cost_of(settings, work, board, code, len(drawn))
    entropy = entropies([CODES[code]], [CODES[one] for one in drawn])[CODES[code]]
    preferred = PREFERENCE if prefers and code in drawn else 0
    assert cost == pytest.approx(-entropy - preferred, abs=1e-10)
    least = min(kernel.cost_of(settings, work, board, one, len(drawn)) for one in range(64))
    assert kernel.least_cost(settings, work, len(drawn)) <= least + 2e-9


@pytest.mark.parametrize("kind", ["annealing", "genetic"])
@pytest.mark.parametrize("first", [False, True])
def test_searches_find_guesses_of_nearly_the_highest_entropy(kind, first):
    reached, consistent = [], []
    for before, candidates, guess, effort in turns_of(
        f"{kind}-entropy{'-consistent-first' * first}"
    ):
        if len(candidates) == 1:
            assert guess == candidates[0]
            assert effort == len(before)
            continue
        scores = entropies(CODES, candidates)
        reached.append(scores[guess] > max(scores.values()) - 1e-8)
        consistent.append(guess in candidates)
        assert len(before) < effort <= len(before) + 1000
    assert np.mean(reached) > 0.95
    assert (np.mean(consistent) > 0.5) == first


def test_the_best_guess_so_far_is_consistent_unless_the_budget_is_spent():
    spent, options = 0, {"generations": 2, "population": 10}
    for _, candidates, guess, effort in turns_of("best-so-far", options):
        assert guess in candidates or effort == 20
        assert effort <= 20
        spent += guess not in candidates
    assert spent > 0


def test_methods_are_compared_on_the_same_secrets():
    players = [
        {"player": "random-consistent", "opening": None, "options": {}},
        {"player": "knuth", "opening": "112", "options": {}},
        {"player": "eGA-seeded", "opening": None, "options": {"endgames": 9}},
    ]
    table = compare_methods("mm-3-4", "123", 1, 4, players, seed=2)
    secrets = draw_secrets(64, 1, 2)
    log = play("knuth", "mm-3-4", "112", secrets, 2)
    random = play("random-consistent", "mm-3-4", "123", secrets, 2)
    row = table.row(1, named=True)
    assert row["mean_guesses"] == log.guesses.mean()
    assert row["won_within_4"] == (log.guesses <= 4).mean()
    gaps = log.guesses - random.guesses
    assert row["difference"] == pytest.approx(gaps.mean())
    assert row["difference_error"] == pytest.approx(gaps.std(ddof=1) / 8)
    assert row["mean_evaluations"] == pytest.approx(log.evaluations.sum() / 64)
    assert table["opening"].to_list() == ["random", "112", "123"]
    assert table["difference"][0] == 0
    assert (table["ms_per_game"] > 0).all()
    text = methods_page("test", table)
    assert "| eGA-seeded | endgames 9 | 123 | 64 |" in text
    assert "won within 4" in text


def test_an_opening_of_another_size_is_refused():
    with pytest.raises(CodebreakerError, match="code '1122' has 4 pegs"):
        compare_methods("mm-3-4", "1122", 4, 10, [{"player": "knuth"}], seed=1)
