"""The page, opened from disk in a real browser, and its data without one."""

import gzip
import json
from base64 import b64decode
from dataclasses import replace
from functools import cache

import polars as pl
import pytest
from conftest import game_called, grown, watched

from codebreaker.policies.policy import make_policy
from codebreaker.report.chapters.strategies import above_the_optimum
from codebreaker.report.explorer import Played, game_data, title_of
from codebreaker.report.site import Tables, best_by_game, ladder_of, pack, page
from codebreaker.search.certificate import find_optimum, key_of_optimum
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.prices import price, prices_frame
from codebreaker.search.settings import Target
from codebreaker.trees.metrics import OPTIMAL, strategies

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
    "pegs-wide": (("entropy",),),
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


@cache
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
    charts = {"above-the-optimum": above_the_optimum(table)}
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
    best = ladder_of(table, policies)
    assert [step["above"] for step in best] == [0, 0, 11, 11, 43]
    assert {one["game"] for one in best_by_game(table)} == set(PLAYED)


def test_a_study_without_the_papers_game_has_findings_too(known, table):
    few = table.filter(pl.col("game") != "mm-4-6")
    data = [game_data(*known["bc-3-5"])]
    assert "See what we found" in page(Tables(few, CLAIMS, {}), {}, data)


def test_games_are_packed_whole(known):
    data = game_data(*known["bc-3-5"])
    assert json.loads(gzip.decompress(b64decode(pack(data)))) == data
    assert [one["name"] for one in data["strategies"]] == ["entropy", "worst-case"]
    assert title_of("bc-3-5") == "Bulls and Cows, 3 pegs and 5 symbols"
    assert title_of("marks-wide") == "Words with Wordle's marks: the list 'wide'"


def test_nothing_is_cut_off_on_a_narrow_screen(opened):
    opened.set_viewport_size({"width": 390, "height": 844})
    assert opened.evaluate("document.documentElement.scrollWidth") == 390


def test_the_page_is_ready_within_three_seconds(opened):
    loaded = opened.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
    assert 0 < loaded < 3000
