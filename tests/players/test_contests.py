"""Players: games checked against the rules, logs, and the statistics of contests."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from conftest import game_called, same
from definitions import all_codes, grade, score_entropy, sizes
from hypothesis import given
from hypothesis import strategies as st

from codebreaker.analysis.contests import contest_summary, holm, pairwise_tests
from codebreaker.errors import CodebreakerError
from codebreaker.files import write_frame
from codebreaker.players import contest
from codebreaker.players.board import (
    _masks,
    code_index,
    make_board,
    make_workspace,
    mastermind_rules,
)
from codebreaker.players.contest import Series, draw_secrets, play_batch, play_games
from codebreaker.players.entropic import EVALUATIONS, POPULATION
from codebreaker.players.evorank import own_opening
from codebreaker.players.io import log_frame, read_log
from codebreaker.players.kernels import board as kernel
from codebreaker.players.kernels.entropic import most_informative
from codebreaker.players.random_consistent import expected_profile, mean_guesses
from codebreaker.players.registry import PLAYERS, player_spec
from codebreaker.report.charts import players as report
from codebreaker.report.tables.guide import guide, player_table

SIZES = {"mm-2-3": (2, 3), "mm-3-4": (3, 4), "mm-4-3": (4, 3)}


@pytest.mark.parametrize("name", [*SIZES, "mm-4-6"])
def test_feedback_on_demand_is_that_of_the_table(name):
    game, board = game_called(name), make_board(name)
    draw = np.random.default_rng(1)
    for guess, secret in draw.integers(game.n_guesses, size=(300, 2)).tolist():
        assert kernel.feedback_between(board, guess, secret) == game.table[guess, secret]
    assert mastermind_rules(name).labels() == game.guesses
    assert [code_index(name, label) for label in game.guesses[:40]] == list(range(40))[
        : game.n_guesses
    ]


@given(st.lists(st.integers(1, 8), min_size=16, max_size=16))
def test_masks_share_the_bits_of_pegs_in_place_and_of_colours_in_common(pegs):
    one, other = tuple(pegs[:8]), tuple(pegs[8:])
    codes = np.array([one, other], np.uint8) - 1
    counts = np.array([np.bincount(code, minlength=8) for code in codes], np.uint8)
    masks = _masks(codes, counts)
    black, white = grade(one, other)
    shared = [(int(first) & int(second)).bit_count() for first, second in zip(*masks, strict=True)]
    assert shared == [black, black + white]
    assert [int(kernel.bits_in(mask)) for mask in masks[0]] == [8, 8]
    assert len(_masks(codes[:, :7], np.zeros((2, 10), np.uint8))) == 0


@given(st.sampled_from(list(SIZES)), st.lists(st.integers(0, 10**6), min_size=2, max_size=6))
def test_distance_is_the_sum_of_the_differences_in_pegs(name, drawn):
    board, codes = make_board(name), all_codes(*SIZES[name])
    secret, code, *guesses = [number % len(codes) for number in drawn]
    feedback = [kernel.feedback_between(board, guess, secret) for guess in guesses]
    expected = 0
    for guess in guesses:
        own, observed = grade(codes[guess], codes[code]), grade(codes[guess], codes[secret])
        expected += abs(own[0] - observed[0]) + abs(own[1] - observed[1])
    played = board._replace(
        guesses=np.array(guesses, np.int32), feedback=np.array(feedback, np.int32)
    )
    assert kernel.distance(played, code) == expected
    assert kernel.distance(played, secret) == 0


@given(st.integers(0, 80), st.integers(0, 80), st.integers(0, 3), st.integers(0, 3))
def test_codes_are_varied_peg_by_peg(one, other, first, second):
    board, codes = make_board("mm-4-3"), all_codes(4, 3)
    changed = list(codes[one])
    changed[first] = 3
    assert codes[kernel.with_peg(board, one, first, 2)] == tuple(changed)
    swapped = list(codes[one])
    swapped[first], swapped[second] = swapped[second], swapped[first]
    assert codes[kernel.with_swap(board, one, first, second)] == tuple(swapped)
    assert codes[kernel.cross(board, one, other, first)] == (
        *codes[one][:first],
        *codes[other][first:],
    )


def test_draws_are_uniform_and_those_of_their_seed():
    state = np.array([7], np.uint64)
    drawn = np.array([kernel.draw(state, 20) for _ in range(40000)])
    counts = np.bincount(drawn, minlength=20)
    assert ((counts - 2000) ** 2 / 2000).sum() < 43.8  # 0.1 % of chi-squared, 19 degrees
    again = np.array([7], np.uint64)
    assert [kernel.draw(again, 20) for _ in range(50)] == drawn[:50].tolist()


@pytest.fixture(params=list(PLAYERS))
def name(request):
    """Every registered player."""
    return request.param


@pytest.mark.parametrize("game", ["mm-2-3", "mm-3-4"])
def test_games_end_with_the_secret_and_guesses_are_consistent_where_promised(name, game):
    board = make_board(game)
    secrets = draw_secrets(len(board.codes), 60, 2)
    opening = code_index(game, "112"[: board.codes.shape[1]])
    log = play_batch(Series(player_spec(name), board, opening, 5), secrets, 0)
    assert player_spec(name).citation
    for secret, guesses, moves, effort in zip(
        log.secrets, log.guesses, log.moves, log.evaluations, strict=True
    ):
        played = moves[:guesses].tolist()
        assert played[-1] == secret
        assert (moves[guesses:] == -1).all()
        assert secret not in played[:-1]
        for turn, guess in enumerate(played if player_spec(name).consistent else []):
            for before in played[:turn]:
                observed = kernel.feedback_between(board, before, secret)
                assert kernel.feedback_between(board, before, guess) == observed
        assert effort[0] == 0
        assert (effort[1:guesses] > 0).all()
        assert (effort[guesses:] == 0).all()
    openings = set(log.moves[:, 0].tolist())
    if name.startswith("EvoRank"):
        assert openings == {own_opening(board)}
    elif name != "random-consistent":
        assert openings == {opening}


def test_codes_too_long_for_masks_are_played_alike(name):
    board = make_board("mm-3-4")
    secrets = draw_secrets(64, 20, 2)
    plain = board._replace(masks=board.masks[:0])
    logs = [play_batch(Series(player_spec(name), one, 1, 5), secrets, 0) for one in (board, plain)]
    assert same(*logs)


def test_the_guide_lists_the_players(logs, table):
    summary = contest_summary(logs)
    claims = pl.DataFrame({"verdict": ["wrong"], "rule": [""], "file": [""]})
    assert player_table(summary) in guide(table, claims, summary)
    assert len(player_table(summary).splitlines()) == 2 + 3


def test_evorank_opens_with_the_pattern_abca():
    for game, label in (("mm-4-6", "1231"), ("mm-3-4", "121"), ("mm-5-8", "12341")):
        board = make_board(game)
        assert own_opening(board) == code_index(game, label)


def test_random_play_agrees_with_its_expectation():
    board, games = make_board("mm-3-4"), 4000
    secrets = draw_secrets(64, games, 1)
    log = play_batch(Series(player_spec("random-consistent"), board, 0, 1), secrets, 0)
    expected = mean_guesses(expected_profile(game_called("mm-3-4")))
    error = log.guesses.std() / games**0.5
    assert abs(log.guesses.mean() - expected) < 4 * error


@given(st.sets(st.integers(0, 63), min_size=1, max_size=20))
def test_the_most_informative_code_has_the_highest_entropy(drawn):
    board, codes = make_board("mm-3-4"), all_codes(3, 4)
    work = make_workspace(board)
    work.candidates[: len(drawn)] = sorted(drawn)
    chosen = codes[most_informative(board, work, len(drawn))]
    some = {codes[code] for code in drawn}
    entropies = {one: score_entropy(sizes(one, some - {one}), lambda _: 1) for one in some}
    assert entropies[chosen] == pytest.approx(max(entropies.values()), abs=1e-8)


def test_evolution_takes_complete_generations_and_enough_evaluations():
    board = make_board("mm-4-6")
    log = play_batch(Series(player_spec("eGACo-random"), board, 8, 1), draw_secrets(1296, 60, 1), 0)
    effort = log.evaluations[log.evaluations > 0]
    assert (effort % POPULATION == 0).all()
    assert effort.min() == EVALUATIONS
    assert effort.max() > EVALUATIONS


@given(st.integers(1, 200), st.integers(1, 500), st.integers(0, 9))
def test_secrets_are_used_as_evenly_as_possible(n_codes, games, seed):
    counts = np.bincount(draw_secrets(n_codes, games, seed), minlength=n_codes)
    assert counts.sum() == games
    assert counts.max() - counts.min() <= 1


def test_threads_and_finished_batches_change_no_game(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(contest, "BATCH", 16)
    contest.log.propagate = True
    board, secrets = make_board("mm-3-4"), draw_secrets(64, 70, 3)
    series = Series(player_spec("eGACm-seeded"), board, 6, 9)
    expected = play_games(series, secrets, 1, tmp_path / "one")
    assert same(play_games(series, secrets, 3, tmp_path / "three"), expected)
    batches = sorted((tmp_path / "three").glob("*.npz"))
    assert len(batches) == 5
    stamps = [path.stat().st_mtime_ns for path in batches]
    batches[1].write_bytes(batches[1].read_bytes()[:-40])
    batches[2].unlink()
    assert same(play_games(series, secrets, 2, tmp_path / "three"), expected)
    assert f"{batches[1]} is damaged, its games are played again" in caplog.text
    after = [path.stat().st_mtime_ns for path in batches]
    assert [old == new for old, new in zip(stamps, after, strict=True)] == [
        True, False, False, True, True,
    ]  # fmt: skip
    other = play_games(replace(series, seed=10), secrets, 2, tmp_path / "three")
    assert not same(other, expected)


def test_games_that_are_too_long_are_refused(monkeypatch):
    monkeypatch.setattr(contest, "MOST_TURNS", 2)
    series = Series(player_spec("random-consistent"), make_board("mm-4-6"), 0, 1)
    with pytest.raises(CodebreakerError, match="random-consistent needs over 2 guesses"):
        play_batch(series, draw_secrets(1296, 40, 1), 0)


def test_options_are_taken_and_unknown_ones_refused():
    board, secrets = make_board("mm-4-6"), draw_secrets(1296, 30, 1)

    def play(name, **options):
        return play_batch(Series(player_spec(name), board, 8, 1, options), secrets, 0)

    small = play("EvoRank", population=100)
    assert (small.evaluations % 100 == 0).all()
    assert small.evaluations.sum() < play("EvoRank").evaluations.sum()
    long = play("eGA-seeded", evaluations=2000)
    assert long.evaluations[long.evaluations > 0].min() == 2000
    keeping, plain = play("eGA-random", keeps=1), play("eGA-random")
    assert (keeping.moves[:, :2] == plain.moves[:, :2]).all()
    assert (keeping.moves != plain.moves).any()
    with pytest.raises(CodebreakerError, match="unknown option of EvoRank 'populations': did you"):
        player_spec("EvoRank").check(["populations"])


def test_other_games_and_players_are_refused():
    with pytest.raises(CodebreakerError, match="play only Mastermind, not 'bc-4-10'"):
        make_board("bc-4-10")
    with pytest.raises(CodebreakerError, match="mm-9-9' has 9 pegs and 387,420,489 combinations"):
        make_board("mm-9-9")
    with pytest.raises(CodebreakerError, match="unknown player 'eGA-seed': did you mean 'eGA-s"):
        player_spec("eGA-seed")


@pytest.fixture(scope="module")
def logs():
    """The games of some players."""
    board = make_board("mm-4-6")
    secrets, labels = draw_secrets(1296, 40, 1), mastermind_rules("mm-4-6").labels()
    names = ("random-consistent", "eGA-seeded", "EvoRank")
    played = [play_batch(Series(player_spec(name), board, 8, 1), secrets, 0) for name in names]
    return pl.concat(
        log_frame("six", "mm-4-6", name, log, labels)
        for name, log in zip(names, played, strict=True)
    )


def test_logs_are_read_back_and_end_with_the_secret(logs, tmp_path):
    write_frame(logs, tmp_path / "log.parquet")
    assert read_log(tmp_path / "log.parquet").equals(logs)
    for moves, guesses, secret in zip(logs["moves"], logs["guesses"], logs["secret"], strict=True):
        assert len(moves.split()) == guesses
        assert moves.split()[-1] == secret


def test_the_summary_sets_means_beside_published_ones(logs):
    told = contest_summary(logs)
    row = told.row(by_predicate=pl.col("player") == "eGA-seeded", named=True)
    games = logs.filter(pl.col("player") == "eGA-seeded")["guesses"].to_numpy()
    assert row["mean_guesses"] == pytest.approx(games.mean())
    assert row["guesses_error"] == pytest.approx(games.std(ddof=1) / 40**0.5)
    error = np.hypot(row["guesses_error"], 0.011)
    assert row["guesses_gap"] == pytest.approx((games.mean() - 4.438) / error)
    assert told.row(0, named=True)["published_guesses"] is None


def test_every_pair_is_tested(logs):
    tests = pairwise_tests(logs)
    pairs = set(combinations(("random-consistent", "eGA-seeded", "EvoRank"), 2))
    assert set(tests.select("player", "other").unique().rows()) == pairs
    assert tests.height == 2 * len(pairs)
    effort = tests.filter(pl.col("measure") == "evaluations", pl.col("other") == "EvoRank")
    assert (effort["p_holm"] < 1e-6).all()
    assert (tests["p_holm"] >= tests["p"]).all()


def test_holm_is_the_published_procedure():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.5]) == pytest.approx([1.0, 1.0])
    assert holm([]) == []


def test_tables_and_charts_tell_the_players(logs):
    told = contest_summary(logs)
    text = report.to_markdown(told, pairwise_tests(logs))
    assert "4.438 ± 0.011" in text
    for chart in (report.means_chart(told, "six"), report.evaluations_chart(logs, "six")):
        assert "fewest" in chart.to_dict()["title"]["text"]
