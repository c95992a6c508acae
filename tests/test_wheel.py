"""The wheel, with base requirements only."""

import os
import re
import subprocess
import sys
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from conftest import ROOT, ci_only
from packaging.requirements import Requirement
from test_examples import BLOCK
from test_packaging import LICENCES, PROJECT, tracked

from codebreaker.errors import remedy

IMPORT_ALL = """
import importlib, pkgutil, codebreaker
from codebreaker.errors import MissingExtraError
missing = set()
for module in pkgutil.walk_packages(codebreaker.__path__, "codebreaker.", onerror=lambda _: None):
    if module.name.startswith("codebreaker.cli"):
        continue
    try:
        importlib.import_module(module.name)
    except MissingExtraError:
        missing.add(module.name)
print(*sorted(missing))
"""

pytestmark = ci_only

PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")


def closure(requirements):
    paths = set()
    pending = [Requirement(entry) for entry in requirements]
    while pending:
        required = pending.pop()
        applies = required.marker is None or required.marker.evaluate({"extra": ""})
        name = re.sub("[-_.]+", "-", required.name).lower()
        if applies and name not in paths:
            paths.add(name)
            pending += [Requirement(entry) for entry in distribution(name).requires or ()]
    return paths


def link(name, packages):
    files = distribution(name).files
    assert files, name
    for top in {file.parts[0] for file in files} - {"..", "__pycache__"}:
        source = Path(str(distribution(name).locate_file(top)))
        if not (packages / top).exists():
            (packages / top).symlink_to(source)


def run(command, folder):
    environment = {name: os.environ[name] for name in os.environ if name != "PYTHONPATH"}
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env=environment
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    options = ("--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(folder))
    subprocess.run([*PIP, "wheel", *options, str(ROOT)], check=True)
    [path] = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed") / "environment"
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    options = ("--no-deps", "--no-index", "--no-compile")
    subprocess.run([*PIP, "--python", str(python), "install", *options, str(wheel)], check=True)
    [packages] = folder.glob("lib/python3*/site-packages")
    for name in closure(PROJECT["dependencies"]):
        link(name, packages)
    return python


def test_the_wheel_has_all_files_of_the_package(wheel):
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert packed == {name.removeprefix("src/") for name in tracked("src/codebreaker")}
    assert any(name.endswith("words/english.txt") for name in packed)


def test_the_wheel_has_every_licence(wheel):
    with zipfile.ZipFile(wheel) as packed:
        [folder] = {name.split("/")[0] for name in packed.namelist() if ".dist-info/" in name}
        for name in LICENCES:
            content = (ROOT / name).read_bytes()
            assert packed.read(f"{folder}/licenses/{name}") == content
            assert f"License-File: {name}" in packed.read(f"{folder}/METADATA").decode()


def test_the_example_of_the_readme_is_true_outside_the_checkout(python, tmp_path):
    blocks = BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    (tmp_path / "example.txt").write_text("\n".join(blocks), encoding="utf-8")
    done = run([python, "-m", "doctest", "-v", "example.txt"], tmp_path)
    assert "Test passed." in done.stdout
    assert "cb.grow(" in done.stdout


def test_only_the_report_and_the_command_line_need_an_extra(python, tmp_path):
    done = run([python, "-c", IMPORT_ALL], tmp_path)
    assert done.stderr == ""
    assert done.stdout.split() == ["codebreaker.report", "codebreaker.study"]


def test_what_lacks_its_extra_says_so_in_one_line(python, tmp_path):
    for command in ([python.parent / "codebreaker", "games"], [python, "-m", "codebreaker"]):
        done = run(command, tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"error: the command line needs the extra cli: {remedy('cli')}\n"
        assert re.search(
            r": pip install 'jinja2>=[\d.]+' 'rich>=[\d.]+' 'typer>=[\d.]+'$", done.stderr
        )
    done = run([python, "-c", "import codebreaker.report"], tmp_path)
    assert done.stderr.splitlines()[-1].endswith(
        f"codebreaker.report needs the extra report: {remedy('report')}"
    )
