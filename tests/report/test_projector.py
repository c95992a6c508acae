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
    for hidden in ("header", "#findings", "#explorer", "#play-start", "#play-review"):
        expect(shown.locator(hidden)).to_be_hidden()
    expect(shown.locator("#play-moves")).to_be_visible()
    shown.lose_some()
    expect(shown.locator("#projector-told")).to_have_text("Guess 1 of 3")
    expect(shown.locator("#review-score")).to_be_hidden()
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
