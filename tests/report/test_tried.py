"""A guess of mine in the explorer: its guesses to go, against the library."""

import re

import numpy as np
import pytest
from board import feedback_of
from conftest import game_called
from playwright.sync_api import expect

from codebreaker.search.cost_to_go import CostToGo

GUESSES = ["012", "123", "432", "340"]


@pytest.fixture(scope="module")
def bulls():
    return game_called("bc-3-5")


@pytest.fixture(scope="module")
def search(bulls):
    return CostToGo(bulls)


@pytest.fixture
def explored(visit):
    shown = visit()
    shown.select_option("#explorer-game", "bc-3-5")
    expect(shown.locator("#explorer-count")).to_have_text("60 candidates")
    return shown


def try_guess(shown, guess):
    """Type a guess into the explorer's field."""
    shown.fill("#tried-guess", guess)
    shown.locator("#tried-guess").press("Enter")


def told_of(shown, guess):
    """Return the guesses to go with a guess, and the difference from the strategy's, as shown."""
    try_guess(shown, guess)
    sentence = shown.locator("#tried-told")
    expect(sentence).to_contain_text("bits that are missing")
    words = " ".join(sentence.inner_text().split())
    assert words.replace(" ", "").startswith(guess)
    mean, compared = re.search(
        r"needs ([\d.]+) more guesses, (.*?) (?:than|as) the", words
    ).groups()
    if compared == "as many":
        return float(mean), 0
    size, direction = compared.split()
    return float(mean), float(size) * (1 if direction == "more" else -1)


def strategy_mean(shown):
    """Return the guesses to go with the strategy's tree."""
    return float(shown.locator("#explorer-facts dd").first.inner_text().split()[0])


def next_guess(shown):
    """Return the strategy's guess."""
    return shown.locator("#explorer-moves .next .code").inner_text().replace("\n", "")


def test_any_guess_gets_its_guesses_to_go_at_each_node(explored, bulls, search):
    members = np.arange(bulls.n_secrets, dtype=np.int32)
    for _ in range(2):
        for guess in GUESSES:
            index = bulls.guesses.index(guess)
            minimum = search.after(index, members, 1, search.no_limit) / len(members)
            mean, difference = told_of(explored, guess)
            assert mean == pytest.approx(minimum, abs=0.00005)
            assert difference == pytest.approx(minimum - strategy_mean(explored), abs=0.00011)
        guess = next_guess(explored)
        button = explored.locator("#explorer-pad button").first
        answer = button.get_attribute("data-feedback")
        button.click()
        expect(explored.locator("#tried-guess")).to_have_value("")
        expect(explored.locator("#tried-told")).to_have_text("")
        kept = [feedback_of(bulls, guess, bulls.secrets[secret]) == answer for secret in members]
        members = members[kept]


def test_what_is_no_guess_gets_one_line(explored):
    try_guess(explored, "99")
    expect(explored.locator("#tried-refused")).to_contain_text("'99' is not a guess of")
    expect(explored.locator("#tried-go")).to_be_hidden()
    try_guess(explored, "012")
    expect(explored.locator("#tried-refused")).to_have_text("")


def test_a_position_of_the_explorer_goes_on_on_the_board_with_my_guess(explored):
    first = next_guess(explored)
    button = explored.locator("#explorer-pad button").first
    answer = button.get_attribute("data-feedback")
    button.click()
    try_guess(explored, "340")
    explored.press("Go on with it on the board")
    explored.confirm()
    expect(explored.locator("#assistant")).to_have_attribute("data-mode", "mine")
    assert explored.moves == [[first, answer]]
    assert explored.evaluate("typedGuess()") == "340"
