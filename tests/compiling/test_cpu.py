"""The cache of compiled code."""

import importlib
import inspect
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
from codebreaker.cli.options import notation_with_files
from codebreaker.compiling.cpu import njit
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


SEARCHES = """
import codebreaker as cb
from codebreaker.policies.strategy import Strategy
from codebreaker.runtime import progress
from codebreaker.search.rollout import roll_out
from codebreaker.search.settings import Rollout

compiled = []
progress.tell_of_compiling = compiled.append
game = cb.game("mm-3-3")
likely = game.weighted({code: 1 + (code > "2") for code in game.secrets})
plan = Rollout(Strategy("entropy", endgames=4), (2,), exact=4)
solved = [cb.solve(each, time_limit_s=1000) for each in (game, likely)]  # it compiles, too
print(*solved, roll_out(game.model, plan).profile)
print(compiled)
"""


def test_all_searches_are_loaded_by_other_processes():
    answers = []
    for _ in range(2):
        run = python("-c", SEARCHES)
        assert run.returncode == 0, run.stderr
        *answer, compiled = run.stdout.splitlines()
        answers.append(answer)
    assert answers[0] == answers[1] != []
    assert compiled == "[]"


STEPS = """
from codebreaker.compiling.cpu import njit


@njit
def by_number(n):
    return n


@njit
def by_square(n):
    return n * n
"""

FACTORY = """
import json
import sys

from codebreaker.compiling.cpu import njit
from steps import by_number, by_square


def summing(name, step):
    @njit(variant=name)
    def total(n):
        return 0 if n == 0 else step(n) + total(n - 1)

    return total


number = summing("number", by_number)
square = summing("square", by_square)


@njit
def both(n):
    return 1000 * number(n) + square(n)


totals = [globals()[name] for name in sys.argv[1:]]
answers = [total(4) for total in totals]
print(json.dumps([answers, [sum(total.stats.cache_misses.values()) for total in totals]]))
"""


def test_variants_of_a_function_are_cached_apart_until_a_step_changes(tmp_path):
    script = tmp_path / "factory.py"
    script.write_text(FACTORY, encoding="utf-8")
    steps = tmp_path / "steps.py"
    steps.write_text(STEPS, encoding="utf-8")

    def answers_and_misses(*names):
        cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
        return json.loads(python(script, *names, environment=cache, check=True).stdout)

    # Each variant is compiled by a process of its own, in which it has the same number.
    assert answers_and_misses("number") == [[10], [1]]
    assert answers_and_misses("square") == [[30], [1]]
    assert answers_and_misses("both") == [[10_030], [1]]
    assert answers_and_misses("both", "number", "square") == [[10_030, 10, 30], [0, 0, 0]]
    steps.write_text(STEPS.replace("n * n", "n * n * n"), encoding="utf-8")
    assert answers_and_misses("number", "square")[0] == [10, 100]


def test_a_variant_needs_a_name():
    step = njit(lambda n: n)
    with pytest.raises(ValueError, match="name its variant"):
        njit(lambda n: step(n) + 1)


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
from codebreaker.cli.options import notation_with_files as notation_of
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
        notation = notation_with_files(name)
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
    """Return the compiled functions of a module, also those that its factories made."""
    named = vars(module).values()
    return {
        each
        for each in named
        if isinstance(each, Dispatcher) and each.__module__ == module.__name__
    }


def circle_of(functions):
    """Return the names of functions that call each other in a circle, inlined ones left out."""
    calls = {}
    pending = [*functions]
    while pending:
        function = pending.pop()
        if function not in calls:
            calls[function] = {*called_by(function)} - {function}
            pending += calls[function]
    try:
        TopologicalSorter(calls).prepare()
    except CycleError as why:
        return [function.__name__ for function in why.args[1]]
    return []


def called_by(function):
    """Yield the compiled functions that a function calls, also by way of inlined ones."""
    variables = inspect.getclosurevars(function.py_func)
    for called in (*variables.globals.values(), *variables.nonlocals.values()):
        if not isinstance(called, Dispatcher):
            continue
        if called.targetoptions.get("inline") == "always":
            yield from called_by(called)
        else:
            yield called


@pytest.mark.parametrize("name", KERNELS, ids=lambda name: name.removeprefix("codebreaker."))
def test_no_kernels_call_each_other_in_a_circle(name):
    assert circle_of(compiled_in(importlib.import_module(name))) == []


@numba.njit
def is_even(n):
    return n == 0 or is_odd(n - 1)


@numba.njit
def is_odd(n):
    return n != 0 and is_even(n - 1)


def test_circles_are_found():
    assert circle_of({is_even}) in (
        ["is_even", "is_odd", "is_even"],
        ["is_odd", "is_even", "is_odd"],
    )

    def even_and_odd():
        even = numba.njit(lambda n: n == 0 or odd(n - 1))
        odd = numba.njit(lambda n: n != 0 and even(n - 1))
        return {even, odd}

    assert len(circle_of(even_and_odd())) == 3
