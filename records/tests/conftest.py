"""The fixtures and helpers of the main project's tests, for games with fewer and other tests."""

import os
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parents[1]
ROOT = HERE.parent


def loaded(name, path):
    """Return a module from a file, under another name than its own."""
    spec = spec_from_file_location(name, path)
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


main = loaded("main_conftest", ROOT / "tests" / "conftest.py")
game_called = main.game_called
defined = main.defined
grown = main.grown
same = main.same
full_only = main.full_only
ci_only = main.ci_only
# Fixtures: pytest looks for them by these names.
shared = main.shared
compiled_once = main.compiled_once
fresh_log = main.fresh_log
mm46 = main.mm46


def python(*arguments, cwd=ROOT):
    """Run Python in a process of its own, where both packages can be imported."""
    path = os.pathsep.join([str(ROOT / "src"), str(HERE / "src")])
    command = [sys.executable, *map(str, arguments)]
    environment = os.environ | {"PYTHONPATH": path}
    return subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, encoding="utf-8", check=False
    )


@pytest.fixture(scope="session")
def small_hunt(shared):
    """A folder with the results of the small hunt."""
    folder = shared / "hunt"
    run = hunt(folder)
    assert run.returncode == 0, run.stderr
    return folder


def hunt(folder, *arguments, config=HERE / "config" / "small.yaml"):
    """Run the hunt's workflow in a folder."""
    files = ("--directory", folder, "--configfile", config)
    options = ("-s", "records/Snakefile", "--cores", "2", *files, "--logger-lines-full")
    return python("-m", "snakemake", *options, *arguments)
