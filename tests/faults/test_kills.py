"""Runs that are killed and started again give the bytes of a run that nobody disturbed."""

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from random import Random

import psutil
import pytest
import runs
from conftest import ROOT
from outcomes import REFUSED, ROOM, full_only, times, tried

from codebreaker.report.guide import MAY_DIFFER

SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT]
MOMENTS = times(20, 0)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The results of a run that nobody disturbs, and how long it took."""
    folder = tmp_path_factory.mktemp("undisturbed") / "study"
    folder.mkdir()
    runs.ended(runs.started(folder / "warm-up"))  # compiles what the next run takes from the cache
    process, begin = runs.started(folder / "run"), time.monotonic()
    code, output = runs.ended(process)
    assert code == 0, output
    assert len(runs.files_of(folder / "run" / "results")) > 10
    return folder / "run" / "results", time.monotonic() - begin


def test_the_pages_name_the_same_exceptions():
    listed = [f"- `results/{pattern}`: {why};" for pattern, why in MAY_DIFFER.items()]
    page = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
    assert "\n".join(listed)[:-1] + "." in page


def disturb(process, moment, number, whom):
    """Send a signal to a workflow, to one of its jobs, or to all of them, at a moment in seconds.

    A job is hit as soon as there is one, unless the workflow ends before.
    """
    runs.wait(process, moment)
    if whom == "job":
        while not (jobs := runs.jobs_of(process)) and process.poll() is None:
            runs.wait(process, 0.02)
        if jobs:
            with suppress(psutil.NoSuchProcess):
                jobs[-1].send_signal(number)
    elif process.poll() is None:
        (os.killpg if whom == "all" else os.kill)(process.pid, number)


@full_only
@pytest.mark.parametrize("number", range(MOMENTS))
def test_a_killed_run_ends_like_an_undisturbed_one(undisturbed, tmp_path, number):
    results, seconds = undisturbed
    sent, whom = SIGNALS[number % 3], ("workflow", "job", "all")[number // 3 % 3]
    with tried("kills", f"{sent.name} to {whom}, moment {number + 1}") as outcomes:
        first = runs.started(tmp_path)
        try:
            disturb(first, Random(number).uniform(0, seconds), sent, whom)
            _, said = runs.ended(first)
            runs.ended(runs.started(tmp_path, "--unlock"))
            runs.same_bytes(
                outcomes, results, runs.started(tmp_path), said, good="this is a bug" not in said
            )
        finally:
            runs.put_an_end_to(first)


@full_only
@pytest.mark.parametrize("lock", [(), ("--nolock",)], ids=["with a lock", "without a lock"])
def test_two_runs_at_once(undisturbed, tmp_path, lock):
    """With a lock one ends as if alone; without one, a third puts right what they have done."""
    with tried("kills", f"two runs at once, with{'out' if lock else ''} a lock") as outcomes:
        both = [runs.started(tmp_path, *lock), runs.started(tmp_path, *lock)]
        codes = [runs.ended(process)[0] for process in both]
        last = runs.started(tmp_path) if lock else both[codes.index(0) if 0 in codes else 0]
        runs.same_bytes(outcomes, undisturbed[0], last, codes)


@full_only
@pytest.mark.parametrize("kib", [16, 40, 96])
def test_a_full_disk_below_a_workflow(undisturbed, tmp_path, kib):
    place, case = tmp_path / "results", f"workflow, full at {kib} KiB"
    with runs.file_system(place, f"size={kib}k"), tried("disks", case) as outcomes:
        first = runs.started(tmp_path)
        code, said = runs.ended(first)
        runs.put_an_end_to(first)
        name = "written" if code == 0 else REFUSED
        outcomes.add(name, "this is a bug" not in said, said)
        runs.make_room(place)
        runs.ended(runs.started(tmp_path, "--unlock"))
        runs.same_bytes(outcomes, undisturbed[0], runs.started(tmp_path), name=ROOM)


def other_python(version, folder):
    """Another version of Python, with the packages that are locked."""
    found = shutil.which(f"python{version}")
    if not found or subprocess.run([found, "--version"], capture_output=True).returncode:
        pytest.skip(f"there is no Python {version}")
    subprocess.run([found, "-m", "venv", folder], check=True)
    install = [folder / "bin/python", "-m", "pip", "install", "--quiet", "--require-hashes", "-r"]
    subprocess.run([*install, ROOT / "envs" / "lock.txt"], check=True, capture_output=True)
    return folder / "bin" / "python"


ELSEWHERE = {"PYTHONHASHSEED": "77", "TZ": "Asia/Kathmandu", "LC_ALL": "C", "PYTHONUTF8": "0"}
PLACES = {
    "1 core, another path": ("a path with é and spaces", ("--cores", "1"), {}),
    "other hash seed, zone, locale": ("place", (), ELSEWHERE),
    "threads of libraries": ("x", (), {"OMP_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}),
    "Python 3.12": ("study", (), {}),
    "Python 3.13": ("study", (), {}),
}


@full_only
@pytest.mark.parametrize("name", PLACES)
def test_the_same_bytes_anywhere(undisturbed, tmp_path, name):
    place, options, environment = PLACES[name]
    version, python = name.removeprefix("Python "), sys.executable
    if version != name:
        python = other_python(version, tmp_path / "environment")
    with tried("same bytes", name) as outcomes:
        run = runs.started(tmp_path / place, *options, python=python, environment=environment)
        runs.same_bytes(outcomes, undisturbed[0], run)
