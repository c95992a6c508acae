"""The page in Firefox: it opens, plays, advises and keeps games there, too."""

import firefox
import pytest


@pytest.fixture
def fox(tmp_path, page_file):
    if firefox.installed() is None:
        pytest.skip("no Firefox is installed: the page was opened in Chromium alone")
    with firefox.started(tmp_path) as opened:
        opened.open(page_file.as_uri())
        opened.wait("document.documentElement.dataset.state === 'ready'")
        yield opened


def test_a_game_is_played_reviewed_and_kept(fox):
    fox.type("1122\n3344\n")
    fox.wait("document.querySelectorAll('#play-moves .feedback').length === 2")
    fox.click("#play-reveal")
    fox.click("#sure-yes")
    fox.wait("document.querySelectorAll('#review-moves > ol > li').length === 2")
    assert "You gave up after 2 guesses" in fox.text("#play-status")
    assert "bits that are missing" in fox.text("#review-moves")
    address = fox.run("return location.href")
    fox.open("about:blank")
    fox.open(address)
    fox.wait("document.documentElement.dataset.state === 'ready'")
    fox.wait("document.querySelectorAll('#review-moves > ol > li').length === 2")


def test_advice_comes_from_the_tree_and_from_the_worker(fox):
    fox.click("[name=play-mode][value=mine]")
    fox.wait("document.querySelector('#play-suggestion')?.dataset.guess === '1123'")
    fox.click("#play-answer button[data-feedback='1B-1C']")
    fox.wait(
        "!['1123', undefined].includes(document.querySelector('#play-suggestion')?.dataset.guess)"
    )
    fox.click("#play-hint")
    fox.wait("document.querySelector('#help-table').innerText.includes('guesses to go')")
    assert fox.run("return document.querySelectorAll('#help-table tbody tr').length") == 5


def test_the_explorer_and_the_projector_work(fox):
    fox.click("#explorer-pad button")
    fox.wait("document.querySelectorAll('#explorer-moves .feedback').length === 1")
    fox.click("#play-menu summary")
    fox.click("#projector-on")
    assert fox.run("return document.querySelector('#explorer').checkVisibility()") is False
