"""The wheel, with base requirements only."""

import os
import re
import runpy
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
import yaml
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


def test_only_the_command_line_agents_and_the_report_need_an_extra(python, tmp_path):
    done = run([python, "-c", IMPORT_ALL], tmp_path)
    assert done.stderr == ""
    assert done.stdout.split() == ["codebreaker.agents", "codebreaker.report", "codebreaker.study"]


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


def test_a_release_has_the_same_bytes_again_and_the_address_that_is_given(tmp_path):
    """The second build is of another folder, and at another time."""
    tool = runpy.run_path(str(ROOT / "tools" / "make_release.py"))
    built = []
    for name in ("one", "two"):
        source = tmp_path / f"source-{name}"
        target = tmp_path / name
        source.mkdir()
        target.mkdir()
        tool["export"](source, "https://git.example.org/codebreaker", "2026-01-31")
        built.append(
            [tool["build"](source, kind, "1000000000", target) for kind in ("wheel", "sdist")]
        )
    assert [path.read_bytes() for path in built[0]] == [path.read_bytes() for path in built[1]]
    assert tool["check_metadata"](built[0][0]) == PROJECT["version"]
    citation = yaml.safe_load((tmp_path / "source-one" / "CITATION.cff").read_text("utf-8"))
    project = tomllib.loads((tmp_path / "source-one" / "pyproject.toml").read_text("utf-8"))
    assert citation["url"] == citation["repository-code"] == "https://git.example.org/codebreaker"
    assert str(citation["date-released"]) == "2026-01-31"
    assert set(project["project"]["urls"].values()) == {citation["url"]}


def test_an_archive_of_results_has_the_same_bytes_again_and_no_hidden_files(tmp_path):
    tool = runpy.run_path(str(ROOT / "tools" / "make_release.py"))
    for name in ("one", "two"):
        folder = tmp_path / name / "results"
        (folder / ".jobs").mkdir(parents=True)
        (folder / "tables").mkdir()
        (folder / ".jobs" / "effort.json").write_text(name, encoding="utf-8")
        (folder / "tables" / "a.csv").write_text("a,b\n", encoding="utf-8")
        (folder / "README.md").write_text("# Results\n", encoding="utf-8")
        os.utime(folder / "README.md", (1, 1 if name == "one" else 2))
        tool["pack"](folder, tmp_path / f"{name}.tar.gz", "results-1", 10**9)
    assert (tmp_path / "one.tar.gz").read_bytes() == (tmp_path / "two.tar.gz").read_bytes()
    with tarfile.open(tmp_path / "one.tar.gz") as packed:
        assert packed.getnames() == ["results-1/README.md", "results-1/tables/a.csv"]
        assert packed.extractfile("results-1/tables/a.csv").read() == b"a,b\n"
