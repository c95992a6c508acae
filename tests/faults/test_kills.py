"""Killed runs end with the same bytes."""

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from fnmatch import fnmatch
from itertools import count
from random import Random

import psutil
import pytest
from conftest import ROOT, full_only
from outcomes import ENVIRONMENT, REFUSED, SILENT, file_system, make_room, tried

from codebreaker.files import remove_temporary_files
from codebreaker.report.guide import MAY_DIFFER
from codebreaker.study.jobs import FOLDER

FILES = [
    "results/trees/mm-2-3/entropy.txt",
    "results/exact/checked.csv",
    "results/weights/mm-3-3/stage/best.json",
    "results/players/small/games.parquet",
]
"""What runs of study.yaml make."""
NUMBERS = count()
SAME = "same bytes"


def started(folder, *arguments, python=sys.executable, environment=None):
    """Start Snakemake with study.yaml in a folder; `process.log` is the file with its output."""
    folder.mkdir(exist_ok=True)
    study = shutil.copy(ROOT / "tests" / "faults" / "study.yaml", folder)
    command = [python, "-m", "snakemake", "--cores", "2", "--directory", folder]
    command += ["--configfile", study, "--rerun-incomplete", *arguments, "--", *FILES]
    log = folder / f"said-{next(NUMBERS)}.txt"
    with log.open("wb") as file:
        process = subprocess.Popen(
            command, cwd=ROOT, env=ENVIRONMENT | (environment or {}), start_new_session=True,
            stdout=file, stderr=subprocess.STDOUT,
        )  # fmt: skip
    process.log = log
    return process


def wait(process, seconds):
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)


def ended(process):
    wait(process, 400)
    code = process.poll()
    if code is None:
        put_an_end_to(process)
    return code, process.log.read_text(encoding="utf-8", errors="replace")


def jobs_of(process):
    with suppress(psutil.NoSuchProcess):
        below = psutil.Process(process.pid).children(recursive=True)
        return [child for child in below if ".snakemake/scripts" in " ".join(child.cmdline())]
    return []


def put_an_end_to(process):
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def may_differ(name):
    return any(fnmatch(name, pattern) for pattern in MAY_DIFFER)


def files_of(results):
    """Files that two runs must share."""
    paths = {path.relative_to(results).as_posix(): path for path in results.rglob("*")}
    return {
        name: path.read_bytes()
        for name, path in paths.items()
        if path.is_file() and not may_differ(name.removeprefix(f"{FOLDER}/"))
    }


def same_bytes(outcomes, expected, process, *others, name=SAME, good=True):
    code, text = ended(process)
    first = files_of(expected)
    second = files_of(process.log.parent / "results")
    differ = sorted(name for name in {**first, **second} if first.get(name) != second.get(name))
    good &= code == 0 and not differ and "this is a bug" not in text
    wrong = SILENT if code == 0 else "traceback"
    outcomes.add(name, good, f"exit code {code}", differ, text, *others, wrong=wrong)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed") / "study"
    folder.mkdir()
    ended(started(folder / "warm-up"))  # fills caches
    process = started(folder / "run")
    begin = time.monotonic()
    code, output = ended(process)
    assert code == 0, output
    assert len(files_of(folder / "run" / "results")) > 10
    return folder / "run" / "results", time.monotonic() - begin


def disturb(process, moment, number, whom):
    wait(process, moment)
    if whom == "job":
        jobs = jobs_of(process)
        while not jobs and process.poll() is None:
            wait(process, 0.02)
            jobs = jobs_of(process)
        if jobs:
            with suppress(psutil.NoSuchProcess):
                jobs[-1].send_signal(number)
    elif process.poll() is None:
        (os.killpg if whom == "all" else os.kill)(process.pid, number)


@full_only
@pytest.mark.parametrize("number", range(20))
def test_a_killed_run_ends_like_an_undisturbed_one(undisturbed, tmp_path, number):
    results, seconds = undisturbed
    sent = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)[number % 3]
    whom = ("workflow", "job", "all")[number // 3 % 3]
    with tried("kills and runs at once", f"{sent.name} to {whom}, moment {number + 1}") as outcomes:
        first = started(tmp_path)
        try:
            disturb(first, Random(number).uniform(0, seconds), sent, whom)
            _, text = ended(first)
            ended(started(tmp_path, "--unlock"))
            same_bytes(outcomes, results, started(tmp_path), text, good="this is a bug" not in text)
        finally:
            put_an_end_to(first)


@full_only
@pytest.mark.parametrize("how", ["one fails", "one of an older run fails", "killed"])
def test_trees_that_are_grown_in_part(undisturbed, tmp_path, how):
    results = undisturbed[0]
    study = tmp_path / "study"
    digest = study / "results" / FOLDER / "trees" / "mm-2-3" / "entropy.txt"
    with tried("kills and runs at once", f"trees grown in part: {how}") as outcomes:
        if "older" in how:
            shutil.copytree(results.parent, study)
            digest.unlink()
            (study / "results" / "trees" / "mm-2-3" / "entropy.txt").unlink()
        if how == "killed":
            first = started(study)
            while first.poll() is None and not [*digest.parent.glob("*.txt")]:
                wait(first, 0.002)
            disturb(first, 0, signal.SIGKILL, "job")
        else:
            digest.mkdir(parents=True)  # where a file is due
            first = started(study)
        code, text = ended(first)
        remove_temporary_files(study / "results")
        trees = files_of(study / "results" / "trees")
        right = trees.items() <= files_of(results / "trees").items()
        outcomes.add(REFUSED, code and right and "this is a bug" not in text, text, [*trees])
        if digest.is_dir():
            digest.rmdir()
        same_bytes(outcomes, results, started(study))


@full_only
@pytest.mark.parametrize("lock", [(), ("--nolock",)], ids=["with a lock", "without a lock"])
def test_two_runs_at_once(undisturbed, tmp_path, lock):
    case = f"two runs at once, with{'out' if lock else ''} a lock"
    with tried("kills and runs at once", case) as outcomes:
        both = [started(tmp_path, *lock), started(tmp_path, *lock)]
        codes = [ended(process)[0] for process in both]
        last = started(tmp_path) if lock else both[codes.index(0) if 0 in codes else 0]
        same_bytes(outcomes, undisturbed[0], last, codes)


@full_only
@pytest.mark.parametrize("kib", [16, 40, 96])
def test_a_full_disk_below_a_workflow(undisturbed, tmp_path, kib):
    results = tmp_path / "results"
    case = f"full disk below a workflow, {kib} KiB"
    with file_system(results, f"size={kib}k"), tried("disks and folders", case) as outcomes:
        first = started(tmp_path)
        code, text = ended(first)
        put_an_end_to(first)
        name = "written" if code == 0 else REFUSED
        outcomes.add(name, "this is a bug" not in text, text)
        make_room(results)
        ended(started(tmp_path, "--unlock"))
        same_bytes(outcomes, undisturbed[0], started(tmp_path), name=f"{SAME} once there is room")


def other_python(version, folder):
    executable = shutil.which(f"python{version}")
    if not executable or subprocess.run([executable, "--version"], capture_output=True).returncode:
        pytest.skip(f"there is no Python {version}")
    subprocess.run([executable, "-m", "venv", folder], check=True)
    install = [folder / "bin/python", "-m", "pip", "install", "--quiet", "--require-hashes", "-r"]
    subprocess.run([*install, ROOT / "envs" / "lock.txt"], check=True, capture_output=True)
    return folder / "bin" / "python"


@full_only
@pytest.mark.parametrize(
    ("case", "folder", "options", "environment"),
    [
        ("1 core, another path", "a path with é and spaces", ["--cores", "1"], {}),
        (
            "other hash seed, zone, locale",
            "elsewhere",
            [],
            {"PYTHONHASHSEED": "77", "TZ": "Asia/Kathmandu", "LC_ALL": "C", "PYTHONUTF8": "0"},
        ),
        (
            "threads of libraries",
            "x",
            [],
            {"OMP_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"},
        ),
    ],
)
def test_the_same_bytes_anywhere(undisturbed, tmp_path, case, folder, options, environment):
    with tried("the same bytes", case) as outcomes:
        run = started(tmp_path / folder, *options, environment=environment)
        same_bytes(outcomes, undisturbed[0], run)


@full_only
@pytest.mark.parametrize("version", ["3.12", "3.13"])
def test_the_same_bytes_by_other_versions_of_python(undisturbed, tmp_path, version):
    python = other_python(version, tmp_path / "environment")
    with tried("the same bytes", f"Python {version}") as outcomes:
        run = started(tmp_path / "study", python=python)
        same_bytes(outcomes, undisturbed[0], run)
