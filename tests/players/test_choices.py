"""Guesses of players and answers of codemakers, by definition."""

from fractions import Fraction
from functools import cache

import definitions as oracle
import numpy as np
import pytest
from conftest import defined, from_python, game_called, games_with_candidates
from definitions import all_codes, grade, partition, score_entropy, sizes
from hypothesis import given
from hypothesis import strategies as st
from test_contests import play

from codebreaker.errors import CodebreakerError
from codebreaker.players import expectation as results
from codebreaker.players import random_consistent as module
from codebreaker.players.board import code_index, make_board
from codebreaker.players.contest import Series, draw_secrets
from codebreaker.players.devious import DeviousCodemaker, play_deviously, sampling_rule_of
from codebreaker.players.kernels import board as board_kernel
from codebreaker.players.kernels import choosing as kernel
from codebreaker.players.kernels.expectation import expect
from codebreaker.players.kernels.settings import ENTROPY, GENETIC, SearchSettings
from codebreaker.players.longest_plays import longest_play
from codebreaker.players.methods import compare_methods
from codebreaker.players.random_consistent import expected_profile, make_expectation_workspace
from codebreaker.players.registry import PLAYERS, player_spec
from codebreaker.policies.strategy import Strategy
from codebreaker.report.chapters.effort import methods_page
from codebreaker.statistics import standard_error
from codebreaker.trees.grow import grow
from codebreaker.trees.tree import follow

CODES = all_codes(3, 4)

TINY = ["mm-1-3", "mm-2-3", "bc-2-3", "bc-3-3", "black-2-3"]
TINY += ["matches-terminal", "matches-short", "matches-wide", "marks-terminal", "marks-wide"]

NAMES = ["mm-2-2", "mm-2-3", "mm-3-2", "mm-3-3", "bc-2-4", "black-2-3", "marks-wide"]


def drawn_guesses(name, game, candidates):
    """Return the guesses among which a player draws at a set, by the definitions."""
    if name == "random-consistent" or (len(candidates) <= 2 and name.endswith("-consistent")):
        return candidates
    pool = candidates if name.endswith("-consistent") else game.guesses
    if name.startswith("plus"):
        best_by = oracle.best_by_plus2 if name.startswith("plus2") else oracle.best_by_plus
        return list(best_by(pool, candidates, game.grade))
    rule = name.replace("knuth", "worst-case")
    score = next(score for key, score in oracle.SCORES.items() if rule.startswith(key))
    scores = {code: score(sizes(code, candidates, game.grade), lambda _: 1) for code in pool}
    floor = max(scores.values()) - 1e-9
    best = {guess for guess in pool if scores[guess] > floor}
    if name == "knuth" or name.endswith("consistent-first"):
        best = (best & set(candidates)) or best
    return [min(best)] if name == "knuth" else list(best)


RULED = [name for name, spec in PLAYERS.items() if sampling_rule_of(spec) is not None]


def turns_of(name, options=None, repetitions=8):
    log = play(name, "mm-3-4", "123", draw_secrets(64, repetitions, 3), 4, **options or {})
    for secret, guesses, moves, effort in zip(*vars(log).values(), strict=True):
        now = CODES
        for turn in range(1, guesses):
            played = CODES[moves[turn - 1]]
            before = now
            now = [code for code in before if grade(played, code) == grade(played, CODES[secret])]
            yield before, now, CODES[moves[turn]], effort[turn]


@pytest.mark.parametrize("name", RULED)
@pytest.mark.slow
def test_players_draw_one_of_the_best_guesses(name):
    all_codes = not name.endswith("-consistent")
    seen = set()
    for before, candidates, guess, effort in turns_of(name):
        assert guess in drawn_guesses(name, defined("mm-3-4"), candidates)
        assert effort == len(before) + (64 if all_codes and len(candidates) > 1 else 0)
        seen.add(guess in candidates)
    assert (False in seen) == all_codes


@pytest.mark.slow
def test_knuth_has_its_published_total():
    log = play("knuth", "mm-4-6", "1122", np.arange(1296, dtype=np.int32))
    assert np.bincount(log.guesses).tolist() == [0, 1, 6, 62, 533, 694]  # Kooi 2005, Table 7


@pytest.mark.slow
def test_berghmans_player_plays_the_smallest_expected_size_of_all_that_it_collects():
    for _, candidates, guess, effort in turns_of("Berghman"):
        assert guess in drawn_guesses("expected-size-consistent", defined("mm-3-4"), candidates)
        assert effort == 100 * 150  # in a game of 64 codes it never has 60 of them
    small = turns_of("Berghman", {"target": 1, "population": 4})
    assert {effort % 4 for *_, effort in small} == {0}


@pytest.mark.parametrize(
    ("name", "best"), [("eGA-seeded", "entropy-consistent"), ("EvoRank", "most-parts-consistent")]
)
@pytest.mark.parametrize("endgames", [8, 64])
def test_endgames_are_played_by_the_best_candidate(name, best, endgames):
    evolved = 0
    settings = player_spec(name).settings
    lowest = getattr(settings, "evaluations", settings.population)
    for before, candidates, guess, effort in turns_of(name, {"endgames": endgames}):
        if len(candidates) > endgames:
            evolved += 1
            assert effort >= len(before) + lowest
        else:
            assert guess in drawn_guesses(best, defined("mm-3-4"), candidates)
            assert effort == len(before)
    assert (evolved > 0) == (endgames == 8)


@given(st.sets(st.integers(0, 63), min_size=2, max_size=30), st.integers(0, 63), st.booleans())
@pytest.mark.slow
def test_the_cost_of_a_guess_is_minus_its_entropy(drawn, code, prefers):
    board = make_board("mm-3-4")
    work = board_kernel.make_workspace(board)
    work.candidates[: len(drawn)] = sorted(drawn)
    settings = SearchSettings(GENETIC, ENTROPY, int(prefers))
    cost = from_python(kernel.cost_of)(settings, work, board, code, len(drawn))
    entropy = score_entropy(sizes(CODES[code], [CODES[other] for other in drawn]), lambda _: 1)
    preferred = kernel.PREFERENCE if prefers and code in drawn else 0
    assert cost == pytest.approx(-entropy - preferred, abs=1e-10)
    lowest = min(
        from_python(kernel.cost_of)(settings, work, board, guess, len(drawn)) for guess in range(64)
    )
    assert from_python(kernel.minimum_cost)(settings, work, len(drawn)) <= lowest + 2e-9


@pytest.mark.parametrize("kind", ["annealing", "genetic"])
@pytest.mark.parametrize("first", [False, True])
@pytest.mark.slow
def test_searches_find_guesses_of_nearly_the_highest_entropy(kind, first):
    reached = []
    consistent = []
    name = f"{kind}-entropy{'-consistent-first' * first}"
    for before, candidates, guess, effort in turns_of(name):
        if len(candidates) == 1:
            assert guess == candidates[0]
            assert effort == len(before)
            continue
        scores = {code: score_entropy(sizes(code, candidates), lambda _: 1) for code in CODES}
        reached.append(scores[guess] > max(scores.values()) - 1e-8)
        consistent.append(guess in candidates)
        assert len(before) < effort <= len(before) + 1000
    assert np.mean(reached) > 0.95
    assert (np.mean(consistent) > 0.5) == first


def test_the_best_guess_so_far_is_consistent_unless_the_budget_is_spent():
    spent = 0
    options = {"generations": 2, "population": 10}
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
    with pytest.raises(CodebreakerError, match="code '1122' has 4 pegs"):
        compare_methods("mm-3-4", "1122", 4, 10, [{"player": "knuth"}], seed=1)


def literal(player, name):
    """Return two functions: the expected guesses after a guess, and at a set, delayed most.

    The codemaker takes the answer whose part takes the player longest.
    """
    game = defined(name)

    def after(guess, candidates):
        cells = partition(guess, candidates, game.grade)
        cells.pop(game.grade(guess, guess), None)
        return max((expected(tuple(cell)) for cell in cells.values()), default=0)

    @cache
    def expected(candidates):
        guesses = drawn_guesses(player, game, list(candidates)) if candidates[1:] else candidates
        return 1 + np.mean([after(guess, candidates) for guess in guesses])

    return after, expected


@pytest.mark.parametrize("name", NAMES)
def test_random_consistent_play_is_delayed_as_long_as_can_be(name):
    _, expected = literal("random-consistent", name)
    codemaker = DeviousCodemaker(game_called(name), memo_mib=1)
    assert codemaker.expected_guesses() == pytest.approx(expected(tuple(defined(name).secrets)))


@pytest.mark.parametrize("name", RULED)
@pytest.mark.parametrize("played", ["mm-3-3", "mm-2-4"])
def test_players_who_draw_one_of_the_best_guesses_are_delayed_most(name, played):
    game = game_called(played)
    after, _ = literal(name, played)
    for opening in range(0, game.n_guesses, 7):
        codemaker = DeviousCodemaker(game, sampling_rule_of(PLAYERS[name]), opening)
        first = defined(played).guesses[opening]
        most = after(first, defined(played).secrets)
        assert codemaker.expected_guesses() == pytest.approx(1 + most)


@pytest.mark.parametrize("name", ["mm-2-3", "mm-3-3", "matches-wide"])
def test_each_answer_delays_random_consistent_play_most(name):
    game = game_called(name)
    after, expected = literal("random-consistent", name)
    plain = defined(name)
    codemaker = DeviousCodemaker(game, memo_mib=1)
    draw = np.random.default_rng(0)
    for size in (1, 2, 3, 4, 5, game.n_secrets):
        members = np.sort(draw.permutation(game.n_secrets)[:size]).astype(np.int32)
        secrets = [plain.secrets[member] for member in members]
        for guess in range(game.n_guesses):
            cells = partition(plain.guesses[guess], secrets, plain.grade)
            answer = codemaker.answer(guess, members)
            left = [plain.secrets[s] for s in members[game.table[guess, members] == answer]]
            assert left in cells.values()
            if len(cells) > 1:
                assert answer != game.solved
                most = after(plain.guesses[guess], secrets)
                assert expected(tuple(left)) == pytest.approx(most)


@pytest.mark.parametrize("name", ["random-consistent", *RULED])
def test_games_end_with_the_only_code_left_and_have_the_expected_length(name):
    game = game_called("mm-3-4")
    spec = PLAYERS[name]
    opening = code_index("mm-3-4", "112")
    rule = sampling_rule_of(spec)
    codemaker = DeviousCodemaker(game) if rule is None else DeviousCodemaker(game, rule, opening)
    series = Series(spec, make_board("mm-3-4"), opening, 1)
    lengths = []
    for moves in play_deviously(series, codemaker, 60):
        guess, last_answer = moves[-1]
        assert last_answer == game.solved
        assert all(game.table[past_guess, guess] == answer for past_guess, answer in moves)
        lengths.append(len(moves))
    error = standard_error(np.array(lengths))
    assert abs(np.mean(lengths) - codemaker.expected_guesses()) <= 4 * error


def test_a_strategy_is_delayed_up_to_its_maximum():
    game = game_called("mm-3-4")
    tree = grow(game, Strategy("entropy"))
    play = longest_play(game, tree)
    assert len(play) == tree.max_guesses
    assert follow(game, tree, play[-1][0]) == play


def test_the_rule_of_players_who_search_or_sample_is_not_known():
    assert set(RULED) >= {"entropy-consistent", "plus2-consistent", "entropy-all", "knuth"}
    assert not {"random-consistent", "entropy-consistent-half", "eGA-seeded"} & set(RULED)


@pytest.mark.parametrize("name", TINY)
def test_the_expected_profile_is_that_of_the_definition(name):
    profile = expected_profile(game_called(name), 0.01)
    expected = oracle.random_consistent(defined(name), defined(name).secrets)
    assert profile == pytest.approx([*map(float, expected)], rel=1e-13)


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
        work = make_expectation_workspace(game, memo_mib)
        length = from_python(expect)(work, 0, candidates[:14])
        profiles.append(work.profiles[0, :length])
    assert profiles[0].tolist() == profiles[1].tolist() == profiles[2].tolist()


def test_games_that_go_too_deep_are_refused(monkeypatch):
    assert expected_profile(game_called("black-1-12")).tolist() == pytest.approx([1.0] * 12)
    monkeypatch.setattr(module, "DEEPEST", 4)
    assert expected_profile(game_called("black-1-4")).tolist() == pytest.approx([1.0] * 4)
    for colours in (5, 6, 7, 8, 9, 12):
        with pytest.raises(CodebreakerError, match="takes over 4 turns"):
            expected_profile(game_called(f"black-1-{colours}"))


def test_an_expectation_is_read_back_in_fractions(tmp_path):
    path = tmp_path / "random-consistent.json"
    profile = np.array([1.0, 1.75, 0.25])
    results.write_expectation(game_called("mm-1-3"), "random-consistent", profile, path)
    expectation = results.read_expectation(path)
    assert expectation.profile == profile.tolist()
    assert Fraction(expectation.mean_guesses) == Fraction(7, 4)
    assert (expectation.max_guesses, expectation.secrets) == (3, 3)
