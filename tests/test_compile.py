"""Compiled code is kept between processes, that of functions that call themselves too."""

import ast
import json
import os
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from codebreaker import kernels

SOURCES = sorted(Path(kernels.__file__).parent.glob("*.py"))

ASK = """
import json
import sys

from codebreaker.exact.cost import CostToGo
from codebreaker.games import make_game
from codebreaker.kernels import random_consistent, search
from codebreaker.partition import all_secrets
from codebreaker.players.random_consistent import expected_profile

game = make_game("mm-3-4")
cost, secrets = CostToGo(game, memo_mib=1), all_secrets(game)
answers = {"best": cost.best(secrets), "profile": expected_profile(game, 1).tolist()}
asked = [search.least_total, search.slot_of, random_consistent.follow]
if "after" in sys.argv:
    answers["after"] = cost.after(1, secrets, 1, search.INFEASIBLE)
    asked.append(search.total_after)
hits = [sum(function.stats.cache_hits.values()) for function in asked]
misses = [sum(function.stats.cache_misses.values()) for function in asked]
print(json.dumps([answers, hits, misses]))
"""


def _ask(folder, *words):
    """Let a process compute with compiled code of a folder of its own."""
    run = subprocess.run(
        [sys.executable, "-c", ASK, *words],
        env=os.environ | {"NUMBA_CACHE_DIR": str(folder)},
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    return json.loads(run.stdout)


def test_recursive_code_is_loaded_by_other_processes(tmp_path):
    """The second process compiles one caller more, against the code of the first."""
    first, hits, misses = _ask(tmp_path)
    assert (hits, misses) == ([0, 0, 0], [1, 1, 1])
    second, hits, misses = _ask(tmp_path, "after")
    assert (hits, misses) == ([1, 1, 1, 0], [0, 0, 0, 1])
    third, hits, misses = _ask(tmp_path, "after")
    assert (hits, misses) == ([1, 1, 1, 1], [0, 0, 0, 0])
    assert second == third == first | {"after": third["after"]}
    assert third["after"] >= third["best"][0] == 206


def _circle(text):
    """Return a circle of compiled functions of a module that call each other, or nothing."""
    functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    calls = {
        function.name: {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
        for function in functions
    }
    for function in functions:
        if any("inline='always'" in ast.unparse(how) for how in function.decorator_list):
            inner = calls.pop(function.name)
            for caller, called in calls.items():
                if function.name in called:
                    calls[caller] = (called | inner) - {function.name}
    try:
        TopologicalSorter({name: called - {name} for name, called in calls.items()}).prepare()
    except CycleError as why:
        return why.args[1]
    return []


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_no_kernels_call_each_other_in_a_circle(path):
    assert _circle(path.read_text(encoding="utf-8")) == []


def test_circles_are_found():
    circle = "@njit\ndef one(n):\n    return two(n)\n@njit{}\ndef two(n):\n    return one(n)\n"
    assert _circle(circle.format("")) == ["one", "two", "one"]
    assert _circle(circle.format("(inline='always')")) == []
