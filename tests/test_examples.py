"""Examples in docstrings and documentation."""

import doctest
import re
from importlib import import_module

import pytest
from conftest import ROOT

import codebreaker

PROMPT = ">>> "
BLOCK = re.compile(r"^```pycon\n(.*?)^```", re.M | re.S)
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def with_examples(folder, pattern):
    paths = sorted((ROOT / folder).glob(pattern))
    return [path for path in paths if PROMPT in path.read_text(encoding="utf-8")]


PLACES = [path.relative_to(ROOT / "src") for path in with_examples("src/codebreaker", "**/*.py")]
MODULES = [".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in PLACES]
PATHS = [*with_examples(".", "README.md"), *with_examples("docs", "**/*.md")]
PAGES = [path.relative_to(ROOT).as_posix() for path in PATHS]


def failures_of(test):
    lines = []
    doctest.DocTestRunner(optionflags=FLAGS).run(test, out=lines.append)
    return "".join(lines)


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.usefixtures("caches", "registries")
@pytest.mark.slow
def test_examples_of_docstrings(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    finder = doctest.DocTestFinder(exclude_empty=True)
    tests_found = finder.find(import_module(name), name, extraglobs={"cb": codebreaker})
    tests = [test for test in tests_found if test.examples]
    if name == "codebreaker":  # what was imported on first use is tested in its own module
        tests = [test for test in tests if test.name == name]
    assert tests
    assert "".join(map(failures_of, tests)) == ""


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.usefixtures("caches", "registries")
@pytest.mark.slow
def test_examples_of_pages(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (ROOT / name).read_text(encoding="utf-8")
    blocks = BLOCK.findall(text)
    assert sum(block.count(PROMPT) for block in blocks) == text.count(PROMPT)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, name, name, 0)
    assert failures_of(test) == ""


def test_a_wrong_example_is_found():
    test = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "sum", None, 0)
    assert "Expected:\n    3\nGot:\n    2" in failures_of(test)
