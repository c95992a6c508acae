"""Tables, claims and figures."""

import html
import json
import re
import struct
import tomllib
from collections import Counter
from dataclasses import fields

import check_claims
import pytest
from conftest import defined, game_called
from definitions import SINGLE_PRECISION, TIMES_LOG_PARTS, play
from prose import facts_of

from codebreaker.optimise.settings import Params
from codebreaker.report import claims
from codebreaker.report.chapters.gur import SETTINGS
from codebreaker.report.chapters.strategies import STRATEGY_CHARTS
from codebreaker.report.claims import (
    ALIKE,
    FAILS,
    HOLDS_OTHER,
    HOLDS_READ,
    OPEN,
    UNLIKE,
    agrees,
    shaped,
)
from codebreaker.report.style import save
from codebreaker.report.tables import PUBLISHED_TABLES as TABLES
from codebreaker.report.tables import ComparedTable, comparison_frame, comparison_page
from codebreaker.trees.by_score import entropy_times_log_parts, expected_size, tree_by_score

DIFFERENCES = {
    "gur-2025-table-3": [
        ("0B-0C", "turn 2 deviation"),
        ("0B-0C", "turn 3 deviation"),
        ("0B-2C", "turn 1 deviation"),
    ],
    "gur-2025-table-4": [("Optimal", "maximum")],
    "kooi-2005-table-04": [("AAAA", "expected size")],
    "kooi-2005-table-10": [
        ("Worst case", "2"),
        ("Worst case", "4"),
        ("Worst case", "5"),
        ("Worst case", "6"),
    ],
}
"""Cells of published tables, by row and column, that differ from the computation."""

FAILING = {
    "cotta-knuth-mean",
    "cotta-uniform-worst-case",
    "frontier-average-part",
    "frontier-random",
    "frontier-three-strategies",
    "frontier-ties",
    "frontier-zero",
    "gur-baseline",
    "gur-deviation-turn-1",
    "gur-deviation-turn-2",
    "gur-deviation-turn-3",
    "gur-limit",
    "gur-mean-0b-1c",
    "gur-mean-1b-1c",
    "gur-next-best",
    "gur-optimal-maximum",
    "gur-repository-opening",
    "gur-turn-1-range",
    "kooi-even-worse",
    "kooi-table-10-expected-size",
    "kooi-table-10-most-parts",
    "kooi-table-10-worst-case",
}
"""Claims that do not hold."""

CHANGES = [
    ({"verdict": "does not hold"}, "the file says"),
    ({"computed": "4.3566"}, "is given as 4.3566"),
    ({"claimed": "4.3566"}, "the verdict is holds"),
    ({"claimed": "about 4.3565"}, "doesn't say about"),
    ({"claimed": "4.3564…"}, "cut off is a reading"),
    ({"claimed": "4.3564…", "verdict": "holds under a stated reading"}, "reading is not stated"),
    ({"claimed": ">= 4"}, "the source doesn't compare"),
    ({"claimed": ">= 0", "statement": "It is more."}, "excludes no number"),
    ({"claimed": "> -1", "statement": "It is more."}, "excludes no number"),
    ({"claimed": "= 4.3565"}, "the verdict is holds"),
    ({"claimed": "4.3565%"}, "claims percent of what isn't"),
    ({"computed": "4.3565%"}, "in a form that differs from 4.3565"),
    ({"claimed": "13/3"}, "the verdict is holds"),
    ({"claimed": "43565e-4"}, "the verdict is holds"),
    (
        {"claimed": "1e-9", "verdict": "does not hold", "computed": "43565e-4"},
        "is given as 43565e-4",
    ),
    (
        {"claimed": "13/3", "verdict": "does not hold", "computed": "5646/1296"},
        "is given as 5646/1296",
    ),
    ({"claimed": "٤٫٣٥٦٥"}, "the verdict is holds"),
    ({"claimed": "４.3565"}, "the verdict is holds"),
    ({"claimed": "4.35_65"}, "the verdict is holds"),
    ({"claimed": "4.3565 "}, "the verdict is holds"),
    ({"claimed": "04.3565"}, "the verdict is holds"),
    ({"claimed": "4.3565..."}, "the verdict is holds"),
    ({"claimed": "4", "computed": "about 4"}, "is given as about 4"),
    ({"claimed": "4", "computed": "4…"}, "is given as 4…"),
    ({"otherwise": "another: 5"}, "reading is not stated"),
    ({"verdict": "differs from the published program"}, "it compares texts"),
]
"""Changes of the claim gur-fixed-mean, and why the checker refuses them."""


def test_every_published_table_is_computed(tables):
    files = {path.stem for path in TABLES.glob("*-table-*.csv")}
    others = {"kooi-2005-figures", "kooi-2005-footnote-4"}
    assert {*files, *others} == {*tables, "gur-2025-table-2"}, "it needs a search"
    assert len(files) == 16
    assert all({*comparison.published} <= {*comparison.computed} for comparison in tables.values())


def test_the_sources_are_wrong_where_we_found_them_so_and_nowhere_else(tables):
    compared = {name: sorted(comparison.differences) for name, comparison in tables.items()}
    assert {name: cells for name, cells in compared.items() if cells} == DIFFERENCES


TIES = {"consistent then lexicographic": False, "first consistent then last": True}
BY_SCORE = {SINGLE_PRECISION: expected_size, TIMES_LOG_PARTS: entropy_times_log_parts}


@pytest.mark.parametrize("rule", BY_SCORE)
@pytest.mark.parametrize("name", ["mm-3-4", "mm-3-5", "mm-2-9", "bc-3-5"])
def test_trees_by_score_are_those_of_literal_play(name, rule):
    for tie_break, last in TIES.items():
        games = play(rule, defined(name), tie_break=tie_break).values()
        tree = tree_by_score(game_called(name), BY_SCORE[rule], last)
        assert Counter(map(len, games)) == Counter(dict(enumerate(tree.profile.tolist(), 1)))


PAGE = """\
# A title

| row | x | y |
| --- | --- | --- |
| a | 1 | **+2%** (published -2%) |
| b | *7* |  |

1 of 2 published cells agree with the computation; 1 cells in italics are not in the source.

A note."""


def test_inputs_are_shown_and_not_counted():
    published = {("a", "x"): "1", ("a", "y"): "2", ("b", "x"): "3"}
    computed = {("a", "x"): "1", ("a", "y"): "2", ("b", "x"): "4"}
    inputs = {("a", "x"), ("b", "x")}
    table = ComparedTable("small", "A title", "row", "ab", "xy", published, computed, "", inputs)
    assert [row[-1] for row in comparison_frame(table).rows()] == [None, "yes", None]
    page = comparison_page(table)
    assert "| b | **4** (published 3) |" in page
    assert page.endswith(
        "1 of 1 published cells agree with the computation; 2 published cells are inputs of the "
        "computation, and are not counted."
    )


COUNTED = {"gur-2025-table-1": (2, 14), "gur-2025-table-3": (84, 84), "gur-2025-table-4": (17, 0)}
"""The numbers of compared cells and of inputs in Gür's tables."""


@pytest.mark.parametrize("name", COUNTED)
def test_weights_are_inputs_of_their_tables(tables, name):
    table = tables[name]
    assert (len(table.compared), len(table.inputs)) == COUNTED[name]


def test_all_settings_of_the_search_are_shown_with_their_origin():
    assert {*SETTINGS} == {"generations", *(field.name for field in fields(Params))}
    source = (TABLES / "gur-2025-table-2.csv").read_text(encoding="utf-8")
    for row, origin in SETTINGS.values():
        assert (f"\n{row}," in source) == (origin == "Table 2")


def test_pages_and_frames_tell_what_differs():
    published = {("a", "x"): "1.0", ("a", "y"): "-2%"}
    computed = {("a", "x"): "1", ("a", "y"): "+2%", ("b", "x"): "7"}
    comparison = ComparedTable(
        "small", "A title", "row", "ab", "xy", published, computed, "A note."
    )
    assert comparison_page(comparison) == PAGE
    assert comparison_frame(comparison).rows() == [
        ("small", "a", "x", "1.0", "1", "yes"),
        ("small", "a", "y", "-2%", "+2%", "no"),
        ("small", "b", "x", None, "7", None),
    ]


@pytest.fixture(scope="module")
def weighed(evidence):
    return facts_of(evidence / "discrepancies.csv")


def test_claims_that_do_not_hold_or_hold_under_one_reading_are_known(weighed):
    assert {claim["id"] for claim in weighed if claim["verdict"] == FAILS} == FAILING
    assert len(weighed) >= 70
    sources = ("Gür 2025", "Kooi 2005", "No strategy is best", "Cotta et al. 2010", "AM207 project")
    assert {claim["source"] for claim in weighed} == {*sources}
    (claim,) = (claim for claim in weighed if claim["id"] == "gur-highest-turn")
    assert (claim["verdict"], claim["reading"]) == (HOLDS_READ, "root mean square")
    assert claim["otherwise"].endswith("largest single deviation: turn 4 (does not hold)")
    read = {claim["id"]: claim["otherwise"] for claim in weighed if claim["verdict"] == HOLDS_READ}
    assert {"gur-efficiency", "gur-smallest-subgroups"} <= {*read}
    assert read["gur-smallest-subgroups"].endswith(": 2.9 (does not hold)")
    others = {claim["id"] for claim in weighed if claim["verdict"] == HOLDS_OTHER}
    assert others == {
        *("am207-certain", "am207-even", "frontier-three", "kooi-table-10-entropy"),
    }
    undecided = {claim["id"] for claim in weighed if claim["verdict"] == OPEN}
    assert {"gur-precomputation", "kooi-entropy-base"} <= undecided


@pytest.mark.parametrize("source", tomllib.loads(claims.CLAIMS.read_text("utf-8"))["sources"])
def test_every_section_has_claims_or_a_reason_why_not(source):
    claimed = {name for claim in source["claims"] for name in claim["place"].split(" and ")}
    assert claimed <= {*source["sections"]}
    for section, text in source["sections"].items():
        reason, _, words = text.partition(": ")
        assert reason in ("", "nothing to compute")
        assert bool(reason) == bool(words)
        assert (section in claimed) == (reason == "")
    assert {left_out["place"] for left_out in source["left_out"]} <= {*source["sections"]}
    assert all(left_out["sentence"] and left_out["why"] for left_out in source["left_out"])


def test_every_verdict_is_reached_again_by_other_code(weighed, evidence):
    check = check_claims.check
    check_claims.shown(evidence / "discrepancies.csv", {})
    for claim in weighed:
        check(claim, evidence)
    total = next(claim for claim in weighed if claim["id"] == "gur-fixed-mean")
    for change, reason in CHANGES:
        with pytest.raises(ValueError, match=reason):
            check(total | change, evidence)
    cut = {"claimed": "4.3564…", "verdict": HOLDS_READ, "reading": "cut off"}
    check(total | cut, evidence)
    check(total | {"claimed": ">= 4", "statement": "The mean is at least 4."}, evidence)
    ours = {"claimed": "> 4", "test": "a mean above 4", "refuted_by": "a mean of 4"}
    check(total | ours, evidence)
    with pytest.raises(ValueError, match="it is a test of ours"):
        check(total | {"claimed": "> 4", "statement": "It is more than it was."}, evidence)


def test_comparisons_of_texts_have_no_value(weighed, evidence):
    texts = {claim["id"]: claim for claim in weighed if claim["program"]}
    assert {claim["verdict"] for claim in texts.values()} == {ALIKE, UNLIKE}
    assert not any(claim["computed"] or claim["file"] for claim in texts.values())
    claim = texts["gur-program-selection"]
    assert claim["verdict"] == UNLIKE
    for key in ("computed", "file", "query", "program", "lines", "verdict"):
        changed = claim | {key: "" if key in ("program", "lines") else ALIKE}
        with pytest.raises(ValueError, match="it compares texts"):
            check_claims.check(changed, evidence)


def test_examples_of_the_texts_are_those_of_their_definitions(evidence):
    values = {
        (row["quantity"], row["of"]): float(row["value"])
        for row in facts_of(evidence / "tables" / "source-quantities.csv")
    }
    secret, guess = Counter("AABB"), Counter("BBAB")
    black = sum(one == other for one, other in zip("AABB", "BBAB", strict=True))
    answer = "pegs of the answer to BBAB for the secret AABB"
    assert values[answer, "right places"] == black
    assert values[answer, "right colours elsewhere"] == (secret & guess).total() - black
    assert 2 ** values["questions that find one of 8 cards", "all"] == 8
    # Two candidates are always told apart, so some guesses make equal parts, of a secret each.
    even = "guesses of entropy whose parts are equal over"
    assert values[even, "kinds that occur"] > values[even, "all kinds of feedback"]


PRINTED = [
    ("4.3565", "4.356481", "4.3565", True),
    ("4.3565", "4.356551", "4.3566", False),
    ("4.5", "4.45", "4.5", True),
    ("50,000", "50000", "50,000", True),
    ("+16%", "15.6", "+16%", True),
    ("−23%", "+23%", "+23%", False),
    ("< 0.2%", "0.196", "0.196%", True),
    ("< 0.2%", "0.2", "0.200%", False),
    (">= 8", "8", "8", True),
    ("1123", "1123", "1123", True),
    ("turn 6", "turn 4", "turn 4", False),
    ("about 5.0", "4.6435", "4.644", False),
    ("about 4.5", "4.4", "4.400", True),
    ("about 91", "92.57", "92.57", False),
    ("511.9…", "511.9799", "511.980", True),
    ("511.9…", "512", "512.0", False),
    ("511.9…", "511.89", "511.890", False),
    ("16/3", "5", "5", False),
    ("5e0", "5", "5", False),
    ("٥", "5", "5", False),
    ("5", "٥", "٥", False),
    ("1,2", "12", "12", False),
    (">5", "6", "6", False),
    ("0123", "0123", "0123", True),
    ("123", "0123", "0123", False),
    ("5...", "5", "5", False),
]


@pytest.mark.parametrize(("claimed", "value", "shown", "holds"), PRINTED)
def test_a_value_is_compared_as_it_is_printed(claimed, value, shown, holds):
    assert agrees(claimed, value) is holds
    assert shaped(claimed, value) == shown


@pytest.mark.parametrize("name", STRATEGY_CHARTS)
def test_charts_show_the_tables_strategies_by_name(name, table, tmp_path):
    """The data of a chart are rows of the table; their names and the title are drawn as text."""
    save(STRATEGY_CHARTS[name](table), tmp_path / name, 1.0)
    chart = json.loads((tmp_path / f"{name}.json").read_text(encoding="utf-8"))
    shown = [row for rows in chart["datasets"].values() for row in rows if row.get("tree")]
    assert len({row["tree"] for row in shown}) > 1
    totals = set(table.select("tree", "total_guesses", "max_guesses").rows())
    assert {(row["tree"], row["total_guesses"], row["max_guesses"]) for row in shown} <= totals
    svg = (tmp_path / f"{name}.svg").read_text(encoding="utf-8")
    texts = {html.unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)<", svg)}
    assert {chart["title"]["text"], *(row["name"] for row in shown)} <= texts
    png = (tmp_path / f"{name}.png").read_bytes()
    width, height = struct.unpack(">II", png[16:24])
    assert f'width="{width}" height="{height}"' in svg
