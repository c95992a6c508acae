"""Runs that are killed and started again give the bytes of a run that nobody disturbed."""

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
import yaml
from conftest import ROOT
from manifest import differences, files_of, listed
from outcomes import ENVIRONMENT, full_only, times, tried

STUDY = {
    "strategies": {"mm-2-3": [{"policy": "entropy"}]},
    "exact": {"games": {"mm-2-3": [{}]}},
    "optimise": {
        "models": {"mm-3-3": {"stage": {"turns": 3, "generations": 4000, "seeds": [0]}}},
        "presets": {"paper": {"population": 16, "elite": 4}},
    },
    "players": {
        "contests": {
            "small": {"game": "mm-3-3", "opening": "112", "rounds": 40, "players": ["eGA-seeded"]}
        }
    },
}
"""A search with checkpoints, a contest in batches, an exact search and a tree."""

FILES = [
    "results/trees/mm-2-3/entropy.txt",
    "results/exact/checked.csv",
    "results/weights/mm-3-3/stage/best.json",
    "results/players/small/eGA-seeded.parquet",
]
SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT]
MOMENTS = times(20, 0)


def started(folder, *arguments, python=sys.executable):
    """Snakemake in a process group of its own, on the study above."""
    folder.mkdir(exist_ok=True)
    study = folder / "study.yaml"
    study.write_text(yaml.safe_dump(STUDY), encoding="utf-8")
    command = [python, "-m", "snakemake", "--cores", "2", "--directory", folder]
    command += ["--configfile", study, "--rerun-incomplete", *arguments]
    log = folder / f"said-{time.monotonic_ns()}.txt"
    with log.open("wb") as file:  # a pipe would wait for jobs that outlive the workflow
        process = subprocess.Popen(
            [*command, "--", *FILES],
            cwd=ROOT,
            env=ENVIRONMENT,
            start_new_session=True,
            stdout=file,
            stderr=subprocess.STDOUT,
        )
    process.log = log
    return process


def ended(process):
    """The exit code of a process, and what it has said."""
    try:
        code = process.wait(timeout=400)
    except subprocess.TimeoutExpired:
        put_an_end_to(process)
        code = None
    return code, process.log.read_text(encoding="utf-8", errors="replace")


def jobs_of(process):
    """The processes of a workflow's jobs."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (path / "cmdline").read_bytes()
            if os.getpgid(int(path.name)) == process.pid and b".snakemake/scripts" in words:
                found.append(int(path.name))
    return sorted(found)


def put_an_end_to(process):
    """Kill what is left of a process group."""
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The results of a run that nobody disturbs, and how long it took."""
    folder = tmp_path_factory.mktemp("undisturbed") / "study"
    folder.mkdir()
    ended(started(folder / "warm-up"))  # compiles what the next run takes from the cache
    process, begin = started(folder / "run"), time.monotonic()
    code, output = ended(process)
    assert code == 0, output
    return folder / "run" / "results", time.monotonic() - begin


def test_the_pages_name_the_same_exceptions():
    assert listed() in (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")


def disturb(process, moment, number, whom):
    """Send a signal to a workflow, to one of its jobs, or to all of them; return what it hit."""
    begin = time.monotonic()
    while time.monotonic() - begin < moment and process.poll() is None:
        time.sleep(0.02)
    if whom == "job":
        while not (jobs := jobs_of(process)) and process.poll() is None:
            time.sleep(0.02)
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
            unlock = ended(started(tmp_path, "--unlock"))
            code, output = ended(started(tmp_path))
        finally:
            put_an_end_to(first)
        found = differences(results, tmp_path / "results") if code == 0 else ["failed"]
        name = "same bytes" if not found else "silently wrong" if code == 0 else "traceback"
        outcomes["traceback" if "this is a bug" in said + output else name] += 1
        outcomes.details += [found, said[-1500:], output[-1500:], unlock]


@full_only
def test_two_runs_at_once(undisturbed, tmp_path):
    """The second is refused by the lock, or waits its turn; the first ends as if alone."""
    results, _ = undisturbed
    with tried("kills", "two runs at once, with a lock") as outcomes:
        both = [started(tmp_path), started(tmp_path)]
        codes = [ended(process)[0] for process in both]
        found = differences(results, tmp_path / "results")
        outcomes["same bytes" if 0 in codes and not found else "silently wrong"] += 1
        outcomes.details += [codes, found]
    with tried("kills", "two runs at once, without a lock") as outcomes:
        other = tmp_path / "unlocked"
        both = [started(other, "--nolock"), started(other, "--nolock")]
        codes = [ended(process)[0] for process in both]
        third = ended(started(other))
        found = differences(results, other / "results")
        outcomes["same bytes" if third[0] == 0 and not found else "silently wrong"] += 1
        outcomes.details += [codes, found, third[1][-1500:]]


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
        code, output = ended(started(tmp_path / place, "--cores", cores))
        found = differences(undisturbed[0], tmp_path / place / "results")
        outcomes["same bytes" if code == 0 and not found else "silently wrong"] += 1
        outcomes.details += [found, output[-1000:]]
    assert len(files_of(undisturbed[0])) > 10


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
        code, output = ended(started(tmp_path / "study", python=python))
        found = differences(undisturbed[0], tmp_path / "study" / "results")
        outcomes["same bytes" if code == 0 and not found else "silently wrong"] += 1
        outcomes.details += [found, output[-1000:]]
