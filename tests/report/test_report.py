"""Tables, claims and figures."""

import polars as pl
import pytest
from conftest import RULES_OF_CLAIMS

from codebreaker.report.charts.strategies import FIGURES
from codebreaker.report.charts.style import save
from codebreaker.report.tables.comparison import (
    FOLDER,
    Comparison,
    Published,
    to_frame,
    to_markdown,
)
from codebreaker.report.tables.discrepancies import CHECKS, discrepancies


def test_every_published_table_is_computed(tables):
    files = {path.stem for path in FOLDER.glob("*-table-*.csv")}
    assert files == set(tables)
    assert len(files) == 15


DIFFERENCES = {
    "kooi-2005-table-04": {("AAAA", "expected size")},
    "kooi-2005-table-10": {
        *(("Worst case", turn) for turn in "2456"),
        *(("Expected size", turn) for turn in "345"),
        *(("Most parts", turn) for turn in "356"),
    },
    "gur-2025-table-3": {
        ("0B-0C", "turn 2 deviation"),
        ("0B-0C", "turn 3 deviation"),
        ("0B-2C", "turn 1 deviation"),
    },
    "gur-2025-table-4": {("Optimal", "maximum")},
}


def test_the_sources_are_wrong_where_we_found_them_so_and_nowhere_else(tables):
    found = {name: set(one.differences) for name, one in tables.items() if one.differences}
    assert found == DIFFERENCES


def test_nothing_is_left_out(tables):
    assert [name for name, one in tables.items() if not {*one.published} <= {*one.computed}] == []


def small():
    """A table of two cells, one of which differs, with a third that is only computed."""
    source = Published("row", ("a",), ("x", "y"), {("a", "x"): "1.0", ("a", "y"): "-2%"})
    computed = {("a", "x"): "1", ("a", "y"): "+2%", ("b", "x"): "7"}
    return Comparison("small", "A title", source, computed, ("A note.",))


def test_markdown_marks_what_differs():
    assert to_markdown(small()).splitlines() == [
        "# A title",
        "",
        "| row | x | y |",
        "| --- | --- | --- |",
        "| a | 1 | **+2%** (published -2%) |",
        "| b | *7* |  |",
        "",
        "1 of 2 published cells agree with the computation; "
        "1 cells in italics are not in the source.",
        "- A note.",
    ]


def test_frames_say_what_agrees():
    assert to_frame(small()).rows() == [
        ("small", "a", "x", "1.0", "1", "yes"),
        ("small", "a", "y", "-2%", "+2%", "no"),
        ("small", "b", "x", None, "7", None),
    ]


def test_every_claim_is_checked(evidence):
    claims = pl.read_csv(FOLDER / "claims.csv", infer_schema=False)
    assert claims["id"].to_list() == list(CHECKS)
    rules = {kind: f"rule-of-{kind}" for kind in RULES_OF_CLAIMS}
    found = discrepancies(evidence, rules)
    assert set(found["rule"]) == set(rules.values())
    assert found.height == claims.height
    verdicts = dict(zip(claims["id"], found["verdict"], strict=True))
    assert [name for name, verdict in verdicts.items() if verdict == "holds"] == [
        "gur-fixed",
        "gur-stage",
        "gur-opening",
        "gur-mean-0b-2c",
        "kooi-table-10-kept",
        "kooi-irving",
    ]


@pytest.mark.parametrize("name", FIGURES)
def test_figures_are_drawn_and_need_no_network(name, table, tmp_path):
    save(FIGURES[name](table), tmp_path / name, 1.0)
    assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / f"{name}.svg").read_text(encoding="utf-8")
    page = (tmp_path / f"{name}.html").read_text(encoding="utf-8")
    assert "<script src=" not in page
    assert '<link rel="stylesheet" href="http' not in page
