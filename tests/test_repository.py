"""The files around the code: citation, CI, and the picture of the rules."""

import json
import re
import runpy

import yaml
from conftest import ROOT
from test_packaging import settings

from codebreaker.files import DATA
from codebreaker.players.registry import PLAYERS
from codebreaker.policies.criteria import CRITERIA
from codebreaker.report.claims import read_claims


def read_yaml(name):
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


CITATION = read_yaml("CITATION.cff")
PROJECT = settings()["project"]


def sources():
    yield from sorted({claim.source for claim in read_claims()})
    for path in sorted((DATA / "weights").glob("*.json")):
        yield json.loads(path.read_text(encoding="utf-8"))["source"]
    for entry in (*CRITERIA.values(), *PLAYERS.values()):
        yield from entry.citation.split(";")


def test_the_citation_has_the_version_and_the_keywords_of_the_package():
    assert (CITATION["version"], CITATION["license"]) == (PROJECT["version"], PROJECT["license"])
    assert CITATION["keywords"] == PROJECT["keywords"]


def test_every_source_is_among_the_references():
    known = ["codebreaker", *(work["abbreviation"] for work in CITATION["references"])]
    cited = list(sources())
    assert [source for source in cited if not any(name in source for name in known)] == []
    for path in (DATA / "published").glob("*-*.csv"):
        author, year = path.stem.split("-")[:2]
        names = [name.lower().replace("ü", "u") for name in known]
        assert any(name.startswith(author) and name.endswith(year) for name in names), path.name


def test_the_picture_shows_all_rules():
    drawn = (ROOT / "images" / "rulegraph.svg").read_text(encoding="utf-8")
    rulegraph = runpy.run_path(str(ROOT / "tools" / "draw_rules.py"))["rulegraph"]()
    rules = set(re.findall(r'label = "(\w+)"', rulegraph)) - {"all"}
    assert set(re.findall(r"<text[^>]*>(\w+)</text>", drawn)) == rules


def test_ci_runs_targets_that_exist_on_all_supported_pythons():
    jobs = read_yaml(".github/workflows/ci.yaml")["jobs"]["make"]["strategy"]["matrix"]["include"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert {job["target"] for job in jobs} == {"check", "test", "smoke", "site-docs"}
    assert all(f"\n{job['target']}:" in makefile for job in jobs)
    assert f">={min(job['python'] for job in jobs)}" == PROJECT["requires-python"]
