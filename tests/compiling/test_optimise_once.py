"""Inner functions, which have no machine code of their own: in one process, and from the cache."""

import json

import numba
import numpy as np
import pytest
from conftest import python
from numba.core.compiler import Compiler, CompileResult

from codebreaker.compiling import optimise_once
from codebreaker.compiling.cpu import inner, njit


def test_the_installed_version_of_numba_was_tried():
    # Without this, a name that Numba lost would only show in how long compiling takes. With a new
    # version: run tests/compiling and tests/faults, then add it to TRIED.
    assert optimise_once.is_usable(), numba.__version__


@pytest.mark.parametrize("version", ["0.0.1", "9.0.0"])
def test_other_versions_are_not_trusted(version):
    assert not optimise_once.is_usable(version)


def test_a_numba_without_a_name_that_is_used_is_not_trusted(monkeypatch):
    monkeypatch.delattr(CompileResult, "_reduce")
    assert not optimise_once.is_usable()


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch, tmp_path):
    """Functions that a test defines are compiled, whatever an earlier run has left."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "code"))


def made_from(base):
    """Return a function for Python that calls two inner ones, of which one calls the other."""

    @inner(variant=f"{base}")
    def square(n):
        if n < 0:
            raise ValueError("below nought")
        return n * n + base

    @inner(variant=f"{base}")
    def squares_up_to(n):
        numbers = np.empty(n, np.int64)
        for i in range(n):
            numbers[i] = square(i)
        return numbers

    @njit(variant=f"{base}")
    def total(n):
        return square(n) + squares_up_to(n).sum()

    return square, squares_up_to, total


def expected(n, base):
    return sum(i * i + base for i in range(n + 1))


def has_machine_code(function):
    """Return whether Numba made machine code for each type that a function was compiled for."""
    results = function.overloads.values()
    assert results
    return all(result.library.get_pointer_to_function(symbol_of(result)) for result in results)


def symbol_of(result):
    return result.fndesc.llvm_cpython_wrapper_name


def test_only_what_python_calls_has_machine_code():
    square, squares_up_to, total = made_from(3)
    assert total(9) == expected(9, 3)
    assert has_machine_code(total)
    assert not has_machine_code(square)
    assert not has_machine_code(squares_up_to)


def test_an_exception_of_an_inner_function_reaches_python():
    _, _, total = made_from(4)
    with pytest.raises(ValueError, match="below nought"):
        total(-1)


def test_an_inner_function_has_its_python_objects():
    @inner(variant="of-objects")
    def say(n):
        print("number", n)
        if n > 5:
            raise ValueError("too large", n)  # made of values that only the call knows

    @njit(variant="of-objects")
    def say_twice(n):
        say(n)
        say(n + 1)

    with pytest.raises(ValueError, match="too large") as caught:
        say_twice(5)
    assert caught.value.args == ("too large", 6)


def test_without_it_inner_functions_are_compiled_as_by_numba(monkeypatch):
    monkeypatch.setattr(optimise_once, "is_usable", lambda: False)
    square, _, total = made_from(5)
    assert square._compiler.pipeline_class is Compiler
    assert total(9) == expected(9, 5)
    with pytest.raises(TypeError, match="only compiled functions can call"):
        square(2)


CHAIN = """
import json
import sys

import numba
import numpy as np
from codebreaker.compiling import optimise_once
from codebreaker.compiling.cpu import inner, njit

if "plain" in sys.argv:
    optimise_once.is_usable = lambda: False


@inner
def digits_of(n):
    if n < 0:
        raise ValueError("no digits", n)
    digits = np.zeros(10, np.int64)
    while n:
        digits[n % 10] += 1
        n //= 10
    return digits


@inner
def steps(n):
    return 0 if n == 1 else 1 + steps(n // 2 if n % 2 == 0 else 3 * n + 1)


@inner
def middle(n):
    return digits_of(n).max() + steps(n)


@njit
def first(n):
    return middle(n) + digits_of(n)[1]


@njit
def second(n):
    return middle(n) - digits_of(n)[1] + first(n)


asked = [globals()[name] for name in sys.argv[1:] if name != "plain"]
answers = [int(function(1127)) for function in asked]
for function in asked:
    try:
        function(-1)
    except ValueError as why:
        answers.append(why.args)
every = [digits_of, steps, middle, *asked]
print(json.dumps([answers, [sum(each.stats.cache_misses.values()) for each in every]]))
"""


def steps_to_one(n):
    """Count the steps of Collatz's rule."""
    count = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count


# 1127 has four digits, two of them 1.
STEPS = steps_to_one(1127)
DEFINED = {"first": 2 + STEPS + 2, "second": (2 + STEPS - 2) + (2 + STEPS + 2)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "now"),
    [
        (["first"], ["first", "second"]),
        (["second"], ["first"]),
        (["first", "plain"], ["second"]),
        (["first"], ["second", "plain"]),
    ],
    ids=str,
)
def test_inner_functions_are_loaded_by_other_processes(tmp_path, before, now):
    script = tmp_path / "chain.py"
    script.write_text(CHAIN, encoding="utf-8")

    def misses_of(*words):
        """Run the chain, and return how many versions of each function it compiled."""
        cache = {"NUMBA_CACHE_DIR": str(tmp_path / "code")}
        answers, misses = json.loads(python(script, *words, environment=cache, check=True).stdout)
        asked = [name for name in words if name != "plain"]
        assert answers == [DEFINED[name] for name in asked] + [["no digits", -1]] * len(asked)
        return misses

    misses_of(*before)
    assert misses_of(*now)[:3] == [0, 0, 0]  # whoever made their code
    assert sum(misses_of(*now)) == 0
