"""Tables, claims and figures."""

import tomllib
from collections import Counter

import check_claims
import pytest
from conftest import defined, game_called, read_yaml, rows
from definitions import SINGLE_PRECISION, TIMES_LOG_PARTS, play
from prose import facts_of

from codebreaker.report import claims
from codebreaker.report.chapters.strategies import STRATEGY_CHARTS
from codebreaker.report.claims import ALIKE, FAILS, HOLDS_READ, UNLIKE, agrees, shaped
from codebreaker.report.style import save
from codebreaker.report.tables import PUBLISHED_TABLES as TABLES
from codebreaker.report.tables import ComparedTable, comparison_frame, comparison_page
from codebreaker.trees.by_score import entropy_times_log_parts, expected_size, tree_by_score

CASES = read_yaml("tests/report/cases.yaml")


def test_every_published_table_is_computed(tables):
    files = {path.stem for path in TABLES.glob("*-table-*.csv")}
    assert {*files, "kooi-2005-footnote-4"} == {*tables, "gur-2025-table-2"}, "it needs a search"
    assert len(files) == 16
    assert all({*one.published} <= {*one.computed} for one in tables.values())


def test_the_sources_are_wrong_where_we_found_them_so_and_nowhere_else(tables):
    found = {name: one.differences for name, one in tables.items() if one.differences}
    cells = {name: sorted(map(list, differing)) for name, differing in found.items()}
    assert cells == CASES["differences"]


TIES = {"consistent then lexicographic": False, "first consistent then last": True}
BY_SCORE = {SINGLE_PRECISION: expected_size, TIMES_LOG_PARTS: entropy_times_log_parts}


@pytest.mark.parametrize("rule", BY_SCORE)
@pytest.mark.parametrize("name", ["mm-3-4", "mm-3-5", "mm-2-9", "bc-3-5"])
def test_trees_by_score_are_those_of_literal_play(name, rule):
    for tie_break, last in TIES.items():
        games = play(rule, defined(name), tie_break=tie_break).values()
        tree = tree_by_score(game_called(name), BY_SCORE[rule], last)
        assert Counter(map(len, games)) == Counter(dict(enumerate(tree.profile.tolist(), 1)))


def test_pages_and_frames_tell_what_differs():
    published = {("a", "x"): "1.0", ("a", "y"): "-2%"}
    computed = {("a", "x"): "1", ("a", "y"): "+2%", ("b", "x"): "7"}
    one = ComparedTable("small", "A title", "row", "ab", "xy", published, computed, "A note.")
    assert comparison_page(one) == CASES["page"]
    assert [*map(list, comparison_frame(one).rows())] == CASES["frame"]


@pytest.fixture(scope="module")
def weighed(evidence):
    return facts_of(evidence / "discrepancies.csv")


def test_claims_that_do_not_hold_or_hold_under_one_reading_are_known(weighed):
    found = {claim["id"] for claim in weighed if claim["verdict"] == FAILS}
    assert found == set(CASES["failing"])
    assert len(weighed) >= 70
    sources = ("Gür 2025", "Kooi 2005", "No strategy is best", "Cotta et al. 2010", "AM207 project")
    assert {claim["source"] for claim in weighed} == {*sources}
    (claim,) = (claim for claim in weighed if claim["id"] == "gur-highest-turn")
    assert (claim["verdict"], claim["reading"]) == (HOLDS_READ, "root mean square")
    assert claim["otherwise"].endswith("largest single deviation: turn 4")


@pytest.mark.parametrize("source", tomllib.loads(claims.CLAIMS.read_text("utf-8"))["sources"])
def test_every_section_has_claims_or_a_reason_why_not(source):
    places = {place for claim in source["claims"] for place in claim["place"].split(" and ")}
    assert places <= {*source["sections"]}
    for section, why in source["sections"].items():
        reason, _, words = why.partition(": ")
        assert reason in ("", "nothing to compute")
        assert bool(reason) == bool(words)
        assert (section in places) == (reason == "")


def test_every_verdict_is_reached_again_by_other_code(weighed, evidence):
    check = check_claims.check
    for claim in weighed:
        check(claim, evidence)
    total = next(claim for claim in weighed if claim["id"] == "gur-fixed-mean")
    for change, wrong in CASES["changes"]:
        with pytest.raises(ValueError, match=wrong):
            check(total | change, evidence)
    cut = {"claimed": "4.3564…", "verdict": HOLDS_READ, "reading": "cut off"}
    check(total | cut, evidence)
    check(total | {"claimed": ">= 4", "statement": "The mean is at least 4."}, evidence)


def test_comparisons_of_texts_have_no_value(weighed, evidence):
    texts = {claim["id"]: claim for claim in weighed if claim["program"]}
    assert {claim["verdict"] for claim in texts.values()} == {ALIKE, UNLIKE}
    assert not any(claim["computed"] or claim["file"] for claim in texts.values())
    one = texts["gur-program-selection"]
    assert one["verdict"] == UNLIKE
    for key in ("computed", "file", "query", "program", "lines", "verdict"):
        changed = one | {key: "" if key in ("program", "lines") else ALIKE}
        with pytest.raises(ValueError, match="it compares texts"):
            check_claims.check(changed, evidence)


@rows("tests/report/cases.yaml", "shown")
def test_a_value_is_compared_as_it_is_printed(row):
    claimed, value, shown, holds = row
    assert agrees(claimed, value) is holds
    assert shaped(claimed, value) == shown


@pytest.mark.parametrize("name", STRATEGY_CHARTS)
def test_charts_are_drawn(name, table, tmp_path):
    save(STRATEGY_CHARTS[name](table), tmp_path / name, 1.0)
    assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / f"{name}.svg").read_text(encoding="utf-8")
