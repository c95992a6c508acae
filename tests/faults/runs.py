"""Runs of a small study in processes of their own, and comparing two of them file by file.

The exceptions, files that may differ between two runs, are those that the project names.
"""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from itertools import count
from pathlib import Path

import yaml
from outcomes import ENVIRONMENT, ROOT, SILENT

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


def started(folder, *arguments, python=sys.executable):
    """Snakemake in a process group of its own, on the study above."""
    folder.mkdir(exist_ok=True)
    study = folder / "study.yaml"
    study.write_text(yaml.safe_dump(STUDY), encoding="utf-8")
    command = [python, "-m", "snakemake", "--cores", "2", "--directory", folder]
    command += ["--configfile", study, "--rerun-incomplete", *arguments]
    log = folder / f"said-{next(NUMBERS)}.txt"
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


def wait(process, seconds):
    """Wait until a process ends, but no longer than some seconds."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)


def ended(process):
    """The exit code of a process, and what it has said."""
    wait(process, 400)
    code = process.poll()
    if code is None:
        put_an_end_to(process)
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
    if "this is a bug" in said:
        outcomes.add("traceback", False, said, *others)
    wrong = SILENT if code == 0 else "traceback"
    good &= code == 0 and not differ
    outcomes.add(name, good, f"exit code {code}", differ, said, *others, wrong=wrong)
