"""What a newcomer reads: how a game compares, the code of the day, names and letters."""

import re
from io import BytesIO

import pytest
from conftest import game_called
from playwright.sync_api import expect

from codebreaker.advice.transcripts import Reader
from codebreaker.games.registry import build_game, rules_of
from codebreaker.players.random_consistent import expected_profile


def test_a_shared_text_says_hints_and_guesses_taken_back(visit):
    """It is still read as the same moves, by the page and by the command line."""
    shown = visit()
    shown.hide("6543")
    shown.enter("1122")
    shown.press("Undo")
    shown.press("Hint", "Hint")
    shown.locator("#play-slots").focus()
    shown.enter("6543")
    shown.press("Share as text")
    text = shown.get_by_label("To share").input_value()
    assert text.splitlines()[0].endswith("solved with 2 guesses (1 taken back, 2 hints)")
    moves = [["1122", "0B-0C"], ["6543", "4B-0C"]]
    reader = Reader()
    (read,) = reader.read(BytesIO(text.encode()))
    assert reader.faults == []
    game = game_called("mm-4-6")
    assert [[game.guesses[guess], game.feedback_labels[id_]] for guess, id_ in read.moves] == moves
    shown.call("paste", text)
    assert shown.moves == moves


def test_a_letter_with_its_accent_after_it_is_one_letter(visit):
    shown = visit()
    shown.evaluate("Math.random = () => 0.9")  # another secret than the first guess
    shown.select_option("#play-game", "words-own")
    shown.get_by_label("Words that may be the secret").fill("käse maße süße nähe")
    shown.press("Play with these words")
    shown.tells("#play-rules", "word of 4 letters, one of 4")
    field = shown.get_by_label("Your guess").last
    field.fill("ka\u0308se")
    assert shown.evaluate("typedGuess()") == "käse"
    shown.keyboard.press("Enter")
    shown.wait_for_function("() => play.position.moves.length === 1")
    assert shown.moves[0][0] == "käse"
    field.fill("maßen")
    expect(field).to_have_value("maße")
    eszett = shown.locator("#play-slots .letter").nth(2)
    assert eszett.evaluate("(letter) => letter.innerText") == "ß"
    assert eszett.evaluate("(letter) => getComputedStyle(letter).textTransform") == "none"


def test_enter_in_the_text_field_ends_the_game_and_begins_no_other(visit):
    shown = visit()
    shown.evaluate("Math.random = () => 0")
    shown.select_option("#play-game", "words-own")
    shown.get_by_label("Words that may be the secret").fill("käse maße süße nähe")
    shown.press("Play with these words")
    shown.tells("#play-rules", "word of 4 letters, one of 4")
    shown.get_by_label("Your guess").last.fill("käse")
    shown.keyboard.press("Enter")
    shown.tells("#play-status", "Solved in 1 guess: käse.")
    expect(shown.locator("#review-moves li")).to_have_count(1)


def test_a_newcomer_reads_first_how_the_game_compares(visit):
    shown = visit()
    shown.hide("6543")
    shown.enter("1122", "3345", "6134", "6543")
    shown.tells(
        "#review-first",
        "You needed 4 guesses: fewer than best play on average.",
        "On average an ordinary player, who always guesses some code that fits, needs about 4.6, ",
        "and best play 4.34; for this secret it needs",
    )
    parts = shown.locator("#play-review > :not(:empty)")
    assert parts.nth(1).get_attribute("id") == "review-first"
    expect(shown.locator("#review-score small")).to_be_hidden()
    shown.click("#play-go")
    shown.hide("6543")
    shown.enter("1122", "6543")
    shown.tells("#review-first", "Your own average is 3.00, over 2 games.")
    shown.click("#play-go")
    shown.hide("6543")
    shown.press("Hint")
    shown.locator("#play-slots").focus()
    shown.enter("6543")
    shown.tells("#review-first", "You needed 1 guess (1 hint): fewer than best play on average.")
    shown.choose("words-common", secret="crane")
    shown.enter("crane")
    shown.tells("#review-first", "You needed 1 guess: fewer than an ordinary player on average.")


@pytest.mark.slow
def test_an_ordinary_player_is_the_random_consistent_one(visit):
    game = build_game(rules_of("mm-4-6"))
    profile = expected_profile(game)
    mean = sum(turn * share for turn, share in enumerate(profile, start=1)) / sum(profile)
    shown = visit().evaluate("openGame('mm-4-6').then((game) => ordinaryMean(game))")
    assert shown == pytest.approx(mean, abs=0.1)


def test_todays_code_is_explained_before_it_is_played_and_is_of_the_game_on_the_board(visit):
    shown = visit()
    shown.tells("#start-daily-told", "Mastermind, 4 pegs and 6 colours", "midnight UTC")
    shown.choose_size(5, 8)
    shown.wait_for_selector("#assistant[data-game='mm-5-8']")
    shown.from_menu()
    expect(shown.locator("#play-daily")).to_have_accessible_description(
        re.compile("Mastermind, 5 pegs and 8 colours.*midnight UTC")
    )
    shown.page.keyboard.press("Escape")
    shown.press("Play today’s code")
    shown.tells("#play-rules", "the same for everyone until midnight UTC")
    assert shown.evaluate("[play.state.origin, play.game.name]") == ["daily", "mm-5-8"]


def test_games_of_words_have_a_word_of_the_day_and_offer_no_puzzle(visit):
    shown = visit()
    expect(shown.locator("#start-puzzle")).to_be_visible()
    shown.choose("words-common")
    expect(shown.locator("#start-puzzle")).to_be_hidden()
    shown.tells("#start-daily-told", "a word that is the same for everyone, and")
    shown.press("Play today’s word")
    shown.tells("#play-rules", "Find the word of", "the same for everyone until")
    shown.select_option("#play-game", "words-own")
    shown.fill("#play-list", "chair plant crane")
    shown.press("Play with these words")
    shown.tells("#start-daily-told", "the same for everyone with this list")


def test_how_to_play_can_be_closed_in_a_game(visit):
    shown = visit()
    expect(shown.locator("#start-close")).to_be_hidden()
    shown.enter("1122")
    expect(shown.locator("#play-start")).to_be_hidden()
    shown.from_menu("How to play")
    expect(shown.locator("#start-goal")).to_be_visible()
    shown.press("Close", within="#play-start")
    expect(shown.locator("#play-start")).to_be_hidden()


@pytest.mark.parametrize("section", ["#findings", "#claims"])
def test_a_link_to_a_section_leads_to_its_top(visit, section):
    shown = visit(section)
    shown.call("settle")
    top, left = shown.call("placeOf", section)
    assert 0 <= top <= 80 or left < 2, top


def test_kinds_of_wordle_differ_in_their_names(visit):
    shown = visit()
    names = shown.locator("#play-game option").all_text_contents()
    of_words = [name for name in names if "Wordle" in name]
    assert of_words == [
        "Words with Wordle's marks: the list 'wide'",
        "Wordle",
        "Wordle with rare words",
        "Wordle with my own words…",
    ]


def test_copy_buttons_are_named_by_what_they_show(visit):
    shown = visit()
    shown.hide("6543")
    shown.enter("1122")
    button = shown.locator("#play-moves .copy")
    assert button.inner_text().replace("\n", "") in button.get_attribute("aria-label")


def test_wordle_itself_ends_after_six_guesses_which_the_page_says_once(visit):
    shown = visit()
    shown.choose("words-common", secret="crane")
    words = ["slate", "irony", "minor", "robin", "plant", "chair", "brand"]
    for number, word in enumerate(words, 1):
        shown.enter(word)
        is_told = "after six" in shown.locator("#play-status").inner_text()
        assert is_told is (number == 6), word
    shown.enter("crane")
    shown.tells("#play-status", "Solved in 8 guesses")
    shown.choose("mm-4-6", secret="6543")
    shown.enter(*["1122"] * 6)
    assert "after six" not in shown.locator("#play-status").inner_text()
