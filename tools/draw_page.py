"""Draw the README's picture of the page: a finished game with its review.

    python tools/draw_page.py results/index.html docs/images/page.png

It needs Chromium and the tools of the tests (`make setup-test`). The words that the picture shows
are written to `page.txt` next to it, so that a test can compare them with a page.
"""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from codebreaker.files import write_text

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = ("--no-sandbox", "--disable-gpu", "--hide-scrollbars")
SIZE = {"width": 1280, "height": 800}
SECRET = "4623"
GUESSES = ("1122", "1345", "6452", "4623")


def draw(page: Path, picture: Path) -> None:
    """Play a game on a page, and save a picture of it and the words that it shows."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        raise SystemExit("error: the picture of the page needs Chromium: install it")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=list(FLAGS))
        shown = browser.new_page(viewport=SIZE, reduced_motion="reduce")
        shown.goto(page.resolve().as_uri())
        words = _play(shown)
        shown.screenshot(path=picture)
        browser.close()
    write_text(picture.with_suffix(".txt"), words)


def _play(shown: Page) -> str:
    """Play the game, wait for its review, and return its words."""
    shown.wait_for_selector("html[data-state=ready]")
    shown.evaluate(f"startGame({{ secret: play.game.indexOf.get('{SECRET}') }})")
    for guess in GUESSES:
        shown.keyboard.type(guess)
        shown.keyboard.press("Enter")
    expect(shown.locator("#review-moves li")).to_have_count(len(GUESSES))
    # What an ordinary player needs is computed apart.
    expect(shown.locator("#play-review")).to_contain_text("an ordinary player", timeout=60_000)
    return shown.locator("#play-review").inner_text()


if __name__ == "__main__":
    draw(Path(sys.argv[1]), Path(sys.argv[2]))
