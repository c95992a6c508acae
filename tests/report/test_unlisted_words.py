"""Words that no list of the page has, asked of a secret elsewhere."""

import pytest
from playwright.sync_api import expect

from codebreaker.games.words import read_words
from codebreaker.report.site import ENGLISH

TOLD = "zonda is in no list of this page: it counts as a guess that can’t be the secret."


def marks(guess, secret):
    """Return Wordle's marks, letter by letter as its rules say."""
    answer = ["g" if a == b else "b" for a, b in zip(guess, secret, strict=True)]
    left = [b for a, b in zip(guess, secret, strict=True) if a != b]
    for place, letter in enumerate(guess):
        if answer[place] == "b" and letter in left:
            answer[place] = "y"
            left.remove(letter)
    return "".join(answer)


def candidates(*moves):
    secrets = [word.text for word in read_words(ENGLISH["secrets"])]
    return [word for word in secrets if all(marks(guess, word) == told for guess, told in moves)]


def asked(shown, *words):
    """Ask a secret elsewhere, CRANE, for words."""
    shown.choose("words-common")
    shown.solve_mine()
    for word in words:
        shown.enter(word)
        shown.enter(marks(word, "crane"))
        shown.advised()
    return [[word, marks(word, "crane")] for word in words]


@pytest.mark.parametrize("words", [["zonda"], ["slate", "zonda"], ["zonda", "slate", "vinyz"]])
def test_an_unlisted_word_leaves_the_candidates_that_its_marks_say(visit, words):
    shown = visit()
    moves = asked(shown, *words)
    assert shown.moves == moves
    left = shown.evaluate("[...play.position.candidates.members].map((i) => play.game.guesses[i])")
    assert sorted(left) == sorted(candidates(*moves))
    assert not {"zonda", "vinyz"} & set(left)


def test_the_page_says_that_it_has_no_such_word_and_a_link_shows_it(visit):
    shown = visit()
    shown.choose("words-common")
    shown.solve_mine()
    shown.enter("zonda")
    shown.tells("#play-refused", TOLD)
    shown.enter("bbyby")
    advised = shown.advised()
    friend = visit("#" + shown.url.split("#")[1])
    assert friend.moves == [["zonda", "bbyby"]]
    assert friend.advised() == advised
    shown.reload()
    assert shown.moves == [["zonda", "bbyby"]]
    assert shown.advised() == advised


def test_advice_is_the_same_after_an_unlisted_word_is_taken_back(visit):
    fresh = visit()
    [move] = asked(fresh, "slate")
    advised = fresh.evaluate("typedGuess()")
    shown = visit()
    asked(shown, "zonda")
    shown.press("Undo")
    shown.advised()
    assert shown.evaluate("play.game.indexOf.has('zonda')") is False
    shown.enter("slate")
    shown.enter(move[1])
    assert shown.advised() == advised
    names = "[play.game.guesses.length, play.game.base === null]"
    assert shown.evaluate(names) == fresh.evaluate(names)


def test_a_game_with_an_unlisted_word_is_reviewed(visit):
    shown = visit()
    asked(shown, "zonda", "slate")
    shown.from_menu("Analyse this game")
    expect(shown.locator("#review-moves > ol > li")).to_have_count(2, timeout=20_000)
    shown.tells("#review-moves", "→")


def test_a_hidden_secret_takes_words_of_the_list_only(visit):
    shown = visit()
    shown.choose("words-common", secret="crane")
    shown.enter("zonda")
    shown.tells("#play-error", "zonda is not in the word list.")
    assert shown.moves == []
    link = "#game=words-common&mode=hidden&moves=zonda*bbyby&key=0"
    refused = visit(link)
    refused.tells("#play-refused", "This link can't be opened", "zonda*bbyby")


def test_only_words_of_the_games_letters_are_taken(visit):
    shown = visit()
    shown.choose("mm-4-6")
    for name, label in (("mm-4-6", "1127"), ("words-common", "zond"), ("words-common", "zondä")):
        link = f"#game={name}&mode=mine&moves={label}*bbyby"
        shown = visit(link)
        shown.tells("#play-refused", "This link can't be opened")


def test_a_rule_that_asks_for_candidates_refuses_them(visit):
    shown = visit()
    shown.choose("words-common")
    shown.solve_mine()
    shown.click("#play-menu summary")
    shown.select_option("#play-rule", "candidates")
    shown.keyboard.press("Escape")
    shown.press("Another guess")
    shown.enter("zonda")
    shown.tells("#play-error", "zonda is in no list of this page: only guesses that could be the")


def test_words_of_my_own_list_may_be_asked_beside_it(visit):
    shown = visit()
    shown.evaluate("lend('crane crate grate plate')")
    shown.evaluate("openGame('words-own').then((game) => begin(game, { mode: 'mine' }))")
    shown.advised()
    shown.enter("pratt")
    shown.tells("#play-refused", "pratt is in no list of this page")
    shown.enter(marks("pratt", "plate"))
    left = shown.evaluate("[...play.position.candidates.members].map((i) => play.game.guesses[i])")
    assert left == ["plate"]


@pytest.mark.parametrize("word", ["zonda", "soare"])
def test_a_secret_that_the_list_lacks_is_found_and_no_contradiction(visit, word):
    shown = visit()
    shown.choose("words-common")
    shown.solve_mine()
    for guess in ("slate", word):
        shown.enter(guess)
        shown.enter(marks(guess, word))
        expect(shown.locator("#play-moves > li:not(.now)")).to_have_count(1 + (guess == word))
    shown.tells(
        "#play-status", f"Solved in 2 guesses: {word}. This page’s list doesn’t have it as a secret"
    )
    expect(shown.locator("#play-moves .wrong")).to_have_count(0)
    expect(shown.locator("#play-repairs button")).to_have_count(0)


def test_a_win_that_contradicts_an_earlier_answer_is_a_contradiction(visit):
    shown = visit("#game=words-common&mode=mine&moves=slate*ggggb_zonda*ggggg")
    shown.tells("#play-status", "Contradiction")
