"""Configurations drawn from the schema: planned, or refused in one line, at once and in bounds."""

import json
import math
import sys
from functools import partial
from itertools import pairwise

import pytest
from conftest import ROOT
from outcomes import REFUSED, command, full_only, is_one_line, times, tried

from codebreaker.players.registry import PLAYERS
from codebreaker.study.config import schema
from codebreaker.study.load import load_study

DRAWN = times(20_000, 200)
PROCESSES = times(4, 1)

EXTREMES = [0, -1, 10**9, 10**400, 5e-324, 1e308, -1e308, math.inf, -math.inf, math.nan]
"""What every number of a configuration is set to in turn."""

STUDY = {
    "strategies": {"mm-3-4": [{"policy": "entropy"}]},
    "optimise": {"models": {"mm-3-4": {"m": {"turns": 3, "generations": 10, "seeds": [0]}}}},
    "exact": {"games": {"mm-3-4": [{}]}},
    "guided": {
        "models": {"mm-4-6": {"g": {"opening": "1123"}}},
        "bounds": {"mm-4-6": {"b": {"opening": "1123", "budget": 1}}},
    },
    "players": {
        "contests": {
            "c": {"game": "mm-4-6", "opening": "1123", "players": list(PLAYERS)},
        },
        "methods": {"t": {"game": "mm-4-6", "opening": "1123", "players": [{"player": "EvoRank"}]}},
    },
    "pareto": {"mm-3-4": {"openings": ["123"]}},
    "transfer": {
        "models": {
            "j": {"games": ["mm-4-2", "mm-4-3"], "turns": 1, "opening": "1122", "generations": 1}
        }
    },
}
"""A small study with an entry in every section."""


def numeric_keys(node, known, path=()):
    """The paths of all numeric keys of a schema, through the entries of the study above."""
    node = known[node["$ref"].rpartition("/")[2]] if "$ref" in node else node
    kinds = [one.get("type") for one in (node, *node.get("anyOf", ()))]
    if {"integer", "number"} & set(kinds):
        yield path
    for one in node.get("anyOf", ()):
        if "$ref" in one or one.get("type") in ("object", "array"):
            yield from numeric_keys(one, known, path)
    for name, below in node.get("properties", {}).items():
        yield from numeric_keys(below, known, (*path, name))
    if isinstance(below := node.get("additionalProperties"), dict):
        yield from numeric_keys(below, known, (*path, "*"))
    if "items" in node:
        yield from numeric_keys(node["items"], known, (*path, 0))


def with_number(path, number):
    """The study above with a number at a path; `*` is the first entry there."""
    data = json.loads(json.dumps(STUDY))
    here = data
    for part, following in pairwise(path):
        if part == "*":
            part = next(iter(here), "m")
        if isinstance(here, list):
            here[:] = here or [{}]
            here = here[0]
            continue
        if following == 0 and not isinstance(here.get(part), list):
            here[part] = []
        here = here.setdefault(part, {})
    last = path[-1]
    if last == 0:
        here[:] = [number]
    else:
        here[next(iter(here), "m") if last == "*" else last] = number
    return data


def with_options(options):
    """The study above with options of players."""
    data = json.loads(json.dumps(STUDY))
    data["players"]["contests"]["c"]["options"] = options
    return data


def test_every_number_at_its_extremes():
    root = schema()
    paths = sorted(set(numeric_keys(root, root["$defs"])), key=str)
    options = {(name, one) for name, player in PLAYERS.items() for one in player.options}
    assert len(paths) > 60
    assert len(options) > 5
    with tried("configurations", "numeric keys at extremes") as outcomes:
        for number in EXTREMES:
            studies = {path: with_number(path, number) for path in paths}
            studies |= {one: with_options({one[0]: {one[1]: number}}) for one in options}
            for path, data in studies.items():
                load = partial(load_study, data, ROOT)
                outcomes.read(lambda load=load: bool(load()), True, (path, number), "planned")


def drawn(number, seed, *folder):
    """What comes out of studies that are drawn in a process of its own, with its memory."""
    program = (sys.executable, ROOT / "tests/faults/draw_studies.py")
    run = command(str(number), str(seed), *folder, program=program, timeout=1200)
    assert run.returncode == 0, run.stderr[-3000:]
    return json.loads(run.stdout)


@pytest.mark.parametrize("part", range(PROCESSES))
def test_studies_drawn_from_the_schema(part):
    found = drawn(DRAWN // PROCESSES, part)
    with tried("configurations", f"drawn from the schema ({part + 1})") as outcomes:
        outcomes.update(found["outcomes"])
        outcomes.details.extend(found["details"])


def planned(folder, path):
    """A dry run of a study from a file."""
    options = ["--dry-run", "--quiet", "all", "--cores", "1", "--directory", folder]
    return command("snakemake", *options, "--configfile", path, cwd=ROOT)


@full_only
def test_accepted_studies_are_planned_by_snakemake(tmp_path):
    """A dry run of drawn studies that the package accepts."""
    drawn(400, 99, tmp_path)
    with tried("configurations", "accepted ones, planned by Snakemake") as outcomes:
        for path in sorted(tmp_path.glob("*.yaml"))[:25]:
            run = planned(tmp_path, path)
            lines = (run.stdout + run.stderr).splitlines()
            told = [line for line in lines if line.startswith("error: ")]
            good = run.returncode == 0 or (len(told) == 1 and is_one_line(told[0]))
            name = "planned" if run.returncode == 0 else REFUSED
            outcomes.add(name, good, lines[-8:], path.read_text())


@full_only
def test_nothing_recursive_or_repeated_is_read(tmp_path):
    """YAML that a reader would take in silence; tests/study has each with its words."""
    texts = ["a: &a [*a]", "strategies: {}\nstrategies: {}", "? {a: 1}\n: 2"]
    texts += ["!!python/name:os.system x"]
    with tried("configurations", "recursion, repetition and tags in YAML") as outcomes:
        for number, text in enumerate(texts):
            path = tmp_path / f"{number}.yaml"
            path.write_text(text)
            run = planned(tmp_path, path)
            said = run.stdout + run.stderr
            good = run.returncode != 0 and "error" in said.lower() and "Traceback" not in said
            outcomes.add(REFUSED, good, said)
