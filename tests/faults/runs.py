"""Runs of a small study, disks for them, and comparing two of them file by file."""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import psutil
import pytest
import yaml
from outcomes import ENVIRONMENT, ROOT, SILENT, TRACEBACK

from codebreaker.report.guide import may_differ
from codebreaker.study.jobs import FOLDER

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
NUMBERS = count()


def started(folder, *arguments, python=sys.executable, environment=None):
    """Snakemake in a process group of its own, on the study above."""
    folder.mkdir(exist_ok=True)
    study = folder / "study.yaml"
    study.write_text(yaml.safe_dump(STUDY), encoding="utf-8")
    command = [python, "-m", "snakemake", "--cores", "2", "--directory", folder]
    command += ["--configfile", study, "--rerun-incomplete", *arguments, "--", *FILES]
    log = folder / f"said-{next(NUMBERS)}.txt"
    with log.open("wb") as file:  # a pipe would wait for jobs that outlive the workflow
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=ENVIRONMENT | (environment or {}),
            start_new_session=True,
            stdout=file,
            stderr=subprocess.STDOUT,
        )
    process.log = log
    return process


def wait(process, seconds):
    """Wait until a process ends, but no longer than some seconds."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)


def ended(process):
    """The exit code of a process, None if it doesn't end, and what it has said."""
    wait(process, 400)
    code = process.poll()
    if code is None:
        put_an_end_to(process)
    return code, process.log.read_text(encoding="utf-8", errors="replace")


def jobs_of(process):
    """The processes of a workflow's jobs."""
    with suppress(psutil.NoSuchProcess):
        below = psutil.Process(process.pid).children(recursive=True)
        return [one for one in below if ".snakemake/scripts" in " ".join(one.cmdline())]
    return []


def put_an_end_to(process):
    """Kill what is left of a process group."""
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def files_of(results: Path):
    """The files that two runs must share, by their names relative to the results, with content."""
    found = {}
    for path in sorted(results.rglob("*")):
        name = path.relative_to(results).as_posix()
        if path.is_file() and not may_differ(name.removeprefix(f"{FOLDER}/")):
            found[name] = path.read_bytes()
    return found


def same_bytes(outcomes, expected, process, *others, name="same bytes", good=True):
    """Wait for a run, and count whether its files have the bytes of those of another run."""
    code, said = ended(process)
    first, second = files_of(expected), files_of(process.log.parent / "results")
    differ = sorted(name for name in {**first, **second} if first.get(name) != second.get(name))
    good &= code == 0 and not differ and "this is a bug" not in said
    wrong = SILENT if code == 0 else TRACEBACK
    outcomes.add(name, good, f"exit code {code}", differ, said, *others, wrong=wrong)


@contextmanager
def file_system(folder: Path, options: str):
    """A small file system of its own in a folder; skipped where it can't be mounted."""
    folder.mkdir(parents=True, exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", options, "codebreaker-faults", folder]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("no file system can be mounted: only root may, and not in every container")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def make_room(folder):
    """Make a mounted file system large, and writable."""
    subprocess.run(["mount", "-o", "remount,rw,size=99999k", folder], check=True)
