"""The page in Firefox: it opens, plays, advises, and what was once wrong is right there, too."""

import firefox
import pytest
from board import JAVASCRIPT

PHONES = [(390, 844), (375, 667), (360, 640), (320, 568)]
READY = "document.documentElement.dataset.state === 'ready'"


class Visitor:
    """A visitor of the page, whose browser has kept nothing yet."""

    def __init__(self, browser, page_file):
        self.browser = browser
        self.page_file = page_file
        self.open()
        self.run("history.replaceState(null, '', location.pathname)")
        self.run("localStorage.clear(); Storage.prototype.setItem = () => {}")
        self.open()

    def __getattr__(self, name):
        return getattr(self.browser, name)

    def open(self, fragment=""):
        """Load the page, perhaps by a link."""
        self.browser.open("about:blank")
        self.browser.open(self.page_file.as_uri() + fragment)
        self.wait(READY)

    def open_at(self, width, height):
        """Load the page in a frame of this size: windows are wider than phones."""
        frame = self.page_file.with_name(f"{width}x{height}.html")
        frame.write_text(
            f"<!doctype html><iframe src={self.page_file.name!r} style='border: 0; margin: -8px;"
            f" width: {width}px; height: {height}px'></iframe>"
        )
        self.browser.open(frame.as_uri())
        self.browser.enter_frame()
        self.wait(READY)
        self.run("document.querySelector('#play-slots').focus()")

    def call(self, name, argument=None):
        """Call a function of page.js."""
        return self.browser.call(f"{JAVASCRIPT}\nreturn {name}(argument);", argument)

    def hide(self, secret):
        """Begin a game with this secret."""
        self.run("startGame({ secret: play.game.indexOf.get(arguments[0]) })", secret)

    def enter(self, *guesses):
        """Type guesses, each with Enter, and wait until all are on the board."""
        n = len(self.moves) + len(guesses)
        self.type("".join(f"{guess}\n" for guess in guesses))
        self.wait("play.position.moves.length === arguments[0]", n)

    def solve_mine(self):
        """Ask for advice on another secret."""
        self.click("[name=play-mode][value=mine]")
        if self.run("return document.querySelector('#sure').checkVisibility()"):
            self.click("#sure-yes")
        self.wait("document.querySelector('#play-suggestion')?.dataset.guess === '1123'")

    def press(self, name):
        """Press the button with a name."""
        self.run(
            "[...document.querySelectorAll('button')].find((button) => button.checkVisibility()"
            " && button.innerText.trim() === arguments[0]).click()",
            name,
        )

    def tells(self, selector, text):
        """Wait for a text in an element."""
        self.wait(
            "document.querySelector(arguments[0])?.innerText.includes(arguments[1])", selector, text
        )

    @property
    def moves(self):
        """Guesses and feedback of the game."""
        return self.run(
            "return play.position.moves.map(({ guess, id }) =>"
            " [play.game.guesses[guess], play.game.feedback[id]])"
        )


@pytest.fixture(scope="module")
def started(tmp_path_factory):
    if firefox.installed() is None:
        pytest.skip("no Firefox is installed: the page was opened in Chromium alone")
    with firefox.started(tmp_path_factory.mktemp("firefox")) as browser:
        yield browser


@pytest.fixture(scope="module")
def page_for_scripts(page_file):
    """The page with a policy that lets the tests' scripts run."""
    path = page_file.with_name("for-scripts.html")
    page = page_file.read_text(encoding="utf-8")
    assert page.count("script-src 'sha256") == 1
    looser = page.replace("script-src 'sha256", "script-src 'unsafe-eval' 'sha256")
    path.write_text(looser, encoding="utf-8")
    return path


@pytest.fixture
def fox(started, page_for_scripts):
    return Visitor(started, page_for_scripts)


def test_the_page_opens_under_its_own_policy(started, page_file):
    started.open(page_file.as_uri())
    assert started.has("html[data-state=ready] #play-go")


def test_a_game_is_played_reviewed_and_kept(fox):
    fox.type("1122\n3344\n")
    fox.wait("document.querySelectorAll('#play-moves .feedback').length === 2")
    fox.click("#play-reveal")
    fox.click("#sure-yes")
    fox.wait("document.querySelectorAll('#review-moves > ol > li').length === 2")
    assert "You gave up after 2 guesses" in fox.text("#play-status")
    assert "bits that are missing" in fox.text("#review-moves")
    fragment = fox.run("return location.hash")
    fox.open(fragment)
    fox.wait("document.querySelectorAll('#review-moves > ol > li').length === 2")


def test_advice_comes_from_the_tree_and_from_the_worker(fox):
    fox.solve_mine()
    fox.click("#play-answer button[data-feedback='1B-1C']")
    fox.wait(
        "!['1123', undefined].includes(document.querySelector('#play-suggestion')?.dataset.guess)"
    )
    fox.click("#play-hint")
    fox.tells("#help-table", "guesses to go")


def test_a_review_is_the_same_after_other_games(fox):
    asked = [
        ["bc-4-7", ["0123", "4561", "0142", "2541"]],
        ["bc-4-7", ["4560", "3210", "0165"]],
        ["mm-4-6", ["1122", "3345", "6143"]],
    ]
    first = [fox.call("reviewOf", one) for one in asked]
    fox.open()
    for number in (2, 1, 0, 1, 2):
        assert fox.call("reviewOf", asked[number]) == first[number]


def test_each_link_shows_its_own_board_and_changes_no_settings(fox):
    boards = {
        "#game=mm-4-6&id=a&mode=mine&moves=1122*1B-0C": [["1122", "1B-0C"]],
        "#game=mm-4-6&id=a&mode=mine&moves=1122*1B-0C_1345*0B-2C": [
            ["1122", "1B-0C"],
            ["1345", "0B-2C"],
        ],
        "#game=mm-4-6&id=a&mode=mine&moves=1122*0B-2C&strategy=entropy&rule=candidates": [
            ["1122", "0B-2C"]
        ],
    }
    for link in [*boards, *reversed(boards)]:
        fox.run("location.hash = arguments[0]", link)
        fox.wait("recordOfLink(stateOf(arguments[0]))?.id === play.record.id", link)
        assert fox.moves == boards[link]
    fox.click("#play-new")
    assert fox.run("return play.state.rule") == "any"
    assert fox.run("return kept('strategies')") is None


def test_full_storage_loses_no_moves(fox):
    fox.hide("6543")
    fox.enter("1122")
    fox.run(
        "for (let size = 1 << 22; size >= 1; size >>= 1) for (let number = 0; ; number++) try {"
        "    localStorage.setItem(`fill.${size}.${number}`, 'x'.repeat(size));"
        "} catch { break; }"
    )
    guesses = ["3344", "1356", "2345", "5566"]
    fox.enter(*guesses)
    fox.tells("#play-unkept", "keeps nothing more")
    fox.open(fox.run("return location.hash"))
    assert [guess for guess, _ in fox.moves] == ["1122", *guesses]
    fox.enter("6543")
    fox.tells("#play-status", "Solved in 6 guesses")
    fox.run("localStorage.clear()")


def test_first_guesses_are_compared_by_their_minima(fox):
    fox.solve_mine()
    fox.press("Compare")
    fox.wait("document.querySelectorAll('#help-table tbody tr').length === 5")
    rows = fox.run(
        "return [...document.querySelectorAll('#help-table tbody tr')].map((row) =>"
        " [...row.cells].slice(0, 2).map((cell) => cell.textContent))"
    )
    figures = dict(rows)
    assert figures["1123"] == "4.340"
    assert figures["1122"] == "4.400"
    fox.press("Another guess")
    fox.call("compose", "6616")
    fox.tells("#help-table tfoot", "4.468")


def test_a_shared_text_says_hints_and_guesses_taken_back(fox):
    fox.hide("6543")
    fox.enter("1122")
    for button in ("Undo", "Hint", "Hint"):
        fox.press(button)
    fox.run("document.querySelector('#play-slots').focus()")
    fox.type("6543\n")
    fox.tells("#play-status", "Solved in 2 guesses")
    assert "solved with 2 guesses (1 taken back, 2 hints)" in fox.run("return resultText()")


def test_a_letter_with_its_accent_after_it_is_one_letter(fox):
    fox.run("begin(makeOwn('käse maße süße nähe'), { mode: 'mine', origin: 'own', rule: 'any' })")
    for given, typed in (("ka\u0308se", "käse"), ("maßen", "maße")):
        fox.run(
            "const field = document.querySelector('#play-text');"
            "field.value = arguments[0];"
            "field.dispatchEvent(new InputEvent('input', { bubbles: true }))",
            given,
        )
        assert fox.run("return typedGuess()") == typed


def test_a_newcomer_reads_first_how_the_game_compares(fox):
    fox.hide("6543")
    fox.enter("1122", "3345", "6134", "6543")
    fox.tells("#review-first", "You needed 4 guesses: fewer than best play on average.")
    fox.tells("#review-first", "best play 4.34")


def test_todays_code_is_explained_before_it_is_played(fox):
    fox.tells("#start-daily-told", "midnight UTC")
    fox.press("Play today’s code")
    fox.tells("#play-rules", "the same for everyone until midnight UTC")


def test_my_guess_and_the_advised_one_are_shown_by_their_answers(fox):
    fox.solve_mine()
    fox.press("Compare")
    fox.tells("#help-table", "4.340")
    fox.click("#help-why summary")
    fox.press("Another guess")
    fox.call("compose", "6616")
    fox.tells("#why-told", "and 4.47 guesses are to go")
    captions = fox.run(
        "return [...document.querySelectorAll('#why-told caption')].map((one) => one.textContent)"
    )
    assert ["4.47" in captions[0], "4.34" in captions[1]] == [True, True]


OUTSIDE = """
const parts = [...document.querySelectorAll(arguments[0])].filter((part) => part.checkVisibility());
const below = parts.filter((part) => part.getBoundingClientRect().bottom + scrollY > innerHeight);
const isWider = document.documentElement.scrollWidth > innerWidth;
return [parts.length, below.map((part) => part.id), isWider];
"""
OVAL = """
const shown = [...document.querySelectorAll('#assistant .peg, #assistant .pin')];
return shown.filter((part) => part.checkVisibility()).map((part) => part.getBoundingClientRect())
    .filter(({ width, height }) => Math.abs(width - height) > 1).length;
"""


@pytest.mark.parametrize("size", PHONES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_small_screens_show_the_palette_the_answers_and_round_pegs(fox, size):
    fox.open_at(*size)
    assert fox.run(OUTSIDE, "#play-palette, #play-go") == [2, [], False]
    fox.hide("6543")
    fox.enter("1122", "3345", "1356", "2345")
    assert fox.run(OUTSIDE, "#play-palette, #play-go") == [2, [], False]
    fox.solve_mine()
    assert fox.run(OUTSIDE, "#play-answer, #play-undo") == [2, [], False]
    assert fox.run(OVAL) == 0
