"""Comparisons of players, and statements about them."""

from collections import Counter

import numpy as np
import polars as pl
import pytest
from conftest import read_yaml
from definitions import resampled_interval, signed_rank
from hypothesis import given, settings
from hypothesis import strategies as st

from codebreaker.errors import CodebreakerError
from codebreaker.players.comparisons import Inference, PairedGames, pairwise_tests
from codebreaker.players.registry import PLAYERS
from codebreaker.report.chapters import players as chapter
from codebreaker.report.chapters.players import STATEMENTS, check_claims, paired_games

MARGINS = {"guesses": 0.05, "evaluations": 0.05}
INFERENCE = Inference(2000, 1, MARGINS)


def made_up(contest="six", **players):
    rows = [
        (contest, player, number, str(number % 9), int(guesses), 100 * int(guesses))
        for player, games in players.items()
        for number, guesses in enumerate(games)
    ]
    columns = ("contest", "player", "number", "secret", "guesses", "evaluations")
    return pl.DataFrame(rows, schema=columns, orient="row")


def compared(measure="guesses", inference=INFERENCE, **players):
    (pair,) = PairedGames(made_up(**players), ["six"], inference).compare(measure, [tuple(players)])
    return pair


def noisy(mean, games, seed):
    return 4 + (np.random.default_rng(seed).random(games) < mean - 4).astype(int)


def test_a_planted_difference_is_found():
    pair = compared(one=noisy(4.6, 5000, 1), other=noisy(4.4, 5000, 2))
    assert pair.low < 0.2 < pair.high
    assert pair.p_holm < 1e-12
    for one in (pair, compared("evaluations", one=[5, 6] * 200, other=[4, 5] * 200)):
        assert one.verdict == "different beyond the margin"


def test_identical_and_equal_players_are_equivalent():
    games = noisy(4.5, 300, 1)
    same = compared(one=games, other=games)
    assert (same.difference, same.low, same.high, same.p, same.signed_rank_p) == (0, 0, 0, 1, 1)
    assert same.verdict == "equivalent"
    for measure in MARGINS:
        pair = compared(measure, one=noisy(4.5, 9000, 3), other=noisy(4.5, 9000, 4))
        assert pair.verdict == "equivalent"


def test_small_differences_and_few_games_are_told_apart():
    games = noisy(4.5, 4000, 1)
    fewer = games - (np.arange(4000) % 50 == 0)
    assert compared(one=fewer, other=games).verdict == "different within the margin"
    assert compared(one=noisy(4.5, 50, 1), other=noisy(4.5, 50, 2)).verdict == "undecided"
    larger = games + (np.arange(4000) % 20 == 0)
    assert compared(one=larger, other=games).verdict == "different"


def test_the_margin_of_evaluations_is_a_share_of_both_means():
    one, other = [104, 106] * 100, [100, 102] * 100
    wide, narrow = (Inference(200, 1, MARGINS | {"evaluations": at}) for at in (0.039, 0.0385))
    share = 4 / 103
    assert 0.0385 < share < 0.039
    assert compared("evaluations", wide, one=one, other=other).is_within
    assert compared("evaluations", narrow, one=one, other=other).is_beyond


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(-3, 3), min_size=4, max_size=5), st.integers(0, 5))
def test_comparisons_are_those_of_all_resamples(differences, seed):
    inference = Inference(20000, seed, MARGINS)
    other = [5] * len(differences)
    pair = compared(inference=inference, one=[5 + one for one in differences], other=other)
    step = max(differences) - min(differences)
    expected = resampled_interval(differences, 0.95)
    assert [pair.low, pair.high] == pytest.approx(list(expected), abs=step / len(differences))
    assert pair.difference == pytest.approx(sum(differences) / len(differences))
    assert pair.signed_rank_p == pytest.approx(signed_rank(differences), abs=1e-12)


def test_all_pairs_of_a_contest_are_corrected_together():
    logs = made_up(a=noisy(4.5, 400, 1), b=noisy(4.6, 400, 2), c=noisy(4.7, 400, 3))
    tests = pairwise_tests(paired_games(logs, INFERENCE))
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    assert sorted(tests.select("player", "other").rows()) == sorted(2 * pairs)
    guesses = tests.filter(measure="guesses").sort("p")
    assert guesses["p_holm"][0] == pytest.approx(3 * guesses["p"][0])
    assert pairwise_tests(paired_games(made_up(a=[4, 5]), INFERENCE)).is_empty()


def test_players_who_met_other_secrets_are_not_compared():
    logs = made_up(a=[4, 5, 5])
    with pytest.raises(CodebreakerError, match="b met other secrets in six"):
        PairedGames(pl.concat([logs, made_up(b=[5, 6])]), ["six"], INFERENCE)
    other = made_up("other", b=[5, 6], c=[5, 6, 6])
    games = PairedGames(pl.concat([logs, other]), ["six", "other"], INFERENCE)
    assert games.players == ["a"]
    assert games.has("a", "c")
    assert not games.has("b")


@pytest.mark.parametrize(("mean", "games"), [(4.5, 2000), (4.53, 3000), (4.47, 9000), (4.6, 900)])
def test_an_outcome_of_the_source_is_as_probable_as_among_resamples(mean, games):
    one, other = noisy(4.5, games, 5), noisy(mean, games, 6)
    pair, gaps = compared(one=one, other=other), one - other
    draw, outcomes = np.random.default_rng(7), Counter()
    for _ in range(400):
        found = draw.choice(gaps, chapter.SOURCE_GAMES)
        rank_sum = np.sign(found).sum()  # all gaps are of one guess
        significant = abs(rank_sum) > 1.96 * np.sqrt(np.abs(found).sum())
        outcomes["same" if not significant else "more" if rank_sum > 0 else "fewer"] += 1
    for claim in ("same", "more", "fewer"):
        found = float(chapter.probability(claim, pair))
        assert found == pytest.approx(outcomes[claim] / 400, abs=0.08)
    assert chapter.probability("", pair) == ""


def test_claims_are_tested_on_the_players_that_met():
    seeded = noisy(4.4, 6000, 2)
    plain = {"eGA-random": noisy(4.6, 6000, 1), "eGA-seeded": seeded, "EvoRank": seeded}
    keeping = {"eGA-random": seeded, "eGA-seeded": seeded}
    logs = pl.concat([made_up("four-six", **plain), made_up("four-six-keeping", **keeping)])
    claims = check_claims(paired_games(logs, INFERENCE))
    told = claims.pivot("contest", index="statement", values="probability")
    assert set(told.select("statement", "four-six", "four-six-keeping").rows()) == {
        ("seeding-evaluations", "1.0000", "0.0250"),
        ("seeding-guesses", "0.0000", "0.9500"),
        ("six-colours-guesses", "0.9500", "0.9500"),
        ("evorank-evaluations", "0.0250", "0.0250"),
    }
    assert check_claims(paired_games(made_up(a=[4, 5]), INFERENCE)).is_empty()


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
