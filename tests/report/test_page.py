"""The page's words, links, charts, colours."""

import gzip
import html
import json
import re
from base64 import b64decode
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from board import CLAIMS, BoardPage, played
from conftest import ROOT, in_ci
from playwright.sync_api import expect

from codebreaker.policies.strategy import Strategy
from codebreaker.policies.weights import Weights
from codebreaker.proven import read_evidence
from codebreaker.report import site
from codebreaker.report.chapters import pareto, strategies
from codebreaker.report.chapters.players import means_chart
from codebreaker.report.chapters.transfer import transfer_chart
from codebreaker.report.chapters.weights import convergence
from codebreaker.report.drawings import PAPER, WIDTHS, dark_rules, draw_chart
from codebreaker.report.explorer import game_data, title_of
from codebreaker.report.names import COLOURS
from codebreaker.report.needs import PAGE_CHARTS, page_cells
from codebreaker.report.style import OTHER_COLOUR, SERIES, TURN_COLOURS, contrast, readable
from codebreaker.report.tables import comparison_frame, read_table

WIDE = (1280, 900)
PHONE = (390, 844)
TABLET = (768, 1024)
GRIDS = {"#e4e7ec"}
SIZES, CONTESTS = (
    read_table(ROOT / "tests/samples" / f"{name}.csv") for name in ("sizes", "contests")
)


def search(model):
    turns = 1 if model == "fixed" else 6
    weights = Weights(model, "", ("1B-0C",), np.ones((turns, 1)), {"game": "mm-4-6", "seed": 0})
    return model, weights, pl.DataFrame({"generation": [1, 2], "best": [5700, 5650]})


@pytest.fixture(scope="module")
def specs(table):
    lost = table.filter(game="mm-4-6").with_columns(turn=2, lost=pl.col("total_guesses") - 5625)
    totals = strategies.above_the_optimum(table)
    large = strategies.above_the_optimum(table.with_columns(pl.col("total_guesses") * 28))
    moves = strategies.moves_chart(strategies.name_strategies(lost))
    weights = transfer_chart(SIZES)
    searches = convergence([search("fixed"), search("stage")], {"fixed": 5646, "stage": 5636})
    points = pareto.all_strategies(pl.DataFrame(schema=table.schema), table, [], "mm-4-6")
    frontier = pareto.pareto_chart(pareto.name_points(points), "mm-4-6")
    drawn = (totals, frontier, moves, weights, large, searches, means_chart(CONTESTS), totals)
    return {name: chart.to_json() for name, chart in zip(PAGE_CHARTS, drawn, strict=True)}


@pytest.fixture(scope="module")
def strategies_by_tree():
    names = ("stage-weighted", "fixed-weighted", "most-parts", "entropy")
    played_strategies = [*map(Strategy, names), Strategy("context-weighted-5625", "1123")]
    return {("mm-4-6", strategy.policy): strategy for strategy in played_strategies}


@pytest.fixture(scope="module")
def text(table, tables, specs, strategies_by_tree):
    data = [game_data(*played("bc-3-5"))]
    cells = {name: comparison_frame(tables[name]) for name in page_cells()}
    return site.page(table, CLAIMS, strategies_by_tree, specs, data, SIZES, cells)


@pytest.mark.slow
def test_the_notices_of_the_embedded_words_are_on_the_page(text):
    notices = (ROOT / "src/codebreaker/data/words/LICENSE.txt").read_text(encoding="utf-8")
    shown = re.search(r'<details id="licence">.*?<pre>(.*?)</pre>', text, re.DOTALL)[1]
    assert html.unescape(shown).strip() == notices.strip()
    assert "Copyright 2000-2011 by Kevin Atkinson" in shown
    embedded = re.search(r'id="words">(.*?)</script>', text)[1]
    words = json.loads(gzip.decompress(b64decode(embedded)))
    known = (ROOT / "src/codebreaker/data/words/README.md").read_text(encoding="utf-8")
    assert f"{len(words['guesses'].split()):,} words" in known
    assert f"{len(words['further'].split()):,} rarer words" in known
    assert not {*words["guesses"].split()} & {*words["further"].split()}


@pytest.fixture
def opened(browser, text, tmp_path):
    """Open the page at a size of the window, in a colour scheme."""
    file = tmp_path / "index.html"
    file.write_text(text, encoding="utf-8")
    contexts = []

    def open_at(size, scheme="light"):
        viewport = dict(zip(("width", "height"), size, strict=True))
        settings = {"color_scheme": scheme, "reduced_motion": "no-preference"}
        contexts.append(browser.new_context(viewport=viewport, **settings))
        return BoardPage(contexts[-1].new_page()).goto(file.as_uri())

    yield open_at
    for context in contexts:
        context.close()


def read_through(shown):
    for figure in shown.locator("figure.chart").all():
        figure.scroll_into_view_if_needed()
        figure.locator("svg").wait_for(state="attached")


def visible(text):
    main = re.sub(r"<(script|style)\b.*?</\1>", " ", text.split("<main>")[1], flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", " ", main).split())


def test_without_javascript_the_findings_are_shown_and_a_line_says_what_is_not(browser, page_file):
    context = browser.new_context(java_script_enabled=False)
    shown = context.new_page()
    shown.goto(page_file.as_uri())
    expect(shown.locator("#assistant noscript p")).to_be_visible()
    expect(shown.locator("#findings h2")).to_be_visible()
    for dead in (".table", "#play-new", "#explorer"):
        expect(shown.locator(dead)).to_be_hidden()
    context.close()


def test_an_old_browser_is_told_that_it_is_too_old(browser, page_file):
    context = browser.new_context()
    shown = context.new_page()
    shown.add_init_script("delete window.DecompressionStream")
    shown.goto(page_file.as_uri())
    expect(shown.locator("#play-refused")).to_contain_text("need a newer browser")
    for dead in (".table", "#play-new", "#explorer"):
        expect(shown.locator(dead)).to_be_hidden()
    context.close()


def test_the_page_is_one_file_that_begins_with_what_mastermind_is(text):
    assert len(text.encode()) < 2e6
    assert " src=" not in text.split("<script")[0]
    assert visible(text).startswith("Mastermind in as few guesses as possible")
    order = ("assistant", "explorer", "findings", "claims")
    assert sorted(order, key=lambda section: text.index(f'id="{section}"')) == list(order)


def test_findings_are_the_best_of_each_kind_and_game_that_a_study_has(table, strategies_by_tree):
    assert [step["above"] for step in site.ladder_of(table, strategies_by_tree)] == [
        0,
        0,
        11,
        11,
        21,
        43,
    ]
    assert {row["game"] for row in site.best_by_game(table)} == set(table["game"])
    few = table.filter(pl.col("game") != "mm-4-6")
    assert "best first guess" not in site.page(few, CLAIMS, {}, {}, [])
    assert "One step of look-ahead" not in site.page(table, CLAIMS, {}, {}, [])
    words = visible(site.page(table, CLAIMS, strategies_by_tree, {}, []))
    assert "the second table shows" not in words
    assert "What was confirmed" in words
    assert "one program only" in words


def test_the_weights_of_the_second_table_are_counted_apart_from_all(table, strategies_by_tree):
    best = site.ladder_of(table, strategies_by_tree)[0]["opening"]
    differences = {
        ("entropy", best, "mm-4-5"): 0,
        ("fixed-weighted", best, "mm-4-5"): 4,
        ("stage-weighted", best, "mm-4-5"): -2,
        ("stage-weighted", best, "mm-4-6"): -9,
        ("stage-weighted", "1122", "mm-4-5"): -3,
        ("elsewhere-weighted", best, "mm-4-5"): -1,
    }
    rows = [
        {"policy": policy, "opening": opening, "game": game, "difference": difference}
        for (policy, opening, game), difference in differences.items()
    ]
    transfer = pl.DataFrame(rows).with_columns(
        parameters=pl.when(policy="entropy").then(0).otherwise(14), found_for=pl.lit("mm-4-6")
    )
    words = visible(site.page(table, CLAIMS, strategies_by_tree, {}, [], transfer))
    shown = [step["tree"] for step in site.ladder_of(table, strategies_by_tree)]
    of_these = [key for key in differences if key[0] in shown and key[1:] == (best, "mm-4-5")]
    of_these = [key for key in of_these if key[0] != "entropy"]
    fewer = sum(differences[key] < 0 for key in of_these)
    counted = f"on other games in {fewer} of {len(of_these)} cases; with all weights"
    assert counted in " ".join(words.split())
    assert "openings that were played, in 3 of 4." in " ".join(words.split())


@pytest.mark.parametrize(
    ("n", "trees"), [(0, ""), (1, "1 best known tree of"), (2, "2 best known")]
)
def test_trees_of_the_explorer_that_are_no_strategy_are_counted_apart(table, n, trees):
    strategies = [{"tree": tree, "rule": None} for tree in ("entropy", *("best-known",) * n)]
    game = {"name": "mm-4-6", "title": "a game", "strategies": strategies}
    words = visible(site.page(table, CLAIMS, {}, {}, [game]))
    sentence = " ".join(words.split()).partition(" strategies were played against every secret;")[2]
    assert sentence.lstrip().startswith("the explorer walks through their games")
    assert ("best known tree" in sentence.partition(".")[0]) == (n > 0)
    assert trees in sentence.partition(".")[0]


def test_minimum_totals_say_what_they_rest_on(table, strategies_by_tree):
    proofs = ROOT / "resources" / "proofs"
    evidence = read_evidence(proofs / "lower-bounds.csv", proofs / "second-solver.csv")
    rests = {row["game"]: row["evidence"] for row in site.best_by_game(table, evidence)}
    assert rests["mm-4-6"] == "proof"
    text = site.page(table, CLAIMS, strategies_by_tree, {}, [], evidence=evidence)
    assert '<td data-label="by">proof</td>' in text


def test_games_are_packed_whole():
    data = game_data(*played("bc-3-5"))
    assert json.loads(gzip.decompress(b64decode(site.pack(data)))) == data
    assert [strategy["name"] for strategy in data["strategies"]] == ["entropy", "worst-case"]
    assert data["title"] == "Bulls and Cows, 3 pegs and 5 symbols"
    distinct = "Mastermind, 4 pegs and 6 colours, none twice in the secret"
    assert title_of("mm-4-6-distinct") == distinct
    assert title_of("marks-wide") == "Words with Wordle's marks: the list 'wide'"
    assert title_of("matches-example") == "Words, letters in place, an example"


def test_members_of_families_are_listed_by_their_titles():
    game, (first, *_) = played("bc-3-5")
    named = {
        "renyi-0.5": "Rényi entropy of order 0.5",
        "renyi-inf": "Rényi entropy of order inf",
        "tsallis-2": "Tsallis entropy of order 2",
        "mix-most-parts-entropy-0.4": "Mixture of most-parts and entropy with the share 0.4",
    }
    for policy, label in named.items():
        strategy = replace(first.strategy, policy=policy, tree=f"{policy}_from-012")
        data = game_data(game, [first, replace(first, strategy=strategy)])
        assert label in [listed["label"].split(",")[0] for listed in data["strategies"]]


def test_what_was_confirmed_comes_first_and_is_counted_not_assumed(text, tables):
    assert "<strong>55 of 55</strong> cells of the profiles" in text
    assert "agree with our computation. 1 of 1 statement of Gür 2025 holds" in visible(text)
    assert "MM(4,6) is Mastermind with 4 pegs and 6 colours." in visible(text)
    order = ["best first guess", "How lucky was I?", "One step of look-ahead", "What was confirmed"]
    assert sorted(order, key=visible(text).index) == order
    frame = comparison_frame(tables["kooi-2005-table-07"])
    is_first = pl.int_range(pl.len()) == 0
    wrong = frame.with_columns(agrees=pl.when(is_first).then(pl.lit("no")).otherwise("agrees"))
    confirmed = site.confirmed(CLAIMS, {"kooi-2005-table-07": wrong})
    assert (confirmed[0]["held"], confirmed[0]["of"]) == (54, 55)
    assert [(row["what"], row["held"]) for row in confirmed[1:]] == [
        ("Gür 2025", 1),
        ("Kooi 2005", 0),
    ]


def test_what_holds_under_conditions_is_counted_apart_on_the_page(table):
    held = ["holds", "holds under a stated reading", "holds under another reading"]
    rows = CLAIMS.filter(source="Gür 2025")
    rows = pl.concat([rows.with_columns(verdict=pl.lit(verdict)) for verdict in held])
    rows = rows.with_columns(origin=pl.Series(["this run", "recorded", "this run"]))
    words = visible(site.page(table, rows, {}, {}, []))
    counted = "holds, 1 more under a stated reading, 1 only under another reading; "
    counted += "the value of 1 is recorded"
    assert f"1 of 3 statements of Gür 2025 {counted}" in words
    assert f"3 statements of Gür 2025: 1 {counted}" in words
    assert "How we read it: The paper" in words


@pytest.mark.parametrize("size", [WIDE, in_ci(PHONE)])
def test_every_link_meets_its_target_on_a_first_visit(opened, size):
    anchors = opened(size).locator("main a[href^='#']:not([data-explore]), nav a")
    links = set(anchors.evaluate_all("(all) => all.map((one) => one.getAttribute('href'))"))
    assert {"#assistant", "#findings", "#charts", "#claims"} <= links
    assert anchors.evaluate_all("(all) => all.every((one) => document.querySelector(one.hash))")
    visits = {link: opened(size) for link in sorted(links)[::3]}
    behaviour = "getComputedStyle(document.documentElement).scrollBehavior"
    for link, first in visits.items():
        assert first.evaluate(behaviour) == "smooth"
        first.locator(f"a[href='{link}']:not(.skip)").first.click()
    for link, first in visits.items():
        first.call("settle")
        top, left = first.call("placeOf", link)
        assert -2 <= top <= 80 or (left < 2 and top < size[1]), (link, top)


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        (WIDE, "light"),
        (PHONE, "dark"),
        in_ci(WIDE, "dark"),
        in_ci(PHONE, "light"),
        in_ci(TABLET, "light"),
        in_ci(TABLET, "dark"),
    ],
)
def test_charts_that_are_drawn_move_nothing_and_nothing_is_cut_off(opened, size, scheme):
    shown = opened(size, scheme)
    height = shown.evaluate("document.documentElement.scrollHeight")
    assert shown.locator("svg").count() < len(PAGE_CHARTS)
    read_through(shown)
    assert shown.evaluate("document.documentElement.scrollHeight") == height
    shown.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    assert shown.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert shown.call("cutTexts") == []
    tables = shown.locator("section:not(#explorer):not(#assistant) table")
    fits = "(all) => all.every((one) => one.scrollWidth <= one.parentElement.clientWidth + 1)"
    assert tables.evaluate_all(fits)


def test_charts_are_printed_in_the_width_and_the_colours_of_paper(opened):
    shown = opened(WIDE, "dark")

    shown.call("preparedPaper")

    def look(event):
        shown.evaluate(f"dispatchEvent(new Event('{event}'))")
        expect(shown.locator("figure.chart[data-drawn='for paper'] svg")).to_have_count(
            len(PAGE_CHARTS) if event == "beforeprint" else 0
        )
        view = shown.locator("figure.chart svg").first.get_attribute("viewBox")
        return shown.locator("html").get_attribute("data-theme"), int(view.split()[2])

    theme, width = look("beforeprint")
    assert theme == "light"
    assert abs(width - WIDTHS["medium"]) <= 2
    assert look("afterprint")[0] == "dark"
    expect(shown.locator("figure.chart[data-drawn$=wide] svg")).to_have_count(len(PAGE_CHARTS))


def test_each_chart_is_named_by_its_title(opened, specs):
    shown = opened(WIDE)
    read_through(shown)
    for name in PAGE_CHARTS:
        figure = shown.locator(f"#figure-{name}")
        title = json.loads(specs[name])["title"]["text"]
        assert figure.locator("h3").text_content() == title
        for image in (figure.locator("div.canvas").first, figure.locator("svg").first):
            assert image.get_attribute("role") == "img"
            assert image.get_attribute("aria-label").startswith(title)


def test_a_mark_tells_its_figures(opened):
    shown = opened(WIDE)
    figure = shown.locator("#figure-above-the-optimum")
    figure.scroll_into_view_if_needed()
    figure.locator("[aria-label*='most parts (Kooi)'][aria-roledescription=point]").hover()
    expect(shown.locator("#mark")).to_contain_text("total guesses: 5,668")
    shown.mouse.move(5, 5)
    expect(shown.locator("#mark")).to_be_hidden()


def hexadecimal(text):
    return "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", text)[:3])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_mark_stands_out_from_the_page(opened, scheme):
    shown = opened(WIDE, scheme)
    read_through(shown)
    background, colours = shown.call("coloursOf")
    assert hexadecimal(background) == PAPER[scheme]
    seen = {hexadecimal(colour) for colour in colours if colour.startswith("rgb(")} - GRIDS
    assert len(seen) > 5
    assert [colour for colour in seen if contrast(colour, PAPER[scheme]) < 3] == []


def test_colours_stand_out_on_both_papers_and_those_that_do_are_kept():
    """WCAG 2.2: black has 21, and grey #767676 4.54."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)
    for colour in {*COLOURS.values(), OTHER_COLOUR, SERIES, *TURN_COLOURS}:
        assert contrast(colour, PAPER["light"]) >= 2.99, colour
        dark = readable(colour, PAPER["dark"])
        assert contrast(dark, PAPER["dark"]) >= 3, colour
    rules = dark_rules(['<path fill="#332288" stroke="#0072b2"/><text fill="#1f2430">'])
    assert '[fill="#332288"]{fill:' in rules
    assert '[fill="#1f2430"]{fill:#e8eaf0}' in rules
    assert "#0072b2" not in rules


def test_drawings_fill_their_widths_and_keep_the_figures_of_their_axes(specs, table):
    for wanted in WIDTHS.values():
        svg, width, height = draw_chart(json.loads(specs["weight-transfer"]), wanted)
        assert abs(width - wanted) <= 2
        assert f'viewBox="0 0 {width} {height}"' in svg
        assert "…" not in svg
    profiles = json.loads(strategies.profiles(table).to_json())
    svg, _, _ = draw_chart(profiles, WIDTHS["wide"])
    assert ">4.3403<" in svg


def test_long_names_have_lines_on_phones_and_lose_no_word(table):
    profiles = json.loads(strategies.profiles(table).to_json())
    names = {row["name"] for rows in profiles["datasets"].values() for row in rows}
    svg, _, _ = draw_chart(profiles, WIDTHS["narrow"])
    texts = [
        " ".join(re.findall(r">([^<]+)<", text))
        for text in re.findall(r"<text.*?</text>", svg, re.DOTALL)
    ]
    assert any(len(name) > 26 for name in names)
    assert names <= {*texts}
