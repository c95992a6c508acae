"""A guess of mine in the explorer: its guesses to go, against the library."""

import re

import numpy as np
import pytest
from board import feedback_of, visitors
from conftest import game_called
from playwright.sync_api import expect

from codebreaker.policies.strategy import Strategy
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.trees.grow import grow

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
        r"needs ([\d.]+) more guesses with best play after it, "
        r"(.*?) (?:than|as) the strategy’s tree",
        words,
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


def test_the_strategys_own_guess_is_compared_with_its_tree(explored):
    guess = next_guess(explored)
    told_of(explored, guess)
    expect(explored.locator("#tried-told")).to_contain_text("is the strategy’s guess. It needs")
    told_of(explored, "432" if guess != "432" else "340")
    expect(explored.locator("#tried-told")).not_to_contain_text("is the strategy’s guess")


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


def grown_tree(shown):
    """Return the tree that the explorer shows, with the parent of each node."""
    return shown.call("grownTree")


def walk_from(shown, opening):
    """Walk a tree from an opening, and return it."""
    try_guess(shown, opening)
    shown.press("Walk a tree from it")
    expect(shown.locator("#explorer-status")).to_contain_text(f"Guess 1: {opening}", timeout=60_000)
    return grown_tree(shown)


def solved_turns(game, tree):
    """Return the turn at which a tree solves each secret, by following its nodes."""
    children = {}
    for node, parent in enumerate(tree["parent"]):
        children[parent, tree["feedback"][node]] = node
    turns = []
    for secret in range(game.n_secrets):
        node = 0
        turn = 1
        while (
            answer := int(game.feedback(tree["guess"][node], np.array([secret]))[0])
        ) != game.solved:
            node = children[node, answer]
            turn += 1
        turns.append(turn)
    return turns


@pytest.mark.parametrize("opening", ["012", "340"])
def test_a_tree_from_my_opening_is_optimal_in_a_small_game(explored, bulls, search, opening):
    turns = solved_turns(bulls, walk_from(explored, opening))
    members = np.arange(bulls.n_secrets, dtype=np.int32)
    index = bulls.guesses.index(opening)
    assert sum(turns) == search.after(index, members, 1, search.no_limit)
    mean = f"{sum(turns) / len(turns):.4f} guesses on average, at most {max(turns)}"
    expect(explored.locator("#explorer-line")).to_contain_text(mean)
    explored.tells("#explorer-line", "No tree from this opening needs fewer")


def test_a_tree_from_my_opening_is_between_the_minimum_and_entropy(visit, mm46):
    shown = visit()
    turns = solved_turns(mm46, walk_from(shown, "1122"))
    entropy = grow(mm46, Strategy("entropy", opening="1122"))
    # 5702 is the minimum total from 1122: `search.openings` computes it.
    assert 5702 <= sum(turns) < entropy.total_guesses
    shown.tells("#explorer-line", f"{sum(turns) / 1296:.4f}", f"opening is {5702 / 1296:.4f};")
    assert (
        shown.evaluate("play.game.strategies.some((one) => one.tree.startsWith('from-'))") is False
    )


def test_a_grown_tree_has_a_link_and_is_not_grown_again_at_the_next_visit(browser, page_file):
    with visitors(browser, page_file) as visited:
        shown = visited()
        shown.select_option("#explorer-game", "bc-3-5")
        walk_from(shown, "340")
        shown.locator("#explorer-pad button").first.click()
        link = shown.url
        other = visited(link)
        expect(other.locator("#explorer-status")).to_contain_text("Guess 2")
        expect(other.locator("#explorer-strategy")).to_have_value("from-340")
        shown.goto(page_file.as_uri())
        expect(shown.locator("#explorer-strategy")).not_to_have_value("from-340")
        wrong = visited(link.replace("from-340", "from-999"))
        wrong.tells("#play-refused", "doesn't have its strategy")
