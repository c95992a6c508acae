"""Games of players, logs and contests."""

import math
from dataclasses import replace
from functools import partial
from random import Random

import numpy as np
import polars as pl
import pytest
from conftest import from_python, game_called, same
from definitions import all_codes, evolved, grade, score_entropy, sizes
from hypothesis import given
from hypothesis import strategies as st

from codebreaker.errors import CodebreakerError
from codebreaker.players import contest
from codebreaker.players.board import code_index, make_board, mastermind_rules
from codebreaker.players.comparisons import contest_summary, setting_of
from codebreaker.players.contest import Series, draw_secrets, play_batch, play_games
from codebreaker.players.expectation import mean_guesses
from codebreaker.players.kernels import board as kernel
from codebreaker.players.kernels import evolving
from codebreaker.players.kernels.settings import CERTAIN, EntropicSettings
from codebreaker.players.logs import log_frame
from codebreaker.players.methods import compare_methods
from codebreaker.players.random_consistent import expected_profile
from codebreaker.players.registry import PLAYERS, RANGES, own_opening, player_spec
from codebreaker.sets.primitives import draw
from codebreaker.statistics import standard_error

SIZES = {"mm-2-3": (2, 3), "mm-3-4": (3, 4), "mm-4-3": (4, 3)}


def play(name, game, opening, secrets, seed=1, **options):
    series = Series(player_spec(name), make_board(game), code_index(game, opening), seed, options)
    return play_batch(series, secrets, 0)


def after(board, guesses, secret, seed=0):
    feedback = [kernel.feedback_between(board, guess, secret) for guess in guesses]
    return board._replace(
        guesses=np.array(guesses, np.int32),
        feedback=np.array(feedback, np.int32),
        state=np.array([seed], np.uint64),
    )


@pytest.mark.parametrize("name", [*SIZES, "mm-4-6", "mm-2-33"])
def test_feedback_on_demand_is_that_of_the_table(name):
    game = game_called(name)
    board = make_board(name)
    draw = np.random.default_rng(1)
    for guess, secret in draw.integers(game.n_guesses, size=(300, 2)).tolist():
        assert kernel.feedback_between(board, guess, secret) == game.table[guess, secret]
    assert mastermind_rules(name).labels() == game.guesses
    indices = [code_index(name, label) for label in game.guesses[:40]]
    assert indices == list(range(len(indices)))


@given(st.sampled_from(list(SIZES)), st.lists(st.integers(0, 10**6), min_size=2, max_size=6))
def test_distance_is_the_sum_of_the_differences_in_pegs(name, drawn):
    board = make_board(name)
    codes = all_codes(*SIZES[name])
    secret, code, *guesses = [number % len(codes) for number in drawn]
    expected = 0
    for guess in guesses:
        feedback = grade(codes[guess], codes[code])
        observed = grade(codes[guess], codes[secret])
        expected += abs(feedback[0] - observed[0]) + abs(feedback[1] - observed[1])
    played = after(board, guesses, secret)
    assert kernel.distance(played, code) == expected
    assert kernel.distance(played, secret) == 0


@given(st.integers(0, 80), st.integers(0, 80), st.integers(0, 3), st.integers(0, 3))
@pytest.mark.slow
def test_codes_are_varied_peg_by_peg(code, other, first, second):
    board = make_board("mm-4-3")
    codes = all_codes(4, 3)
    changed = list(codes[code])
    changed[first] = 3
    assert codes[kernel.with_peg(board, code, first, 2)] == tuple(changed)
    swapped = list(codes[code])
    swapped[first], swapped[second] = swapped[second], swapped[first]
    assert codes[kernel.with_swap(board, code, first, second)] == tuple(swapped)
    crossed = codes[from_python(kernel.cross)(board, code, other, first)]
    assert crossed == (*codes[code][:first], *codes[other][first:])


def test_draws_are_uniform_and_those_of_their_seed():
    state = np.array([7], np.uint64)
    drawn = np.array([draw(state, 20) for _ in range(40000)])
    counts = np.bincount(drawn, minlength=20)
    assert ((counts - 2000) ** 2 / 2000).sum() < 43.8  # 0.1 % of chi-squared, 19 degrees
    again = np.array([7], np.uint64)
    assert [draw(again, 20) for _ in range(50)] == drawn[:50].tolist()


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize(("game", "opening"), [("mm-2-3", "11"), ("mm-3-4", "112")])
def test_games_end_with_the_secret_and_guesses_are_consistent_where_promised(name, game, opening):
    board = make_board(game)
    first = code_index(game, opening)
    log = play(name, game, opening, draw_secrets(len(board.codes), 7, 2)[:60], 5)
    assert player_spec(name).citation
    for secret, guesses, moves, effort in zip(*vars(log).values(), strict=True):
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
    if name != "random-consistent":
        first_guess = own_opening(board, 0) if name.startswith("EvoRank") else first
        assert set(log.moves[:, 0].tolist()) == {first_guess}


def test_evorank_opens_with_the_pattern_abca_and_ends_a_turn_where_too_few_codes_are_left():
    for game, label in (("mm-4-6", "1231"), ("mm-3-4", "121"), ("mm-5-8", "12341")):
        assert own_opening(make_board(game), 0) == code_index(game, label)
    log = play("EvoRank", "mm-2-3", "12", np.arange(9), reset=2, patience=3)
    assert log.guesses.max() <= 9


def test_random_play_agrees_with_its_expectation():
    log = play("random-consistent", "mm-3-4", "111", draw_secrets(64, 64, 1))
    expected = mean_guesses(expected_profile(game_called("mm-3-4")))
    assert abs(log.guesses.mean() - expected) < 4 * standard_error(log.guesses)


@given(st.sets(st.integers(0, 63), min_size=1, max_size=20))
def test_the_most_informative_code_has_the_highest_entropy(drawn):
    board = make_board("mm-3-4")
    codes = all_codes(3, 4)
    work = kernel.make_workspace(board)
    work.candidates[: len(drawn)] = sorted(drawn)
    chosen = codes[from_python(evolving.most_informative)(board, work, len(drawn))]
    some = {codes[code] for code in drawn}
    entropies = {code: score_entropy(sizes(code, some - {code}), lambda _: 1) for code in some}
    assert entropies[chosen] == pytest.approx(max(entropies.values()), abs=1e-8)


def test_remembered_scores_belong_to_their_opening():
    board = make_board("mm-3-4")
    spec = player_spec("entropy-consistent")
    used = spec.make_player(board)
    for opening in (6, 27, 6):
        for secret in (9, 30, 55):
            turns = [after(board, [opening], secret, seed=secret) for _ in range(2)]
            assert used(turns[0], 0) == spec.make_player(board)(turns[1], 0)


@pytest.mark.parametrize(("tiers", "competing"), [(1, 0), (2, 0), (2, 1)])
def test_fitness_is_the_entropy_among_the_distinct_feasible_codes(tiers, competing):
    board = make_board("mm-3-4")
    codes = all_codes(3, 4)
    draw = np.random.default_rng(tiers)
    work = kernel.make_workspace(board, 24)
    work.codes[:] = draw.integers(64, size=24)
    work.codes[20:] = work.codes[16:20]
    work.distances[:] = (draw.integers(3, size=64) // 2)[work.codes]
    settings = EntropicSettings(tiers, competing, seeded=0, population=24)
    from_python(evolving.set_fitness)(board, settings, work)
    tier_of = [range(start, start + 24 // tiers) for start in range(0, 24, 24 // tiers)]
    for i in range(24):
        tier = next(at for at, places in enumerate(tier_of) if i in places)
        others = tier_of[(tier + 1) % tiers]
        code = codes[work.codes[i]]
        consistent = {codes[work.codes[j]] for j in others if work.distances[j] == 0}
        bits = score_entropy(sizes(code, consistent - {code}), lambda _: 1)
        if competing and tier == 1:
            bits = np.log2(len(board.blacks)) - bits
        expected = 1 + bits if work.distances[i] == 0 else -work.distances[i]
        assert work.fitness[i] == pytest.approx(expected)


@given(st.lists(st.integers(1, 30), min_size=1, max_size=40), st.integers(0, 10**6))
def test_the_wheel_is_spun_in_proportion_to_fitness(widths, seed):
    wheel = np.cumsum(widths).astype(float)
    marks = np.zeros(len(widths), np.int32)
    state = np.array([seed], np.uint64)
    at = draw(state.copy(), CERTAIN) / CERTAIN * wheel[-1]
    from_python(evolving.mark_wheel)(wheel, marks)
    assert from_python(evolving.spin_wheel)(wheel, marks, state) == np.searchsorted(
        wheel, at, side="right"
    )


@pytest.mark.parametrize("stops_by_tier", [0, 1])
def test_evolution_takes_complete_generations_and_enough_evaluations(stops_by_tier):
    settings = player_spec("eGACo-random").settings
    secrets = draw_secrets(1296, 1, 1, 60)
    log = play("eGACo-random", "mm-4-6", "1123", secrets, stops_by_tier=stops_by_tier)
    effort = log.evaluations[log.evaluations > 0]
    generation = settings.population // (1 + stops_by_tier)
    assert (effort % generation == 0).all()
    assert effort.min() == settings.evaluations
    assert effort.max() > settings.evaluations
    assert (effort % settings.population > 0).any() == stops_by_tier


def test_a_tier_with_a_consistent_code_stops_and_the_other_goes_on():
    board = make_board("mm-3-4")
    settings = player_spec("eGACo-random").settings._replace(population=8, evaluations=8)
    tiers = (slice(0, 4), slice(4, 8))
    stopped = 0
    for seed in range(200):
        played = after(board, [code_index("mm-3-4", "112")], seed % 64, seed=seed)
        drawn = np.zeros(8, np.int32)
        from_python(kernel.draw_population)(played._replace(state=played.state.copy()), drawn)
        first = [[kernel.distance(played, code) == 0 for code in drawn[tier]] for tier in tiers]
        work = kernel.make_workspace(board, 8)
        _, evaluations, _ = evolving.guess_by_entropy(settings, work, played, 0)
        for tier, consistent in zip(tiers, first, strict=True):
            assert any(kernel.distance(played, code) == 0 for code in work.codes[tier])
            if any(consistent):
                assert (work.codes[tier] == drawn[tier]).all()
        stopped += any(first[0]) != any(first[1])
        assert (evaluations == 8) == (any(first[0]) and any(first[1]))
    assert stopped > 40


@pytest.mark.parametrize(("cuts_at_ends", "mixed"), [(0, 0.9 / 2), (1, 0.9 / 2 / 3)])
def test_a_crossover_at_an_end_copies_the_parents(cuts_at_ends, mixed):
    # With two pegs there is one cut between them, and one at each end. Both seeds are equally fit,
    # so that half of the pairs of parents differ; mutated pegs mostly have another colour.
    board = make_board("mm-2-33")
    seeds = [code_index("mm-2-33", label) for label in ("11", "22")]
    secret = code_index("mm-2-33", "34")
    settings = player_spec("eGA-seeded").settings._replace(
        population=4000, evaluations=8000, cuts_at_ends=cuts_at_ends
    )
    work = kernel.make_workspace(board, 4000)
    work.candidates[:2] = seeds
    played = after(board, [code_index("mm-2-33", "33")], secret, seed=5)
    _, evaluations, _ = evolving.guess_by_entropy(settings, work, played, 2)
    assert evaluations == 8000
    children = board.codes[work.codes]
    unmutated = children[(children < 2).all(axis=1)]
    assert len(unmutated) > 900
    assert (unmutated[:, 0] != unmutated[:, 1]).mean() == pytest.approx(mixed, abs=0.06)


READINGS = [
    {"tiers": 1, "competing": 0, "stops_by_tier": 1, "cuts_at_ends": 1},
    {"tiers": 2, "competing": 0, "stops_by_tier": 1, "cuts_at_ends": 1},
    {"tiers": 2, "competing": 1, "stops_by_tier": 1, "cuts_at_ends": 0},
    {"tiers": 2, "competing": 0, "stops_by_tier": 0, "cuts_at_ends": 1},
]


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.slow
def test_a_turn_of_evolution_takes_as_long_as_the_published_one(reading):
    # Both stop at 16 evaluations or later; a secret of few candidates makes tiers go on.
    options = reading | {"population": 8, "evaluations": 16}
    settings = EntropicSettings(seeded=0, **options)
    board = make_board("mm-3-4")
    codes = all_codes(3, 4)
    played = [code_index("mm-3-4", label) for label in ("112", "134")]
    secret = code_index("mm-3-4", "244")
    history = [(codes[guess], grade(codes[guess], codes[secret])) for guess in played]
    turns = 2000
    ours = np.empty((turns, 2))
    theirs = np.empty((turns, 2))
    for seed in range(turns):
        position = after(board, played, secret, seed=seed * 10**6)
        work = kernel.make_workspace(board, 8)
        _, *ours[seed] = evolving.guess_by_entropy(settings, work, position, 0)
        discovered, evaluations = evolved(history, 3, 4, Random(seed), options)
        theirs[seed] = evaluations, len(discovered)
    for mine, published in zip(ours.T, theirs.T, strict=True):
        error = np.hypot(mine.std(), published.std()) / turns**0.5
        assert abs(mine.mean() - published.mean()) < 3 * error
        # The distance of Kolmogorov and Smirnov, at 0.1 %.
        steps = np.unique([mine, published])
        shares = [np.searchsorted(np.sort(some), steps, "right") for some in (mine, published)]
        assert np.abs(shares[0] - shares[1]).max() < 1.95 * (2 * turns) ** 0.5


@given(st.integers(2, 200), st.integers(1, 5), st.integers(0, 9), st.data())
def test_every_repetition_has_each_secret_once(n_codes, repetitions, seed, data):
    sample = data.draw(st.none() | st.integers(2, n_codes))
    secrets = draw_secrets(n_codes, repetitions, seed, sample)
    by_repetition = [sorted(part.tolist()) for part in np.split(secrets, repetitions)]
    assert by_repetition == [by_repetition[0]] * repetitions
    assert len(set(by_repetition[0])) == len(by_repetition[0]) == (sample or n_codes)
    assert 0 <= by_repetition[0][0] <= by_repetition[0][-1] < n_codes
    assert (draw_secrets(n_codes, repetitions, seed, sample) == secrets).all()


def stamps(folder):
    return [path.stat().st_mtime_ns for path in sorted(folder.glob("*.npz"))]


def test_threads_and_finished_batches_change_no_game(tmp_path, caplog, monkeypatch):
    monkeypatch.setattr(contest, "BATCH", 16)
    secrets = draw_secrets(64, 2, 3)[:70]
    folder = tmp_path / "three"
    series = Series(player_spec("eGACm-seeded"), make_board("mm-3-4"), 6, 9)
    expected = play_games(series, secrets, 1, tmp_path / "one")
    assert same(play_games(series, secrets, 3, folder), expected)
    batches = sorted(folder.glob("*.npz"))
    before = stamps(folder)
    batches[1].write_bytes(batches[1].read_bytes()[:-40])
    batches[2].unlink()
    assert same(play_games(series, secrets, 2, folder), expected)
    assert f"{batches[1]} is set aside" in caplog.text
    kept = [old == new for old, new in zip(before, stamps(folder), strict=True)]
    assert kept == [True, False, False, True, True]


@pytest.mark.parametrize(
    "change", [{"board": make_board("mm-6-2")}, {"code": "edited"}, {"seed": 10}]
)
def test_batches_of_another_game_code_or_seed_are_played_again(tmp_path, change, monkeypatch):
    monkeypatch.setattr(contest, "BATCH", 16)
    secrets = draw_secrets(64, 1, 3)[:20]
    folder = tmp_path / "kept"
    series = Series(player_spec("random-consistent"), make_board("mm-3-4"), 6, 9)
    first = play_games(series, secrets, 1, folder)
    before = stamps(folder)
    other = play_games(replace(series, **change), secrets, 1, folder)
    assert same(other, play_games(replace(series, **change), secrets, 1, tmp_path / "fresh"))
    assert same(other, first) == ("code" in change)
    assert all(old != new for old, new in zip(before, stamps(folder), strict=True))


def test_games_that_are_too_long_are_refused(monkeypatch):
    monkeypatch.setattr(contest, "MOST_TURNS", 2)
    with pytest.raises(CodebreakerError, match="random-consistent needs over 2 guesses"):
        play("random-consistent", "mm-4-6", "1111", draw_secrets(1296, 1, 1, 40))


def test_options_are_taken():
    play_some = partial(play, game="mm-4-6", opening="1123", secrets=draw_secrets(1296, 1, 1, 30))
    small = play_some("EvoRank", population=100)
    assert (small.evaluations % 100 == 0).all()
    assert small.evaluations.sum() < play_some("EvoRank").evaluations.sum()
    long = play_some("eGA-seeded", evaluations=2000)
    assert long.evaluations[long.evaluations > 0].min() == 2000
    keeping = play_some("eGA-random", keeps=1)
    plain = play_some("eGA-random")
    assert (keeping.moves[:, :2] == plain.moves[:, :2]).all()
    assert (keeping.moves != plain.moves).any()
    sampled = play_some("entropy-consistent-sixth", minimum=1296)
    assert same(sampled, play_some("entropy-consistent"))
    assert not same(sampled, play_some("entropy-consistent-sixth"))


@pytest.mark.parametrize("name", [spec.name for spec in PLAYERS.values() if spec.options])
def test_values_out_of_an_options_range_are_refused(name):
    spec = player_spec(name)
    for option in spec.options:
        lowest, most, whole = RANGES[option]
        for value in (lowest, most):
            spec.check({option: value})
        for value in (lowest - 1, most + 1, math.nan, math.inf, *([lowest + 0.5] * whole)):
            with pytest.raises(CodebreakerError, match=f"option {option} is .*: choose a"):
                spec.check({option: value})


def test_the_summary_sets_means_beside_published_ones():
    secrets = draw_secrets(1296, 1, 1, 40)
    labels = mastermind_rules("mm-4-6").labels()
    names = ("random-consistent", "eGA-seeded", "EvoRank")
    logs = {name: play(name, "mm-4-6", "1123", secrets) for name in names}
    summary = contest_summary(
        pl.concat(log_frame("six", "mm-4-6", *logged, labels) for logged in logs.items()),
        {"mm-4-6": setting_of("mm-4-6", names)},
    )
    row = summary.row(by_predicate=pl.col("player") == "eGA-seeded", named=True)
    games = logs["eGA-seeded"].guesses
    assert row["mean_guesses"] == pytest.approx(games.mean())
    assert row["guesses_error"] == pytest.approx(games.std(ddof=1) / 40**0.5)
    error = np.hypot(row["guesses_error"], 0.011)
    assert row["guesses_gap"] == pytest.approx((games.mean() - 4.438) / error)
    assert summary.row(0, named=True)["published_guesses"] is None


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.slow
def test_players_draw_unless_they_say_otherwise(name):
    secrets = draw_secrets(1024, 1, 1, 64)
    # With the default, samples contain all candidates of small games.
    options = {"samples": 16} if name == "sampled" else {}
    first, *others = (
        play(name, "mm-5-4", "11223", secrets, seed, **options).moves for seed in range(1, 5)
    )
    assert PLAYERS[name].draws == any((first != other).any() for other in others)


@pytest.mark.parametrize("repetitions", [1, 3])
def test_a_player_that_draws_nothing_has_an_exact_mean(repetitions):
    players = [{"player": "random-consistent"}, {"player": "knuth"}, {"player": "knuth"}]
    table = compare_methods("mm-3-4", "112", repetitions, 10, players, 1)
    assert table["guesses_error"].to_list()[1:] == [0, 0]
    assert table["evaluations_error"].to_list()[1:] == [0, 0]
    assert table["difference_error"][0] == 0  # of a player from itself
    assert table["difference_error"][1] == table["difference_error"][2] > 0
    alone = compare_methods("mm-3-4", "112", repetitions, 10, players[1:], 1, secrets=16)
    guesses = play("knuth", "mm-3-4", "112", draw_secrets(64, 1, 1, 16)).guesses
    error = (guesses.var(ddof=1) / 16 * (1 - 16 / 64)) ** 0.5
    assert alone["guesses_error"].to_list() == [pytest.approx(error)] * 2


@pytest.mark.slow
def test_repetitions_shrink_the_error_of_the_draws_alone():
    """The error is about that of independent contests of the same secrets with other draws."""
    table = compare_methods("mm-3-4", "112", 8, 10, [{"player": "random-consistent"}], 1)
    means = [
        compare_methods("mm-3-4", "112", 8, 10, [{"player": "random-consistent"}], seed)
        for seed in range(2, 62)
    ]
    spread = np.std([table["mean_guesses"][0] for table in means], ddof=1)
    assert table["guesses_error"][0] == pytest.approx(spread, rel=0.35)
