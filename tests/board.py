"""The page in a browser, and a board to play on."""

import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

import polars as pl
import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import ROOT, game_called, grown
from filelock import FileLock
from playwright.sync_api import expect, sync_playwright

from codebreaker.advice.regret import regrets_frame, tree_regrets
from codebreaker.policies.strategy import Strategy
from codebreaker.report.explorer import Played, game_data
from codebreaker.report.site import PAGE, generated, page
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.openings import opening_totals
from codebreaker.search.optimum import find_optimum, strategy_of_optimum
from codebreaker.search.settings import Target
from codebreaker.trees.metrics import strategies

PLAYED = {
    "mm-4-6": [
        Strategy("context-weighted-5625", opening="1123"),
        Strategy("stage-weighted"),
        Strategy("most-parts"),
        Strategy("entropy"),
        Strategy("worst-case", tie_break="lexicographic"),
        Strategy("expected-size", guess_pool="consistent"),
        Strategy("most-parts", tie_break="consistent then reversed lexicographic"),
        Strategy("most-parts", tie_break="first consistent then last"),
        Strategy("renyi-0.5"),
        Strategy("renyi-20"),
        Strategy("tsallis-3"),
        Strategy("entropy-base-parts"),
        Strategy("first-consistent"),
    ],
    "bc-3-5": [
        Strategy("entropy"),
        Strategy("worst-case"),
    ],
    "black-3-3": [
        Strategy("most-parts"),
    ],
    "marks-wide": [
        Strategy("entropy"),
        Strategy("expected-size"),
    ],
    "matches-terminal": [
        Strategy("worst-case"),
    ],
    "pegs-wide": [
        Strategy("entropy"),
    ],
}
"""Strategies of the tests' page by game."""

CLAIMS = pl.read_csv(ROOT / "tests/samples/claims.csv", infer_schema=False)
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
DENO = shutil.which("deno", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
"""Deno of the tests' packages, which runs the page's engine."""

JAVASCRIPT = (ROOT / "tests/report/page.js").read_text(encoding="utf-8")


@cache
def played(name):
    """Return a game and its trees as the page shows them; those of MM(4,6) with their regrets."""
    game = game_called(name)
    trees = [Played(*grown(game, strategy), grown_by=strategy) for strategy in PLAYED[name]]
    if name != "mm-4-6":
        return game, trees
    optimum = find_optimum(game, Target(), 64, 600)
    cost_to_go = CostToGo(game)
    trees.append(Played(optimum.solution.tree, strategy_of_optimum(game, optimum)))
    for number, played_tree in enumerate(trees):
        if played_tree.strategy.policy != "first-consistent":
            tree = played_tree.tree
            regrets = tree_regrets(tree, optimum.solution.tree, cost_to_go)
            frame = regrets_frame(played_tree.strategy.tree, tree, regrets)
            trees[number] = replace(played_tree, regrets=frame)
    return game, trees


class BoardPage:
    """A page to play on."""

    def __init__(self, page):
        self.page = page

    def __getattr__(self, name):
        return getattr(self.page, name)

    def goto(self, address):
        """Open an address."""
        self.page.goto(address)
        self.wait_for_selector("html[data-state=ready]")
        return self

    def reload(self):
        """Load the page again."""
        self.page.reload()
        self.wait_for_selector("html[data-state=ready]")

    def reload_with(self, key, value):
        """Load the page again without a link; its storage holds this value alone.

        The new document stores the value itself, before any script of the page: on a busy machine,
        what the old one stored last isn't always there yet.
        """
        self.call("leave")
        self.add_init_script(
            f"localStorage.clear(); localStorage.setItem({json.dumps(key)}, {json.dumps(value)});"
        )
        self.reload()

    def call(self, name, argument=None):
        """Call a function of page.js."""
        script = f"(argument) => {{ {JAVASCRIPT}\nreturn {name}(argument); }}"
        return self.evaluate(script, argument)

    def tells(self, selector, *texts):
        """Expect texts in an element."""
        for text in texts:
            expect(self.locator(selector)).to_contain_text(text)

    def boxes(self, selector):
        """Where the elements are, all at one moment: the page may replace them at the next."""
        where = "(elements) => elements.map((element) => element.getBoundingClientRect().toJSON())"
        return self.locator(selector).evaluate_all(where)

    def enter(self, *texts):
        """Type texts, each with Enter."""
        for text in texts:
            self.keyboard.type(text)
            self.keyboard.press("Enter")

    def press(self, *names, within="body"):
        """Press buttons."""
        for name in names:
            self.locator(within).get_by_role("button", name=name, exact=True).click()

    def from_menu(self, *names):
        """Toggle the menu, and press buttons."""
        self.click("#play-menu summary")
        self.press(*names)

    def choose(self, game, secret=None):
        """Choose a game, and its secret."""
        self.select_option("#play-game", game)
        self.confirm()
        self.wait_for_selector(f"#assistant[data-game='{game}']")
        if secret:
            self.hide(secret)

    def hide(self, secret):
        """Begin a game with this secret."""
        self.evaluate(f"startGame({{ secret: play.game.indexOf.get('{secret}') }})")

    def choose_size(self, pegs, colours, repeats="anywhere"):
        """Choose a size, and wait until it is open or refused."""
        self.ask_for_size(pegs, colours, repeats)
        self.wait_for_function(
            "size => find('assistant').dataset.game.includes(size) || "
            "find('play-refused').textContent !== ''",
            arg=f"-{pegs}-{colours}",
        )

    def ask_for_size(self, pegs, colours, repeats="anywhere"):
        """Ask for a size; `repeats` are allowed `anywhere`, in `guesses` alone, or `nowhere`."""
        self.select_option("#play-game", "size")
        self.get_by_label("Pegs", exact=True).fill(str(pegs))
        self.get_by_label("Colours", exact=True).fill(str(colours))
        self.get_by_label("Repeats").select_option(repeats)
        self.press("Play this size")
        self.confirm()

    def choose_mode(self, name):
        """Choose a mode by its name."""
        mode = self.get_by_label(name, exact=True)
        mode.click(force=True)
        self.confirm()
        expect(mode).to_be_checked()

    def confirm(self):
        """Agree to leave a game that has begun, if the page asks."""
        if self.locator("#sure").is_visible():
            self.click("#sure-yes")

    def solve_mine(self):
        """Ask for advice on another secret."""
        self.choose_mode("Solve mine")
        return self.advised()

    def advised(self):
        """Wait for advice."""
        expect(self.locator("#play-slots .empty")).to_have_count(0, timeout=20_000)
        return self.evaluate("typedGuess()")

    def answer(self, feedback):
        """Tap an answer."""
        self.click(f'#play-answer button[data-feedback="{feedback}"]')

    def tell(self, guess, feedback):
        """Record another guess and its answer."""
        self.press("Another guess")
        self.enter(guess)
        self.answer(feedback)

    @property
    def url(self):
        """The address with its fragment now, of which the driver would learn later."""
        return self.evaluate("location.href")

    @property
    def moves(self):
        """Guesses and feedback of the game."""
        move = "[play.game.guesses[guess], play.game.feedback[id]]"
        return self.evaluate(f"play.position.moves.map(({{guess, id}}) => {move})")

    @property
    def secret(self):
        """The secret."""
        return self.evaluate("play.game.guesses[play.position.hidden]")

    def lose_some(self):
        """Find 6143 after two guesses that lose."""
        self.hide("6143")
        self.enter("1122", "3345", "6143")
        expect(self.locator("#review-moves li")).to_have_count(3)


class Engine:
    """The page's engine without a browser."""

    def __init__(self, folder):
        self.folder = folder

    def call(self, name, argument=None):
        """Call a function of engine.js."""
        command = [DENO, "run", "--quiet", "--no-remote", "engine.js", name]
        asked = json.dumps(argument)
        run = subprocess.run(
            command, cwd=self.folder, input=asked, capture_output=True, text=True, timeout=600
        )
        assert run.returncode == 0, run.stderr
        return json.loads(run.stdout)


@pytest.fixture(scope="session")
def engine(shared):
    folder = shared / "engine"
    with FileLock(shared / "engine.lock"):
        if not folder.exists():
            shutil.copytree(PAGE, folder / "page")
            for name, text in generated([]).items():
                folder.joinpath("page", name).write_text(text, encoding="utf-8")
            shutil.copy(ROOT / "tests/report/engine.js", folder)
    return Engine(folder)


@pytest.fixture(scope="module")
def browser():
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        assert "CODEBREAKER_BROWSER" not in os.environ, "Chromium is asked for and not installed"
        pytest.skip("no Chromium is installed: the page was not opened in a browser")
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=path, args=list(FLAGS))
        yield chromium
        chromium.close()


@contextmanager
def watched(browser, path):
    """Open a page that must log no error and ask for nothing else."""
    context = browser.new_context(viewport={"width": 1180, "height": 900})
    shown = BoardPage(context.new_page())
    errors = []
    asked = []
    shown.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
    shown.on("pageerror", lambda error: errors.append(str(error)))
    shown.on("request", lambda request: asked.append(request.url))
    yield shown.goto(path.as_uri())
    assert errors == []
    assert [url for url in asked if not url.startswith("blob:")] == [path.as_uri()]
    context.close()


def violations(page):
    """Return the rules of accessibility that a page breaks, and where."""
    broken = Axe().run(page).response["violations"]
    return [(rule["id"], [node["html"][:120] for node in rule["nodes"]]) for rule in broken]


@pytest.fixture(scope="session")
def page_file(shared):
    path = shared / "page" / "index.html"
    with FileLock(shared / "page.lock"):
        if not path.exists():
            games = [*map(played, PLAYED)]
            table = strategies(
                (shown.tree, shown.strategy) for _, trees in games for shown in trees
            )
            openings = opening_totals(game_called("mm-4-6"))
            data = [game_data(game, trees, openings) for game, trees in games]
            path.parent.mkdir()
            path.write_text(page(table, CLAIMS, {}, {}, data), encoding="utf-8")
    return path


@pytest.fixture
def opened(browser, page_file):
    with watched(browser, page_file) as shown:
        shown.evaluate("Math.random = () => 0.9; startGame()")
        yield shown


@contextmanager
def visitors(browser, page_file, **settings):
    """Give a function that opens the page or a link as a new visitor; no script may fail.

    The browser's context has `settings`, which each visit may change.
    """
    contexts = []
    errors = []

    def visited(address="", **options):
        contexts.append(browser.new_context(**{**settings, **options}))
        contexts[-1].on("weberror", lambda error: errors.append(str(error.error)))
        shown = BoardPage(contexts[-1].new_page())
        return shown.goto(address if "://" in address else page_file.as_uri() + address)

    yield visited
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def visit(browser, page_file):
    """Open the page or a link as a new visitor."""
    with visitors(browser, page_file) as visited:
        yield visited


def feedback_of(game, guess, secret):
    return game.feedback_labels[game.table[game.guesses.index(guess), game.secrets.index(secret)]]
