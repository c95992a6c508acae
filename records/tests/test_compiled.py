"""The package's loops are compiled once, and again after a change of what they use."""

import doctest
from importlib import import_module

import pytest
from conftest import HERE, python
from test_cpu import circle_of, compiled_in

from codebreaker_records import black_pegs

ROLL_OUT = """
from numba.core.event import Listener, register

import codebreaker as cb
from codebreaker.policies.strategy import Strategy
from codebreaker_records.rollout import roll_out
from codebreaker_records.settings import Rollout


class Compiled(Listener):
    def on_start(self, event):
        compiled.append(event.data["dispatcher"].py_func.__name__)

    def on_end(self, event):
        pass


compiled = []
register("numba:compile", Compiled())
plan = Rollout(Strategy("entropy", endgames=4), (2,), exact=4)
print(roll_out(cb.game("mm-3-3")._model, plan).profile)
print(compiled)
"""


def test_rollouts_are_loaded_by_other_processes():
    answers = []
    for _ in range(2):
        run = python("-c", ROLL_OUT)
        assert run.returncode == 0, run.stderr
        answer, compiled = run.stdout.splitlines()
        answers.append(answer)
    assert answers[0] == answers[1]
    assert compiled == "[]"


DIGESTS = """
from pathlib import Path

import codebreaker_records
from codebreaker.runtime.sources import digests_of

print(*digests_of(Path("SCRIPT")))
"""


def test_a_scripts_digests_cover_the_modules_of_both_packages():
    script = HERE / "workflow" / "scripts" / "roll_out.py"
    run = python("-c", DIGESTS.replace("SCRIPT", str(script)))
    assert run.returncode == 0, run.stderr
    names = set(run.stdout.split())
    assert {"roll_out.py", "trees/grow.py", "search/kernels/recursion.py"} <= names
    kernels = {"kernels/rollout.py", "kernels/rollout_game.py", "rollout.py", "revise.py"}
    assert {f"codebreaker_records/{name}" for name in kernels} <= names
    assert "codebreaker_records/black_pegs.py" not in names


@pytest.mark.parametrize("name", ["black_pegs", "rollout", "rollout_game"])
def test_no_kernels_call_each_other_in_a_circle(name):
    kernels = compiled_in(import_module(f"codebreaker_records.kernels.{name}"))
    assert len(kernels) > 1
    assert circle_of(kernels) == []


def test_examples_of_docstrings():
    failed, tried = doctest.testmod(black_pegs)
    assert tried > 0
    assert failed == 0
