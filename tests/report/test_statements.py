"""Comparisons of players, and statements about them."""

from collections import Counter
from math import erfc, sqrt

import numpy as np
import polars as pl
import pytest
from conftest import read_yaml
from definitions import signed_rank, two_stage_error
from hypothesis import given
from hypothesis import strategies as st

from codebreaker.errors import CodebreakerError
from codebreaker.players.comparisons import PairedGames, Setting, pairwise_tests
from codebreaker.players.registry import PLAYERS
from codebreaker.report.chapters import players as chapter
from codebreaker.report.chapters.players import STATEMENTS, check_claims, paired_games

MARGINS = {"guesses": 0.05, "evaluations": 0.05}
MANY = Setting(10**9, frozenset())
"""So many secrets that each game has another one."""


def made_up(contest="six", times=1, **players):
    """Games of a contest, with `times` repetitions of each secret, one after the other."""
    rows = [
        (
            contest,
            "mm-8-8",
            player,
            number,
            f"{number // times:06}",
            int(guesses),
            100 * int(guesses),
        )
        for player, games in players.items()
        for number, guesses in enumerate(games)
    ]
    columns = ("contest", "game", "player", "number", "secret", "guesses", "evaluations")
    return pl.DataFrame(rows, schema=columns, orient="row")


def compared(measure="guesses", margins=MARGINS, setting=MANY, times=1, **players):
    games = PairedGames(made_up(times=times, **players), ["six"], setting, margins)
    (pair,) = games.compare(measure, [tuple(players)])
    return pair


def noisy(mean, games, seed):
    return 4 + (np.random.default_rng(seed).random(games) < mean - 4).astype(int)


def test_a_planted_difference_is_found():
    pair = compared(first=noisy(4.6, 5000, 1), second=noisy(4.4, 5000, 2))
    assert pair.low < 0.2 < pair.high
    assert pair.p_holm < 1e-12
    for comparison in (
        pair,
        compared("evaluations", first=[5, 6, 6] * 200, second=[4, 5, 4] * 200),
    ):
        assert comparison.verdict == "different beyond the margin"


def test_games_without_variation_decide_nothing():
    games = noisy(4.5, 300, 1)
    for shift in (0, 1):
        pair = compared(first=games + shift, second=games)
        assert (pair.difference, pair.low, pair.high, pair.p, pair.p_holm) == (shift, *[None] * 4)
        assert pair.verdict == "undecided"
    alone = compared(first=[5], second=[4])
    assert (alone.low, alone.p, alone.verdict) == (None, None, "undecided")


def test_equal_players_are_equivalent():
    for measure in MARGINS:
        pair = compared(measure, first=noisy(4.5, 9000, 3), second=noisy(4.5, 9000, 4))
        assert pair.verdict == "equivalent"


def test_small_differences_and_few_games_are_told_apart():
    games = noisy(4.5, 4000, 1)
    fewer = games - (np.arange(4000) % 50 == 0)
    assert compared(first=fewer, second=games).verdict == "different within the margin"
    assert compared(first=noisy(4.5, 50, 1), second=noisy(4.5, 50, 2)).verdict == "undecided"
    larger = games + (np.arange(4000) % 20 == 0)
    assert compared(first=larger, second=games).verdict == "different"


def test_the_margin_of_evaluations_is_a_share_of_both_means():
    first = [104, 106, 105, 105] * 100
    second = [100, 102, 102, 100] * 100
    wide, narrow = (MARGINS | {"evaluations": at} for at in (0.0425, 0.035))
    share = 4 / 103
    assert 0.035 < share < 0.0425
    within = compared("evaluations", wide, first=first, second=second)
    assert within.verdict == "different within the margin"
    assert within.relative.mean == pytest.approx(share)
    beyond = compared("evaluations", narrow, first=first, second=second)
    assert beyond.verdict == "different beyond the margin"
    draw = np.random.default_rng(1)  # the error is that of shares of resampled games
    games = 100 * np.array([first, second])
    resampled = [games[:, draw.integers(400, size=400)].mean(axis=1) for _ in range(2000)]
    shares = [2 * (a - b) / (a + b) for a, b in resampled]
    assert beyond.relative.error == pytest.approx(np.std(shares), rel=0.08)


@given(st.lists(st.integers(-3, 3), min_size=2, max_size=24), st.integers(0, 5))
def test_repetitions_of_a_secret_are_no_games_of_others(differences, more):
    times = max(count for count in (1, 2, 3) if len(differences) % count == 0)
    secrets = len(differences) // times
    second = [5] * len(differences)
    pair = compared(
        setting=Setting(secrets + more, frozenset()),
        times=times,
        first=[5 + difference for difference in differences],
        second=second,
    )
    by_secret = [differences[first : first + times] for first in range(0, len(second), times)]
    variance = two_stage_error(by_secret, secrets + more)
    assert pair.difference == pytest.approx(sum(differences) / len(differences))
    assert pair.estimate.error == (pytest.approx(float(variance) ** 0.5) if variance else None)
    games_rank_p = erfc(abs(pair.games_rank_score) / sqrt(2))
    assert games_rank_p == pytest.approx(signed_rank(differences), abs=1e-12)
    if times == 1:
        assert pair.signed_rank_p == games_rank_p


@pytest.mark.parametrize("times", [1, 4, 16])
def test_repeated_games_of_players_that_draw_nothing_say_nothing_new(times):
    first = np.repeat([5, 4, 4, 5, 4], times)
    second = np.repeat([4, 4, 5, 4, 4], times)
    exact = Setting(5, {"first", "second"})
    pair = compared(setting=exact, times=times, first=first, second=second)
    figures = (pair.difference, pair.low, pair.high, pair.p, pair.p_holm, pair.signed_rank_p)
    assert figures == (pytest.approx(0.2), *[None] * 5)
    assert pair.verdict == "different beyond the margin"
    assert compared(setting=exact, times=times, first=first, second=first).verdict == "equal"
    some = compared(
        setting=Setting(10, {"first", "second"}), times=times, first=first, second=second
    )
    assert some.verdict == "undecided"  # five of ten secrets, whatever the repetitions
    assert some.estimate.error == pytest.approx((0.7 / 5 / 2) ** 0.5)


def test_secrets_that_are_played_more_often_than_others_are_refused():
    logs = made_up(times=2, a=[4, 5, 5])
    with pytest.raises(CodebreakerError, match="a played some secrets more often than others"):
        PairedGames(logs, ["six"], MANY, MARGINS)


def test_all_pairs_of_a_contest_are_corrected_together():
    logs = made_up(a=noisy(4.5, 400, 1), b=noisy(4.6, 400, 2), c=noisy(4.7, 400, 3))
    tests = pairwise_tests(paired_games(logs, MARGINS))
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    assert sorted(tests.select("player", "other").rows()) == sorted(2 * pairs)
    guesses = tests.filter(measure="guesses").sort("p")
    assert guesses["p_holm"][0] == pytest.approx(3 * guesses["p"][0])
    assert pairwise_tests(paired_games(made_up(a=[4, 5]), MARGINS)).is_empty()
    exact = PairedGames(logs, ["six"], Setting(400, {"a", "b"}), MARGINS)
    ab, ac, bc = exact.compare("guesses", pairs)
    assert (ab.p, ab.p_holm) == (None, None)  # an exact difference is no test
    assert ac.p_holm == pytest.approx(min(2 * ac.p, max(ac.p, bc.p)))


def test_players_who_met_other_secrets_are_not_compared():
    logs = made_up(a=[4, 5, 5])
    with pytest.raises(CodebreakerError, match="b met other secrets in six"):
        PairedGames(pl.concat([logs, made_up(b=[5, 6])]), ["six"], MANY, MARGINS)
    other = made_up("other", b=[5, 6], c=[5, 6, 6])
    games = PairedGames(pl.concat([logs, other]), ["six", "other"], MANY, MARGINS)
    assert games.players == ["a"]
    assert games.has("a", "c")
    assert not games.has("b")


@pytest.mark.parametrize(("mean", "games"), [(4.5, 2000), (4.53, 3000), (4.47, 9000), (4.6, 900)])
def test_an_outcome_of_the_source_is_as_probable_as_among_resamples(mean, games):
    first = noisy(4.5, games, 5)
    second = noisy(mean, games, 6)
    pair = compared(first=first, second=second)
    gaps = first - second
    draw = np.random.default_rng(7)
    outcomes = Counter()
    for _ in range(400):
        resampled = draw.choice(gaps, chapter.SOURCE_GAMES)
        rank_sum = np.sign(resampled).sum()  # all gaps are of one guess
        significant = abs(rank_sum) > 1.96 * np.sqrt(np.abs(resampled).sum())
        outcomes["same" if not significant else "more" if rank_sum > 0 else "fewer"] += 1
    for claim in ("same", "more", "fewer"):
        probability = float(chapter.probability(claim, pair))
        assert probability == pytest.approx(outcomes[claim] / 400, abs=0.08)
    assert chapter.probability("", pair) == ""


def test_the_sign_of_an_outcome_is_that_of_the_ranks():
    # Most differences are -1; a few of +30 make the mean positive, but not the rank sum.
    second = np.full(2000, 5)
    first = np.where(np.arange(2000) % 20 == 0, 35, 4)
    pair = compared(first=first, second=second)
    assert pair.difference > 0
    assert pair.games_rank_score < 0
    assert chapter.probability("fewer", pair) == "1.0000"
    assert chapter.probability("more", pair) == "0.0000"


def test_claims_are_tested_on_the_players_that_met():
    seeded = noisy(4.4, 6000, 2)
    plain = {"eGA-random": noisy(4.6, 6000, 1), "eGA-seeded": seeded, "EvoRank": seeded}
    keeping = {"eGA-random": seeded, "eGA-seeded": seeded}
    logs = pl.concat([made_up("four-six", **plain), made_up("four-six-keeping", **keeping)])
    claims = check_claims(paired_games(logs, MARGINS))
    table = claims.pivot("contest", index="statement", values="probability")
    assert set(table.select("statement", "four-six", "four-six-keeping").rows()) == {
        ("seeding-evaluations", "1.0000", "0.0250"),
        ("seeding-guesses", "0.0000", "0.9500"),
        ("six-colours-guesses", "0.9500", "0.9500"),
        ("evorank-evaluations", "0.0250", "0.0250"),
    }
    assert check_claims(paired_games(made_up(a=[4, 5]), MARGINS)).is_empty()


def test_probabilities_are_corrected_for_all_claims_of_a_reading():
    rows = [
        ("four-six", "0.0100"),
        ("four-eight", "0.0300"),
        ("four-six", ""),
        ("four-eight", "0.9000"),
        ("four-six-keeping", "0.0300"),
    ]
    claims = pl.DataFrame(rows, schema=["contest", "probability"], orient="row")
    corrected = chapter.with_corrected_probabilities(claims)["probability_holm"].to_list()
    # 3 × 0.01, 2 × 0.03 and 1 × 0.9; the other reading has a single claim
    assert corrected == ["0.0300", "0.0600", "", "0.9000", "0.0300"]


def test_the_default_study_plays_every_claim():
    contests = read_yaml("config/config.yaml")["players"]["contests"]
    for statement in STATEMENTS:
        for contest in statement.contests:
            plain = "-".join(contest.split("-")[:2])
            players = {*contests[contest]["players"], *contests[plain]["players"]}
            assert {name for claim in statement.claims for name in claim[:2]} <= players
            for key in ("repetitions", "secrets"):
                assert contests[contest].get(key) == contests[plain].get(key)
            assert players <= {*PLAYERS}
