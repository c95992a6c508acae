"""A game of the page as a list of events: what is counted, shown again, and said."""

import re

import pytest
from board import BoardPage
from playwright.sync_api import expect

SIZES = [(1280, 800), (390, 844)]
"""Widths and heights of the window."""


@pytest.fixture(params=SIZES, ids=["desk", "phone"])
def visit(request, browser, page_file):
    """Open the page or a link as a new visitor, at a size of the window."""
    contexts = []
    errors = []
    width, height = request.param

    def visited(address="", **options):
        settings = {"viewport": {"width": width, "height": height}, **options}
        contexts.append(browser.new_context(**settings))
        contexts[-1].on("weberror", lambda error: errors.append(str(error.error)))
        shown = BoardPage(contexts[-1].new_page())
        return shown.goto(address if "://" in address else page_file.as_uri() + address)

    yield visited
    for context in contexts:
        context.close()
    assert errors == []


def statistics(shown):
    """Return what the page's statistics say, by term."""
    shown.from_menu("My statistics")
    lines = shown.locator("#history-told .facts div").all()
    facts = {}
    for line in lines:
        facts[line.locator("dt").text_content()] = line.locator("dd").text_content()
    shown.press("Close")
    return facts


def give_up(shown):
    shown.press("Give up")
    if shown.locator("#sure").is_visible():
        shown.press("Give up", within="#sure")


def test_letters_typed_after_a_game_is_chosen_are_the_guess(visit):
    shown = visit()
    shown.locator("#play-game").focus()
    shown.choose("words-common")
    shown.keyboard.type("crane")
    expect(shown.locator("#play-game")).to_have_value("words-common")
    assert shown.evaluate("typedGuess()") == "crane"


def test_a_game_of_somebody_else_is_not_counted(visit):
    friend = visit()
    friend.from_menu("Today’s code")
    friend.tells("#play-rules", re.compile(r"code of 20\d\d-"))
    friend.enter("1122", friend.secret)
    friend.tells("#play-status", "Solved in 2 guesses")
    assert statistics(friend)["daily codes in a row"] == "1"
    link = friend.url
    shown = visit(link)
    shown.tells("#play-status", "Solved in 2 guesses")
    expect(shown.locator("#review-moves li")).to_have_count(2)
    assert statistics(shown) == {}
    shown.from_menu("Today’s code")
    shown.tells("#play-status", "Guess 1")
    assert shown.moves == []


def test_my_own_link_counts_once(visit):
    shown = visit()
    shown.lose_some()
    link = shown.url
    assert statistics(shown)["finished"] == "1"
    again = BoardPage(shown.context.new_page()).goto(link)
    expect(again.locator("#review-moves li")).to_have_count(3)
    assert statistics(again)["finished"] == "1"


def test_guesses_taken_back_count(visit):
    shown = visit()
    shown.hide("6543")
    for guess in ("1122", "1345"):
        shown.enter(guess)
        shown.press("Undo")
    shown.enter("6543")
    shown.tells("#play-status", "Solved in 3 guesses")
    expect(shown.locator("#review-moves li")).to_have_count(3)
    assert statistics(shown)["guesses on average"].startswith("3.00")


def test_giving_up_without_a_guess_is_a_finished_game(visit):
    shown = visit()
    shown.from_menu("Today’s code")
    shown.tells("#play-rules", re.compile(r"code of 20\d\d-"))
    give_up(shown)
    shown.tells("#play-status", "You gave up")
    facts = statistics(shown)
    assert (facts["finished"], facts["solved"], facts["daily codes in a row"]) == ("1", "0", "0")
    shown.from_menu("Today’s code")
    shown.tells("#play-refused", "You have played today’s code")


def test_a_game_that_was_given_up_has_no_score(visit):
    shown = visit()
    shown.hide("6543")
    shown.enter("1123")
    give_up(shown)
    expect(shown.locator("#review-moves li")).to_have_count(1)
    expect(shown.locator("#review-score")).not_to_contain_text("of 100")
    assert "score on average" not in statistics(shown)


def test_back_moves_through_the_page_and_not_through_games(visit):
    shown = visit()
    shown.hide("6543")
    shown.enter("1122")
    shown.locator("nav a[href='#findings']").click()
    shown.locator("nav a[href='#assistant']").click()
    shown.enter("1345", "3456")
    before = shown.moves
    assert len(before) == 3
    for _ in range(2):
        shown.go_back()
        shown.call("settle")
        assert shown.moves == before
    shown.reload()
    assert shown.moves == before
    shown.locator("nav a[href='#findings']").click()
    shown.press("New game", "New game")
    shown.go_back()
    shown.call("settle")
    assert shown.moves == []


def test_another_guess_stays_on_the_board_while_guesses_are_compared(visit):
    shown = visit()
    shown.solve_mine()
    shown.press("Another guess")
    shown.keyboard.type("6666")
    shown.press("Compare")
    expect(shown.locator("#help-table tbody tr")).to_have_count(5)
    assert shown.evaluate("typedGuess()") == "6666"
    shown.press("Play it")
    shown.reload()
    expect(shown.locator("#help-table tbody tr")).to_have_count(5)
    assert shown.evaluate("typedGuess()") == "6666"
    shown.answer("1B-0C")
    assert shown.moves == [["6666", "1B-0C"]]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CR LF", "CR"])
def test_all_lines_of_a_pasted_text_are_read(visit, end):
    shown = visit()
    shown.call("paste", end.join(["1122 1,0", "3345 1,1", ""]))
    assert shown.moves == [["1122", "1B-0C"], ["3345", "1B-1C"]]


def test_a_message_goes_with_the_next_event(visit):
    shown = visit()
    shown.solve_mine()
    shown.from_menu("Challenge a friend")
    shown.tells("#play-refused", "A challenge needs")
    shown.answer("1B-0C")
    expect(shown.locator("#play-refused")).to_be_empty()
    shown.call("paste", "nothing to read")
    shown.tells("#play-refused", "no moves that this page can read")
    shown.press("New game")
    if shown.locator("#sure").is_visible():
        shown.press("New game", within="#sure")
    expect(shown.locator("#play-refused")).to_be_empty()


CUT = """() => [...document.querySelectorAll("#play-moves li:not(.blank)")].flatMap((row) => {
    const edge = document.getElementById("play-moves").getBoundingClientRect();
    return [...row.querySelectorAll(".pin, .peg, small")].filter((part) => {
        const { left, right } = part.getBoundingClientRect();
        return left < edge.left - 0.5 || right > edge.right + 0.5 || part.scrollWidth > part.clientWidth + 1;
    }).map((part) => part.outerHTML);
})"""


@pytest.mark.parametrize(("pegs", "colours"), [(5, 8), (6, 5), (7, 4), (8, 3), (9, 3)])
def test_rows_of_large_codes_are_not_cut_off(visit, pegs, colours):
    shown = visit()
    shown.choose_size(pegs, colours)
    shown.solve_mine()
    shown.press("Another guess")
    shown.enter("12" * (pegs // 2) + "1" * (pegs % 2))
    shown.answer("1B-1C")
    shown.tells("#play-moves li:first-child small", "left")
    assert shown.evaluate(CUT) == []


def test_the_theme_is_set_before_anything_is_drawn(visit, page_file):
    shown = visit(color_scheme="dark")
    shown.add_init_script("""new MutationObserver((_, watcher) => {
        if (!document.body) return;
        window.themeOfEmptyPage = document.documentElement.dataset.theme ?? "none";
        watcher.disconnect();
    }).observe(document, { childList: true, subtree: true });""")
    shown.reload()
    assert shown.evaluate("window.themeOfEmptyPage") == "dark"


LOOK = """() => ["black", "white"].map((kind) => {
    const style = getComputedStyle(document.querySelector(`#play-moves .pin.${kind}`));
    return [style.backgroundColor, style.forcedColorAdjust, style.printColorAdjust];
})"""


def test_pins_differ_in_forced_colours_and_in_print(visit):
    shown = visit(forced_colors="active")
    shown.hide("6543")
    shown.enter("6415")
    black, white = shown.evaluate(LOOK)
    assert black[0] != white[0]
    assert [black[1], white[1]] == ["none", "none"]
    shown.emulate_media(media="print", forced_colors="none")
    black, white = shown.evaluate(LOOK)
    assert black[0] != white[0]
    assert [black[2], white[2]] == ["exact", "exact"]


def test_words_are_shown_in_the_direction_in_which_they_are_read(visit):
    shown = visit()
    shown.select_option("#play-game", "words-own")
    shown.get_by_label("Words that may be the secret").fill("שלום תודה")
    shown.press("Play with these words")
    shown.tells("#play-rules", "one of 2 words of 4 letters")
    shown.get_by_label("Your guess").last.fill("שלום")
    shown.keyboard.press("Enter")
    places = "(all) => all.map((letter) => letter.getBoundingClientRect().left)"
    lefts = shown.locator("#play-moves li:first-child .letter").evaluate_all(places)
    assert lefts == sorted(lefts, reverse=True)


def test_enter_plays_the_guess_that_help_has_put_on_the_board(visit):
    shown = visit()
    shown.hide("6543")
    shown.press(*["Hint"] * 4)
    expect(shown.locator("#play-suggestion")).to_be_visible()
    shown.press("Use this guess")
    guess = shown.evaluate("typedGuess()")
    shown.keyboard.press("Enter")
    assert [move[0] for move in shown.moves] == [guess]


def test_the_menu_closes_on_escape_and_on_a_click_elsewhere(visit):
    shown = visit()
    menu = shown.locator("#play-menu > div")
    shown.from_menu()
    expect(menu).to_be_visible()
    shown.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(shown.locator("#play-menu summary")).to_be_focused()
    shown.from_menu()
    shown.locator("#play-status").click()
    expect(menu).to_be_hidden()


def test_words_fit_their_number_and_their_game(visit):
    shown = visit()
    shown.hide("6543")
    shown.enter("1122", "6541", "6543")
    expect(shown.locator("#review-moves li")).to_have_count(3)
    expect(shown.locator("#play-review")).not_to_contain_text(re.compile(r"\b1 candidates"))
    options = shown.locator("#play-rule option:not([hidden])")
    assert "Wordle" not in " ".join(options.all_text_contents())
    shown.choose("words-common")
    assert "Wordle" in " ".join(options.all_text_contents())
