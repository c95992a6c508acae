"""Guesses that a player fixes for the page's advice, against the library."""

import re

import pytest
from board import visitors
from conftest import grown, notation_of
from playwright.sync_api import expect

from codebreaker.advice.resolve import Settings, resolve
from codebreaker.policies.strategy import Strategy

FIXED = [
    ("bc-3-5", "012,234"),
    ("bc-3-5", "012,012,340"),
    ("bc-3-5", "432"),
    ("marks-wide", "{0},{1}"),
    ("marks-wide", "{1}"),
]
"""Games with an opening; a number in braces is that of a guess of the game."""


def fix(shown, opening):
    """Type an opening into its field."""
    shown.fill("#play-opening", opening)
    shown.locator("#play-opening").press("Enter")


def advice_shown(shown):
    """Return the advised guess, and what is said of it if it is fixed, otherwise None."""
    guess = shown.advised()
    suggestion = shown.locator("#help-suggestion")
    expect(shown.locator("#play-suggestion")).to_be_visible(timeout=20_000)
    if "Your opening" not in suggestion.inner_text():
        return guess, None
    expect(suggestion).to_contain_text("more guesses on average", timeout=20_000)
    return guess, suggestion.inner_text()


@pytest.mark.parametrize("draws", [(0, 0, 0), (4, 2, 1)])
@pytest.mark.parametrize(("name", "opening"), FIXED)
def test_fixed_guesses_are_advised_where_the_library_plays_them(visit, name, opening, draws):
    notation = notation_of(name)
    game = notation.game
    opening = opening.format(*game.guesses)
    fixed = opening.split(",")
    assistant = resolve(notation, None, Settings(opening))
    shown = visit()
    shown.choose(name)
    shown.solve_mine()
    fix(shown, opening)
    moves = []
    n_exact = 0
    for turn, draw in enumerate(draws):
        wanted = assistant.suggest(moves)
        left = wanted.outlook.candidates
        guess, told = advice_shown(shown)
        is_fixed = game.guesses[wanted.guess] in fixed[turn : turn + 1] and len(left) > 1
        assert (told is not None) == is_fixed
        if is_fixed:
            assert guess == game.guesses[wanted.guess]
            to_go = float(re.search(r"([\d.]+) more guesses", told)[1])
            # What is played where a fixed guess is left out, and others follow, may differ.
            most = 0.1 if "About" in told else 0.00005
            assert to_go == pytest.approx(float(wanted.outlook.expected_guesses), abs=most)
            n_exact += "About" not in told
        index = game.guesses.index(guess)
        answers = sorted({*game.feedback(index, left).tolist()} - {game.solved})
        if not answers:
            break
        answer = answers[draw % len(answers)]
        moves.append((index, answer))
        label = game.feedback_labels[answer]
        shown.evaluate("label => enterAnswer(play.game.idOf.get(label))", label)
    assert n_exact > 0 or len(set(fixed)) < len(fixed)


@pytest.mark.parametrize(
    ("opening", "error"),
    [
        ("1122,77", "'77' is not a guess of Mastermind, 4 pegs and 6 colours."),
        ("112", "'112' is not a guess of Mastermind, 4 pegs and 6 colours."),
        ("what,ever", "'what' is not a guess of Mastermind, 4 pegs and 6 colours."),
    ],
)
def test_what_is_no_guess_gets_one_line_and_nothing_is_fixed(visit, opening, error):
    shown = visit()
    shown.solve_mine()
    fix(shown, opening)
    expect(shown.locator("#opening-refused")).to_have_text(error)
    assert advice_shown(shown)[1] is None
    fix(shown, "")
    expect(shown.locator("#opening-refused")).to_have_text("")


def test_blanks_part_guesses_as_commas_do(visit):
    shown = visit()
    shown.solve_mine()
    fix(shown, "1122 3344")
    expect(shown.locator("#opening-refused")).to_have_text("")
    assert shown.advised() == "1122"
    shown.answer("0B-0C")
    assert shown.advised() == "3344"
    fix(shown, "1 1 2 2")
    expect(shown.locator("#opening-refused")).to_have_text("")
    fix(shown, "1122 77")
    shown.tells("#opening-refused", "'77' is not a guess")


def test_what_is_said_of_a_strategy_is_of_free_play_and_says_so(visit, mm46):
    shown = visit()
    shown.solve_mine()
    line = shown.inner_text("#play-line")
    assert "your opening" not in line
    fix(shown, "1122")
    shown.tells("#play-line", line, "That is without your opening, 1122.")
    fix(shown, "")
    shown.click("#play-menu summary")
    shown.select_option("#play-rule", "candidates")
    pool = Strategy("expected-size", guess_pool="consistent")
    first = Strategy("first-consistent")
    best = min(grown(mm46, played)[0].total_guesses for played in (pool, first))
    shown.tells("#play-line", "not with candidates only", f"needs {best / 1296:.4f}.")
    shown.tells("#help-suggestion", "if later guesses are free")
    expect(shown.locator("#help-suggestion")).not_to_contain_text("Better than the tree")


def test_several_fixed_guesses_and_a_rule_of_guesses_exclude_each_other(visit):
    shown = visit()
    shown.solve_mine()
    fix(shown, "1122,3344")
    assert advice_shown(shown)[1] is not None
    shown.click("#play-menu summary")
    shown.select_option("#play-rule", "candidates")
    shown.tells("#opening-refused", "the rule of guesses depends on them")
    assert advice_shown(shown)[1] is None
    fix(shown, "1122")
    expect(shown.locator("#opening-refused")).to_have_text("")
    assert advice_shown(shown)[0] == "1122"


def test_words_that_are_not_secrets_can_be_fixed(visit):
    shown = visit()
    shown.choose("words-common")
    shown.solve_mine()
    fix(shown, "parse,carom")
    expect(shown.locator("#help-suggestion")).to_contain_text("Your opening")
    assert shown.advised() == "parse"
    shown.evaluate("enterAnswer(play.game.idOf.get('bybbb'))")
    assert shown.advised() == "carom"
    fix(shown, "parse,clint")
    shown.tells("#opening-refused", "'clint' is not a guess of Wordle: common five-letter words.")


def test_an_opening_lasts_and_a_link_brings_its_own(browser, page_file):
    with visitors(browser, page_file) as visited:
        shown = visited()
        shown.solve_mine()
        fix(shown, "1112")
        assert advice_shown(shown)[0] == "1112"
        link = shown.url
        shown.reload()
        assert advice_shown(shown)[0] == "1112"
        other = visited(link[link.index("#") :])
        assert advice_shown(other)[0] == "1112"
        other.press("New game")
        other.confirm()
        assert advice_shown(other)[1] is None


def test_games_of_codes_that_are_not_listed_take_no_opening(visit):
    shown = visit()
    shown.choose_size(8, 10)
    shown.solve_mine()
    expect(shown.locator("#help-opening")).to_be_hidden()
