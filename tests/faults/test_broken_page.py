"""Words that could end or start a script."""

import json
import re
from functools import cache
from io import BytesIO

import polars as pl
import pytest
from conftest import game_called, grown
from outcomes import SILENT, tried

from codebreaker.advice.transcripts import Reader
from codebreaker.advice.verdict import judge, to_page
from codebreaker.policies.strategy import Strategy
from codebreaker.report.chapters.strategies import above_the_optimum
from codebreaker.report.explorer import Played, game_data
from codebreaker.report.paper import to_html
from codebreaker.report.site import page
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
"""Words that could end or start a script or an attribute."""

ADDED = [
    "<script>document.title = 'taken'</script>",
    "<img src='https://example.invalid/x.png'>",
]
"""What is added to the page."""

COLUMNS = (
    *("source", "place", "statement", "claimed", "computed", "reading", "otherwise", "remark"),
    *("test", "refuted_by", "case", "cases", "origin", "this_run", "run_agrees"),
)


@cache
def text_with(word):
    game = game_called("mm-3-3")
    strategy = Strategy("entropy")
    tree, record = grown(game, strategy)
    row = dict.fromkeys(COLUMNS, f"a {word} b") | {"verdict": "holds", "file": word, "query": word}
    spec = above_the_optimum(strategies([grown(game_called("mm-4-6"), strategy)])).to_dict()
    spec["title"] |= {"text": word, "subtitle": word}
    data = game_data(game, [Played(tree, record, grown_by=strategy)])
    specs = {"above-the-optimum": json.dumps(spec)}
    strategies_by_tree = {("mm-3-3", record.tree): strategy}
    return page(
        strategies([(tree, record)]), pl.DataFrame([row]), strategies_by_tree, specs, [data]
    )


def with_additions(page):
    return {added: page.replace("</body>", f"{added}</body>") for added in ADDED}


@pytest.mark.slow
def test_words_end_no_script():
    parts = ("<script", "</script>", "<style")
    counts = {tuple(map(text.count, parts)) for text in map(text_with, WORDS)}
    with tried("the page", "words in the text of the page") as outcomes:
        for word in WORDS:
            text = text_with(word)
            policy = re.search('Content-Security-Policy" content="(.*?)"', text)[1]
            good = len(counts) == 1 and "hashes-of-scripts" not in policy and "<img" not in text
            outcomes.add("shown as text", good, word, counts, wrong=SILENT)


def test_words_and_additions_in_a_browser(browser, tmp_path):
    path = tmp_path / "index.html"
    words = {word: text_with(word) for word in WORDS}
    additions = with_additions(text_with("word"))
    game = {"game": "mm-2-2", "moves": [["11", "2,0"]]}
    judged = judge(BytesIO(json.dumps(game).encode()), Reader(None, None))
    ready = "html[data-state=ready]"
    for case, name, texts, there in (
        ("words in a browser, under the page's policy", "shown as text", words, ready),
        ("added to the page", "not run", additions, ready),
        ("added to the report", "not run", with_additions(to_html("# Mastermind")), "h1"),
        ("added to the scores", "not run", with_additions(to_page(judged, "Mastermind")), "h1"),
    ):
        with tried("the page", case) as outcomes:
            for word, text in texts.items():
                path.write_text(text, encoding="utf-8")
                shown = browser.new_page()
                messages = []
                asked = []
                shown.on("console", lambda line, messages=messages: messages.append(line.text))
                shown.on("pageerror", lambda error, messages=messages: messages.append(str(error)))
                shown.on("response", lambda response, asked=asked: asked.append(response.url))
                shown.goto(path.as_uri())
                shown.wait_for_selector(there)
                forbidden = any("Content Security" in line for line in messages)
                good = "Mastermind" in shown.title()
                good &= forbidden if word in ADDED else not messages
                good &= not any("example" in url for url in asked)
                outcomes.add(name, good, word, messages, asked, wrong=SILENT)
                shown.close()
