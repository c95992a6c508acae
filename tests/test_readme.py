"""The README says what the computation says."""

import runpy

import polars as pl
from conftest import ROOT

from codebreaker.report.claims import ABSENT
from codebreaker.report.guide import guide

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_table_is_the_recorded_one():
    tool = runpy.run_path(str(ROOT / "tools" / "update_readme.py"))
    written = tool["best_table_of"](pl.read_csv(ROOT / "resources/best-known/best-known.csv"))
    assert len(written.splitlines()) == 8
    assert written in README


def test_the_readme_can_be_read_at_once():
    assert len(README.split()) <= 1000


def test_the_guide_to_the_results_is_the_computed_one(table, evidence):
    claims = pl.read_csv(evidence / "discrepancies.csv", infer_schema=False)
    text = guide(table, claims)
    committed = (ROOT / "results" / "README.md").read_text(encoding="utf-8")
    assert sum(text.count(f"\n| {game} |") for game in set(table["game"])) == table.height
    assert ABSENT not in committed, "the default study decides all claims"
    for line in text.splitlines():
        assert line in committed or "statements of the sources" in line or ABSENT in line


def test_linked_files_exist():
    for link in README.split("](")[1:]:
        target = link.split(")")[0]
        if not target.startswith("http"):
            assert (ROOT / target).exists(), target


def test_commands_name_make_targets_and_rules_that_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for line in README.splitlines():
        if line.startswith("$ make"):
            target = line.split("#")[0].split()[1:][1:] or ["all"]
            assert f"\n{target[0]}:" in makefile
