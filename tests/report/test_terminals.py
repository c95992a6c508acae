"""Fallout's terminals."""

import statistics

import polars as pl
import pytest
from conftest import game_called
from definitions import Definition, attainable, matches

from codebreaker.files import write_frame
from codebreaker.games.words import by_length
from codebreaker.players import terminal_means, terminals
from codebreaker.policies.strategy import Strategy
from codebreaker.report.chapters.terminals import shown_terminals, terminals_chart
from codebreaker.report.numbers import Facts, Results
from codebreaker.sets.partition import all_secrets, counts
from codebreaker.trees.grow import grow

ENGLISH = "english"


@pytest.fixture(scope="module")
def played():
    drawn = terminals.draw_terminals(ENGLISH, [5, 8], [5, 9], 3, 7)
    return pl.DataFrame(
        [row for terminal in drawn for row in terminals.play_terminal(terminal, 2, 1)]
    )


def test_minimax_plays_grate_in_the_sources_example():
    game = game_called("matches-terminal")
    largest = [counts(game, guess, all_secrets(game)).max() for guess in range(5)]
    assert dict(zip(game.guesses, largest, strict=True)) == {
        "crane": 3, "earth": 3, "entry": 3, "grate": 2, "raven": 3,
    }  # fmt: skip
    tree = grow(game, Strategy("worst-case"))
    assert game.guesses[tree.guess[0]] == "grate"
    assert tree.profile.tolist() == [1, 3, 1]


def test_terminals_have_words_of_one_length_and_do_not_depend_on_other_draws():
    drawn = list(terminals.draw_terminals(ENGLISH, [4, 7], [5, 12], 4, 1))
    drawn_by_size = {
        (terminal.length, terminal.size, terminal.number): terminal for terminal in drawn
    }
    assert len(drawn_by_size) == len(drawn) == 16
    for (length, size, _), terminal in drawn_by_size.items():
        assert len(set(terminal.words)) == size
        assert {len(word) for word in terminal.words} == {length}
        assert set(terminal.words) <= set(by_length(ENGLISH)[length])
    assert len({terminal.words for terminal in drawn_by_size.values()}) == 16
    for alone in terminals.draw_terminals(ENGLISH, [7], [12], 2, 1):
        assert drawn_by_size[7, 12, alone.number] == alone
    assert (
        next(terminals.draw_terminals(ENGLISH, [7], [12], 1, 2)).words
        != drawn_by_size[7, 12, 0].words
    )


def test_nothing_is_better_than_the_optimum(played):
    assert played.height == 12 * len(terminal_means.STRATEGIES)
    for _, rows in played.group_by("length", "words", "number"):
        means = dict(zip(rows["strategy"], rows["mean_guesses"], strict=True))
        assert min(means.values()) == pytest.approx(means["optimal"])
        assert means["random-consistent"] >= means["optimal"]
        in_time = dict(zip(rows["strategy"], rows["solved_in_time"], strict=True))
        assert max(in_time.values()) == pytest.approx(in_time["optimal-in-time"])
        assert means["optimal-in-time"] >= means["optimal"] - 1e-12
    assert played["solved_in_time"].is_between(0, 1).all()
    assert (played["solved_with_resets"] >= played["solved_in_time"]).all()


def test_a_first_guess_cuts_the_words_in_half_as_often_as_literal_play_says():
    """Random play may guess any word; strategies begin with the first guesses of their trees."""
    for terminal in terminals.draw_terminals(ENGLISH, [4, 8, 12], [5, 10], 2, 5):
        rows = {row["strategy"]: row for row in terminals.play_terminal(terminal, 4, 1)}
        words = terminal.words
        shares = {}
        for guess in words:
            answers = [matches(guess, word) for word in words]
            shares[guess] = sum(2 * answers.count(answer) < len(words) for answer in answers) / len(
                words
            )
        mean = sum(shares.values()) / len(words)
        assert rows["random-consistent"]["cut_in_half"] == pytest.approx(mean)
        opening = grow(terminal.game(), Strategy("entropy")).guess[0]
        assert rows["entropy"]["cut_in_half"] == pytest.approx(shares[words[opening]])


@pytest.mark.parametrize("attempts", [2, 3])
def test_the_most_passwords_in_time_are_those_of_every_tree(attempts):
    for terminal in terminals.draw_terminals(ENGLISH, [4, 7], [5, 6], 3, 3):
        rows = {row["strategy"]: row for row in terminals.play_terminal(terminal, attempts, 0)}
        literal = Definition(list(terminal.words), list(terminal.words), matches)
        pairs = attainable(literal, attempts)
        most = max(won for won, _ in pairs)
        fewest = min(total for won, total in pairs if won == most)
        row = rows["optimal-in-time"]
        assert row["solved_in_time"] == row["solved_with_resets"] == most / terminal.size
        assert row["mean_guesses"] == pytest.approx(fewest / terminal.size)


def test_the_table_has_every_group_and_states_the_attempts(played):
    attempts = [
        terminal_means.attempts_with_resets(*settings)
        for settings in ((4, 0), (4, 1), (4, 2), (1, 3))
    ]
    assert attempts == [4, 7, 10, 1]
    table = terminal_means.terminal_means(played)
    groups = ["all", "5 words", "9 words", "5 letters", "8 letters"]
    assert table["terminals"].unique(maintain_order=True).to_list() == groups
    assert table.height == len(groups) * len(terminal_means.STRATEGIES)
    (row,) = table.filter(terminals="9 words", strategy="entropy").to_dicts()
    some = played.filter(words=9, strategy="entropy")
    assert row["played"] == 6
    assert row["mean_guesses"] == pytest.approx(sum(some["mean_guesses"]) / 6, abs=1e-4)
    assert row["max_guesses"] == max(some["max_guesses"])
    spread = statistics.stdev(some["solved_in_time"])
    assert row["solved_error"] == pytest.approx(spread / 6**0.5)
    shown = shown_terminals(table.with_columns(attempts=2, resets=1))
    assert shown.columns[-4:] == [
        "solved in 2 attempts",
        "standard error",
        "solved with 1 reset, in 3 attempts",
        "less than half left after the first guess",
    ]
    assert shown.row(0)[-1].endswith("%")
    assert "in 2 attempts" in terminals_chart(played, 2).to_json()


def test_a_share_is_rounded_once_from_the_file(played, tmp_path):
    shares = [0.99642, 0.99652, 0.996473]  # 0.996471 on average, so 99.65% and then, wrongly, 99.7%
    rows = played.filter(strategy="optimal").head(3)
    rows = rows.with_columns(pl.Series("solved_in_time", shares))
    write_frame(terminal_means.terminal_means(rows), tmp_path / "terminals.csv")
    facts = Facts(Results(tmp_path, ["terminals.csv"]))
    optimal = "terminals = 'all' AND strategy = 'optimal'"
    for digits, text in ((1, "99.6%"), (2, "99.65%")):
        fact = facts.value("100 * solved_in_time", "terminals.csv", optimal, digits, "%")
        assert fact.text == text
