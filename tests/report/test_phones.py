"""The page on phones."""

import re

import pytest
from board import violations, visitors
from playwright.sync_api import expect

PHONES = [(390, 844), (375, 667), (360, 640), (320, 568)]


@pytest.fixture(params=PHONES, ids=lambda size: f"{size[0]}x{size[1]}")
def phone(request, browser, page_file):
    """A page on a phone, whose finger hovers over nothing."""
    width, height = request.param
    settings = {"viewport": {"width": width, "height": height}, "has_touch": True}
    with visitors(browser, page_file, is_mobile=True, **settings) as visited:
        yield visited()


def on_first_screen(shown, *selectors):
    for selector in selectors:
        bottom = shown.locator(selector).evaluate(
            "(part) => part.getBoundingClientRect().bottom + scrollY"
        )
        assert bottom <= shown.evaluate("innerHeight"), selector
    assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_palette_the_keyboard_and_the_guess_button_are_on_the_first_screen(phone):
    on_first_screen(phone, "#play-palette", "#play-go", "#play-hint", "#play-reveal")
    phone.hide("6543")
    phone.enter("1122", "3345", "1356", "2345")
    on_first_screen(phone, "#play-palette", "#play-go", "#play-hint", "#play-reveal")
    expect(phone.locator("#play-slots")).to_be_in_viewport(ratio=1)
    phone.choose("words-common", secret="crane")
    phone.enter("chair")
    on_first_screen(phone, "#play-palette", "#play-go")
    phone.choose("mm-4-6")
    phone.solve_mine()
    on_first_screen(phone, "#play-answer", "#play-undo", "#play-hint")


OVAL = """() => [...document.querySelectorAll("#assistant .peg, #assistant .pin")]
    .filter((part) => part.checkVisibility())
    .map((part) => [part.getBoundingClientRect(), part.outerHTML])
    .filter(([{ width, height }]) => Math.abs(width - height) > 1)"""


def test_pegs_are_round_at_five_pegs(phone):
    phone.choose_size(5, 8)
    assert phone.evaluate(OVAL) == []
    phone.enter("11223")
    assert phone.evaluate(OVAL) == []
    phone.solve_mine()
    phone.press("Compare")
    phone.answer("1B-1C")
    expect(phone.locator("#help-table tbody tr")).to_have_count(5)
    assert phone.evaluate(OVAL) == []


SMALLEST = """() => Math.min(...[...document.querySelectorAll("#play-moves .peg")]
    .map((peg) => peg.getBoundingClientRect().width))"""


def test_long_codes_have_two_lines_that_can_be_read(phone):
    phone.choose_size(12, 5)
    phone.enter("112233445512", "543215432154")
    expect(phone.locator("#play-moves > li:not(.now)")).to_have_count(2)
    assert phone.evaluate(SMALLEST) >= 16
    assert phone.evaluate(OVAL) == []
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_an_answer_that_was_tapped_is_not_marked_for_the_next_guess(phone):
    phone.solve_mine()
    border = "(button) => getComputedStyle(button).borderColor"
    button = phone.locator('#play-answer button[data-feedback="1B-1C"]')
    before = button.evaluate(border)
    button.tap()
    phone.advised()
    button.hover()  # as on phones, which leave the pointer where the finger was
    assert button.evaluate("(button) => button.matches(':hover')")
    assert len(phone.moves) == 1
    assert button.evaluate(border) == before


@pytest.mark.parametrize("pegs", [6, 9, 10])
def test_the_pad_says_black_and_white_at_any_number_of_pegs(visit, pegs):
    shown = visit()
    shown.choose_size(pegs, 3)
    shown.solve_mine()
    shown.wait_for_selector("#play-answer button")
    words = shown.locator("#play-answer").inner_text().lower()
    assert "black" in words
    assert "white" in words


def test_a_finished_game_and_its_reasons_can_be_read_on_a_phone(phone):
    phone.hide("6543")
    phone.enter("1122", "3344", "3536", "6543")
    phone.tells("#review-first", "You needed 4 guesses")
    for fold in phone.locator("#review-moves summary").all():
        fold.click()
    assert violations(phone) == []
    assert phone.call("tooSmall") == []
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_guesses_are_compared_without_scrolling_sideways(phone):
    phone.solve_mine()
    phone.press("Compare", "Another guess")
    phone.call("compose", "6616")
    expect(phone.locator("#help-table tfoot td")).to_have_count(6)
    table = phone.locator("#help-table")
    assert table.evaluate("(table) => table.scrollWidth <= table.clientWidth")
    heads = [head for head in table.locator("th").all_inner_texts() if head]
    assert {"guesses to go", "bits", "left at most"} <= set(heads)


def test_an_error_moves_nothing(phone):
    palette = phone.locator("#play-palette")
    for game, guess, error in (
        ("mm-4-6", "12", "12 has 2 pegs"),
        ("words-common", "zzzzz", "zzzzz is not in the word list"),
    ):
        phone.choose(game)
        before = palette.bounding_box()
        phone.enter(guess)
        phone.tells("#play-error", error)
        assert palette.bounding_box() == before


def test_the_task_is_told_in_a_sentence(phone):
    for game, noun in (("mm-4-6", "code"), ("words-common", "word")):
        phone.choose(game)
        rules = phone.locator("#play-rules").inner_text()
        assert re.match(rf"Find the (hidden )?{noun}\b", rules)


def test_rows_out_of_sight_have_a_sign(phone):
    phone.choose("words-common", secret="crane")
    sign = "(board) => [getComputedStyle(board, '::before'), getComputedStyle(board, '::after')]"
    signs = f"(board) => ({sign})(board).map((edge) => edge.content !== 'none')"
    board = phone.locator("#play-moves")
    assert board.evaluate(signs) == [False, False]
    phone.enter(*["chair"] * 10)
    assert board.evaluate(signs) == [True, False]
    board.evaluate("(board) => { board.scrollTop = 0; }")
    expect(board).to_have_class(re.compile("cut-below"))
    assert board.evaluate(signs) == [False, True]


def test_twelve_pegs_fit(phone):
    phone.choose_size(12, 10)
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    edge = phone.evaluate("innerWidth")
    codes = phone.boxes("#play-start .code")
    assert codes
    for box in codes:
        assert box["x"] + box["width"] <= edge


def test_a_game_from_below_the_board_comes_into_view(phone):
    for button in ("#start-daily", "#start-puzzle"):
        phone.evaluate("startGame()")
        phone.click(button)
        expect(phone.locator("#play-rules")).to_contain_text("until midnight UTC")
        expect(phone.locator("#play-rules")).to_be_in_viewport()
