"""Time whole runs of commits, from a fresh clone with nothing compiled.

    python benchmarks/time_runs.py COMMIT ...

Needs a quiet machine. A clone is set up before it is timed.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pages import machine, processor, publish

ROOT = Path(__file__).parents[1]
TIMED = {"all": "make", "smoke": "make smoke"}


def timed(target: str, folder: Path, caches: Path) -> tuple[float, float]:
    """Make a target with empty caches; return its wall and CPU seconds."""
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(caches / "code"),
        "XDG_CACHE_HOME": str(caches / "user"),
    }
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    subprocess.run(["make", target], cwd=folder, env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = time.perf_counter() - began
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, spent


def main(commits: list[str]) -> None:
    """Time each command with each commit."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for commit in commits:
            clone = Path(folder, commit)
            subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
            subprocess.run(["git", "checkout", "--quiet", commit], cwd=clone, check=True)
            subprocess.run(["make", "setup"], cwd=clone, check=True, capture_output=True)
            for target, command in TIMED.items():
                seconds, spent = timed(target, clone, Path(folder, f"{commit}-{target}"))
                rows.append(f"| {commit} | {command} | {seconds / 60:.1f} | {spent:.0f} |")
                print(rows[-1], flush=True)
    publish(
        "time_runs.md",
        "The time of whole runs",
        f"{machine(f'{processor()}, {os.cpu_count()} cores')}; each from a fresh clone with "
        "nothing compiled, after `make setup`.",
        "| commit | command | minutes | CPU seconds |",
        rows,
        texts=2,
    )


if __name__ == "__main__":
    main(sys.argv[1:] or ["HEAD"])
