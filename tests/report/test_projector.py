"""The view for a projector: play first, then one guess at a time, each with a link."""

import pytest
from board import visitors
from playwright.sync_api import expect


@pytest.fixture(params=[(1280, 800), (390, 844)], ids=["desk", "phone"])
def projected(request, browser, page_file):
    """Give a visitor's page in the projector's view, and the function that opens links."""
    width, height = request.param
    with visitors(browser, page_file, viewport={"width": width, "height": height}) as visited:
        shown = visited()
        shown.from_menu("Projector view")
        yield shown, visited


def explained(shown):
    """Return the texts of the guesses that are explained now."""
    moves = shown.locator("#review-moves > ol > li")
    return [move.inner_text() for move in moves.all() if move.is_visible()]


def test_a_game_is_played_before_anything_is_explained(projected):
    shown, _ = projected
    for hidden in ("nav", "#findings", "#explorer", "#play-start", "#play-help", "#play-review"):
        expect(shown.locator(hidden)).to_be_hidden()
    expect(shown.locator("#play-moves")).to_be_visible()
    shown.lose_some()
    expect(shown.locator("#projector-told")).to_have_text("Guess 1 of 3")
    expect(shown.locator("#review-score")).to_be_hidden()
    expect(shown.locator("#review-save")).to_be_visible()
    shown.press("Next", "Next")
    for part in ("#review-first", "#review-score", "#review-told", "#review-sum", "#review-best"):
        expect(shown.locator(part)).to_be_visible()
    assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_guesses_are_explained_one_by_one_and_each_has_a_link(projected):
    shown, visited = projected
    shown.lose_some()
    links = []
    for number in (1, 2, 3):
        expect(shown.locator("#projector-told")).to_have_text(f"Guess {number} of 3")
        (text,) = explained(shown)
        assert ("solved" in text) == (number == 3)
        expect(shown.locator("#play-moves .explained")).to_have_count(1)
        if number < 3:
            expect(
                shown.locator(f"#review-moves li:nth-child({number}) .why").first
            ).to_be_visible()
            links.append(shown.url)
            shown.press("Next")
    expect(shown.locator("#projector-next")).to_be_disabled()
    shown.press("Back")
    expect(shown.locator("#projector-told")).to_have_text("Guess 2 of 3")
    assert shown.url == links[1]
    for number, link in enumerate(links, start=1):
        other = visited(link)
        expect(other.locator("#projector-told")).to_have_text(f"Guess {number} of 3")
        assert len(explained(other)) == 1


def test_a_new_game_begins_at_its_first_guess_and_the_usual_view_comes_back(projected):
    shown, _ = projected
    shown.lose_some()
    shown.press("Next")
    shown.press("New game", within=".top")
    shown.lose_some()
    expect(shown.locator("#projector-told")).to_have_text("Guess 1 of 3")
    shown.press("Usual view")
    assert len(explained(shown)) == 3
    expect(shown.locator("#projector-steps")).to_be_hidden()
    expect(shown.locator("#explorer")).to_be_visible()
    assert "view=" not in shown.url


def test_links_without_the_view_open_the_usual_one(projected):
    shown, visited = projected
    shown.reload()
    expect(shown.locator("#projector-off")).to_be_visible()
    link = shown.url.replace("&view=projector", "").replace("&step=1", "")
    other = visited(link)
    expect(other.locator("#projector-off")).to_be_hidden()
    for step in ("0", "-3", "x", "99"):
        odd = visited(f"{link}&view=projector&step={step}")
        odd.lose_some()
        expect(odd.locator("#projector-told")).to_have_text("Guess 1 of 3")


def test_what_is_asked_for_is_shown(projected):
    shown, _ = projected
    shown.hide("6543")
    shown.enter("1122")
    for part in ("#help-count", "#help-worth", "#help-table tbody", "#help-suggest"):
        expect(shown.locator(part)).to_be_hidden()
        shown.press("Hint")
        expect(shown.locator(part)).to_be_visible()
    opened_by = {
        "My statistics": "#play-history",
        "Challenge a friend": "#share-shown",
        "How to play": "#start-goal",
    }
    for name, part in opened_by.items():
        shown.from_menu(name)
        expect(shown.locator(part)).to_be_visible()
    shown.press("Close", within="#play-start")
    expect(shown.locator("#play-start")).to_be_hidden()
    for form in ("size", "words-own"):
        shown.select_option("#play-game", form)
        shown.confirm()
        part = {"size": "#play-size", "words-own": "#play-words"}[form]
        expect(shown.locator(part)).to_be_visible()


def test_the_puzzle_has_its_verdict(projected):
    shown, _ = projected
    shown.from_menu("Today’s puzzle")
    expect(shown.locator("#play-rules")).to_contain_text("The puzzle of")
    right = shown.evaluate("play.state.best")
    shown.enter("1111" if right != "1111" else "2222")
    expect(shown.locator("#puzzle-title")).to_be_visible()
    expect(shown.locator("#puzzle-told")).to_be_visible()


def test_the_mark_of_an_explained_guess_goes_with_its_game(projected):
    shown, _ = projected
    shown.lose_some()
    expect(shown.locator("#play-moves .explained")).to_have_count(1)
    shown.press("New game", within=".top")
    shown.enter("1122")
    expect(shown.locator("#play-moves .explained")).to_have_count(0)


def test_escape_closes_the_menu_and_then_leaves_the_view(projected):
    shown, _ = projected
    expect(shown.locator("#theme")).to_be_visible()
    shown.click("#play-menu summary")
    shown.keyboard.press("Escape")
    expect(shown.locator("#projector-off")).to_be_visible()
    expect(shown.locator("#play-stats")).to_be_hidden()
    shown.keyboard.press("Escape")
    expect(shown.locator("#projector-off")).to_be_hidden()
    expect(shown.locator("#findings")).to_be_visible()


SCREENS = [(1024, 600), (1280, 720), (1280, 800), (1920, 1080), (3840, 2160)]


@pytest.mark.parametrize("screen", SCREENS, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_long_game_and_its_reasons_leave_the_buttons_on_the_screen(visit, screen):
    width, height = screen
    shown = visit(viewport={"width": width, "height": height})
    shown.from_menu("Projector view")
    shown.hide("6543")
    shown.enter(*["1122"] * 9)
    shown.press("Hint", "Hint", "Hint")
    expect(shown.locator("#help-table tbody tr").first).to_be_visible()
    shown.click("#help-why summary")
    expect(shown.locator("#why-told table")).to_have_count(1)
    for part in ("#play-slots", "#play-palette", "#play-go", "#play-reveal"):
        expect(shown.locator(part)).to_be_in_viewport(ratio=1)
    # The page itself doesn't scroll, so that only the board and its side do.
    size = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    assert shown.evaluate(size) == [width, height]
    peg = shown.locator("#play-palette .peg").first.evaluate(
        "peg => peg.getBoundingClientRect().width"
    )
    assert peg >= min(width / 24, height / 13), "pegs grow with the screen"


def test_two_guesses_are_explained_side_by_side_and_the_pad_fits(visit):
    shown = visit(viewport={"width": 1280, "height": 800})
    shown.from_menu("Projector view")
    shown.solve_mine()
    shown.tell("1122", "0B-1C")
    shown.advised()
    button = "#play-answer button[data-feedback='4B-0C']"
    (outer,) = shown.boxes(button)
    pins = shown.boxes(f"{button} .pin")
    assert len({pin["x"] for pin in pins}) == 2
    (word,) = shown.boxes(f"{button} small")
    for part in (*pins, word):
        assert outer["x"] <= part["x"]
        assert part["x"] + part["width"] <= outer["x"] + outer["width"]
    shown.press("Compare", "Another guess")
    shown.call("compose", "1111")
    shown.tells("#help-table tfoot", "yours")
    shown.click("#help-why summary")
    expect(shown.locator("#why-told table")).to_have_count(2)
    mine, advised = shown.boxes("#why-told table")
    assert mine["y"] == advised["y"]
