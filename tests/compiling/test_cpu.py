"""The cache of compiled code."""

import importlib
import inspect
import json
import pkgutil
import re
from graphlib import CycleError, TopologicalSorter

import numba
import pytest
from conftest import python
from numba.core.dispatcher import Dispatcher

import codebreaker
from codebreaker.advice.regret import OptimalValues
from codebreaker.advice.resolve import resolve
from codebreaker.cli.options import notation_with_files
from codebreaker.compiling import cpu
from codebreaker.compiling.cpu import njit
from codebreaker.policies.strategy import Strategy
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import grow

KERNELS = [
    name
    for _, name, _ in pkgutil.walk_packages(codebreaker.__path__, "codebreaker.")
    if ".kernels." in name and not name.endswith("_cuda")
]

LISTENER = """
from numba.core.event import Listener, register


class Compiled(Listener):
    '''Calls a function when Numba begins to compile a function for the caller.'''

    def __init__(self, tell):
        self.depth = 0
        self.tell = tell

    def on_start(self, event):
        if self.depth == 0:
            self.tell(event.data["dispatcher"].py_func.__name__)
        self.depth += 1

    def on_end(self, event):
        self.depth -= 1
"""

RECURSIVE = f"""
import json
import sys
{LISTENER}
from codebreaker.compiling.cpu import njit

told = []
register("numba:compile", Compiled(told.append))


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
    run = python(script, *words, environment=cache, check=True)
    assert run.stderr == ""  # only the package's own functions are announced
    return json.loads(run.stdout)


@pytest.mark.slow
def test_recursive_code_is_loaded_by_other_processes(tmp_path):
    assert answers_of(tmp_path) == [[111], [0], [1], ["steps"]]
    assert answers_of(tmp_path, "after") == [[111, 110], [1, 0], [0, 1], ["steps_after"]]
    assert answers_of(tmp_path, "after") == [[111, 110], [1, 1], [0, 0], []]


SEARCHES = f"""
import codebreaker as cb
{LISTENER}
from codebreaker.search.solver import Solver
from codebreaker.search.weighted import WeightedSearch

compiled = []
register("numba:compile", Compiled(compiled.append))
game = cb.game("mm-3-3")
likely = game.weighted({{code: 1 + (code > "2") for code in game.secrets}})._model
solved = Solver(game._model).solve(), WeightedSearch(likely, likely.prior)
print(solved[0].cost, solved[1].minimum())
print(compiled)
"""


@pytest.mark.slow
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


@pytest.mark.slow
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
{LISTENER}
from codebreaker.advice.codemaker import devious_answer
from codebreaker.advice.resolve import resolve
from codebreaker.cli.options import notation_with_files as notation_of

register("numba:compile", Compiled(print))
for name, policy, moves in {SUGGESTED}:
    notation = notation_of(name)
    advice = resolve(notation, policy, cached=True).suggest(notation.moves(moves))
    print(advice.outlook.tree.total_guesses)
    devious_answer(notation.game, notation.moves(moves), advice.guess)
"""


@pytest.mark.slow
def test_small_sets_are_played_without_compiling(tmp_path):
    cache = {"NUMBA_CACHE_DIR": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    printed = python("-c", WITHOUT_COMPILING, environment=cache, check=True)
    for line, (name, policy, moves) in zip(printed.stdout.splitlines(), SUGGESTED, strict=True):
        notation = notation_with_files(name)
        game = notation.game
        history = notation.moves(moves)
        members = resolve(notation).candidates(history)[-1]
        if policy in (None, "optimal"):
            assert int(line) == OptimalValues(game).total(members)
        else:
            start = Frontier.of_set(members, len(moves) + 1, history[-1][1])
            assert int(line) == grow(game, Strategy(policy), start=start).total_guesses


ANSWERS = f"""
import io
import sys

import codebreaker as cb
{LISTENER}
from codebreaker.cli import app

register("numba:compile", Compiled(print))


def answers():
    yield cb.solve("mm-3-4"), cb.solve("mm-3-4", opening="123"), cb.solve("bc-3-5")
    yield cb.solve(cb.game("mm-2-3").weighted({{"11": 5, "12": 1, "23": 2}}))
    yield cb.grow("mm-2-3", "optimal").total
    yield cb.suggest(cb.State("mm-4-6", ["1112:1,0"]), exact=True)
    yield cb.regret(cb.State("mm-4-6", ["1111:1,0", "2345:1,1"]), "2222")
    yield cb.score([{{"game": "mm-4-6", "moves": [["1122", "1,1"], ["3344", "0,1"]]}}])


list(answers())
sys.stdin = io.StringIO("6666\\n?\\n1122\\n?\\n3412\\n")
sys.stdout = io.StringIO()
try:
    app(["play", "--secret", "3412"])
finally:
    printed = sys.stdout.getvalue()
    sys.stdout = sys.__stdout__
    print("analysed" if "(luck)" in printed else printed)
"""


@pytest.mark.slow
def test_short_questions_are_answered_without_compiling(tmp_path):
    cache = {"NUMBA_CACHE_DIR": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    run = python("-c", ANSWERS, environment=cache, check=True)
    assert (run.stdout, run.stderr) == ("analysed\n", "")


GROWN = """
import codebreaker as cb

for name in ("entropy", "worst-case"):
    print(cb.grow("mm-2-2", name).total)
"""


@pytest.mark.slow
def test_compiling_is_announced_once_on_stderr_with_its_seconds(tmp_path):
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    first, again = (python("-c", GROWN, environment=cache, check=True) for _ in range(2))
    assert first.stdout == again.stdout == "8\n8\n"
    (line,) = first.stderr.splitlines()
    assert re.fullmatch(
        r"compiling the growth of trees for about \d+ s, once: later calls load it from a cache",
        line,
    )
    assert again.stderr == ""


def test_each_part_with_loops_has_its_seconds():
    assert {name.split(".")[1] for name in KERNELS} <= set(cpu.PARTS)


INTERRUPTED = f"""
import signal
{LISTENER}
from codebreaker.compiling.cpu import njit

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
interrupts = True


def interrupt(_):
    if interrupts:
        signal.raise_signal(signal.SIGINT)
        print("goes on")


@njit
def double(number):
    return 2 * number


@njit
def double_again(number):
    return 2 * double(number)


register("numba:compile", Compiled(interrupt))
try:
    double_again(21)
except KeyboardInterrupt:
    print("interrupted")
interrupts = False
print(double_again(21), double_again(0.5), double(1j))
signal.raise_signal(signal.SIGINT)
"""


@pytest.mark.slow
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
