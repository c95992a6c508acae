"""Numbers of the report and the README."""

import re
import shutil
import tomllib
from decimal import Decimal
from html.parser import HTMLParser
from random import Random

import polars as pl
import prose
import pytest
from conftest import ROOT

from codebreaker.errors import CodebreakerError
from codebreaker.files import write_text
from codebreaker.report.chapters.best_known import read_recorded
from codebreaker.report.chapters.effort import machine
from codebreaker.report.guide import guide
from codebreaker.report.numbers import Facts, Query, Results, shown
from codebreaker.report.paper import LONGEST, TEMPLATES, Exhibits, to_html, write
from codebreaker.report.tables import read_table, write_page

LISTED = re.compile(r"<!-- best-known: .*?<!-- end of best-known -->", re.DOTALL)

SOURCES = tomllib.loads((ROOT / "tests" / "page_facts.toml").read_text(encoding="utf-8"))
"""By page and excerpt, the sources of its numerals."""

HEAD = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
"""The fields at the head of a paper."""

PAGES = {name: HEAD.sub("", (ROOT / name).read_text(encoding="utf-8")) for name in SOURCES}
FILES = {
    source["file"]
    for phrases in SOURCES.values()
    for sources in phrases.values()
    for source in sources
    if "file" in source
}
CITED = Results(ROOT, FILES)


@pytest.fixture(scope="module")
def results(tmp_path_factory, table, evidence):
    folder = tmp_path_factory.mktemp("study") / "results"
    shutil.copytree(evidence, folder)
    claims = pl.read_csv(folder / "discrepancies.csv", infer_schema=False)
    write_text(folder / "README.md", guide(table, claims))
    for name in ("profiles", "best-known", "rollouts", "larger-games"):
        write_text(folder / "figures" / f"{name}.svg", "<svg/>")
    larger = read_table(ROOT / "resources" / "larger-games" / "sampled.csv")
    tables = {"machine": machine(), "larger-games": larger}
    for name in ("best-known", "first-guesses", "two-pegs", "rollouts"):
        tables[name] = read_recorded(str(ROOT / "resources" / "best-known" / f"{name}.csv"))
    for name, frame in tables.items():
        paths = [folder / "tables" / f"{name}{suffix}" for suffix in (".csv", ".md")]
        write_page(frame, paths, name, frame)
    files = (path for path in folder.rglob("*") if path.is_file())
    return Results(folder, [path.relative_to(folder).as_posix() for path in files])


@pytest.fixture(scope="module")
def report(results):
    text, facts = write(results)
    facts.frame().write_csv(results.folder / "facts.csv")
    return text, prose.facts_of(results.folder / "facts.csv")


@pytest.mark.slow
def test_every_number_of_the_report_is_a_fact_and_a_wrong_one_is_seen(report):
    text, facts = report
    assert len(facts) > 20
    assert prose.unexplained(text, prose.numerals_of_facts(facts)) == []
    planted = text.replace("best strategy needs 5625", "best strategy needs 5624")
    assert prose.unexplained(planted, prose.numerals_of_facts(facts)) == ["5624"]


def test_every_fact_is_in_its_file_and_a_wrong_one_is_seen(report, results):
    assert [fact for fact in report[1] if not prose.fits(fact, results.folder)] == []
    for right, wrong in (("5668", "5667"), ("4.3488", "4.3487"), ("4.3488", "4.35%")):
        fact = next(fact for fact in report[1] if fact["text"] == right)
        assert not prose.fits(fact | {"text": wrong}, results.folder)


def test_tables_have_the_rows_of_the_pages(report, results):
    tables = re.findall(r"<!-- from .*? -->(.*?)<!-- end -->", report[0], flags=re.DOTALL)
    assert len(tables) >= 2
    pages = [results.text(file) for file in results.files if file.endswith(".md")]
    lines = [{*line.split(" | ")} for page in pages for line in page.splitlines() if "|" in line]
    for table in tables:
        for row in table.strip().splitlines():
            cells = {*row.removeprefix("| ").removesuffix(" |").split(" | ")}
            assert any(cells - {"MM(4,6)"} <= {*line, *ends(line)} for line in lines), row


def ends(line):
    """Return the cells of a row without the bars at its ends."""
    return {cell.removeprefix("| ").removesuffix(" |") for cell in line}


def test_tables_name_strategies_in_words_and_each_id_once(report):
    (table,) = re.findall(r"\*\*Table 1\.\*\*.*?<!-- end -->", report[0], flags=re.DOTALL)
    assert "| game |" not in table
    assert table.count("| stage-weighted |") == table.count("| weights by turn (Gür) |") == 1


def test_sentences_do_not_count_all_of_all(report):
    assert re.findall(r"\b(\d+) of \1\b", report[0]) == []
    assert re.search(r"All \d+ optima, of \d+ games, are proven", report[0])


def test_sections_without_results_are_left_out(report):
    text, _ = report
    headings = re.findall("^## (.*)$", text, re.MULTILINE)
    assert {"Abstract", "Methods", "The optimum", "Best known strategies", "Limits"} < set(headings)
    assert not {"Mean against maximum", "Players that search", "Games with words"} & set(headings)
    assert "Weights found by the genetic algorithm" not in text
    assert "[best-known.md](tables/best-known.md)" in text


def test_the_page_needs_no_network_and_its_links_lead_somewhere(report):
    page = to_html(report[0])
    assert "://" not in re.sub('<a href="https://(doi|arxiv|github)[^"]*"', "", page)
    assert "<script" not in page
    anchors = set(re.findall(r'id="([^"]+)"', page))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= anchors
    assert page.count("<table>") == len(re.findall(r"^\| -", report[0], re.MULTILINE)) >= 2
    assert '<li class="h3"><a href="#ties">Ties</a></li>' in page
    assert '<a href="index.html">' in page
    assert all(re.findall(r'<img[^>]* alt="([^"]*)"', page))


@pytest.mark.parametrize("path", sorted((TEMPLATES / "report").iterdir()))
def test_templates_hold_no_number_outside_of_expressions(path):
    source = path.read_text(encoding="utf-8")
    text = re.sub(r"\{%.*?%\}|\{\{.*?\}\}", "", source, flags=re.DOTALL)
    assert prose.numerals_of(prose.prose_of(text)) == []
    assert not re.search(r"\{\{-?\s*[\"']?\d", source)


def wrong_in(name, text):
    """Return the numerals of a page's text that have another source, or none."""
    left = re.sub(r"\s+", " ", prose.prose_of(LISTED.sub("", text)))
    wrong = []
    for phrase, sources in SOURCES[name].items():
        numerals = prose.numerals_at(phrase, left)
        assert len(numerals) == len(sources), f"{phrase!r} is not in {name} once"
        for numeral, source in zip(numerals, sources, strict=True):
            true = Decimal(prose.looked_up(source, CITED))
            digit = Decimal(1).scaleb(Decimal(numeral).as_tuple().exponent)
            if abs(Decimal(numeral) - true) > digit / 2:
                wrong.append(numeral)
        pattern = re.escape(phrase).replace(re.escape("{}"), prose.NUMERAL.pattern)
        left = re.sub(pattern, "", left)
    return wrong + prose.numerals_of(left)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("README.md", {"5,625": "5,624", "two cores": "2 cores"}),
        ("docs/findings.md", {"5,036": "5,034", "96.5%": "96.7%"}),
        ("paper/paper.md", {"68.9": "68.1", "154": "155"}),
    ],
)
def test_every_number_of_a_page_agrees_with_its_source_and_a_wrong_one_is_seen(name, changes):
    page = PAGES[name]
    assert wrong_in(name, page) == []
    for right, wrong in changes.items():
        planted = page.replace(right, wrong, 1)
        assert planted != page
        assert wrong_in(name, planted) == prose.numerals_of(wrong)


def test_committed_facts_are_the_computed_ones(results):
    checked = 0
    for fact in prose.facts_of(ROOT / "results" / "facts.csv"):
        assert not fact["file"].startswith("resources/"), "each run changes its times"
        if fact["file"] != "metrics/strategies.csv" or "policy = " not in fact["query"]:
            continue
        if results.value(Query(fact["file"], fact["query"])) is not None:
            assert prose.fits(fact, results.folder), fact
            checked += 1
    assert checked > 20


SMALL_FILES = {
    "small.csv": "game,total,empty,opening\na,12345,,1\na,7,,2\nb,1.25,,0012345\n",
    "small.json": '{"one": {"two": 3, "list": [1]}}',
}


@pytest.fixture
def small(tmp_path):
    """A folder with small result files."""
    for name, text in SMALL_FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return Results(tmp_path, SMALL_FILES)


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        pytest.param(
            "value",
            ("total", "small.csv", "game = 'b'", 1),
            "1.3",
            id="value total small.csv game = 'b' 1",
        ),
        pytest.param(
            "value",
            ("100 * total", "small.csv", "game = 'b'", 0, "%"),
            "125%",
            id="value 100 * total small.csv game = 'b' 0 %",
        ),
        pytest.param(
            "value",
            ("total", "small.csv", "total >= 8000"),
            "12,345",
            id="value total small.csv total >= 8000",
        ),
        pytest.param(
            "value", ("game", "small.csv", "game = 'b'"), "b", id="value game small.csv game = 'b'"
        ),
        pytest.param(
            "value",
            ("opening", "small.csv", "game = 'b'"),
            "0012345",
            id="value opening small.csv game = 'b'",
        ),
        pytest.param(
            "count",
            ("small.csv", "game = 'a' AND total <= 9 AND total <> 8"),
            "1",
            id="count small.csv game = 'a' AND total <= 9 AND total <> 8",
        ),
        pytest.param(
            "value",
            ("COUNT(DISTINCT game)", "small.csv"),
            "2",
            id="value COUNT(DISTINCT game) small.csv",
        ),
        pytest.param(
            "value",
            ("SUM(total)", "small.csv", "game = 'a'"),
            "12,352",
            id="value SUM(total) small.csv game = 'a'",
        ),
        pytest.param("value", ("MIN(total)", "small.csv"), "1.25", id="value MIN(total) small.csv"),
        pytest.param(
            "value", ("MAX(total)", "small.csv"), "12,345", id="value MAX(total) small.csv"
        ),
        pytest.param(
            "difference",
            ("total", "small.csv", "game = 'b'", "total = 7"),
            "−5.75",
            id="difference total small.csv game = 'b' total = 7",
        ),
        pytest.param(
            "percent_above",
            ("total", "small.csv", "total = 7", "game = 'b'", 1),
            "460.0%",
            id="percent_above total small.csv total = 7 game = 'b' 1",
        ),
    ],
)
def test_facts_are_recorded_as_printed_and_read_again(small, tmp_path, name, arguments, text):
    facts = Facts(small)
    number = facts.lookups[name](*arguments)
    assert facts.frame().is_empty()
    assert facts.printed(number) == text
    facts.frame().write_csv(tmp_path / "facts.csv")
    (fact,) = prose.facts_of(tmp_path / "facts.csv")
    assert fact["text"] == text
    assert prose.fits(fact, tmp_path)


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        pytest.param(
            "value",
            ("total", "none.csv"),
            "the report has no file none.csv",
            id="value total none.csv",
        ),
        pytest.param(
            "value",
            ("total", "small.csv", "game = 'c'"),
            "no value for SELECT total FROM file WHERE game = 'c'",
            id="value total small.csv game = 'c'",
        ),
        pytest.param(
            "value",
            ("total", "small.csv", "game = 'a'"),
            "has 2 rows for SELECT total FROM file WHERE game = 'a'",
            id="value total small.csv game = 'a'",
        ),
        pytest.param(
            "value",
            ("empty", "small.csv", "game = 'b'"),
            "no value for SELECT empty",
            id="value empty small.csv game = 'b'",
        ),
        pytest.param(
            "value",
            ("MAX(total)", "small.csv", "game = 'c'"),
            "no value for",
            id="value MAX(total) small.csv game = 'c'",
        ),
        pytest.param(
            "count",
            ("small.csv", "player = 'x'"),
            'unable to find column "player"',
            id="count small.csv player = 'x'",
        ),
        pytest.param("count", ("small.csv", "game ="), "small.csv: ", id="count small.csv game ="),
        pytest.param(
            "value",
            ("game", "small.csv", "game = 'b'", 1),
            "expects a number, not 'b'",
            id="value game small.csv game = 'b' 1",
        ),
    ],
)
def test_missing_facts_are_reported_in_one_line(small, name, arguments, message):
    with pytest.raises(CodebreakerError, match=re.escape(message)) as refused:
        Facts(small).lookups[name](*arguments)
    assert "\n" not in str(refused.value)


def test_numbers_that_are_no_facts_and_missing_exhibits_are_refused(small):
    with pytest.raises(CodebreakerError, match="prints 5, which is in no result file"):
        Facts(small).printed(5)
    exhibits = Exhibits(small)
    with pytest.raises(CodebreakerError, match="names an exhibit 'nothing'"):
        exhibits.resolved(f"See {exhibits.ref('nothing')}.")


@pytest.mark.parametrize(
    ("file", "sql", "value"),
    [
        ("small.csv", "SELECT game FROM file WHERE total > 10000 OR total < 2", "a and b"),
        ("small.csv", "SELECT game FROM file WHERE total = (SELECT MIN(total) FROM file)", "b"),
        ("small.csv", "SELECT COUNT(*) FROM file WHERE empty = 3 OR empty = 'x'", 0),
        ("small.csv", "SELECT COUNT(*) FROM file WHERE empty IS NULL", 3),
        ("small.json", 'SELECT "one.two" FROM file', 3),
        ("small.json", 'SELECT "one.two" / 2 FROM file', 1.5),
    ],
)
def test_queries_read_any_file(small, file, sql, value):
    assert small.value(Query(file, sql)) == value


@pytest.mark.parametrize(
    ("cell", "digits", "text"),
    [
        (5.6425, 3, "5.643"),
        (-0.5, 0, "−1"),
        (-0.004, 2, "0.00"),
        (-0.23249999999999993, 3, "−0.233"),
        (99.647136, 1, "99.6"),
        (1e-06, None, "0.000001"),
        (9999, None, "9999"),
        (5637.0, None, "5637"),
        (-12345.5, 1, "−12,345.5"),
    ],
)
def test_numbers_are_rounded_once_and_halves_away_from_zero(cell, digits, text):
    assert shown(cell, digits) == text


def table_of(results, *arguments):
    text = Exhibits(results).table("small", *arguments, caller=lambda: "A caption.")
    caption, _, lines, *_ = text.split("\n\n")
    return caption, lines.splitlines()


def test_a_table_has_the_chosen_rows_with_the_decimals_of_the_whole_table(small):
    head = ["| game | total | empty | opening |", "| --- | ---: | --- | --- |"]
    rows = ["| a | 12345.00 |  | 1 |", "| a | 7.00 |  | 2 |", "| b | 1.25 |  | 0012345 |"]
    caption, lines = table_of(small, "small.csv", "", ["total"])
    assert (caption, lines) == ("**Table 1.** A caption.", head + rows)
    assert table_of(small, "small.csv", "total < 10", ["total"])[1] == head + rows[1:]
    with pytest.raises(CodebreakerError, match="has no row where game = 'z'"):
        table_of(small, "small.csv", "game = 'z'")


def test_a_long_table_is_cut(tmp_path):
    pl.DataFrame({"n": range(LONGEST + 2)}).write_csv(tmp_path / "long.csv")
    results = Results(tmp_path, ["long.csv"])
    caption, lines = table_of(results, "long.csv")
    assert caption.endswith("A caption. Further rows are in [long.csv](long.csv).")
    assert lines[-1] == f"| {LONGEST - 1} |"
    assert not table_of(results, "long.csv", "n > 1")[0].endswith(").")


def test_the_machine_is_described_without_names_of_hosts_and_users(tmp_path):
    (tmp_path / "cpuinfo").write_text("flags: x\nmodel name\t: A Processor\n", encoding="utf-8")
    facts = dict(machine(tmp_path / "cpuinfo").iter_rows())
    assert facts["processor"] == "A Processor"
    assert {"cores", "memory", "operating system", "codebreaker", "numpy", "polars"} <= set(facts)
    assert not {"hypothesis", "pytest"} & set(facts)
    assert "/" not in "".join(facts.values())


class CellTexts(HTMLParser):
    """What the cells of a page's tables show."""

    def __init__(self):
        super().__init__()
        self.cells = []
        self.inside = False

    def handle_starttag(self, tag, attrs):
        """Begin a cell."""
        self.inside = self.inside or tag == "td"
        if tag == "td":
            self.cells.append("")

    def handle_endtag(self, tag):
        """End a cell."""
        self.inside = self.inside and tag != "td"

    def handle_data(self, data):
        """Add to the cell."""
        if self.inside:
            self.cells[-1] += data


SIGNS = (*"*_`~<>[]()!#&;|\\x1 -=+.:", "**", "__", "&amp;", "<b>", "](", "http://x.y")


def test_a_table_shows_words_as_they_are(tmp_path):
    """A user's words may be `**bold**` or `[a](b)`; only outer spaces get lost in a cell."""
    rng = Random(1)
    words = ["**bold**", "_it_", "`code`", "[a](b)", "<br>", "&amp;", "a|b", r"\*", "~~no~~"]
    words += ["".join(rng.choices(SIGNS, k=rng.randint(1, 8))).strip() for _ in range(2_000)]
    frame = pl.DataFrame({"word": words})
    write_page(frame, (tmp_path / "words.csv", tmp_path / "words.md"), "Words", frame)
    page = CellTexts()
    page.feed(to_html((tmp_path / "words.md").read_text(encoding="utf-8")))
    for word, shown_word in zip(words, page.cells, strict=True):
        assert shown_word == word
