"""The page with words that could end a script or start one, in a browser with its policy."""

import json
import re

import polars as pl
import pytest
from conftest import game_called, grown, watched
from outcomes import SILENT, tried

from codebreaker.policies.strategy import Strategy
from codebreaker.report.chapters.strategies import above_the_optimum
from codebreaker.report.explorer import Played, game_data
from codebreaker.report.site import Tables, page
from codebreaker.trees.metrics import strategies

WORDS = [
    "</script><script>document.title = 'taken'</script>",
    "<!--<script>",
    "</style><style>* { display: none }",
    '"><img src=x onerror="document.title = \'taken\'">',
    "{{ 7 * 7 }} {% raw %} ${7 * 7}",
    "javascript:document.title='taken'",
    "\u2028\u2029\u202e\x00é🟩",
    "' onclick='document.title=1",
]
COLUMNS = ("source", "place", "statement", "claimed", "computed", "reading", "otherwise", "remark")


def text_with(word):
    """The page of a small study whose texts all contain a word."""
    game, policy = game_called("mm-3-3"), Strategy("entropy")
    tree, key = grown(game, policy)
    table = strategies([(tree, key)])
    row = dict.fromkeys(COLUMNS, f"a {word} b") | {"verdict": "holds"}
    claims = pl.DataFrame(
        {name: [one] for name, one in (row | {"file": word, "where": word}).items()}
    )
    spec = json.loads(
        above_the_optimum(strategies([grown(game_called("mm-4-6"), policy)])).to_json()
    )
    spec["title"] |= {"text": word, "subtitle": word}
    data = game_data(game, [Played(tree, key, policy=policy)])
    specs = {"above-the-optimum": json.dumps(spec)}
    return page(Tables(table, claims, {("mm-3-3", key.tree): policy}), specs, [data])


def test_words_end_no_script():
    texts = [text_with(word) for word in WORDS]
    counts = {
        (text.count("<script"), text.count("</script>"), text.count("<style")) for text in texts
    }
    with tried("page", "words in the text of the page") as outcomes:
        for word, text in zip(WORDS, texts, strict=True):
            policy = re.search('Content-Security-Policy" content="(.*?)"', text)[1]
            good = len(counts) == 1 and "hashes-of-scripts" not in policy and "<img" not in text
            outcomes.add("shown as text", good, word, counts, wrong=SILENT)


def test_words_in_a_browser(browser, tmp_path):
    with tried("page", "words in a browser, under the page's policy") as outcomes:
        for number, word in enumerate(WORDS):
            path = tmp_path / f"{number}.html"
            path.write_text(text_with(word), encoding="utf-8")
            with watched(browser, path) as shown:
                good = shown.title().startswith("Mastermind")
                good &= shown.locator("#claims").inner_text().count("Gür") == 0
                outcomes.add("shown as text", good, word, wrong=SILENT)


@pytest.mark.parametrize(
    "added",
    ["<script>document.title = 'taken'</script>", "<img src='https://example.invalid/x.png'>"],
)
def test_what_somebody_adds_to_the_page_is_not_run(browser, tmp_path, added):
    path = tmp_path / "index.html"
    path.write_text(text_with("word").replace("</main>", f"{added}</main>"), encoding="utf-8")
    shown = browser.new_page()
    errors, asked = [], []
    shown.on("console", lambda told: errors.append(told.text))
    shown.on("response", lambda response: asked.append(response.url))
    shown.goto(path.as_uri())
    shown.wait_for_selector("html[data-state=ready]")
    with tried("page", f"added to the page: {added[1:7].strip()}") as outcomes:
        good = shown.title().startswith("Mastermind") and any(
            "Content Security" in one for one in errors
        )
        good &= not any("example" in one for one in asked)
        outcomes.add("not run", good, errors, asked, wrong=SILENT)
    shown.close()
