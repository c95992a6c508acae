"""Time whole runs of commits, from a fresh clone with nothing compiled.

    python benchmarks/time_runs.py COMMIT ...

Needs a quiet machine. `make` and `make test` include what they install.
"""

import datetime
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pages import machine, processor, publish

from codebreaker.files import write_text

ROOT = Path(__file__).parents[1]
TIMED = {"all": "make", "smoke": "make smoke", "test": "make test"}


USUAL = ROOT / "src" / "snakemake_logger_plugin_lines" / "seconds.json"
"""The mean seconds of each rule's jobs in the default study, to estimate a run's time."""

JOB = re.compile(r"^\[ *\d+/\d+\] (\w+)\b.*  ([\d.]+) s$", re.MULTILINE)
"""The line of a job that has ended, with its rule and seconds."""


def timed(target: str, folder: Path, caches: Path) -> tuple[float, float, str]:
    """Make a target with empty caches; return its wall and CPU seconds, and what it said."""
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(caches / "code"),
        "XDG_CACHE_HOME": str(caches / "user"),
    }
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    command = ["make", target]
    done = subprocess.run(
        command, cwd=folder, env=environment, check=True, capture_output=True, text=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = time.perf_counter() - began
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, spent, done.stderr


def write_usual_seconds(said: str) -> None:
    """Record the mean seconds of each rule's jobs, from the lines of a run."""
    jobs: dict[str, list[float]] = {}
    for rule, seconds in JOB.findall(said):
        jobs.setdefault(rule, []).append(float(seconds))
    means = {rule: round(sum(jobs[rule]) / len(jobs[rule]), 1) for rule in sorted(jobs)}
    write_text(USUAL, json.dumps(means, indent=2))


def folder_mb(folder: Path) -> int:
    """Return the size of a folder's files in megabytes."""
    return round(sum(path.lstat().st_size for path in folder.rglob("*")) / 10**6)


def main(commits: list[str]) -> None:
    """Time each command with each commit."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for commit in commits:
            clone = Path(folder, commit)
            subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
            subprocess.run(["git", "checkout", "--quiet", commit], cwd=clone, check=True)
            for target, command in TIMED.items():
                seconds, spent, said = timed(target, clone, Path(folder, f"{commit}-{target}"))
                rows.append(f"| {commit} | {command} | {seconds / 60:.1f} | {spent:.0f} |")
                print(rows[-1], flush=True)
                if target == "all":
                    size = folder_mb(clone / ".venv")
                    write_usual_seconds(said)
    publish(
        "time_runs.md",
        "The time of whole runs",
        f"{machine(f'{processor()}, {os.cpu_count()} cores')}; measured on "
        f"{datetime.datetime.now(tz=datetime.UTC):%Y-%m-%d}, each from a fresh clone with nothing "
        f"compiled. After `make` its environment, `.venv`, needs {size} MB.",
        "| commit | command | minutes | CPU seconds |",
        rows,
        texts=2,
    )


if __name__ == "__main__":
    main(sys.argv[1:] or ["HEAD"])
