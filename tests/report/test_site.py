"""The page, opened from disk in a real browser, and its data without one."""

import gzip
import json
from base64 import b64decode
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from conftest import game_called, grown, watched

from codebreaker.analysis.metrics import OPTIMAL, strategies
from codebreaker.exact.certificate import find_optimum, key_of_optimum
from codebreaker.exact.cost_to_go import CostToGo
from codebreaker.exact.prices import price, prices_frame
from codebreaker.exact.target import Target
from codebreaker.policies.policy import make_policy
from codebreaker.report.charts import distance
from codebreaker.report.site import findings
from codebreaker.report.site.build import Tables, pack, page
from codebreaker.report.site.explorer import Played, game_data, title_of
from codebreaker.trees.transcripts import transcripts

PLAYED = {
    "mm-4-6": (
        ("context-weighted-5625", "1123"), ("stage-weighted",), ("most-parts",), ("entropy",),
        ("worst-case", None, None, "lexicographic"), ("expected-size", None, "consistent"),
        ("most-parts", None, None, "consistent then reversed lexicographic"),
        ("most-parts", None, None, "first consistent then last"),
        ("renyi-0.5",), ("first-consistent",),
    ),
    "bc-3-5": (("entropy",), ("worst-case",)),
    "black-3-3": (("most-parts",),),
    "marks-wide": (("entropy",), ("expected-size",)),
    "matches-terminal": (("worst-case",),),
}  # fmt: skip
CLAIMS = pl.DataFrame(
    {
        "source": ["Gür 2025", "Kooi 2005"],
        "place": ["Table 4", "Table 4"],
        "statement": ["a mean", "an <expected> size"],
        "claimed": ["4.3565", "511.9"],
        "computed": ["4.3565", "511.98"],
        "verdict": ["holds", "does not hold"],
        "reading": ["", "a reading"],
        "otherwise": ["", "another: 512"],
        "remark": ["", "A remark."],
        "file": ["metrics/strategies.csv", "tables/kooi-2005-table-04.csv"],
        "where": ["", "row=AAAA"],
    }
)


def played(name):
    """A game with its strategies, an optimal tree and prices among them where it is solved."""
    game, policies = game_called(name), [make_policy(*settings) for settings in PLAYED[name]]
    found = [Played(*grown(game, policy), policy=policy) for policy in policies]
    if name != "mm-4-6":
        return game, found
    optimum, cost_to_go = find_optimum(game, Target(), 64, 600), CostToGo(game)
    found.append(Played(optimum.solution.tree, key_of_optimum(game, optimum, OPTIMAL)))
    for number, one in enumerate(found):
        if one.key.policy != "first-consistent":
            prices = price(one.tree, optimum.solution.tree, cost_to_go)
            found[number] = replace(one, prices=prices_frame(one.key.tree, one.tree, prices))
    return game, found


@pytest.fixture(scope="module")
def known():
    """All games with their strategies, by name."""
    return {name: played(name) for name in PLAYED}


@pytest.fixture(scope="module")
def policies(known):
    """The policies of all strategies that have one, by game and tree."""
    played = (one for _, found in known.values() for one in found)
    return {(one.key.game, one.key.tree): one.policy for one in played if one.policy}


@pytest.fixture(scope="module")
def table(known):
    """The table of all strategies."""
    return strategies((one.tree, one.key) for _, found in known.values() for one in found)


@pytest.fixture(scope="module")
def text(known, table, policies):
    """The page."""
    charts = {"above-the-optimum": distance.chart(table)}
    specs = {name: chart.to_json() for name, chart in charts.items()}
    data = [game_data(game, found) for game, found in known.values()]
    return page(Tables(table, CLAIMS, policies), specs, data)


def expect(locator):
    """Playwright's expectations, imported only where a browser is there."""
    from playwright.sync_api import expect as expect_of

    return expect_of(locator)


@pytest.fixture
def opened(browser, text, tmp_path):
    """The page from disk; at the end it has logged no error and asked for nothing else."""
    file = tmp_path / "index.html"
    file.write_text(text, encoding="utf-8")
    with watched(browser, file) as shown:
        yield shown


def test_the_page_is_one_file_with_the_findings_first(text, table, policies):
    assert text.index("One step of look-ahead is enough") < text.index('id="claims"')
    assert 'href="tables/kooi-2005-table-04.csv"' in text
    assert "an &lt;expected&gt; size" in text
    assert "Reading: a reading. Otherwise: another: 512. A remark." in text
    assert " src=" not in text.split("<script")[0]
    assert len(text.encode()) < 5e6
    best = findings.ladder(table, policies)
    assert [step["above"] for step in best] == [0, 0, 11, 11, 43]
    assert {one["game"] for one in findings.games(table)} == set(PLAYED)


def test_a_study_without_the_papers_game_has_findings_too(known, table):
    few = table.filter(pl.col("game") != "mm-4-6")
    data = [game_data(*known["bc-3-5"])]
    assert "See what we found" in page(Tables(few, CLAIMS, {}), {}, data)


def test_games_are_packed_whole(known):
    data = game_data(*known["bc-3-5"])
    assert json.loads(gzip.decompress(b64decode(pack(data)))) == data
    assert [one["name"] for one in data["strategies"]] == ["entropy", "worst-case"]
    assert title_of("bc-3-5") == "Bulls and Cows, 3 pegs and 5 symbols"
    assert title_of("marks-wide") == "words, marked letters: the list 'wide'"


def test_the_page_chooses_the_guesses_of_the_trees(opened, known):
    """At each node of each tree the page's own choice is that of the workflow."""
    walked = """async (name) => {
        const game = await openGame(name), wrong = [];
        for (const strategy of game.strategies.filter((one) => one.rule)) {
            const tree = treeOf(strategy), pending = [[0, game.allSecrets, 1, -1]];
            let nodes = 0;
            while (pending.length) {
                const [node, members, turn, previous] = pending.pop();
                if (turn > 1 || !strategy.name.includes(", from ")) {
                    const guess = await choose(game, strategy.rule, members, turn, previous);
                    if (guess !== tree.guess[node]) wrong.push([strategy.name, node, guess]);
                    nodes++;
                }
                for (const child of tree.children[node]) {
                    const id = tree.feedback[child];
                    pending.push([child, game.keep(members, tree.guess[node], id), turn + 1, id]);
                }
            }
            if (nodes < tree.guess.length - 1) wrong.push([strategy.name, "nodes", nodes]);
        }
        return [game.strategies.filter((one) => one.rule).length, wrong];
    }"""
    for name, (_, found) in known.items():
        ruled, wrong = opened.evaluate(walked, name)
        without = sum(one.key.policy in ("optimal", "renyi-0.5") for one in found)
        assert ruled == len(found) - without
        assert wrong == [], name


def test_the_explorer_walks_a_tree(opened, known, mm46):
    _, found = known["mm-4-6"]
    tree = next(one.tree for one in found if one.key.tree == "entropy")
    moves = transcripts(mm46, tree)[mm46.secrets.index("5245")]
    opened.select_option("#explorer-strategy", "entropy")
    expect(opened.locator("#explorer-facts")).to_contain_text("4.4151 expected, at most 6")
    expect(opened.locator("#explorer-facts")).to_contain_text(
        "48 guesses over the 1,296 candidates"
    )
    left = np.arange(mm46.n_secrets)
    for number, (guess, feedback) in enumerate(moves, start=1):
        status = opened.locator("#explorer-status")
        candidates = "1 candidate" if len(left) == 1 else f"{len(left):,} candidates"
        expect(status).to_have_text(
            f"Guess {number}: {mm46.guesses[guess]}, with {candidates} left."
        )
        shown = opened.locator("#explorer-codes .code").count()
        assert shown == min(len(left), 60)
        label = mm46.feedback_labels[feedback]
        opened.locator(f'#explorer-pad button[data-feedback="{label}"]').click()
        left = left[mm46.feedback(guess, left) == feedback]
    expect(opened.locator("#explorer-status")).to_contain_text("5245 is the secret: solved")
    for _ in moves[1:]:
        opened.click("#explorer-back")
    expect(opened.locator("#explorer-back")).to_be_disabled()
    expect(opened.locator("#explorer-status")).to_have_text(
        "Guess 1: 1234, with 1,296 candidates left."
    )


def test_a_finding_opens_its_strategy_in_the_explorer(opened):
    opened.click('[data-explore="mm-4-6/stage-weighted"] >> nth=0')
    expect(opened.locator("#explorer-strategy")).to_have_value("stage-weighted")


def test_a_hidden_secret_is_found_by_clicks(opened):
    opened.check('[name="assistant-mode"][value="hidden"]')
    status = opened.locator("#assistant-status")
    for number in range(1, 8):
        expect(status).to_contain_text(f"Move {number}:")
        opened.click("#assistant-take:enabled")
        opened.click("#assistant-play")
        if "Solved" in status.text_content():
            break
    expect(status).to_contain_text("Solved with")
    assert opened.locator("#assistant-moves li").count() == number <= 6
    opened.click("#assistant-new")
    opened.click("#assistant-reveal")
    expect(status).to_contain_text("Solved with 1 guess: ")


def answer(opened, guess, feedback):
    """Play a guess by the keyboard, and say by a click what it gets."""
    opened.locator("#assistant-guess").press_sequentially(guess)
    opened.keyboard.press("Enter")
    opened.locator(f'#assistant-pad button[data-feedback="{feedback}"]').click()


def test_a_secret_elsewhere_is_found_off_the_tree(opened, mm46):
    """The first guess is no strategy's, so that the page computes what to play."""
    opened.select_option("#assistant-strategy", "most-parts")
    secret, guess, left = mm46.secrets.index("6341"), mm46.guesses.index("2266"), 1296
    for _ in range(8):
        id_ = int(mm46.table[guess, secret])
        answer(opened, mm46.guesses[guess], mm46.feedback_labels[id_])
        if id_ == mm46.solved:
            break
        expect(opened.locator("#assistant-suggestion")).to_be_visible()
        label = opened.locator("#assistant-suggestion").get_attribute("data-guess")
        shown = opened.locator("#assistant-count").text_content()
        assert int(shown.split()[0].replace(",", "")) < left
        left, guess = int(shown.split()[0].replace(",", "")), mm46.guesses.index(label)
        expect(opened.locator("#assistant-facts")).to_contain_text(
            "expected if most-parts continues"
        )
    expect(opened.locator("#assistant-status")).to_contain_text("Solved with")


def test_a_contradiction_is_named_with_its_move_and_can_be_undone(opened):
    answer(opened, "1122", "0B-0C")
    expect(opened.locator("#assistant-count")).to_have_text("256 candidates")
    answer(opened, "3344", "1B-0C")
    answer(opened, "1113", "2B-0C")
    status = opened.locator("#assistant-status")
    expect(status).to_contain_text("Contradiction at move 3")
    expect(status).to_contain_text("none of them gives 1113 the feedback 2 black, 0 white")
    expect(opened.locator("#assistant-moves li.wrong")).to_contain_text("contradicts earlier moves")
    expect(opened.locator("#assistant-form")).to_be_hidden()
    opened.keyboard.press("Control+z")
    expect(status).to_contain_text("Move 3:")
    expect(opened.locator("#assistant-form")).to_be_visible()
    expect(opened.locator("#assistant-suggestion")).to_be_visible()


@pytest.mark.parametrize(
    ("game", "guess", "told"),
    [
        ("mm-4-6", "", "Type a guess first"),
        ("mm-4-6", "123", "123 has 3 symbols: guesses have 4."),
        ("mm-4-6", "1179", "1179 has 7: the symbols are 1 2 3 4 5 6."),
        ("bc-3-5", "121", "121 repeats a symbol"),
        ("marks-wide", "zzzzz", "zzzzz is not in the word list"),
    ],
)
def test_a_bad_guess_is_refused_in_words(opened, game, guess, told):
    opened.select_option("#assistant-game", game)
    expect(opened.locator("#assistant-suggestion")).to_be_visible()
    opened.locator("#assistant-guess").press_sequentially(guess)
    opened.keyboard.press("Enter")
    expect(opened.locator("#assistant-error")).to_contain_text(told)
    expect(opened.locator("#assistant-moves li")).to_have_count(0)


def test_marks_are_entered_letter_by_letter(opened):
    game = game_called("marks-wide")
    guess, secret = game.guesses.index("appel"), game.secrets.index("palle")
    id_ = int(game.table[guess, secret])
    opened.select_option("#assistant-game", "marks-wide")
    opened.locator("#assistant-guess").press_sequentially("appel")
    opened.keyboard.press("Enter")
    for place, mark in enumerate(game.feedback_labels[id_]):
        for _ in range("byg".index(mark)):
            opened.click(f'#assistant-pad button[data-letter="{place}"]')
    opened.click("#assistant-pad button[data-done]")
    left = int((game.table[guess] == id_).sum())
    expect(opened.locator("#assistant-count")).to_contain_text(f"{left} candidate")


def test_everything_that_can_be_pressed_has_a_name(opened):
    nameless = opened.evaluate(
        """() => {
            const named = (one) =>
                one.getAttribute("aria-label") || one.textContent.trim() || one.labels?.length;
            const all = document.querySelectorAll("button, select, input, a[href], [role=img]");
            return [...all].filter((one) => !named(one)).map((one) => one.outerHTML);
        }"""
    )
    assert nameless == []
    assert opened.evaluate("document.documentElement.lang") == "en"


def test_nothing_is_cut_off_on_a_narrow_screen(opened):
    opened.set_viewport_size({"width": 390, "height": 844})
    assert opened.evaluate("document.documentElement.scrollWidth") == 390


def test_the_page_is_ready_within_three_seconds(opened):
    loaded = opened.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
    assert 0 < loaded < 3000
