"""Values that users give to make reach the programs as they are, and run nothing."""

import json
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

RECORD = f"""#!{sys.executable}
import json
import sys
from pathlib import Path

with Path("called").open("a") as file:
    file.write(json.dumps([Path(sys.argv[0]).name, *sys.argv[1:]]) + "\\n")
"""
PYTHON = f"""#!/bin/sh
case "$1" in
    workflow/choose_study.py) PYTHONPATH='{ROOT}/src' exec '{sys.executable}' "$@" ;;
    *) exec bin/record "$@" ;;
esac
"""
TEXTS = [
    *("$(shell touch taken)", "$(touch taken)", "`touch taken`", "; touch taken", "a\ntouch taken"),
    *("' ; touch taken '", '" ; touch taken "', "$(info taken)", "${HOME}", "$$", "a  b", "é", "#"),
]
SWITCHES = {"FILE": "study", "CORES": "all", "VERBOSE": "all", "GAMES": "best-known"}


@pytest.fixture
def checkout(tmp_path):
    """The Makefile with programs that write down how they are called."""
    folder = tmp_path / "checkout"
    (folder / "bin").mkdir(parents=True)
    for name, text in {"record": RECORD, "snakemake": RECORD, "python": PYTHON}.items():
        program = folder / "bin" / name
        program.write_text(text, encoding="utf-8")
        program.chmod(0o755)
    for name in ("Makefile", "records/records.mk"):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    (folder / "workflow").mkdir()
    shutil.copy(ROOT / "workflow" / "choose_study.py", folder / "workflow")
    return folder


def make(checkout, *arguments):
    (checkout / "called").unlink(missing_ok=True)
    command = ["make", "--silent", *arguments, "READY=", "RECORDS_READY=", "BIN=bin"]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True)
    called = checkout / "called"
    lines = called.read_text(encoding="utf-8").splitlines() if called.exists() else []
    assert not [*checkout.rglob("taken")], arguments
    return done, [json.loads(line) for line in lines]


@pytest.mark.parametrize("name", SWITCHES)
@pytest.mark.slow
def test_values_run_nothing(checkout, name):
    for text in TEXTS:
        done, called = make(checkout, SWITCHES[name], f"{name}={text}")
        assert "taken" not in done.stdout.split(), text
        if name == "FILE":
            assert called == []
            assert done.stderr.startswith("error: ")
        elif name == "CORES":
            assert called[0][:3] == ["snakemake", "--cores", text]
        elif name == "GAMES":
            wanted = [f"results/best-known/{game}.csv" for game in text.split()]
            assert called[0][called[0].index("--") + 2 :][: len(wanted)] == wanted


@pytest.mark.parametrize("folder", [".", "$(touch taken)", "a b'c", 'd"$HOME', "é;&", "a\\b"])
def test_a_study_is_read_where_it_is(checkout, folder):
    path = checkout / folder / "my.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text("strategies: {}\n", encoding="utf-8")
    name = str(path.relative_to(checkout))
    done, called = make(checkout, "study", f"FILE={name}")
    assert called[0][-4:] == ["--directory", "results/my", "--configfile", name]
    assert (done.returncode, done.stderr) == (0, "")


def test_the_small_study_is_run_before_the_tests_unless_one_is_given(checkout, monkeypatch):
    monkeypatch.delenv("CODEBREAKER_STUDY", raising=False)
    _, called = make(checkout, "test", "TESTS_READY=")
    study, tests = called
    assert study[0] == "snakemake"
    assert study[-4:] == ["--directory", "build/study", "--configfile", "config/smoke.yaml"]
    assert tests == ["record", "-m", "pytest"]
    monkeypatch.setenv("CODEBREAKER_STUDY", "elsewhere")
    _, called = make(checkout, "test", "TESTS_READY=")
    assert called == [tests]


@pytest.mark.slow
def test_games_are_recorded_that_are_named_or_all(checkout):
    _, called = make(checkout, "best-known", "GAMES=mm-3-4 bc-3-5", "CORES=2")
    ends = [
        f"{game}.{end}" for end in ("csv", "first-guesses.csv") for game in ("mm-3-4", "bc-3-5")
    ]
    assert called[0][called[0].index("--") + 2 :] == [f"results/best-known/{end}" for end in ends]
    assert called[-1][1:] == [
        "records/record/record_best_known.py",
        "build/best-known/results",
        "mm-3-4",
        "bc-3-5",
    ]
    _, called = make(checkout, "best-known")
    assert called[0][called[0].index("--") + 2 :] == ["records"]
    assert called[0][:3] == ["snakemake", "--cores", "all"]
    assert "--logger-lines-full" not in called[0]
    _, called = make(checkout, "all", "VERBOSE=1")
    assert "--logger-lines-full" in called[0]
