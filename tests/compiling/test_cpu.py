"""The cache of compiled code."""

import importlib
import json
import pkgutil
from graphlib import CycleError, TopologicalSorter

import numba
import pytest
from conftest import python
from numba.core.dispatcher import Dispatcher

import codebreaker
from codebreaker.advice.assistant import assistant_for
from codebreaker.advice.regret import OptimalValues
from codebreaker.cli.options import notation_of
from codebreaker.policies.strategy import Strategy
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import grow

KERNELS = [
    name
    for _, name, _ in pkgutil.walk_packages(codebreaker.__path__, "codebreaker.")
    if ".kernels." in name and not name.endswith("_cuda")
]

RECURSIVE = """
import json
import sys

from codebreaker.runtime import progress
from codebreaker.compiling.cpu import njit

told = []
progress.tell_of_compiling = told.append


@njit
def steps(n):
    return 0 if n == 1 else 1 + steps(n // 2 if n % 2 == 0 else 3 * n + 1)


@njit
def steps_after(n):
    return steps(3 * n + 1)


asked = [steps] + [steps_after] * ("after" in sys.argv)
answers = [function(27) for function in asked]
hits = [sum(function.stats.cache_hits.values()) for function in asked]
misses = [sum(function.stats.cache_misses.values()) for function in asked]
print(json.dumps([answers, hits, misses, told]))
"""


def answers_of(folder, *words):
    script = folder / "recursive.py"
    script.write_text(RECURSIVE, encoding="utf-8")
    cache = {"NUMBA_CACHE_DIR": str(folder / "cache")}
    return json.loads(python(script, *words, environment=cache, check=True).stdout)


def test_recursive_code_is_loaded_by_other_processes_and_compiling_is_told(tmp_path):
    assert answers_of(tmp_path) == [[111], [0], [1], [True, False]]
    assert answers_of(tmp_path, "after") == [[111, 110], [1, 0], [0, 1], [True, False]]
    assert answers_of(tmp_path, "after") == [[111, 110], [1, 1], [0, 0], []]


SPECIALISED = """
import codebreaker as cb
from codebreaker.policies.strategy import Strategy
from codebreaker.search.rollout import roll_out
from codebreaker.search.settings import Rollout

game = cb.game("mm-3-3")
likely = game.weighted({code: 1 + (code > "2") for code in game.secrets})
plan = Rollout(Strategy("entropy", endgames=4), (2,), exact=4)
solved = [cb.solve(one, time_limit_s=1000) for one in (game, likely)]  # it compiles, too
print(*solved, roll_out(game.model, plan).profile)
"""


def test_specialised_kernels_are_loaded_by_other_processes():
    runs = [python("-c", SPECIALISED) for _ in range(2)]
    assert [run.returncode for run in runs] == [0, 0], runs[-1].stderr
    assert runs[0].stdout == runs[1].stdout != ""


SUGGESTED = [
    ("mm-3-8", None, ["887:0,1"]),
    ("mm-4-6", None, ["1212:1,1"]),
    ("mm-4-6", None, ["1123:1,1", "1212:0,2"]),
    ("mm-4-6", "entropy", ["1212:1,1"]),
    ("bc-3-6", "optimal", ["012:0,1"]),
    ("marks-five", "most-parts", ["raise:bybbb"]),
]
WITHOUT_COMPILING = f"""
from codebreaker.advice.assistant import assistant_for, devious_answer
from codebreaker.cli.options import notation_of
from codebreaker.runtime import progress

progress.tell_of_compiling = print
for name, policy, moves in {SUGGESTED}:
    notation = notation_of(name)
    advice = assistant_for(notation, policy, cached=True).suggest(notation.moves(moves))
    print(advice.tree.total_guesses)
    devious_answer(notation.game, notation.moves(moves), advice.guess)
"""


def test_small_sets_are_played_without_compiling(tmp_path):
    cache = {"NUMBA_CACHE_DIR": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    printed = python("-c", WITHOUT_COMPILING, environment=cache, check=True)
    for line, (name, policy, moves) in zip(printed.stdout.splitlines(), SUGGESTED, strict=True):
        notation = notation_of(name)
        game = notation.game
        history = notation.moves(moves)
        members = assistant_for(notation).candidates(history)[-1]
        if policy in (None, "optimal"):
            assert int(line) == OptimalValues(game).total(members)
        else:
            start = Frontier.of_set(members, len(moves) + 1, history[-1][1])
            assert int(line) == grow(game, Strategy(policy), start=start).total_guesses


INTERRUPTED = """
import signal

from codebreaker.runtime import progress
from codebreaker.compiling.cpu import njit


def interrupt(begins):
    if begins:
        signal.raise_signal(signal.SIGINT)
        print("goes on")


@njit
def double(number):
    return 2 * number


@njit
def double_again(number):
    return 2 * double(number)


progress.tell_of_compiling = interrupt
try:
    double_again(21)
except KeyboardInterrupt:
    print("interrupted")
progress.tell_of_compiling = None
print(double_again(21), double_again(0.5), double(1j))
signal.raise_signal(signal.SIGINT)
"""


def test_ctrl_c_waits_for_the_compiler(tmp_path):
    script = tmp_path / "interrupted.py"
    script.write_text(INTERRUPTED, encoding="utf-8")
    for events in (["goes on", "interrupted"], []):  # compiled, then loaded from the cache
        run = python(script, environment={"NUMBA_CACHE_DIR": str(tmp_path / "cache")})
        assert run.stdout.splitlines() == [*events, "84 2.0 2j"]
        assert run.stderr.splitlines()[-1] == "KeyboardInterrupt"


def compiled_in(module):
    every = {
        name: function
        for name, function in vars(module).items()
        if isinstance(function, Dispatcher)
    }
    return {
        name: function for name, function in every.items() if function.__module__ == module.__name__
    }


def circle_of(functions):
    """Return a circle of compiled functions that call each other, or nothing.

    Functions that are inlined stand for what they call.
    """

    def called_by(function):
        for name in {*function.py_func.__code__.co_names} & {*functions}:
            if functions[name].targetoptions.get("inline") == "always":
                yield from called_by(functions[name])
            else:
                yield name

    calls = {name: {*called_by(function)} - {name} for name, function in functions.items()}
    try:
        TopologicalSorter(calls).prepare()
    except CycleError as error:
        return error.args[1]
    return []


@pytest.mark.parametrize("name", KERNELS, ids=lambda name: name.removeprefix("codebreaker."))
def test_no_kernels_call_each_other_in_a_circle(name):
    assert circle_of(compiled_in(importlib.import_module(name))) == []


def test_circles_are_found():
    circle = {"one": numba.njit(lambda n: two(n)), "two": numba.njit(lambda n: one(n))}  # noqa: F821
    assert circle_of(circle) == ["one", "two", "one"]
