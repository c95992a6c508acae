"""Runs that are killed and started again give the bytes of a run that nobody disturbed."""

import os
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from random import Random

import pytest
from conftest import ROOT
from outcomes import ENVIRONMENT, full_only, times, tried
from runs import ended, files_of, jobs_of, put_an_end_to, same_bytes, started, wait

from codebreaker.report.guide import MAY_DIFFER

SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT]
MOMENTS = times(20, 0)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The results of a run that nobody disturbs, and how long it took."""
    folder = tmp_path_factory.mktemp("undisturbed") / "study"
    folder.mkdir()
    ended(started(folder / "warm-up"))  # compiles what the next run takes from the cache
    process, begin = started(folder / "run"), time.monotonic()
    code, output = ended(process)
    assert code == 0, output
    assert len(files_of(folder / "run" / "results")) > 10
    return folder / "run" / "results", time.monotonic() - begin


def test_the_pages_name_the_same_exceptions():
    listed = [f"- `results/{pattern}`: {why};" for pattern, why in MAY_DIFFER.items()]
    page = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
    assert "\n".join(listed)[:-1] + "." in page


def disturb(process, moment, number, whom):
    """Send a signal to a workflow, to one of its jobs, or to all of them, at a moment in seconds.

    A job is hit as soon as there is one, unless the workflow ends before.
    """
    wait(process, moment)
    if whom == "job":
        while not (jobs := jobs_of(process)) and process.poll() is None:
            wait(process, 0.02)
        if jobs:
            with suppress(ProcessLookupError):
                os.kill(jobs[-1], number)
    elif process.poll() is None:
        (os.killpg if whom == "all" else os.kill)(process.pid, number)


@full_only
@pytest.mark.parametrize("number", range(MOMENTS))
def test_a_killed_run_ends_like_an_undisturbed_one(undisturbed, tmp_path, number):
    results, seconds = undisturbed
    draw = Random(number)
    sent, whom = SIGNALS[number % 3], ("workflow", "job", "all")[number // 3 % 3]
    with tried("kills", f"{sent.name} to {whom}, moment {number + 1}") as outcomes:
        first = started(tmp_path)
        try:
            disturb(first, draw.uniform(0, seconds), sent, whom)
            _, said = ended(first)
            ended(started(tmp_path, "--unlock"))
            same_bytes(outcomes, results, started(tmp_path), said, good="this is a bug" not in said)
        finally:
            put_an_end_to(first)


@full_only
@pytest.mark.parametrize("lock", [(), ("--nolock",)], ids=["with a lock", "without a lock"])
def test_two_runs_at_once(undisturbed, tmp_path, lock):
    """With a lock one ends as if alone; without one, a third puts right what they have done."""
    with tried("kills", f"two runs at once, with{'out' if lock else ''} a lock") as outcomes:
        both = [started(tmp_path, *lock), started(tmp_path, *lock)]
        codes = [ended(process)[0] for process in both]
        last = started(tmp_path) if lock else both[codes.index(0) if 0 in codes else 0]
        same_bytes(outcomes, undisturbed[0], last, codes)


PLACES = {
    "1 core, another path": ({}, "1", "a path with é and spaces"),
    "other hash seed, zone, locale": (
        {"PYTHONHASHSEED": "77", "TZ": "Asia/Kathmandu", "LC_ALL": "C", "PYTHONUTF8": "0"},
        "2",
        "place",
    ),
    "threads of libraries": ({"OMP_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}, "2", "x"),
}


@full_only
@pytest.mark.parametrize("name", PLACES)
def test_the_same_bytes_anywhere(undisturbed, tmp_path, monkeypatch, name):
    environment, cores, place = PLACES[name]
    for key, value in environment.items():
        monkeypatch.setitem(ENVIRONMENT, key, value)
    with tried("same bytes", name) as outcomes:
        same_bytes(outcomes, undisturbed[0], started(tmp_path / place, "--cores", cores))


@full_only
@pytest.mark.parametrize("version", ["3.12", "3.13"])
def test_the_same_bytes_with_another_python(undisturbed, tmp_path, version):
    """Another version of Python, with the packages that are locked."""
    found = shutil.which(f"python{version}")
    if not found or subprocess.run([found, "--version"], capture_output=True).returncode:
        pytest.skip(f"there is no Python {version}")
    subprocess.run([found, "-m", "venv", tmp_path / "environment"], check=True)
    python = tmp_path / "environment" / "bin" / "python"
    install = [python, "-m", "pip", "install", "--quiet", "--require-hashes", "-r"]
    subprocess.run([*install, ROOT / "envs" / "lock.txt"], check=True, capture_output=True)
    with tried("same bytes", f"Python {version}") as outcomes:
        same_bytes(outcomes, undisturbed[0], started(tmp_path / "study", python=python))
